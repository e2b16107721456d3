/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Counts how many rectangles lie on each cell of a level. */
typedef struct
{
  gint columns, rows;
  gint *counts;                 /* [rows + 1][columns + 1] */
} MgpuGrid;

void mgpu_grid_init  (MgpuGrid * self, gint columns, gint rows);
void mgpu_grid_clear (MgpuGrid * self);

/* Adds a rectangle, from the cell (left, top) to before the cell (right, bottom). Call
 * mgpu_grid_sum() after all rectangles are added: only then the counts are valid. */
void mgpu_grid_add   (MgpuGrid * self, gint left, gint right, gint top, gint bottom);

/* Adds a rectangle for each of the regions, an array of MgpuScoredBox: the cells whose
 * place lies in it. The arrays x and y have the places of columns and rows in pixels, in
 * rising order. */
void mgpu_grid_add_regions (MgpuGrid * self, const GArray * regions, const gint * x, const gint * y);

void mgpu_grid_sum   (MgpuGrid * self);

/* Returns: whether a rectangle lies on column x in one of the rows first to last */
gboolean mgpu_grid_is_in (const MgpuGrid * self, gint x, gint first, gint last);

G_END_DECLS
