/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Synchronizes the two copies of a memory's bytes, one on the host and one on the device:
 * uploads, downloads, maps, and the order of commands that read and write the bytes. */
#include "gstmgpumemory-private.h"

#include "gstmgpucontext-private.h"
#include "gstmgpuerror.h"
#include "gstmgpulog-private.h"
#include "gstmgpuqueue-private.h"
#include "gstmgpushared-private.h"

#define GST_CAT_DEFAULT gst_mgpu_memory_debug

#define NEED_UPLOAD GST_MGPU_MEMORY_FLAG_NEED_UPLOAD
#define NEED_DOWNLOAD GST_MGPU_MEMORY_FLAG_NEED_DOWNLOAD

/* Unlocks the memory, then logs what was done under the lock, because the application's log
 * function may use the memory, so nothing is logged while it is locked. */
static void
unlock (GstMgpuMemory * self)
{
  GstMgpuMemoryPrivate *priv = self->priv;
  gboolean uploads = priv->done.uploads, downloads = priv->done.downloads;
  gboolean pins = priv->done.pins, is_lost = priv->done.is_lost;
  gboolean maps_original = priv->done.maps_original;
  gint64 waited = priv->done.waited;

  memset (&priv->done, 0, sizeof (priv->done));
  g_mutex_unlock (&priv->lock);
  if (pins)
    GST_TRACE ("allocated pinned host memory for copies of memory %p", self);
  if (maps_original)
    GST_TRACE ("mapped memory %p of another element, which memory %p imports",
        priv->original, self);
  if (uploads || downloads)
    GST_LOG ("enqueued %s of %" G_GSIZE_FORMAT " bytes of memory %p", uploads
        ? downloads ? "an upload and a download" : "an upload" : "a download",
        self->mem.maxsize, self);
  if (waited > 0)
    GST_LOG ("waited for the device: %" G_GINT64_FORMAT " us", waited);
  if (is_lost)
    GST_WARNING ("the command that wrote memory %p has failed", self);
}

/* Adds the time that the host has waited since @start (of the monotonic clock) to the wait
 * time of the memory's stats. Returns: the time in microseconds */
static gint64
count_wait (GstMgpuMemoryPrivate * priv, gint64 start)
{
  gint64 time = g_get_monotonic_time () - start;

  if (priv->stats != NULL)
    gst_mgpu_stats_add (priv->stats, GST_MGPU_COUNTER_WAIT_TIME, time * 1000);
  return time;
}

/* Sets @error if the content of the memory is lost: if @ret, the result of the last write to the
 * memory, is not CL_SUCCESS. Returns: TRUE if it is not lost */
static gboolean
check_intact (GstMgpuMemory * self, cl_int ret, GError ** error)
{
  if (ret != CL_SUCCESS) {
    self->priv->done.is_lost = TRUE;
    g_set_error (error, GST_MGPU_ERROR, ret == CL_DEVICE_NOT_AVAILABLE
        ? GST_MGPU_ERROR_NO_DEVICE : GST_MGPU_ERROR_FAILED,
        "a memory has no valid content, because the command that writes it "
        "failed with %s on %s: update its driver, or choose another device",
        gst_mgpu_cl_error_name (ret),
        gst_mgpu_context_get_device_name (self->context));
  }
  return ret == CL_SUCCESS;
}

/* Blocks until the host may access the memory. If @access is 0, waits only for the last
 * write, and does not check whether the content is valid. */
static gboolean
wait_locked (GstMgpuMemory * self, GstMgpuAccess access, GError ** error)
{
  GstMgpuMemoryPrivate *priv = self->priv;
  GPtrArray *waits = g_ptr_array_new ();
  gboolean writes = access & GST_MGPU_ACCESS_WRITE;
  cl_int written = gst_mgpu_uses_collect (&priv->uses, writes, NULL, waits);
  cl_int ret = CL_SUCCESS;

  if (waits->len > 0) {
    gint64 start = g_get_monotonic_time ();

    ret = clWaitForEvents (waits->len, (const cl_event *) waits->pdata);
    priv->done.waited += count_wait (priv, start);
  }
  if (ret != CL_SUCCESS) {
    /* Forgets the commands that failed during the wait, so that their error is reported
     * only once and the next frame can use the memory. */
    g_ptr_array_set_size (waits, 0);
    gst_mgpu_uses_collect (&priv->uses, writes, NULL, waits);
  }
  g_ptr_array_unref (waits);
  if (!gst_mgpu_cl_check (ret, "clWaitForEvents", self->context, error)
      || ((access & GST_MGPU_ACCESS_READ)
          && !check_intact (self, written, error)))
    return FALSE;
  if (access & GST_MGPU_ACCESS_WRITE)
    gst_mgpu_uses_forget (&priv->uses);
  else
    gst_mgpu_uses_forget_write (&priv->uses);
  return TRUE;
}

