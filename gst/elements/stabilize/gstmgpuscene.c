/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Follows the camera from frame to frame: see docs/algorithms/stabilize.md. */
#include "gstmgpuscene.h"

#include <string.h>

/* Maximum number of frames in a row with unknown motion that are bridged, by matching with
 * the last frame whose motion is known */
#define BRIDGE 10
/* For mode=tripod: number of frames in a row that cannot be moved completely to the
 * position of the held frame, after which another frame replaces the held frame */
#define LIMITED 25
/* For mode=tripod: maximum number of scenes whose held frames are remembered */
#define MAX_ANCHORS 8

static void
clear_points (GstMgpuPoints ** points)
{
  g_clear_pointer (points, gst_mgpu_points_unref);
}

static void
set_points (GstMgpuPoints ** points, GstMgpuPoints * other)
{
  GstMgpuPoints *old = *points;

  *points = other != NULL ? gst_mgpu_points_ref (other) : NULL;
  gst_mgpu_points_unref (old);
}

static void
clear_anchors (GstMgpuScene * self)
{
  GstMgpuPoints *points;

  while ((points = g_queue_pop_head (&self->anchors)) != NULL)
    gst_mgpu_points_unref (points);
}

/* Makes the frame with the keypoints @points (transfer full) the held frame. */
static void
hold (GstMgpuScene * self, GstMgpuPoints * points)
{
  g_queue_push_head (&self->anchors, points);
  if (self->anchors.length > MAX_ANCHORS)
    gst_mgpu_points_unref (g_queue_pop_tail (&self->anchors));
  mgpu_path_set_identity (self->offset);
  self->n_limited = 0;
}

void
gst_mgpu_scene_init (GstMgpuScene * self, GstElement * element)
{
  memset (self, 0, sizeof (*self));
  self->element = element;
  self->frames = g_ptr_array_new_with_free_func (g_free);
  g_queue_init (&self->anchors);
  mgpu_path_set_identity (self->offset);
}

void
gst_mgpu_scene_cut (GstMgpuScene * self)
{
  clear_points (&self->last);
  clear_points (&self->good);
  clear_anchors (self);
  gst_mgpu_rolling_cut (&self->rolling);
  self->n_lost = self->n_limited = 0;
}

void
gst_mgpu_scene_reset (GstMgpuScene * self)
{
  gst_mgpu_scene_cut (self);
  g_ptr_array_set_size (self->frames, 0);
  self->n_gone = 0;
}

void
gst_mgpu_scene_clear (GstMgpuScene * self)
{
  gst_mgpu_scene_cut (self);
  g_ptr_array_unref (self->frames);
}

static GstMgpuSceneFrame *
get_frame (GstMgpuScene * self, guint i)
{
  return self->frames->pdata[i];
}

/* Returns: the second last frame of the scene, or NULL */
static GstMgpuSceneFrame *
get_before (GstMgpuScene * self)
{
  return self->frames->len > 1 ? get_frame (self, self->frames->len - 2) : NULL;
}

/* ---- Measuring the motion of frames --------------------------------------------- */

/* Estimates the camera motion between two frames from their keypoints @from and @to.
 * Coordinates are relative to the center of the frames. */
static gboolean
measure (GstMgpuPoints * from, GstMgpuPoints * to,
    const GstMgpuSceneModel * model, GstMgpuPointsMotion * motion,
    GError ** error)
{
  const MgpuPathSize *size = &model->size;

  if (!gst_mgpu_points_fit (model->finder, from, to, model->model, motion,
          error))
    return FALSE;
  if (motion->is_found)
    mgpu_path_move_origin (motion->matrix, size->x, size->y, size->x, size->y,
        motion->matrix);
  return TRUE;
}

static void
set_motion (GstMgpuSceneFrame * frame, const gdouble motion[9],
    GstMgpuMotionState state, guint n_inliers)
{
  memcpy (frame->motion, motion, sizeof (frame->motion));
  frame->state = state;
  frame->n_inliers = n_inliers;
}

/* Distributes @motion, which was measured across lost frames (frames whose motion was not
 * found), equally among the last frame and the lost frames that have not left the element
 * yet. */
