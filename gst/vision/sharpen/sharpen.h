/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/object.h>

G_BEGIN_DECLS

/**
 * MgpuSharpenParams:
 * @amount: what is added of the difference between the frame and its Gaussian, -1 to 16; -1 leaves the Gaussian alone
 * @sigma: of the Gaussian, in pixels, 0 to 256
 * @threshold: smaller differences stay as they are; in 8-bit units for every depth, 0 to 255
 */
typedef struct
{
  gdouble amount;
  gdouble sigma;
  gdouble threshold;
} MgpuSharpenParams;

/* Sharpens the luma of frames; RGB changes by as much as its luma. in and out have one
 * format and are not the same memory. */
extern const MgpuAlgorithm mgpu_sharpen;

G_END_DECLS
