/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Finds keypoints in frames, and estimates the motion between frames from their matches. */
#include "gstmgpupoints.h"

#include <gst/frame/gstmgpumask.h>
#include <gst/vision/geometry/geometry.h>
#include <gst/vision/match/match.h>

#include <string.h>

/* Inlier threshold (reprojection error): maximum distance between a keypoint and its match
 * after the estimated motion. It is in pixels of the image in which keypoints are searched
 * for. */
#define THRESHOLD 1.5

static const GstMgpuFitOptions fit_options = { THRESHOLD, 2048, 0 };

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

/* Sets @view to a gray image that is the luma plane of @image. */
static void
view_gray (const MgpuImage * image, MgpuImage * view)
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

/* Returns: whether the luma plane of the format @info can be read as a gray frame. It can
 * if the samples are adjacent in memory, and have their values in the upper bits of the
 * words */
static gboolean
has_gray_plane (const GstVideoInfo * info)
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
    guint size, gboolean has_tracks, GError ** error)
{
  MgpuSiftParams params = get_sift_params (1, CONTRAST);
  gint edge = MAX (input->info.width, input->info.height);
  MgpuImage luma = { NULL, }, view = { NULL, };

  self->input = input;
  self->n_halvings = 0;
  self->has_tracks = has_tracks;
  self->n_prepared++;
  if (!gst_mgpu_luma_prepare (&self->luma, input, error))
    return FALSE;
  luma.info = self->info = self->luma.info;
  self->is_gray = has_gray_plane (&self->info);
  if (self->is_gray) {
    view_gray (&luma, &view);
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
      input->base->context, error) && (!has_tracks
      || gst_mgpu_point_tracks_prepare (&self->tracks, input->base,
          &self->info, error));
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
  gst_mgpu_clear_pool (&self->picture_pool);
  gst_mgpu_point_tracks_clear (&self->tracks);
}

/* ---- Finding keypoints ---------------------------------------------------------- */

