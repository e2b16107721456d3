/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Makes what a mask covers larger and its border soft, and copies parts of it for the device. A
 * mask has a grey value for each pixel of a frame, row by row without gaps. */
#pragma once

#include <gst/vision/base/image.h>

G_BEGIN_DECLS

/* Sets each pixel of @to to the greatest grey value within @radius columns and rows of @from,
 * which may be @to. */
void gst_mgpu_mask_spread  (const guint8 * from, guint8 * to, gint width, gint height, gint radius);

/* Replaces each grey value in @part of the mask, outside of which all are 0, by the mean of the
 * grey values within @radius columns and rows that are in the frame. */
void gst_mgpu_mask_feather (guint8 * mask, gint width, gint height, const MgpuRect * part, gint radius);

/* Returns: the number of bytes of a row of @part, as gst_mgpu_mask_copy() writes it */
gint gst_mgpu_mask_get_stride (const MgpuRect * part);

/* Returns: the number of bytes of @part, as gst_mgpu_mask_copy() writes it */
gsize gst_mgpu_mask_get_size (const MgpuRect * part);

/* Copies @part of a mask of frames that are @width pixels wide to @to, as mgpu_blend_enqueue()
 * reads it: repeats the last column or row where their number is odd. */
void gst_mgpu_mask_copy (const guint8 * mask, gint width, const MgpuRect * part, guint8 * to);

G_END_DECLS
