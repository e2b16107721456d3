/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Gaussian pyramids, one component of a frame at a time. What they compute:
 * docs/algorithms/pyramid.md.
 *
 * pyramid_rows makes a level from the one below it without any local memory;
 * pyramid_tile makes two levels at once in it. */

/* Samples of the second level that a work-group of pyramid_tile makes. */
#ifndef TILE_X
#define TILE_X 32
#endif
#ifndef TILE_Y
#define TILE_Y 8
#endif

#include "samples.cl"

/* Place of sample i of an axis of n, mirrored at both ends. */
static int
reflect (int i, int n)
{
  int period = max (2 * n - 2, 1);

  i = abs (i) % period;
  return min (i, period - i);
}

#define DOWN(a, b, c, d, e) \
    ((a) + (e) + (((b) + (d)) << (sum) 2) + (c) * (sum) 6)

/* The vertical sum at column x, mirrored, of width columns. */
static uint
column (const global uchar * const * rows, int x, int width)
{
  x = reflect (x, width);
  return DOWN ((uint) get (rows[0], x), get (rows[1], x), get (rows[2], x),
      get (rows[3], x), get (rows[4], x));
}

/* Two rows of a level from the seven below them, or one from five. */
#define SPAN 2
#define TAPS (2 * SPAN + 3)

static void
down_rows (const global uchar * const * rows, int width, int position,
    global uchar * to, int stride, int n_rows)
{
  int n = (width + 1) / 2, blocks = width / 32;
  /* Vertical sums of even and odd columns: the block that is made, and those
   * on both sides of it. */
  sums even[SPAN], odd[SPAN], last_even[SPAN], last_odd[SPAN];

#pragma unroll
  for (int i = 0; i < SPAN; i++)
    even[i] = odd[i] = last_even[i] = last_odd[i] = (sums) (0);
  for (int k = 0; k <= blocks; k++) {
    sums next_even[SPAN], next_odd[SPAN];

    if (k < blocks) {
      sums e[TAPS], o[TAPS];

#pragma unroll
      for (int j = 0; j < TAPS; j++)
        load_pairs (rows[j] + k * 32 * PIXEL_STRIDE - position, position,
            &e[j], &o[j]);
#pragma unroll
      for (int i = 0; i < SPAN; i++) {
        int j = 2 * i;

        next_even[i] = DOWN (e[j], e[j + 1], e[j + 2], e[j + 3], e[j + 4]);
        next_odd[i] = DOWN (o[j], o[j + 1], o[j + 2], o[j + 3], o[j + 4]);
      }
    } else {
#pragma unroll
      for (int i = 0; i < SPAN; i++) {
        next_even[i] = (sums) ((sum) column (rows + 2 * i, 32 * k, width));
        next_odd[i] = (sums) (0);
      }
    }
#pragma unroll
    for (int i = 0; i < SPAN; i++) {
      if (k > 0) {
        sums v = DOWN (shift_in_before (last_even[i], even[i]),
            shift_in_before (last_odd[i], odd[i]), even[i], odd[i],
            shift_in_behind (even[i], next_even[i]));

        if (i < n_rows)
          store_samples (to + i * stride + (k - 1) * 16 * PIXEL_STRIDE,
              (v + (sum) 128) >> (sum) 8);
      }
      /* Mirrored at the first column. */
      last_even[i] = k > 0 ? even[i] : (sums) (next_even[i].s1);
      last_odd[i] = k > 0 ? odd[i] : (sums) (next_odd[i].s0);
      even[i] = next_even[i];
      odd[i] = next_odd[i];
    }
  }

  for (int i = 0; i < n_rows; i++) {
    const global uchar *const *r = rows + 2 * i;

    for (int x = 16 * blocks; x < n; x++) {
      uint v = DOWN (column (r, 2 * x - 2, width), column (r, 2 * x - 1, width),
          column (r, 2 * x, width), column (r, 2 * x + 1, width),
          column (r, 2 * x + 2, width));

      put (to + i * stride, x, (v + 128) >> 8);
    }
  }
}

/* Work-item y makes n_rows rows, an even number, from row y * n_rows on.
 * position: see samples.cl. */
kernel void
pyramid_rows (const global uchar * restrict from, int from_offset,
    int from_stride, int width, int height, global uchar * restrict to,
    int to_offset, int to_stride, int position, int n_rows)
{
  int begin = get_global_id (0) * n_rows;
  int end = min (begin + n_rows, (height + 1) / 2);

  for (int y = begin; y < end; y += SPAN) {
    const global uchar *rows[TAPS];

#pragma unroll
    for (int j = 0; j < TAPS; j++)
      rows[j] = from + from_offset
          + reflect (2 * y + j - 2, height) * from_stride;
    down_rows (rows, width, position, to + to_offset + y * to_stride,
        to_stride, min (SPAN, end - y));
  }
}

