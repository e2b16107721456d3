/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/histeq/clahe.h>

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

/**
 * MgpuHisteqMethod:
 * @MGPU_HISTEQ_GLOBAL: one table for the whole frame
 * @MGPU_HISTEQ_CLAHE: one for each tile, of limited contrast
 */
typedef enum
{
  MGPU_HISTEQ_GLOBAL,
  MGPU_HISTEQ_CLAHE
} MgpuHisteqMethod;

/* temporal_smoothing: 0 to 1, what the tables of earlier frames weigh. clahe is
 * for that method only. */
typedef struct
{
  MgpuHisteqMethod method;
  MgpuHisteqChannels channels;
  gdouble temporal_smoothing;
  MgpuClaheParams clahe;
} MgpuHisteqParams;

typedef struct _MgpuHisteq MgpuHisteq;

/* Builds the kernels for frames like info: its format and size. Others than
 * those for params are built when they are needed. */
MgpuHisteq * mgpu_histeq_new (GstMgpuContext * context, const GstVideoInfo * info,
    const MgpuHisteqParams * params, GError ** error);

/* in and out: frames like info, not the same memory. Errors stay in job. */
void mgpu_histeq_enqueue (MgpuHisteq * self, GstMgpuJob * job, const MgpuHisteqParams * params,
    const MgpuImage * in, const MgpuImage * out);

/* The next frame has nothing to do with the ones before. */
void mgpu_histeq_reset (MgpuHisteq * self);

void mgpu_histeq_free (MgpuHisteq * self);

G_END_DECLS
