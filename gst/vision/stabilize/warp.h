/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/object.h>

G_BEGIN_DECLS

/**
 * MgpuWarpEdges:
 * @MGPU_WARP_BLACK: black
 * @MGPU_WARP_REPEAT: the nearest sample of the frame
 * @MGPU_WARP_MIRROR: the frame mirrored at its outermost samples
 *
 * Chooses the samples beyond the edges of a frame. The values are those of the
 * constants in kernels/stabilize/shared.h.
 */
typedef enum
{
  MGPU_WARP_BLACK,
  MGPU_WARP_REPEAT,
  MGPU_WARP_MIRROR
} MgpuWarpEdges;

/**
 * MgpuWarpParams:
 * @matrix: rows of the homography that moves a point of the new frame to its
 *   position in the old frame, in pixels; the centre of the pixel at the upper left
 *   corner is (0, 0). The last number is not 0
 * @edges: samples beyond the edges of the old frame
 * @is_cubic: whether a new sample is interpolated from 16 samples (bicubic)
 *   rather than from 4 (bilinear)
 */
typedef struct
{
  gdouble matrix[9];
  MgpuWarpEdges edges;
  gboolean is_cubic;
} MgpuWarpParams;

/* Warps frames of any format into frames of the same format, which may have another size.
 * mgpu_object_new() takes no parameters; the input and output images have the format of
 * the object, and may have any size of up to STABILIZE_FAR columns and rows (see
 * kernels/stabilize/shared.h). */
extern const MgpuAlgorithm mgpu_warp;

G_END_DECLS
