/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Interpolates several pixels in a row together. Pixels have one or two samples of one byte. */
#ifndef WARP_SEGMENT_MIX_H
#define WARP_SEGMENT_MIX_H

#include "base/mix.h"
#include "warp/vectors.h"

/* The samples of a pixel in the order in memory: the second component of a pixel may come first. */
#if SAMPLES == 1
#define FIRST(v) (v)
#define SECOND(v) 0
#else
#define FIRST(v) (AT1 < 0 ? (v).s1 : (v).s0)
#define SECOND(v) (AT1 < 0 ? (v).s0 : (v).s1)
#endif

MIX_SAMPLES (mix_samples, uint8)
LIMIT_SAMPLES (limit_samples, uint8, int8, as_uint8)
WEIGHTS (find_weights_segment, int8)

/* Loads an element of 8 pixels, at the offsets @at from the address @p, with the type @name. */
#define GATHER(type, name, p, at) \
    ((type) (LOAD_LOOSE (name, (p) + (at).s0), LOAD_LOOSE (name, (p) + (at).s1), \
        LOAD_LOOSE (name, (p) + (at).s2), LOAD_LOOSE (name, (p) + (at).s3), \
        LOAD_LOOSE (name, (p) + (at).s4), LOAD_LOOSE (name, (p) + (at).s5), \
        LOAD_LOOSE (name, (p) + (at).s6), LOAD_LOOSE (name, (p) + (at).s7)))

/* Stores SEGMENT pixels; @second is ignored where pixels have one sample. */
static void
store_segment (global uchar * to, uint8 first, uint8 second)
{
#if SAMPLES == 1
  STORE_LOOSE (loose_uchar8, to, convert_uchar8 (first));
#else
  STORE_LOOSE (loose_uchar16, to, as_uchar16 (convert_ushort8 (first
              | second << 8)));
#endif
}

/* Loads two adjacent pixels for each of the offsets @at from the address @p. */
static uint8
gather_pairs (global const uchar * p, int8 at)
{
#if SAMPLES == 1
  return convert_uint8 (GATHER (ushort8, loose_ushort, p, at));
#else
  return GATHER (uint8, loose_uint, p, at);
#endif
}

/* Loads four adjacent pixels for each of the offsets @at from the address @p, in the order that
 * add_samples() needs. */
static void
gather_quads (global const uchar * p, int8 at, uint8 * lower, uint8 * upper)
{
#if SAMPLES == 1
  *lower = *upper = GATHER (uint8, loose_uint, p, at);
#else
  ulong8 both = GATHER (ulong8, loose_ulong, p, at);

  *lower = convert_uint8 (both);
  *upper = convert_uint8 (both >> 32);
#endif
}

/* Returns the columns (or rows) of the frame that replace the columns (or rows) @i, which may lie
 * outside of the frame, like find_inside(). */
static int8
find_segment_taps (int8 i, int n, int edges)
{
  int taps[SEGMENT];

  if (edges == WARP_BLACK || edges == WARP_REPEAT)
    return clamp (i, (int8) (0), (int8) (n - 1));
  vstore8 (i, 0, taps);
  for (int k = 0; k < SEGMENT; k++)
    taps[k] = find_inside (taps[k], n, edges);
  return vload8 (0, taps);
}

/* Computes SEGMENT pixels at @to. Each is the weighted sum of n x n pixels of the frame, the first
 * of which is in the column @column and the row @row, shifted right by @bits. The horizontal
 * weights @across, which the function changes, have the sum @one; @down: the vertical weights */
