/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Kernels of Gaussian pyramids. They process one component of a frame at a time. The algorithm
 * is described in docs/algorithms/pyramid.md.
 *
 * The kernel pyramid_rows computes a level from the level below it without local memory;
 * pyramid_tile computes up to DEPTH levels at once in local memory. */

/* Width and height of the tile that a work-group of pyramid_tile computes, in samples of the
 * coarsest level, which is DEPTH levels above the source. TILE_X is even. */
#ifndef TILE_X
#define TILE_X 8
#endif
#ifndef TILE_Y
#define TILE_Y 4
#endif

/* Size of a work-group of pyramid_tile. */
#ifndef GROUP
#define GROUP 64
#endif

#include "base/reflect.h"
#include "base/samples.h"
#include "pyramid/pyramid-shared.h"

#define DOWN(a, b, c, d, e) \
    ((a) + (e) + (((b) + (d)) << (sum) 2) + (c) * (sum) 6)

/* Returns the sum of the samples of five rows at column x, with the weights 1 4 6 4 1. A column
 * outside of 0 to width - 1 is mirrored. */
static uint
column (const global uchar * const * rows, int x, int width)
{
  x = reflect (x, width);
  return DOWN ((uint) get (rows[0], x), get (rows[1], x), get (rows[2], x),
      get (rows[3], x), get (rows[4], x));
}

/* The function down_rows() computes SPAN rows of a level from TAPS rows of the level below, or
 * one row from five rows. */
#define SPAN 2
#define TAPS (2 * SPAN + 3)

/* Number of samples of a row that down_rows() computes at a time, a multiple of 16. If BANDS is
 * 0, pyramid_rows is not launched, because work-groups compute tiles; a small number is enough
 * then. */
#if BANDS
#define CHUNK 512
#else
#define CHUNK 16
#endif

/* Loads a vector of vertical sums from the address @p, which does not need the alignment of
 * vectors. */
LOOSE (sums, loose_sums);
#define LOOSE_SUMS(p) (((const loose_sums *) (p))->v)

/* Writes vertical sums of five rows to @even and @odd, starting at vector 1. They are the sums
 * of columns 2 * (x0 + x) and 2 * (x0 + x) + 1, for x from 0 to n. For row i of the result, the
 * first of the five rows is rows[2 * i]. */
static void
sum_columns (const global uchar * const * rows, int width, int position,
    int x0, int n, sums (*even)[CHUNK / 16 + 2], sums (*odd)[CHUNK / 16 + 2])
{
  int vectors = min (n, width / 2 - x0) / 16;

  for (int k = 0; k < vectors; k++) {
    sums e[TAPS], o[TAPS];

#pragma unroll
    for (int j = 0; j < TAPS; j++)
      load_pairs (rows[j] + 2 * (x0 + 16 * k) * PIXEL_STRIDE - position,
          position, &e[j], &o[j]);
#pragma unroll
    for (int i = 0; i < SPAN; i++) {
      int j = 2 * i;

      even[i][1 + k] = DOWN (e[j], e[j + 1], e[j + 2], e[j + 3], e[j + 4]);
      odd[i][1 + k] = DOWN (o[j], o[j + 1], o[j + 2], o[j + 3], o[j + 4]);
    }
  }
  for (int i = 0; i < SPAN; i++) {
    sum *e = (sum *) (even[i] + 1), *o = (sum *) (odd[i] + 1);

    for (int x = 16 * vectors; x <= n; x++) {
      e[x] = (sum) column (rows + 2 * i, 2 * (x0 + x), width);
      o[x] = (sum) column (rows + 2 * i, 2 * (x0 + x) + 1, width);
    }
  }
}

