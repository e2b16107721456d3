/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Warps a frame by a homography: moves, rotates, scales and tilts it. The algorithm is described
 * in docs/algorithms/stabilize.md. */
#include "warp/place.h"
#include "base/mix-pixel.h"
#include "base/mix.h"

/* Numbers of columns (1 or 16) and rows that a work-item computes. */
#ifndef RUN
#define RUN 1
#endif
#ifndef ROWS
#define ROWS 1
#endif

/* Arguments of all kernels. Offsets, strides and PIXEL_STRIDE are in bytes. Widths and heights
 * are in samples of the component. @a, @b and @c are the rows of the matrix that moves a sample
 * of the result to its position in the frame; if is_flat is set, @c is not used. black0 to
 * black3 are the samples of a black pixel. */
#define ARGUMENTS \
    global const uchar * restrict in, int in_offset, int in_stride, \
    global uchar * restrict out, int out_offset, int out_stride, \
    int from_width, int from_height, int width, int height, \
    float a0, float a1, float a2, float b0, float b1, float b2, \
    float c0, float c1, int is_flat, int edges, \
    int black0, int black1, int black2, int black3

#define BLACKS black0, black1, black2, black3

/* VECTORS is true if pixels are processed in vectors. Their pixels have one or two samples of
 * one byte. */
#define VECTORS (RUN == 16 && BYTES == 1 && SAMPLES == PIXEL_STRIDE && SAMPLES < 3)

#if VECTORS
#if SAMPLES == 1
typedef ushort pair_of;
typedef uint quad_of;
#define loose_pair loose_ushort
#define loose_quad loose_uint
#define loose_run loose_uchar16
#define convert_run convert_uchar16
#else
typedef uint pair_of;
typedef ulong quad_of;
#define loose_pair loose_uint
#define loose_quad loose_ulong
#define loose_run loose_ushort16
#define convert_run convert_ushort16
#endif
LOOSE (pair_of, loose_pair);
LOOSE (quad_of, loose_quad);

MIX_SAMPLES (mix_samples, uint16)

/* Converts 16 coordinates to steps of 1 / WARP_STEPS sample. The positions are inside a
 * frame with at most 2^14 columns and rows. */
static int16
find_steps (float16 x)
{
  return as_int16 (x * (float) WARP_STEPS + ROUND_BIAS)
      - as_int (ROUND_BIAS);
}

/* Returns 1 / w for 16 numbers, like reciprocal(). */
static float16
find_reciprocals (float16 w)
{
  float16 y = as_float16 (0x7ef311c7u - as_uint16 (w));

  y = fma (fma (-w, y, (float16) (1.0f)), y, y);
  y = fma (fma (-w, y, (float16) (1.0f)), y, y);
  return fma (fma (-w, y, (float16) (1.0f)), y, y);
}

/* Sets @u and @v to the positions in the frame, in steps, from which 16 pixels of row y are
 * interpolated, starting at column x. All samples needed must be inside the frame and in front
 * of the camera. */
static void
find_run (int x, int y, float a0, float a1, float a2, float b0, float b1,
    float b2, float c0, float c1, int is_flat, int16 * u, int16 * v)
{
  float16 column = (float) x + (float16) (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
      12, 13, 14, 15);
  float16 s = fma ((float16) a0, column, (float16) fma (a1, (float) y, a2));
  float16 t = fma ((float16) b0, column, (float16) fma (b1, (float) y, b2));

  if (!is_flat) {
    float16 r = find_reciprocals (fma ((float16) c0, column,
            (float16) fma (c1, (float) y, 1.0f)));

    s *= r;
    t *= r;
  }
  *u = find_steps (s);
  *v = find_steps (t);
}

/* Computes 16 pixels, starting at column x. All samples needed must be inside the frame and in
 * front of the camera. */
static void
mix_run (global const uchar * in, int stride, global uchar * out, int x, int y,
    float a0, float a1, float a2, float b0, float b1, float b2, float c0,
    float c1, int is_flat)
{
  uint16 f, g, above, below, made;
  pair_of first[16], second[16];
  int at[16];
  int16 u, v;

  find_run (x, y, MATRIX, &u, &v);
  f = as_uint16 (u & 255);
  g = as_uint16 (v & 255);
  vstore16 ((v >> 8) * stride + (u >> 8) * PIXEL_STRIDE, 0, at);
#pragma unroll
  for (int i = 0; i < 16; i++) {
    first[i] = LOAD_LOOSE (loose_pair, in + at[i]);
    second[i] = LOAD_LOOSE (loose_pair, in + at[i] + stride);
  }
  above = convert_uint16 (vload16 (0, first));
  below = convert_uint16 (vload16 (0, second));
  made = mix_samples (above, below, 0, f, g);
#if SAMPLES == 2
  made |= mix_samples (above, below, 1, f, g) << 8;
#endif
  STORE_LOOSE (loose_run, out, convert_run (made));
}
#endif

