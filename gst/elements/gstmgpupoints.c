/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Finds keypoints in frames, and estimates the motion between frames from their matches. */
#include "gstmgpupoints.h"

#include <gst/frame/gstmgpumask.h>
#include <gst/vision/geometry/geometry.h>
#include <gst/vision/match/match.h>

/* Inlier threshold (reprojection error): maximum distance between a keypoint and its match
 * after the estimated motion. It is in pixels of the image in which keypoints are searched
 * for. */
#define THRESHOLD 1.5
/* Minimum number of inliers, and minimum fraction of the matched keypoints that are
 * inliers, for the motion of a frame to count as known */
#define LEAST_INLIERS 12
#define LEAST_SHARE 0.25
/* Ratio test for matches: the nearest descriptor is a match if its distance is at most this
 * fraction of the distance of the second nearest descriptor */
#define RATIO 0.75
/* Number of grid cells along the longer edge of the image that is searched; each cell
 * keeps about the same number of keypoints */
#define GRID 16
/* Minimum contrast of keypoints, 0 to 1. If a frame has fewer than FEW keypoints with this
 * contrast, keypoints with at least FAINT_CONTRAST are also used. This is possible because
 * descriptors do not depend on the contrast. The strongest keypoints are preferred, so
 * noise is used last. */
#define CONTRAST 0.04
#define FAINT_CONTRAST 0.0025
#define FEW (4 * LEAST_INLIERS)

/* ---- Preparing the search for keypoints ----------------------------------------- */

/* Sets @view to a grey image that is the luma plane of @image. */
static void
view_grey (const MgpuImage * image, MgpuImage * view)
{
  const GstVideoInfo *info = &image->info;
  gint stride = info->stride[0];
  gsize offset = info->offset[0];

  view->memory = image->memory;
  gst_video_info_set_format (&view->info, GST_VIDEO_INFO_COMP_DEPTH (info, 0)
      > 8 ? GST_VIDEO_FORMAT_GRAY16_LE : GST_VIDEO_FORMAT_GRAY8, info->width,
      info->height);
  view->info.stride[0] = stride;
  view->info.offset[0] = offset;
}

/* Returns: whether the luma plane of the format @info can be read as a grey frame. It can
 * if the samples are adjacent in memory, and have their values in the upper bits of the
 * words */
static gboolean
has_grey_plane (const GstVideoInfo * info)
{
  MgpuComponent c = mgpu_get_component (info, 0);

  return c.pixel_stride == c.bytes
      && (c.max << c.shift) >> (8 * (c.bytes - 1)) == 255;
}

gboolean
gst_mgpu_point_kernels_prepare (GstMgpuPointKernels * self,
    GstMgpuContext * context, GError ** error)
{
  self->match = mgpu_object_new (&mgpu_match, context, NULL, NULL, NULL, NULL,
      error);
  if (self->match != NULL)
    self->geometry = mgpu_object_new (&mgpu_geometry, context, NULL, NULL, NULL,
        NULL, error);
  return self->geometry != NULL;
}

void
gst_mgpu_point_kernels_clear (GstMgpuPointKernels * self)
{
  g_clear_pointer (&self->match, mgpu_object_free);
  g_clear_pointer (&self->geometry, mgpu_object_free);
}

/* Prepares the image pyramid. Keypoints are searched for in its last level. */
static gboolean
prepare_pyramid (GstMgpuPointFinder * self, GError ** error)
{
  GstMgpuDeviceBase *base = self->input->base;
  MgpuPyramidParams params = { self->n_halvings + 1, MGPU_PYRAMID_GAUSSIAN };

  self->pyramid = mgpu_object_new (&mgpu_pyramid, base->context, &self->info,
      NULL, NULL, &params, error);
  if (self->pyramid == NULL)
    return FALSE;
  self->info = *mgpu_pyramid_get_info (self->pyramid, self->n_halvings);
  self->picture = gst_mgpu_memory_new (base->queue,
      GST_VIDEO_INFO_SIZE (&self->info), NULL, error);
  return self->picture != NULL;
}

