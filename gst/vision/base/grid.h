/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Counts, for each cell of a grid, the rectangles that cover it. The grid has
 * columns x rows cells. */
typedef struct
{
  gint columns, rows;
  gint *counts;                 /* array of (rows + 1) x (columns + 1) numbers,
                                 * row after row */
} MgpuGrid;

void mgpu_grid_init  (MgpuGrid * self, gint columns, gint rows);
void mgpu_grid_clear (MgpuGrid * self);

/* Adds a rectangle, which covers the cells of columns left to right - 1 in rows
 * top to bottom - 1. Call mgpu_grid_sum() after all rectangles are added: only
 * then the counts are valid. */
void mgpu_grid_add   (MgpuGrid * self, gint left, gint right, gint top, gint bottom);

/* Adds a rectangle for each region of a frame. The array regions has elements
 * of type MgpuScoredBox, in pixels. The arrays x and y have the positions of
 * the grid's columns and rows, in pixels, in rising order: a region covers all
 * cells whose position lies in it. */
void mgpu_grid_add_regions (MgpuGrid * self, const GArray * regions, const gint * x, const gint * y);

void mgpu_grid_sum   (MgpuGrid * self);

/* Returns: whether any rectangle covers a cell of column x in one of the rows
 * first to last */
gboolean mgpu_grid_is_in (const MgpuGrid * self, gint x, gint first, gint last);

G_END_DECLS
