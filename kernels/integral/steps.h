/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Steps of the computation of a tile of an integral image by a work-group of integral/tiles.cl.
 * A run is a sequence of RUN neighboring numbers of a row or column. A carry is a sum that the
 * tiles below and to the right need: the sum of a column, of a row, or of the whole of a tile. */
#ifndef STEPS_H
#define STEPS_H

/* Pitch of the cells of a tile. It is one more than the width of a tile, which puts the cells of
 * a column into different memory banks. */
#define CELLS (TILE_X + 1)

/* Number of partial sums of the corner. The corner is the sum of all tiles that are both above
 * and left of the tile. One work-item computes each partial sum. */
#define CORNER_SHARES 32

/* Each macro of this file defines a function for one type of numbers of the table, or for one
 * type of sums inside of the tile. All work-items of a work-group call these functions in this
 * order, with a barrier after each step. */

/* Returns the sum of numbers @first to @end - 1. The numbers begin at the address @p and are
 * @stride apart. Loads SMALL_BATCH numbers before it adds them up. */
#define ADD_FAR(name, number) \
static __attribute__ ((always_inline)) number \
name (const global number * p, int stride, int first, int end) \
{ \
  number sum = 0; \
\
  for (int i = first; i < end; i += SMALL_BATCH) { \
    number v[SMALL_BATCH]; \
\
    _Pragma ("unroll") \
    for (int j = 0; j < SMALL_BATCH; j++) \
      v[j] = i + j < end ? p[(i + j) * stride] : 0; \
    _Pragma ("unroll") \
    for (int j = 0; j < SMALL_BATCH; j++) \
      sum += v[j]; \
  } \
  return sum; \
}

/* Loads the carries. The three arrays that it writes are divided among the work-items, starting
 * with work-item @from.
 * @is_summed: 1 if integral_carries has added up the carries of all tiles above or left;
 *   if 0, this function adds them up
 * @above: written, the sum of all samples above each column of the tile
 * @left: written, the sum of all samples left of each row of the tile
 * @corner: written, the partial sums of the corner */
#define LOAD_CARRIES(name, number) \
ADD_FAR (name ## _far, number) \
\
static __attribute__ ((always_inline)) void \
name (int width, int height, const global number * carries, int is_summed, \
    int from, local number * above, local number * left, \
    local number * corner) \
{ \
  int i0 = get_group_id (0), j0 = get_group_id (1), n = get_num_groups (0); \
  int first_i = is_summed ? i0 : 0, end_i = i0 + is_summed; \
  int first_j = is_summed ? j0 : 0, end_j = j0 + is_summed; \
  const global number *rows = carries + CARRIES_OF_ROWS; \
  const global number *tiles = carries + CARRIES_OF_ALL; \
\
  for (int i = ((int) get_local_id (0) + ITEMS - from) % ITEMS; \
      i < TILE_X + TILE_Y + CORNER_SHARES; i += ITEMS) { \
    int row = i - TILE_X, share = row - TILE_Y; \
    number sum = 0; \
\
    if (i < TILE_X) { \
      above[i] = name ## _far (carries + min (i0 * TILE_X + i, width - 1), \
          width, first_j, end_j); \
    } else if (row < TILE_Y) { \
      left[row] = name ## _far (rows + min (j0 * TILE_Y + row, height - 1), \
          height, first_i, end_i); \
    } else { \
      for (int k = share; k < i0; k += CORNER_SHARES) \
        sum += name ## _far (tiles + k, n, first_j, end_j); \
      corner[share] = sum; \
    } \
  } \
}

/* Replaces the numbers of each run of the arrays @above, @left and @corner by their prefix sums
 * within the run. */
#define SCAN_CARRIES(name, number) \
static __attribute__ ((always_inline)) void \
name (local number * above, local number * left, local number * corner) \
{ \
  for (int i = get_local_id (0); i < RUNS_X + RUNS_Y + CORNER_SHARES / RUN; \
      i += ITEMS) { \
    local number *run = i < RUNS_X ? above + i * RUN \
        : i < RUNS_X + RUNS_Y ? left + (i - RUNS_X) * RUN \
        : corner + (i - RUNS_X - RUNS_Y) * RUN; \
    number sum = 0; \
\
    for (int j = 0; j < RUN; j++) \
      run[j] = sum += run[j]; \
  } \
}

/* Adds up the prefix sums within the runs and the sums of the preceding runs. Element x of @base
 * becomes the entry of the table above column x of the tile, in the row before the tile. Element
 * TILE_X + y becomes the sum of all samples left of the tile in rows 0 to y of the tile. */
#define ADD_CARRIES(name, number) \
static __attribute__ ((always_inline)) void \
name (const local number * above, const local number * left, \
    const local number * corner, local number * base) \
{ \
  for (int i = get_local_id (0); i < TILE_X + TILE_Y; i += ITEMS) { \
    const local number *from = i < TILE_X ? above : left; \
    int n = i < TILE_X ? i : i - TILE_X; \
    number sum = from[n]; \
\
    for (int j = RUN - 1; j < n / RUN * RUN; j += RUN) \
      sum += from[j]; \
    for (int j = RUN - 1; i < TILE_X && j < CORNER_SHARES; j += RUN) \
      sum += corner[j]; \
    base[i] = sum; \
  } \
}

/* Computes the prefix sums within each run of a row of the tile, and writes them to @cells.
 * Writes the sum of each run to @runs. */
