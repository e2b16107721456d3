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
 * Selects the samples outside of the frame. The values are those of the constants in
 * kernels/base/warp-shared.h.
 */
typedef enum
{
  MGPU_WARP_BLACK,
  MGPU_WARP_REPEAT,
  MGPU_WARP_MIRROR
} MgpuWarpEdges;

/**
 * MgpuInterpolation:
 * @MGPU_INTERPOLATION_BILINEAR: from 4 pixels
 * @MGPU_INTERPOLATION_CUBIC: from 16 pixels (bicubic)
 * @MGPU_INTERPOLATION_LANCZOS: from 36 pixels (Lanczos with 3 lobes)
 *
 * Tells how values between pixels are computed.
 */
typedef enum
{
  MGPU_INTERPOLATION_BILINEAR,
  MGPU_INTERPOLATION_CUBIC,
  MGPU_INTERPOLATION_LANCZOS
} MgpuInterpolation;

/**
 * MgpuWarpParams:
 * @matrix: homography, row by row, that moves a point of the new frame to its position in the old
 *   frame, in pixels. (0, 0) is the center of the upper left pixel. The last number is not 0
 * @edges: samples outside of the old frame
 */
typedef struct
{
  gdouble matrix[9];
  MgpuWarpEdges edges;
  MgpuInterpolation interpolation;
} MgpuWarpParams;

/* Warps frames of any format into frames of the same format, which may have a different size.
 * mgpu_object_new() needs no parameters. The input and output images have the format of the
 * object. Each may have any size of up to WARP_FAR columns and rows (see
 * kernels/base/warp-shared.h). */
extern const MgpuAlgorithm mgpu_warp;

G_END_DECLS
