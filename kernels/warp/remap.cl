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

/* Defines a kernel that takes samples with the function @take. Work-item (x, y) computes RUN
 * columns, from x * RUN on, of ROWS rows, from y * ROWS on. */
#define REMAP(name, take) \
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
  for (int y = row; y < end; y++) \
    for (int x = first; x < last; x++) { \
      int2 parts = (((int2) (x, y) * 8) << shift) + begin; \
      values_of sum = samples * samples / 2; \
\
      for (int b = 0; b < samples; b++) \
        for (int a = 0; a < samples; a++) { \
          int2 from = (int2) (2 * a + 1 - samples, 2 * b + 1 - samples); \
          int2 place; \
          int seen = find_mapped (MAP, \
              parts + from * ((int2) (4 / samples) << shift), &place); \
          values_of v = take (in, in_stride, find_steps (place, shift, begin), \
              map, from_width, from_height, edges, colour); \
\
          sum += seen ? v : colour; \
        } \
      store_pixel (out + y * out_stride + x * PIXEL_STRIDE, \
          sum >> (samples == 4 ? 4 : samples == 2 ? 2 : 0)); \
    } \
}

REMAP (remap_bilinear, take_bilinear)
REMAP (remap_cubic, take_cubic)
REMAP (remap_lanczos, take_lanczos)
