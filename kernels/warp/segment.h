/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Looks up the positions of several adjacent samples of a row together in the map of a lens: see
 * docs/algorithms/remap.md. */
#ifndef WARP_SEGMENT_H
#define WARP_SEGMENT_H

#define LANES 1
#include "base/math.h"
#include "warp/map.h"
#include "warp/vectors.h"

/* Describes the nodes around SEGMENT columns of a row of cells. The SEGMENT samples lie in one
 * cell, if a sample covers at most two columns. Contains the row of cells for which it was loaded;
 * whether positions in this row are interpolated between nodes; the node above and to the left of
 * the first cell; for each row of samples of the cell, four nodes interpolated between the rows of
 * nodes, minus the node above and to the left; and for each sample, the weights of four columns of
 * nodes. */
typedef struct
{
  int row, is_smooth;
  int2 base;
  float8 sums[WARP_CELL], weights[4];
} segment_of;

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

/* Maximum distance of neighboring nodes, in units, for which find_segment() can round the
 * results */
#define MAX_STEP (1 << 20)

/* Loads the nodes around a row of cells, unless a cell has exact positions. @rest: position of the
 * first row of samples in the cell, in parts */
static void
load_segment (MAP_PARAMETERS, int2 cell, int rest, int shift,
    segment_of * segment)
{
  global const int *node = map + nodes + 2 * (cell.y * columns + cell.x);
  int2 base = vload2 (0, node + 2 * (columns + 1));
  float8 rows[4];

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
    rows[j] = convert_float8 (d);
  }
  for (; rest < WARP_PARTS; rest += 8 << shift) {
    global const float *down = (global const float *) map
        + 4 * (rest + WARP_BEFORE);
    float8 sums = rows[0] * (float8) (down[0]);

#pragma unroll
    for (int j = 1; j < 4; j++)
      sums = fma (rows[j], (float8) (down[j]), sums);
    segment->sums[rest >> (3 + shift)] = sums;
  }
}

/* Sets @u and @v to the positions in the input frame, in steps, of the samples of a segment. @rest:
 * offset of the segment's row in its cell, in parts */
static void
find_segment (const segment_of * segment, int rest, int2 shift, int2 begin,
    int8 * u, int8 * v)
{
  const float *sums = (const float *) &segment->sums[rest >> (3 + shift.y)];
  const float8 *weights = segment->weights;
  int2 round = segment->base + ((int2) (2) << shift) - begin * WARP_PARTS;
  float8 s = (float8) (sums[0]) * weights[0];
  float8 t = (float8) (sums[1]) * weights[0];

#pragma unroll
  for (int k = 1; k < 4; k++) {
    s = fma ((float8) (sums[2 * k]), weights[k], s);
    t = fma ((float8) (sums[2 * k + 1]), weights[k], t);
  }
  /* Adds a bias that rounds a float below 2^22 to an integer. */
  round -= as_int (ROUND_BIAS);
  *u = (as_int8 (s + ROUND_BIAS) + round.x) >> (shift.x + 2);
  *v = (as_int8 (t + ROUND_BIAS) + round.y) >> (shift.y + 2);
}

#endif
