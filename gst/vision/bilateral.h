/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/image.h>

G_BEGIN_DECLS

/**
 * MgpuBilateralParams:
 * @sigma_color: range sigma, in 8-bit units for every depth, > 0
 * @sigma_space: spatial sigma, in pixels, > 0
 * @radius: radius of the disc of taps in pixels; 0 derives it: rint (1.5 sigma_space), at least 1
 * @all_planes: filters chroma too, its sigma_space scaled by the subsampling
 */
typedef struct
{
  gdouble sigma_color;
  gdouble sigma_space;
  gint radius;
  gboolean all_planes;
} MgpuBilateralParams;

#define MGPU_BILATERAL_MAX_RADIUS 64

typedef struct _MgpuBilateral MgpuBilateral;

/* Builds the kernels for frames like info: its format and size. */
MgpuBilateral * mgpu_bilateral_new (GstMgpuContext * context, const GstVideoInfo * info, GError ** error);

/* in and out: frames like info, not the same memory. Errors stay in job. */
void mgpu_bilateral_enqueue (MgpuBilateral * self, GstMgpuJob * job, const MgpuBilateralParams * params,
    const MgpuImage * in, const MgpuImage * out);

void mgpu_bilateral_free (MgpuBilateral * self);

G_END_DECLS
