/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Follows the camera from frame to frame: keeps the motion of the last frames,
 * and knows which of them have not left the element yet. */
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
  GPtrArray *frames;            /* array of GstMgpuSceneFrame, oldest first */
  guint n_gone;                 /* number of these frames that have left */
  GstMgpuPoints *last;          /* keypoints of the last frame; NULL where it
                                 * has none, or where the next frame is not to
                                 * be matched with it */
  GstMgpuPoints *good;          /* keypoints of the last frame whose motion is
                                 * known */
  guint n_lost;                 /* number of frames in a row whose motion was
                                 * not found (lost frames) */
  GstMgpuPoints *held;          /* keypoints of the held frame: with
                                 * mode=tripod, the frame to whose place all
                                 * others are moved */
  gdouble offset[9];            /* motion by which the held frame itself is
                                 * moved */
  guint n_limited;              /* number of frames in a row whose correction
                                 * was limited */
  guint n_shown;                /* number of frames since the held frame was
                                 * replaced */
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

/* Adds a frame and finds how it moved. The parameter points is (transfer full)
 * (nullable): the keypoints of the frame; NULL where the motion is not to be
 * measured. FALSE: the error is set. */
gboolean gst_mgpu_scene_add (GstMgpuScene * self, GstMgpuPoints * points, const GstMgpuSceneModel * model,
                             GError ** error);

/* Returns: (transfer none): the oldest frame that has not left */
const GstMgpuSceneFrame * gst_mgpu_scene_get_next (GstMgpuScene * self);

/* Computes the motion that brings the oldest frame that has not left to the
 * smoothed path, counted from the middle of the frame. The path is smoothed
 * over @smoothing frames before this frame and at most @most frames behind
 * it. */
void gst_mgpu_scene_smooth (GstMgpuScene * self, guint smoothing, guint most, gdouble correction[9]);

/* Computes the motion that brings the oldest frame that has not left to the
 * place of the held frame. */
void gst_mgpu_scene_hold   (GstMgpuScene * self, guint smoothing, gdouble correction[9]);

/* Notes whether the correction of a frame had to be limited, and the result.
 * When it was limited in 25 frames in a row, the last frame replaces the held
 * frame. */
void gst_mgpu_scene_note_limit (GstMgpuScene * self, gboolean is_limited, const gdouble correction[9]);

/* Notes that the oldest frame leaves. */
void gst_mgpu_scene_leave  (GstMgpuScene * self);

G_END_DECLS
