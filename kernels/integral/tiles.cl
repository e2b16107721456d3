/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Computes integral images of one component of a frame, on devices with many work-items. The
 * algorithm is described in docs/algorithms/integral.md.
 *
 * The kernel integral_sums adds up the columns and rows of each tile. In large frames,
 * integral_carries then adds up these sums over all tiles above or left of a tile. Finally
 * integral_tiles computes all tiles at the same time, each from its samples and from the sums
 * above and left of it. */
#include "integral/integral-shared.h"
#include "integral/tables.h"

/* Number of work-items of a work-group. */
#ifndef ITEMS
#define ITEMS 256
#endif

/* Pitch of a tile in local memory, in samples. It is chosen such that vertically adjacent
 * samples are in different memory banks. */
#define ROW (TILE_X + 4)

/* Length of a run: the number of neighboring samples of a row or column that one work-item
 * adds up. */
#define RUN 8
#define RUNS_X (TILE_X / RUN)
#define RUNS_Y (TILE_Y / RUN)

/* Numbers of runs in all rows, and in all columns, of a tile. */
#define ROW_RUNS (TILE_Y * RUNS_X)
#define COLUMN_RUNS (TILE_X * RUNS_Y)

/* Types that can hold the sum of all samples of a tile, and the sum of their squares */
typedef uint inner;
#if BYTES == 1
typedef uint inner_square;
#else
typedef ulong inner_square;
#endif

/* Loads the samples of the tile of the work-group. Samples outside the frame are set to 0. */
static __attribute__ ((always_inline)) void
load_tile (const global uchar * in, int stride, int width, int height,
    local sample * tile)
{
  int x0 = get_group_id (0) * TILE_X, y0 = get_group_id (1) * TILE_Y;

#pragma unroll
  for (int i = 0; i < TILE_X * TILE_Y; i += ITEMS) {
    int n = i + get_local_id (0), y = n / TILE_X, x = n - y * TILE_X;
    int inside = x0 + x < width && y0 + y < height && y < TILE_Y;
    sample s = inside ? (sample) get (in + (y0 + y) * stride, x0 + x) : 0;

    if (y < TILE_Y)
      tile[y * ROW + x] = s;
  }
}

/* ---- Sums of tiles ---------------------------------------------------------------
 *
 * Each macro of this section defines a step of the kernel integral_sums, as a function for one
 * type of sums. A barrier follows each step. */

/* Number of partial sums into which the sum of a tile is divided. */
#define PARTS 8

/* Adds up each run of a column of the tile, and writes the sums to @parts. Then adds up the runs
 * of rows, and writes their sums after the sums of columns. */
#define ADD_PARTS(name, small, OF) \
static __attribute__ ((always_inline)) void \
name (const local sample * tile, local small * parts) \
{ \
  for (int i = get_local_id (0); i < COLUMN_RUNS; i += ITEMS) { \
    const local sample *run = tile + i / TILE_X * RUN * ROW + i % TILE_X; \
    small sum = 0; \
\
    for (int j = 0; j < RUN; j++) \
      sum += OF ((small) run[j * ROW]); \
    parts[i] = sum; \
  } \
  for (int i = get_local_id (0); i < ROW_RUNS; i += ITEMS) { \
    const local sample *run = tile + i / RUNS_X * ROW + i % RUNS_X * RUN; \
    small sum = 0; \
\
    for (int j = 0; j < RUN; j++) \
      sum += OF ((small) run[j]); \
    parts[COLUMN_RUNS + i] = sum; \
  } \
}

/* Writes the sums of tile (i, j), in work-group (i, j), from the sums of runs in @parts. The sum
 * of column x goes to columns[j * width + x], the sum of row y of the frame to rows[i * height +
 * y]. Also writes PARTS partial sums of the whole tile to @whole. */
