/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Implements the bilateral filter as it is often written for GPUs, in steps of increasing
 * optimization, with which kernels/bilateral/bilateral.cl is compared. Frames are 8-bit gray, with
 * rows without gaps. There is one work-item for each pixel. @spatial has (2 radius + 1)^2 weights,
 * 0 outside of the disc; @range has a weight for each difference. */

/* Edge length of the square work-groups of ladder_local */
#ifndef TILE
#define TILE 16
#endif

static int
reflect (int i, int n)
{
  int period = max (2 * n - 2, 1);

  if (i >= 0 && i < n)
    return i;
  i = abs (i) % period;
  return min (i, period - i);
}

__kernel void
ladder_naive (__global const uchar * in, __global uchar * out, int width,
    int height, int radius, float sigma_color, float sigma_space)
{
  int x = get_global_id (0), y = get_global_id (1);
  float c = in[y * width + x], sum = 0, weights = 0;

  for (int dy = -radius; dy <= radius; dy++) {
    for (int dx = -radius; dx <= radius; dx++) {
      if (dx * dx + dy * dy <= radius * radius) {
        float v = in[reflect (y + dy, height) * width + reflect (x + dx, width)];
        float w = exp (-(v - c) * (v - c) / (2 * sigma_color * sigma_color))
            * exp (-(dx * dx + dy * dy) / (2 * sigma_space * sigma_space));

        weights += w;
        sum += w * v;
      }
    }
  }
  out[y * width + x] = convert_uchar_sat_rte (sum / weights);
}

__kernel void
ladder_table (__global const uchar * in, __global uchar * out, int width,
    int height, int radius, __global const float *spatial,
    __global const float *range)
{
  int x = get_global_id (0), y = get_global_id (1);
  int c = in[y * width + x];
  float sum = 0, weights = 0;

  for (int dy = -radius; dy <= radius; dy++) {
    for (int dx = -radius; dx <= radius; dx++) {
      int v = in[reflect (y + dy, height) * width + reflect (x + dx, width)];
      float w = *spatial++ * range[abs (v - c)];

      weights += w;
      sum += w * v;
    }
  }
  out[y * width + x] = convert_uchar_sat_rte (sum / weights);
}

__kernel __attribute__ ((reqd_work_group_size (TILE, TILE, 1)))
void
ladder_local (__global const uchar * in, __global uchar * out, int width,
    int height, int radius, __global const float *spatial,
    __global const float *range, __local uchar * tile)
{
  int x = get_global_id (0), y = get_global_id (1);
  int lx = get_local_id (0), ly = get_local_id (1);
  int edge = TILE + 2 * radius;
  float sum = 0, weights = 0;
  int c;

  for (int ty = ly; ty < edge; ty += TILE)
    for (int tx = lx; tx < edge; tx += TILE)
      tile[ty * edge + tx] = in[reflect (y - ly + ty - radius, height) * width
          + reflect (x - lx + tx - radius, width)];
  barrier (CLK_LOCAL_MEM_FENCE);

  c = tile[(ly + radius) * edge + lx + radius];
  for (int dy = 0; dy <= 2 * radius; dy++) {
    for (int dx = 0; dx <= 2 * radius; dx++) {
      int v = tile[(ly + dy) * edge + lx + dx];
      float w = *spatial++ * range[abs (v - c)];

      weights += w;
      sum += w * v;
    }
  }
  out[y * width + x] = convert_uchar_sat_rte (sum / weights);
}

/* Uses images for the picture and both tables; the table of range weights is one row. */
__kernel void
ladder_image (__read_only image2d_t in, __write_only image2d_t out, int width,
    int height, int radius, __read_only image2d_t spatial,
    __read_only image2d_t range)
{
  const sampler_t nearest =
      CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE |
      CLK_FILTER_NEAREST;
  int x = get_global_id (0), y = get_global_id (1);
  int c = read_imageui (in, nearest, (int2) (x, y)).x;
  float sum = 0, weights = 0;

  for (int dy = -radius; dy <= radius; dy++) {
    for (int dx = -radius; dx <= radius; dx++) {
      int v = read_imageui (in, nearest,
          (int2) (reflect (x + dx, width), reflect (y + dy, height))).x;
      float w = read_imagef (spatial, nearest,
          (int2) (dx + radius, dy + radius)).x
          * read_imagef (range, nearest, (int2) (abs (v - c), 0)).x;

      weights += w;
      sum += w * v;
    }
  }
  write_imageui (out, (int2) (x, y),
      (uint4) (convert_uint_sat_rte (sum / weights)));
}
