/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* Sets to 255 the pixels of @marked, one byte for each of @width x @height pixels, that
 * the segmentation masks of @buffer (its GstAnalyticsSegmentationMtd) show as objects of
 * one of @types. @types are type names separated by commas; NULL or "*" means all
 * objects, that is all pixels whose value in the segmentation mask is not 0. Sets
 * *@n_masks to the number of segmentation masks. Returns: FALSE if GStreamer is too old for
 * such masks, or a mask cannot be read; then the error is set */
gboolean gst_mgpu_inpaint_mark_segments (GstBuffer * buffer, const gchar * types, guint8 * marked, gint width,
                                         gint height, guint * n_masks, GError ** error);

G_END_DECLS
