/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Finds what a value of this frame was in the light of the last one. */
#ifndef LIGHT_H
#define LIGHT_H

#include "histeq/bins.h"

/* Number of bits of a value beyond 8. */
#define UP (BINS == 256 ? 0 : BINS == 1024 ? 2 : 8)

/* Returns what value v was in the last frame, counted from LO like v, in units
 * of 2^-20. light has offset and slope: the light changed v by (offset << UP) +
 * slope * v in these units. */
static long
value_before (global const int *light, int v)
{
  return ((long) v << 20) - (((long) light[LIGHT_OFFSET] << UP)
      + (long) light[LIGHT_SLOPE] * v);
}

#endif
