/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Computes frames from the map of a lens: see docs/algorithms/remap.md. */
#include "warp/map.h"
#include "warp/mix.h"

/* Number of columns and of rows that a work-item computes */
#ifndef RUN
#define RUN 1
#endif
#ifndef ROWS
#define ROWS 1
#endif

/* Lists the arguments of all kernels. Offsets and strides are in bytes; from_width, from_height,
 * @width and @height are in samples of the component. A sample covers 1 << x_shift columns and
 * 1 << y_shift rows of pixels, and lies x_begin and y_begin parts of a cell behind the first. A
 * sample of the result is the mean of @samples x @samples positions (1, 2 or 4). The numbers
 * colour0 to colour3 are the samples of a pixel that is not seen. */
#define ARGUMENTS \
    global const uchar * restrict in, int in_offset, int in_stride, \
    global uchar * restrict out, int out_offset, int out_stride, \
    int from_width, int from_height, int width, int height, \
    MAP_PARAMETERS, int x_shift, int y_shift, int x_begin, int y_begin, \
    int samples, int edges, int colour0, int colour1, int colour2, int colour3

/* Converts a position in units to steps of a sample. */
static int2
find_steps (int2 place, int2 shift, int2 begin)
{
  return (place - begin * WARP_PARTS + ((int2) (2) << shift))
      >> (shift + (int2) (2));
}

/* Returns whether the pixels from @before before the position @place, in steps, to @after behind
 * it are inside of the frame. */
static int
are_inside (int2 place, int before, int after, int width, int height)
{
  int2 first = place >> 8;

  return first.x >= before && first.x + after < width && first.y >= before
      && first.y + after < height;
}

static values_of
take_bilinear (global const uchar * in, int stride, int2 place,
    global const int * map, int width, int height, int edges,
    values_of colour)
{
  return are_inside (place, 0, 1, width, height)
      ? mix_inside (in, stride, place.x, place.y)
      : mix_anywhere (in, stride, place.x, place.y, width, height, edges,
      colour);
}

static values_of
take_cubic (global const uchar * in, int stride, int2 place,
    global const int * map, int width, int height, int edges,
    values_of colour)
{
  return mix_cubic (in, stride, place.x, place.y, are_inside (place, 1, 2,
          width, height), width, height, edges, colour);
}

static values_of
take_lanczos (global const uchar * in, int stride, int2 place,
    global const int * map, int width, int height, int edges,
    values_of colour)
{
  int across[6], down[6];

  for (int k = 0; k < 6; k++) {
    across[k] = map[WARP_LANCZOS + 6 * (place.x & 255) + k];
    down[k] = map[WARP_LANCZOS + 6 * (place.y & 255) + k];
  }
  return mix_taps (in, stride, (place.x >> 8) - 2, (place.y >> 8) - 2, 6,
      across, down, are_inside (place, 2, 3, width, height), width, height,
      edges, colour);
}

/* Number of samples in a row whose positions are found together. They lie in one cell, if a sample
 * covers at most two columns. */
#define SEGMENT (RUN == 16 ? 8 : 1)

#if RUN == 16
/* Sets @u and @v to the positions in the old frame, in steps, of SEGMENT samples of row y, starting
 * at column x; @weights are those of find_segment_weights(). Returns 0 if their cell is an exact
 * one. */
static int
find_segment (MAP_PARAMETERS, int x, int y, int2 shift, int2 begin,
    const float8 * weights, int8 * u, int8 * v)
{
  int2 parts = (((int2) (x, y) * 8) << shift) + begin;
  int2 cell = parts >> 7;
  global const int *node = map + nodes + 2 * (cell.y * columns + cell.x);
  global const float *down = (global const float *) map
      + 4 * (parts.y - cell.y * WARP_PARTS + WARP_BEFORE);
  int2 base = vload2 (0, node + 2 * (columns + 1)), round;
  int8 bases = (int8) (base, base, base, base);
  float8 sums = 0, s, t;

  if (map[cells + cell.y * (columns - 3) + cell.x] >= 0)
    return 0;
  for (int j = 0; j < 4; j++, node += 2 * columns) {
    int8 d = vload8 (0, node) - bases;

    if (wrap > 0)
      d.even = select (select (d.even, d.even + wrap, d.even < -(wrap / 2)),
          d.even - wrap, d.even > wrap / 2);
    sums = fma (convert_float8 (d), (float8) (down[j]), sums);
  }
  s = (float8) (sums.s0) * weights[0];
  t = (float8) (sums.s1) * weights[0];
  s = fma ((float8) (sums.s2), weights[1], s);
  t = fma ((float8) (sums.s3), weights[1], t);
  s = fma ((float8) (sums.s4), weights[2], s);
  t = fma ((float8) (sums.s5), weights[2], t);
  s = fma ((float8) (sums.s6), weights[3], s);
  t = fma ((float8) (sums.s7), weights[3], t);
  round = ((int2) (2) << shift) - begin * WARP_PARTS;
  *u = (convert_int8 (rint (s)) + (base.x + round.x)) >> (shift.x + 2);
  *v = (convert_int8 (rint (t)) + (base.y + round.y)) >> (shift.y + 2);
  return 1;
}