static void
count_transfer (GstMgpuMemoryPrivate * priv, GstMgpuCounter times, gsize size)
{
  if (priv->stats == NULL)
    return;
  gst_mgpu_stats_add (priv->stats, times, 1);
  gst_mgpu_stats_add (priv->stats, times == GST_MGPU_COUNTER_UPLOADS
      ? GST_MGPU_COUNTER_UPLOAD_BYTES : GST_MGPU_COUNTER_DOWNLOAD_BYTES, size);
}

/* Enqueues an upload of the memory's bytes. Uses the companion queue of @queue for uploads,
 * so that the upload runs concurrently with kernels of the previous frame that are still in
 * @queue. */
static gboolean
upload_locked (GstMgpuMemory * self, GstMgpuQueue * queue, GError ** error)
{
  GstMgpuMemoryPrivate *priv = self->priv;
  cl_command_queue cl_queue =
      gst_mgpu_queue_get_companion (queue, GST_MGPU_COMPANION_UP, error);
  GPtrArray *waits;
  cl_event event;
  cl_int ret;

  if (cl_queue == NULL)
    return FALSE;
  waits = g_ptr_array_new ();
  gst_mgpu_uses_collect (&priv->uses, TRUE, cl_queue, waits);
  ret = clEnqueueWriteBuffer (cl_queue, priv->buffer, CL_FALSE, 0,
      self->mem.maxsize, priv->host, GST_MGPU_WAITS (waits), &event);
  g_ptr_array_unref (waits);
  if (!gst_mgpu_cl_check (ret, "clEnqueueWriteBuffer", self->context, error))
    return FALSE;
  gst_mgpu_uses_set_write (&priv->uses, event, cl_queue);
  clFlush (cl_queue);
  GST_MINI_OBJECT_FLAG_UNSET (self, NEED_UPLOAD);
  priv->done.uploads = TRUE;
  count_transfer (priv, GST_MGPU_COUNTER_UPLOADS, self->mem.maxsize);
  return TRUE;
}

static gboolean
allocate_pinned_locked (GstMgpuMemory * self, GError ** error)
{
  GstMgpuMemoryPrivate *priv = self->priv;

  if (priv->pinned != NULL)
    return TRUE;
  priv->pinned = gst_mgpu_pinned_new (self->context, self->mem.maxsize,
      &priv->host, error);
  priv->done.pins = priv->pinned != NULL;
  return priv->done.pins;
}

/* Enqueues a download of the memory's bytes, unless the host's copy is valid or a download
 * has been started. */
static gboolean
fetch_locked (GstMgpuMemory * self, GError ** error)
{
  GstMgpuMemoryPrivate *priv = self->priv;
  cl_command_queue queue;
  GPtrArray *waits;
  cl_int ret;

  if (!GST_MINI_OBJECT_FLAG_IS_SET (self, NEED_DOWNLOAD) || priv->fetch != NULL)
    return TRUE;
  queue = gst_mgpu_queue_get_companion (priv->queue, GST_MGPU_COMPANION_DOWN,
      error);
  if (queue == NULL || !allocate_pinned_locked (self, error))
    return FALSE;
  waits = g_ptr_array_new ();
  if (!check_intact (self, gst_mgpu_uses_collect (&priv->uses, FALSE, queue,
              waits), error)) {
    g_ptr_array_unref (waits);
    return FALSE;
  }
  ret = clEnqueueReadBuffer (queue, priv->buffer, CL_FALSE, 0,
      self->mem.maxsize, priv->host, GST_MGPU_WAITS (waits), &priv->fetch);
  g_ptr_array_unref (waits);
  if (!gst_mgpu_cl_check (ret, "clEnqueueReadBuffer", self->context, error)) {
    priv->fetch = NULL;
    return FALSE;
  }
  clFlush (queue);
  clRetainEvent (priv->fetch);
  gst_mgpu_uses_add_read (&priv->uses, priv->fetch, queue);
  priv->done.downloads = TRUE;
  count_transfer (priv, GST_MGPU_COUNTER_DOWNLOADS, self->mem.maxsize);
  return TRUE;
}