static void
mix_segment (global const uchar * in, int stride, int8 column, int8 row, int n,
    int8 * across, const int8 * down, int one, int bits, int width,
    int height, int edges, int first_colour, int second_colour,
    global uchar * to)
{
  int8 columns[6], rest = one, sum = 1 << (bits - 1), second = sum;

  for (int k = 0; k < n; k++) {
    columns[k] = find_segment_taps (column + k, width, edges) * PIXEL_STRIDE;
    if (edges == WARP_BLACK)
      across[k] &= as_uint8 (column + k) < (uint) width;
    rest -= across[k];
  }
  for (int k = 0; k < n; k++) {
    int8 at = find_segment_taps (row + k, height, find_row_edges (edges))
        * stride, line = rest * first_colour, beside = rest * second_colour;

    for (int i = 0; i < n; i++) {
      int8 from = at + columns[i];
#if SAMPLES == 1
      int8 pixels = convert_int8 (GATHER (uchar8, loose_uchar, in, from));
#else
      int8 pixels = convert_int8 (GATHER (ushort8, loose_ushort, in, from));

      beside += (pixels >> 8) * across[i];
#endif
      line += (pixels & 255) * across[i];
    }
    if (edges == WARP_BLACK) {
      int8 seen = as_uint8 (row + k) < (uint) height;

      line = select ((int8) (one * first_colour), line, seen);
      beside = select ((int8) (one * second_colour), beside, seen);
    }
    sum += line * down[k];
    second += beside * down[k];
  }
  store_segment (to, limit_samples (sum, bits), limit_samples (second, bits));
}

/* Returns whether all n x n pixels that mix_segment() would use, for all SEGMENT pixels, are
 * outside of the frame. */
static int
is_segment_outside (int8 column, int8 row, int n, int width, int height)
{
  return ALL (as_uint8 (column + n - 1) >= (uint) (width + n - 1)
      | as_uint8 (row + n - 1) >= (uint) (height + n - 1));
}

/* The following functions set the weights of pixels for positions that are @f steps after a sample.
 * @lanczos: the table of weights for Lanczos interpolation */
static void
find_bilinear_segment (global const int * lanczos, int8 f, int8 * weights)
{
  weights[0] = 256 - f;
  weights[1] = f;
}

static void
find_cubic_segment (global const int * lanczos, int8 f, int8 * weights)
{
  find_weights_segment (f, weights);
}

static void
find_lanczos_segment (global const int * lanczos, int8 f, int8 * weights)
{
  global const uchar *table = (global const uchar *) lanczos;

  f *= 12;
  for (int k = 0; k < 3; k++, table += 4) {
    int8 w = GATHER (int8, loose_int, table, f);

    weights[2 * k] = w << 16 >> 16;
    weights[2 * k + 1] = w >> 16;
  }
}

/* Describes where SEGMENT squares of n x n pixels are in memory. The first four squares lie in
 * one block, the last four in another; a block has BLOCK columns and n + 1 rows. Contains the
 * offsets of the two blocks; for each square, its first byte in a row of the block, repeated in
 * all bytes of a word; and whether the square begins in the second row. */
typedef struct
{
  int2 at;
  uint8 bytes, is_lower;
} blocks_of;

/* BLOCK is the number of pixels in 16 bytes: AVX2 can select from these by one instruction. Without
 * it, squares are not searched for in blocks. */
#define BLOCK (16 / PIXEL_STRIDE)
#ifdef __AVX2__
#define HAS_BLOCKS 1
#define CHOOSE(bytes, numbers) __builtin_astype (__builtin_ia32_pshufb256 ( \
        __builtin_astype (bytes, char32), __builtin_astype (numbers, char32)), \
    uint8)
typedef char char32 __attribute__ ((ext_vector_type (32)));
#else
#define HAS_BLOCKS 0
#define CHOOSE(bytes, numbers) (bytes)
#endif

/* Sets @blocks for squares inside the frame that begin in the columns @column and the rows @row.
 * Returns: whether the squares lie in two blocks */