static void
down_rows (const global uchar * const * rows, int width, int position,
    global uchar * to, int stride, int n_rows)
{
  int n = (width + 1) / 2;
  /* The arrays @even and @odd contain vertical sums of the even and of the odd columns. Vector 1
   * begins with the sums of the first column of a chunk, and vector 0 ends with the sums of the
   * column left of it. */
  sums even[SPAN][CHUNK / 16 + 2], odd[SPAN][CHUNK / 16 + 2];

  for (int i = 0; i < SPAN; i++) {
    even[i][0] = (sums) ((sum) column (rows + 2 * i, -2, width));
    odd[i][0] = (sums) ((sum) column (rows + 2 * i, -1, width));
  }
  for (int x0 = 0; x0 < n; x0 += CHUNK) {
    int m = min (CHUNK, n - x0);

    sum_columns (rows, width, position, x0, m, even, odd);
    for (int i = 0; i < n_rows; i++) {
      const sum *e = (const sum *) (even[i] + 1), *o = (const sum *) (odd[i] + 1);
      global uchar *row = to + i * stride + x0 * PIXEL_STRIDE;

      for (int x = 0; x + 16 <= m; x += 16) {
        sums v = DOWN (LOOSE_SUMS (e + x - 1), LOOSE_SUMS (o + x - 1),
            LOOSE_SUMS (e + x), LOOSE_SUMS (o + x), LOOSE_SUMS (e + x + 1));

        store_samples (row + x * PIXEL_STRIDE, (v + (sum) 128) >> (sum) 8);
      }
      for (int x = m / 16 * 16; x < m; x++) {
        sum v = DOWN (e[x - 1], o[x - 1], e[x], o[x], e[x + 1]);

        put (row, x, (sum) (v + 128) >> 8);
      }
    }
    for (int i = 0; i < SPAN; i++) {
      even[i][0] = even[i][CHUNK / 16];
      odd[i][0] = odd[i][CHUNK / 16];
    }
  }
}

/* Computes n_rows rows of the level, an even number, in work-item y, starting at row y * n_rows.
 * @position is the offset of the component in a pixel, in bytes. */
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

/* Size of the area of level l that a work-group computes in local memory. The area is the tile
 * and a margin that the next levels need: HALO (l) columns on each side, HALO (l) rows above the
 * tile, and half as many below. PAIRS (l) is the width of the area in pairs of columns, ROWS (l)
 * its height. */
#define HALO(l) (2 * ((1 << (DEPTH - (l))) - 1))
#define PAIRS(l) ((TILE_X << (DEPTH - (l))) / 2 + HALO (l))
#define ROWS(l) ((TILE_Y << (DEPTH - (l))) + HALO (l) * 3 / 2)

/* The first level is computed from blocks of four columns of the source frame: one block for
 * each pair of columns of the first level, and one additional block on each side. A work-item
 * computes STRIP rows of a block. */
#define BLOCKS (PAIRS (1) + 2)
#define STRIP 3
#define STRIPS ((ROWS (1) + STRIP - 1) / STRIP)

/* The type couple packs the sums of two neighboring columns into one word; the left sum is in
 * the lower half. A sum is at most 256 times the largest sample and fits into half a word. */
#if BYTES == 1
typedef uint couple;
#define as_couple as_uint
typedef ushort2 halves;
#define as_halves as_ushort2
#else
typedef ulong couple;
#define as_couple as_ulong
typedef uint2 halves;
#define as_halves as_uint2
#endif
#define HALF (8 * (int) sizeof (couple) / 2)
#define BOTH(v) ((couple) (v) << HALF | (couple) (v))
#define LOW(c) ((c) & (((couple) 1 << HALF) - 1))

/* Packs the upper half of the word @a and the lower half of the word @b into one word. */
static couple
between (couple a, couple b)
{
  return as_couple ((halves) (as_halves (a).s1, as_halves (b).s0));
}

/* Returns the same as reflect(), without a branch, but only for i from -2 to n + 1. */
static int
reflect_near (int i, int n)
{
  int m = abs (i);

  return n == 1 ? 0 : n == 2 ? i & 1 : min (m, 2 * n - 2 - m);
}

/* Computes the vertical sums of a block of four columns for STRIP rows of the first level,
 * starting at row j of the tile. Writes the sums of the even columns to one word, and the sums
 * of the odd columns to the next word. The tile begins at column x0 of the source and at row y0
 * of the first level. If is_aligned is set, the rows of @from begin at multiples of four bytes. */
