/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Scales a frame of four bytes per pixel by two numbers, from a buffer and from an image, to
 * measure the gain of images. Positions are in 1/65536 of a pixel, weights in 1/256. */

__kernel void
scale_buffer (__global const uchar4 * in, int width, int height, __global uchar4 * out, int step_x, int step_y)
{
  int x = get_global_id (0) * step_x, y = get_global_id (1) * step_y;
  int x0 = x >> 16, y0 = y >> 16, x1 = min (x0 + 1, width - 1), y1 = min (y0 + 1, height - 1);
  uint4 fx = (uint4) ((x >> 8) & 255), fy = (uint4) ((y >> 8) & 255);
  uint4 a = convert_uint4 (in[y0 * width + x0]) * (256 - fx) + convert_uint4 (in[y0 * width + x1]) * fx;
  uint4 b = convert_uint4 (in[y1 * width + x0]) * (256 - fx) + convert_uint4 (in[y1 * width + x1]) * fx;

  out[get_global_id (1) * get_global_size (0) + get_global_id (0)] =
      convert_uchar4 ((a * (256 - fy) + b * fy + 32768) >> 16);
}

__kernel void
scale_image (__read_only image2d_t in, int width, int height, __global uchar4 * out, int step_x, int step_y)
{
  const sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
  int x = get_global_id (0) * step_x, y = get_global_id (1) * step_y, x0 = x >> 16, y0 = y >> 16;
  uint4 fx = (uint4) ((x >> 8) & 255), fy = (uint4) ((y >> 8) & 255);
  uint4 a = read_imageui (in, nearest, (int2) (x0, y0)) * (256 - fx)
      + read_imageui (in, nearest, (int2) (x0 + 1, y0)) * fx;
  uint4 b = read_imageui (in, nearest, (int2) (x0, y0 + 1)) * (256 - fx)
      + read_imageui (in, nearest, (int2) (x0 + 1, y0 + 1)) * fx;

  out[get_global_id (1) * get_global_size (0) + get_global_id (0)] =
      convert_uchar4 ((a * (256 - fy) + b * fy + 32768) >> 16);
}
