/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Converts floats to the integers that have the same bits, and back. */
#pragma once

#include <stdint.h>
#include <string.h>

static inline uint32_t
bits_of (float x)
{
  uint32_t bits;

  memcpy (&bits, &x, sizeof (bits));
  return bits;
}

static inline float
float_of (uint32_t bits)
{
  float x;

  memcpy (&x, &bits, sizeof (x));
  return x;
}
