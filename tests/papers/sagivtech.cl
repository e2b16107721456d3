/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Implements the bilateral filter in SagivTech's four phases, for 8-bit gray frames without gaps
 * between rows. Pixels outside of the frame are those at its edge. All phases add up in the same
 * order, and give the same bytes. */
#define LANES 1
#include "base/math.h"

#define RADIUS 4
#define EDGE (2 * RADIUS + 1)
#define TILE 16
#define TILE_EDGE (TILE + 2 * RADIUS)

#define NEAREST (CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST)

/* Phase 1: uses global memory, one work-item per pixel, and Gaussians in private variables. Factors
 * are those of squares in the exponent of 2. */
__kernel void
phase_1 (__global const uchar * in, __global uchar * out, int width, int height, float range_factor,
    float space_factor)
{
  int x = get_global_id (0), y = get_global_id (1), c = in[y * width + x];
  float sum = 0, weights = 0;

  for (int dy = -RADIUS; dy <= RADIUS; dy++)
    for (int dx = -RADIUS; dx <= RADIUS; dx++) {
      int v = in[clamp (y + dy, 0, height - 1) * width + clamp (x + dx, 0, width - 1)];
      float r2 = dx * dx + dy * dy, d2 = (v - c) * (v - c), w;

      if (dx * dx + dy * dy > RADIUS * RADIUS)
        continue;
      w = exp2_biased (fma (-r2, space_factor, EXP2_BIAS)) * exp2_biased (fma (-d2, range_factor, EXP2_BIAS));
      weights += w;
      sum = fma (w, (float) v, sum);
    }
  out[y * width + x] = (uchar) round_to_uint (sum * reciprocal (weights));
}

/* Phase 2: uses images for the Gaussians. */
__kernel void
phase_2 (__global const uchar * in, __global uchar * out, int width, int height, __read_only image2d_t space,
    __read_only image2d_t range)
{
  const sampler_t nearest = NEAREST;
  int x = get_global_id (0), y = get_global_id (1), c = in[y * width + x];
  float sum = 0, weights = 0;

  for (int dy = -RADIUS; dy <= RADIUS; dy++)
    for (int dx = -RADIUS; dx <= RADIUS; dx++) {
      int v = in[clamp (y + dy, 0, height - 1) * width + clamp (x + dx, 0, width - 1)];
      float w = read_imagef (space, nearest, (int2) (dx + RADIUS, dy + RADIUS)).x
          * read_imagef (range, nearest, (int2) (abs (v - c), 0)).x;

      weights += w;
      sum = fma (w, (float) v, sum);
    }
  out[y * width + x] = (uchar) round_to_uint (sum * reciprocal (weights));
}

/* Filters a pixel of the work-group's tile in one work-item. */
static uchar
filter_tile (__local const uchar * tile, int lx, int ly, __read_only image2d_t space, __read_only image2d_t range)
{
  const sampler_t nearest = NEAREST;
  int c = tile[(ly + RADIUS) * TILE_EDGE + lx + RADIUS];
  float sum = 0, weights = 0;

  for (int dy = 0; dy < EDGE; dy++)
    for (int dx = 0; dx < EDGE; dx++) {
      int v = tile[(ly + dy) * TILE_EDGE + lx + dx];
      float w = read_imagef (space, nearest, (int2) (dx, dy)).x
          * read_imagef (range, nearest, (int2) (abs (v - c), 0)).x;

      weights += w;
      sum = fma (w, (float) v, sum);
    }
  return (uchar) round_to_uint (sum * reciprocal (weights));
}

/* Phase 3: uses local memory for the pixels of a work-group. */
__kernel __attribute__ ((reqd_work_group_size (TILE, TILE, 1)))
void
phase_3 (__global const uchar * in, __global uchar * out, int width, int height, __read_only image2d_t space,
    __read_only image2d_t range)
{
  __local uchar tile[TILE_EDGE * TILE_EDGE];
  int lx = get_local_id (0), ly = get_local_id (1), x = get_global_id (0), y = get_global_id (1);

  for (int ty = ly; ty < TILE_EDGE; ty += TILE)
    for (int tx = lx; tx < TILE_EDGE; tx += TILE)
      tile[ty * TILE_EDGE + tx] = in[clamp (y - ly + ty - RADIUS, 0, height - 1) * width
          + clamp (x - lx + tx - RADIUS, 0, width - 1)];
  barrier (CLK_LOCAL_MEM_FENCE);
  out[y * width + x] = filter_tile (tile, lx, ly, space, range);
}

/* Phase 4: fills local memory from an image. */
__kernel __attribute__ ((reqd_work_group_size (TILE, TILE, 1)))
void
phase_4 (__read_only image2d_t in, __global uchar * out, int width, int height, __read_only image2d_t space,
    __read_only image2d_t range)
{
  const sampler_t nearest = NEAREST;
  __local uchar tile[TILE_EDGE * TILE_EDGE];
  int lx = get_local_id (0), ly = get_local_id (1), x = get_global_id (0), y = get_global_id (1);

  for (int ty = ly; ty < TILE_EDGE; ty += TILE)
    for (int tx = lx; tx < TILE_EDGE; tx += TILE)
      tile[ty * TILE_EDGE + tx] = (uchar) read_imageui (in, nearest,
          (int2) (x - lx + tx - RADIUS, y - ly + ty - RADIUS)).x;
  barrier (CLK_LOCAL_MEM_FENCE);
  out[y * width + x] = filter_tile (tile, lx, ly, space, range);
}