#define SCAN_RUNS(name, small, OF) \
static __attribute__ ((always_inline)) void \
name (const local sample * tile, local small * cells, local small * runs) \
{ \
  for (int i = get_local_id (0); i < ROW_RUNS; i += ITEMS) { \
    int y = i / RUNS_X, x = i % RUNS_X * RUN; \
    small sum = 0; \
\
    for (int j = 0; j < RUN; j++) \
      cells[y * CELLS + x + j] = sum += OF ((small) tile[y * ROW + x + j]); \
    runs[i] = sum; \
  } \
}

/* Writes to @before, for each run of a row, the sum of all runs left of it. */
#define ADD_RUNS(name, small) \
static __attribute__ ((always_inline)) void \
name (const local small * runs, local small * before) \
{ \
  for (int i = get_local_id (0); i < ROW_RUNS; i += ITEMS) { \
    small sum = 0; \
\
    for (int j = 0; j < RUNS_X - 1; j++) \
      sum += j < i % RUNS_X ? runs[i / RUNS_X * RUNS_X + j] : 0; \
    before[i] = sum; \
  } \
}

/* Number of column runs that each work-item processes. */
#define OWN_RUNS ((COLUMN_RUNS + ITEMS - 1) / ITEMS)

/* Computes the prefix sums within each run of a column of cells, and writes them to @own. Writes
 * the sum of each run to @runs. A cell is the sum of a sample and all samples left of it in the
 * tile; its parts are in @cells and @before. */
#define SCAN_COLUMNS(name, small) \
static __attribute__ ((always_inline)) void \
name (const local small * cells, const local small * before, \
    local small * runs, small own[OWN_RUNS][RUN]) \
{ \
  _Pragma ("unroll") \
  for (int k = 0; k < OWN_RUNS; k++) { \
    int i = k * ITEMS + get_local_id (0); \
    int x = i % TILE_X, y = i / TILE_X % RUNS_Y * RUN; \
    small sum = 0; \
\
    _Pragma ("unroll") \
    for (int j = 0; j < RUN; j++) \
      own[k][j] = sum += cells[(y + j) * CELLS + x] \
          + before[(y + j) * RUNS_X + x / RUN]; \
    if (i < COLUMN_RUNS) \
      runs[i] = sum; \
  } \
}

/* Adds up the results of the earlier steps, and writes the numbers of the tile to the
 * table. Row 0 and column 0 of the table become 0. */
#define WRITE_TILE(name, number, small) \
static __attribute__ ((always_inline)) void \
name (int width, int height, const local small * runs, \
    const small own[OWN_RUNS][RUN], const local number * base, \
    global number * table) \
{ \
  int i0 = get_group_id (0), j0 = get_group_id (1), me = get_local_id (0); \
  int x0 = i0 * TILE_X, y0 = j0 * TILE_Y; \
\
  _Pragma ("unroll") \
  for (int k = 0; k < OWN_RUNS; k++) { \
    int i = k * ITEMS + me, run = i / TILE_X, x = i % TILE_X, y = run * RUN; \
    global number *to = table + (size_t) (y0 + y + 1) * (width + 1) + x0 + x \
        + 1; \
    int rows = i < COLUMN_RUNS && x0 + x < width ? height - y0 - y : 0; \
    number first = base[x]; \
\
    for (int j = 0; j < RUNS_Y - 1; j++) \
      first += j < run ? runs[j * TILE_X + x] : 0; \
    _Pragma ("unroll") \
    for (int j = 0; j < RUN; j++) \
      if (j < rows) \
        to[j * (width + 1)] = first + base[TILE_X + y % TILE_Y + j] + own[k][j]; \
  } \
  for (int i = me; j0 == 0 && i < TILE_X; i += ITEMS) \
    if (x0 + i < width) \
      table[x0 + i + 1] = 0; \
  for (int i = me; i0 == 0 && i <= TILE_Y; i += ITEMS) \
    if (y0 + i <= height) \
      table[(size_t) (y0 + i) * (width + 1)] = 0; \
}

/* Computes the tile of the work-group in a table of sums, by the steps above. The carries must
 * have been loaded. OF is a function of a sample, whose values are added up: the sample
 * itself, or its square. */
#define SCAN_TILE(name, number, small, OF) \
LOAD_CARRIES (name ## _load, number) \
SCAN_CARRIES (name ## _scan, number) \
ADD_CARRIES (name ## _base, number) \
SCAN_RUNS (name ## _runs, small, OF) \
ADD_RUNS (name ## _before, small) \
SCAN_COLUMNS (name ## _columns, small) \
WRITE_TILE (name ## _write, number, small) \
\
static __attribute__ ((always_inline)) void \
name (const local sample * tile, int width, int height, \
    global number * table, local small * cells, local small * before, \
    local small * runs, local number * above, local number * left, \
    local number * corner, local number * base) \
{ \
  small own[OWN_RUNS][RUN]; \
\
  name ## _runs (tile, cells, runs); \
  name ## _scan (above, left, corner); \
  barrier (CLK_LOCAL_MEM_FENCE); \
  name ## _before (runs, before); \
  name ## _base (above, left, corner, base); \
  barrier (CLK_LOCAL_MEM_FENCE); \
  name ## _columns (cells, before, runs, own); \
  barrier (CLK_LOCAL_MEM_FENCE); \
  name ## _write (width, height, runs, own, base, table); \
}

#endif