/* What a tile needs of the levels below it. */
#define FIRST_X (2 * TILE_X + 3)
#define FIRST_Y (2 * TILE_Y + 3)
#define SOURCE_X (2 * FIRST_X + 3)
#define SOURCE_Y (2 * FIRST_Y + 3)

/* Work-group (i, j) makes the tile (i, j) of the second level above from, and
 * four tiles of the first one. keep: bit 0: the first one is wanted, bit 1:
 * the second one. */
kernel void
pyramid_tile (const global uchar * restrict from, int from_offset,
    int from_stride, int width, int height, global uchar * restrict first,
    int first_offset, int first_stride, global uchar * restrict second,
    int second_offset, int second_stride, int keep)
{
  local sample source[SOURCE_Y * SOURCE_X];
  local sum across[SOURCE_Y * FIRST_X];
  local sample level[FIRST_Y * FIRST_X];
  local sum level_across[FIRST_Y * TILE_X];
  int width1 = (width + 1) / 2, height1 = (height + 1) / 2;
  int width2 = (width1 + 1) / 2, height2 = (height1 + 1) / 2;
  int x2 = get_group_id (0) * TILE_X, y2 = get_group_id (1) * TILE_Y;
  int x1 = 2 * x2 - 2, y1 = 2 * y2 - 2;
  int me = get_local_id (0), all = get_local_size (0);

  for (int i = me; i < SOURCE_X * SOURCE_Y; i += all) {
    int row = i / SOURCE_X;
    int x = reflect (2 * x1 - 2 + i - row * SOURCE_X, width);
    int y = reflect (2 * y1 - 2 + row, height);

    source[i] = (sample) get (from + from_offset + y * from_stride, x);
  }
  barrier (CLK_LOCAL_MEM_FENCE);

  for (int i = me; i < FIRST_X * SOURCE_Y; i += all) {
    int row = i / FIRST_X;
    const local sample *s = source + row * SOURCE_X + (i - row * FIRST_X) * 2;

    across[i] = (sum) DOWN (s[0], s[1], s[2], s[3], s[4]);
  }
  barrier (CLK_LOCAL_MEM_FENCE);

  for (int i = me; i < FIRST_X * FIRST_Y; i += all) {
    int row = i / FIRST_X, x = x1 + i - row * FIRST_X, y = y1 + row;
    const local sum *s = across + row * FIRST_X + i;
    uint v = DOWN ((uint) s[0], s[FIRST_X], s[2 * FIRST_X], s[3 * FIRST_X],
        s[4 * FIRST_X]);

    v = (v + 128) >> 8;
    level[i] = (sample) v;
    if (keep & 1 && x >= 2 * x2 && x < min (2 * (x2 + TILE_X), width1)
        && y >= 2 * y2 && y < min (2 * (y2 + TILE_Y), height1))
      put (first + first_offset + y * first_stride, x, v);
  }
  barrier (CLK_LOCAL_MEM_FENCE);

  /* The first level is mirrored at its own borders. What lies beyond them is
   * of no use: mirrored into the tile or not, no sample that is kept sees it. */
  for (int i = me; i < TILE_X * FIRST_Y; i += all) {
    int row = i / TILE_X;
    const local sample *s = level + row * FIRST_X;
    int x = 2 * (x2 + i - row * TILE_X), at[5];

    for (int j = 0; j < 5; j++)
      at[j] = clamp (reflect (x + j - 2, width1) - x1, 0, FIRST_X - 1);
    level_across[i] = (sum) DOWN (s[at[0]], s[at[1]], s[at[2]], s[at[3]],
        s[at[4]]);
  }
  barrier (CLK_LOCAL_MEM_FENCE);

  for (int i = me; i < TILE_X * TILE_Y; i += all) {
    int row = i / TILE_X, column = i - row * TILE_X;
    const local sum *s = level_across + column;
    int x = x2 + column, y = y2 + row, at[5];
    uint v;

    for (int j = 0; j < 5; j++)
      at[j] = TILE_X
          * clamp (reflect (2 * y + j - 2, height1) - y1, 0, FIRST_Y - 1);
    v = DOWN ((uint) s[at[0]], s[at[1]], s[at[2]], s[at[3]], s[at[4]]);
    if (keep & 2 && x < width2 && y < height2)
      put (second + second_offset + y * second_stride, x, (v + 128) >> 8);
  }
}
