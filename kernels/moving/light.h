/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Evaluates the tone curve. */
#ifndef LIGHT_H
#define LIGHT_H

#include "moving/moving-shared.h"

/* Returns the change of brightness that the tone curve gives for a pixel whose background has
 * the value @m. */
static int
get_tone (global const int *light, int m)
{
  return light[MOVING_TONE_AT + min (m + 64, MOVING_N_TONES - 1)];
}

/* Returns the quotient a / n rounded to an integer, halves away from 0. */
static int
divide_rounded (long a, int n)
{
  long rounding = n / 2;

  return (int) (a >= 0 ? (a + rounding) / n : -((rounding - a) / n));
}

#endif