/* Marks the host's copy of the bytes as valid, after a download is complete. */
static void
fetched_locked (GstMgpuMemory * self)
{
  GstMgpuMemoryPrivate *priv = self->priv;

  gst_mgpu_uses_forget_read (&priv->uses, priv->fetch);
  g_clear_pointer (&priv->fetch, gst_mgpu_event_release);
  GST_MINI_OBJECT_FLAG_UNSET (self, NEED_DOWNLOAD);
}

/* Downloads the memory's bytes, and blocks until the host has them. */
static gboolean
download_locked (GstMgpuMemory * self, GError ** error)
{
  GstMgpuMemoryPrivate *priv = self->priv;
  gint64 start = g_get_monotonic_time ();
  cl_int ret;

  if (!fetch_locked (self, error))
    return FALSE;
  if (priv->fetch == NULL)
    return TRUE;
  ret = clWaitForEvents (1, &priv->fetch);
  if (!gst_mgpu_cl_check (ret, "clWaitForEvents", self->context, error)) {
    g_clear_pointer (&priv->fetch, gst_mgpu_event_release);
    return FALSE;
  }
  fetched_locked (self);
  priv->done.waited += count_wait (priv, start);
  return TRUE;
}

static gpointer
map_discrete (GstMgpuMemory * self, GstMgpuAccess access, GError ** error)
{
  GstMgpuMemoryPrivate *priv = self->priv;

  if (!allocate_pinned_locked (self, error))
    return NULL;
  /* Waits for a running download even if the host only writes, because the download would overwrite
   * what the host writes. */
  if (((access & GST_MGPU_ACCESS_READ) || priv->fetch != NULL)
      && !download_locked (self, error))
    return NULL;
  if (access & GST_MGPU_ACCESS_WRITE) {
    /* Waits for a running upload, because it still reads the host's copy of the bytes. */
    if (!wait_locked (self, 0, error))
      return NULL;
    GST_MINI_OBJECT_FLAG_UNSET (self, NEED_DOWNLOAD);
    GST_MINI_OBJECT_FLAG_SET (self, NEED_UPLOAD);
  }
  return priv->host;
}

/* Tells the allocator of the original memory of an import that OpenCL may have written the
 * bytes. The CUDA allocator keeps a copy of the bytes for the host; this copy is then stale. */
static gboolean
hand_over_original (GstMgpuMemory * self, GError ** error)
{
  return GST_MEMORY_IS_READONLY (self)
      || gst_mgpu_cuda_hand_over (self->priv->original, TRUE, error);
}

/* Maps the original memory of an import. The original's allocator keeps the caches of the host
 * and of devices coherent. Returns: the address of the first byte of the import */
static gpointer
map_original (GstMgpuMemory * self, GstMgpuAccess access, GError ** error)
{
  GstMgpuMemoryPrivate *priv = self->priv;
  GstMapFlags flags = (access & GST_MGPU_ACCESS_READ ? GST_MAP_READ : 0)
      | (access & GST_MGPU_ACCESS_WRITE ? GST_MAP_WRITE : 0);

  if (!hand_over_original (self, error))
    return NULL;
  priv->done.maps_original = TRUE;
  if (!gst_memory_map (priv->original, &priv->original_map, flags)) {
    g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_FAILED,
        "the host cannot map a memory that the device uses: check the element "
        "that allocated it");
    return NULL;
  }
  return priv->original_map.data - priv->original->offset;
}

static gpointer
map_unified (GstMgpuMemory * self, GstMgpuAccess access, GError ** error)
{
  GstMgpuMemoryPrivate *priv = self->priv;
  /* Uses CL_MAP_WRITE even if the host only writes, because with CL_MAP_WRITE_INVALIDATE_REGION the
   * bytes that the host does not write would be undefined. */
  cl_map_flags flags = (access & GST_MGPU_ACCESS_READ ? CL_MAP_READ : 0)
      | (access & GST_MGPU_ACCESS_WRITE ? CL_MAP_WRITE : 0);
  cl_int ret;

  if (priv->shared != NULL)
    return wait_locked (self, access, error) ? priv->shared : NULL;
  if (priv->n_maps > 0) {
    /* Reuses the first map. Its access is sufficient, because GstMemory refuses a map for
     * writing while only a map for reading is in force. */
    priv->n_maps++;
    return priv->host;
  }
  if (!wait_locked (self, access, error))
    return NULL;
  if (priv->original != NULL) {
    priv->host = map_original (self, access, error);
    if (priv->host == NULL)
      return NULL;
  } else {
    priv->host =
        clEnqueueMapBuffer (gst_mgpu_context_get_transfer_queue (self->context),
        priv->buffer, CL_TRUE, flags, 0, self->mem.maxsize, 0, NULL, NULL,
        &ret);
    if (!gst_mgpu_cl_check (ret, "clEnqueueMapBuffer", self->context, error))
      return NULL;
  }
  priv->n_maps = 1;
  priv->mapped = access;
  return priv->host;
}

