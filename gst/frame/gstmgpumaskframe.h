/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reads the masks that frames carry. A mask has a grey value for each pixel of a frame, row by
 * row without gaps. */
#pragma once

#include <gst/video/video.h>

G_BEGIN_DECLS

/* Sets each grey value of @mask to the maximum of itself and of 255 less the alpha of the pixel of
 * the frame in @buffer, which has the format @info. Returns: FALSE if the frame has no alpha or
 * cannot be read; then the error is set */
gboolean gst_mgpu_mask_add_transparent (guint8 * mask, GstBuffer * buffer, const GstVideoInfo * info,
                                        GError ** error);

/* Sets to 255 the pixels of @marked, one byte for each of @width x @height pixels, that
 * the segmentation masks of @buffer (its GstAnalyticsSegmentationMtd) show as objects of
 * one of @types. @types are type names separated by commas; NULL or "*" means all
 * objects, that is all pixels whose value in the segmentation mask is not 0. Sets
 * *@n_masks to the number of segmentation masks. Returns: FALSE if GStreamer is too old for
 * such masks, or a mask cannot be read; then the error is set */
gboolean gst_mgpu_mask_add_segments    (guint8 * marked, gint width, gint height, GstBuffer * buffer,
                                        const gchar * types, guint * n_masks, GError ** error);

G_END_DECLS
