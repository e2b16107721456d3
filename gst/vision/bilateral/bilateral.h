/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/object.h>

G_BEGIN_DECLS

/**
 * MgpuBilateralMethod:
 * @MGPU_BILATERAL_EXACT: computes the filter by its definition; the cost grows with the square of the radius
 * @MGPU_BILATERAL_GRID: computes a bilateral grid, an approximation
 * @MGPU_BILATERAL_CONSTANT_TIME: computes weighted means for some levels of the range of values, and
 *   interpolates between them
 */
typedef enum
{
  MGPU_BILATERAL_EXACT,
  MGPU_BILATERAL_GRID,
  MGPU_BILATERAL_CONSTANT_TIME
} MgpuBilateralMethod;

/**
 * MgpuBilateralParams:
 * @sigma_color: sigma of the range weights, in 8-bit units for every depth, > 0
 * @sigma_space: sigma of the spatial weights, in pixels, > 0
 * @radius: radius, in pixels, of the disc of samples that @MGPU_BILATERAL_EXACT averages, 0 to
 *   64; 0: rint (1.5 sigma_space), but at least 1
 * @all_planes: whether chroma of YUV frames is also filtered; sigma_space is then divided by
 *   the horizontal subsampling for chroma
 * @method: method that computes the filter
 * @levels: number of levels of @MGPU_BILATERAL_CONSTANT_TIME, 4 to 256
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

/* Applies a bilateral filter to frames.
 * @in, @out: images of the same format and size, in different memories.
 * @guide: image of the same size and any format, whose values determine the range weights.
 * NULL: the image @in.
 * mgpu_object_new() builds the kernels of the method that its argument @params names. The
 * kernels of another method are built for the first frame whose parameters name it. */
extern const MgpuAlgorithm mgpu_bilateral;

G_END_DECLS
