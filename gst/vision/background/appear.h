/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Finds the pixels that are set in the mask of a frame and were not set in the mask of the
 * frame before. */
#pragma once

#include <gst/vision/inpaint/masks.h>

G_BEGIN_DECLS

/* @mask and @was: masks of @width x @height bytes, each 0 or 1.
 * Returns: the box around the pixels that are set in @mask and not in @was; its x1 is 0 when
 * there are no such pixels */
MgpuBox mgpu_background_find_new (const guint8 * mask, const guint8 * was, gint width, gint height);

/* Finds the parts of @mask that have appeared: its 8-connected parts without a pixel that is
 * set in @was. The bytes of both masks are 0 or 1.
 * Sets *labels (transfer full) to an array of @width x @height numbers. The number of a pixel
 * that belongs to a part is 1 + the index of the part in the result; the number of any other
 * pixel is 0. The array ends with two zeros for each part, and two more zeros. *labels is NULL
 * when no part has appeared.
 * Returns: (transfer full): array of MgpuBox, the boxes around the parts */
GArray * mgpu_background_find_appeared (const guint8 * mask, const guint8 * was, gint width, gint height,
    gint ** labels);

G_END_DECLS