static void
bridge (GstMgpuScene * self, const GstMgpuPointsMotion * motion)
{
  guint len = self->frames->len, n = MIN (self->n_lost + 1, len - self->n_gone);
  gdouble before[9], place[9], step[9], identity[9];

  GST_MGPU_DEBUG_OBJECT (self->element,
      "interpolating the motion of %u frames, in which it was not found, from "
      "a motion across all of them, with %u inliers", n, motion->n_inliers);

  mgpu_path_set_identity (identity);
  mgpu_path_set_identity (before);
  for (guint i = 1; i <= n; i++) {
    mgpu_path_mix (identity, motion->matrix, (gdouble) i / n, place);
    mgpu_path_invert (before, step);
    mgpu_path_multiply (place, step, step);
    set_motion (get_frame (self, len - n + i - 1), step,
        GST_MGPU_MOTION_STATE_BRIDGED, motion->n_inliers);
    memcpy (before, place, sizeof (before));
  }
}

/* Marks a frame as the first frame of a new scene that was detected from the content of the
 * frames. */
static void
begin_scene (GstMgpuSceneFrame * frame)
{
  gdouble identity[9];

  mgpu_path_set_identity (identity);
  set_motion (frame, identity, GST_MGPU_MOTION_STATE_CUT, 0);
  mgpu_path_set_identity (frame->anchor);
  frame->is_start = frame->is_new_scene = TRUE;
}

/* Matches the last frame, which has the keypoints @points, with the held frames of earlier
 * scenes. The first one that matches becomes the held frame again. @anchor is then set to
 * the motion from that frame to the last frame. */
static gboolean
hold_again (GstMgpuScene * self, GstMgpuPoints * points,
    const GstMgpuSceneModel * model, GstMgpuPointsMotion * anchor,
    GError ** error)
{
  for (guint i = 1; i < self->anchors.length && !anchor->is_found; i++) {
    if (!measure (g_queue_peek_nth (&self->anchors, i), points, model, anchor,
            error))
      return FALSE;
    if (anchor->is_found)
      hold (self, g_queue_pop_nth (&self->anchors, i));
  }
  return TRUE;
}

/* Begins a new scene at the second last frame, or, if this frame has already left the element, at
 * @frame, the last frame. @motion is the motion from the second last to the last frame. For
 * mode=tripod, if the held frame of an earlier scene becomes the held frame again, @anchor is set
 * to the motion from that frame to the last frame. */
static gboolean
cut_before (GstMgpuScene * self, GstMgpuSceneFrame * frame,
    GstMgpuPoints * points, const GstMgpuSceneModel * model,
    const GstMgpuPointsMotion * motion, GstMgpuPointsMotion * anchor,
    GError ** error)
{
  gboolean has_left = self->n_gone + 1 >= self->frames->len;
  GstMgpuSceneFrame *first = has_left ? frame : get_before (self);

  GST_MGPU_DEBUG_OBJECT (self->element, "another scene begins");
  begin_scene (first);
  if (!has_left)
    set_motion (frame, motion->matrix, GST_MGPU_MOTION_STATE_MEASURED,
        motion->n_inliers);
  if (!model->is_tripod)
    return TRUE;
  if (!hold_again (self, points, model, anchor, error))
    return FALSE;
  if (anchor->is_found)
    GST_MGPU_DEBUG_OBJECT (self->element, "an earlier scene continues: holding "
        "the same frame as before");
  if (!anchor->is_found) {
    hold (self, gst_mgpu_points_ref (has_left ? points : self->last));
  } else if (!has_left) {
    mgpu_path_invert (motion->matrix, first->anchor);
    mgpu_path_multiply (first->anchor, anchor->matrix, first->anchor);
  }
  return TRUE;
}

/* Computes the motion to the last frame from the last frame whose motion is known. Computes
 * it from @anchor, the motion from the held frame to the last frame. */
static void
join (GstMgpuScene * self, const GstMgpuPointsMotion * anchor,
    GstMgpuPointsMotion * motion)
{
  const gdouble *from = self->n_lost > 0 ? self->good_anchor
      : get_before (self)->anchor;

  *motion = *anchor;
  mgpu_path_invert (from, motion->matrix);
  mgpu_path_multiply (anchor->matrix, motion->matrix, motion->matrix);
}

/* Matches @frame, the last frame, with the lost frame before it. If they match, a new scene
 * has begun. Exception: two frames with little contrast that match only each other may
 * contain nothing but fixed noise. They do not begin a new scene while the gap can still be
 * bridged. */
static gboolean
find_cut (GstMgpuScene * self, GstMgpuSceneFrame * frame,
    GstMgpuPoints * points, const GstMgpuSceneModel * model,
    GstMgpuPointsMotion * motion, GstMgpuPointsMotion * anchor, GError ** error)
{
  if (points->is_faint && self->n_lost <= BRIDGE)
    return TRUE;
  return measure (self->last, points, model, motion, error)
      && (!motion->is_found || cut_before (self, frame, points, model, motion,
          anchor, error));
}

