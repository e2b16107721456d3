/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reads pixels of the pyramid levels of frames, and elements of planes of floats. */
#ifndef FLOW_H
#define FLOW_H

/* LANES is the number of pixels that a work-item computes at once, each in one lane (element) of a
 * vector. It is 1 in files that do not define HAS_LANES. */
#ifndef HAS_LANES
#undef LANES
#define LANES 1
#endif

#include "flow/flow-shared.h"
#include "base/lanes.h"

/* Parameters that describe a pyramid level of @width x @height pixels. Pixel (x, y) is at
 * offset + y * stride + x. On each side, LEVEL_PAD more pixels repeat the edge. The levels of
 * both frames have the same layout. */
#define LEVEL int width, int height, int stride, int offset
#define LEVEL_ARGS width, height, stride, offset

/* Parameters that describe planes of floats in one buffer. Element (x, y) of a plane is at (y
 * + 1) * plane_stride + PLANE_PAD + x; each plane begins plane_size floats after the plane
 * before it. */
#define PLANES int plane_stride, int plane_size
#define PLANES_ARGS plane_stride, plane_size

/* Two adjacent pixels at any address. The struct is packed, because PoCL loads a member of a packed
 * struct with one access. */
typedef struct __attribute__ ((packed))
{
  uint v;
} Pair;

/* Returns two adjacent pixels for each lane (element of a vector), starting at the index in
 * this lane of @at. The first pixel is in the lower half of the lane's word, the second pixel
 * in the upper half. */
static inline __attribute__ ((always_inline)) uintn
gather_pairs (global const ushort * level, intn at)
{
#if LANES == 1
  return (uint) level[at] | (uint) level[at + 1] << 16;
#else
#define PAIR(s) ((global const Pair *) (level + at.s))->v
  return (uintn) (LIST (PAIR));
#undef PAIR
#endif
}

/* Converts pixels from units of 1/16 of an 8-bit gray level to 8-bit gray levels. */
static floatn
scale_pixels (uintn pixels)
{
  return convert_floatn (as_intn (pixels)) * 0.0625f;
}

/* Returns LANES adjacent pixels of a row, starting at (x, y), in 8-bit gray levels. */
static floatn
get_pixel (global const ushort * level, LEVEL, int x, int y)
{
  global const ushort *p = level + offset + y * stride + x;

#if LANES == 1
  return *p * 0.0625f;
#else
  return scale_pixels (convert_uintn (((global const Words *) p)->v));
#endif
}

/* Limits coordinates at which a level is sampled to the padded level, and splits them:
 * returns the integers, and sets @fraction to the fractions. */
static inline __attribute__ ((always_inline)) intn
split_position (floatn position, int size, floatn * fraction)
{
  floatn limited = clamp (position, (floatn) (-14.0f),
      (floatn) ((float) (size + 6)));
  floatn whole = floor (limited);

  *fraction = limited - whole;
  return convert_intn (whole);
}

/* Returns samples of a level at the positions (@px, @py), interpolated bilinearly. */
static inline __attribute__ ((always_inline)) floatn
sample_level (global const ushort * level, LEVEL, floatn px, floatn py)
{
  floatn fx, fy, a, b;
  intn x = split_position (px, width, &fx), y = split_position (py, height, &fy);
  intn at = offset + y * stride + x;
  uintn top = gather_pairs (level, at), bottom = gather_pairs (level, at + stride);

  a = scale_pixels (top & 0xffffu);
  b = scale_pixels (bottom & 0xffffu);
  a = fma (fx, scale_pixels (top >> 16) - a, a);
  b = fma (fx, scale_pixels (bottom >> 16) - b, b);
  return fma (fy, b - a, a);
}

/* ---- Planes ------------------------------------------------------------------------- */

/* Returns the index of element (x, y) of a plane. */
static int
plane_at (int plane_stride, int x, int y)
{
  return (y + 1) * plane_stride + PLANE_PAD + x;
}

/* Returns element (x, y) of a plane or, beyond the edges of the plane, the nearest element. */
static float
at_edge (global const float *plane, int plane_stride, int width, int height,
    int x, int y)
{
  return plane[plane_at (plane_stride, clamp (x, 0, width - 1),
          clamp (y, 0, height - 1))];
}

#endif
