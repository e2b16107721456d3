/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Implements gst_mgpu_pyramid_meta_collapse(), by which applications run the algorithm
 * that rebuilds a frame from its pyramid. */
#include <gst/mgpu/gstmgpupyramidmeta.h>

#include <gst/vision/pyramid/pyramid.h>

#include <gst/mgpu/gstmgpuerror.h>
#include <gst/mgpu/gstmgpumemory.h>
#include <gst/mgpu/gstmgpujob.h>

/* Holds the kernels that rebuild frames of one format and size. The context owns it; it
 * holds no reference to the context. */
typedef struct
{
  GMutex lock;                  /* guards the members below */
  MgpuPyramid *pyramid;         /* the kernels; NULL until the first call */
  GstVideoFormat format;        /* format of the frames that pyramid is made for */
  gint width, height;           /* size of these frames, in pixels */
  guint n_levels;               /* number of levels of the pyramid of such a frame */
} Collapser;

static void
collapser_free (gpointer data)
{
  Collapser *collapser = data;

  mgpu_object_free (collapser->pyramid);
  g_mutex_clear (&collapser->lock);
  g_free (collapser);
}

/* Returns the Collapser that context owns. Makes it on the first call. */
static Collapser *
get_collapser (GstMgpuContext * context)
{
  static GMutex lock;
  GQuark quark = g_quark_from_static_string ("gst-mgpu-collapser");
  Collapser *collapser;

  g_mutex_lock (&lock);
  collapser = g_object_get_qdata (G_OBJECT (context), quark);
  if (collapser == NULL) {
    collapser = g_new0 (Collapser, 1);
    g_mutex_init (&collapser->lock);
    g_object_set_qdata_full (G_OBJECT (context), quark, collapser,
        collapser_free);
  }
  g_mutex_unlock (&lock);
  return collapser;
}

/* Makes the kernels anew, unless they are for frames of the format and size of info with
 * n_levels levels. Call it while holding the lock of self. */
static gboolean
collapser_prepare (Collapser * self, GstMgpuContext * context,
    const GstVideoInfo * info, guint n_levels, GError ** error)
{
  const MgpuPyramidParams params = { n_levels, MGPU_PYRAMID_LAPLACIAN };

  if (self->pyramid != NULL
      && self->format == GST_VIDEO_INFO_FORMAT (info)
      && self->width == GST_VIDEO_INFO_WIDTH (info)
      && self->height == GST_VIDEO_INFO_HEIGHT (info)
      && self->n_levels == n_levels)
    return TRUE;
  g_clear_pointer (&self->pyramid, mgpu_object_free);
  self->format = GST_VIDEO_INFO_FORMAT (info);
  self->width = GST_VIDEO_INFO_WIDTH (info);
  self->height = GST_VIDEO_INFO_HEIGHT (info);
  self->n_levels = n_levels;
  self->pyramid = mgpu_object_new (&mgpu_pyramid, context, info, NULL, NULL,
      &params, error);
  return self->pyramid != NULL;
}

/* Returns whether the detail of level is in memory of context's device, with the size and
 * layout that the kernels of pyramid expect. */
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
      "this is no Laplacian pyramid of one device: set the property type of "
      "mgpupyramid to laplacian, or take level 0 of a Gaussian one, which is "
      "the frame");
}

/* Enqueues the commands that rebuild the frame out. Call it while holding
 * the lock of self. */
