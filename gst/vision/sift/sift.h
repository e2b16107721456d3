/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/object.h>

G_BEGIN_DECLS

/**
 * MgpuSiftParams:
 * @upsample: whether the first octave of the scale space is twice as wide and high as the frame
 * @octaves: largest number of octaves; 0: limited only by the size of the frame
 * @scales: number of scales of an octave, 1 to 8
 * @sigma: blur of the first level of an octave, 0.5 to 4 pixels
 * @max_features: largest number of keypoints; the strongest are kept; 0: no limit
 * @contrast: minimum contrast, 0 to 1; points with a response below @contrast / @scales are
 *   discarded
 * @edge: maximum ratio of the two principal curvatures of a point, at least 1; points with a larger
 *   ratio are discarded
 * @max_orientations: largest number of keypoints at a point, one for each direction, 1 to 8
 * @descriptor: kind of the descriptors of the keypoints
 * @grid: number of grid cells along the longer edge of the frame, 0 to 256. The strongest points of
 *   all cells come first, then the second strongest points, and so on. 0: no grid
 *
 * The first four members cannot change after a MgpuSift was created.
 */
typedef struct
{
  gboolean upsample;
  guint octaves;
  guint scales;
  gdouble sigma;
  guint max_features;
  gdouble contrast;
  gdouble edge;
  guint max_orientations;
  GstMgpuDescriptorType descriptor;
  guint grid;
} MgpuSiftParams;

/**
 * MgpuSiftRegion:
 * @x: left edge of the box that contains all keypoints, in pixels of the frame
 * @y: top edge of the box
 * @width: width of the box, which lies inside the frame
 * @height: height of the box
 * @rectangles: rectangles of 4 gint each: x, y, width, height; each keypoint lies in one of them.
 *   %NULL: no such restriction
 * @n_rectangles: number of rectangles
 * @mask: a byte for each pixel of the frame, without gaps between rows; keypoints lie only where
 *   the byte is not 0. %NULL: no such restriction
 *
 * Limits the positions of keypoints. The position of a keypoint is rounded to a pixel, which must
 * meet all conditions. Parts of the frame that no such keypoint depends on are not processed.
 */
typedef struct
{
  gint x, y;
  gint width, height;
  GstMgpuMemory *rectangles;
  guint n_rectangles;
  GstMgpuMemory *mask;
} MgpuSiftRegion;

typedef struct _MgpuSift MgpuSift;

/* Finds SIFT keypoints in the first color component of frames. The object that
 * mgpu_object_new() returns is a MgpuSift; its parameters are MgpuSiftParams. */
extern const MgpuAlgorithm mgpu_sift;

/* Returns: the largest number of keypoints that can be found in a frame. The memories in
 * MgpuSiftTables must be large enough for this number. */
guint mgpu_sift_get_room (MgpuSift * self, const MgpuSiftParams * params);

/**
 * MgpuSiftTables:
 * @keypoints: a #GstMgpuKeypointHeader, followed by as many #GstMgpuKeypoint as
 *   mgpu_sift_get_room() returns
 * @descriptors: a descriptor for each of these keypoints; %NULL: no descriptors are computed
 * @report: a copy of the first two members of the header, n and dropped; %NULL: no copy
 *
 * Memories to which the results are written.
 */
typedef struct
{
  GstMgpuMemory *keypoints;
  GstMgpuMemory *descriptors;
  GstMgpuMemory *report;
} MgpuSiftTables;

/* Enqueues the kernels that find the keypoints of the frame @in and write them to the memories
 * in @tables. @region limits the positions of keypoints; NULL stands for the whole frame. Errors
 * stay in @job. */
void mgpu_sift_enqueue (MgpuSift * self, GstMgpuJob * job, const MgpuSiftParams * params, const MgpuImage * in,
    const MgpuSiftRegion * region, const MgpuSiftTables * tables);

/* Returns: whether a keypoint can be described, that is, its position and size are finite and
 * its size is above 0 */
gboolean mgpu_sift_can_describe (const GstMgpuKeypoint * point);

/* Enqueues the kernels that describe keypoints of the caller, in the order of the array. Keypoints
 * keep their values, except that angles outside of 0 <= angle < 360 are replaced by computed
 * angles. A descriptor is filled with zeros if the keypoint has no samples of the frame around it,
 * or mgpu_sift_can_describe() returns FALSE for it. Errors stay in @job.
 * @params: only @upsample, @octaves, @scales, @sigma and @descriptor are used
 * @points, @n: the keypoints and their number; read
 * @tables: memories for @n keypoints; written, except tables->report */
void mgpu_sift_enqueue_given (MgpuSift * self, GstMgpuJob * job, const MgpuSiftParams * params, const MgpuImage * in,
    const GstMgpuKeypoint * points, guint n, const MgpuSiftTables * tables);

G_END_DECLS
