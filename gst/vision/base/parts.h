/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Finds which cells of a grid lie in the regions of a frame. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Describes a part of a grid: the cells in columns @left to @right - 1 of rows @top to
 * @bottom - 1. */
typedef struct
{
  gint left, right, top, bottom;
} MgpuPart;

/* Appends to @parts, an array of MgpuPart, the part of the grid that each region of a frame
 * covers. The array @regions has elements of type MgpuScoredBox, in pixels. The arrays @x
 * and @y have the positions of the grid's columns and rows, in pixels, in rising order: the
 * part of a region has all cells whose position lies in the region. */
void mgpu_parts_add_regions (GArray * parts, const GArray * regions, const gint * x, gint columns, const gint * y,
    gint rows);

/* Makes an array of parts that do not overlap, and that have all cells of @parts inside
 * of a grid of @columns x @rows cells. The new parts go from top to bottom, then from
 * left to right. Parts that share a row begin and end in the same rows, and have at least
 * @gap columns between them: the columns of narrower gaps are added to the parts.
 * Returns: (transfer full): an array of MgpuPart */
GArray * mgpu_parts_split (const GArray * parts, gint columns, gint rows, gint gap);

G_END_DECLS
