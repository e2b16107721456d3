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

/* Sorts the numbers from 0 to @n - 1 by their levels: number i has the level @level[i],
 * from 0 to @n_levels. Leaves out the numbers of level 0. Sets element k of @ends to the
 * index in the result at which the numbers of level k end; element 0 becomes 0. The
 * result and @ends have elements of type gint.
 * Returns: (transfer full): the numbers, lowest levels first */
GArray * mgpu_inpaint_sort (const gint * level, gint n, gint n_levels, GArray * ends);

G_END_DECLS