/* Sets the camera path along which the rows of a frame were read. */
static void
set_rows (GstMgpuSceneFrame * frame, const MgpuRollingPath * path, guint i)
{
  frame->has_rows = TRUE;
  frame->path = *path;
  frame->path_index = i;
}

/* Finds the motion of the camera from the previous frame to @frame, the last frame, if rows are
 * read one after the other, and neither frame is lost. The path over three frames is most exact in
 * the middle, so it replaces the path of the previous frame, unless that frame has left the
 * element. */
static void
follow_rows (GstMgpuScene * self, GstMgpuSceneFrame * frame,
    GstMgpuPoints * points, const GstMgpuSceneModel * model,
    GstMgpuPointsMotion * motion)
{
  const guint last = self->frames->len - 1;
  MgpuRollingPath path;

  if (!gst_mgpu_rolling_add (&self->rolling, self->element, self->last, points,
          model->rolling_shutter, 2 * model->size.x + 1, 2 * model->size.y + 1,
          &path) || self->n_lost > 0)
    return;
  motion->is_found = TRUE;
  motion->n_inliers = path.n_inliers;
  mgpu_rolling_get_motion (&path, path.n_frames - 1, motion->matrix);
  set_rows (frame, &path, path.n_frames - 1);
  if (last == self->n_gone)
    return;
  set_rows (get_before (self), &path, path.n_frames - 2);
  if (path.n_frames > 2
      && get_before (self)->state == GST_MGPU_MOTION_STATE_MEASURED)
    mgpu_rolling_get_motion (&path, 1, get_before (self)->motion);
}

/* Finds the motion of the camera from the previous frame to @frame, the last frame. For
 * mode=tripod, @anchor is the motion from the held frame to the last frame, if it was found. In
 * this case no new scene begins. */
static gboolean
follow (GstMgpuScene * self, GstMgpuSceneFrame * frame, GstMgpuPoints * points,
    const GstMgpuSceneModel * model, GstMgpuPointsMotion * anchor,
    GError ** error)
{
  GstMgpuPointsMotion motion = { {0}, 0, FALSE };
  GstMgpuPoints *from = self->n_lost == 0 ? self->last
      : self->n_lost <= BRIDGE ? self->good : NULL;

  if (model->rolling_shutter != 0)
    follow_rows (self, frame, points, model, &motion);
  else
    gst_mgpu_rolling_cut (&self->rolling);
  if (from != NULL && !motion.is_found
      && !measure (from, points, model, &motion, error))
    return FALSE;
  if (motion.is_found && self->n_lost == 0) {
    GST_MGPU_LOG_OBJECT (self->element, "found the motion of the camera, with "
        "%u inliers", motion.n_inliers);
    set_motion (frame, motion.matrix, GST_MGPU_MOTION_STATE_MEASURED,
        motion.n_inliers);
  } else {
    if (!motion.is_found && anchor->is_found)
      join (self, anchor, &motion);
    if (motion.is_found)
      bridge (self, &motion);
    else if (self->n_lost > 0 && !find_cut (self, frame, points, model,
            &motion, anchor, error))
      return FALSE;
  }
  if (motion.is_found) {
    clear_points (&self->good);
    self->n_lost = 0;
    return TRUE;
  }
  if (self->n_lost++ == 0) {
    set_points (&self->good, self->last);
    memcpy (self->good_anchor, get_before (self)->anchor,
        sizeof (self->good_anchor));
  }
  GST_MGPU_DEBUG_OBJECT (self->element, "found no motion in the last %u frames",
      self->n_lost);
  return TRUE;
}

/* Sets the member @anchor of @frame, the last frame. If there is no held frame yet, @frame
 * becomes the held frame. Otherwise the parameter @anchor is the motion from the held
 * frame, if it was found. */
static void
set_anchor (GstMgpuScene * self, GstMgpuSceneFrame * frame,
    GstMgpuPoints * points, const GstMgpuPointsMotion * anchor)
{
  GstMgpuSceneFrame *before = get_before (self);

  if (g_queue_is_empty (&self->anchors)) {
    GST_MGPU_DEBUG_OBJECT (self->element, "holding the view of this frame");
    hold (self, gst_mgpu_points_ref (points));
    clear_points (&self->good);
    self->n_lost = 0;
  } else if (anchor->is_found) {
    memcpy (frame->anchor, anchor->matrix, sizeof (frame->anchor));
    GST_MGPU_LOG_OBJECT (self->element, "found the motion from the held frame, "
        "with %u inliers", anchor->n_inliers);
  } else if (!frame->is_start) {
    mgpu_path_multiply (frame->motion, before->anchor, frame->anchor);
  }
}

