/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Interpolates between the pixels of a frame. */
#ifndef BASE_MIX_H
#define BASE_MIX_H

#include "base/mix-pixel.h"
#include "base/mix-taps.h"

/* Returns the weighted sum of n pixels in a row; pixel i is at[i] bytes after the address @row.
 * If the sum of the weights is below @one, the rest is the weight of @black. If is_outside is
 * set, returns black. */
static values_of
add_row (global const uchar * row, const int *at, const int *weights, int n,
    int one, int is_outside, values_of black)
{
  values_of sum = 0;
  int rest = one;

  for (int i = 0; i < n; i++) {
    int weight = is_outside ? 0 : weights[i];

    sum += load_pixel (row + at[i]) * weight;
    rest -= weight;
  }
  return sum + black * rest;
}

/* Interpolates between the sums of two rows. v / 256 is the weight of the lower row. */
static values_of
mix_rows (values_of above, values_of below, int v)
{
#if BYTES == 1
  return (above * 256 + (below - above) * v + 32768) >> 16;
#else
  /* Splits the difference into its upper bits and its lowest 8 bits, because v times the whole
   * difference does not fit into an int. */
  values_of d = below - above;

  return (above + (d >> 8) * v + (((d & 255) * v + 32768) >> 8)) >> 8;
#endif
}

/* Returns a pixel interpolated at the position (u, v) of the frame, in steps. All four pixels
 * needed must be inside the frame. */
static values_of
mix_inside (global const uchar * in, int stride, int u, int v)
{
  global const uchar *p = in + (v >> 8) * stride + (u >> 8) * PIXEL_STRIDE;
  values_of a = load_pixel (p), b = load_pixel (p + stride);

  return mix_rows (a * 256 + (load_pixel (p + PIXEL_STRIDE) - a) * (u & 255),
      b * 256 + (load_pixel (p + stride + PIXEL_STRIDE) - b) * (u & 255),
      v & 255);
}

/* Returns a pixel interpolated at the position (u, v) of the frame, in steps. @edges selects the
 * pixels outside of the frame. */
static values_of
mix_anywhere (global const uchar * in, int stride, int u, int v, int width,
    int height, int edges, values_of black)
{
  int across[2] = { 256 - (u & 255), u & 255 }, down[2] = { 1, 1 };
  int columns[2], rows[2];

  find_taps (u >> 8, 2, width, PIXEL_STRIDE, edges, columns, across);
  find_taps (v >> 8, 2, height, stride, find_row_edges (edges), rows, down);
  return mix_rows (add_row (in + rows[0], columns, across, 2, 256,
          down[0] == 0, black), add_row (in + rows[1], columns, across, 2, 256,
          down[1] == 0, black), v & 255);
}

/* Defines a function that computes the weights of four samples in a row, in units of
 * 2^-WARP_CUBIC_BITS, for positions u steps after the second sample. The sum of the weights is
 * 1. */
#define WEIGHTS(name, type) \
static void \
name (type u, type * weights) \
{ \
  type square = u * u, cube = square * u, bias = 1 << 13; \
\
  weights[0] = (512 * square - 65536 * u - cube + bias) >> 14; \
  weights[2] = (1024 * square + 65536 * u - 3 * cube + bias) >> 14; \
  weights[3] = (cube - 256 * square + bias) >> 14; \
  weights[1] = (1 << WARP_CUBIC_BITS) - weights[0] - weights[2] \
      - weights[3]; \
}

WEIGHTS (find_weights, int)

/* Number of low bits that are dropped from sums of rows. The weighted sum of four rows then fits
 * into an int */
#define LOST (BYTES == 1 ? 0 : 8)

/* Returns the weighted sum of n x n pixels, starting at column i and row j, with the weights
 * @across and @down; the function changes @across. n is at most 6. If @inside is set, all of these
 * pixels are inside the frame. */
static values_of
mix_taps (global const uchar * in, int stride, int i, int j, int n,
    int * across, const int * down, int inside, int width, int height,
    int edges, values_of black)
{
  values_of sum = 1 << (2 * WARP_CUBIC_BITS - LOST - 1);
  int columns[6], seen[6] = { 1, 1, 1, 1, 1, 1 }, rows[6];

  if (inside) {
    for (int k = 0; k < n; k++) {
      columns[k] = (i + k) * PIXEL_STRIDE;
      rows[k] = (j + k) * stride;
    }
  } else {
    find_taps (i, n, width, PIXEL_STRIDE, edges, columns, across);
    find_taps (j, n, height, stride, find_row_edges (edges), rows, seen);
  }
  for (int k = 0; k < n; k++)
    sum += ((add_row (in + rows[k], columns, across, n,
                1 << WARP_CUBIC_BITS, seen[k] == 0, black)
            + (1 << LOST >> 1)) >> LOST) * down[k];
  return clamp (sum >> (2 * WARP_CUBIC_BITS - LOST), (values_of) 0,
      (values_of) MAX);
}