static void
sum_strip (const global uchar * from, int stride, int x0, int width, int y0,
    int height, int is_aligned, int j, int block, local couple * sums_down)
{
  couple e[2 * STRIP + 3], o[2 * STRIP + 3];
  int x = x0 + 4 * block, y = 2 * (y0 + j);

  if (x < 0 || x >= width)
    return;
#pragma unroll
  for (int k = 0; k < 2 * STRIP + 3; k++) {
    const global uchar *row = from + stride
        * reflect_near (clamp (y - 2 + k, -2, height + 1), height);

#if BYTES == 1 && PIXEL_STRIDE == 1 && SHIFT == 0
    if (is_aligned && x + 4 <= width) {
      uint v = *(const global uint *) (row + x);

      e[k] = v & 0x00ff00ff;
      o[k] = v >> 8 & 0x00ff00ff;
      continue;
    }
#endif
    e[k] = get (row, x) | (couple) get (row, min (x + 2, width - 1)) << HALF;
    o[k] = get (row, min (x + 1, width - 1))
        | (couple) get (row, min (x + 3, width - 1)) << HALF;
  }
#pragma unroll
  for (int k = 0; k < STRIP; k++) {
    int i = 2 * k;
    local couple *to = sums_down + ((j + k) * BLOCKS + block) * 2;

    if (j + k < ROWS (1)) {
      to[0] = DOWN (e[i], e[i + 1], e[i + 2], e[i + 3], e[i + 4]);
      to[1] = DOWN (o[i], o[i + 1], o[i + 2], o[i + 3], o[i + 4]);
    }
  }
}

/* Returns the horizontal sums around the two even columns of a block of four
 * columns, packed into one word. */
static couple
across_block (const local couple * block)
{
  couple even = block[0], odd = block[1];

  return DOWN (between (block[-2], even), between (block[-1], odd), even, odd,
      between (even, block[2]));
}

/* Returns two horizontal sums, packed into one word. The words at @s contain two columns each.
 * The first sum is over five columns starting at @s; the second sum starts two columns further
 * right. */
static couple
across_couples (const local couple * s)
{
  couple a = s[0], b = s[1], c = s[2], d = s[3];

  return DOWN (LOW (a) | b << HALF, a >> HALF | (b & ~LOW (b)),
      LOW (b) | c << HALF, b >> HALF | (c & ~LOW (c)), LOW (c) | d << HALF);
}

/* IN_COUPLES and IN_BLOCKS return the index of the sum of column x in a row of sums in local
 * memory. IN_COUPLES is for sums in the order of the columns. IN_BLOCKS is for sums in blocks of
 * four columns, with the even columns of a block first. */
#define IN_COUPLES(x) (x)
#define IN_BLOCKS(x) ((x) & ~3 | (x) << 1 & 2 | (x) >> 1 & 1)

/* Mirrors a level of n columns at its left and right edges: writes the two columns outside of
 * each edge, if they are in the tile in local memory. The tile has n_rows rows of stride
 * columns, and begins at column x0 of the level. */
#define MIRROR_COLUMNS(tile, IN, x0, stride, n_rows, n) \
    for (int i = me; i < 4 * (n_rows); i += GROUP) { \
      local sum *row = (local sum *) (tile) + i / 4 * (stride); \
      int x = i % 4 < 2 ? i % 4 - 2 : (n) + i % 4 - 2; \
      int to = x - (x0), at = reflect_near (x, n) - (x0); \
\
      if (to >= 0 && to < (stride) && at >= 0 && at < (stride)) \
        row[IN (to)] = row[IN (at)]; \
    } \
    barrier (CLK_LOCAL_MEM_FENCE);

/* Computes an area of level @number: the work-group's tile and a margin around it.
 * @sums_down: read, the vertical sums, n_sums words for each row of the area
 * @level: written, the area
 * @x0, @y0: first column and row of the area in the level
 * @width, @height: size of the level in pixels
 * @is_kept: 1 if the tile, without the margin, is also written to the plane of the level
 * @to: address of this plane */