/* Returns: the parameters of a search for up to @most keypoints with a contrast of at least
 * @contrast */
static MgpuSiftParams
get_sift_params (guint most, gdouble contrast)
{
  return (MgpuSiftParams) {
  FALSE, 0, 3, 1.6, most, contrast, 10, 1, GST_MGPU_DESCRIPTOR_TYPE_SIFT, GRID};
}

gboolean
gst_mgpu_point_finder_prepare (GstMgpuPointFinder * self, GstMgpuInput * input,
    guint size, GError ** error)
{
  MgpuSiftParams params = get_sift_params (1, CONTRAST);
  gint edge = MAX (input->info.width, input->info.height);
  MgpuImage luma = { NULL, }, view = { NULL, };

  self->input = input;
  self->n_halvings = 0;
  if (!gst_mgpu_luma_prepare (&self->luma, input, error))
    return FALSE;
  luma.info = self->info = self->luma.info;
  self->is_grey = has_grey_plane (&self->info);
  if (self->is_grey) {
    view_grey (&luma, &view);
    self->info = view.info;
  }
  while (edge > (gint) size) {
    edge = (edge + 1) / 2;
    self->n_halvings++;
  }
  if (self->n_halvings > 0 && !prepare_pyramid (self, error))
    return FALSE;
  self->sift = mgpu_object_new (&mgpu_sift, input->base->context, &self->info,
      NULL, NULL, &params, error);
  return self->sift != NULL && gst_mgpu_point_kernels_prepare (&self->kernels,
      input->base->context, error);
}

void
gst_mgpu_point_finder_clear (GstMgpuPointFinder * self)
{
  gst_mgpu_point_kernels_clear (&self->kernels);
  gst_mgpu_luma_clear (&self->luma);
  g_clear_pointer (&self->pyramid, mgpu_object_free);
  g_clear_pointer (&self->picture, gst_memory_unref);
  g_clear_pointer (&self->sift, mgpu_object_free);
  gst_mgpu_clear_pool (&self->keypoint_pool);
  gst_mgpu_clear_pool (&self->descriptor_pool);
}

/* ---- Finding keypoints ---------------------------------------------------------- */

/* Makes a GstMgpuPoints with a boxed copy of the keypoint meta @meta. @zoom is the size of
 * a pixel of the image in which the keypoints were found, in pixels of the frame. */
static GstMgpuPoints *
points_new (GstMgpuKeypointMeta * meta, gdouble zoom)
{
  GstMgpuPoints *self = g_atomic_rc_box_new0 (GstMgpuPoints);

  self->meta = g_boxed_copy (GST_TYPE_MGPU_KEYPOINT_META, meta);
  self->zoom = zoom;
  return self;
}

static void
points_clear (gpointer data)
{
  GstMgpuPoints *self = data;

  g_boxed_free (GST_TYPE_MGPU_KEYPOINT_META, self->meta);
  g_free (self->ignored);
}

GstMgpuPoints *
gst_mgpu_points_ref (GstMgpuPoints * self)
{
  return g_atomic_rc_box_acquire (self);
}

void
gst_mgpu_points_unref (GstMgpuPoints * self)
{
  if (self != NULL)
    g_atomic_rc_box_release_full (self, points_clear);
}

/* Returns: whether the keypoints of @meta (nullable) can be matched: they have descriptors
 * in memory of the element's OpenCL context */
static gboolean
is_usable (GstMgpuPointFinder * self, GstMgpuKeypointMeta * meta)
{
  GstMemory *memory = meta == NULL ? NULL
      : gst_mgpu_keypoint_meta_get_descriptor_memory (meta);

  return gst_is_mgpu_memory (memory)
      && ((GstMgpuMemory *) memory)->context == self->input->base->context;
}

