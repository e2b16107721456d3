/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/object.h>

G_BEGIN_DECLS

/**
 * MgpuSiftParams:
 * @upsample: whether the first octave has twice the size of the frame
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
 *
 * The first four are fixed when a MgpuSift is made.
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
} MgpuSiftParams;

/**
 * MgpuSiftRegion:
 * @x: left edge of the box in which all points lie, in pixels of the frame
 * @y: top edge of the box
 * @width: width of the box, which is inside of the frame
 * @height: height of the box
 * @rectangles: rectangles of 4 gint each: x, y, width, height; a point counts when it is
 *   in one of them. %NULL: everywhere in the box
 * @n_rectangles: number of rectangles
 * @mask: a byte for each pixel of the frame, without gaps; a point counts when the byte
 *   at its place is not 0, too. %NULL: everywhere in the box
 *
 * Limits where keypoints are found. The place of a point is rounded to a pixel, which has
 * to fulfil all conditions. Parts of the frame that no such point needs take no time.
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

/* Algorithm that finds the keypoints of the first component of frames. mgpu_object_new()
 * makes a MgpuSift of it, and takes MgpuSiftParams. */
extern const MgpuAlgorithm mgpu_sift;

/* Returns: the number of keypoints for which a table must have room */
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

/* Finds the keypoints of the frame in, and writes them to tables. The parameter region is
 * NULL for the whole frame. Errors stay in job. */
void mgpu_sift_enqueue (MgpuSift * self, GstMgpuJob * job, const MgpuSiftParams * params, const MgpuImage * in,
    const MgpuSiftRegion * region, const MgpuSiftTables * tables);

G_END_DECLS
