/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Blurs as Rister, Wang, Wu and Cavallaro (2013) and their predecessors did. Weights are whole
 * numbers that add up to 256, and samples whole numbers from 0 to 255, so that sums are exact in
 * float, in any order. Outside of the frame samples are 0.
 *
 * Reads packed samples: an element contains four samples: (2x, 2y), (2x + 1, 2y), (2x, 2y + 1) and
 * (2x + 1, 2y + 1). */

#define RADIUS 6
#define BLOCKS (RADIUS / 2)

float
get (__global const float * in, int width, int height, int x, int y)
{
  return x >= 0 && x < width && y >= 0 && y < height ? in[y * width + x] : 0;
}

float4
get_block (__global const float4 * in, int width, int height, int x, int y)
{
  return x >= 0 && x < width && y >= 0 && y < height ? in[y * width + x] : (float4) (0);
}

__kernel void
blur_2d (__global const float * in, __global float * out, __constant float * weights, int width, int height)
{
  int x = get_global_id (0), y = get_global_id (1);
  float sum = 0;

  for (int j = -RADIUS; j <= RADIUS; j++)
    for (int i = -RADIUS; i <= RADIUS; i++)
      sum += weights[j + RADIUS + 1] * weights[i + RADIUS + 1] * get (in, width, height, x + i, y + j);
  out[y * width + x] = sum;
}

__kernel void
blur_rows (__global const float * in, __global float * out, __constant float * weights, int width, int height)
{
  int x = get_global_id (0), y = get_global_id (1);
  float sum = 0;

  for (int i = -RADIUS; i <= RADIUS; i++)
    sum += weights[i + RADIUS + 1] * get (in, width, height, x + i, y);
  out[y * width + x] = sum;
}

__kernel void
blur_columns (__global const float * in, __global float * out, __constant float * weights, int width, int height)
{
  int x = get_global_id (0), y = get_global_id (1);
  float sum = 0;

  for (int j = -RADIUS; j <= RADIUS; j++)
    sum += weights[j + RADIUS + 1] * get (in, width, height, x, y + j);
  out[y * width + x] = sum;
}

/* The packed kernels get the size in blocks. The weights have a 0 before the first and after the
 * last. */
__kernel void
blur_2d_packed (__global const float4 * in, __global float4 * out, __constant float * weights, int width, int height)
{
  int x = get_global_id (0), y = get_global_id (1);
  float4 sum = 0;

  for (int j = -BLOCKS; j <= BLOCKS; j++)
    for (int i = -BLOCKS; i <= BLOCKS; i++) {
      float4 v = get_block (in, width, height, x + i, y + j);
      __constant float *wx = weights + 2 * i + RADIUS, *wy = weights + 2 * j + RADIUS;

      sum += v.x * (float4) (wx[1] * wy[1], wx[0] * wy[1], wx[1] * wy[0], wx[0] * wy[0])
          + v.y * (float4) (wx[2] * wy[1], wx[1] * wy[1], wx[2] * wy[0], wx[1] * wy[0])
          + v.z * (float4) (wx[1] * wy[2], wx[0] * wy[2], wx[1] * wy[1], wx[0] * wy[1])
          + v.w * (float4) (wx[2] * wy[2], wx[1] * wy[2], wx[2] * wy[1], wx[1] * wy[1]);
    }
  out[y * width + x] = sum;
}

__kernel void
blur_rows_packed (__global const float4 * in, __global float4 * out, __constant float * weights, int width,
    int height)
{
  int x = get_global_id (0), y = get_global_id (1);
  float4 sum = 0;

  for (int i = -BLOCKS; i <= BLOCKS; i++) {
    float4 v = get_block (in, width, height, x + i, y);
    __constant float *w = weights + 2 * i + RADIUS;

    sum += v.xxzz * (float4) (w[1], w[0], w[1], w[0]) + v.yyww * (float4) (w[2], w[1], w[2], w[1]);
  }
  out[y * width + x] = sum;
}

__kernel void
blur_columns_packed (__global const float4 * in, __global float4 * out, __constant float * weights, int width,
    int height)
{
  int x = get_global_id (0), y = get_global_id (1);
  float4 sum = 0;

  for (int j = -BLOCKS; j <= BLOCKS; j++) {
    float4 v = get_block (in, width, height, x, y + j);
    __constant float *w = weights + 2 * j + RADIUS;

    sum += v.xyxy * (float4) (w[1], w[1], w[0], w[0]) + v.zwzw * (float4) (w[2], w[2], w[1], w[1]);
  }
  out[y * width + x] = sum;
}
