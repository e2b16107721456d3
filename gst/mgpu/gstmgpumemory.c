/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* A GstMemory in device memory, which can be mapped on the host and used by jobs. */
#include "gstmgpumemory-private.h"

#include <string.h>

#include "gstmgpucontext-private.h"
#include "gstmgpuerror.h"
#include "gstmgpulog-private.h"
#include "gstmgpuqueue-private.h"
#include "gstmgpushared-private.h"
#include "gstmgpustats.h"
#include "gstmgpuuses-private.h"

#define GST_CAT_DEFAULT gst_mgpu_memory_debug

G_DEFINE_TYPE (GstMgpuAllocator, gst_mgpu_allocator, GST_TYPE_ALLOCATOR);

/* Enqueues on @queue a copy of @size bytes, from @offset in @src to the beginning of
 * @dst. */
static gboolean
enqueue_copy (GstMgpuMemory * src, gsize offset, GstMgpuMemory * dst,
    gsize size, GstMgpuQueue * queue, GError ** error)
{
  g_autoptr (GPtrArray) waits = gst_mgpu_waits_new ();
  cl_command_queue cl_queue = gst_mgpu_queue_get_cl_queue (queue);
  cl_event event;
  cl_mem from, to;
  cl_int ret;
  gboolean ok = FALSE;

  if (gst_mgpu_memory_prepare (src, queue, GST_MGPU_ACCESS_READ, waits, &from,
          error)
      && gst_mgpu_memory_prepare (dst, queue, GST_MGPU_ACCESS_WRITE, waits, &to,
          error)) {
    ret = clEnqueueCopyBuffer (cl_queue, from, to, offset, 0, size,
        GST_MGPU_WAITS (waits), &event);
    ok = gst_mgpu_cl_check (ret, "clEnqueueCopyBuffer", src->context, error);
  }
  if (ok) {
    clFlush (cl_queue);
    gst_mgpu_queue_set_last (queue, event);
    clRetainEvent (event);
    gst_mgpu_memory_used (src, queue, GST_MGPU_ACCESS_READ, event);
    gst_mgpu_memory_used (dst, queue, GST_MGPU_ACCESS_WRITE, event);
  }
  return ok;
}

static gboolean
copy_on_host (GstMemory * src, gsize offset, GstMemory * dst, gsize size,
    GError ** error)
{
  GstMapInfo from, to;
  gboolean ok = FALSE;

  if (gst_memory_map (src, &from, GST_MAP_READ)) {
    if (gst_memory_map (dst, &to, GST_MAP_WRITE)) {
      memcpy (to.data, from.data + offset, size);
      gst_memory_unmap (dst, &to);
      ok = TRUE;
    }
    gst_memory_unmap (src, &from);
  }
  if (!ok)
    g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_FAILED,
        "the host cannot read and write memory");
  return ok;
}

/* Copies a memory. The copy is made on the device, except for an import: it is made on
 * the host, because drivers may refuse to copy imports. */
static GstMemory *
gst_mgpu_memory_copy (GstMemory * memory, gssize offset, gssize size)
{
  GstMgpuMemory *self = (GstMgpuMemory *) memory;
  g_autoptr (GstMgpuQueue) queue = gst_mgpu_memory_get_queue (self);
  GError *error = NULL;
  GstMemory *copy;
  gboolean ok = FALSE;

  if (size < 0)
    size = memory->size - offset;
  GST_LOG ("copying %" G_GSSIZE_FORMAT " bytes of memory %p on the %s", size,
      memory,
      self->priv->import != NULL ? "host, because it is an import" : "device");
  copy = gst_mgpu_memory_new (queue, size, self->priv->stats, &error);
  if (copy != NULL)
    ok = self->priv->import != NULL
        ? copy_on_host (memory, offset, copy, size, &error)
        : enqueue_copy (self, memory->offset + offset, (GstMgpuMemory *) copy,
        size, queue, &error);
  if (!ok) {
    g_clear_pointer (&copy, gst_memory_unref);
    GST_ERROR ("cannot copy memory %p: %s", memory, error->message);
    g_error_free (error);
  }
  return copy;
}

/* Refuses to share a part of a memory, because kernels only work on whole frames. The
 * function is needed nevertheless, because GStreamer's core calls mem_share without
 * checking that it is set. */
static GstMemory *
gst_mgpu_memory_share (GstMemory * memory, gssize offset, gssize size)
{
  GST_DEBUG ("refusing to share a part of memory %p, which will be copied "
      "instead", memory);
  return NULL;
}

static gboolean
gst_mgpu_memory_is_span (GstMemory * a, GstMemory * b, gsize * offset)
{
  return FALSE;
}

