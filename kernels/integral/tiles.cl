/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Integral images of one component of a frame, for devices with many
 * work-items. The algorithm is described in docs/algorithms/integral.md.
 *
 * The kernel integral_sums adds up the columns and rows of each tile;
 * integral_tiles then computes all tiles at the same time, each from its
 * samples and from the sums of the tiles above and left of it. */
#include "integral/shared.h"
#include "integral/tables.h"

/* Pitch of a tile in local memory, in samples, chosen so that samples below
 * each other are in different memory banks. */
#define ROW (TILE_X + 4)

/* Loads the samples of the work-group's tile. Samples beyond the frame are
 * 0. */
static void
load_tile (const global uchar * in, int stride, int width, int height,
    local sample * tile)
{
  int x0 = get_group_id (0) * TILE_X, y0 = get_group_id (1) * TILE_Y;

  for (int i = get_local_id (0); i < TILE_X * TILE_Y; i += get_local_size (0)) {
    int y = i / TILE_X, x = i - y * TILE_X;
    int inside = x0 + x < width && y0 + y < height;

    tile[y * ROW + x] =
        inside ? (sample) get (in + (y0 + y) * stride, x0 + x) : 0;
  }
  barrier (CLK_LOCAL_MEM_FENCE);
}

/* Adds up the columns and rows of tile (i, j) in work-group (i, j). The sum of
 * column x goes to columns[j * width + x], the sum of row y of the frame to
 * rows[i * height + y], and the sum of the whole tile to all[j * (number of
 * tiles in a row) + i]. */
#define TILE_SUMS(name, number, OF) \
static void \
name (const local sample * tile, int width, int height, \
    global number * columns, global number * rows, global number * all, \
    local number * part) \
{ \
  int i0 = get_group_id (0), j0 = get_group_id (1); \
\
  for (int i = get_local_id (0); i < TILE_X + TILE_Y; \
      i += get_local_size (0)) { \
    int row = i - TILE_X; \
    number sum = 0; \
\
    if (i < TILE_X) { \
      for (int y = 0; y < TILE_Y; y++) \
        sum += OF ((number) tile[y * ROW + i]); \
      if (i0 * TILE_X + i < width) \
        columns[j0 * width + i0 * TILE_X + i] = sum; \
    } else { \
      for (int x = 0; x < TILE_X; x++) \
        sum += OF ((number) tile[row * ROW + x]); \
      part[row] = sum; \
      if (j0 * TILE_Y + row < height) \
        rows[i0 * height + j0 * TILE_Y + row] = sum; \
    } \
  } \
  barrier (CLK_LOCAL_MEM_FENCE); \
  if (get_local_id (0) == 0) { \
    number sum = 0; \
\
    for (int y = 0; y < TILE_Y; y++) \
      sum += part[y]; \
    all[j0 * get_num_groups (0) + i0] = sum; \
  } \
}

#define ITSELF(v) (v)
TILE_SUMS (tile_sums, total, ITSELF)
TILE_SUMS (tile_sums_of_squares, ulong, square)

/* Indices in the array @carries: the sums of columns come first; from ROWS_AT on
 * follow the sums of rows, and from ALL_AT on the sums of whole tiles. */
#define ROWS_AT (get_num_groups (1) * width)
#define ALL_AT (ROWS_AT + get_num_groups (0) * height)

kernel void
integral_sums (const global uchar * restrict in, int offset, int stride,
    int width, int height, global total * restrict carries,
    global ulong * restrict carries_of_squares)
{
  local sample tile[TILE_Y * ROW];
  local total part[TILE_Y];
#if SQUARES
  local ulong part_of_squares[TILE_Y];
#endif

  load_tile (in + offset, stride, width, height, tile);
  tile_sums (tile, width, height, carries, carries + ROWS_AT,
      carries + ALL_AT, part);
#if SQUARES
  tile_sums_of_squares (tile, width, height, carries_of_squares,
      carries_of_squares + ROWS_AT, carries_of_squares + ALL_AT,
      part_of_squares);
#endif
}

/* Pitch of the cells of a tile: one more than its width, so that the cells of a
 * column are in different memory banks. */
#define CELLS (TILE_X + 1)

/* Number of cells of a row or column over which one work-item computes prefix
 * sums. */
#define RUN 8
#define RUNS_X (TILE_X / RUN)
#define RUNS_Y (TILE_Y / RUN)

/* SHARES is the number of work-items that add up the samples above a column, or
 * left of a row, in partial sums. CORNER_SHARES is the number of those that add
 * up the corner: all tiles that are both above and left of the tile. */