/* Sets @weights to the weights of four nodes for each of SEGMENT samples, starting at column x. */
static void
find_segment_weights (global const int * map, int x, int shift, int begin,
    float8 * weights)
{
  int part = (((x * 8) << shift) + begin) & (WARP_PARTS - 1);
  global const float *w = (global const float *) map
      + 4 * (part + WARP_BEFORE);
  int step = 32 << shift;

  for (int k = 0; k < 4; k++, w++)
    weights[k] = (float8) (w[0], w[step], w[2 * step], w[3 * step], w[4 * step],
        w[5 * step], w[6 * step], w[7 * step]);
}

/* VECTORS is true if samples are interpolated in vectors. Their pixels have one or two samples of
 * one byte. */
#define VECTORS (BYTES == 1 && SAMPLES == PIXEL_STRIDE && SAMPLES < 3)

#if VECTORS
#if SAMPLES == 1
typedef ushort pair_of;
typedef uint quad_of;
#else
typedef uint pair_of;
typedef ulong quad_of;
#endif
LOOSE (pair_of, loose_pair);
LOOSE (quad_of, loose_quad);

MIX_SAMPLES (mix_samples, uint8)
ADD_SAMPLES (add_samples, uint8, int8, as_int8)
LIMIT_SAMPLES (limit_samples, uint8, int8, as_uint8)
WEIGHTS (find_weights_segment, int8)

/* Stores SEGMENT pixels; the second sample is not used where pixels have one. */
static void
store_segment (global uchar * to, uint8 first, uint8 second)
{
#if SAMPLES == 1
  vstore8 (convert_uchar8 (first), 0, to);
#else
  vstore16 (as_uchar16 (convert_ushort8 (first | second << 8)), 0, to);
#endif
}
#endif

/* Computes SEGMENT pixels at @to from the positions @u and @v, in steps. Returns 0 if that is left
 * to take_bilinear(): if not all samples needed are inside the frame. */
static int
take_bilinear_segment (global const uchar * in, int stride, int8 u, int8 v,
    int width, int height, global uchar * to)
{
#if VECTORS
  int8 column = u >> 8, row = v >> 8, at = row * stride + column * PIXEL_STRIDE;
  uint8 f = as_uint8 (u & 255), g = as_uint8 (v & 255), above, below;
  pair_of first[SEGMENT], second[SEGMENT];
  int offsets[SEGMENT];

  if (any (column < 0 || column + 1 >= width || row < 0 || row + 1 >= height))
    return 0;
  /* Supports pixels of two samples whose second sample comes first in memory. */
  in += min (AT1, 0);
  to += min (AT1, 0);
  vstore8 (at, 0, offsets);
#pragma unroll
  for (int i = 0; i < SEGMENT; i++) {
    first[i] = LOAD_LOOSE (loose_pair, in + offsets[i]);
    second[i] = LOAD_LOOSE (loose_pair, in + offsets[i] + stride);
  }
  above = convert_uint8 (vload8 (0, first));
  below = convert_uint8 (vload8 (0, second));
  store_segment (to, mix_samples (above, below, 0, f, g),
      mix_samples (above, below, SAMPLES - 1, f, g));
  return 1;
#else
  return 0;
#endif
}

