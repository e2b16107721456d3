/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Finds which cells of a grid lie in the regions of a frame. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A part of a grid: the cells in columns @left to @right - 1 of rows @top to @bottom - 1. */
typedef struct
{
  gint left, right, top, bottom;
} MgpuPart;

/* Appends to @parts, an array of MgpuPart, one part of the grid for each region of a frame: all
 * cells whose position lies in the region.
 * @regions: array of MgpuScoredBox, in pixels.
 * @x, @y: positions of the grid's columns and rows, in pixels, in increasing order. */
void mgpu_parts_add_regions (GArray * parts, const GArray * regions, const gint * x, gint columns, const gint * y,
    gint rows);

/* Replaces parts that may overlap by parts that do not overlap and have the same cells, inside
 * a grid of @columns x @rows cells. The new parts go from top to bottom, then from left to
 * right. Parts that share a row begin and end in the same rows. Between them, there are at
 * least @gap columns: a part is extended over a gap that is narrower.
 * Returns: (transfer full): an array of MgpuPart */
GArray * mgpu_parts_split (const GArray * parts, gint columns, gint rows, gint gap);

G_END_DECLS