static void
gst_mgpu_allocator_free (GstAllocator * allocator, GstMemory * memory)
{
  g_autofree GstMgpuMemory *self = (GstMgpuMemory *) memory;
  GstMgpuMemoryPrivate *priv = self->priv;

  GST_TRACE ("freeing memory %p of %" G_GSIZE_FORMAT " bytes", memory,
      memory->maxsize);
  gst_mgpu_memory_release (self);
  if (priv->buffer != NULL)
    clReleaseMemObject (priv->buffer);
  if (priv->original != NULL)
    gst_memory_unref (priv->original);
  if (priv->notify != NULL)
    priv->notify (priv->user_data);
  if (priv->target != NULL)
    gst_buffer_unref (priv->target);
  if (priv->stats != NULL)
    gst_mgpu_stats_unref (priv->stats);
  gst_object_unref (priv->queue);
  gst_object_unref (self->context);
  g_mutex_clear (&priv->lock);
  g_free (priv);
}

static GstMemory *
gst_mgpu_allocator_alloc (GstAllocator * allocator, gsize size,
    GstAllocationParams * params)
{
  g_critical ("allocate with gst_mgpu_memory_new()");
  return NULL;
}

static void
gst_mgpu_allocator_class_init (GstMgpuAllocatorClass * klass)
{
  GST_ALLOCATOR_CLASS (klass)->alloc = gst_mgpu_allocator_alloc;
  GST_ALLOCATOR_CLASS (klass)->free = gst_mgpu_allocator_free;
}

static void
gst_mgpu_allocator_init (GstMgpuAllocator * self)
{
  GstAllocator *allocator = GST_ALLOCATOR (self);

  allocator->mem_type = GST_MGPU_MEMORY_TYPE;
  allocator->mem_map_full = gst_mgpu_memory_map;
  allocator->mem_unmap_full = gst_mgpu_memory_unmap;
  allocator->mem_copy = gst_mgpu_memory_copy;
  allocator->mem_share = gst_mgpu_memory_share;
  allocator->mem_is_span = gst_mgpu_memory_is_span;
  GST_OBJECT_FLAG_SET (self, GST_ALLOCATOR_FLAG_CUSTOM_ALLOC);
}

static GstAllocator *
get_allocator (void)
{
  static gsize once = 0;

  if (g_once_init_enter (&once)) {
    GstAllocator *allocator = g_object_new (GST_TYPE_MGPU_ALLOCATOR, NULL);

    gst_object_ref_sink (allocator);
    GST_OBJECT_FLAG_SET (allocator, GST_OBJECT_FLAG_MAY_BE_LEAKED);
    g_once_init_leave (&once, (gsize) allocator);
  }
  return (GstAllocator *) once;
}

/* Makes a GstMgpuMemory from the cl_mem @buffer (transfer full). The caller has to
 * initialize the GstMemory at the beginning of the struct. */
static GstMgpuMemory *
object_new (GstMgpuQueue * queue, cl_mem buffer, gboolean unified)
{
  GstMgpuMemory *self = g_new0 (GstMgpuMemory, 1);

  self->priv = g_new0 (GstMgpuMemoryPrivate, 1);
  self->context = gst_object_ref (gst_mgpu_queue_get_context (queue));
  self->priv->queue = gst_object_ref (queue);
  self->priv->unified = unified;
  self->priv->buffer = buffer;
  gst_mgpu_uses_init (&self->priv->uses);
  g_mutex_init (&self->priv->lock);
  return self;
}

GstMemory *
gst_mgpu_memory_new_of_import (GstMgpuQueue * queue, GstMemory * original,
    GstMgpuImport * import, gboolean writes, const GstMgpuUse * acquired)
{
  cl_mem buffer = gst_mgpu_import_get_buffer (import);
  GstMgpuMemory *self;

  clRetainMemObject (buffer);
  /* An import counts as unified memory, even if it lies in the memory of a card, because there is
   * only one copy of the bytes. */
  self = object_new (queue, buffer, TRUE);
  self->priv->import = import;
  self->priv->original = gst_memory_ref (original);
  if (acquired->event != NULL)
    gst_mgpu_uses_set_write (&self->priv->uses, acquired->event,
        acquired->queue);
  gst_memory_init (GST_MEMORY_CAST (self),
      writes ? 0 : GST_MEMORY_FLAG_READONLY, get_allocator (), NULL,
      original->maxsize, 0, original->offset, original->size);
  return GST_MEMORY_CAST (self);
}

