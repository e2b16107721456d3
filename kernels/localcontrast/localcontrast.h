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

/* Whether the curve is computed in numbers of 16 bits, of which the vectors of a processor hold
 * twice as many. */
#ifndef SHORTS
#define SHORTS 0
#endif

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

#if SHORTS

/* Returns a * b / 2^shift, rounded down, for 16-bit numbers with a result of 16 bits; @shift is
 * from 1 to 15. Compilers for processors make one instruction of each half of the product. */
static short16
multiply (short16 a, short16 b, uint shift)
{
  short16 high = convert_short16 ((convert_int16 (a) * convert_int16 (b)) >> 16);
  ushort16 low = as_ushort16 (a * b);

  return high << (short16) (16 - shift)
      | as_short16 (low >> (ushort16) (shift));
}

/* Returns (a * b + 2^14) / 2^15, rounded down. */
static short16
multiply_round (short16 a, short16 b)
{
  short16 high = convert_short16 ((convert_int16 (a) * convert_int16 (b)) >> 16);
  ushort16 low = as_ushort16 (a * b);

  low = ((low >> (ushort16) (14)) + (ushort16) (1)) >> (ushort16) (1);
  return (high << (short16) (1)) + as_short16 (low);
}

/* Returns the same as remap(), whose numbers are at most 2^14 but for the products. */
static short16
remap_shorts (short16 c, CURVE)
{
  short16 e = clamp (c, (short16) (-reach), (short16) (reach));
  short16 x = e * (short16) (inverse >> 15)
      + multiply_round (e, (short16) (inverse & 32767));
  short16 w = (short16) (16384) - multiply (x, x, 14), h, strength;

  w = multiply (w, w, 14);
  h = multiply (multiply (e, w, 14), (short16) (detail), 8);
  if (shadows == 0 && highlights == 0)
    return h;
  strength = c > (short16) (0) ? (short16) (shadows) : (short16) (highlights);
  return h + multiply (multiply (e, max (x, -x), 15) + c - e, strength, 8);
}

#endif

/* Tells whether the curve makes 0 of 16 samples of the frame, for a level with the value @value:
 * differences of at least @reach are not detail. Tells nothing without SHORTS. */
static bool
are_unchanged (short16 v, int value, CURVE)
{
#if SHORTS
  short16 c = v - (short16) (value);
  ulong4 within = as_ulong4 (max (c, -c) < (short16) (reach));
  ulong2 halves = within.lo | within.hi;

  return shadows == 0 && highlights == 0 && (halves.x | halves.y) == 0;
#else
  return false;
#endif
}

/* Returns what the curve makes of 16 samples of the frame, for a level with the value @value. */
static short16
remap_samples (short16 v, int value, CURVE)
{
#if SHORTS
  return remap_shorts (v - (short16) (value), CURVE_ARGS);
#else
  return convert_short16 (remap (convert_int16 (v) - value, CURVE_ARGS));
#endif
}

#endif
