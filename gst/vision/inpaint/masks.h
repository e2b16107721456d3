/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Describes a box of pixels: columns x0 to before x1, rows y0 to before y1. Kernels read
 * it as an int4. */
typedef struct
{
  gint x0, y0, x1, y1;
} MgpuBox;

/* Finds the distance of each pixel of @box from the nearest known one, in steps
 * from a pixel to one of its 8 neighbours; around box all pixels of the frame
 * are known. The parameter distances has a number for each pixel of box.
 * Returns: the largest distance */
gint mgpu_inpaint_find_distances (const guint8 * unknown, gint width, gint height, MgpuBox box, gint * distances);

/* Dilates a mask. A byte of to becomes 1 when a byte of @from is at least 128
 * in the square of this radius around it, otherwise 0. The rows of @from are
 * stride bytes apart, the rows of to have no gaps. */
void mgpu_inpaint_dilate (const guint8 * from, gsize stride, gint width, gint height, gint radius, guint8 * to);

/* Finds the hidden pixels that are not connected, in steps to one of 8 neighbours, to any
 * that was hidden in the frame before as well: those of objects that appear. Masks have
 * width x height bytes, other than 0 where pixels are hidden; appeared gets 1 for the
 * pixels that are found, otherwise 0. */
void mgpu_inpaint_find_appeared (const guint8 * hidden, const guint8 * was_hidden, gint width, gint height,
    guint8 * appeared);

/* Finds the pixels of objects that appear whose memory may be that of the
 * objects: those that were seen less than @trusted times, and are near to a
 * pixel that has changed since; in an object less than 1/16 of whose pixels
 * have changed, which stood there before, all of them. Near is a quarter of the
 * shorter side of the object's box. Arrays have width x height bytes: seen how
 * often a pixel was seen, changed other than 0 where it has changed since,
 * appeared what mgpu_inpaint_find_appeared() found, of which those that are
 * found stay 1. */
void mgpu_inpaint_find_doubtful (const guint8 * seen, guint8 trusted, const guint8 * changed, gint width, gint height,
    guint8 * appeared);

G_END_DECLS
