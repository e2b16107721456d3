/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Dilates the pixels that a mask marks, softens their border, and copies parts of masks
 * for the device. A mask has a gray value for each pixel of a frame, row by row without
 * gaps. */
#pragma once

#include <gst/vision/base/image.h>

G_BEGIN_DECLS

/* Dilates a mask: sets each pixel of @to to the greatest gray value within @radius
 * columns and rows of the pixel in @from. @to may be the same array as @from. */
void gst_mgpu_mask_spread  (const guint8 * from, guint8 * to, gint width, gint height, gint radius);

/* Blurs a mask inside the box @part; all gray values outside @part are 0. Replaces each
 * gray value by the mean of the gray values within @radius columns and rows. Pixels
 * outside the frame do not count. */
void gst_mgpu_mask_feather (guint8 * mask, gint width, gint height, const MgpuRect * part, gint radius);

/* Returns: the length in bytes of a row of the copy of @part that gst_mgpu_mask_copy()
 * writes */
gint gst_mgpu_mask_get_stride (const MgpuRect * part);

/* Returns: the size in bytes of the copy of @part that gst_mgpu_mask_copy() writes */
gsize gst_mgpu_mask_get_size (const MgpuRect * part);

/* Copies the rectangle @part of @mask to @to. @width is the width of the mask. The copy
 * has the layout that mgpu_blend_enqueue() reads: if the number of columns or rows is
 * odd, the last one is repeated. */
void gst_mgpu_mask_copy (const guint8 * mask, gint width, const MgpuRect * part, guint8 * to);

G_END_DECLS
