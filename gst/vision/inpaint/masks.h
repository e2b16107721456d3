/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Describes a box of pixels: columns @x0 to @x1 - 1 of rows @y0 to @y1 - 1. Kernels read a box
 * as an int4. */
typedef struct
{
  gint x0, y0, x1, y1;
} MgpuBox;

/* Computes the distance of each pixel of @box from the nearest known pixel. Distances are
 * numbers of steps from a pixel to one of its 8 neighbors. All pixels of the frame outside of
 * @box must be known.
 * @unknown: a byte for each pixel of the frame, not 0 for unknown pixels
 * @distances: written, the distance of each pixel of @box, row by row
 * Returns: the largest distance */
gint mgpu_inpaint_find_distances (const guint8 * unknown, gint width, gint height, MgpuBox box, gint * distances);

/* Dilates a mask. A byte of @to becomes 1 if any byte of @from at most @radius columns and at
 * most @radius rows away is at least 128, otherwise 0. The rows of @from are @stride bytes
 * apart; the rows of @to have no gaps. */
void mgpu_inpaint_dilate (const guint8 * from, gsize stride, gint width, gint height, gint radius, guint8 * to);

/* Sorts the numbers from 0 to @n - 1 by their levels. Number i has the level @level[i], from 0
 * to @n_levels. Omits the numbers of level 0. Sets element k of @ends to the index in the result
 * after the last number of level k; element 0 becomes 0. The result and @ends have elements of
 * type gint. Returns: (transfer full): the numbers, lowest levels first */
GArray * mgpu_inpaint_sort (const gint * level, gint n, gint n_levels, GArray * ends);

G_END_DECLS