/* Returns a pixel interpolated at the position (u, v) of the frame, in steps, from 16 pixels.
 * If @inside is set, all of these are inside the frame. */
static values_of
mix_cubic (global const uchar * in, int stride, int u, int v, int inside,
    int width, int height, int edges, values_of black)
{
  int across[4], down[4];

  find_weights (u & 255, across);
  find_weights (v & 255, down);
  return mix_taps (in, stride, (u >> 8) - 1, (v >> 8) - 1, 4, across, down,
      inside, width, height, edges, black);
}

/* Returns a pixel interpolated at the position (u, v) of the frame, in steps, from 36 pixels.
 * @lanczos: six weights for each step between adjacent samples, two of 16 bits in a word.
 * If @inside is set, all of the pixels are inside the frame. */
static values_of
mix_lanczos (global const uchar * in, int stride, int u, int v,
    global const int * lanczos, int inside, int width, int height, int edges,
    values_of black)
{
  int across[6], down[6];

  for (int k = 0; k < 3; k++) {
    int x = lanczos[3 * (u & 255) + k], y = lanczos[3 * (v & 255) + k];

    across[2 * k] = (short) x;
    across[2 * k + 1] = x >> 16;
    down[2 * k] = (short) y;
    down[2 * k + 1] = y >> 16;
  }
  return mix_taps (in, stride, (u >> 8) - 2, (v >> 8) - 2, 6, across, down,
      inside, width, height, edges, black);
}

/* Returns the samples @at of two adjacent pixels in the halves of each word. The first pixel of each
 * element of @pixels is in the lowest bytes. */
#if SAMPLES == 1
#define SPLIT(pixels, at) (((pixels) | (pixels) << 8) & 0x00ff00ff)
#else
#define SPLIT(pixels, at) ((pixels) >> (8 * (at)) & 0x00ff00ff)
#endif

/* Defines a function that interpolates sample @at of each of several pixels. Each element of @above
 * and @below contains two adjacent pixels, of the upper and of the lower row. @f and @g are the
 * fractions of the positions along and across the rows, in 1 / 256. Rows are mixed first: the
 * results for both pixels fit into the halves of a word. */
#define MIX_SAMPLES(name, type) \
static type \
name (type above, type below, uint at, type f, type g) \
{ \
  type upper = SPLIT (above, at), lower = SPLIT (below, at); \
  type mixed = (upper << 8) + (lower - upper) * g, left = mixed & 0xffff; \
\
  return ((left << 8) + ((mixed >> 16) - left) * f + 32768) >> 16; \
}

/* Returns a0 b0 + a1 b1 for the halves a0 and a1 of the words @a, and b0 and b1 of @b. CPUs have
 * one instruction for that. */
static int8
multiply_halves (uint8 a, uint8 b)
{
  short16 p = as_short16 (a), q = as_short16 (b);

  return convert_int8 (p.even) * convert_int8 (q.even)
      + convert_int8 (p.odd) * convert_int8 (q.odd);
}

/* Returns the lower halves of @a and @b as the lower and upper halves of words. */
#define JOIN_LOWER(a, b) (((a) & 0xffff) | (b) << 16)
#define JOIN_UPPER(a, b) ((a) >> 16 | ((b) & 0xffff0000))

/* Returns the weighted sums of sample @at of four adjacent pixels, for each of 8 positions. @lower
 * contains the first two of the four pixels, @upper the others. Where a pixel has one sample, @lower
 * contains all four, and @upper is not used. The words @weights contain the weights in
 * the order of the halves: see order_weights(). */
static int8
add_samples (uint8 lower, uint8 upper, uint at, const uint8 * weights)
{
#if SAMPLES == 1
  return multiply_halves (lower & 0x00ff00ff, weights[0])
      + multiply_halves (lower >> 8 & 0x00ff00ff, weights[1]);
#else
  return multiply_halves (SPLIT (lower, at), weights[0])
      + multiply_halves (SPLIT (upper, at), weights[1]);
#endif
}

/* Changes two words of weights, of pixels 0 and 1 and of pixels 2 and 3, to the order that
 * add_samples() needs. */
static void
order_weights (uint8 * weights)
{
#if SAMPLES == 1
  uint8 even = JOIN_LOWER (weights[0], weights[1]);

  weights[1] = JOIN_UPPER (weights[0], weights[1]);
  weights[0] = even;
#endif
}

/* Defines a function that converts weighted sums of several samples, in units of 2^-@bits, to samples. */
#define LIMIT_SAMPLES(name, type, signed_type, as_unsigned) \
static type \
name (signed_type sum, int bits) \
{ \
  return as_unsigned (clamp (sum >> bits, (signed_type) (0), \
          (signed_type) (255))); \
}

#endif