/* Computes RUN columns of ROWS rows in work-item (x, y), from column x * RUN and row y * ROWS. */
kernel void
warp_bilinear (ARGUMENTS)
{
  int x = get_global_id (0) * RUN, row = get_global_id (1) * ROWS;
  int last = min (x + RUN, width) - 1, end = min (row + ROWS, height);
  values_of black = choose_black (BLACKS);
  int are_all;

  if (x >= width)
    return;
  in += in_offset;
  out += out_offset;
  are_all = ROWS > 1 && are_inside (x, last, row, end, MATRIX, 0, 1,
      from_width, from_height);
  for (; row < end; row++) {
    global uchar *to = out + row * out_stride;
    int inside = are_all || is_inside (x, last, row, MATRIX, 0, 1, from_width,
        from_height);
    int u, v;

#if VECTORS
    /* Supports pixels of two samples whose second sample comes first in memory. */
    int begin = min (AT1, 0);

    if (inside && last - x == RUN - 1 && max (from_width, from_height) < 16384) {
      mix_run (in + begin, in_stride, to + begin + x * PIXEL_STRIDE, x, row,
          MATRIX);
      continue;
    }
#endif
    for (int i = x; i <= last; i++) {
      find_place (i, row, MATRIX, &u, &v);
      store_pixel (to + i * PIXEL_STRIDE, inside
          ? mix_inside (in, in_stride, u, v)
          : mix_anywhere (in, in_stride, u, v, from_width, from_height, edges,
              black));
    }
  }
}

/* VECTORS is true if pixels are processed in vectors. Their pixels have one or two samples of
 * one byte. */
#if VECTORS
WEIGHTS (find_weights_run, int16)

LIMIT_SAMPLES (limit_samples, uint16, int16, as_uint16)

/* Computes 16 pixels like mix_run(), each interpolated from 16 pixels. */
static void
mix_cubic_run (global const uchar * in, int stride, global uchar * out, int x,
    int y, float a0, float a1, float a2, float b0, float b1, float b2,
    float c0, float c1, int is_flat)
{
  int16 weights[4], down[4], u, v;
  int16 sum = 1 << (2 * WARP_CUBIC_BITS - 1), second = sum;
  uint8 across[2][2];
  uint16 made;
  int at[16];

  find_run (x, y, MATRIX, &u, &v);
  find_weights_run (u & 255, weights);
  find_weights_run (v & 255, down);
  for (int k = 0; k < 2; k++) {
    uint16 w = JOIN_LOWER (as_uint16 (weights[2 * k]),
        as_uint16 (weights[2 * k + 1]));

    across[0][k] = w.lo;
    across[1][k] = w.hi;
  }
  order_weights (across[0]);
  order_weights (across[1]);
  vstore16 (((v >> 8) - 1) * stride + ((u >> 8) - 1) * PIXEL_STRIDE, 0, at);
  for (int k = 0; k < 4; k++, in += stride) {
    quad_of quads[16];
    uint16 lower, upper;

#pragma unroll
    for (int i = 0; i < 16; i++)
      quads[i] = LOAD_LOOSE (loose_quad, in + at[i]);
#if SAMPLES == 1
    lower = upper = vload16 (0, quads);
#else
    lower = convert_uint16 (vload16 (0, quads));
    upper = convert_uint16 (vload16 (0, quads) >> 32);
    second += (int16) (add_samples (lower.lo, upper.lo, 1, across[0]),
        add_samples (lower.hi, upper.hi, 1, across[1])) * down[k];
#endif
    sum += (int16) (add_samples (lower.lo, upper.lo, 0, across[0]),
        add_samples (lower.hi, upper.hi, 0, across[1])) * down[k];
  }
  made = limit_samples (sum, 2 * WARP_CUBIC_BITS);
#if SAMPLES == 2
  made |= limit_samples (second, 2 * WARP_CUBIC_BITS) << 8;
#endif
  STORE_LOOSE (loose_run, out, convert_run (made));
}
#endif

/* Computes RUN columns of ROWS rows in work-item (x, y), from column x * RUN and row y * ROWS. */
kernel void
warp_cubic (ARGUMENTS)
{
  int x = get_global_id (0) * RUN, row = get_global_id (1) * ROWS;
  int last = min (x + RUN, width) - 1, end = min (row + ROWS, height);
  values_of black = choose_black (BLACKS);
  int are_all;

  if (x >= width)
    return;
  in += in_offset;
  out += out_offset;
  are_all = ROWS > 1 && are_inside (x, last, row, end, MATRIX, 1, 2,
      from_width, from_height);
  for (; row < end; row++) {
    int inside = are_all || is_inside (x, last, row, MATRIX, 1, 2, from_width,
        from_height);
    int u, v;

#if VECTORS
    /* Supports pixels of two samples whose second sample comes first in memory. */
    int begin = min (AT1, 0);

    if (inside && last - x == RUN - 1 && max (from_width, from_height) < 16384) {
      mix_cubic_run (in + begin, in_stride, out + row * out_stride + begin
          + x * PIXEL_STRIDE, x, row, MATRIX);
      continue;
    }
#endif
    for (int i = x; i <= last; i++) {
      find_place (i, row, MATRIX, &u, &v);
      store_pixel (out + row * out_stride + i * PIXEL_STRIDE,
          mix_cubic (in, in_stride, u, v, inside, from_width, from_height,
              edges, black));
    }
  }
}
