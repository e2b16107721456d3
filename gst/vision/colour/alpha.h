/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/rows.h>

G_BEGIN_DECLS

/* Largest number of planes of a frame: red, green, blue and alpha */
#define MGPU_COLOUR_ALPHA_PLANES 4

/* Lets linear filters weigh colours by alpha: splits a frame into planes of colours times
 * alpha and a plane of alpha, all of which the caller filters in the same way, and
 * divides the filtered colours by the filtered alpha. The slots 0 and 1 (scratch buffers)
 * hold the planes before and after the filter. */
typedef struct
{
  MgpuObject object;
  MgpuRows rows;
  guint n_planes;               /* number of planes: one for each channel, and one for
                                 * alpha */
} MgpuColourAlpha;

/* Tells whether frames with the format of @info need such an object. */
gboolean mgpu_colour_has_alpha (const GstVideoInfo * info);

/* Builds the kernels for frames with the format and size of @info, which has alpha. With
 * @n_channels of 3, red, green and blue are filtered, with 1 the luma of the frames.
 * Returns: (transfer full): an object to be freed with mgpu_object_free(); NULL with the
 * error set */
MgpuColourAlpha * mgpu_colour_alpha_new (GstMgpuContext * context, const GstVideoInfo * info, guint n_channels,
    GError ** error);

/* Sets @plane to the format of the planes of frames with the size of @info: GRAY16_LE,
 * with 256 as the unit of 8-bit samples. */
void mgpu_colour_alpha_info (const GstVideoInfo * info, GstVideoInfo * plane);

/* Sets the first self->n_planes elements of @before and @after to images whose memory
 * @self owns: the planes of colours, and behind them that of alpha. Enqueues a kernel
 * that fills @before from @frame, and the caller fills @after. @luma is the luma of @frame
 * for objects with one channel, otherwise NULL.
 * Returns: FALSE if there was an error, which is in @job */
gboolean mgpu_colour_alpha_split (MgpuColourAlpha * self, GstMgpuJob * job, const MgpuImage * frame,
    const MgpuImage * luma, MgpuImage before[MGPU_COLOUR_ALPHA_PLANES], MgpuImage after[MGPU_COLOUR_ALPHA_PLANES]);

/* Enqueues a kernel that divides the filtered colours @after by the filtered alpha. @out is
 * a frame like @frame, whose alpha it gets, or, for objects with one channel, an image in
 * the format of the planes. Where the filtered alpha is 0, colours of @frame stay. Errors
 * stay in @job. */
void mgpu_colour_alpha_join (MgpuColourAlpha * self, GstMgpuJob * job, const MgpuImage * frame,
    const MgpuImage * luma, const MgpuImage after[MGPU_COLOUR_ALPHA_PLANES], const MgpuImage * out);

G_END_DECLS
