/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Computes the samples of a part of a frame, of one memory layout, by a homography. The file is
 * included once for each layout: see warp/chroma.h. */
#ifndef WARP_WARP_PART_H
#define WARP_WARP_PART_H

#include "warp/run.h"
#include "base/mix.h"

#if VECTORS
#include "warp/segment-mix.h"

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
MIX_SAMPLES (mix_samples_run, uint16)

/* Computes 16 pixels, starting at column x, by bilinear interpolation. All samples needed must
 * be inside the frame and in front of the camera. */
static void
mix_run (global const uchar * in, int stride, global uchar * out, int x, int y,
    MATRIX_PARAMETERS)
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
  made = mix_samples_run (above, below, 0, f, g);
#if SAMPLES == 2
  made |= mix_samples_run (above, below, 1, f, g) << 8;
#endif
  STORE_LOOSE (loose_run, out, convert_run (made));
}
#endif

/* Computes RUN columns of ROWS rows of a part of a frame, from column x * RUN and row y * ROWS. */
static void
NAMED (warp_bilinear) (const part_of * part, MATRIX_PARAMETERS, int edges)
{
  int x = part->x * RUN, row = part->y * ROWS;
  int last = min (x + RUN, part->width) - 1;
  int end = min (row + ROWS, part->height);
  int in_stride = part->in_stride, out_stride = part->out_stride;
  int from_width = part->from_width, from_height = part->from_height;
  global const uchar *in = part->in;
  global uchar *out = part->out;
  values_of black = choose_black (part->colour.s0, part->colour.s1,
      part->colour.s2, part->colour.s3);
  int are_all;

  if (x >= part->width)
    return;
  are_all = ROWS > 1 && are_inside (x, last, row, end, MATRIX, 0, 1,
      from_width, from_height);
  for (; row < end; row++) {
    global uchar *to = out + row * out_stride;
    int inside = are_all || is_inside (x, last, row, MATRIX, 0, 1, from_width,
        from_height);
    int u, v;

#if VECTORS
    /* Supports formats in which the second sample of a pixel comes first in memory. */
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

#if VECTORS
WEIGHTS (find_weights_run, int16)

LIMIT_SAMPLES (limit_samples_run, uint16, int16, as_uint16)

/* Computes 16 pixels like mix_run(), each interpolated from 4 x 4 pixels. */
static void
mix_cubic_run (global const uchar * in, int stride, global uchar * out, int x,
    int y, MATRIX_PARAMETERS)
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
  made = limit_samples_run (sum, 2 * WARP_CUBIC_BITS);
#if SAMPLES == 2
  made |= limit_samples_run (second, 2 * WARP_CUBIC_BITS) << 8;
#endif
  STORE_LOOSE (loose_run, out, convert_run (made));
}
#endif

/* Computes RUN columns of ROWS rows of a part of a frame, from column x * RUN and row y * ROWS. */
static void
NAMED (warp_cubic) (const part_of * part, MATRIX_PARAMETERS, int edges)
{
  int x = part->x * RUN, row = part->y * ROWS;
  int last = min (x + RUN, part->width) - 1;
  int end = min (row + ROWS, part->height);
  int in_stride = part->in_stride, out_stride = part->out_stride;
  int from_width = part->from_width, from_height = part->from_height;
  global const uchar *in = part->in;
  global uchar *out = part->out;
  values_of black = choose_black (part->colour.s0, part->colour.s1,
      part->colour.s2, part->colour.s3);
  int are_all;

  if (x >= part->width)
    return;
  are_all = ROWS > 1 && are_inside (x, last, row, end, MATRIX, 1, 2,
      from_width, from_height);
  for (; row < end; row++) {
    int inside = are_all || is_inside (x, last, row, MATRIX, 1, 2, from_width,
        from_height);
    int u, v;

#if VECTORS
    /* Supports formats in which the second sample of a pixel comes first in memory. */
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

#if VECTORS
/* Computes 16 pixels like mix_run(), each interpolated from 6 x 6 pixels, with the table of
 * weights @lanczos. */
static void
mix_lanczos_run (global const uchar * in, int stride, global uchar * out, int x,
    int y, MATRIX_PARAMETERS, global const int * lanczos)
{
  int16 u, v;

  find_run (x, y, MATRIX, &u, &v);
  for (int k = 0; k < RUN; k += SEGMENT) {
    int8 s = k == 0 ? u.lo : u.hi, t = k == 0 ? v.lo : v.hi;
    int8 across[6], down[6];

    find_lanczos_segment (lanczos, s & 255, across);
    find_lanczos_segment (lanczos, t & 255, down);
    mix_lanczos_segment (in, stride, (s >> 8) - 2, (t >> 8) - 2, 0, 0, across,
        down, out + k * PIXEL_STRIDE);
  }
}
#endif

/* Computes RUN columns of ROWS rows of a part of a frame, from column x * RUN and row y * ROWS. */
static void
NAMED (warp_lanczos) (const part_of * part, MATRIX_PARAMETERS, int edges,
    global const int * lanczos)
{
  int x = part->x * RUN, row = part->y * ROWS;
  int last = min (x + RUN, part->width) - 1;
  int end = min (row + ROWS, part->height);
  int in_stride = part->in_stride, out_stride = part->out_stride;
  int from_width = part->from_width, from_height = part->from_height;
  global const uchar *in = part->in;
  global uchar *out = part->out;
  values_of black = choose_black (part->colour.s0, part->colour.s1,
      part->colour.s2, part->colour.s3);
  int are_all;

  if (x >= part->width)
    return;
  are_all = ROWS > 1 && are_inside (x, last, row, end, MATRIX, 2, 3,
      from_width, from_height);
  for (; row < end; row++) {
    int inside = are_all || is_inside (x, last, row, MATRIX, 2, 3, from_width,
        from_height);
    int u, v;

#if VECTORS
    /* Supports formats in which the second sample of a pixel comes first in memory. */
    int begin = min (AT1, 0);

    if (inside && last - x == RUN - 1 && max (from_width, from_height) < 16384) {
      mix_lanczos_run (in + begin, in_stride, out + row * out_stride + begin
          + x * PIXEL_STRIDE, x, row, MATRIX, lanczos);
      continue;
    }
#endif
    for (int i = x; i <= last; i++) {
      find_place (i, row, MATRIX, &u, &v);
      store_pixel (out + row * out_stride + i * PIXEL_STRIDE,
          mix_lanczos (in, in_stride, u, v, lanczos, inside, from_width,
              from_height, edges, black));
    }
  }
}

#endif
