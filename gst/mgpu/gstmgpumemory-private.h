/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstmgpudmabuf-private.h"
#include "gstmgpumemory.h"
#include "gstmgpustats.h"
#include "gstmgpuuses-private.h"

G_BEGIN_DECLS

typedef enum
{
  GST_MGPU_ACCESS_READ = 1 << 0,
  GST_MGPU_ACCESS_WRITE = 1 << 1
} GstMgpuAccess;

/* Holds the state of a memory. The member lock guards all members. */
struct _GstMgpuMemoryPrivate
{
  GMutex lock;
  GstMgpuQueue *queue;          /* queue of the last write; at first the queue
                                 * of the pool */
  GstMgpuStats *stats;          /* counters of uploads and downloads, or NULL */
  gboolean unified;             /* whether host and device share memory */

  cl_mem buffer;
  gpointer shared;              /* address of the cl_mem buffer for host and
                                 * device alike, or NULL */
  GstMgpuUses uses;             /* commands that use the cl_mem buffer */

  cl_event fetch;               /* event of a download that has been started, or NULL */
  /* address at which the host accesses the bytes: with unified memory, valid
   * while the memory is mapped; otherwise the address of the buffer pinned,
   * valid once pinned is allocated */
  gpointer host;
  cl_mem pinned;                /* host copy of the bytes, on devices without unified
                                 * memory; or NULL */
  guint n_maps;                 /* number of CPU maps in force, with unified memory */
  GstMgpuAccess mapped;         /* access of the first CPU map in force, with unified
                                 * memory */

  GstMgpuImport *import;        /* import of the dma-buf whose bytes are in the
                                 * cl_mem buffer, or NULL */
  GstMemory *original;          /* memory that was imported, or NULL: CPU maps are maps of
                                 * this memory, because drivers refuse to map imports */
  GstMapInfo original_map;      /* CPU map of original; valid while n_maps is not 0 */

  GDestroyNotify notify;        /* called when the memory is freed, or NULL */
  gpointer user_data;
};

/* Returns: (transfer full) (nullable): a frame in new memory, with the strides
 * and offsets of @info in its GstVideoMeta. The parameters queue and stats are
 * those of gst_mgpu_memory_new(). */
G_GNUC_INTERNAL
GstBuffer * gst_mgpu_frame_new   (GstMgpuQueue * queue, GstVideoInfo * info,
    GstMgpuStats * stats, GError ** error);

/* Returns: (transfer full): a read-only memory of all bytes of @original, whose
 * import the caller has acquired with the command acquired. Takes over the
 * reference to its event. */
G_GNUC_INTERNAL
GstMemory * gst_mgpu_memory_new_of_import (GstMgpuQueue * queue, GstMemory * original,
    GstMgpuImport * import, const GstMgpuUse * acquired);

/* Map and unmap a memory: the functions mem_map_full and mem_unmap_full of the
 * allocator. */
G_GNUC_INTERNAL
gpointer gst_mgpu_memory_map     (GstMemory * memory, GstMapInfo * info, gsize size);
G_GNUC_INTERNAL
void     gst_mgpu_memory_unmap   (GstMemory * memory, GstMapInfo * info);

/* Ends all use of @memory, which is about to be freed. Waits for the commands
 * that use this memory, if it lies in the memory of the host. */
G_GNUC_INTERNAL
void     gst_mgpu_memory_release (GstMgpuMemory * memory);

/* Prepares @memory for a job that is about to use it on @queue. Enqueues an
 * upload when the device copy is stale. Adds to @waits the events of other
 * queues that the job has to wait for, with a reference to each. Sets *handle
 * to the cl_mem. */
G_GNUC_INTERNAL
gboolean gst_mgpu_memory_prepare (GstMgpuMemory * memory, GstMgpuQueue * queue,
    GstMgpuAccess access, GPtrArray * waits, cl_mem * handle, GError ** error);

/* Records that a job uses @memory on @queue. The job calls this function after
 * it has enqueued its last command; the parameter event is the event of this
 * command. Takes over the caller's reference to event. */
G_GNUC_INTERNAL
void     gst_mgpu_memory_used    (GstMgpuMemory * memory, GstMgpuQueue * queue,
    GstMgpuAccess access, cl_event event);

/* Returns whether the host would have to wait for the device before it could
 * write to @memory. */
G_GNUC_INTERNAL
gboolean gst_mgpu_memory_is_busy (GstMgpuMemory * memory);

G_END_DECLS
