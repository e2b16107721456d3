/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Computes the histograms of gradients of tiles of 8 x 8 pixels, in all scaled sizes of a frame. */

/* Number of adjacent tiles that a work-item computes: 1 or 16. */
#ifndef LANES
#define LANES 16
#endif

/* Number of planes of samples: 1 if the frame is gray, otherwise 3. */
#ifndef CHANNELS
#define CHANNELS 3
#endif

#include "people/people.h"

/* Weights of a pixel in the histograms of cells, along one axis. A block has 2 x 2 cells. A
 * pixel in half h of the block has the weight shares[2 * h + c][i] in cell c, where i is the
 * index of the pixel in its half. */
constant float shares[4][CELL] = {
  {0.0761260986f, 0.148682296f, 0.263780117f, 0.429218769f,
      0.56862247f, 0.613307178f, 0.606716633f, 0.545193672f},
  {0, 0, 0, 0, 0.0379081666f, 0.141532421f, 0.27578029f, 0.424039543f},
  {0.4375f, 0.302885383f, 0.165468171f, 0.0471774749f, 0, 0, 0, 0},
  {0.5625f, 0.666347861f, 0.717028737f, 0.707662106f,
      0.56862247f, 0.371989608f, 0.223198578f, 0.121649154f}
};

/* Computes the gradient at the address @p, and divides its length between two adjacent histogram
 * bins.
 * @bin: written, the index of the upper bin
 * @here: written, the part of the length for the upper bin
 * @before: written, the part of the length for the lower bin */
static void
find_gradient (const global float *p, int plane, int left, int right, int up,
    int down, intn * bin, floatn * here, floatn * before)
{
  floatn dx, dy, most, ax, ay, large, small, c, c2, t, m;
  intn k;

  p += (CHANNELS - 1) * plane;
  dx = LOAD (p + right) - LOAD (p + left);
  dy = LOAD (p + down) - LOAD (p + up);
  most = dx * dx + dy * dy;
#pragma unroll
  for (int i = 1; i < CHANNELS; i++) {
    floatn a, b, square;

    p -= plane;
    a = LOAD (p + right) - LOAD (p + left);
    b = LOAD (p + down) - LOAD (p + up);
    square = a * a + b * b;
    dx = square > most ? a : dx;
    dy = square > most ? b : dy;
    most = square > most ? square : most;
  }

  ax = absolute (dx);
  ay = absolute (dy);
  large = ax > ay ? ax : ay;
  small = ax > ay ? ay : ax;
  c = small * reciprocal (large > 0x1p-10f ? large : (floatn) (0x1p-10f));
  c2 = c * c;
  t = fma ((floatn) (-0.12698622f), c2, (floatn) (0.44570002f));
  t = fma (t, c2, (floatn) (-0.933372319f));
  t = fma (t, c2, (floatn) (2.86418128f));
  t = t * c;
  t = ay > ax ? 4.5f - t : t;
  t = (dx < 0.0f) != (dy < 0.0f) ? 9.0f - t : t;
  t = t + 0.5f;
  k = convert_intn (t);
  t = t - convert_floatn (k);
  m = root (most);
  *here = m * t;
  *before = m * (1.0f - t);
  /* Bin 9 is bin 0. Samples outside of the regions that are searched may be no numbers; k is then
   * any integer, also a negative one. */
  *bin = as_uintn (k) < 9 ? k : 0;
}

/* ---- GPUs ----------------------------------------------------------------------- */

#if LANES == 1

/* Number of work-items of a work-group: one for each column of pixels of TOGETHER adjacent
 * tiles. */
#define ITEMS (TOGETHER * CELL)

/* PLACE is the index in local memory of column x of tile t; PLACES is the number of such
 * elements. One element after each tile is unused. The same column of 8 tiles is then in
 * different memory banks, and neighboring work-items do not conflict. */
#define PLACE(t, x) ((t) * (CELL + 1) + (x))
#define PLACES (TOGETHER * (CELL + 1))

/* Adds up the gradients of a column of 8 pixels of a tile; @p is its address in the first plane.
 * Element b * PLACES of @sums becomes a vector of four sums of bin b, one for each of the 4
 * weights of a row. A pixel changes only the vectors of its two bins. */
