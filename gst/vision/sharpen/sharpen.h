/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/object.h>

G_BEGIN_DECLS

/**
 * MgpuSharpenParams:
 * @amount: factor of the difference between the frame and its Gaussian, which is added to the frame: -1 to 16; -1
 *   leaves only the Gaussian
 * @sigma: standard deviation of the Gaussian, in pixels, 0 to 256
 * @threshold: limit of the difference, in 8-bit steps for every depth, 0 to 255; samples with smaller differences stay
 *   as they are
 */
typedef struct
{
  gdouble amount;
  gdouble sigma;
  gdouble threshold;
} MgpuSharpenParams;

/* Sharpens the luma of frames; red, green and blue change by as much as luma does. The
 * images in and out have the same format and different memories. */
extern const MgpuAlgorithm mgpu_sharpen;

G_END_DECLS
