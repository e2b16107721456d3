/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/rows.h>

G_BEGIN_DECLS

/* Maximum number of planes of a frame: red, green, blue and alpha */
#define MGPU_COLOUR_ALPHA_PLANES 4

/* Object that makes linear filters weight colors by alpha. It splits a frame into planes of
 * colors times alpha and a plane of alpha. The caller filters all these planes in the same
 * way. The object then divides the filtered colors by the filtered alpha. The slots 0 and 1
 * (scratch buffers) hold the planes before and after the filter. */
typedef struct
{
  MgpuObject object;
  MgpuRows rows;
  guint n_planes;               /* number of planes: one for each color channel, and one for
                                 * alpha */
} MgpuColourAlpha;

/* Returns: whether frames with the format of @info need a MgpuColourAlpha. */
gboolean mgpu_colour_has_alpha (const GstVideoInfo * info);

/* Builds the kernels for frames with the format and size of @info, which must have alpha.
 * @n_channels: 3 to filter red, green and blue; 1 to filter the luma of the frames.
 * Returns: (transfer full): an object, to be freed with mgpu_object_free(); NULL with the error
 * set */
MgpuColourAlpha * mgpu_colour_alpha_new (GstMgpuContext * context, const GstVideoInfo * info, guint n_channels,
    GError ** error);

/* Sets @plane to the format of a plane, GRAY16_LE, and to the size of @info. Values in a plane
 * are 256 times those of 8-bit samples. */
void mgpu_colour_alpha_info (const GstVideoInfo * info, GstVideoInfo * plane);

/* Enqueues a kernel that splits @frame into planes.
 * @luma: luma of @frame for objects with one channel, otherwise NULL.
 * @before: its first self->n_planes elements are set to the images that the kernel writes: the
 * planes of colors, then the plane of alpha.
 * @after: set to images for the filtered planes; the caller writes them.
 * @self owns the memory of all these images.
 * Returns: FALSE if there was an error, which is in @job */
gboolean mgpu_colour_alpha_split (MgpuColourAlpha * self, GstMgpuJob * job, const MgpuImage * frame,
    const MgpuImage * luma, MgpuImage before[MGPU_COLOUR_ALPHA_PLANES], MgpuImage after[MGPU_COLOUR_ALPHA_PLANES]);

/* Enqueues a kernel that divides the filtered colors in @after by the filtered alpha, and
 * writes the result to @out. For objects with three channels, @out is a frame like @frame, and
 * gets its alpha. For objects with one channel, @out is an image in the format of the planes.
 * Where the filtered alpha is 0, the result is the color of @frame. Errors stay in @job. */
void mgpu_colour_alpha_join (MgpuColourAlpha * self, GstMgpuJob * job, const MgpuImage * frame,
    const MgpuImage * luma, const MgpuImage after[MGPU_COLOUR_ALPHA_PLANES], const MgpuImage * out);

G_END_DECLS
