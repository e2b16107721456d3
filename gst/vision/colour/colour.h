/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/rows.h>

G_BEGIN_DECLS

/* Computes the luma of RGB frames as a separate image, and puts changed luma back into frames.
 * The format of luma images, in the member @out of @object, is GRAY8 with the range of the RGB
 * frames. */
typedef struct
{
  MgpuObject object;
  MgpuRows rows;
} MgpuColourLuma;

/* Builds the kernels for frames with the format and size of @info. The format must be RGB with
 * 8 bits and any order of the colors, with or without a fourth sample for alpha or padding.
 * Returns: (transfer full): an object, to be freed with mgpu_object_free(); NULL with the error
 * set */
MgpuColourLuma * mgpu_colour_luma_new (GstMgpuContext * context, const GstVideoInfo * info, GError ** error);

/* Sets @luma to the format and size of the luma of frames. The format is GRAY8 with the range
 * of the frames; @info is the RGB format and the size of the frames. */
void mgpu_colour_luma_info (const GstVideoInfo * info, GstVideoInfo * luma);

/* Enqueues a kernel that computes the luma of the RGB frame @rgb and writes it to the
 * image @luma. Errors stay in @job. */
void mgpu_colour_luma_enqueue (MgpuColourLuma * self, GstMgpuJob * job, const MgpuImage * rgb,
    const MgpuImage * luma);

/* Enqueues a kernel that writes the luma of the RGB frame @rgb to @luma[0]; the caller writes
 * the changed luma to @luma[1]. Sets both elements of @luma to images of the same format, whose
 * memory @self owns.
 * Returns: FALSE if there was an error, which is in @job */
gboolean mgpu_colour_luma_split (MgpuColourLuma * self, GstMgpuJob * job, const MgpuImage * rgb, MgpuImage luma[2]);

/* Enqueues a kernel that replaces the luma of an RGB frame and keeps its chroma. Samples within
 * the nominal range stay within this range. The fourth sample of a pixel, if there is one, is
 * copied. Errors stay in @job.
 * @in: the frame, whose luma is @luma[0].
 * @luma[1]: the new luma.
 * @out: the frame that is written. */
void mgpu_colour_luma_join (MgpuColourLuma * self, GstMgpuJob * job, const MgpuImage * in, const MgpuImage luma[2],
    const MgpuImage * out);

/**
 * MgpuColourMatrix:
 * @identity: whether the conversion changes no sample of the components that both formats have
 * @bits: number of fraction bits of @factor and @offset
 * @max: maximum value of an output sample
 * @wide: whether sums need more than 32 bits
 * @factor: for each output sample, the factors of the input samples Y, U, V or R, G, B
 * @offset: number that is added to each sum, including half a unit for rounding
 *
 * The numbers with which a kernel converts samples of one frame to samples of another frame.
 * Output sample i is (sum over k of @factor[i][k] * sample k + @offset[i]) >> @bits, clamped to
 * the range from 0 to @max. Gray frames have only the first sample.
 */
typedef struct
{
  gboolean identity;
  gint bits, max;
  gboolean wide;
  gint factor[3][3];
  gint offset[3];
} MgpuColourMatrix;

/* Computes the matrix that converts colors from the format and colorimetry of @in to those of
 * @out, and writes it to @matrix. If a colorimetry is unknown, GStreamer's default for the
 * format and size is used. */
void mgpu_colour_matrix (const GstVideoInfo * in, const GstVideoInfo * out, MgpuColourMatrix * matrix);

/* Converts the color @argb (0xaarrggbb) to the components of a pixel. @info: format and
 * colorimetry of the frame of the pixel. @samples: set to Y, U and V, or to R, G and B; for
 * gray frames, only @samples[0] is meaningful. The opacity is ignored. */
void mgpu_colour_from_argb (const GstVideoInfo * info, guint32 argb, gint samples[3]);

/* Returns: the value of color component @component in a black, opaque pixel. Component 0 is
 * luma or red, 3 is alpha */
gint mgpu_colour_black (const GstVideoInfo * info, guint component);

G_END_DECLS
