/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <math.h>

#include "bits.h"

/* Returns 1 / @x for positive @x, by Newton's method. The last few bits may be wrong. */
static inline float
ref_reciprocal (float x)
{
  float y = float_of (0x7ef311c7u - bits_of (x));

  for (int i = 0; i < 3; i++)
    y = fmaf (fmaf (-x, y, 1.0f), y, y);
  return y;
}

/* Returns 1 / sqrt (@x) for positive @x, by Newton's method. The last few bits may be wrong. */
static inline float
ref_reciprocal_root (float x)
{
  float y = float_of (0x5f3759dfu - (bits_of (x) >> 1)), half = 0.5f * x;

  for (int i = 0; i < 3; i++)
    y = y * fmaf (-(half * y), y, 1.5f);
  return y;
}

/* Returns the square root of @x; 0 for 0. */
static inline float
ref_root (float x)
{
  float y = ref_reciprocal_root (x), r = x * y;

  return fmaf (fmaf (-r, r, x), 0.5f * y, r);
}