#define WRITE_SUMS(name, number, small) \
static __attribute__ ((always_inline)) void \
name (int width, int height, const local small * parts, \
    global number * columns, global number * rows, local small * whole) \
{ \
  int i0 = get_group_id (0), j0 = get_group_id (1); \
\
  for (int i = get_local_id (0); i < TILE_X + TILE_Y + PARTS; i += ITEMS) { \
    int row = i - TILE_X, part = i - TILE_X - TILE_Y; \
    small sum = 0; \
\
    if (i < TILE_X) { \
      for (int j = 0; j < RUNS_Y; j++) \
        sum += parts[j * TILE_X + i]; \
      if (i0 * TILE_X + i < width) \
        columns[j0 * width + i0 * TILE_X + i] = sum; \
    } else if (row < TILE_Y) { \
      for (int j = 0; j < RUNS_X; j++) \
        sum += parts[COLUMN_RUNS + row * RUNS_X + j]; \
      if (j0 * TILE_Y + row < height) \
        rows[i0 * height + j0 * TILE_Y + row] = sum; \
    } else { \
      for (int j = part; j < COLUMN_RUNS; j += PARTS) \
        sum += parts[j]; \
      whole[part] = sum; \
    } \
  } \
}

/* Writes the sum of all samples of tile (i, j), in work-group (i, j), to
 * all[j * (number of tiles in a row) + i]. */
#define WRITE_WHOLE(name, number, small) \
static __attribute__ ((always_inline)) void \
name (const local small * whole, global number * all) \
{ \
  small sum = 0; \
\
  for (int j = 0; j < PARTS; j++) \
    sum += whole[j]; \
  if (get_local_id (0) == 0) \
    all[get_group_id (1) * get_num_groups (0) + get_group_id (0)] = sum; \
}

#define ITSELF(v) (v)
#define SQUARE(v) ((v) * (v))
ADD_PARTS (add_parts, inner, ITSELF)
ADD_PARTS (add_parts_of_squares, inner_square, SQUARE)
WRITE_SUMS (write_sums, total, inner)
WRITE_SUMS (write_sums_of_squares, ulong, inner_square)
WRITE_WHOLE (write_whole, total, inner)
WRITE_WHOLE (write_whole_of_squares, ulong, inner_square)

/* Indices into the array @carries. The sums of columns come first. The sums of rows start at
 * ROWS_AT, the sums of whole tiles at ALL_AT. */
#define ROWS_AT(tiles_y) ((tiles_y) * width)
#define ALL_AT(tiles_x, tiles_y) (ROWS_AT (tiles_y) + (tiles_x) * height)
#define CARRIES_OF_ROWS ROWS_AT ((int) get_num_groups (1))
#define CARRIES_OF_ALL \
    ALL_AT ((int) get_num_groups (0), (int) get_num_groups (1))

/* Adds up the columns, the rows and all samples of tile (i, j), in work-group (i, j). */
kernel __attribute__ ((reqd_work_group_size (ITEMS, 1, 1)))
void
integral_sums (const global uchar * restrict in, int offset, int stride,
    int width, int height, global total * restrict carries,
    global ulong * restrict carries_of_squares)
{
  local sample tile[TILE_Y * ROW];
  local inner parts[COLUMN_RUNS + ROW_RUNS], whole[PARTS];
#if SQUARES
  local inner_square parts_of_squares[COLUMN_RUNS + ROW_RUNS];
  local inner_square whole_of_squares[PARTS];
#endif

  load_tile (in + offset, stride, width, height, tile);
  barrier (CLK_LOCAL_MEM_FENCE);
  add_parts (tile, parts);
#if SQUARES
  add_parts_of_squares (tile, parts_of_squares);
#endif
  barrier (CLK_LOCAL_MEM_FENCE);
  write_sums (width, height, parts, carries, carries + CARRIES_OF_ROWS, whole);
#if SQUARES
  write_sums_of_squares (width, height, parts_of_squares, carries_of_squares,
      carries_of_squares + CARRIES_OF_ROWS, whole_of_squares);
#endif
  barrier (CLK_LOCAL_MEM_FENCE);
  write_whole (whole, carries + CARRIES_OF_ALL);
#if SQUARES
  write_whole_of_squares (whole_of_squares,
      carries_of_squares + CARRIES_OF_ALL);
#endif
}

/* Numbers of carries (sums of columns, rows or whole tiles) that a work-item loads before it
 * adds them up. BATCH is for integral_carries. SMALL_BATCH is for integral_tiles, which has more
 * work-items and therefore fewer registers for each. */