/* Enqueues the kernels that find the keypoints and descriptors of the frame in @image, and
 * write them to @tables. */
static void
enqueue (GstMgpuPointFinder * self, GstMgpuJob * job, const MgpuImage * image,
    const MgpuSiftParams * params, const MgpuSiftTables * tables)
{
  const MgpuImage *levels[MGPU_PYRAMID_MAX_LEVELS] = { NULL, };
  MgpuImage made, view, small = { (GstMgpuMemory *) self->picture, self->info };
  const MgpuImage *picture = gst_mgpu_luma_enqueue (&self->luma, job, image,
      &made);

  if (self->is_grey) {
    view_grey (picture, &view);
    picture = &view;
  }
  if (self->pyramid != NULL) {
    levels[self->n_halvings] = &small;
    mgpu_pyramid_enqueue (self->pyramid, job, picture, levels, NULL);
    picture = &small;
  }
  mgpu_sift_enqueue (self->sift, job, params, picture, NULL, tables);
}

/* Finds the keypoints of the frame @frame on the device, and writes them to @tables. */
static gboolean
find_own (GstMgpuPointFinder * self, GstBuffer * frame,
    const MgpuSiftParams * params, const MgpuSiftTables * tables,
    GError ** error)
{
  GstMgpuDeviceBase *base = self->input->base;
  GstMgpuQueue *queue;
  GstBuffer *imported;
  MgpuImage image;
  GstMgpuJob job;
  gboolean ok;

  imported = gst_mgpu_input_import (self->input, frame, &image, error);
  if (imported == NULL)
    return FALSE;
  queue = gst_mgpu_device_base_begin_frame (base, image.memory, FALSE);
  gst_mgpu_job_begin (&job, queue, base->stats);
  enqueue (self, &job, &image, params, tables);
  ok = gst_mgpu_job_end (&job, error);
  gst_mgpu_device_base_end_frame (base, queue, ok);
  gst_mgpu_input_done (self->input, imported);
  return ok;
}

/* Searches for keypoints in a frame that has no usable keypoint meta. */
static GstMgpuPoints *
look (GstMgpuPointFinder * self, GstBuffer * frame, guint most,
    gdouble contrast, GError ** error)
{
  GstMgpuDeviceBase *base = self->input->base;
  MgpuSiftParams params = get_sift_params (most, contrast);
  gsize room = mgpu_sift_get_room (self->sift, &params);
  GstBuffer *keypoints, *descriptors = NULL;
  GstMgpuPoints *points = NULL;
  GstBuffer *holder;

  keypoints = gst_mgpu_device_base_acquire_table (base, &self->keypoint_pool,
      sizeof (GstMgpuKeypointHeader) + room * sizeof (GstMgpuKeypoint), error);
  if (keypoints != NULL)
    descriptors = gst_mgpu_device_base_acquire_table (base,
        &self->descriptor_pool, room * GST_MGPU_DESCRIPTOR_SIZE, error);
  if (descriptors != NULL) {
    const MgpuSiftTables tables = { gst_mgpu_peek_table (keypoints),
      gst_mgpu_peek_table (descriptors)
    };

    if (find_own (self, frame, &params, &tables, error)) {
      holder = gst_buffer_new ();
      points = points_new (gst_buffer_add_mgpu_keypoint_meta (holder,
              g_steal_pointer (&keypoints), params.descriptor,
              g_steal_pointer (&descriptors)), 1 << self->n_halvings);
      gst_buffer_unref (holder);
    }
  }
  gst_clear_buffer (&keypoints);
  gst_clear_buffer (&descriptors);
  return points;
}

/* Searches for keypoints as look() does. If the frame has few, searches again for keypoints
 * of lower contrast. */
