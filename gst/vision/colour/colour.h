/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/image.h>

G_BEGIN_DECLS

typedef struct _MgpuColourLuma MgpuColourLuma;

/* Builds the kernels for frames like info: RGB with 8 bit, any order, with or
 * without a fourth sample. Freed with mgpu_object_free(). */
MgpuColourLuma * mgpu_colour_luma_new (GstMgpuContext * context, const GstVideoInfo * info, GError ** error);

/* luma: GRAY8 of the same size. Errors stay in job. */
void mgpu_colour_luma_enqueue (MgpuColourLuma * self, GstMgpuJob * job, const MgpuImage * rgb,
    const MgpuImage * luma);

/* Makes out from in, with the luma after in place of before, which is that of
 * in, and with the chroma of in. A fourth sample is copied. */
void mgpu_colour_luma_enqueue_replace (MgpuColourLuma * self, GstMgpuJob * job, const MgpuImage * in,
    const MgpuImage * before, const MgpuImage * after, const MgpuImage * out);

/**
 * MgpuColourMatrix:
 * @identity: samples stay what they are, those that both frames have
 * @bits: fraction bits of @factor and @offset
 * @max: largest value of an output sample
 * @wide: sums need more than 32 bit
 * @factor: of input samples Y, U, V or R, G, B for each output sample
 * @offset: what is added to each sum, half of a unit for rounding included
 *
 * How the samples of one frame become those of another: output sample i is
 * (sum over k of @factor[i][k] * sample k + @offset[i]) >> @bits, limited to 0
 * and @max. Grey has only the first sample.
 */
typedef struct
{
  gboolean identity;
  gint bits, max;
  gboolean wide;
  gint factor[3][3];
  gint offset[3];
} MgpuColourMatrix;

/* Takes depth and colorimetry of in and out; what of it is unknown is as
 * GStreamer has it for the format and size. */
void mgpu_colour_matrix (const GstVideoInfo * in, const GstVideoInfo * out, MgpuColourMatrix * matrix);

/* Sample component of a black, opaque pixel. */
gint mgpu_colour_black (const GstVideoInfo * info, guint component);

G_END_DECLS