static gboolean
collapse (Collapser * self, GstMgpuPyramidMeta * meta, GstMgpuQueue * queue,
    GstBuffer * out, GError ** error)
{
  GstMgpuContext *context = gst_mgpu_queue_get_context (queue);
  GstMgpuMemory *details[MGPU_PYRAMID_MAX_LEVELS];
  guint n = self->n_levels;
  MgpuImage coarsest, image;
  GstMgpuJob job;
  gboolean ok;

  ok = mgpu_pyramid_get_n_levels (self->pyramid) == n;
  for (guint i = 0; i + 1 < n && ok; i++) {
    ok = has_detail (meta, i, self->pyramid, context);
    details[i] = (GstMgpuMemory *)
        gst_mgpu_pyramid_meta_get_detail_memory (meta, i);
  }
  if (!ok || !mgpu_image_from_buffer (&coarsest,
          gst_mgpu_pyramid_meta_get_level (meta, n - 1),
          mgpu_pyramid_get_info (self->pyramid, n - 1))
      || !mgpu_image_from_buffer (&image, out,
          mgpu_pyramid_get_info (self->pyramid, 0))) {
    set_unsupported (error);
    return FALSE;
  }
  gst_mgpu_job_begin (&job, queue, NULL);
  mgpu_pyramid_enqueue_collapse (self->pyramid, &job, details, &coarsest,
      &image);
  ok = gst_mgpu_job_end (&job, error);
  /* Frees the scratch memory of the pyramid, which holds a reference to the context. As
   * the context owns self, neither would ever be freed otherwise. */
  mgpu_pyramid_drop_scratch (self->pyramid);
  return ok;
}

/* Sets info to format and size of level 0. Returns FALSE when they are unknown. */
static gboolean
get_info (GstMgpuPyramidMeta * meta, GstBuffer * last, GstVideoInfo * info)
{
  GstVideoMeta *video = gst_buffer_get_video_meta (last);
  GstMgpuPyramidPlane plane;

  if (video == NULL)
    return FALSE;
  /* The first component of every format has a sample for each pixel. */
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
 * Rebuilds the frame from the detail and the last level, on the device that they
 * are on. Each sample of the result has its original value. Does not wait for the
 * device; threads that rebuild frames on one device take turns to start.
 *
 * Fails with %GST_MGPU_ERROR_UNSUPPORTED when a level other than the last one has no
 * detail, as in a Gaussian pyramid.
 *
 * Returns: (transfer full) (nullable): the frame, in a #GstMgpuMemory and with a
 *   #GstVideoMeta; it has no time stamps, which the pyramid does not know
 *
 * Since: 0.1
 */
GstBuffer *
gst_mgpu_pyramid_meta_collapse (GstMgpuPyramidMeta * meta, GError ** error)
{
  guint n = gst_mgpu_pyramid_meta_get_n_levels (meta);
  GstBuffer *last = gst_mgpu_pyramid_meta_get_level (meta, n - 1), *out = NULL;
  Collapser *collapser;
  GstMgpuQueue *queue;
  GstMemory *memory;
  GstVideoInfo info;

  if (last == NULL || gst_buffer_n_memory (last) != 1
      || !gst_is_mgpu_memory (gst_buffer_peek_memory (last, 0))
      || !get_info (meta, last, &info)) {
    set_unsupported (error);
    return NULL;
  }
  queue = gst_mgpu_memory_get_queue ((GstMgpuMemory *)
      gst_buffer_peek_memory (last, 0));
  memory = gst_mgpu_memory_new (queue, GST_VIDEO_INFO_SIZE (&info), NULL,
      error);
  if (memory != NULL) {
    out = gst_buffer_new ();
    gst_buffer_append_memory (out, memory);
    gst_buffer_add_video_meta_full (out, GST_VIDEO_FRAME_FLAG_NONE,
        GST_VIDEO_INFO_FORMAT (&info), GST_VIDEO_INFO_WIDTH (&info),
        GST_VIDEO_INFO_HEIGHT (&info), GST_VIDEO_INFO_N_PLANES (&info),
        info.offset, info.stride);
    collapser = get_collapser (gst_mgpu_queue_get_context (queue));
    g_mutex_lock (&collapser->lock);
    if (!collapser_prepare (collapser, gst_mgpu_queue_get_context (queue),
            &info, n, error)
        || !collapse (collapser, meta, queue, out, error))
      gst_clear_buffer (&out);
    g_mutex_unlock (&collapser->lock);
  }
  gst_object_unref (queue);
  return out;
}