static GstMgpuPoints *
look_closely (GstMgpuPointFinder * self, GstBuffer * frame, guint most,
    GError ** error)
{
  GstMgpuPoints *points = look (self, frame, most, CONTRAST, error);
  guint n;

  if (points == NULL)
    return NULL;
  n = gst_mgpu_keypoint_meta_get_n_keypoints (points->meta);
  if (n >= MIN (most, FEW))
    return points;
  gst_mgpu_points_unref (points);
  points = look (self, frame, most, FAINT_CONTRAST, error);
  if (points != NULL) {
    points->is_faint = TRUE;
    GST_MGPU_LOG_OBJECT (self->input->base->element, "a frame with little "
        "contrast has %u points; %u with a minimum contrast of %g", n,
        gst_mgpu_keypoint_meta_get_n_keypoints (points->meta), FAINT_CONTRAST);
  }
  return points;
}

/* Marks the keypoints inside regions of interest of the types @types as ignored: they do
 * not count when the motion of the camera is measured. Returns: their number */
static guint
ignore (GstMgpuPoints * self, GstMgpuWatch * watch, GstBuffer * frame,
    const gchar * types)
{
  GPtrArray *found =
      gst_mgpu_watch_list_regions (watch, frame, "ignore-type", types);
  guint n = gst_mgpu_keypoint_meta_get_n_keypoints (self->meta), n_ignored = 0;

  self->ignored = g_new0 (guint8, n + 1);
  for (guint i = 0; i < n; i++) {
    GstMgpuKeypoint point;
    gdouble x, y;

    if (!gst_mgpu_keypoint_meta_get_keypoint (self->meta, i, &point))
      break;
    x = point.x * self->zoom;
    y = point.y * self->zoom;
    for (guint k = 0; k < found->len; k++) {
      const GstMgpuDetection *object = found->pdata[k];

      if (x >= object->x - 0.5 && x < (gdouble) object->x + object->width
          && y >= object->y - 0.5 && y < (gdouble) object->y + object->height)
        self->ignored[i] = 1;
    }
    n_ignored += self->ignored[i];
  }
  g_ptr_array_unref (found);
  return n_ignored;
}

GstMgpuPoints *
gst_mgpu_point_finder_find (GstMgpuPointFinder * self, GstMgpuWatch * watch,
    GstBuffer * frame, guint most, const gchar * ignored, GError ** error)
{
  GstMgpuKeypointMeta *meta = gst_buffer_get_mgpu_keypoint_meta (frame);
  gboolean is_attached = is_usable (self, meta);
  GstMgpuPoints *points = is_attached ? points_new (meta, 1)
      : look_closely (self, frame, most, error);

  if (points != NULL)
    GST_MGPU_LOG_OBJECT (self->input->base->element,
        "the frame has %u keypoints, %s",
        gst_mgpu_keypoint_meta_get_n_keypoints (points->meta),
        is_attached ? "which were attached to it" : "found here");
  if (points != NULL && ignored != NULL) {
    guint n = ignore (points, watch, frame, ignored);

    GST_MGPU_LOG_OBJECT (self->input->base->element, "ignores %u keypoints in "
        "regions of the types %s", n, ignored);
  }
  return points;
}

/* ---- Finding how keypoints moved ------------------------------------------------ */

/* Returns: whether the position of keypoint @i of @meta is valid for a fit. Keypoints that
 * applications attach may have any position, even NaN */
static gboolean
is_placed (GstMgpuKeypointMeta * meta, guint i)
{
  const gdouble most = MGPU_GEOMETRY_MAX_COORDINATE;
  GstMgpuKeypoint point;

  return gst_mgpu_keypoint_meta_get_keypoint (meta, i, &point)
      && point.x >= -most && point.x <= most
      && point.y >= -most && point.y <= most;
}

