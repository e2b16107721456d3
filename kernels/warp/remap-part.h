/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Computes the samples of a part of a frame, of one memory layout, from the map of a lens. The file is
 * included once for each layout: see warp/chroma.h. */
#ifndef WARP_REMAP_PART_H
#define WARP_REMAP_PART_H

#include "base/mix.h"
#include "warp/map.h"
#include "warp/parts.h"

#if RUN == 16
#include "warp/segment.h"

/* VECTORS is true if samples are interpolated in vectors. */
#define VECTORS (BYTES == 1 && SAMPLES == PIXEL_STRIDE && SAMPLES < 3)

#if VECTORS
#include "warp/segment-mix.h"
#endif
#endif

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
  return mix_lanczos (in, stride, place.x, place.y, map + WARP_LANCZOS,
      are_inside (place, 2, 3, width, height), width, height, edges, colour);
}

#if RUN == 16
/* Begins a segment of SEGMENT columns at column x. */
#define BEGIN_SEGMENT(x) \
  segment_of segment; \
  int is_segment = samples == 1 && margins == 0 && shift.x < 2 \
      && x + SEGMENT <= last; \
\
  segment.row = -1; \
  if (is_segment) \
    find_segment_weights (map, x, shift.x, begin.x, segment.weights);

/* Finds the positions of row y of a segment, if they are interpolated between nodes. In formats
 * with vectors, also computes the samples with the function @take_segment, and sets @made; in other
 * formats, stores the positions in @us and @vs, and sets @are_found. */
#if VECTORS
#define USE_SEGMENT(take_segment, x, y) \
  take_segment (in, in_stride, u, v, map + WARP_LANCZOS, from_width, \
      from_height, edges, colour, out + y * out_stride + x * PIXEL_STRIDE); \
  made = 1;
#else
#define USE_SEGMENT(take_segment, x, y) \
  vstore8 (u, 0, us); \
  vstore8 (v, 0, vs); \
  are_found = 1;
#endif
#define TRY_SEGMENT(take_segment, x, y) \
  if (is_segment) { \
    int2 parts = (((int2) (x, y) * 8) << shift) + begin, cell = parts >> 7; \
    int rest = parts.y & (WARP_PARTS - 1); \
\
    if (segment.row != cell.y) \
      load_segment (MAP, cell, rest, shift.y, &segment); \
    if (segment.is_smooth) { \
      int8 u, v; \
\
      find_segment (&segment, rest, shift, begin, &u, &v); \
      USE_SEGMENT (take_segment, x, y) \
    } \
  }
#else
#define SEGMENT 1
#define BEGIN_SEGMENT(x)
#define TRY_SEGMENT(take_segment, x, y)
#endif

/* Defines a function that interpolates samples with the function @take. It computes RUN columns of
 * ROWS rows of a part of a frame, starting at column x * RUN and row y * ROWS. A sample covers 1
 * << shift columns and rows of pixels, and lies @begin parts of a cell after the first of them. A
 * sample of the result is the mean of @samples x @samples positions (1, 2 or 4). The function
 * @take is inlined once: code that has it twice takes PoCL minutes to compile. */
#define REMAP_PART(name, take, take_segment) \
static void \
name (const part_of * part, MAP_PARAMETERS, int2 shift, int2 begin, \
    int samples, int edges) \
{ \
  int first = part->x * RUN, row = part->y * ROWS; \
  int last = min (first + RUN, part->width); \
  int end = min (row + ROWS, part->height); \
  int in_stride = part->in_stride, out_stride = part->out_stride; \
  int from_width = part->from_width, from_height = part->from_height; \
  global const uchar *in = part->in; \
  global uchar *out = part->out; \
  values_of colour = choose_black (part->colour.s0, part->colour.s1, \
      part->colour.s2, part->colour.s3); \
  nodes_of near; \
\
  near.cell = (int2) (-1); \
  for (int x = first; x < last; x += SEGMENT) { \
    BEGIN_SEGMENT (x) \
    for (int y = row; y < end; y++) { \
      int us[SEGMENT], vs[SEGMENT], are_found = 0, made = 0; \
\
      TRY_SEGMENT (take_segment, x, y) \
      for (int i = 0; !made && i < min (SEGMENT, last - x); i++) { \
        int2 parts = (((int2) (x + i, y) * 8) << shift) + begin; \
        values_of sum = samples * samples / 2; \
\
        for (int b = 0; b < samples; b++) \
          for (int a = 0; a < samples; a++) { \
            int2 from = (int2) (2 * a + 1 - samples, 2 * b + 1 - samples); \
            int2 place; \
            int seen = 1; \
            values_of v; \
\
            if (are_found) { \
              place = (int2) (us[i], vs[i]); \
            } else { \
              seen = find_mapped (MAP, \
                  parts + from * ((int2) (4 / samples) << shift), &near, \
                  &place); \
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
  } \
}

REMAP_PART (NAMED (remap_bilinear), take_bilinear, take_bilinear_segment)
REMAP_PART (NAMED (remap_cubic), take_cubic, take_cubic_segment)
REMAP_PART (NAMED (remap_lanczos), take_lanczos, take_lanczos_segment)

#endif
