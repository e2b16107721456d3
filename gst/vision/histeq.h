/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/image.h>

G_BEGIN_DECLS

/**
 * MgpuHisteqChannels:
 * @MGPU_HISTEQ_LUMA: equalizes luma; chroma and hue stay
 * @MGPU_HISTEQ_EACH: equalizes every channel of an RGB frame by itself; YUV frames as luma
 */
typedef enum
{
  MGPU_HISTEQ_LUMA,
  MGPU_HISTEQ_EACH
} MgpuHisteqChannels;

typedef struct
{
  MgpuHisteqChannels channels;
} MgpuHisteqParams;

typedef struct _MgpuHisteq MgpuHisteq;

/* Builds the kernels for frames like info: its format and size. */
MgpuHisteq * mgpu_histeq_new (GstMgpuContext * context, const GstVideoInfo * info, GError ** error);

/* in and out: frames like info, not the same memory. Errors stay in job. */
void mgpu_histeq_enqueue (MgpuHisteq * self, GstMgpuJob * job, const MgpuHisteqParams * params,
    const MgpuImage * in, const MgpuImage * out);

void mgpu_histeq_free (MgpuHisteq * self);

G_END_DECLS
