/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Computes features of cells of CELL x CELL pixels from gradients, and fills the padding around
 * the cells.
 *
 * Rows are stored in classes of pixels (see fhog/fhog.h). From one pixel of a class to the
 * next, there are CLASSES_OF_ROW / CELL cells. Therefore a row of cells is stored as PARTS
 * parts, one after the other; each part has every PARTS-th cell.
 *
 * A tile is also CELL pixels wide and high, and its corners are the centers of four cells. Its
 * pixels contribute to each of these cells. Tile (column, row) belongs to the cell with the
 * same column and row, and to the three cells to the left and above. */

/* Number of histogram bins that a work-item computes at once: 18, or fewer to use fewer
 * registers. */
#ifndef BINS
#define BINS 18
#endif

/* Number of rows of cells whose histograms a work-item computes. It reads one more row of
 * tiles. */
#ifndef ROWS
#define ROWS 8
#endif

#include "fhog/features.h"

#if LANES == 1
#define LANE_NUMBERS 0
#else
#define LANE_NUMBERS \
    (intn) (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
#endif

#define PARTS (CLASSES_OF_ROW / CELL)

/* Adds the gradients of one column of pixels to four histograms of the tile. A gradient at
 * pixel (x, y) of the tile adds to the bin of its direction: its length in counts[0], the
 * length times x + 1 in counts[1], times y + 1 in counts[2], and times (x + 1) (y + 1) in
 * counts[3]. This needs no multiplication: the caller processes columns from right to left, and
 * this function rows from bottom to top. Both add the running sum once more for each column or
 * row; the length of a gradient in column x of the tile is thus added x + 1 times. Each
 * comparison controls a single addition, which is one masked instruction of a processor.
 * @rows: offset in @gradients of each pixel of the column; negative if the pixel is ignored.
 * @inside: 0 in the lanes (elements) of tiles that are ignored, -1 in the others.
 * @first: number of the first bin; the function computes BINS bins. */
static void
count_column (const global uint * gradients, const int *rows, intn inside,
    int first, intn counts[4][BINS])
{
  uintn bins[CELL];
  intn lengths[CELL];

#pragma unroll
  for (int i = 0; i < CELL; i++) {
    uintn g = LOAD (loose_uintn, gradients + abs (rows[i]));

    bins[i] = g & 31u;
    lengths[i] = as_intn (g >> (5 + LOST)) & inside;
    lengths[i] = rows[i] < 0 ? (intn) (0) : lengths[i];
  }
#pragma unroll
  for (int b = 0; b < BINS; b++) {
    intn sum = 0, tall = 0;

#pragma unroll
    for (int i = CELL - 1; i >= 0; i--) {
      sum = bins[i] == (uint) (first + b) ? sum + lengths[i] : sum;
      tall += sum;
    }
    counts[0][b] += sum;
    counts[1][b] += counts[0][b];
    counts[2][b] += tall;
    counts[3][b] += counts[2][b];
  }
}

/* Sets @rows to the offsets of the CELL rows of pixels of a tile, relative to the first row of
 * the picture; @pitch is the distance between two rows. Rows whose pixels are ignored get a
 * negative offset: the first row of the picture and all above it, and the last row that belongs
 * to cells and all below it. */
static void
find_rows (int tile_row, int height, int cells_y, int pitch, int *rows)
{
#pragma unroll
  for (int i = 0; i < CELL; i++) {
    int y = CELL * tile_row - CELL / 2 + i;

    rows[i] = clamp (y, 1, height - 2) * pitch;
    rows[i] = y < 1 || y > CELL * cells_y - 2 ? -rows[i] : rows[i];
  }
}

/* Adds up the gradients of tiles. Work-item (i, n, part) processes LANES tiles, starting at
 * tile i * LANES of a part, in ROWS rows, starting at the row of entry n of the list. It writes
 * histograms for the cells to the left of each tile, then for the cells to the right. The
 * weight of a pixel in a cell decreases with its distance from the center of the cell
 * (bilinear). */
kernel void
fhog_tiles (const global uint * restrict gradients,
    const global int *restrict plan, int levels,
    const global int *restrict lists, int list, global int *restrict sums)
{
  const global int *entry = lists + list + ENTRY * get_global_id (1);
  const global int *level = plan + levels + LEVEL * entry[0];
  const global int *picture = plan + PICTURE * level[OF_PICTURE];
  int part = get_global_id (2) % PARTS;
  int first = BINS * (int) (get_global_id (2) / PARTS);
  int column = entry[BEGIN] + LANES * get_global_id (0);
  int pitch = level[CELL_PITCH];
  int below = CLASSES_OF_ROW * picture[PITCH];
  int end = min (entry[1] + ROWS, level[CELLS_Y]);
  const global uint *in = gradients + picture[GRADIENTS] + column;
  intn tile = PARTS * (column + LANE_NUMBERS) + part, carry[2][BINS];

  if (column >= entry[END] || PARTS * column + part > level[CELLS_X])
    return;
  for (int row = entry[1]; row <= end; row++) {
    global int *out = sums + level[SUMS] + column
        + ((size_t) ((row - 1) * PARTS + part) * 2 * ALL_BINS + first) * pitch;
    intn counts[4][BINS];
    int rows[CELL];

    find_rows (row, picture[HEIGHT], level[CELLS_Y], below, rows);
#pragma unroll
    for (int i = 0; i < 4; i++)
#pragma unroll
      for (int b = 0; b < BINS; b++)
        counts[i][b] = 0;
    for (int x = CELL - 1; x >= 0; x--) {
      int at = CELL * part + SHIFT - CELL / 2 + x;
      int limit = level[CELLS_X] + (x < CELL / 2 - 1);

      count_column (in + (at & (CLASSES_OF_ROW - 1)) * picture[PITCH]
          + at / CLASSES_OF_ROW, rows,
          tile < limit ? (intn) (-1) : (intn) (0), first, counts);
    }
#pragma unroll
    for (int b = 0; b < BINS; b++) {
      /* Converts the weights x + 1 and y + 1 to distances from the edges of the tile, in half
       * pixels. The gradients then have the weight 1 in @sum, 2 x + 1 in @wide, 2 y + 1 in
       * @tall, and the product of the last two in @both. */
      intn sum = counts[0][b], wide = 2 * counts[1][b] - sum;
      intn tall = 2 * counts[2][b] - sum;
      intn both = 4 * counts[3][b] - 2 * (counts[1][b] + counts[2][b]) + sum;
      intn left = 2 * CELL * sum - wide, low = 2 * CELL * tall - both;

      if (row > entry[1]) {
        STORE (loose_intn, out + b * pitch,
            carry[0][b] + 2 * CELL * left - low);
        STORE (loose_intn, out + (ALL_BINS + b) * pitch,
            carry[1][b] + 2 * CELL * wide - both);
      }
      carry[0][b] = low;
      carry[1][b] = both;
    }
  }
}

/* Loads the histograms of LANES cells into @bins. Adds up the two parts of each cell that
 * fhog_tiles wrote: from the tiles to its left and to its right. */
static void
load_cells (const global int *sums, const global int *level, int row, int part,
    int column, intn * bins)
{
  int pitch = level[CELL_PITCH], next = part + 1 < PARTS ? 0 : 1;
  const global int *near = sums + level[SUMS] + column
      + ((size_t) (row * PARTS + part) * 2 + 1) * ALL_BINS * pitch;
  const global int *far = sums + level[SUMS] + column + next
      + (size_t) (row * PARTS + (next ? 0 : part + 1)) * 2 * ALL_BINS * pitch;

#pragma unroll
  for (int b = 0; b < ALL_BINS; b++)
    bins[b] = LOAD (loose_intn, near + b * pitch)
        + LOAD (loose_intn, far + b * pitch);
}

/* Computes the energies (sums of squares) of cells. Work-item (i, n, part) processes LANES
 * cells, starting at cell i * LANES of a part of entry n of the list. Bins of opposite
 * directions are added first. */
kernel void
fhog_energies (const global int *restrict sums,
    const global int *restrict plan, int levels,
    const global int *restrict lists, int list, global float *restrict energies)
{
  const global int *entry = lists + list + ENTRY * get_global_id (1);
  const global int *level = plan + levels + LEVEL * entry[0];
  int column = entry[BEGIN] + LANES * get_global_id (0);
  int part = get_global_id (2);
  intn bins[ALL_BINS];
  floatn sum = 0;

  if (column >= entry[END] || PARTS * column + part >= level[CELLS_X])
    return;
  load_cells (sums, level, entry[1], part, column, bins);
#pragma unroll
  for (int b = 0; b < ALL_BINS / 2; b++) {
    floatn both = convert_floatn (bins[b] + bins[b + ALL_BINS / 2]) * UNIT;

    sum = fma (both, both, sum);
  }
  STORE (loose_floatn, energies + level[ENERGIES]
      + (size_t) (entry[1] * PARTS + part) * level[CELL_PITCH] + column, sum);
}

/* Loads the energies of LANES cells of @row and of their neighbors: those of the cells of
 * @part into e[1], those of the cells to their left into e[0] and to their right into e[2]. */
static void
load_energies (const global float *energies, const global int *level, int row,
    int part, int column, floatn * e)
{
  int pitch = level[CELL_PITCH];
  const global float *p = energies + level[ENERGIES] + column
      + (size_t) row * PARTS * pitch;

  e[0] = LOAD (loose_floatn, part > 0 ? p + (part - 1) * pitch
      : p + (PARTS - 1) * pitch - 1);
  e[1] = LOAD (loose_floatn, p + part * pitch);
  e[2] = LOAD (loose_floatn, part + 1 < PARTS ? p + (part + 1) * pitch : p + 1);
}

/* Computes the features of cells. Work-item (i, n, part) processes LANES cells, starting at
 * cell i * LANES of a part of entry n of the list. The list excludes the first and the last row
 * of cells. */
kernel void
fhog_features (const global int *restrict sums,
    const global float *restrict energies, const global int *restrict plan,
    int levels, const global int *restrict lists, int list,
    global float *restrict out)
{
  const global int *entry = lists + list + ENTRY * get_global_id (1);
  const global int *level = plan + levels + LEVEL * entry[0];
  int column = entry[BEGIN] + LANES * get_global_id (0);
  int part = get_global_id (2);
  int cell = PARTS * column + part, row = entry[1];
  size_t first = level[FIRST_CELL] + (size_t) (row - 1 + level[PAD_Y])
      * level[COLUMNS_OUT] + level[PAD_X] - 1;
  floatn e[3][3], n[4], features[FEATURES];
  intn bins[ALL_BINS];
#if FEATURES == 36 && LANES > 1
  float last[4][LANES];
#endif

  if (column >= entry[END] || cell >= level[CELLS_X] - 1)
    return;
#pragma unroll
  for (int i = 0; i < 3; i++)
    load_energies (energies, level, row - 1 + i, part, column, e[i]);
#pragma unroll
  for (int k = 0; k < 4; k++) {
    int x = k < 2, y = k == 0 || k == 2;

    n[k] = reciprocal (root (((e[y][x] + e[y][x + 1])
                + (e[y + 1][x] + e[y + 1][x + 1])) + 0.0001f));
  }
  load_cells (sums, level, row, part, column, bins);
  make_features (bins, n, features);

#if LANES == 1
  if (cell > 0)
    for (int i = 0; i < FEATURES; i++)
      out[FEATURES * (first + cell) + i] = features[i];
#else
  transpose (features);
  transpose (features + LANES);
#if FEATURES == 36
#pragma unroll
  for (int i = 0; i < 4; i++)
    vstore16 (features[2 * LANES + i], 0, last[i]);
#endif
  for (int k = 0; k < LANES; k++, cell += PARTS)
    if (cell > 0 && cell < level[CELLS_X] - 1) {
      global float *p = out + FEATURES * (first + cell);

      STORE (loose_floatn, p, features[k]);
      STORE (loose_floatn, p + LANES, features[LANES + k]);
#if FEATURES == 36
      for (int i = 0; i < 4; i++)
        p[2 * LANES + i] = last[i][k];
#endif
    }
#endif
}

/* Fills the padding, which are cells without features. Work-item (i, n) processes output row n
 * of the list. */
kernel void
fhog_padding (const global int *restrict plan, int levels,
    const global int *restrict lists, int list, int columns, global float *restrict out)
{
  const global int *entry = lists + list + ENTRY * get_global_id (1);
  const global int *level = plan + levels + LEVEL * entry[0];
  int inner = level[CELLS_X] - 2, y = entry[1] - level[PAD_Y];
  int is_row = y < 0 || y >= level[CELLS_Y] - 2;
  global float *row = out + (size_t) FEATURES * (level[FIRST_CELL]
      + (size_t) entry[1] * level[COLUMNS_OUT]);

  for (int x = get_global_id (0); x < level[COLUMNS_OUT]; x += columns)
    if (is_row || x < level[PAD_X] || x >= level[PAD_X] + inner)
      for (int i = 0; i < FEATURES; i++)
        row[FEATURES * x + i] = FEATURES == 32 && i == FEATURES - 1;
}