/* Does the same as take_bilinear_segment(), for take_cubic(). */
static int
take_cubic_segment (global const uchar * in, int stride, int8 u, int8 v,
    int width, int height, global uchar * to)
{
#if VECTORS
  int8 column = (u >> 8) - 1, row = (v >> 8) - 1;
  int8 sum = 1 << (2 * WARP_CUBIC_BITS - 1), second = sum, across[4], down[4];
  int offsets[SEGMENT];

  if (any (column < 0 || column + 3 >= width || row < 0 || row + 3 >= height))
    return 0;
  in += min (AT1, 0);
  to += min (AT1, 0);
  vstore8 (row * stride + column * PIXEL_STRIDE, 0, offsets);
  find_weights_segment (u & 255, across);
  find_weights_segment (v & 255, down);
  for (int k = 0; k < 4; k++, in += stride) {
    quad_of quads[SEGMENT];
    uint8 lower, upper;

#pragma unroll
    for (int i = 0; i < SEGMENT; i++)
      quads[i] = LOAD_LOOSE (loose_quad, in + offsets[i]);
    lower = convert_uint8 (vload8 (0, quads));
    upper = convert_uint8 (vload8 (0, quads) >> (16 * SAMPLES));
    sum += add_samples (lower, upper, 0, across) * down[k];
    if (SAMPLES == 2)
      second += add_samples (lower, upper, 1, across) * down[k];
  }
  store_segment (to, limit_samples (sum), limit_samples (second));
  return 1;
#else
  return 0;
#endif
}

/* Leaves SEGMENT pixels to take_lanczos(). */
static int
take_lanczos_segment (global const uchar * in, int stride, int8 u, int8 v,
    int width, int height, global uchar * to)
{
  return 0;
}
#endif

#if RUN == 16
/* Sets @us and @vs to the positions of SEGMENT samples of row y, starting at column x, and
 * @are_found, if the samples have one position each, between nodes. Then tries to compute the
 * samples together by the function @take_segment; sets @made if that was possible. */
#define TRY_SEGMENT(take_segment, x, y) \
  if (samples == 1 && margins == 0 && shift.x < 2 && x + SEGMENT <= last) { \
    float8 weights[4]; \
    int8 u, v; \
\
    find_segment_weights (map, x, shift.x, begin.x, weights); \
    are_found = find_segment (MAP, x, y, shift, begin, weights, &u, &v); \
    if (are_found) { \
      made = take_segment (in, in_stride, u, v, from_width, from_height, \
          out + y * out_stride + x * PIXEL_STRIDE); \
      vstore8 (u, 0, us); \
      vstore8 (v, 0, vs); \
    } \
  }
#else
#define TRY_SEGMENT(take_segment, x, y)
#endif

/* Defines a kernel that interpolates with the function @take. Work-item (x, y) computes RUN columns
 * of ROWS rows, from column x * RUN and row y * ROWS. The function is inlined once: code that has
 * it twice takes PoCL minutes to compile. */
#define REMAP(name, take, take_segment) \
kernel void \
name (ARGUMENTS) \
{ \
  int first = get_global_id (0) * RUN, row = get_global_id (1) * ROWS; \
  int last = min (first + RUN, width), end = min (row + ROWS, height); \
  values_of colour = choose_black (colour0, colour1, colour2, colour3); \
  int2 shift = (int2) (x_shift, y_shift), begin = (int2) (x_begin, y_begin); \
\
  in += in_offset; \
  out += out_offset; \
  for (int x = first; x < last; x += SEGMENT) \
    for (int y = row; y < end; y++) { \
      int us[SEGMENT] = { 0 }, vs[SEGMENT] = { 0 }, are_found = 0, made = 0; \
\
      TRY_SEGMENT (take_segment, x, y) \
      for (int i = 0; !made && i < min (SEGMENT, last - x); i++) { \
        int2 parts = (((int2) (x + i, y) * 8) << shift) + begin; \
        values_of sum = samples * samples / 2; \
\
        for (int b = 0; b < samples; b++) \
          for (int a = 0; a < samples; a++) { \
            int2 from = (int2) (2 * a + 1 - samples, 2 * b + 1 - samples); \
            int2 place = (int2) (us[i], vs[i]); \
            int seen = 1; \
            values_of v; \
\
            if (!are_found) { \
              seen = find_mapped (MAP, \
                  parts + from * ((int2) (4 / samples) << shift), &place); \
              place = find_steps (place, shift, begin); \
            } \
            v = take (in, in_stride, place, map, from_width, from_height, \
                edges, colour); \
            sum += seen ? v : colour; \
          } \
        store_pixel (out + y * out_stride + (x + i) * PIXEL_STRIDE, \
            sum >> (samples == 4 ? 4 : samples == 2 ? 2 : 0)); \
      } \
    } \
}

REMAP (remap_bilinear, take_bilinear, take_bilinear_segment)
REMAP (remap_cubic, take_cubic, take_cubic_segment)
REMAP (remap_lanczos, take_lanczos, take_lanczos_segment)
