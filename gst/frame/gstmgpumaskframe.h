/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reads the masks of frames. A mask has a gray value for each pixel of a frame, row by row
 * without gaps. */
#pragma once

#include <gst/video/video.h>

G_BEGIN_DECLS

/* Sets each gray value of @mask to the maximum of itself and (255 - alpha) of the pixel in the
 * frame of @buffer, which has the format @info. Returns: FALSE with the error set if the frame
 * has no alpha or cannot be read */
gboolean gst_mgpu_mask_add_transparent (guint8 * mask, GstBuffer * buffer, const GstVideoInfo * info,
                                        GError ** error);

/* Marks the pixels that show objects of one of @types according to the segmentation masks of
 * @buffer (its GstAnalyticsSegmentationMtd). @marked has one byte for each of @width x @height
 * pixels; the bytes of these pixels are set to 255. @types is a list of type names separated
 * by commas; NULL or "*" means all objects, that is, all pixels whose value in the
 * segmentation mask is not 0. Sets *@n_masks to the number of segmentation masks. Returns:
 * FALSE with the error set if GStreamer is too old for such masks, or if a mask cannot be read */
gboolean gst_mgpu_mask_add_segments    (guint8 * marked, gint width, gint height, GstBuffer * buffer,
                                        const gchar * types, guint * n_masks, GError ** error);

G_END_DECLS