static __attribute__ ((always_inline)) void
add_column (const global float *p, int pitch, int plane, int left, int right,
    int tile_row, int last, local float4 * sums)
{
#pragma unroll
  for (int b = 0; b < ALL_BINS; b++)
    sums[b * PLACES] = (float4) (0.0f);

#pragma unroll
  for (int i = 0; i < CELL; i++, p += CELL * pitch) {
    int up = i == 0 && tile_row == 0 ? CELL * pitch : -CELL * pitch;
    int down = i == CELL - 1 && CELL * tile_row + i == last ? -CELL * pitch
        : CELL * pitch;
    const float4 share = (float4) (shares[0][i], shares[1][i], shares[2][i],
        shares[3][i]);
    floatn here, before;
    intn bin;
    local float4 *upper, *lower;

    find_gradient (p, plane, left, right, up, down, &bin, &here, &before);
    upper = sums + bin * PLACES;
    lower = sums + (bin == 0 ? ALL_BINS - 1 : bin - 1) * PLACES;
    *upper = fma (share, (float4) (here), *upper);
    *lower = fma (share, (float4) (before), *lower);
  }
}

/* Adds up the sums of the 8 columns of each of @n_tiles tiles, weighted by each of the 4 weights
 * of a column. Writes the results to @out, starting at the column of the work-group's first
 * tile. */
static __attribute__ ((always_inline)) void
add_tiles (const local float4 * sums, int pitch, int n_tiles,
    global float *out)
{
  int n = n_tiles > 0 ? ALL_BINS * 4 * TOGETHER : 0;

  for (int i = get_local_id (0); i < n; i += ITEMS) {
    int t = i % TOGETHER, k = i / TOGETHER % 4, bin = i / (4 * TOGETHER);
    const local float *column =
        (const local float *) (sums + bin * PLACES + PLACE (t, 0)) + k;
    float values[CELL];

#pragma unroll
    for (int x = 0; x < CELL; x++)
      values[x] = column[4 * x];
    if (t < n_tiles)
#pragma unroll
      for (int j = 0; j < 4; j++) {
        float sum = 0;

#pragma unroll
        for (int x = 0; x < CELL; x++)
          sum = fma (shares[j][x], values[x], sum);
        out[((4 * j + k) * ALL_BINS + bin) * pitch + t] = sum;
      }
  }
}

/* Adds up the gradients of TOGETHER tiles of 8 x 8 pixels in work-group (i, n), starting at tile
 * i * TOGETHER of span n (a part of a row) of the list. */
kernel __attribute__ ((reqd_work_group_size (ITEMS, 1, 1)))
void
people_tiles (const global float *restrict planes,
    const global int *restrict plan, const global int *restrict lists, int list,
    global float *restrict tiles)
{
  local float4 sums[ALL_BINS * PLACES];
  const global int *span = lists + list + PEOPLE_SPAN * get_global_id (1);
  const global int *level = plan + PEOPLE_LEVEL * span[SPAN_LEVEL];
  int pitch = level[PITCH], row = span[SPAN_ROW];
  int column = span[SPAN_BEGIN] + TOGETHER * get_group_id (0);
  int n_tiles = min (TOGETHER, span[SPAN_END] - column);
  int t = get_local_id (0) % TOGETHER, x = get_local_id (0) / TOGETHER;

  /* Omits tiles after the end of the span. Their samples are undefined, and so are the bins
   * computed from them. */
  if (t < n_tiles)
    add_column (planes + level[PLANES] + (size_t) (row * CELL * CELL + x) * pitch
        + 1 + column + t, pitch, level[PLANE],
        x == 0 ? (CELL - 1) * pitch - 1 : -pitch,
        x == CELL - 1 ? 1 - (CELL - 1) * pitch : pitch, row,
        level[HEIGHT] - 1, sums + PLACE (t, x));
  barrier (CLK_LOCAL_MEM_FENCE);
  add_tiles (sums, pitch, n_tiles,
      tiles + level[TILES] + (size_t) row * TILE_FEATURES * pitch + column);
}

#else

/* ---- CPUs ---------------------------------------------------------------------- */

/* Adds up the gradients of the tile in lane t, and writes its histograms to @out. The gradients are
 * element t of each vector of @here, @before and @bins. A gradient is divided between two bins. An
 * element of @bins contains four times the index of the upper bin in its lower 16 bits, and four
 * times the index of the lower bin in its upper 16 bits.
 *
 * A vector of 4 contains the sums of one bin for the four weights of a row. A pixel changes only
 * the two vectors of its bins. */