static gboolean
unmap_unified (GstMgpuMemory * self, GError ** error)
{
  GstMgpuMemoryPrivate *priv = self->priv;
  cl_command_queue queue = gst_mgpu_context_get_transfer_queue (self->context);
  cl_event event;
  cl_int ret;

  if (--priv->n_maps > 0)
    return TRUE;
  if (priv->original != NULL) {
    gst_memory_unmap (priv->original, &priv->original_map);
    return hand_over_original (self, error);
  }
  ret = clEnqueueUnmapMemObject (queue, priv->buffer, priv->host, 0, NULL,
      &event);
  priv->host = NULL;
  if (!gst_mgpu_cl_check (ret, "clEnqueueUnmapMemObject", self->context, error))
    return FALSE;
  clFlush (queue);
  /* Keeps the recorded reads of the memory, because commands that began to read it while it was
   * mapped may still be running. For example, a decoder keeps frames mapped after it has pushed
   * them downstream. */
  if (priv->mapped & GST_MGPU_ACCESS_WRITE)
    gst_mgpu_uses_set_write_beside_reads (&priv->uses, event, queue);
  else
    gst_mgpu_uses_add_read (&priv->uses, event, queue);
  return TRUE;
}

/* Marks the host's copy of the bytes as stale, unless host and device share one copy. */
static void
device_writes_locked (GstMgpuMemory * self)
{
  if (self->priv->unified)
    return;
  g_clear_pointer (&self->priv->fetch, gst_mgpu_event_release);
  GST_MINI_OBJECT_FLAG_UNSET (self, NEED_UPLOAD);
  GST_MINI_OBJECT_FLAG_SET (self, NEED_DOWNLOAD);
}

/* Maps the memory for the device (GST_MAP_MGPU): uploads the bytes if the device's copy is
 * stale, and waits for all commands that conflict with @access. Returns: the cl_mem */
static gpointer
map_device (GstMgpuMemory * self, GstMgpuAccess access, GError ** error)
{
  GstMgpuMemoryPrivate *priv = self->priv;

  if ((access & GST_MGPU_ACCESS_READ)
      && GST_MINI_OBJECT_FLAG_IS_SET (self, NEED_UPLOAD)
      && !upload_locked (self, priv->queue, error))
    return NULL;
  if (!wait_locked (self, access, error))
    return NULL;
  if (access & GST_MGPU_ACCESS_WRITE)
    device_writes_locked (self);
  return priv->buffer;
}

static GstMgpuAccess
access_of (GstMapFlags flags)
{
  return (flags & GST_MAP_READ ? GST_MGPU_ACCESS_READ : 0)
      | (flags & GST_MAP_WRITE ? GST_MGPU_ACCESS_WRITE : 0);
}

gpointer
gst_mgpu_memory_map (GstMemory * memory, GstMapInfo * info, gsize size)
{
  GstMgpuMemory *self = (GstMgpuMemory *) memory;
  GstMgpuMemoryPrivate *priv = self->priv;
  GstMgpuAccess access = access_of (info->flags);
  GError *error = NULL;
  gpointer data;

  g_mutex_lock (&priv->lock);
  if (info->flags & GST_MAP_MGPU)
    data = map_device (self, access, &error);
  else if (priv->unified)
    data = map_unified (self, access, &error);
  else
    data = map_discrete (self, access, &error);
  unlock (self);

  GST_TRACE ("%s maps memory %p of %" G_GSIZE_FORMAT " bytes to %s%s",
      info->flags & GST_MAP_MGPU ? "an OpenCL program" : "the host", memory,
      size, access & GST_MGPU_ACCESS_READ ? "read" : "",
      access & GST_MGPU_ACCESS_WRITE ? "write" : "");
  if (data == NULL) {
    GST_ERROR ("cannot map memory %p: %s", memory, error->message);
    g_error_free (error);
  }
  return data;
}