static GstMemory *
memory_new (GstMgpuQueue * queue, gpointer data, gsize size,
    GstMgpuStats * stats, GError ** error)
{
  GstMgpuContext *context = gst_mgpu_queue_get_context (queue);
  const GstMgpuTraits *traits = gst_mgpu_context_get_traits (context);
  cl_mem_flags flags = CL_MEM_READ_WRITE;
  gpointer shared = NULL;
  cl_mem buffer = NULL;
  GstMgpuMemory *self;
  cl_int ret = CL_SUCCESS;

  if (size == 0 || size > traits->max_allocation_size) {
    g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_OUT_OF_MEMORY,
        "%" G_GSIZE_FORMAT " bytes are outside the range of 1 to %"
        G_GUINT64_FORMAT
        " bytes that %s can allocate at once; use smaller frames or another "
        "device", size, traits->max_allocation_size,
        gst_mgpu_context_get_device_name (context));
    return NULL;
  }
  if (data != NULL)
    flags |= CL_MEM_USE_HOST_PTR;
  else if (traits->unified_memory)
    flags |= CL_MEM_ALLOC_HOST_PTR;
  if (data == NULL && traits->unified_memory)
    buffer = gst_mgpu_shared_new (context, size, &shared);
  if (buffer == NULL)
    buffer = clCreateBuffer (gst_mgpu_context_get_cl_context (context), flags,
        size, data, &ret);
  if (!gst_mgpu_cl_check (ret, "clCreateBuffer", context, error)) {
    g_prefix_error (error, "%" G_GSIZE_FORMAT " bytes: ", size);
    return NULL;
  }

  self = object_new (queue, buffer, traits->unified_memory);
  self->priv->stats = stats != NULL ? gst_mgpu_stats_ref (stats) : NULL;
  self->priv->shared = shared;
  GST_TRACE ("memory %p of %" G_GSIZE_FORMAT " bytes: %s", self, size,
      data != NULL ? "host memory of the caller, used in place" : shared != NULL
      ? "shared by host and device, so that maps need no command"
      : traits->unified_memory ? "allocated by the driver, for host and device"
      : "on the device");
  gst_memory_init (GST_MEMORY_CAST (self), 0, get_allocator (), NULL, size, 0,
      0, size);
  return GST_MEMORY_CAST (self);
}

/**
 * gst_is_mgpu_memory:
 * @memory: a #GstMemory
 *
 * Tells whether jobs can use @memory.
 *
 * Returns: %TRUE when @memory is a #GstMgpuMemory
 *
 * Since: 1.0
 */
gboolean
gst_is_mgpu_memory (GstMemory * memory)
{
  return memory != NULL && memory->allocator != NULL
      && GST_IS_ALLOCATOR (memory->allocator)
      && G_TYPE_CHECK_INSTANCE_TYPE (memory->allocator,
      GST_TYPE_MGPU_ALLOCATOR);
}

/**
 * gst_mgpu_memory_new:
 * @queue: the queue for uploads and downloads of the memory. After a job on another
 *   queue writes the memory, that queue is used instead
 * @size: size in bytes, from 1 to the max_allocation_size of the device
 * @stats: (nullable): counters of these uploads and downloads
 * @error: return location for a #GError
 *
 * Allocates memory on the device of @queue. The content of the memory is undefined.
 *
 * Returns: (transfer full) (nullable): a #GstMgpuMemory
 *
 * Since: 1.0
 */
GstMemory *
gst_mgpu_memory_new (GstMgpuQueue * queue, gsize size, GstMgpuStats * stats,
    GError ** error)
{
  return memory_new (queue, NULL, size, stats, error);
}

GstBuffer *
gst_mgpu_frame_new (GstMgpuQueue * queue, GstVideoInfo * info,
    GstMgpuStats * stats, GError ** error)
{
  GstMemory *memory =
      gst_mgpu_memory_new (queue, GST_VIDEO_INFO_SIZE (info), stats, error);
  GstBuffer *frame;

  if (memory == NULL)
    return NULL;
  frame = gst_buffer_new ();
  gst_buffer_append_memory (frame, memory);
  gst_buffer_add_video_meta_full (frame, GST_VIDEO_FRAME_FLAG_NONE,
      GST_VIDEO_INFO_FORMAT (info), GST_VIDEO_INFO_WIDTH (info),
      GST_VIDEO_INFO_HEIGHT (info), GST_VIDEO_INFO_N_PLANES (info),
      info->offset, info->stride);
  return frame;
}

/**
 * gst_mgpu_memory_new_wrapped: (skip)
 * @queue: a queue of a device with unified memory
 * @data: an address that is a multiple of the host_pointer_alignment of the
 *   device
 * @size: number of bytes at @data
 * @user_data: passed to @notify
 * @notify: (nullable): called when the device no longer uses @data
 * @error: return location for a #GError
 *
 * Makes a memory of the bytes at @data, so that the device works on this system memory
 * in place.
 *
 * Returns: (transfer full) (nullable): a #GstMgpuMemory; on failure @notify
 *   is not called
 *
 * Since: 1.0
 */
