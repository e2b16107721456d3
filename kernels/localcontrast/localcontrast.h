/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Code that the kernels of local contrast share: planes of 16-bit numbers, and
 * the curve that changes samples. The algorithm is described in
 * docs/algorithms/localcontrast.md. */
#ifndef LOCALCONTRAST_H
#define LOCALCONTRAST_H

#include "base/pixels.h"
#include "base/reflect.h"

LOOSE (short16, loose_short16);

/* Loads and stores 16 samples of a plane. */
#define LOAD_PLANE(p) LOAD_LOOSE (loose_short16, p)
#define STORE_PLANE(p, v) STORE_LOOSE (loose_short16, p, v)

/* Parameters of the curve, which docs/algorithms/localcontrast.md defines: @reach is R there,
 * @inverse is M, @detail is d, and @shadows and @highlights are the two values of s. The values
 * @black and @white are in 1/64 of an 8-bit grey level, n_levels is the number of levels. */
#define CURVE \
    int reach, int inverse, int detail, int shadows, int highlights, \
    int black, int white, int n_levels
#define CURVE_ARGS \
    reach, inverse, detail, shadows, highlights, black, white, n_levels

/* Returns the value of the sample that stands for level k: levels divide the
 * range from black to white evenly. */
static int
level_value (int k, int black, int white, int n_levels)
{
  return black + ((white - black) * k + (n_levels - 1) / 2) / (n_levels - 1);
}

/* Returns what the curve, the function h, makes of a difference c between a sample and the
 * value of a level: the change that the filter makes to this sample. */
static int16
remap (int16 c, CURVE)
{
  int16 e = clamp (c, (int16) (-reach), (int16) (reach));
  int16 x = (e * inverse + 16384) >> 15;
  int16 w = 16384 - ((x * x) >> 14);
  int16 strength = c > 0 ? (int16) (shadows) : (int16) (highlights);

  w = (w * w) >> 14;
  return (((e * w) >> 14) * detail >> 8)
      + ((((e * convert_int16 (abs (x))) >> 15) + c - e) * strength >> 8);
}

#endif
