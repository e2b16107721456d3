/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "reference.h"

/* Parameters of CLAHE: the numbers of tiles in a row and in a column, at least 1, and the limit
 * of histogram bins; a clip_limit of 0 clips nothing. */
typedef struct
{
  int tiles_x, tiles_y;
  double clip_limit;
} RefClahe;

/* Sets @width and @height to the size, in pixels, of a tile of @plane. */
void ref_clahe_tile_size (const RefPlane * plane, const RefClahe * params, int *width, int *height);

/* Counts the values of one tile of @plane, counted from @lo, into @histogram. */
void ref_clahe_count (const RefPlane * plane, const RefClahe * params, int tile_x, int tile_y,
    uint32_t * histogram);

/* Makes the tables of one component: tiles_y x tiles_x tables of values counted from @lo, row
 * by row. In @tables each of them is followed by those of n - 1 other components. */
void ref_clahe_tables (const RefPlane * in, const RefClahe * params, uint16_t * tables, int n);

/* Replaces the samples of a component by its tables. The planes @in and @out may be the same. */
void ref_clahe_apply (const RefPlane * in, const RefPlane * out, const RefClahe * params, const uint16_t * tables, int n);
