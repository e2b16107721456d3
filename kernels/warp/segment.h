/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Finds the positions of several samples in a row together in a map: see docs/algorithms/remap.md. */
#ifndef WARP_SEGMENT_H
#define WARP_SEGMENT_H

#define LANES 1
#include "base/math.h"
#include "base/pixels.h"
#include "warp/map.h"

/* Number of samples that are computed together. They lie in one cell, if a sample covers at most two
 * columns. */
#define SEGMENT 8

/* Describes the nodes around SEGMENT columns of a row of cells: the row of cells that it is for;
 * whether positions are found between nodes in it; the node up and to the left of the first cell;
 * four rows of four nodes, as differences from that one; weights of the four columns for
 * each sample. */
typedef struct
{
  int row, is_smooth;
  int2 base;
  float8 nodes[4], weights[4];
} segment_of;

LOOSE (uchar, loose_uchar);
LOOSE (ushort, loose_ushort);
LOOSE (int, loose_int);
LOOSE (uint, loose_uint);
LOOSE (ulong, loose_ulong);
LOOSE (int8, loose_int8);

/* Sets @weights to the weights of four nodes for each of SEGMENT samples, starting at column x. */
static void
find_segment_weights (global const int * map, int x, int shift, int begin,
    float8 * weights)
{
  int part = (((x * 8) << shift) + begin) & (WARP_PARTS - 1);
  global const float *w = (global const float *) map
      + 4 * (part + WARP_BEFORE);
  int step = 32 << shift;

#pragma unroll
  for (int k = 0; k < 4; k++, w++)
    weights[k] = (float8) (w[0], w[step], w[2 * step], w[3 * step], w[4 * step],
        w[5 * step], w[6 * step], w[7 * step]);
}

/* Distance of nodes, in units, below which find_segment() can round the results */
#define MAX_STEP (1 << 20)

/* Returns whether all elements of @v, which are 0 or -1, are -1. */
#define ALL(v) (as_ulong (convert_char8 (v)) == ~0UL)

/* Loads the nodes for a cell, unless its positions are exact ones. */
static void
load_segment (MAP_PARAMETERS, int2 cell, segment_of * segment)
{
  global const int *node = map + nodes + 2 * (cell.y * columns + cell.x);
  int2 base = vload2 (0, node + 2 * (columns + 1));

  segment->row = cell.y;
  segment->is_smooth = map[cells + cell.y * (columns - 3) + cell.x] < 0;
  segment->base = base;
#pragma unroll
  for (int j = 0; j < 4; j++, node += 2 * columns) {
    int8 d = LOAD_LOOSE (loose_int8, node) - (int8) (base, base, base, base);

    if (wrap > 0)
      d.even = select (select (d.even, d.even + wrap, d.even < -(wrap / 2)),
          d.even - wrap, d.even > wrap / 2);
    segment->is_smooth &= ALL (as_uint8 (d + MAX_STEP) < 2 * MAX_STEP);
    segment->nodes[j] = convert_float8 (d);
  }
}

/* Sets @u and @v to the positions in the old frame, in steps, of the samples of a segment in the row
 * with the parts @rest in its cell. */
static void
find_segment (global const int * map, const segment_of * segment, int rest,
    int2 shift, int2 begin, int8 * u, int8 * v)
{
  global const float *down = (global const float *) map
      + 4 * (rest + WARP_BEFORE);
  const float8 *weights = segment->weights;
  int2 round = segment->base + ((int2) (2) << shift) - begin * WARP_PARTS;
  float8 sums = segment->nodes[0] * (float8) (down[0]), s, t;

#pragma unroll
  for (int j = 1; j < 4; j++)
    sums = fma (segment->nodes[j], (float8) (down[j]), sums);
  s = (float8) (sums.s0) * weights[0];
  t = (float8) (sums.s1) * weights[0];
  s = fma ((float8) (sums.s2), weights[1], s);
  t = fma ((float8) (sums.s3), weights[1], t);
  s = fma ((float8) (sums.s4), weights[2], s);
  t = fma ((float8) (sums.s5), weights[2], t);
  s = fma ((float8) (sums.s6), weights[3], s);
  t = fma ((float8) (sums.s7), weights[3], t);
  /* Adding the bias rounds a number below 2^22 to an integer. */
  round -= as_int (ROUND_BIAS);
  *u = (as_int8 (s + ROUND_BIAS) + round.x) >> (shift.x + 2);
  *v = (as_int8 (t + ROUND_BIAS) + round.y) >> (shift.y + 2);
}

#endif