static int
find_blocks (int8 column, int8 row, int n, int stride, int width, int height,
    blocks_of * blocks)
{
  int8 x = min (column.s00004444, column.s33337777), start;
  int8 y = min (row.s00004444, row.s33337777);

  x = min (x, (int8) (width - BLOCK));
  y = min (y, (int8) (height - n - 1));
  start = y * stride + x * PIXEL_STRIDE;
  blocks->at = start.s04;
  x = column - x;
  y = row - y;
  blocks->bytes = as_uint8 (x) * (uint) (PIXEL_STRIDE * 0x01010101);
  blocks->is_lower = as_uint8 (y > 0);
  return HAS_BLOCKS && width >= BLOCK && height > n
      && ALL (as_uint8 (x) <= (uint) (BLOCK - n) & as_uint8 (y) <= (uint) 1);
}

/* Returns four bytes of one row of each square of @blocks. @p: the row of the blocks; @bytes:
 * numbers of the bytes, starting with the first byte of the square */
static uint8
load_blocks (global const uchar * p, const blocks_of * blocks, uint bytes)
{
  uint8 both;

  both.lo = as_uint4 (LOAD_LOOSE (loose_uchar16, p + blocks->at.s0));
  both.hi = as_uint4 (LOAD_LOOSE (loose_uchar16, p + blocks->at.s1));
  return CHOOSE (both, blocks->bytes + bytes);
}

/* Sets @rows to four bytes of n rows of each square of @blocks, like load_blocks(). */
static void
load_rows (global const uchar * in, int stride, int n, const blocks_of * blocks,
    uint bytes, uint8 * rows)
{
  uint8 above = load_blocks (in, blocks, bytes);

#pragma unroll
  for (int k = 0; k < n; k++) {
    uint8 below = load_blocks (in + (k + 1) * stride, blocks, bytes);

    rows[k] = select (above, below, blocks->is_lower);
    above = below;
  }
}

/* Mixes 2x2 pixels. */
static void
mix_bilinear_segment (global const uchar * in, int stride, int8 column,
    int8 row, int width, int height, const int8 * across, const int8 * down,
    global uchar * to)
{
  uint8 f = as_uint8 (across[1]), g = as_uint8 (down[1]), rows[2];
  blocks_of blocks;

  /* Loads the pixels in blocks only if a pixel has two samples, because blocks save no time if a
   * pixel has one sample. */
  if (SAMPLES == 2
      && find_blocks (column, row, 2, stride, width, height, &blocks)) {
    load_rows (in, stride, 2, &blocks, 0x03020100, rows);
  } else {
    int8 at = row * stride + column * PIXEL_STRIDE;

    rows[0] = gather_pairs (in, at);
    rows[1] = gather_pairs (in + stride, at);
  }
  store_segment (to, mix_samples (rows[0], rows[1], 0, f, g),
      mix_samples (rows[0], rows[1], SAMPLES - 1, f, g));
}

/* Sets @pairs to n weights, two in a word, in the order of the halves for multiply_halves(). */
static void
pair_weights (const int8 * weights, int n, uint8 * pairs)
{
#pragma unroll
  for (int k = 0; k < n; k += 2)
    pairs[k / 2] = JOIN_LOWER (as_uint8 (weights[k]), as_uint8 (weights[k + 1]));
  order_weights (pairs);
}

/* Mixes 4x4 pixels. */
static void
mix_cubic_segment (global const uchar * in, int stride, int8 column, int8 row,
    int width, int height, const int8 * across, const int8 * down,
    global uchar * to)
{
  int8 sum = 1 << (2 * WARP_CUBIC_BITS - 1), second = sum;
  uint8 pairs[2], lower[4], upper[4];
  blocks_of blocks;

  pair_weights (across, 4, pairs);
  if (find_blocks (column, row, 4, stride, width, height, &blocks)) {
    load_rows (in, stride, 4, &blocks, 0x03020100, lower);
    if (SAMPLES == 2)
      load_rows (in, stride, 4, &blocks, 0x07060504, upper);
  } else {
    int8 at = row * stride + column * PIXEL_STRIDE;

#pragma unroll
    for (int k = 0; k < 4; k++)
      gather_quads (in + k * stride, at, &lower[k], &upper[k]);
  }
#pragma unroll
  for (int k = 0; k < 4; k++) {
    sum += add_samples (lower[k], upper[k], 0, pairs) * down[k];
    if (SAMPLES == 2)
      second += add_samples (lower[k], upper[k], 1, pairs) * down[k];
  }
  store_segment (to, limit_samples (sum, 2 * WARP_CUBIC_BITS),
      limit_samples (second, 2 * WARP_CUBIC_BITS));
}