GBytes *
gst_mgpu_drop_unplaced (GstMgpuKeypointMeta * from, GstMgpuKeypointMeta * to,
    GBytes * matches)
{
  gsize size, n = 0;
  const GstMgpuKeypointMatch *list = g_bytes_get_data (matches, &size);
  GstMgpuKeypointMatch *kept = g_malloc (size + 1);

  for (gsize i = 0; i < size / sizeof (*list); i++)
    if (is_placed (from, list[i].query) && is_placed (to, list[i].train))
      kept[n++] = list[i];
  g_bytes_unref (matches);
  return g_bytes_new_take (kept, n * sizeof (*list));
}

/* Removes from @matches (transfer full) the matches of ignored keypoints (see the member
 * @ignored). Returns: (transfer full): the remaining matches */
static GBytes *
drop_ignored (GstMgpuPoints * from, GstMgpuPoints * to, GBytes * matches)
{
  gsize size, n = 0;
  const GstMgpuKeypointMatch *list = g_bytes_get_data (matches, &size);
  GstMgpuKeypointMatch *kept;

  if (from->ignored == NULL && to->ignored == NULL)
    return matches;
  kept = g_malloc (size + 1);
  for (gsize i = 0; i < size / sizeof (*list); i++)
    if ((from->ignored == NULL || !from->ignored[list[i].query])
        && (to->ignored == NULL || !to->ignored[list[i].train]))
      kept[n++] = list[i];
  g_bytes_unref (matches);
  return g_bytes_new_take (kept, n * sizeof (*list));
}

/* Converts the matrix @m of a fit to pixels of frames. @m is in pixels of the two images in
 * which keypoints were searched for. @from is the size of a pixel of the first image in
 * pixels of its frame, and @to that of the second image. */
static void
scale_matrix (const gdouble * m, gdouble from, gdouble to,
    GstMgpuPointsMotion * motion)
{
  const gdouble scaled[9] = {
    m[0] * to / from, m[1] * to / from, m[2] * to,
    m[3] * to / from, m[4] * to / from, m[5] * to,
    m[6] / from, m[7] / from, m[8]
  };

  for (guint i = 0; i < 9; i++)
    motion->matrix[i] = scaled[i];
}

gboolean
gst_mgpu_points_fit (GstMgpuPoints * from, GstMgpuPoints * to,
    GstMgpuFitModel model, GstMgpuPointsMotion * motion, GError ** error)
{
  GstMgpuFitOptions options = { THRESHOLD, 2048, 0 };
  GBytes *matches;
  GstMgpuFit *fit;
  guint n;

  motion->is_found = FALSE;
  motion->n_inliers = 0;
  /* The motion is unknown if the descriptors of the two frames have different types. This
   * happens when an element upstream starts or stops attaching keypoints. */
  if (gst_mgpu_keypoint_meta_get_descriptor_type (from->meta) !=
      gst_mgpu_keypoint_meta_get_descriptor_type (to->meta))
    return TRUE;
  matches = gst_mgpu_keypoint_meta_match (from->meta, to->meta, RATIO, TRUE,
      error);
  if (matches == NULL)
    return FALSE;
  matches = drop_ignored (from, to, matches);
  matches = gst_mgpu_drop_unplaced (from->meta, to->meta, matches);
  n = g_bytes_get_size (matches) / sizeof (GstMgpuKeypointMatch);
  if (n < LEAST_INLIERS) {
    g_bytes_unref (matches);
    return TRUE;
  }
  fit = gst_mgpu_keypoint_meta_fit (from->meta, to->meta, matches, model,
      &options, error);
  g_bytes_unref (matches);
  if (fit == NULL)
    return FALSE;
  motion->n_inliers = gst_mgpu_fit_get_n_inliers (fit);
  motion->is_found = gst_mgpu_fit_is_found (fit)
      && motion->n_inliers >= LEAST_INLIERS
      && motion->n_inliers >= LEAST_SHARE * n;
  if (motion->is_found)
    scale_matrix (gst_mgpu_fit_get_matrix (fit), from->zoom, to->zoom, motion);
  gst_mgpu_fit_unref (fit);
  return TRUE;
}