void
gst_mgpu_memory_unmap (GstMemory * memory, GstMapInfo * info)
{
  GstMgpuMemory *self = (GstMgpuMemory *) memory;
  GstMgpuMemoryPrivate *priv = self->priv;
  GError *error = NULL;

  if ((info->flags & GST_MAP_MGPU) || !priv->unified || priv->shared != NULL)
    return;
  GST_TRACE ("unmapping memory %p from the host", memory);
  g_mutex_lock (&priv->lock);
  unmap_unified (self, &error);
  unlock (self);
  if (error != NULL)
    GST_ERROR ("cannot unmap memory %p: %s", self, error->message);
  g_clear_error (&error);
}

/**
 * gst_mgpu_memory_send:
 * @memory: a #GstMgpuMemory
 * @error: return location for a #GError
 *
 * Starts to upload the bytes if the host wrote them last. Does not block; the device may run
 * other commands meanwhile. A job that reads @memory also uploads it: call this function if the
 * upload should start before the job begins.
 *
 * Returns: %TRUE on success
 *
 * Since: 1.0
 */
gboolean
gst_mgpu_memory_send (GstMgpuMemory * memory, GError ** error)
{
  GstMgpuMemoryPrivate *priv = memory->priv;
  gboolean ok = TRUE;

  g_mutex_lock (&priv->lock);
  if (GST_MINI_OBJECT_FLAG_IS_SET (memory, NEED_UPLOAD))
    ok = upload_locked (memory, priv->queue, error);
  unlock (memory);
  return ok;
}

/**
 * gst_mgpu_memory_fetch:
 * @memory: a #GstMgpuMemory
 * @error: return location for a #GError
 *
 * Enqueues a download of the bytes, which runs after the device has written them. A later map
 * for reading then waits less. Does not block. Does nothing where host and device share memory,
 * or where the host has the bytes already.
 *
 * Returns: %TRUE on success
 *
 * Since: 1.0
 */
gboolean
gst_mgpu_memory_fetch (GstMgpuMemory * memory, GError ** error)
{
  gboolean ok;

  g_mutex_lock (&memory->priv->lock);
  ok = fetch_locked (memory, error);
  unlock (memory);
  return ok;
}

/**
 * gst_mgpu_memory_fetched:
 * @memory: a #GstMgpuMemory
 * @error: return location for a #GError
 *
 * Blocks until the download that gst_mgpu_memory_fetch() started is complete. The thread sleeps
 * meanwhile. A later map for reading does not block.
 *
 * Returns: %TRUE on success
 *
 * Since: 1.0
 */
gboolean
gst_mgpu_memory_fetched (GstMgpuMemory * memory, GError ** error)
{
  GstMgpuMemoryPrivate *priv = memory->priv;
  gint64 start = g_get_monotonic_time ();
  cl_event event;
  gboolean ok, complete;
  gint64 slept;

  g_mutex_lock (&priv->lock);
  event = priv->fetch;
  if (event != NULL)
    clRetainEvent (event);
  g_mutex_unlock (&priv->lock);
  if (event == NULL)
    return TRUE;
  complete = gst_mgpu_nap_until (event, CL_COMPLETE);
  slept = count_wait (priv, start);
  GST_LOG ("slept until a download was complete: %" G_GINT64_FORMAT " us",
      slept);

  g_mutex_lock (&priv->lock);
  ok = TRUE;
  if (priv->fetch == event && complete)
    fetched_locked (memory);
  else
    ok = priv->fetch == NULL || download_locked (memory, error);
  unlock (memory);
  clReleaseEvent (event);
  return ok;
}

/**
 * gst_mgpu_memory_wait:
 * @memory: a #GstMgpuMemory
 * @error: return location for a #GError
 *
 * Blocks until no command on the device uses @memory.
 *
 * Returns: %TRUE on success
 *
 * Since: 1.0
 */
gboolean
gst_mgpu_memory_wait (GstMgpuMemory * memory, GError ** error)
{
  gboolean ok;

  g_mutex_lock (&memory->priv->lock);
  ok = wait_locked (memory, GST_MGPU_ACCESS_READ | GST_MGPU_ACCESS_WRITE,
      error);
  unlock (memory);
  return ok;
}

