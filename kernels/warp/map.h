/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Looks up, in the map of a lens, the positions of output pixels in the input frame: see
 * docs/algorithms/remap.md. */
#ifndef WARP_MAP_H
#define WARP_MAP_H

#pragma OPENCL FP_CONTRACT OFF

#include "base/warp-shared.h"

/* Lists the members of a map, as arguments of functions: its words; the number of nodes in a row;
 * the indices of nodes, margins (0: none), cells and exact positions; and the width of the input
 * frame in units if its columns are a whole circle, otherwise 0. */
#define MAP map, columns, nodes, margins, cells, exact, wrap
#define MAP_PARAMETERS global const int * map, MAP_NUMBERS
#define MAP_NUMBERS \
    int columns, int nodes, int margins, int cells, int exact, int wrap

/* Returns @d, a difference of two positions, with its x modulo @wrap. */
static int2
wrap_around (int2 d, int wrap)
{
  int x = d.x;

  d.x = x > wrap / 2 ? x - wrap : x < -(wrap / 2) ? x + wrap : x;
  return wrap > 0 ? d : (int2) (x, d.y);
}

/* Describes the nodes around a row of positions in a cell: the cell, the offset of the row in the
 * cell, in parts, the index of the cell's exact positions (below 0: none), the node at the upper
 * left corner of the cell, and for each of four columns of nodes, the weighted mean of its nodes
 * for this row, minus the node at the corner. */
typedef struct
{
  int2 cell, corner;
  int rest, index;
  float2 sums[4];
} nodes_of;

static void
load_nodes (MAP_PARAMETERS, int2 cell, int rest, nodes_of * row)
{
  int node = nodes + 2 * (cell.y * columns + cell.x);
  global const float *down = (global const float *) map
      + 4 * (rest + WARP_BEFORE);
  int2 corner = vload2 (0, map + node + 2 * (columns + 1));

  row->cell = cell;
  row->corner = corner;
  row->rest = rest;
  row->index = map[cells + cell.y * (columns - 3) + cell.x];
  if (row->index >= 0)
    return;
#pragma unroll
  for (int i = 0; i < 4; i++) {
    float2 sum = 0;

    for (int j = 0; j < 4; j++)
      sum = fma (convert_float2_rte (wrap_around (vload2 (0,
                      map + node + 2 * (j * columns + i)) - corner, wrap)),
          (float2) (down[j]), sum);
    row->sums[i] = sum;
  }
}

/* Interpolates between nodes. Returns the position, in units, at the offset @rest, in parts, in the
 * row of a cell that @row describes. */
static int2
find_between_nodes (global const int * map, const nodes_of * row, int rest)
{
  global const float *across = (global const float *) map
      + 4 * (rest + WARP_BEFORE);
  float2 sum = 0;

#pragma unroll
  for (int i = 0; i < 4; i++)
    sum = fma (row->sums[i], (float2) (across[i]), sum);
  return row->corner + convert_int2_rte (sum);
}

/* Interpolates bilinearly between pixels of a cell with exact positions, which are at the
 * address @exact. Returns the position at the offset @rest, in parts, in the cell. */
static int2
find_between_pixels (global const int * exact, int wrap, int2 rest)
{
  int2 pixel = clamp (rest >> 3, (int2) (0), (int2) (WARP_CELL - 2));
  int2 f = rest - pixel * 8;
  global const int *at = exact + 2 * (WARP_CELL * pixel.y + pixel.x);
  int2 base = vload2 (0, at);
  long2 sum = 0;

  for (int y = 0; y < 2; y++)
    for (int x = 0; x < 2; x++) {
      int weight = (x == 0 ? 8 - f.x : f.x) * (y == 0 ? 8 - f.y : f.y);

      sum += convert_long2 (wrap_around (vload2 (0, at + 2 * (WARP_CELL * y
                      + x)) - base, wrap)) * (long2) (weight);
    }
  return base + convert_int2 ((sum + (long2) (32)) >> 6);
}

/* Returns whether the camera sees the position at the offset @rest, in parts, in a cell. @margin:
 * index of the margin of the cell's first node. */
static int
is_seen (global const int * map, int columns, int margin, int2 rest)
{
  float2 f = convert_float2_rte (rest) * (1.0f / WARP_PARTS);
  int2 upper = vload2 (0, map + margin);
  int2 lower = vload2 (0, map + margin + columns);
  float a = fma (f.x, (float) (upper.y - upper.x), (float) upper.x);
  float b = fma (f.x, (float) (lower.y - lower.x), (float) lower.x);

  return fma (f.y, b - a, a) >= 0;
}

/* Maps the position @parts in the output frame, in parts of a cell: sets @place to the position
 * in the input frame, in units. Loads the nodes around it, unless @row contains them. Returns:
 * whether the camera sees the position */
static int
find_mapped (MAP_PARAMETERS, int2 parts, nodes_of * row, int2 * place)
{
  int2 cell = max (parts >> 7, (int2) (0));
  int2 rest = parts - cell * WARP_PARTS;

  if ((cell.x != row->cell.x) | (cell.y != row->cell.y) | (rest.y != row->rest))
    load_nodes (MAP, cell, rest.y, row);
  *place = row->index < 0 ? find_between_nodes (map, row, rest.x)
      : find_between_pixels (map + exact
      + 2 * WARP_CELL * WARP_CELL * row->index, wrap, rest);
  return margins == 0 || is_seen (map, columns,
      margins + (cell.y + 1) * columns + cell.x + 1, rest);
}

/* Converts a position in units to steps of a sample. */
static int2
find_steps (int2 place, int2 shift, int2 begin)
{
  return (place - begin * WARP_PARTS + ((int2) (2) << shift))
      >> (shift + (int2) (2));
}

/* Returns whether all pixels from @before pixels before the position @place (in steps) to @after
 * pixels after it are inside the frame. */
static int
are_inside (int2 place, int before, int after, int width, int height)
{
  int2 first = place >> 8;

  return first.x >= before && first.x + after < width && first.y >= before
      && first.y + after < height;
}

#endif