static void
sum_across (const local couple * sums_down, int n_sums, local couple * level,
    int number, int x0, int y0, int width, int height, global uchar * to,
    int stride, int is_kept, int me)
{
  int halo = HALO (number), pairs = PAIRS (number), rows = ROWS (number);
  int tile_x = TILE_X << (DEPTH - number), tile_y = TILE_Y << (DEPTH - number);

  for (int i = me; i < rows * pairs; i += GROUP) {
    int j = i / pairs, pair = i - j * pairs;
    int x = x0 + 2 * pair, y = y0 + j;

    if (x >= 0 && x < width && y >= -2 && y < height + 2) {
      const local couple *row = sums_down
          + clamp (reflect_near (y, height) - y0, 0, rows - 1) * n_sums;
      couple v = number == 1 ? across_block (row + 2 * (pair + 1))
          : across_couples (row + 2 * pair);

      v = (v + BOTH (128)) >> 8 & BOTH ((1 << 8 * BYTES) - 1);
      level[i] = v;
      if (is_kept && 2 * pair >= halo && 2 * pair < halo + tile_x
          && j >= halo && j < halo + tile_y && y < height) {
        put (to + y * stride, x, LOW (v));
        if (x + 1 < width)
          put (to + y * stride, x + 1, v >> HALF);
      }
    }
  }
}

/* Computes tile (i, j) of levels 1 to depth above the frame @from, in work-group (i, j). The
 * tile covers TILE_X << DEPTH columns and TILE_Y << DEPTH rows of the frame. @keep is a set of
 * bits. Bit l - 1 is set if level l is written, to the parameter to_l (to_1, to_2 and so on).
 * Bit DEPTH is set if the rows of @from begin at multiples of four bytes. */
kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1)))
void
pyramid_tile (const global uchar * restrict from, int from_offset,
    int from_stride, int width, int height,
    global uchar * restrict to_1, int offset_1, int stride_1,
    global uchar * restrict to_2, int offset_2, int stride_2,
    global uchar * restrict to_3, int offset_3, int stride_3,
    global uchar * restrict to_4, int offset_4, int stride_4,
    int depth, int keep)
{
  /* The array sums_down contains the vertical sums of the level below, two in each word. Sums of
   * the source frame are in blocks of four columns, with the even columns first. */
  local couple sums_down[ROWS (1) * BLOCKS * 2];
  local couple level[ROWS (1) * PAIRS (1)];
  int me = get_local_id (0);

  from += from_offset;
  for (int l = 1; l <= depth; l++) {
    int pairs = PAIRS (l), rows = ROWS (l);
    int x0 = get_group_id (0) * (TILE_X << (DEPTH - l)) - HALO (l);
    int y0 = get_group_id (1) * (TILE_Y << (DEPTH - l)) - HALO (l);
    int w = (width + (1 << l) - 1) >> l, h = (height + (1 << l) - 1) >> l;
    /* Number of words in a row of sums_down. */
    int n_sums = l == 1 ? 2 * BLOCKS : PAIRS (l - 1);
    global uchar *to = l == 1 ? to_1 + offset_1 : l == 2 ? to_2 + offset_2
        : l == 3 ? to_3 + offset_3 : to_4 + offset_4;
    int stride = l == 1 ? stride_1 : l == 2 ? stride_2
        : l == 3 ? stride_3 : stride_4;
    bool at_ends = x0 < 0 || x0 + 2 * pairs > w;

    /* Uses two loops, one of which is empty, instead of if and else: PoCL 5 aborts if a loop
     * after an if with an else contains a barrier. */
    for (int i = me; i < (l == 1 ? BLOCKS * STRIPS : 0); i += GROUP)
      sum_strip (from, from_stride, 2 * x0 - 4, width, y0, height,
          keep & 1 << DEPTH, i / BLOCKS * STRIP, i % BLOCKS, sums_down);
    for (int i = me; i < (l > 1 ? rows * n_sums : 0); i += GROUP) {
      const local couple *s = level + i + i / n_sums * n_sums;

      sums_down[i] = DOWN (s[0], s[n_sums], s[2 * n_sums], s[3 * n_sums],
          s[4 * n_sums]);
    }
    barrier (CLK_LOCAL_MEM_FENCE);
    if (l == 1 && at_ends) {
      MIRROR_COLUMNS (sums_down, IN_BLOCKS, 2 * x0 - 4, 4 * BLOCKS, rows,
          width);
    }

    sum_across (sums_down, n_sums, level, l, x0, y0, w, h, to, stride,
        keep & 1 << (l - 1), me);
    barrier (CLK_LOCAL_MEM_FENCE);
    if (at_ends) {
      MIRROR_COLUMNS (level, IN_COUPLES, x0, 2 * pairs, rows, w);
    }
  }
}
