/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/**
 * SECTION:gstmgpumotionmeta
 * @title: GstMgpuMotionMeta
 * @short_description: motion of the camera since the previous frame
 */
#include <gst/mgpu/gstmgpumotionmeta.h>

#include "gstmgpumeta-private.h"
#include <gst/mgpu/gstmgpuenum-private.h>

#include <string.h>

/* The camera motion between the previous frame and a frame. All copies of a
 * GstMgpuMotionMeta share it. */
struct _GstMgpuMotion
{
  GstMiniObject parent;
  gdouble motion[9];
  gdouble correction[9];
  GstMgpuMotionState state;
  guint n_inliers;
};

static const gdouble identity[9] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 };

static const GEnumValue motion_states[] = {
  {GST_MGPU_MOTION_STATE_MEASURED, "Measured", "measured"},
  {GST_MGPU_MOTION_STATE_BRIDGED, "Bridged", "bridged"},
  {GST_MGPU_MOTION_STATE_LOST, "Lost", "lost"},
  {GST_MGPU_MOTION_STATE_CUT, "Cut", "cut"},
  {0, NULL, NULL}
};

/**
 * gst_mgpu_motion_state_get_type:
 *
 * Registers #GstMgpuMotionState on the first call.
 *
 * Returns: the type that #GST_TYPE_MGPU_MOTION_STATE stands for
 *
 * Since: 1.0
 */
GST_MGPU_DEFINE_ENUM (GstMgpuMotionState, gst_mgpu_motion_state, motion_states);

static void
tables_free (GstMiniObject * object)
{
  g_free (object);
}

/**
 * gst_mgpu_motion_meta_api_get_type:
 *
 * Registers the API of #GstMgpuMotionMeta on the first call.
 *
 * Returns: the type that #GST_MGPU_MOTION_META_API_TYPE stands for
 *
 * Since: 1.0
 */
/**
 * gst_mgpu_motion_meta_get_info: (skip)
 *
 * Registers #GstMgpuMotionMeta on the first call.
 *
 * Returns: (transfer none): the #GstMetaInfo that this kind of meta is registered with
 *
 * Since: 1.0
 */
GST_MGPU_DEFINE_META (GstMgpuMotionMeta, gst_mgpu_motion_meta,
    gst_mgpu_meta_pass_on, GST_META_TAG_VIDEO_STR, GST_META_TAG_VIDEO_SIZE_STR,
    GST_META_TAG_VIDEO_ORIENTATION_STR);

/**
 * gst_buffer_add_mgpu_motion_meta:
 * @buffer: (transfer none): a writable frame
 * @motion: (array fixed-size=9) (nullable): the homography, row by row, that maps a point
 *   of the previous unstabilized frame to its position in this unstabilized frame, in
 *   pixels from the upper left corner. %NULL: the camera did not move
 * @correction: (array fixed-size=9) (nullable): the homography, row by row, that maps a
 *   point of this unstabilized frame to its position in the frame of @buffer, which may
 *   be stabilized. %NULL: the positions are the same
 * @state: how well @motion is known
 * @n_inliers: number of tracked points that agree with @motion; 0 when they were not
 *   counted
 *
 * Attaches the motion of the camera to a frame, for elements downstream. Replaces an
 * earlier meta of this kind.
 *
 * Returns: (transfer none): the new meta
 *
 * Since: 1.0
 */
GstMgpuMotionMeta *
gst_buffer_add_mgpu_motion_meta (GstBuffer * buffer, const gdouble * motion,
    const gdouble * correction, GstMgpuMotionState state, guint n_inliers)
{
  GstMgpuMotionTables *tables;

  g_return_val_if_fail (gst_buffer_is_writable (buffer), NULL);

  tables = gst_mgpu_tables_new (sizeof (*tables), tables_free);
  memcpy (tables->motion, motion != NULL ? motion : identity,
      sizeof (tables->motion));
  memcpy (tables->correction, correction != NULL ? correction : identity,
      sizeof (tables->correction));
  tables->state = state;
  tables->n_inliers = n_inliers;
  return gst_mgpu_meta_add (buffer, gst_mgpu_motion_meta_get_info (), tables);
}

/**
 * gst_buffer_get_mgpu_motion_meta:
 * @buffer: a frame
 *
 * Finds the motion of the camera.
 *
 * Returns: (transfer none) (nullable): the meta with the motion of the camera
 *
 * Since: 1.0
 */
GstMgpuMotionMeta *
gst_buffer_get_mgpu_motion_meta (GstBuffer * buffer)
{
  return (GstMgpuMotionMeta *) gst_buffer_get_meta (buffer,
      GST_MGPU_MOTION_META_API_TYPE);
}

/**
 * gst_mgpu_motion_meta_get_motion:
 * @meta: a #GstMgpuMotionMeta
 *
 * Gets the homography that maps a point of the previous unstabilized frame to its
 * position in this unstabilized frame. The homography is the identity if the motion is
 * unknown.
 *
 * Returns: (transfer none) (array fixed-size=9): three rows of three numbers, in pixels
 *   from the upper left corner of the frame, which live as long as @meta
 *
 * Since: 1.0
 */
const gdouble *
gst_mgpu_motion_meta_get_motion (GstMgpuMotionMeta * meta)
{
  return meta->tables->motion;
}

/**
 * gst_mgpu_motion_meta_get_correction:
 * @meta: a #GstMgpuMotionMeta
 *
 * Gets the homography that maps a point of this unstabilized frame to its position in the
 * frame that has the meta. That frame may be stabilized.
 *
 * Returns: (transfer none) (array fixed-size=9): three rows of three numbers, in pixels
 *   from the upper left corner of the frame, which live as long as @meta
 *
 * Since: 1.0
 */
const gdouble *
gst_mgpu_motion_meta_get_correction (GstMgpuMotionMeta * meta)
{
  return meta->tables->correction;
}

/**
 * gst_mgpu_motion_meta_get_state:
 * @meta: a #GstMgpuMotionMeta
 *
 * Tells whether the motion is reliable, and whether there was a scene cut.
 *
 * Returns: how well the motion is known
 *
 * Since: 1.0
 */
GstMgpuMotionState
gst_mgpu_motion_meta_get_state (GstMgpuMotionMeta * meta)
{
  return meta->tables->state;
}

/**
 * gst_mgpu_motion_meta_get_n_inliers:
 * @meta: a #GstMgpuMotionMeta
 *
 * Counts the tracked points that agree with the motion of the camera.
 *
 * Returns: number of points that agree with the motion of the camera; 0 when they were
 *   not counted
 *
 * Since: 1.0
 */
guint
gst_mgpu_motion_meta_get_n_inliers (GstMgpuMotionMeta * meta)
{
  return meta->tables->n_inliers;
}