#define SHARES 4
#define CORNER_SHARES 256
#define CORNER_PARTS 8

/* Sizes and indices of arrays in local memory. The array @part holds partial sums above the
 * columns, later the sums of runs of RUN cells. The array @left holds partial sums left of the
 * rows, and behind them those of the corner. */
#define N_PARTS (SHARES * TILE_X > RUNS_X * (TILE_Y + 1) \
    ? SHARES * TILE_X : RUNS_X * (TILE_Y + 1))
#define CORNER_AT (SHARES * TILE_Y)
#define CORNER_PARTS_AT (CORNER_AT + CORNER_SHARES)
#define N_LEFT (CORNER_PARTS_AT + CORNER_PARTS)

/* ---- Steps of a tile of a table ------------------------------------------------
 *
 * Each of these macros defines a function for one type of numbers. All work-items of a
 * work-group call the functions one after the other; each function ends with a barrier. */

/* Adds up, in partial sums, the columns above the tile (to @part), the rows left of the tile,
 * and the corner (to @left). */
#define ADD_CARRIES(name, number) \
static void \
name (int width, int height, const global number * carries, \
    local number * part, local number * left) \
{ \
  int i0 = get_group_id (0), j0 = get_group_id (1), n = get_num_groups (0); \
  int x0 = i0 * TILE_X, y0 = j0 * TILE_Y; \
  int me = get_local_id (0), all = get_local_size (0); \
  const global number *rows = carries + ROWS_AT, *tiles = carries + ALL_AT; \
\
  for (int i = me; i < SHARES * TILE_X; i += all) { \
    int share = i / TILE_X, x = x0 + i - share * TILE_X; \
    number sum = 0; \
\
    for (int j = share; j < j0 && x < width; j += SHARES) \
      sum += carries[j * width + x]; \
    part[i] = sum; \
  } \
  for (int i = me; i < SHARES * TILE_Y; i += all) { \
    int share = i / TILE_Y, y = y0 + i - share * TILE_Y; \
    number sum = 0; \
\
    for (int j = share; j < i0 && y < height; j += SHARES) \
      sum += rows[j * height + y]; \
    left[i] = sum; \
  } \
  for (int i = me; i < CORNER_SHARES; i += all) { \
    number sum = 0; \
\
    for (int j = i; j < i0 * j0; j += CORNER_SHARES) { \
      int tile_y = j / i0; \
\
      sum += tiles[tile_y * n + j - tile_y * i0]; \
    } \
    left[CORNER_AT + i] = sum; \
  } \
  barrier (CLK_LOCAL_MEM_FENCE); \
}

/* Sets row 0 of the cells to the sums of the columns above the tile, the other rows to the
 * samples of the tile or to their squares: to OF (sample). */
#define FILL_CELLS(name, number, OF) \
static void \
name (const local sample * tile, local number * cells, \
    const local number * part) \
{ \
  int me = get_local_id (0), all = get_local_size (0); \
\
  for (int i = me; i < TILE_X * (TILE_Y + 1); i += all) { \
    int y = i / TILE_X, x = i - y * TILE_X; \
    number v = 0; \
\
    if (y > 0) { \
      v = OF ((number) tile[(y - 1) * ROW + x]); \
    } else { \
      for (int j = 0; j < SHARES; j++) \
        v += part[j * TILE_X + x]; \
    } \
    cells[y * CELLS + x] = v; \
  } \
  barrier (CLK_LOCAL_MEM_FENCE); \
}

/* Computes prefix sums along each row of cells. A row begins with the sum of the row left of
 * the tile, row 0 with the sum of the corner. */
#define SCAN_ROWS(name, number) \
static void \
name (local number * cells, local number * part, local number * left) \
{ \
  int me = get_local_id (0), all = get_local_size (0); \
\
  for (int i = me; i < RUNS_X * (TILE_Y + 1); i += all) { \
    int y = i / RUNS_X; \
    local number *run = cells + y * CELLS + (i - y * RUNS_X) * RUN; \
    number sum = 0; \
\
    for (int j = 0; j < RUN; j++) \
      sum = run[j] += sum; \
    part[i] = sum; \
  } \
  /* Reduces the partial sums of the corner to CORNER_PARTS sums. */ \
  for (int i = me; i < CORNER_PARTS; i += all) { \
    number sum = 0; \
\
    for (int j = 0; j < CORNER_SHARES / CORNER_PARTS; j++) \
      sum += left[CORNER_AT + CORNER_SHARES / CORNER_PARTS * i + j]; \
    left[CORNER_PARTS_AT + i] = sum; \
  } \
  barrier (CLK_LOCAL_MEM_FENCE); \
\
  for (int i = me; i < RUNS_X * (TILE_Y + 1); i += all) { \
    int y = i / RUNS_X, x = i - y * RUNS_X; \
    local number *run = cells + y * CELLS + x * RUN; \
    number sum = 0; \
\
    for (int j = 0; y > 0 && j < SHARES; j++) \
      sum += left[j * TILE_Y + y - 1]; \
    for (int j = 0; y == 0 && j < CORNER_PARTS; j++) \
      sum += left[CORNER_PARTS_AT + j]; \
    for (int j = 0; j < x; j++) \
      sum += part[y * RUNS_X + j]; \
    for (int j = 0; j < RUN; j++) \
      run[j] += sum; \
  } \
  barrier (CLK_LOCAL_MEM_FENCE); \
}

