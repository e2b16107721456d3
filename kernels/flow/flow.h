/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reads levels of frames, and planes. */
#ifndef FLOW_H
#define FLOW_H

/* A work-item computes a pixel, or LANES pixels in files that define HAS_LANES. */
#ifndef HAS_LANES
#undef LANES
#define LANES 1
#endif

#include "flow/flow-shared.h"
#include "base/math.h"

/* A level of @width x @height pixels: pixel (x, y) is at offset + y * stride + x. It is padded.
 * Levels of both frames have the same layout. */
#define LEVEL int width, int height, int stride, int offset
#define LEVEL_ARGS width, height, stride, offset

/* A plane of floats: element (x, y) is at (y + 1) * plane_stride + PLANE_PAD + x, and the next
 * plane of the same memory begins plane_size floats later. */
#define PLANES int plane_stride, int plane_size
#define PLANES_ARGS plane_stride, plane_size

/* Returns a pixel in units of an 8-bit step. */
static float
get_pixel (global const ushort * level, LEVEL, int x, int y)
{
  return level[offset + y * stride + x] * 0.0625f;
}

/* Limits a position, at which images are sampled, to the padding, and divides it into a whole
 * pixel and a fraction of one. */
static int
split_position (float position, int size, float *fraction)
{
  float limited = clamp (position, -14.0f, (float) (size + 6));
  float whole = floor (limited);

  *fraction = limited - whole;
  return (int) whole;
}

/* Returns the bilinear sample between four pixels. */
static float
sample_level (global const ushort * level, LEVEL, float px, float py)
{
  float fx, fy;
  int x = split_position (px, width, &fx), y = split_position (py, height, &fy);
  float a = get_pixel (level, LEVEL_ARGS, x, y);
  float b = get_pixel (level, LEVEL_ARGS, x, y + 1);

  a = fma (fx, get_pixel (level, LEVEL_ARGS, x + 1, y) - a, a);
  b = fma (fx, get_pixel (level, LEVEL_ARGS, x + 1, y + 1) - b, b);
  return fma (fy, b - a, a);
}

/* Returns the index of element (x, y) of a plane. */
static int
plane_at (int plane_stride, int x, int y)
{
  return (y + 1) * plane_stride + PLANE_PAD + x;
}

/* Returns element (x, y) of a plane; beyond the edges the nearest one. */
static float
at_edge (global const float *plane, int plane_stride, int width, int height,
    int x, int y)
{
  return plane[plane_at (plane_stride, clamp (x, 0, width - 1),
          clamp (y, 0, height - 1))];
}

#endif
