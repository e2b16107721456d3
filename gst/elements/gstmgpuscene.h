/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Follows the camera from frame to frame: frames that were measured, and the first of them
 * that have not left the element. */
#pragma once

#include <gst/vision/stabilize/path.h>

#include "gstmgpupoints.h"

G_BEGIN_DECLS

/**
 * GstMgpuSceneFrame:
 * @motion: from the frame before to this one, counted from the middle of frames
 * @state: how well @motion is known
 * @n_inliers: number of points that moved by it
 * @is_start: whether nothing is known of how the frame before moved to this one
 * @is_new_scene: whether it begins a scene that was found in the pictures
 * @anchor: from the frame that a tripod holds to this one
 *
 * Holds what is known of a frame.
 */
typedef struct
{
  gdouble motion[9];
  GstMgpuMotionState state;
  guint n_inliers;
  gboolean is_start, is_new_scene;
  gdouble anchor[9];
} GstMgpuSceneFrame;

/**
 * GstMgpuScene:
 *
 * The frames of a stream. The struct is set by gst_mgpu_scene_init().
 */
typedef struct
{
  /*< private >*/
  GPtrArray *frames;            /* of GstMgpuSceneFrame, oldest first */
  guint n_gone;                 /* how many of them have left */
  GstMgpuPoints *last;          /* keypoints of the last frame; NULL: it has none, or the
                                 * next frame is not to be matched with it */
  GstMgpuPoints *good;          /* points of the last frame before those that are lost */
  guint n_lost;                 /* number of frames in a row that are lost */
  GstMgpuPoints *held;          /* points of the frame that a tripod holds */
  gdouble offset[9];            /* by which a tripod moves that frame */
  guint n_limited;              /* frames in a row that were limited */
  guint n_shown;                /* frames since the held one was replaced */
} GstMgpuScene;

void gst_mgpu_scene_init  (GstMgpuScene * self);
void gst_mgpu_scene_clear (GstMgpuScene * self);

/* Drops all frames. */
void gst_mgpu_scene_reset (GstMgpuScene * self);

/* Makes the next frame begin anew, without a motion from the frame before. */
void gst_mgpu_scene_cut   (GstMgpuScene * self);

/**
 * GstMgpuSceneModel:
 * @model: what the motion of a camera is
 * @size: half the size of frames
 * @is_tripod: whether frames are also matched with the one that a tripod holds
 *
 * Tells how a frame is measured.
 */
typedef struct
{
  GstMgpuFitModel model;
  MgpuPathSize size;
  gboolean is_tripod;
} GstMgpuSceneModel;

/* Adds a frame and finds how it moved. points: (transfer full) (nullable): its points; NULL:
 * it is not looked at. FALSE: the error is set. */
gboolean gst_mgpu_scene_add (GstMgpuScene * self, GstMgpuPoints * points, const GstMgpuSceneModel * model,
                             GError ** error);

/* Returns: (transfer none): the oldest frame that has not left */
const GstMgpuSceneFrame * gst_mgpu_scene_get_next (GstMgpuScene * self);

/* Computes how that frame has to move, counted from its middle, for a smoothed
 * path: of @smoothing frames before and most frames behind it. */
void gst_mgpu_scene_smooth (GstMgpuScene * self, guint smoothing, guint most, gdouble correction[9]);

/* Computes how that frame has to move to be where the held frame is. */
void gst_mgpu_scene_hold   (GstMgpuScene * self, guint smoothing, gdouble correction[9]);

/* Tells whether the correction of a tripod had to be limited, to what. After 25 frames in a
 * row the last frame replaces the held one. */
void gst_mgpu_scene_note_limit (GstMgpuScene * self, gboolean is_limited, const gdouble correction[9]);

/* Notes that the oldest frame leaves. */
void gst_mgpu_scene_leave  (GstMgpuScene * self);

G_END_DECLS
