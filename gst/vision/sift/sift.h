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
 * @octaves: how many there are at most; 0: as many as fit
 * @scales: of an octave, 1 to 8
 * @sigma: blur of the first level, 0.5 to 4 pixels
 * @max_features: how many keypoints are kept, the strongest; 0: all
 * @contrast: points with a response below @contrast / @scales are left out,
 *   from 0 to 1
 * @edge: points are left out whose curvature in one direction is more than @edge
 *   times that in the other, from 1 on
 * @max_orientations: of a point, 1 to 8
 * @descriptor: what describes the keypoints
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
 * @x: of what all points are in, in pixels of the frame, from its left edge
 * @y: likewise from above
 * @width: how wide it is; inside of the frame
 * @height: how high it is
 * @rectangles: 4 gint each: x, y, width, height; points count in any of them.
 *   %NULL: everywhere
 * @n_rectangles: how many there are
 * @mask: a byte for each pixel of the frame, without gaps; points count where it
 *   is not 0, too. %NULL: everywhere
 *
 * Where points count: those whose rounded place does. What they do not need
 * costs nothing.
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

/* Finds the keypoints of the first component of frames. A MgpuSift is an object of it,
 * made with MgpuSiftParams. */
extern const MgpuAlgorithm mgpu_sift;

/* How many keypoints a table has to have room for. */
guint mgpu_sift_get_room (MgpuSift * self, const MgpuSiftParams * params);

/**
 * MgpuSiftTables:
 * @keypoints: a #GstMgpuKeypointHeader and as many #GstMgpuKeypoint as there has
 *   to be room for
 * @descriptors: as many descriptors; %NULL where none are wanted
 * @report: what the header begins with, n and dropped; %NULL where nobody asks
 *
 * Memory for results.
 */
typedef struct
{
  GstMgpuMemory *keypoints;
  GstMgpuMemory *descriptors;
  GstMgpuMemory *report;
} MgpuSiftTables;

/* region: NULL for the whole frame. Errors stay in job. */
void mgpu_sift_enqueue (MgpuSift * self, GstMgpuJob * job, const MgpuSiftParams * params, const MgpuImage * in,
    const MgpuSiftRegion * region, const MgpuSiftTables * tables);

G_END_DECLS