/* Computes prefix sums down each column of cells, which are the numbers of the table, and
 * writes them to it. Row 0 and column 0 of the table become 0. */
#define SCAN_COLUMNS(name, number) \
static void \
name (int width, int height, const local number * cells, \
    local number * part, global number * table) \
{ \
  int i0 = get_group_id (0), j0 = get_group_id (1); \
  int x0 = i0 * TILE_X, y0 = j0 * TILE_Y; \
  int me = get_local_id (0), all = get_local_size (0); \
\
  for (int i = me; i < TILE_X * RUNS_Y; i += all) { \
    int y = i / TILE_X, x = i - y * TILE_X; \
    const local number *run = cells + (y * RUN + 1) * CELLS + x; \
    number sum = 0; \
\
    for (int j = 0; j < RUN; j++) \
      sum += run[j * CELLS]; \
    part[i] = sum; \
  } \
  barrier (CLK_LOCAL_MEM_FENCE); \
\
  for (int i = me; i < TILE_X * RUNS_Y; i += all) { \
    int share = i / TILE_X, x = i - share * TILE_X, y = share * RUN; \
    const local number *run = cells + (y + 1) * CELLS + x; \
    global number *to = table + (size_t) (y0 + y + 1) * (width + 1) + x0 + x \
        + 1; \
    number sum = cells[x]; \
\
    for (int j = 0; j < share; j++) \
      sum += part[j * TILE_X + x]; \
    for (int j = 0; j < RUN && y0 + y + j < height && x0 + x < width; j++) { \
      sum += run[j * CELLS]; \
      to[(size_t) j * (width + 1)] = sum; \
    } \
  } \
  for (int i = me; j0 == 0 && i < TILE_X; i += all) \
    if (x0 + i < width) \
      table[x0 + i + 1] = 0; \
  for (int i = me; i0 == 0 && i <= TILE_Y; i += all) \
    if (y0 + i <= height) \
      table[(size_t) (y0 + i) * (width + 1)] = 0; \
  barrier (CLK_LOCAL_MEM_FENCE); \
}

/* Computes the work-group's tile of a table of sums of OF (sample), with the steps above. */
#define SCAN_TILE(name, number, OF) \
ADD_CARRIES (name ## _carries, number) \
FILL_CELLS (name ## _cells, number, OF) \
SCAN_ROWS (name ## _rows, number) \
SCAN_COLUMNS (name ## _columns, number) \
\
static void \
name (const local sample * tile, int width, int height, \
    const global number * carries, global number * table, \
    local number * cells, local number * part, local number * left) \
{ \
  name ## _carries (width, height, carries, part, left); \
  name ## _cells (tile, cells, part); \
  name ## _rows (cells, part, left); \
  name ## _columns (width, height, cells, part, table); \
}

SCAN_TILE (scan_tile, total, ITSELF)
SCAN_TILE (scan_tile_of_squares, ulong, square)

/* Type that can hold a number of the table of sums or of squared sums. */
#if SQUARES
typedef ulong cell;
#else
typedef total cell;
#endif

/* Work-group (i, j) computes tile (i, j) of the tables. */
kernel void
integral_tiles (const global uchar * restrict in, int offset, int stride,
    int width, int height, const global total * restrict carries,
    const global ulong * restrict carries_of_squares,
    global total * restrict table, global ulong * restrict squares)
{
  local sample tile[TILE_Y * ROW];
  local cell cells[CELLS * (TILE_Y + 1)], part[N_PARTS], left[N_LEFT];

  load_tile (in + offset, stride, width, height, tile);
  scan_tile (tile, width, height, carries, table, (local total *) cells,
      (local total *) part, (local total *) left);
#if SQUARES
  scan_tile_of_squares (tile, width, height, carries_of_squares, squares,
      cells, part, left);
#endif
}