static void
add_tile (const floatn * here, const floatn * before, const uintn * bins, int t,
    global float *out)
{
  float8 sums[CELL][5];

#pragma unroll
  for (int i = 0; i < CELL * 5; i++)
    sums[i / 5][i % 5] = 0;
  for (int x = 0; x < CELL; x++) {
    float *column = (float *) sums[x];

#pragma unroll
    for (int i = 0; i < CELL; i++) {
      int n = CELL * x + i;
      const ushort *bin = (const ushort *) (bins + n) + 2 * t;
      float4 *upper = (float4 *) (column + bin[0]);
      float4 *lower = (float4 *) (column + bin[1]);
      float4 share = (float4) (shares[0][i], shares[1][i], shares[2][i],
          shares[3][i]);

      *upper = fma (share, (float4) (((const float *) (here + n))[t]), *upper);
      *lower = fma (share, (float4) (((const float *) (before + n))[t]), *lower);
    }
  }
#pragma unroll
  for (int k = 0; k < 4; k++) {
    float8 counts[5] = { 0, 0, 0, 0, 0 };

#pragma unroll
    for (int x = 0; x < CELL; x++)
#pragma unroll
      for (int i = 0; i < 5; i++)
        if (shares[k][x] != 0)
          counts[i] = fma ((float8) (shares[k][x]), sums[x][i], counts[i]);
#pragma unroll
    for (int i = 0; i < 4; i++)
      STORE_LOOSE (loose_float8, out + 36 * k + 8 * i, counts[i]);
    STORE_LOOSE (loose_float4, out + 36 * k + 32, counts[4].lo);
  }
}

/* Adds up the gradients of n_tiles adjacent tiles of 8 x 8 pixels, at most LANES. @row is their
 * address in the first plane. Writes the sums to the row of tiles @out, starting at column
 * @column. The TILE_FEATURES sums of a tile are adjacent, unlike in the variant for LANES of 1:
 * four sums for each bin, one for each cell to which the tile belongs. */
static void
fill_tiles (const global float *row, int pitch, int plane, int tile_row,
    int last, int n_tiles, int column, global float *out)
{
  floatn here[CELL * CELL], before[CELL * CELL];
  uintn bins[CELL * CELL];

  for (int i = 0; i < CELL; i++) {
    int y = CELL * tile_row + i;
    int up = y == 0 ? CELL * pitch : -CELL * pitch;
    int down = y == last ? -CELL * pitch : CELL * pitch;

    for (int x = 0; x < CELL; x++) {
      int left = x == 0 ? (CELL - 1) * pitch - 1 : -pitch;
      int right = x == CELL - 1 ? 1 - (CELL - 1) * pitch : pitch;
      int n = CELL * x + i;
      intn bin;

      find_gradient (row + (CELL * i + x) * pitch, plane, left, right, up, down,
          &bin, here + n, before + n);
      bins[n] = as_uintn (bin << 2 | (bin == 0 ? ALL_BINS - 1 : bin - 1) << 18);
    }
  }
  for (int t = 0; t < n_tiles; t++)
    add_tile (here, before, bins, t, out + (column + t) * TILE_FEATURES);
}

/* Adds up the gradients of LANES tiles of 8 x 8 pixels in work-item (i, n), starting at tile i *
 * LANES of span n (a part of a row) of the list. */
kernel void
people_tiles (const global float *restrict planes,
    const global int *restrict plan, const global int *restrict lists, int list,
    global float *restrict tiles)
{
  const global int *span = lists + list + PEOPLE_SPAN * get_global_id (1);
  const global int *level = plan + PEOPLE_LEVEL * span[SPAN_LEVEL];
  int pitch = level[PITCH], row = span[SPAN_ROW];
  int column = span[SPAN_BEGIN] + LANES * get_global_id (0);

  /* Omits lanes after the end of the span. Their samples are undefined, and so are the bins
   * computed from them. */
  if (column < span[SPAN_END])
    fill_tiles (planes + level[PLANES] + (size_t) row * CELL * CELL * pitch + 1
        + column, pitch, level[PLANE], row, level[HEIGHT] - 1,
        min (LANES, span[SPAN_END] - column), column,
        tiles + level[TILES] + (size_t) row * TILE_FEATURES * pitch);
}

#endif
