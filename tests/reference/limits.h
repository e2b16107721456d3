/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Limits numbers. */
#pragma once

static inline int
ref_min (int a, int b)
{
  return a < b ? a : b;
}

static inline int
ref_max (int a, int b)
{
  return a > b ? a : b;
}

static inline int
ref_clamp (int value, int least, int most)
{
  return value < least ? least : value > most ? most : value;
}

static inline float
ref_clamp_float (float value, float least, float most)
{
  return value < least ? least : value > most ? most : value;
}
