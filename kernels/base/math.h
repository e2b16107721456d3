/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Arithmetic that gives the same bits on every device: it uses only + - * fma() and integer
 * operations. Arguments and results are never subnormal numbers. */
#ifndef MATH_H
#define MATH_H

#include "base/base-shared.h"

#pragma OPENCL FP_CONTRACT OFF

/* Number of values that a work-item computes at once, one in each lane (element) of a vector:
 * 1, 4, 8 or 16. */
#ifndef LANES
#define LANES 4
#endif

#define MATH_JOIN_(a, b) a ## b
#define MATH_JOIN(a, b) MATH_JOIN_ (a, b)

#if LANES == 1
typedef uchar ucharn;
typedef ushort ushortn;
typedef int intn;
typedef uint uintn;
typedef float floatn;

#define as_intn as_int
#define as_uintn as_uint
#define as_floatn as_float
#define convert_ucharn convert_uchar
#define convert_ushortn convert_ushort
#define convert_intn convert_int
#define convert_uintn convert_uint
#define convert_floatn convert_float
#define vloadn(i, p) ((p)[i])
#define vstoren(v, i, p) ((p)[i] = (v))
#else
typedef MATH_JOIN (uchar, LANES) ucharn;
typedef MATH_JOIN (ushort, LANES) ushortn;
typedef MATH_JOIN (int, LANES) intn;
typedef MATH_JOIN (uint, LANES) uintn;
typedef MATH_JOIN (float, LANES) floatn;

#define as_intn MATH_JOIN (as_int, LANES)
#define as_uintn MATH_JOIN (as_uint, LANES)
#define as_floatn MATH_JOIN (as_float, LANES)
#define convert_ucharn MATH_JOIN (convert_uchar, LANES)
#define convert_ushortn MATH_JOIN (convert_ushort, LANES)
#define convert_intn MATH_JOIN (convert_int, LANES)
#define convert_uintn MATH_JOIN (convert_uint, LANES)
#define convert_floatn MATH_JOIN (convert_float, LANES)
#define vloadn MATH_JOIN (vload, LANES)
#define vstoren MATH_JOIN (vstore, LANES)
#endif

/* Returns 2^t for z = t + EXP2_BIAS. t is from -126 to 0; the relative error of the result is
 * at most 2.7e-6.
 *
 * A float from 256 to 512 has 15 fraction bits. Its bits, shifted left by 8, are the bits of a
 * float with the exponent floor (t) and the mantissa 1 + fract (t), up to a constant. This
 * float approximates 2^t by a straight line between every two adjacent powers of 2. The
 * polynomial is the difference between the curve and this line, in units of the last mantissa
 * bit, plus 1.5 * 2^23. The constant makes this unit the last bit of the polynomial's own
 * float. The 0.5 in EXP2_BIAS compensates for the 0.5 in 1.5 * 2^23. */
static floatn
exp2_biased (floatn z)
{
  uintn line = as_uintn (z) << 8;
  /* Mantissa of the result before the correction, as a float from 1 to 2. */
  floatn m = as_floatn ((line & 0x007fffffu) ^ 0x3fc00000u);
  floatn curve = fma ((floatn) (113532.828f), m, (floatn) (-17827.5703f));

  curve = fma (curve, m, (floatn) (1397654.38f));
  curve = fma (curve, m, (floatn) (-5771228.0f));
  curve = fma (curve, m, (floatn) (16860802.0f));
  return as_floatn (line + as_uintn (curve));
}

/* Returns 1 / x with a relative error of at most 2^-23, for x from 2^-100 to 2^100. Makes three
 * Newton steps from an initial value with an error of at most 12 %. */
static floatn
reciprocal (floatn x)
{
  floatn y = as_floatn (0x7ef311c7u - as_uintn (x));

  y = fma (fma (-x, y, (floatn) (1.0f)), y, y);
  y = fma (fma (-x, y, (floatn) (1.0f)), y, y);
  return fma (fma (-x, y, (floatn) (1.0f)), y, y);
}

/* Returns 1 / sqrt (x) with a relative error of at most 2^-21, for x from 2^-100 to 2^100. */
static floatn
reciprocal_root (floatn x)
{
  floatn y = as_floatn (0x5f3759dfu - (as_uintn (x) >> 1));
  floatn half_x = 0.5f * x;

  y = y * fma (-(half_x * y), y, (floatn) (1.5f));
  y = y * fma (-(half_x * y), y, (floatn) (1.5f));
  return y * fma (-(half_x * y), y, (floatn) (1.5f));
}

/* Returns the square root of x with a relative error of at most 2^-23, for x from 2^-100 to
 * 2^100. The root of 0 is 0. */
static floatn
root (floatn x)
{
  floatn y = reciprocal_root (x);
  floatn r = x * y;

  return fma (fma (-r, r, x), 0.5f * y, r);
}

static floatn
absolute (floatn x)
{
  return as_floatn (as_uintn (x) & 0x7fffffffu);
}

/* Returns the integer nearest to x, ties to even, for x from -0.5 to 2^22. */
static uintn
round_to_uint (floatn x)
{
  return as_uintn (x + ROUND_BIAS) - as_uint (ROUND_BIAS);
}

/* Returns n / d, correctly rounded, for n of 255, 1023, 65535, 219, 876 or 56064 and whole d
 * from 1 to 2^32. The product of n and the reciprocal of d is wrong by at most one unit in the
 * last place. The remainder of the division corrects it; fma() computes this remainder exactly.
 * The result was compared with division for every such d. */
static floatn
quotient (floatn n, floatn d)
{
  floatn r = reciprocal (d);
  floatn q = n * r;

  return fma (fma (-d, q, n), r, q);
}

#endif
