/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Finds by how many columns and rows the camera has moved between an earlier picture and
 * a frame, both of @width x @height pixels of 8 bits: the pixel (x, y) of the frame shows
 * what the pixel (x + *dx, y + *dy) of the picture shows. The array @pairs has two bytes
 * for each pixel: the frame, and the picture. The array @is_void has bit 0 for pixels of
 * the frame that do not count, and bit 1 for those of the picture. See
 * docs/algorithms/inpaint.md. */
void mgpu_inpaint_find_shift (const guint8 * pairs, const guint8 * is_void, gint width, gint height, gint * dx,
    gint * dy);

G_END_DECLS