/* Returns: TRUE if the host would have to wait for commands before it may use the memory. If
 * host and device share one copy of the bytes, each command that uses the memory counts. If the
 * device has its own copy, only the last write (which may be an upload) and a running download
 * count: kernels that read the device's copy do not disturb a host that writes the other copy.
 * Unmaps by the host do not count, because they take no time */
gboolean
gst_mgpu_memory_is_busy (GstMgpuMemory * self)
{
  GstMgpuMemoryPrivate *priv = self->priv;
  gboolean busy;

  g_mutex_lock (&priv->lock);
  busy = !gst_mgpu_uses_are_over (&priv->uses, priv->unified,
      gst_mgpu_context_get_transfer_queue (self->context))
      || (priv->fetch != NULL && !gst_mgpu_event_is_complete (priv->fetch));
  g_mutex_unlock (&priv->lock);
  return busy;
}

gboolean
gst_mgpu_memory_prepare (GstMgpuMemory * self, GstMgpuQueue * queue,
    GstMgpuAccess access, GPtrArray * waits, cl_mem * handle, GError ** error)
{
  GstMgpuMemoryPrivate *priv = self->priv;
  guint n = waits->len;
  gboolean ok = TRUE;
  cl_int written;

  if (self->context != gst_mgpu_queue_get_context (queue)) {
    GST_DEBUG ("memory %p belongs to %" GST_PTR_FORMAT ", not to that of %"
        GST_PTR_FORMAT, self, self->context, queue);
    g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_UNSUPPORTED,
        "a memory belongs to another OpenCL context: copy it, or let the "
        "elements share one context");
    return FALSE;
  }
  g_mutex_lock (&priv->lock);
  if ((access & GST_MGPU_ACCESS_READ)
      && GST_MINI_OBJECT_FLAG_IS_SET (self, NEED_UPLOAD))
    ok = upload_locked (self, queue, error);
  if (ok) {
    written = gst_mgpu_uses_collect (&priv->uses,
        access & GST_MGPU_ACCESS_WRITE, gst_mgpu_queue_get_cl_queue (queue),
        waits);
    ok = !(access & GST_MGPU_ACCESS_READ)
        || check_intact (self, written, error);
  }
  /* Adds references to the events: before the job waits for them, another thread may use the
   * memory and remove the events from priv->uses. */
  for (; n < waits->len; n++)
    clRetainEvent (waits->pdata[n]);
  *handle = priv->buffer;
  unlock (self);
  return ok;
}

void
gst_mgpu_memory_used (GstMgpuMemory * self, GstMgpuQueue * queue,
    GstMgpuAccess access, cl_event event)
{
  GstMgpuMemoryPrivate *priv = self->priv;
  cl_command_queue cl_queue = gst_mgpu_queue_get_cl_queue (queue);

  g_mutex_lock (&priv->lock);
  if (access & GST_MGPU_ACCESS_WRITE) {
    gst_mgpu_uses_set_write (&priv->uses, event, cl_queue);
    gst_object_replace ((GstObject **) & priv->queue, GST_OBJECT_CAST (queue));
    device_writes_locked (self);
  } else {
    gst_mgpu_uses_add_read (&priv->uses, event, cl_queue);
  }
  g_mutex_unlock (&priv->lock);
}

/* Releases an import after the last command that uses it. */
static void
release_import (GstMgpuMemory * self)
{
  GstMgpuMemoryPrivate *priv = self->priv;
  g_autoptr (GPtrArray) waits = g_ptr_array_new ();

  gst_mgpu_uses_collect (&priv->uses, TRUE, NULL, waits);
  gst_mgpu_import_release (gst_mgpu_context_get_importer (self->context),
      priv->import, gst_mgpu_queue_get_cl_queue (priv->queue), waits);
}

void
gst_mgpu_memory_release (GstMgpuMemory * self)
{
  GstMgpuMemoryPrivate *priv = self->priv;

  /* Waits for the commands that use the memory. OpenCL keeps the cl_mem until these commands
   * are done, but not the host memory that the cl_mem wraps. */
  if (priv->import != NULL)
    release_import (self);
  else if (priv->notify != NULL || priv->pinned != NULL) {
    GST_TRACE ("waiting for commands that use the host memory of memory %p",
        self);
    gst_mgpu_memory_wait (self, NULL);
  }
  g_clear_pointer (&priv->fetch, gst_mgpu_event_release);
  gst_mgpu_uses_clear (&priv->uses);
  if (priv->pinned != NULL)
    gst_mgpu_pinned_free (self->context, priv->pinned, priv->host);
}
