/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/interop/gstmgpuimporter-private.h>
#include "gstmgpumemory.h"
#include "gstmgpustats.h"
#include "gstmgpuuses-private.h"

G_BEGIN_DECLS

typedef enum
{
  GST_MGPU_ACCESS_READ = 1 << 0,
  GST_MGPU_ACCESS_WRITE = 1 << 1
} GstMgpuAccess;

typedef struct _GstMgpuMemoryPrivate GstMgpuMemoryPrivate;

/* The state of a GstMgpuMemory. @lock guards all members. */
struct _GstMgpuMemoryPrivate
{
  GMutex lock;
  GstMgpuQueue *queue;          /* command queue of the last write to the memory; at
                                 * first, the queue of the buffer pool */
  GstMgpuStats *stats;          /* counters of the memory's uploads and downloads, or NULL */
  gboolean unified;             /* whether host and device share memory */

  cl_mem buffer;
  gpointer shared;              /* address of the bytes in memory that host and device use at the
                                 * same address, or NULL */
  GstMgpuUses uses;             /* commands that use the cl_mem buffer of the memory */

  cl_event fetch;               /* event of a download to the host that has been started and not
                                 * completed yet, or NULL */
  /* address at which the host accesses the bytes. With unified memory, it is valid while the
   * memory is mapped; otherwise, it is the address of the buffer @pinned, and valid once that
   * buffer is allocated */
  gpointer host;
  cl_mem pinned;                /* pinned buffer for the host's copy of the bytes, on devices
                                 * without unified memory; otherwise NULL */
  guint n_maps;                 /* with unified memory: number of maps by the host that are in
                                 * force */
  GstMgpuAccess mapped;         /* with unified memory: access of the first of these maps */

  GstMgpuImport *import;        /* import that provides the bytes of the memory, or NULL */
  GstMemory *original;          /* memory that was imported, or NULL. The host maps this memory
                                 * instead of the import, because drivers refuse to map imports */
  GstMapInfo original_map;      /* the host's map of @original; valid while @n_maps is not 0 */

  GstBuffer *target;            /* buffer of another element, if the device writes the bytes into
                                 * that buffer's memory; otherwise NULL */

  /* actions that were taken while @lock was held, which are logged after it is unlocked */
  struct
  {
    gboolean uploads, downloads, pins;
    gboolean maps_original;     /* whether @original was mapped */
    gboolean is_lost;           /* whether the content of the memory was found to be lost */
    gint64 waited;              /* time in microseconds that the host waited for the device */
  } done;

  GDestroyNotify notify;        /* function that is called when the memory is freed, or
                                 * NULL */
  gpointer user_data;
};

/* Returns: (transfer full) (nullable): a buffer with new memory for a frame, with the
 * strides and offsets of @info in its GstVideoMeta. @queue and @stats are passed to
 * gst_mgpu_memory_new() */
G_GNUC_INTERNAL
GstBuffer * gst_mgpu_frame_new   (GstMgpuQueue * queue, GstVideoInfo * info,
    GstMgpuStats * stats, GError ** error);

/* Returns: (transfer full): a memory that covers all bytes of @original. The caller has acquired
 * its import with the command whose event is @acquired; this function takes over the reference to
 * @acquired. The memory is read-only unless @writes is TRUE */
G_GNUC_INTERNAL
GstMemory * gst_mgpu_memory_new_of_import (GstMgpuQueue * queue, GstMemory * original,
    GstMgpuImport * import, gboolean writes, const GstMgpuUse * acquired);

/* Map and unmap a GstMgpuMemory: the allocator's virtual functions mem_map_full and
 * mem_unmap_full. */
G_GNUC_INTERNAL
gpointer gst_mgpu_memory_map     (GstMemory * memory, GstMapInfo * info, gsize size);
G_GNUC_INTERNAL
void     gst_mgpu_memory_unmap   (GstMemory * memory, GstMapInfo * info);

/* Releases the resources of @memory, which is about to be freed. Waits for the commands that use
 * the memory if its bytes lie in host memory. */
G_GNUC_INTERNAL
void     gst_mgpu_memory_release (GstMgpuMemory * memory);

/* Prepares @memory for a job that is about to use it on @queue. Enqueues an upload if the
 * device's copy of the bytes is stale. Adds to @waits the events (transfer full) that the job has
 * to wait for, which are those of other queues. Sets *@handle to the cl_mem. */
G_GNUC_INTERNAL
gboolean gst_mgpu_memory_prepare (GstMgpuMemory * memory, GstMgpuQueue * queue,
    GstMgpuAccess access, GPtrArray * waits, cl_mem * handle, GError ** error);

/* Records that a job uses @memory on @queue. The job calls this function after it has
 * enqueued its last command; @event is the event of that command. Takes over the caller's
 * reference to @event. */
G_GNUC_INTERNAL
void     gst_mgpu_memory_used    (GstMgpuMemory * memory, GstMgpuQueue * queue,
    GstMgpuAccess access, cl_event event);

/* Returns: TRUE if the host would have to wait for the device before it could write to @memory */
G_GNUC_INTERNAL
gboolean gst_mgpu_memory_is_busy (GstMgpuMemory * memory);

G_END_DECLS
