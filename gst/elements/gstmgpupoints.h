/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Finds the keypoints of frames, and how they moved from one frame to another. */
#pragma once

#include <gst/vision/pyramid/pyramid.h>
#include <gst/vision/sift/sift.h>

#include <gst/frame/gstmgpuwatch.h>

#include "gstmgpuluma.h"

G_BEGIN_DECLS

/**
 * GstMgpuPoints:
 *
 * The keypoints of a frame, with descriptors. They can be matched only in the OpenCL context
 * of their memory.
 */
typedef struct
{
  GstMgpuKeypointMeta *meta;    /* boxed copy of the meta with the keypoints */
  gdouble zoom;                 /* number of pixels of the frame for one pixel of the
                                 * image in which the keypoints were found */
  gboolean is_faint;            /* whether the frame has so little contrast that weaker
                                 * keypoints than usual had to be searched */
  guint8 *ignored;              /* a byte for each keypoint: 1 if the keypoint does not
                                 * count; NULL if all keypoints count */
} GstMgpuPoints;

/**
 * GstMgpuPointFinder:
 *
 * Holds the objects that find keypoints on the device. The struct has to be zeroed before
 * its first use.
 */
typedef struct
{
  GstMgpuInput *input;
  GstMgpuLuma luma;
  gboolean is_grey;             /* whether the luma plane of frames can be read as a grey
                                 * frame */
  MgpuPyramid *pyramid;         /* object that scales frames down by halves; NULL if
                                 * frames are small enough */
  guint n_halvings;
  GstVideoInfo info;            /* format and size of the image in which keypoints are
                                 * searched */
  GstMemory *picture;           /* memory of the image in which keypoints are searched;
                                 * NULL if that image is the luma plane of the frame
                                 * itself */
  MgpuSift *sift;
  GstBufferPool *keypoint_pool, *descriptor_pool;
} GstMgpuPointFinder;

/* Prepares @self for the frames of @input. Before keypoints are searched, a frame is
 * halved in size until both sides have at most @size pixels. Call
 * gst_mgpu_point_finder_clear() in the end, even after a failure. */
gboolean gst_mgpu_point_finder_prepare (GstMgpuPointFinder * self, GstMgpuInput * input, guint size, GError ** error);
void     gst_mgpu_point_finder_clear   (GstMgpuPointFinder * self);

/* Finds up to @most keypoints of a frame: takes the keypoints of its meta, if they have descriptors
 * in our OpenCL context; otherwise searches keypoints, and waits for the device. A frame with few
 * keypoints is searched again for weaker ones. Keypoints in regions of interest of the types
 * @ignored, which is (nullable), do not count; @watch is the watch of the element. Returns:
 * (transfer full) (nullable): the keypoints; NULL without an error if a buffer pool is flushing */
GstMgpuPoints * gst_mgpu_point_finder_find (GstMgpuPointFinder * self, GstMgpuWatch * watch, GstBuffer * frame,
                                            guint most, const gchar * ignored, GError ** error);

/* The first function adds a reference to the keypoints of a frame, the second one drops a
 * reference. The parameter of the second function is (nullable). */
GstMgpuPoints * gst_mgpu_points_ref    (GstMgpuPoints * self);
void     gst_mgpu_points_unref         (GstMgpuPoints * self);

/* Removes the matches of keypoints whose position is NaN or too large for a fit from @matches,
 * (transfer full). Returns: (transfer full): the other matches */
GBytes * gst_mgpu_drop_unplaced        (GstMgpuKeypointMeta * from, GstMgpuKeypointMeta * to, GBytes * matches);

/**
 * GstMgpuPointsMotion:
 * @matrix: homography, row by row, that moves the keypoints of one frame to the
 *   matching keypoints of the other, in pixels of the frame
 * @n_inliers: number of keypoints that @matrix moves to their matches
 * @is_found: whether enough keypoints agree for the motion to count
 *
 * How keypoints moved from one frame to another.
 */
typedef struct
{
  gdouble matrix[9];
  guint n_inliers;
  gboolean is_found;
} GstMgpuPointsMotion;

/* Fits the motion model @model to the matching keypoints of two frames. Waits for the
 * device. Returns: FALSE with the error set */
gboolean gst_mgpu_points_fit           (GstMgpuPoints * from, GstMgpuPoints * to, GstMgpuFitModel model,
                                        GstMgpuPointsMotion * motion, GError ** error);

G_END_DECLS
