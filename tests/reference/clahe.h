/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "reference.h"

/* Parameters of CLAHE: numbers of tiles in a row and in a column, at least 1, and limit of the
 * counts of histogram bins. If clip_limit is 0, counts are not limited. */
typedef struct
{
  int tiles_x, tiles_y;
  double clip_limit;
} RefClahe;

/* Sets @width and @height to the size, in pixels, of a tile of @plane. */
void ref_clahe_tile_size (const RefPlane * plane, const RefClahe * params, int *width, int *height);

/* Counts the values of one tile of @plane, relative to @lo, in @histogram. */
void ref_clahe_count (const RefPlane * plane, const RefClahe * params, int tile_x, int tile_y,
    uint32_t * histogram);

/* Computes the lookup tables of one component: tiles_y x tiles_x tables of values relative to @lo,
 * row by row. @tables contains the tables of @n components: each table is followed by the tables of
 * the same tile for the other components. */
void ref_clahe_tables (const RefPlane * in, const RefClahe * params, uint16_t * tables, int n);

/* Replaces the samples of a component by the values from its lookup tables. The planes @in and @out
 * may be the same. */
void ref_clahe_apply (const RefPlane * in, const RefPlane * out, const RefClahe * params, const uint16_t * tables, int n);
