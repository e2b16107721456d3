/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Finds the keypoints of frames, and how they moved from one frame to another. */
#pragma once

#include <gst/vision/pyramid/pyramid.h>
#include <gst/vision/sift/sift.h>

#include "gstmgpuluma.h"

G_BEGIN_DECLS

/**
 * GstMgpuPoints:
 *
 * The keypoints of a frame, with descriptors. They live as long as the context of their
 * memory.
 */
typedef struct
{
  /*< private >*/
  GstMgpuKeypointMeta *meta;    /* a boxed copy */
  gdouble zoom;                 /* number of pixels of the frame for one pixel
                                 * of the picture in which the points were
                                 * found */
  guint8 *ignored;              /* a byte for each point, 1 where it does not count; NULL:
                                 * all count */
} GstMgpuPoints;

/**
 * GstMgpuPointFinder:
 *
 * Holds what finds keypoints on the device. The struct is zeroed at first.
 */
typedef struct
{
  /*< private >*/
  GstMgpuInput *input;
  GstMgpuLuma luma;
  gboolean is_grey;             /* whether the plane of luma can be used as a
                                 * grey frame */
  MgpuPyramid *pyramid;         /* pyramid that scales frames down; NULL where
                                 * frames are small enough */
  guint n_halvings;
  GstVideoInfo info;            /* format and size of the picture in which
                                 * points are searched */
  GstMemory *picture;           /* memory of this picture; NULL where the
                                 * picture is the luma itself */
  MgpuSift *sift;
  GstBufferPool *keypoint_pool, *descriptor_pool;
} GstMgpuPointFinder;

/* Prepares @self for the frames of @input, whose size is halved until both
 * sides have at most @size pixels. Call gst_mgpu_point_finder_clear() even
 * after a failure. */
gboolean gst_mgpu_point_finder_prepare (GstMgpuPointFinder * self, GstMgpuInput * input, guint size, GError ** error);
void     gst_mgpu_point_finder_clear   (GstMgpuPointFinder * self);

/* Finds up to most keypoints of a frame: the keypoints of its meta, if they
 * have descriptors in this context; otherwise the finder searches keypoints.
 * Points in regions of interest of the types @ignored, which is (nullable), do
 * not count. Returns: (transfer full) (nullable): the points; NULL without an
 * error when a pool is flushing */
GstMgpuPoints * gst_mgpu_point_finder_find (GstMgpuPointFinder * self, GstBuffer * frame, guint most,
                                            const gchar * ignored, GError ** error);

/* Adds or drops a reference. The parameter of the second function is (nullable). */
GstMgpuPoints * gst_mgpu_points_ref    (GstMgpuPoints * self);
void     gst_mgpu_points_unref         (GstMgpuPoints * self);

/**
 * GstMgpuPointsMotion:
 * @matrix: moves the points of one frame to those of the other, in pixels of the frame
 * @n_inliers: number of points that move by it
 * @is_found: whether enough points agree for the motion to count
 *
 * How points moved between two frames.
 */
typedef struct
{
  gdouble matrix[9];
  guint n_inliers;
  gboolean is_found;
} GstMgpuPointsMotion;

/* Fits a model to the points of two frames that match. Waits for the device. FALSE: the
 * error is set. */
gboolean gst_mgpu_points_fit           (GstMgpuPoints * from, GstMgpuPoints * to, GstMgpuFitModel model,
                                        GstMgpuPointsMotion * motion, GError ** error);

G_END_DECLS
