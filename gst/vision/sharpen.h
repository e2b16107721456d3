/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/image.h>

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

#define MGPU_SHARPEN_MIN_AMOUNT -1.0
#define MGPU_SHARPEN_MAX_AMOUNT 16.0
#define MGPU_SHARPEN_MAX_SIGMA 256.0

typedef struct _MgpuSharpen MgpuSharpen;

/* Builds the kernels for frames like info: its format and size. */
MgpuSharpen * mgpu_sharpen_new (GstMgpuContext * context, const GstVideoInfo * info, GError ** error);

/* Changes luma; RGB by as much as its luma. in and out: frames like info, not
 * the same memory. Errors stay in job. */
void mgpu_sharpen_enqueue (MgpuSharpen * self, GstMgpuJob * job, const MgpuSharpenParams * params,
    const MgpuImage * in, const MgpuImage * out);

void mgpu_sharpen_free (MgpuSharpen * self);

G_END_DECLS
