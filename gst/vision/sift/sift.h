/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/object.h>

G_BEGIN_DECLS

/**
 * MgpuSiftParams:
 * @upsample: whether the first octave of the scale space has twice the size of the frame
 * @octaves: largest number of octaves; 0: as many as fit
 * @scales: number of scales of an octave, 1 to 8
 * @sigma: blur of the first level of an octave, 0.5 to 4 pixels
 * @max_features: largest number of keypoints, of which the strongest are kept; 0: no
 *   limit
 * @contrast: least contrast, 0 to 1; points with a response below @contrast / @scales
 *   are left out
 * @edge: largest ratio of the curvatures of a point in two directions, at least 1;
 *   points with a larger ratio are left out
 * @max_orientations: largest number of keypoints at a point, one for each direction,
 *   1 to 8
 * @descriptor: kind of the descriptors of the keypoints
 * @grid: number of cells along the longer edge of the frame, 0 to 256; the strongest points
 *   of all cells come first, then the second strongest and so on; 0: no cells
 *
 * The first four members are fixed when a MgpuSift is made.
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
 * @x: left edge of the box in which all keypoints lie, in pixels of the frame
 * @y: top edge of the box
 * @width: width of the box, which is inside of the frame
 * @height: height of the box
 * @rectangles: rectangles of 4 gint each: x, y, width, height; keypoints lie in
 *   one of them. %NULL: everywhere in the box
 * @n_rectangles: number of rectangles
 * @mask: a byte for each pixel of the frame, without gaps; keypoints also lie where the
 *   byte is not 0. %NULL: everywhere in the box
 *
 * Limits where keypoints are found. The position of a keypoint is rounded to a pixel, which
 * has to fulfil all conditions. Parts of the frame that no such keypoint needs take no time.
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

/* Describes the algorithm that finds SIFT keypoints in the first colour component of
 * frames. An object of mgpu_object_new() is a MgpuSift; its parameters are
 * MgpuSiftParams. */
extern const MgpuAlgorithm mgpu_sift;

/* Returns: the largest number of keypoints that can be found in a frame; the memories in
 * MgpuSiftTables must be large enough for this number */
guint mgpu_sift_get_room (MgpuSift * self, const MgpuSiftParams * params);

/**
 * MgpuSiftTables:
 * @keypoints: a #GstMgpuKeypointHeader and as many #GstMgpuKeypoint as
 *   mgpu_sift_get_room() returns
 * @descriptors: a descriptor for each of these keypoints; %NULL for none
 * @report: a copy of the first two members of the header, n and dropped; %NULL for none
 *
 * Names the memories to which the results are written.
 */
typedef struct
{
  GstMgpuMemory *keypoints;
  GstMgpuMemory *descriptors;
  GstMgpuMemory *report;
} MgpuSiftTables;

/* Enqueues the kernels that find the keypoints of the frame @in, and write them to the
 * memories in @tables. @region is NULL for the whole frame. Errors stay in @job. */
void mgpu_sift_enqueue (MgpuSift * self, GstMgpuJob * job, const MgpuSiftParams * params, const MgpuImage * in,
    const MgpuSiftRegion * region, const MgpuSiftTables * tables);

/* Returns: whether a keypoint can be described: its position and size are finite, and its
 * size is above 0 */
gboolean mgpu_sift_can_describe (const GstMgpuKeypoint * point);

/* Enqueues the kernels that describe @n keypoints of the caller, in their order, and
 * write them to the memories in @tables, which have room for @n keypoints; tables->report
 * is not written. Keypoints keep their values, except angles that are not from 0 to below
 * 360: these are computed. Keypoints without samples of the frame around them, and
 * keypoints for which mgpu_sift_can_describe() is FALSE, get descriptors of zeros. Only
 * the members @upsample, @octaves, @scales, @sigma and @descriptor of @params are used.
 * Errors stay in @job. */
void mgpu_sift_enqueue_given (MgpuSift * self, GstMgpuJob * job, const MgpuSiftParams * params, const MgpuImage * in,
    const GstMgpuKeypoint * points, guint n, const MgpuSiftTables * tables);

G_END_DECLS
