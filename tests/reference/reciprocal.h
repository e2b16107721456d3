/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <math.h>

#include "bits.h"

/* 1 / x, of a number above 0, by Newton's method: to a few of the last bits. */
static inline float
ref_reciprocal (float x)
{
  float y = float_of (0x7ef311c7u - bits_of (x));

  for (int i = 0; i < 3; i++)
    y = fmaf (fmaf (-x, y, 1.0f), y, y);
  return y;
}