static void
points_clear (gpointer data)
{
  GstMgpuPoints *self = data;

  if (self->tracks != NULL)
    g_boxed_free (GST_TYPE_MGPU_KEYPOINT_META, self->tracks);
  if (self->meta != NULL)
    g_boxed_free (GST_TYPE_MGPU_KEYPOINT_META, self->meta);
  gst_clear_buffer (&self->picture);
  g_clear_pointer (&self->ignored, g_ptr_array_unref);
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

/* Returns: whether @memory (nullable) is in the element's OpenCL context */
static gboolean
is_ours (GstMgpuPointFinder * self, GstMemory * memory)
{
  return gst_is_mgpu_memory (memory)
      && ((GstMgpuMemory *) memory)->context == self->input->base->context;
}

/* Returns: whether the keypoints of @meta (nullable) can be matched: they have descriptors
 * in memory of the element's OpenCL context */
static gboolean
is_usable (GstMgpuPointFinder * self, GstMgpuKeypointMeta * meta)
{
  return meta != NULL
      && is_ours (self, gst_mgpu_keypoint_meta_get_descriptor_memory (meta));
}

/* Enqueues the kernels that compute the image in which keypoints are searched for, or in
 * which points are followed, from the frame in @image. @small is the memory for it, if it is not
 * the luma plane of the frame itself. Returns: the image, which is @small or @view, or another
 * view of the frame */
static const MgpuImage *
enqueue_picture (GstMgpuPointFinder * self, GstMgpuJob * job,
    const MgpuImage * image, const MgpuImage * small, MgpuImage * made,
    MgpuImage * view)
{
  const MgpuImage *levels[MGPU_PYRAMID_MAX_LEVELS] = { NULL, };
  const MgpuImage *picture = gst_mgpu_luma_enqueue (&self->luma, job, image,
      made);

  if (self->is_gray) {
    view_gray (picture, view);
    picture = view;
  }
  if (self->pyramid == NULL)
    return picture;
  levels[self->n_halvings] = small;
  mgpu_pyramid_enqueue (self->pyramid, job, picture, levels, NULL);
  return small;
}

/* Kernels for a frame that are enqueued in one job */
typedef struct
{
  const MgpuSiftParams *params;
  const MgpuSiftTables *tables; /* tables for the keypoints; NULL if no keypoints are searched
                                 * for */
  MgpuImage picture;            /* image that is kept for a later search; its memory is NULL if no
                                 * image is kept */
  guint n_tracks;               /* number of points to follow; 0: none */
} Task;

/* Enqueues the kernels of @task for the frame in @image. */
static void
enqueue (GstMgpuPointFinder * self, GstMgpuJob * job, const MgpuImage * image,
    const Task * task)
{
  MgpuImage made, view, small = task->picture;
  const MgpuImage *picture;

  if (small.memory == NULL)
    small = (MgpuImage) {
    (GstMgpuMemory *) self->picture, self->info};
  picture = enqueue_picture (self, job, image, &small, &made, &view);
  if (task->picture.memory != NULL && picture != &small) {
    mgpu_image_copy_planes (job, picture, &small, 1);
    picture = &small;
  }
  if (task->n_tracks > 0)
    gst_mgpu_point_tracks_enqueue (&self->tracks, job, self->input->base,
        picture, task->n_tracks);
  if (task->tables != NULL)
    mgpu_sift_enqueue (self->sift, job, task->params, picture, NULL,
        task->tables);
}

/* Enqueues @task for the frame @frame, and ends the job. */
static gboolean
process (GstMgpuPointFinder * self, GstBuffer * frame, const Task * task,
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
  enqueue (self, &job, &image, task);
  ok = gst_mgpu_job_end (&job, error);
  gst_mgpu_device_base_end_frame (base, queue, ok);
  gst_mgpu_input_done (self->input, imported);
  return ok;
}

/* Searches for keypoints in the image @picture, which was kept, and writes them to the tables of
 * @task. */
static gboolean
process_picture (GstMgpuPointFinder * self, GstBuffer * picture,
    const Task * task, GError ** error)
{
  GstMgpuDeviceBase *base = self->input->base;
  const MgpuImage image = { gst_mgpu_peek_table (picture), self->info };
  GstMgpuQueue *queue =
      gst_mgpu_device_base_begin_frame (base, image.memory, FALSE);
  GstMgpuJob job;
  gboolean ok;

  gst_mgpu_job_begin (&job, queue, base->stats);
  mgpu_sift_enqueue (self->sift, &job, task->params, &image, NULL,
      task->tables);
  ok = gst_mgpu_job_end (&job, error);
  gst_mgpu_device_base_end_frame (base, queue, ok);
  return ok;
}

/* Searches for keypoints in @frame, or, if @points has a kept image, in that image. Returns:
 * (transfer full) (nullable): a boxed copy of a meta */
static GstMgpuKeypointMeta *
look (GstMgpuPointFinder * self, GstMgpuPoints * points, GstBuffer * frame,
    gdouble contrast, GError ** error)
{
  GstMgpuDeviceBase *base = self->input->base;
  MgpuSiftParams params = get_sift_params (points->most, contrast);
  gsize room = mgpu_sift_get_room (self->sift, &params);
  GstBuffer *keypoints, *descriptors = NULL, *holder;
  GstMgpuKeypointMeta *meta = NULL;

  keypoints = gst_mgpu_device_base_acquire_table (base, &self->keypoint_pool,
      sizeof (GstMgpuKeypointHeader) + room * sizeof (GstMgpuKeypoint), error);
  if (keypoints != NULL)
    descriptors = gst_mgpu_device_base_acquire_table (base,
        &self->descriptor_pool, room * GST_MGPU_DESCRIPTOR_SIZE, error);
  if (descriptors != NULL) {
    const MgpuSiftTables tables = { gst_mgpu_peek_table (keypoints),
      gst_mgpu_peek_table (descriptors)
    };
    const Task task = {.params = &params,.tables = &tables };

    if (points->picture != NULL ? process_picture (self, points->picture, &task,
            error)
        : process (self, frame, &task, error)) {
      holder = gst_buffer_new ();
      meta = g_boxed_copy (GST_TYPE_MGPU_KEYPOINT_META,
          gst_buffer_add_mgpu_keypoint_meta (holder,
              g_steal_pointer (&keypoints), params.descriptor,
              g_steal_pointer (&descriptors)));
      gst_buffer_unref (holder);
    }
  }
  gst_clear_buffer (&keypoints);
  gst_clear_buffer (&descriptors);
  return meta;
}

/* Searches for keypoints as look() does, and sets the members of @points. If few keypoints are
 * found, searches again for keypoints of lower contrast. */
static gboolean
look_closely (GstMgpuPointFinder * self, GstMgpuPoints * points,
    GstBuffer * frame, GError ** error)
{
  guint n;

  points->zoom = 1 << self->n_halvings;
  points->meta = look (self, points, frame, CONTRAST, error);
  if (points->meta == NULL)
    return FALSE;
  n = gst_mgpu_keypoint_meta_get_n_keypoints (points->meta);
  if (n >= MIN (points->most, FEW))
    return TRUE;
  g_boxed_free (GST_TYPE_MGPU_KEYPOINT_META, points->meta);
  points->meta = look (self, points, frame, FAINT_CONTRAST, error);
  if (points->meta == NULL)
    return FALSE;
  points->is_faint = TRUE;
  GST_MGPU_LOG_OBJECT (self->input->base->element, "found %u points in a frame "
      "with little contrast, and %u with a minimum contrast of %g", n,
      gst_mgpu_keypoint_meta_get_n_keypoints (points->meta), FAINT_CONTRAST);
  return TRUE;
}

gboolean
gst_mgpu_point_finder_describe (GstMgpuPointFinder * self,
    GstMgpuPoints * points, GError ** error)
{
  if (points->meta != NULL || points->picture_source != self->n_prepared
      || self->sift == NULL)
    return TRUE;
  if (!look_closely (self, points, NULL, error))
    return FALSE;
  gst_clear_buffer (&points->picture);
  GST_MGPU_LOG_OBJECT (self->input->base->element,
      "found %u keypoints in a frame in which points had only been followed",
      gst_mgpu_keypoint_meta_get_n_keypoints (points->meta));
  return TRUE;
}

/* Sets the tracks of @points: those of @meta (nullable), the keypoint meta of @frame, or tracks
 * that the element follows itself. Keeps the image of the frame, for a later search. */
static gboolean
follow (GstMgpuPointFinder * self, GstMgpuPoints * points, GstBuffer * frame,
    GstMgpuKeypointMeta * meta, GError ** error)
{
  gboolean is_attached = meta != NULL
      && gst_mgpu_keypoint_meta_has_tracks (meta)
      && is_ours (self, gst_mgpu_keypoint_meta_get_keypoint_memory (meta));
  Task task = {.n_tracks = is_attached ? 0 : points->most };

  points->picture = gst_mgpu_device_base_acquire_table (self->input->base,
      &self->picture_pool, GST_VIDEO_INFO_SIZE (&self->info), error);
  if (points->picture == NULL)
    return FALSE;
  points->picture_source = self->n_prepared;
  task.picture = (MgpuImage) {
  gst_mgpu_peek_table (points->picture), self->info};
  if (!process (self, frame, &task, error))
    return FALSE;
  points->tracks =
      is_attached ? g_boxed_copy (GST_TYPE_MGPU_KEYPOINT_META, meta)
      : gst_mgpu_point_tracks_take (&self->tracks);
  points->track_source = is_attached ? 0 : self->n_prepared;
  points->track_zoom = is_attached ? 1 : 1 << self->n_halvings;
  if (points->tracks != NULL)
    GST_MGPU_LOG_OBJECT (self->input->base->element,
        "the frame has %u tracks, %s",
        gst_mgpu_keypoint_meta_get_n_keypoints (points->tracks),
        is_attached ? "which were attached to it" : "followed here");
  return TRUE;
}

/* Returns: whether the keypoint or track @point of a frame is in a region of @self that is
 * ignored. @zoom is the size of a pixel of its image, in pixels of the frame. */
static gboolean
is_ignored (const GstMgpuPoints * self, const GstMgpuKeypoint * point,
    gdouble zoom)
{
  gdouble x = point->x * zoom, y = point->y * zoom;

  for (guint k = 0; self->ignored != NULL && k < self->ignored->len; k++) {
    const GstMgpuDetection *object = self->ignored->pdata[k];

    if (x >= object->x - 0.5 && x < (gdouble) object->x + object->width
        && y >= object->y - 0.5 && y < (gdouble) object->y + object->height)
      return TRUE;
  }
  return FALSE;
}

/* Returns: the number of ignored tracks of a frame, or, if it has none, of ignored keypoints */
static guint
count_ignored (const GstMgpuPoints * self)
{
  GstMgpuKeypointMeta *meta = self->tracks != NULL ? self->tracks : self->meta;
  guint n =
      meta != NULL ? gst_mgpu_keypoint_meta_get_n_keypoints (meta) : 0,
      n_ignored = 0;
  GstMgpuKeypoint point;

  for (guint i = 0; i < n; i++)
    n_ignored += gst_mgpu_keypoint_meta_get_keypoint (meta, i, &point)
        && is_ignored (self, &point,
        self->tracks != NULL ? self->track_zoom : self->zoom);
  return n_ignored;
}

/* Logs whether the points of frames are from upstream or from this element, if this has changed. */
static void
log_source (GstMgpuPointFinder * self, const gchar * source)
{
  if (self->source != source)
    GST_MGPU_DEBUG_OBJECT (self->input->base->element, "using %s from now on; "
        "images of %dx%d pixels, made from frames of %dx%d, are searched",
        source, self->info.width, self->info.height, self->input->info.width,
        self->input->info.height);
  self->source = source;
}

GstMgpuPoints *
gst_mgpu_point_finder_find (GstMgpuPointFinder * self, GstMgpuWatch * watch,
    GstBuffer * frame, guint most, const gchar * ignored, gboolean follows,
    GError ** error)
{
  GstMgpuKeypointMeta *meta = gst_buffer_get_mgpu_keypoint_meta (frame);
  gboolean is_attached = is_usable (self, meta), ok = TRUE;
  GstMgpuPoints *points = g_atomic_rc_box_new0 (GstMgpuPoints);

  points->most = most;
  points->zoom = 1;
  if (is_attached)
    points->meta = g_boxed_copy (GST_TYPE_MGPU_KEYPOINT_META, meta);
  else if (follows && self->has_tracks)
    ok = follow (self, points, frame, meta, error);
  else
    ok = look_closely (self, points, frame, error);
  if (!ok) {
    gst_mgpu_points_unref (points);
    return NULL;
  }
  log_source (self, is_attached ? "the keypoints that upstream attached to "
      "frames"
      : points->tracks == NULL ? "keypoints that this element finds"
      : points->track_source == 0 ? "the tracks that upstream attached to "
      "frames" : "points that this element follows");
  if (points->meta != NULL)
    GST_MGPU_LOG_OBJECT (self->input->base->element,
        "the frame has %u keypoints, %s",
        gst_mgpu_keypoint_meta_get_n_keypoints (points->meta),
        is_attached ? "which were attached to it" : "found here");
  if (ignored != NULL) {
    points->ignored =
        gst_mgpu_watch_list_regions (watch, frame, "ignore-type", ignored);
    GST_MGPU_LOG_OBJECT (self->input->base->element,
        "ignoring %u keypoints in regions of the types %s",
        count_ignored (points), ignored);
  }
  return points;
}

/* ---- Finding how keypoints moved ------------------------------------------------ */

/* Returns: whether a position is valid for a fit. Keypoints that applications attach may have any
 * position, even NaN */
static gboolean
is_valid (const GstMgpuKeypoint * point)
{
  const gdouble most = MGPU_GEOMETRY_MAX_COORDINATE;

  return point->x >= -most && point->x <= most
      && point->y >= -most && point->y <= most;
}

static gboolean
is_placed (GstMgpuKeypointMeta * meta, guint i)
{
  GstMgpuKeypoint point;

  return gst_mgpu_keypoint_meta_get_keypoint (meta, i, &point)
      && is_valid (&point);
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

static gboolean
is_keypoint_ignored (const GstMgpuPoints * self, guint i)
{
  GstMgpuKeypoint point;

  return self->ignored != NULL
      && gst_mgpu_keypoint_meta_get_keypoint (self->meta, i, &point)
      && is_ignored (self, &point, self->zoom);
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
    if (!is_keypoint_ignored (from, list[i].query)
        && !is_keypoint_ignored (to, list[i].train))
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

/* Sets @motion to the result @fit (transfer full) (nullable) of a fit to @n keypoints. @from and
 * @to are as for scale_matrix(). Returns: FALSE if @fit is NULL */
static gboolean
judge (GstMgpuFit * fit, guint n, gdouble from, gdouble to,
    GstMgpuPointsMotion * motion)
{
  if (fit == NULL)
    return FALSE;
  motion->n_inliers = gst_mgpu_fit_get_n_inliers (fit);
  motion->is_found = gst_mgpu_fit_is_found (fit)
      && motion->n_inliers >= LEAST_INLIERS
      && motion->n_inliers >= LEAST_SHARE * n;
  if (motion->is_found)
    scale_matrix (gst_mgpu_fit_get_matrix (fit), from, to, motion);
  gst_mgpu_fit_unref (fit);
  return TRUE;
}

/* The tracks of a frame, mapped so that the host can read them */
typedef struct
{
  GBytes *id_bytes, *keypoint_bytes;
  const guint32 *ids;
  const GstMgpuKeypoint *keypoints;
  gsize n;
} Tracks;

static void
tracks_read (Tracks * self, GstMgpuKeypointMeta * meta)
{
  gsize n_ids = 0, n_keypoints = 0;

  self->id_bytes = gst_mgpu_keypoint_meta_get_ids (meta);
  self->keypoint_bytes = gst_mgpu_keypoint_meta_get_keypoints (meta);
  if (self->id_bytes != NULL)
    self->ids = g_bytes_get_data (self->id_bytes, &n_ids);
  if (self->keypoint_bytes != NULL)
    self->keypoints = g_bytes_get_data (self->keypoint_bytes, &n_keypoints);
  self->n =
      MIN (n_ids / sizeof (*self->ids),
      n_keypoints / sizeof (*self->keypoints));
}

static void
tracks_clear (Tracks * self)
{
  g_clear_pointer (&self->id_bytes, g_bytes_unref);
  g_clear_pointer (&self->keypoint_bytes, g_bytes_unref);
}

GBytes *
gst_mgpu_points_pair_tracks (GstMgpuPoints * from, GstMgpuPoints * to,
    guint * n)
{
  Tracks a = { NULL, }, b = { NULL, };
  gfloat *pairs;
  gsize k = 0, n_pairs = 0;

  if (from->tracks == NULL || to->tracks == NULL
      || from->track_source != to->track_source)
    return NULL;
  /* Relies on track ids that increase from track to track. */
  tracks_read (&a, from->tracks);
  tracks_read (&b, to->tracks);
  pairs = g_new (gfloat, 4 * a.n + 1);
  *n = 0;
  for (gsize i = 0; i < a.n; i++) {
    const GstMgpuKeypoint *p = &a.keypoints[i], *q;

    if (!is_valid (p) || is_ignored (from, p, from->track_zoom))
      continue;
    ++*n;
    while (k < b.n && b.ids[k] < a.ids[i])
      k++;
    q = k < b.n && b.ids[k] == a.ids[i] ? &b.keypoints[k] : NULL;
    if (q != NULL && is_valid (q) && !is_ignored (to, q, to->track_zoom)) {
      const gfloat pair[4] = { p->x, p->y, q->x, q->y };

      memcpy (pairs + 4 * n_pairs++, pair, sizeof (pair));
    }
  }
  tracks_clear (&a);
  tracks_clear (&b);
  return g_bytes_new_take (pairs, n_pairs * 4 * sizeof (gfloat));
}

/* Fits a motion to the tracks that both frames have, if there are enough of these tracks. */
static gboolean
fit_tracks (GstMgpuPointFinder * finder, GstMgpuPoints * from,
    GstMgpuPoints * to, GstMgpuFitModel model, GstMgpuPointsMotion * motion,
    GError ** error)
{
  gboolean ok = TRUE;
  GBytes *pairs;
  guint n, n_pairs;

  pairs = gst_mgpu_points_pair_tracks (from, to, &n);
  if (pairs == NULL)
    return TRUE;
  n_pairs = g_bytes_get_size (pairs) / (4 * sizeof (gfloat));
  if (n_pairs >= MAX (LEAST_INLIERS, MIN (FEW, to->most / 2)))
    ok = judge (gst_mgpu_fit_points (finder->input->base->context, pairs, model,
            &fit_options, error), n, from->track_zoom, to->track_zoom, motion);
  g_bytes_unref (pairs);
  GST_MGPU_LOG_OBJECT (finder->input->base->element,
      "followed %u of %u tracks, and %u of them agree with one motion%s",
      n_pairs, n, motion->n_inliers,
      motion->is_found ? "" : ", so keypoints are matched " "instead");
  return ok;
}

/* Fits a motion to the matching keypoints of two frames. */
static gboolean
fit_keypoints (GstMgpuPointFinder * finder, GstMgpuPoints * from,
    GstMgpuPoints * to, GstMgpuFitModel model, GstMgpuPointsMotion * motion,
    GError ** error)
{
  GBytes *matches;
  gboolean ok;
  guint n;

  if (!gst_mgpu_point_finder_describe (finder, from, error)
      || !gst_mgpu_point_finder_describe (finder, to, error))
    return FALSE;
  /* The motion is unknown if the descriptors of the two frames have different types. This
   * happens when an element upstream starts or stops attaching keypoints. */
  if (from->meta == NULL || to->meta == NULL
      || gst_mgpu_keypoint_meta_get_descriptor_type (from->meta) !=
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
  ok = judge (gst_mgpu_keypoint_meta_fit (from->meta, to->meta, matches, model,
          &fit_options, error), n, from->zoom, to->zoom, motion);
  g_bytes_unref (matches);
  return ok;
}

gboolean
gst_mgpu_points_fit (GstMgpuPointFinder * finder, GstMgpuPoints * from,
    GstMgpuPoints * to, GstMgpuFitModel model, GstMgpuPointsMotion * motion,
    GError ** error)
{
  motion->is_found = FALSE;
  motion->n_inliers = 0;
  return fit_tracks (finder, from, to, model, motion, error)
      && (motion->is_found
      || fit_keypoints (finder, from, to, model, motion, error));
}
