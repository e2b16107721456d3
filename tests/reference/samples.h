/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "reference.h"

/* Returns the index of the sample that replaces sample i of n. A row or column is mirrored at
 * its first and last sample, which are not repeated. */
static inline int
ref_reflect (int i, int n)
{
  while (n > 1 && (i < 0 || i >= n))
    i = i < 0 ? -i : 2 * (n - 1) - i;
  return n > 1 ? i : 0;
}

/* Returns the number of bits by which a coordinate of the frame is shifted right to get a
 * coordinate of a component. The frame has @size columns or rows, and the component has
 * @component_size. */
static inline int
ref_subsampling (int size, int component_size)
{
  int shift = 0;

  while ((size + (1 << shift) - 1) >> shift > component_size)
    shift++;
  return shift;
}

/* Returns the value of sample (x, y). Samples above the largest value (for example, 10-bit
 * samples in words of 16 bits) are an error of the producer of the frame and are clamped to the
 * largest value. */
static inline int
ref_get (const RefPlane * plane, int x, int y)
{
  const uint8_t *at = plane->data + y * plane->stride
      + (ptrdiff_t) x * plane->pixel_stride;
  int word = plane->bytes == 1 ? at[0] : at[0] | at[1] << 8;
  int value = word >> plane->shift;

  return value > plane->max ? plane->max : value;
}

/* Returns @value, which replaces the sample @old, clamped to the nominal range. If @old is outside
 * of this range, the range is extended to include it. */
static inline int
ref_limit (const RefPlane * plane, int value, int old)
{
  int least = old < plane->lo ? old : plane->lo;
  int most = old > plane->hi ? old : plane->hi;

  return value < least ? least : value > most ? most : value;
}

static inline void
ref_set (const RefPlane * plane, int x, int y, int value)
{
  uint8_t *at = plane->data + y * plane->stride + x * plane->pixel_stride;
  int word = value << plane->shift;

  at[0] = word & 255;
  if (plane->bytes == 2)
    at[1] = word >> 8;
}
