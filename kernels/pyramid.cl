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

  i = abs (i);
  /* A division takes longer than all the rest. */
  if (i >= period)
    i %= period;
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

/* What a tile needs of the levels below it; columns come in pairs. */
#define FIRST_PAIRS (TILE_X + 2)
#define FIRST_Y (2 * TILE_Y + 3)
#define SOURCE_Y (2 * FIRST_Y + 3)

/* The sums of two neighbours side by side in a word: a sum of sums, which is
 * 256 samples at most, stays in its half. */
#if BYTES == 1
typedef uint couple;
#else
typedef ulong couple;
#endif
#define HALF (8 * (int) sizeof (couple) / 2)
#define BOTH(v) ((couple) (v) << HALF | (couple) (v))
#define LOW(c) ((c) & (((couple) 1 << HALF) - 1))

/* The horizontal sum around a column of a row of width samples, where samples
 * and sums are mirrored at their own borders. */
static couple
across_at (const global uchar * row, int width, int x)
{
  int c = 2 * reflect (x, (width + 1) / 2);

  return DOWN ((couple) get (row, reflect (c - 2, width)),
      get (row, reflect (c - 1, width)), get (row, c),
      get (row, reflect (c + 1, width)), get (row, reflect (c + 2, width)));
}

/* Those around x, an even column, and the next one. is_aligned: the row begins
 * at a multiple of four bytes. */
static couple
across_pair (const global uchar * row, int width, int x, int is_aligned)
{
#if BYTES == 1 && PIXEL_STRIDE == 1 && SHIFT == 0
  if (is_aligned && x >= 2 && 2 * x + 8 <= width) {
    const global uint *words = (const global uint *) (row + 2 * x);
    uint a = words[-1], b = words[0], c = words[1];
    uint left = a >> 16, right = b >> 16;
    couple odd = left >> 8 | (b & 0xff00) << 8;

    return DOWN ((left & 0xff) | b << 16 & 0xff0000, odd, b & 0xff00ff,
        b >> 8 & 0xff00ff, (right & 0xff) | c << 16 & 0xff0000);
  }
#endif
  return across_at (row, width, x) | across_at (row, width, x + 1) << HALF;
}

/* Work-group (i, j) makes the tile (i, j) of the second level above from, and
 * four tiles of the first one. keep: bit 0: the first one is wanted, bit 1:
 * the second one; bit 2: rows of from begin at multiples of four bytes. */
kernel void
pyramid_tile (const global uchar * restrict from, int from_offset,
    int from_stride, int width, int height, global uchar * restrict first,
    int first_offset, int first_stride, global uchar * restrict second,
    int second_offset, int second_stride, int keep)
{
  local couple across[SOURCE_Y * FIRST_PAIRS];
  local couple level[FIRST_Y * FIRST_PAIRS];
  local sum level_across[FIRST_Y * TILE_X];
  int width1 = (width + 1) / 2, height1 = (height + 1) / 2;
  int width2 = (width1 + 1) / 2, height2 = (height1 + 1) / 2;
  int x2 = get_group_id (0) * TILE_X, y2 = get_group_id (1) * TILE_Y;
  int x1 = 2 * x2 - 2, y1 = 2 * y2 - 2;
  int me = get_local_id (0), all = get_local_size (0);

  for (int i = me; i < FIRST_PAIRS * SOURCE_Y; i += all) {
    int j = i / FIRST_PAIRS;
    int y = reflect (2 * y1 - 2 + j, height);

    across[i] = across_pair (from + from_offset + y * from_stride, width,
        x1 + 2 * (i - j * FIRST_PAIRS), keep & 4);
  }
  barrier (CLK_LOCAL_MEM_FENCE);

  for (int i = me; i < FIRST_PAIRS * FIRST_Y; i += all) {
    int j = i / FIRST_PAIRS, pair = i - j * FIRST_PAIRS;
    int x = x1 + 2 * pair, y = y1 + j;
    /* The first level is mirrored at its own borders; what is too far beyond
     * them to be in the tile is of no use. */
    int row = clamp (reflect (y, height1) - y1, 0, FIRST_Y - 1);
    const local couple *s = across + 2 * row * FIRST_PAIRS + pair;
    couple v = DOWN (s[0], s[FIRST_PAIRS], s[2 * FIRST_PAIRS],
        s[3 * FIRST_PAIRS], s[4 * FIRST_PAIRS]);

    v = (v + BOTH (128)) >> 8 & BOTH ((1 << 8 * BYTES) - 1);
    level[i] = v;
    if (keep & 1 && pair > 0 && pair <= TILE_X && j >= 2
        && j < 2 + 2 * TILE_Y && x < width1 && y < height1) {
      put (first + first_offset + y * first_stride, x, LOW (v));
      if (x + 1 < width1)
        put (first + first_offset + y * first_stride, x + 1, v >> HALF);
    }
  }
  barrier (CLK_LOCAL_MEM_FENCE);

  for (int i = me; i < TILE_X * FIRST_Y; i += all) {
    int j = i / TILE_X;
    const local couple *s = level + j * FIRST_PAIRS + i - j * TILE_X;
    couple a = s[0], b = s[1], c = s[2];

    level_across[i] = (sum) DOWN (LOW (a), a >> HALF, LOW (b), b >> HALF,
        LOW (c));
  }
  barrier (CLK_LOCAL_MEM_FENCE);

  for (int i = me; i < TILE_X * TILE_Y; i += all) {
    int j = i / TILE_X, x = x2 + i - j * TILE_X, y = y2 + j;
    const local sum *s = level_across + j * TILE_X + i;
    uint v = DOWN ((uint) s[0], s[TILE_X], s[2 * TILE_X], s[3 * TILE_X],
        s[4 * TILE_X]);

    if (keep & 2 && x < width2 && y < height2)
      put (second + second_offset + y * second_stride, x, (v + 128) >> 8);
  }
}
