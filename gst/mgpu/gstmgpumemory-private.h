/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstmgpumemory.h"
#include "gstmgpustats.h"
#include "gstmgpuuses-private.h"

G_BEGIN_DECLS

typedef enum
{
  GST_MGPU_ACCESS_READ = 1 << 0,
  GST_MGPU_ACCESS_WRITE = 1 << 1
} GstMgpuAccess;

/* lock guards all members. */
struct _GstMgpuMemoryPrivate
{
  GMutex lock;
  GstMgpuQueue *queue;          /* the queue of the last write, at first the pool's */
  GstMgpuStats *stats;          /* or NULL */
  gboolean unified;

  cl_mem buffer;
  gpointer shared;              /* the buffer's address for host and device; or NULL */
  GstMgpuUses uses;

  cl_event fetch;               /* the end of a download that is on its way; or NULL */
  gpointer host;                /* unified: the address while mapped; discrete: that of
                                 * pinned, once it is allocated */
  cl_mem pinned;                /* discrete: memory of the host; or NULL */
  guint n_maps;                 /* unified: CPU maps in force */
  GstMgpuAccess mapped;         /* unified: what the first of these maps may do */

  GDestroyNotify notify;
  gpointer user_data;
};

/* Maps and unmaps memory, for GstAllocator. */
G_GNUC_INTERNAL
gpointer gst_mgpu_memory_map     (GstMemory * memory, GstMapInfo * info, gsize size);
G_GNUC_INTERNAL
void     gst_mgpu_memory_unmap   (GstMemory * memory, GstMapInfo * info);

/* Ends all use of memory, which is about to be freed: waits for commands where they use
 * memory of the host. */
G_GNUC_INTERNAL
void     gst_mgpu_memory_release (GstMgpuMemory * memory);

/* Called by a job that is about to use memory on queue. Adds to waits, with a
 * reference each, the events of other queues that it has to wait for, and
 * enqueues an upload when the device copy is stale. */
G_GNUC_INTERNAL
gboolean gst_mgpu_memory_prepare (GstMgpuMemory * memory, GstMgpuQueue * queue,
    GstMgpuAccess access, GPtrArray * waits, cl_mem * handle, GError ** error);

/* Called when the job's last command, event, is enqueued. Takes event. */
G_GNUC_INTERNAL
void     gst_mgpu_memory_used    (GstMgpuMemory * memory, GstMgpuQueue * queue,
    GstMgpuAccess access, cl_event event);

/* Whether the host would have to wait before it may write memory */
G_GNUC_INTERNAL
gboolean gst_mgpu_memory_is_busy (GstMgpuMemory * memory);

G_END_DECLS
