/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/object.h>

G_BEGIN_DECLS

/**
 * MgpuBilateralMethod:
 * @MGPU_BILATERAL_EXACT: the definition; the cost grows with the square of the radius
 * @MGPU_BILATERAL_GRID: bilateral grid
 * @MGPU_BILATERAL_CONSTANT_TIME: between weighted means for some levels
 */
typedef enum
{
  MGPU_BILATERAL_EXACT,
  MGPU_BILATERAL_GRID,
  MGPU_BILATERAL_CONSTANT_TIME
} MgpuBilateralMethod;

/**
 * MgpuBilateralParams:
 * @sigma_color: range sigma, in 8-bit units for every depth, > 0
 * @sigma_space: spatial sigma, in pixels, > 0
 * @radius: of the disc of taps of @MGPU_BILATERAL_EXACT, in pixels, 0 to 64; 0 derives it: rint (1.5 sigma_space), at
 *   least 1
 * @all_planes: whether chroma of YUV frames is filtered too, its sigma_space scaled by the subsampling
 * @method: how it is computed
 * @levels: of @MGPU_BILATERAL_CONSTANT_TIME, 4 to 256
 */
typedef struct
{
  gdouble sigma_color;
  gdouble sigma_space;
  gint radius;
  gboolean all_planes;
  MgpuBilateralMethod method;
  gint levels;
} MgpuBilateralParams;

/* Filters frames bilaterally. in and out have one format and size and are not the same
 * memory. guide: of that size, in any format, its values decide on the weights; NULL:
 * the values of in do. mgpu_object_new() makes the kernels of the method that its params
 * have; those of another one are made when a frame asks for it. */
extern const MgpuAlgorithm mgpu_bilateral;

G_END_DECLS
