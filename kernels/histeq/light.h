/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Removes a change of light from the value of a sample: computes the value that the sample would
 * have had in the previous frame. */
#ifndef LIGHT_H
#define LIGHT_H

#include "histeq/bins.h"

/* Number of equalized samples of a pixel. */
#define COMPONENTS BEFORE (4)

/* Number of bits of a sample in excess of 8. */
#define UP (BINS == 256 ? 0 : BINS == 1024 ? 2 : 8)

/* Returns the value that a sample would have had in the light of the previous frame, in units of
 * 2^-20. Its value in this frame is v; both values are relative to LO. The change of light added
 * (offset << UP) + slope * v, in units of 2^-20, to the value; the function subtracts this
 * number. The array @light holds offset and slope. */
static long
value_before (global const int *light, int v)
{
  return ((long) v << 20) - (((long) light[LIGHT_OFFSET] << UP)
      + (long) light[LIGHT_SLOPE] * v);
}

#endif
