/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Finds the pixels that are set in a mask and not in the mask of the frame before. */
#pragma once

#include <gst/vision/inpaint/masks.h>

G_BEGIN_DECLS

/* Returns: the box around the pixels that are set in @mask and not in @was, two masks of
 * @width x @height bytes that are 0 or 1; empty (x1 is 0) when there are none */
MgpuBox mgpu_background_find_new (const guint8 * mask, const guint8 * was, gint width, gint height);

/* Finds the parts of @mask that have appeared: its 8-connected parts without a pixel that is
 * set in @was. The bytes of both masks are 0 or 1. Sets *labels to an array of
 * @width x @height numbers, (transfer full), in which a pixel of a part is 1 + the index of the
 * part in the result, and any other pixel 0. Two zeros for each part, and two more, follow these
 * numbers. *labels is NULL when there are no such parts.
 * Returns: (transfer full): array of MgpuBox, the boxes around the parts */
GArray * mgpu_background_find_appeared (const guint8 * mask, const guint8 * was, gint width, gint height,
    gint ** labels);

G_END_DECLS
