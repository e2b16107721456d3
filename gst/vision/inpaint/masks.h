/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Describes a box of pixels: columns @x0 to before @x1, rows @y0 to before @y1. Kernels
 * read a box as an int4. */
typedef struct
{
  gint x0, y0, x1, y1;
} MgpuBox;

/* Finds the distance of each pixel of @box from the nearest known pixel, in steps from a
 * pixel to one of its 8 neighbours; outside of @box all pixels of the frame must be
 * known. @unknown has a byte for each pixel of the frame, other than 0 for unknown
 * pixels. The array @distances gets the distance of each pixel of @box, row by row.
 * Returns: the largest distance */
gint mgpu_inpaint_find_distances (const guint8 * unknown, gint width, gint height, MgpuBox box, gint * distances);

/* Dilates a mask. A byte of @to becomes 1 when any byte of @from at most @radius columns
 * and rows away is at least 128, otherwise it becomes 0. The rows of @from are @stride
 * bytes apart, the rows of @to have no gaps. */
void mgpu_inpaint_dilate (const guint8 * from, gsize stride, gint width, gint height, gint radius, guint8 * to);

/* Finds the pixels of objects that appear in this frame: hidden pixels that are not
 * connected, in steps to one of 8 neighbours, with a pixel that was hidden in the
 * previous frame too. The masks @hidden (this frame) and @was_hidden (previous frame)
 * have @width x @height bytes, other than 0 for hidden pixels. The array @appeared gets 1
 * for the pixels that are found, otherwise 0. */
void mgpu_inpaint_find_appeared (const guint8 * hidden, const guint8 * was_hidden, gint width, gint height,
    guint8 * appeared);

/* Finds the pixels whose remembered value may belong to an object that has just appeared,
 * and not to the background behind it. A pixel of such an object counts when it was
 * visible in fewer than @trusted frames and a pixel near it differs from its remembered
 * value; near means at a distance of at most a quarter of the shorter side of the
 * object's box. If less than 1/16 of the object's pixels have changed, the object stood
 * there before, and all its pixels that were seldom visible count. All arrays have @width
 * x @height bytes: @seen has the number of frames in which a pixel was visible; @changed
 * is other than 0 for pixels that differ from their remembered value; @appeared is the
 * result of mgpu_inpaint_find_appeared(): here the pixels that count stay 1, all others
 * become 0. */
void mgpu_inpaint_find_doubtful (const guint8 * seen, guint8 trusted, const guint8 * changed, gint width, gint height,
    guint8 * appeared);

G_END_DECLS