GstMemory *
gst_mgpu_memory_new_wrapped (GstMgpuQueue * queue, gpointer data, gsize size,
    gpointer user_data, GDestroyNotify notify, GError ** error)
{
  GstMgpuContext *context = gst_mgpu_queue_get_context (queue);
  const GstMgpuTraits *traits = gst_mgpu_context_get_traits (context);
  GstMemory *memory;

  if (!traits->unified_memory || data == NULL
      || ((guintptr) data) % traits->host_pointer_alignment != 0) {
    GST_DEBUG ("the device cannot use the memory at %p in place: %s", data,
        traits->unified_memory ? "it is not aligned as the device needs"
        : "the device does not share memory with the host");
    g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_UNSUPPORTED,
        "%s cannot use the memory at %p in place; copy it",
        gst_mgpu_context_get_device_name (context), data);
    return NULL;
  }
  memory = memory_new (queue, data, size, NULL, error);
  if (memory != NULL) {
    ((GstMgpuMemory *) memory)->priv->user_data = user_data;
    ((GstMgpuMemory *) memory)->priv->notify = notify;
  }
  return memory;
}

/**
 * gst_mgpu_memory_get_queue:
 * @memory: a #GstMgpuMemory
 *
 * Gets the queue on which @memory was written. Commands that are enqueued there run
 * after the write; commands in another queue have to wait for an event.
 *
 * Returns: (transfer full): the queue of the job that wrote @memory last, or the queue
 *   that @memory was made with if no job has written it
 *
 * Since: 1.0
 */
GstMgpuQueue *
gst_mgpu_memory_get_queue (GstMgpuMemory * memory)
{
  GstMgpuQueue *queue;

  g_mutex_lock (&memory->priv->lock);
  queue = gst_object_ref (memory->priv->queue);
  g_mutex_unlock (&memory->priv->lock);
  return queue;
}

/**
 * gst_mgpu_memory_choose_queue:
 * @memory: the memory of a frame that the calling thread is about to read
 * @own: a queue of the calling thread, which no other thread passes to this function
 *
 * Chooses the queue for commands that read a frame. If the calling thread was the last
 * thread that chose the queue in which the frame was written, it chooses this queue
 * again, and its commands need no event to wait for the write. Otherwise, for example
 * in a thread downstream of a tee, it chooses @own, so that no thread has to wait for
 * all commands of another thread.
 *
 * Returns: (transfer full): the queue that wrote @memory if this thread chose it
 *   last, otherwise @own
 *
 * Since: 1.0
 */
GstMgpuQueue *
gst_mgpu_memory_choose_queue (GstMgpuMemory * memory, GstMgpuQueue * own)
{
  GstMgpuQueue *queue = gst_mgpu_memory_get_queue (memory);

  if (gst_mgpu_queue_is_taken (queue))
    return queue;
  GST_LOG ("commands that read memory %p are enqueued in %" GST_PTR_FORMAT ", "
      "the queue of this thread; the memory was written in %" GST_PTR_FORMAT,
      memory, own, queue);
  gst_object_unref (queue);
  gst_mgpu_queue_take (own);
  return gst_object_ref (own);
}

/**
 * gst_mgpu_memory_map_cl:
 * @memory: a memory of any kind
 * @flags: #GST_MAP_READ, #GST_MAP_WRITE or both
 *
 * Gets the cl_mem of a #GstMgpuMemory, for OpenCL functions that a program calls itself. Uploads
 * the bytes if the host wrote them last and @flags has #GST_MAP_READ, and blocks until no command
 * on the device conflicts with @flags. It does the same as gst_memory_map() with #GST_MAP_MGPU, for
 * languages in which #GstMapInfo gives no pointer.
 *
 * Finish your commands (clFinish()) before you call gst_mgpu_memory_unmap_cl().
 *
 * Returns: (transfer none) (nullable): the cl_mem, in the context of
 *   gst_mgpu_context_get_cl_context(); %NULL if @memory is not a #GstMgpuMemory, is not writable
 *   although @flags has #GST_MAP_WRITE, or the device failed
 *
 * Since: 1.1
 */
gpointer
gst_mgpu_memory_map_cl (GstMemory * memory, GstMapFlags flags)
{
  GstMapInfo info;

  g_return_val_if_fail (memory != NULL, NULL);

  if (!gst_is_mgpu_memory (memory)
      || !gst_memory_map (memory, &info, flags | GST_MAP_MGPU))
    return NULL;
  return info.data;
}

/**
 * gst_mgpu_memory_unmap_cl:
 * @memory: a memory that gst_mgpu_memory_map_cl() mapped
 * @flags: the flags of that call
 *
 * Ends a map. The cl_mem may no longer be used.
 *
 * Since: 1.1
 */
void
gst_mgpu_memory_unmap_cl (GstMemory * memory, GstMapFlags flags)
{
  GstMapInfo info = { memory, flags | GST_MAP_MGPU, };

  g_return_if_fail (gst_is_mgpu_memory (memory));

  gst_memory_unmap (memory, &info);
}
