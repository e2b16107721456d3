/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/image.h>

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
 * @radius: of @MGPU_BILATERAL_EXACT: radius of the disc of taps in pixels; 0 derives it: rint (1.5 sigma_space), at least 1
 * @all_planes: filters chroma too, its sigma_space scaled by the subsampling
 * @method: how it is computed
 * @levels: of @MGPU_BILATERAL_CONSTANT_TIME, at least 4
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

#define MGPU_BILATERAL_MAX_RADIUS 64
#define MGPU_BILATERAL_MIN_LEVELS 4
#define MGPU_BILATERAL_MAX_LEVELS 256

typedef struct _MgpuBilateral MgpuBilateral;

/* Builds the kernels of method for frames like info: its format and size. Those of the others are built when one is
 * asked for. guide: NULL, or what the guides are like: of the size of info, any format. */
MgpuBilateral * mgpu_bilateral_new (GstMgpuContext * context, const GstVideoInfo * info, const GstVideoInfo * guide,
    MgpuBilateralMethod method, GError ** error);

/* in and out: frames like info, not the same memory. guide: the frame whose values decide on the weights, or NULL where
 * it is in itself; with one, iff mgpu_bilateral_new() had one. Errors stay in job. */
void mgpu_bilateral_enqueue (MgpuBilateral * self, GstMgpuJob * job, const MgpuBilateralParams * params,
    const MgpuImage * in, const MgpuImage * guide, const MgpuImage * out);

void mgpu_bilateral_free (MgpuBilateral * self);

G_END_DECLS
