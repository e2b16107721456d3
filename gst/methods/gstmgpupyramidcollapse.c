/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Implements gst_mgpu_pyramid_meta_collapse(), with which applications reconstruct a
 * frame from its pyramid. */
#include <gst/mgpu/gstmgpupyramidmeta.h>

#include <gst/methods/owned.h>
#include <gst/vision/pyramid/pyramid.h>

#include <gst/mgpu/gstmgpuerror.h>
#include <gst/mgpu/gstmgpumemory-private.h>
#include <gst/mgpu/gstmgpujob.h>

/* Makes sure that @owned has an object that reconstructs frames of the format and size of
 * @info from pyramids with @n_levels levels. Returns: FALSE with the error set on failure */
static gboolean
prepare (MgpuOwned * owned, GstMgpuContext * context, const GstVideoInfo * info,
    guint n_levels, GError ** error)
{
  const MgpuPyramidParams params = { n_levels, MGPU_PYRAMID_LAPLACIAN };

  if (owned->object != NULL
      && gst_video_info_is_equal (&((MgpuObject *) owned->object)->in, info)
      && mgpu_pyramid_get_n_levels (owned->object) == n_levels)
    return TRUE;
  mgpu_object_free (owned->object);
  owned->object =
      mgpu_object_new (&mgpu_pyramid, context, info, NULL, NULL, &params,
      error);
  return owned->object != NULL;
}

/* Returns: whether the detail of level @level of the pyramid in @meta is in memory of the
 * device of @context, and has the size and layout that the kernels of the object @pyramid
 * expect */
static gboolean
has_detail (GstMgpuPyramidMeta * meta, guint level, MgpuPyramid * pyramid,
    GstMgpuContext * context)
{
  GstMemory *memory = gst_mgpu_pyramid_meta_get_detail_memory (meta, level);
  guint n = mgpu_pyramid_get_n_components (pyramid);

  if (!gst_is_mgpu_memory (memory)
      || ((GstMgpuMemory *) memory)->context != context
      || memory->size < mgpu_pyramid_get_detail_size (pyramid, level)
      || gst_mgpu_pyramid_meta_get_n_components (meta, level) != n)
    return FALSE;
  for (guint i = 0; i < n; i++) {
    GstMgpuPyramidPlane plane;
    MgpuComponent c;

    mgpu_pyramid_get_detail (pyramid, level, i, &c);
    if (!gst_mgpu_pyramid_meta_get_plane (meta, level, i, &plane)
        || plane.width != (guint) c.width || plane.height != (guint) c.height
        || plane.offset != (gsize) c.offset || plane.stride != (guint) c.stride
        || plane.sample_bytes != (guint) c.bytes)
      return FALSE;
  }
  return TRUE;
}

static void
set_unsupported (GError ** error)
{
  g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_UNSUPPORTED,
      "the pyramid is not a Laplacian pyramid on one device: set the property "
      "type of mgpupyramid to laplacian, or use level 0 of a Gaussian pyramid, "
      "which is the frame itself");
}

/* Enqueues the kernels that reconstruct the frame @out from the @n levels of the pyramid in
 * @meta. Returns: FALSE with the error set on failure */
static gboolean
collapse (MgpuPyramid * pyramid, GstMgpuPyramidMeta * meta, guint n,
    GstMgpuQueue * queue, GstBuffer * out, GError ** error)
{
  GstMgpuContext *context = gst_mgpu_queue_get_context (queue);
  GstMgpuMemory *details[MGPU_PYRAMID_MAX_LEVELS];
  MgpuImage coarsest, image;
  GstMgpuJob job;
  gboolean ok;

  ok = mgpu_pyramid_get_n_levels (pyramid) == n;
  for (guint i = 0; i + 1 < n && ok; i++) {
    ok = has_detail (meta, i, pyramid, context);
    details[i] = (GstMgpuMemory *)
        gst_mgpu_pyramid_meta_get_detail_memory (meta, i);
  }
  if (!ok || !mgpu_image_from_buffer (&coarsest,
          gst_mgpu_pyramid_meta_get_level (meta, n - 1),
          mgpu_pyramid_get_info (pyramid, n - 1))
      || !mgpu_image_from_buffer (&image, out,
          mgpu_pyramid_get_info (pyramid, 0))) {
    set_unsupported (error);
    return FALSE;
  }
  gst_mgpu_job_begin (&job, queue, NULL);
  mgpu_pyramid_enqueue_collapse (pyramid, &job, details, &coarsest, &image);
  ok = gst_mgpu_job_end (&job, error);
  /* Frees the scratch buffers of the object @pyramid. The scratch buffers hold references to the
   * context, and the context owns the object; with this reference cycle, neither would ever be
   * freed. */
  mgpu_pyramid_drop_scratch (pyramid);
  return ok;
}

/* Sets @info to the format and size of the frame to be reconstructed: level 0 of the pyramid in
 * @meta. @last is the buffer of the last level. Returns: FALSE when the format or size is
 * unknown */
static gboolean
get_info (GstMgpuPyramidMeta * meta, GstBuffer * last, GstVideoInfo * info)
{
  GstVideoMeta *video = gst_buffer_get_video_meta (last);
  GstMgpuPyramidPlane plane;

  if (video == NULL)
    return FALSE;
  /* Uses the size of the detail of the first color component, because in every format this
   * component has a sample for each pixel. */
  if (!gst_mgpu_pyramid_meta_get_plane (meta, 0, 0, &plane)) {
    plane.width = video->width;
    plane.height = video->height;
  }
  return gst_video_info_set_format (info, video->format, plane.width,
      plane.height);
}

/**
 * gst_mgpu_pyramid_meta_collapse:
 * @meta: a Laplacian pyramid
 * @error: return location for a #GError
 *
 * Reconstructs the frame from the detail and the last level, on the device of the pyramid. Each
 * sample of the result has its original value. Does not wait for the device. Concurrent calls
 * for one device are serialized while they enqueue their work.
 *
 * Fails with %GST_MGPU_ERROR_UNSUPPORTED when a level other than the last one has no
 * detail, as in a Gaussian pyramid.
 *
 * Returns: (transfer full) (nullable): the frame, in a #GstMgpuMemory and with a
 *   #GstVideoMeta; it has no timestamps, because the pyramid does not store them
 *
 * Since: 1.0
 */
GstBuffer *
gst_mgpu_pyramid_meta_collapse (GstMgpuPyramidMeta * meta, GError ** error)
{
  guint n = gst_mgpu_pyramid_meta_get_n_levels (meta);
  GstBuffer *last = gst_mgpu_pyramid_meta_get_level (meta, n - 1), *out;
  GstMgpuContext *context;
  MgpuOwned *owned;
  GstMgpuQueue *queue;
  GstVideoInfo info;

  if (last == NULL || gst_buffer_n_memory (last) != 1
      || !gst_is_mgpu_memory (gst_buffer_peek_memory (last, 0))
      || !get_info (meta, last, &info)) {
    set_unsupported (error);
    return NULL;
  }
  queue = gst_mgpu_memory_get_queue ((GstMgpuMemory *)
      gst_buffer_peek_memory (last, 0));
  out = gst_mgpu_frame_new (queue, &info, NULL, error);
  if (out != NULL) {
    context = gst_mgpu_queue_get_context (queue);
    owned = mgpu_owned_lock (context, "gst-mgpu-collapse");
    if (!prepare (owned, context, &info, n, error)
        || !collapse (owned->object, meta, n, queue, out, error))
      gst_clear_buffer (&out);
    g_mutex_unlock (&owned->lock);
  }
  gst_object_unref (queue);
  return out;
}
