/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* The tone curve. */
#ifndef LIGHT_H
#define LIGHT_H

#include "moving/moving-shared.h"

/* Returns the change of light at a pixel whose background is m. */
static int
get_tone (global const int *light, int m)
{
  int at = clamp ((m - 64) >> 7, -1, MOVING_TONES - 1) + 1, part = (m - 64) & 127;

  return (light[MOVING_TONE_AT + at] * (128 - part) + light[MOVING_TONE_AT + at + 1] * part
      + 64) >> 7;
}

/* Returns the quotient a / n rounded to an integer, halves away from 0. */
static int
divide_rounded (long a, int n)
{
  long rounding = n / 2;

  return (int) (a >= 0 ? (a + rounding) / n : -((rounding - a) / n));
}

#endif
