/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/rows.h>

G_BEGIN_DECLS

/* Computes the luma of RGB frames as an image of its own, and puts a changed luma back
 * into frames. The format of luma images, in the member @out of @object, is GRAY8 with
 * the range of the RGB frames. */
typedef struct
{
  MgpuObject object;
  MgpuRows rows;
} MgpuColourLuma;

/* Builds the kernels for frames with the format and size of @info. The format is RGB with
 * 8 bits in any order, with or without a fourth sample for alpha or padding.
 * Returns: (transfer full): an object to be freed with mgpu_object_free(); NULL with the
 * error set */
MgpuColourLuma * mgpu_colour_luma_new (GstMgpuContext * context, const GstVideoInfo * info, GError ** error);

/* Sets @luma to the format of the luma of frames with the format and size of
 * @info, which is RGB: GRAY8 with the range of the frames. */
void mgpu_colour_luma_info (const GstVideoInfo * info, GstVideoInfo * luma);

/* Enqueues a kernel that computes the luma of the RGB frame @rgb and writes it to the
 * image @luma. Errors stay in @job. */
void mgpu_colour_luma_enqueue (MgpuColourLuma * self, GstMgpuJob * job, const MgpuImage * rgb,
    const MgpuImage * luma);

/* Sets @luma[0] and @luma[1] to two images of one format, whose memory @self owns. Enqueues a
 * kernel that writes the luma of the RGB frame @rgb to @luma[0]; the caller fills @luma[1].
 * Returns: FALSE if there was an error, which is in @job */
gboolean mgpu_colour_luma_split (MgpuColourLuma * self, GstMgpuJob * job, const MgpuImage * rgb, MgpuImage luma[2]);

/* Enqueues a kernel that makes the RGB frame @out from the RGB frame @in: it replaces the
 * luma of @in, which is @luma[0], by @luma[1], and keeps the chroma. The fourth sample of
 * a pixel, if there is one, is copied. Samples within the nominal range stay within this
 * range. Errors stay in @job. */
void mgpu_colour_luma_join (MgpuColourLuma * self, GstMgpuJob * job, const MgpuImage * in, const MgpuImage luma[2],
    const MgpuImage * out);

/**
 * MgpuColourMatrix:
 * @identity: whether the conversion keeps the values of all samples of those components
 *   that both formats have
 * @bits: number of fraction bits of @factor and @offset
 * @max: largest value of an output sample
 * @wide: whether sums need more than 32 bits
 * @factor: factors of the input samples Y, U, V or R, G, B for each output
 *   sample
 * @offset: number that is added to each sum, including half a unit for rounding
 *
 * Holds the numbers with which a kernel converts samples of one frame to those
 * of another: output sample i is (sum over k of @factor[i][k] * sample k +
 * @offset[i]) >> @bits, limited to 0 and @max. Grey frames have only the first
 * sample.
 */
typedef struct
{
  gboolean identity;
  gint bits, max;
  gboolean wide;
  gint factor[3][3];
  gint offset[3];
} MgpuColourMatrix;

/* Computes the matrix that converts colours from the format and colorimetry of @in to
 * those of @out. If a colorimetry is unknown, the default of GStreamer for the format and
 * size is used. */
void mgpu_colour_matrix (const GstVideoInfo * in, const GstVideoInfo * out, MgpuColourMatrix * matrix);

/* Converts the colour @argb, 0xaarrggbb, to the components of a pixel of frames with the
 * format and colorimetry of @info: sets @samples to Y, U and V, or R, G and B. For grey
 * frames, only @samples[0] counts. The opacity is ignored. */
void mgpu_colour_from_argb (const GstVideoInfo * info, guint32 argb, gint samples[3]);

/* Returns: the value that colour component @component has in a black, opaque pixel;
 * component 0 is luma or red, 3 is alpha */
gint mgpu_colour_black (const GstVideoInfo * info, guint component);

G_END_DECLS
