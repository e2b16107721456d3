/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Follows the camera from frame to frame: stores the motion of the last frames, and which of these
 * frames have left the element. */
#pragma once

#include <gst/vision/stabilize/path.h>

#include <gst/elements/gstmgpupoints.h>
#include "gstmgpurolling.h"

G_BEGIN_DECLS

/**
 * GstMgpuSceneFrame:
 * @motion: homography, row by row, of the motion from the previous frame to this frame, in
 *   pixels from the center of the frames
 * @state: how well @motion is known
 * @n_inliers: number of keypoints that agree with @motion
 * @is_start: whether the frame begins a new camera path, because its motion from the previous
 *   frame is unknown
 * @is_new_scene: whether the frame begins a scene that was detected from the content of
 *   the frames
 * @anchor: homography, row by row, of the motion from the held frame (mode=tripod) to this frame
 * @has_rows: whether the rows of the frame were read one after the other, along @path; @motion is
 *   then the motion of the middle row
 * @path_index: number of the frame in @path
 *
 * The motion of the camera from the previous frame to this frame, as far as it is known.
 */
typedef struct
{
  gdouble motion[9];
  GstMgpuMotionState state;
  guint n_inliers;
  gboolean is_start, is_new_scene;
  gdouble anchor[9];
  gboolean has_rows;
  MgpuRollingPath path;
  guint path_index;
} GstMgpuSceneFrame;

/**
 * GstMgpuScene:
 *
 * The last frames of a stream, and the motion of the camera between them. gst_mgpu_scene_init()
 * initializes the struct.
 */
typedef struct
{
  GPtrArray *frames;            /* array of GstMgpuSceneFrame: the last frames, oldest
                                 * first */
  guint n_gone;                 /* number of frames in @frames that have left the element */
  GstMgpuPoints *last;          /* keypoints of the last frame; NULL if it has none, or if the
                                 * next frame must not be matched with it */
  GstMgpuPoints *good;          /* keypoints of the newest frame whose motion is known; NULL if this
                                 * frame is the last frame, whose keypoints are in @last */
  gdouble good_anchor[9];       /* value of the member @anchor of the frame to which @good
                                 * belongs */
  GstElement *element;
  guint n_lost;                 /* number of successive frames, up to the last one, whose motion was
                                 * not found (lost frames) */
  GstMgpuRolling rolling;
  GQueue anchors;               /* queue of GstMgpuPoints. The head has the keypoints of the held
                                 * frame: with mode=tripod, the frame to whose position all other
                                 * frames are moved. The other elements of the queue have the
                                 * keypoints of the held frames of earlier scenes, latest scene
                                 * first */
  gdouble offset[9];            /* homography of the correction of the held frame itself */
  guint n_limited;              /* number of successive frames, up to the last one, whose correction
                                 * had to be limited */
  guint n_shown;                /* number of frames that have left since the held frame
                                 * was last replaced */
} GstMgpuScene;

/* Initializes @self, without frames. @element is named in the log. */
void gst_mgpu_scene_init  (GstMgpuScene * self, GstElement * element);
void gst_mgpu_scene_clear (GstMgpuScene * self);

/* Drops all frames of @self. */
void gst_mgpu_scene_reset (GstMgpuScene * self);

/* Makes the next frame begin a new scene, which means that its motion from the previous frame is
 * unknown. */
void gst_mgpu_scene_cut   (GstMgpuScene * self);

/**
 * GstMgpuSceneModel:
 * @finder: the object that found the keypoints of frames
 * @model: kind of camera motion that is fitted to keypoints
 * @size: half the width and height of frames
 * @is_tripod: whether frames are also matched with the held frame (mode=tripod)
 * @rolling_shutter: value of the property "rolling-shutter"
 *
 * Parameters of the measurement of camera motion.
 */
typedef struct
{
  GstMgpuPointFinder *finder;
  GstMgpuFitModel model;
  MgpuPathSize size;
  gboolean is_tripod;
  gdouble rolling_shutter;
} GstMgpuSceneModel;

/* Searches for the keypoints of the frames with which the next frame may have to be matched. Call
 * it before @finder is prepared again. Returns: FALSE on failure */
gboolean gst_mgpu_scene_describe (GstMgpuScene * self, GstMgpuPointFinder * finder, GError ** error);

/* Adds a frame, and finds the motion of the camera since the previous frame. @points (transfer
 * full) (nullable) are the keypoints of the frame; NULL if its motion is not measured. Returns:
 * FALSE with the error set on failure */
gboolean gst_mgpu_scene_add (GstMgpuScene * self, GstMgpuPoints * points, const GstMgpuSceneModel * model,
                             GError ** error);

/* Returns: (transfer none): the oldest frame that has not left the element */
const GstMgpuSceneFrame * gst_mgpu_scene_get_next (GstMgpuScene * self);

/* Computes @correction, the motion that moves the oldest frame that has not left the element to
 * the smoothed camera path. It is relative to the center of the frame. The path is smoothed over
 * at most @smoothing and at most @most frames after this frame, and over
 * mgpu_path_get_n_before() frames before it. */
void gst_mgpu_scene_smooth (GstMgpuScene * self, guint smoothing, guint most, gdouble correction[9]);

/* For mode=tripod: computes @correction, the motion that moves the oldest frame that has not
 * left the element to the position of the held frame. */
void gst_mgpu_scene_hold   (GstMgpuScene * self, guint smoothing, gdouble correction[9]);

/* For mode=tripod: counts the frames in a row whose correction had to be limited. After 25 such
 * frames, the last frame, moved by @correction, replaces the held frame. */
void gst_mgpu_scene_note_limit (GstMgpuScene * self, gboolean is_limited, const gdouble correction[9]);

/* Records that the oldest frame that has not left the element leaves it. */
void gst_mgpu_scene_leave  (GstMgpuScene * self);

G_END_DECLS