#define BATCH 32
#define SMALL_BATCH 6

/* Replaces each of @n numbers by the sum of the numbers before it. The numbers are @stride
 * apart. */
#define ADD_BEFORE(name, number) \
static void \
name (global number * p, int stride, int n) \
{ \
  number sum = 0; \
\
  for (int i = 0; i < n; i += BATCH) { \
    number v[BATCH]; \
\
    _Pragma ("unroll") \
    for (int j = 0; j < BATCH; j++) \
      v[j] = i + j < n ? p[(i + j) * stride] : 0; \
    _Pragma ("unroll") \
    for (int j = 0; j < BATCH; j++) { \
      if (i + j < n) \
        p[(i + j) * stride] = sum; \
      sum += v[j]; \
    } \
  } \
}

ADD_BEFORE (add_before, total)
ADD_BEFORE (add_squares_before, ulong)

/* Replaces the sums of single tiles by sums over several tiles:
 * - the sum of a column becomes the sum of this column over all tiles above
 * - the sum of a row becomes the sum of this row over all tiles to the left
 * - the sum of a tile becomes the sum of all tiles above it
 * Work-item (n, 0) adds up column n; or row n - width of the frame; or column n - width - height
 * of tiles. Work-item (n, 1) does the same for squares. */
kernel void
integral_carries (int width, int height, int tiles_x, int tiles_y,
    global total * restrict carries, global ulong * restrict carries_of_squares)
{
  int n = get_global_id (0), first = n, stride = width, length = tiles_y;

  if (n >= width + height) {
    first = ALL_AT (tiles_x, tiles_y) + n - width - height;
    stride = tiles_x;
  } else if (n >= width) {
    first = ROWS_AT (tiles_y) + n - width;
    stride = height;
    length = tiles_x;
  }
  if (n >= width + height + tiles_x)
    return;
  if (get_global_id (1) == 0)
    add_before (carries + first, stride, length);
  else
    add_squares_before (carries_of_squares + first, stride, length);
}

#include "integral/steps.h"

SCAN_TILE (scan_tile, total, inner, ITSELF)
SCAN_TILE (scan_tile_of_squares, ulong, inner_square, SQUARE)

/* Type that can hold a sum inside of the tile. */
#if SQUARES
typedef inner_square small_cell;
#else
typedef inner small_cell;
#endif

/* Computes tile (i, j) of the tables in work-group (i, j). */
kernel __attribute__ ((reqd_work_group_size (ITEMS, 1, 1)))
void
integral_tiles (const global uchar * restrict in, int offset, int stride,
    int width, int height, const global total * restrict carries,
    const global ulong * restrict carries_of_squares, int is_summed,
    global total * restrict table, global ulong * restrict squares)
{
  local sample tile[TILE_Y * ROW];
  local small_cell cells[CELLS * TILE_Y], before[ROW_RUNS], runs[ROW_RUNS];
  local total above[TILE_X], left[TILE_Y], corner[CORNER_SHARES];
  local total base[TILE_X + TILE_Y];
#if SQUARES
  local ulong above_of_squares[TILE_X], left_of_squares[TILE_Y];
  local ulong corner_of_squares[CORNER_SHARES];
  local ulong base_of_squares[TILE_X + TILE_Y];

  scan_tile_of_squares_load (width, height, carries_of_squares, is_summed,
      ITEMS / 2, above_of_squares, left_of_squares, corner_of_squares);
#endif
  scan_tile_load (width, height, carries, is_summed, 0, above, left, corner);
  load_tile (in + offset, stride, width, height, tile);
  barrier (CLK_LOCAL_MEM_FENCE);
  scan_tile (tile, width, height, table, (local inner *) cells,
      (local inner *) before, (local inner *) runs, above, left, corner, base);
#if SQUARES
  barrier (CLK_LOCAL_MEM_FENCE);
  scan_tile_of_squares (tile, width, height, squares, cells, before, runs,
      above_of_squares, left_of_squares, corner_of_squares, base_of_squares);
#endif
}
