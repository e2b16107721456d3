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

/* SHORTS is 1 if the curve is computed with 16-bit numbers. A vector register of a processor
 * holds twice as many of them as of 32-bit numbers. */
#ifndef SHORTS
#define SHORTS 0
#endif

LOOSE (short16, loose_short16);

/* Loads and stores 16 samples of a plane. */
#define LOAD_PLANE(p) LOAD_LOOSE (loose_short16, p)
#define STORE_PLANE(p, v) STORE_LOOSE (loose_short16, p, v)

/* Parameters of the curve, which docs/algorithms/localcontrast.md defines with other names:
 * @reach: R there
 * @inverse: M
 * @detail: d
 * @shadows, @highlights: the two values of s
 * @black, @white: nominal range of samples, in 1/64 of an 8-bit gray level
 * @n_levels: number of gray values for which the frame is remapped */
#define CURVE \
    int reach, int inverse, int detail, int shadows, int highlights, \
    int black, int white, int n_levels
#define CURVE_ARGS \
    reach, inverse, detail, shadows, highlights, black, white, n_levels

/* Returns the gray value of remapped pyramid k. The gray values divide the range from black to
 * white evenly. */
static int
level_value (int k, int black, int white, int n_levels)
{
  return black + ((white - black) * k + (n_levels - 1) / 2) / (n_levels - 1);
}

/* Returns h (c), where h is the curve and c is the difference between a sample and a gray value.
 * The result is the change that the filter makes to this sample. */
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

/* Returns a * b / 2^shift, rounded down, for 16-bit numbers whose result fits into 16 bits;
 * @shift is from 1 to 15. Compilers for CPUs turn each half of the product into one
 * instruction. */
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

/* Returns the same as remap(), with 16-bit numbers. All its numbers are at most 2^14, except the
 * products. */
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

/* Returns true if the curve maps 16 samples of the frame to 0, for the gray value @value.
 * Differences of @reach or more are not detail. Without SHORTS, always returns false. */
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

/* Returns the results of the curve for 16 samples of the frame and the gray value @value. */
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
