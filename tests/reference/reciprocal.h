/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <math.h>
#include <stdint.h>
#include <string.h>

/* 1 / x, of a number above 0, by Newton's method: to a few of the last bits. */
static inline float
ref_reciprocal (float x)
{
  uint32_t bits;
  float y;

  memcpy (&bits, &x, sizeof (bits));
  bits = 0x7ef311c7u - bits;
  memcpy (&y, &bits, sizeof (y));
  for (int i = 0; i < 3; i++)
    y = fmaf (fmaf (-x, y, 1.0f), y, y);
  return y;
}
