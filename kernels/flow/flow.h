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
#include "base/lanes.h"

/* A level of @width x @height pixels: pixel (x, y) is at offset + y * stride + x. It is padded.
 * Levels of both frames have the same layout. */
#define LEVEL int width, int height, int stride, int offset
#define LEVEL_ARGS width, height, stride, offset

/* A plane of floats: element (x, y) is at (y + 1) * plane_stride + PLANE_PAD + x, and the next
 * plane of the same memory begins plane_size floats later. */
#define PLANES int plane_stride, int plane_size
#define PLANES_ARGS plane_stride, plane_size

/* Two pixels side by side, at any address: PoCL loads a member of a packed struct at once. */
typedef struct __attribute__ ((packed))
{
  uint v;
} Pair;

/* Returns two pixels side by side for each lane, from that at @at on: the first one is in the
 * lower half of the result. */
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

/* Returns pixels in units of an 8-bit step. */
static floatn
scale_pixels (uintn pixels)
{
  return convert_floatn (as_intn (pixels)) * 0.0625f;
}

/* Returns the pixels from (x, y) on, in units of an 8-bit step. */
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

/* Limits positions, at which images are sampled, to the padding, and divides them into whole
 * pixels and fractions of one. */
static inline __attribute__ ((always_inline)) intn
split_position (floatn position, int size, floatn * fraction)
{
  floatn limited = clamp (position, (floatn) (-14.0f),
      (floatn) ((float) (size + 6)));
  floatn whole = floor (limited);

  *fraction = limited - whole;
  return convert_intn (whole);
}

/* Returns the bilinear samples between four pixels. */
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

/* Returns element (x, y) of a plane; beyond the edges the nearest one. */
static float
at_edge (global const float *plane, int plane_stride, int width, int height,
    int x, int y)
{
  return plane[plane_at (plane_stride, clamp (x, 0, width - 1),
          clamp (y, 0, height - 1))];
}

#endif