/* Mixes 6x6 pixels. Does not use blocks, because they would take more time here. */
static void
mix_lanczos_segment (global const uchar * in, int stride, int8 column, int8 row,
    int width, int height, const int8 * across, const int8 * down,
    global uchar * to)
{
  int8 sum = 1 << (2 * WARP_CUBIC_BITS - 1), second = sum;
  int8 at = row * stride + column * PIXEL_STRIDE;
  uint8 pairs[3], lower, upper, last;

  pair_weights (across, 6, pairs);
  for (int k = 0; k < 6; k++, in += stride) {
    last = gather_pairs (in + 4 * SAMPLES, at);
    gather_quads (in, at, &lower, &upper);
    sum += (add_samples (lower, upper, 0, pairs)
        + multiply_halves (SPLIT (last, 0), pairs[2])) * down[k];
    if (SAMPLES == 2)
      second += (add_samples (lower, upper, 1, pairs)
          + multiply_halves (SPLIT (last, 1), pairs[2])) * down[k];
  }
  store_segment (to, limit_samples (sum, 2 * WARP_CUBIC_BITS),
      limit_samples (second, 2 * WARP_CUBIC_BITS));
}

/* Defines a function that computes SEGMENT pixels at @to, interpolated at the positions @u and
 * @v, in steps. Each is computed from n x n pixels of the frame that begin @before pixels before
 * the position. The function @find sets the weights of the n x n pixels; the function @mix is
 * used if all of these pixels are inside the frame. */
#define TAKE_SEGMENT(name, n, before, find, mix, one, bits) \
static void \
name (global const uchar * in, int stride, int8 u, int8 v, \
    global const int * lanczos, int width, int height, int edges, \
    values_of colour, global uchar * to) \
{ \
  int8 column = (u >> 8) - before, row = (v >> 8) - before; \
  int8 across[n], down[n]; \
  int colours[2] = { FIRST (colour), SECOND (colour) }, is_inside; \
\
  /* Supports formats in which the second sample of a pixel comes first in memory. */ \
  in += min (AT1, 0); \
  to += min (AT1, 0); \
  is_inside = ALL (as_uint8 (column) < (uint) max (width - n + 1, 0) \
      & as_uint8 (row) < (uint) max (height - n + 1, 0)); \
  if (!is_inside && edges == WARP_BLACK \
      && is_segment_outside (column, row, n, width, height)) { \
    store_segment (to, colours[0], colours[1]); \
    return; \
  } \
  find (lanczos, u & 255, across); \
  find (lanczos, v & 255, down); \
  if (is_inside) \
    mix (in, stride, column, row, width, height, across, down, to); \
  else \
    mix_segment (in, stride, column, row, n, across, down, one, bits, width, \
        height, edges, colours[0], colours[1], to); \
}

TAKE_SEGMENT (take_bilinear_segment, 2, 0, find_bilinear_segment,
    mix_bilinear_segment, 256, 16)
TAKE_SEGMENT (take_cubic_segment, 4, 1, find_cubic_segment, mix_cubic_segment,
    1 << WARP_CUBIC_BITS, 2 * WARP_CUBIC_BITS)
TAKE_SEGMENT (take_lanczos_segment, 6, 2, find_lanczos_segment,
    mix_lanczos_segment, 1 << WARP_CUBIC_BITS, 2 * WARP_CUBIC_BITS)

#endif