gboolean
gst_mgpu_scene_describe (GstMgpuScene * self, GstMgpuPointFinder * finder,
    GError ** error)
{
  return (self->last == NULL
      || gst_mgpu_point_finder_describe (finder, self->last, error))
      && (self->good == NULL
      || gst_mgpu_point_finder_describe (finder, self->good, error));
}

gboolean
gst_mgpu_scene_add (GstMgpuScene * self, GstMgpuPoints * points,
    const GstMgpuSceneModel * model, GError ** error)
{
  GstMgpuSceneFrame *frame = g_new0 (GstMgpuSceneFrame, 1);
  GstMgpuPointsMotion anchor = { {0}, 0, FALSE };
  gboolean ok = TRUE;

  mgpu_path_set_identity (frame->motion);
  mgpu_path_set_identity (frame->anchor);
  frame->state = GST_MGPU_MOTION_STATE_LOST;
  g_ptr_array_add (self->frames, frame);
  if (points == NULL)
    gst_mgpu_scene_cut (self);
  if (!model->is_tripod)
    clear_anchors (self);
  if (self->last == NULL || points == NULL) {
    frame->state = GST_MGPU_MOTION_STATE_CUT;
    frame->is_start = TRUE;
  } else {
    ok = (g_queue_is_empty (&self->anchors)
        || measure (g_queue_peek_head (&self->anchors), points, model, &anchor,
            error))
        && follow (self, frame, points, model, &anchor, error);
  }
  if (ok && model->is_tripod && points != NULL)
    set_anchor (self, frame, points, &anchor);
  gst_mgpu_points_unref (self->last);
  self->last = points;
  return ok;
}

/* ---- Frames that leave ------------------------------------------------------------ */

const GstMgpuSceneFrame *
gst_mgpu_scene_get_next (GstMgpuScene * self)
{
  return get_frame (self, self->n_gone);
}

void
gst_mgpu_scene_smooth (GstMgpuScene * self, guint smoothing, guint most,
    gdouble correction[9])
{
  gdouble motions[MGPU_PATH_MAX_BEFORE + MGPU_PATH_MAX_SMOOTHING][9];
  guint most_before = mgpu_path_get_n_before (smoothing);
  guint at = self->n_gone, before = 0, after = 0;

  while (before < most_before && before < at
      && !get_frame (self, at - before)->is_start)
    before++;
  while (after < MIN (smoothing, most) && at + after + 1 < self->frames->len
      && !get_frame (self, at + after + 1)->is_start)
    after++;
  for (guint i = 0; i < before + after; i++)
    memcpy (motions[i], get_frame (self, at - before + 1 + i)->motion,
        sizeof (motions[i]));
  mgpu_path_smooth ((const gdouble (*)[9]) motions, before, after, correction);
}

void
gst_mgpu_scene_hold (GstMgpuScene * self, guint smoothing,
    gdouble correction[9])
{
  gdouble identity[9], offset[9];

  mgpu_path_set_identity (identity);
  mgpu_path_mix (self->offset, identity, self->n_shown < smoothing
      ? (gdouble) self->n_shown / smoothing : 1, offset);
  mgpu_path_invert (gst_mgpu_scene_get_next (self)->anchor, correction);
  mgpu_path_multiply (offset, correction, correction);
}

void
gst_mgpu_scene_note_limit (GstMgpuScene * self, gboolean is_limited,
    const gdouble correction[9])
{
  GstMgpuSceneFrame *last = get_frame (self, self->frames->len - 1);

  self->n_shown++;
  self->n_limited = is_limited ? self->n_limited + 1 : 0;
  /* A lost frame (a frame of unknown motion) does not become the held frame, because later
   * frames might never match it. */
  if (self->n_limited < LIMITED || self->last == NULL || self->n_lost > 0)
    return;
  gst_mgpu_points_unref (g_queue_pop_head (&self->anchors));
  hold (self, gst_mgpu_points_ref (self->last));
  mgpu_path_set_identity (last->anchor);
  memcpy (self->offset, correction, sizeof (self->offset));
  self->n_shown = 0;
}

void
gst_mgpu_scene_leave (GstMgpuScene * self)
{
  self->n_gone++;
  while (self->n_gone > MGPU_PATH_MAX_BEFORE + 1) {
    g_ptr_array_remove_index (self->frames, 0);
    self->n_gone--;
  }
}
