/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* The state of a shade, a polynomial that is fitted to the surroundings of a wide hole:
 * docs/algorithms/inpaint.md. Each component of each domain has one of SHADE_STATE ints: at MEANS
 * the mean of each cell, at SQUARES its sum of squared differences, at RESIDUALS its leave-one-out
 * residual for each degree, at SHADE_COEFFICIENTS the coefficients for all degrees, and at
 * SHADE_CHOSEN the index of the chosen degree. Means, residuals and coefficients are in
 * UNITS() / 2^SHADE_FRACTION. */
#ifndef INPAINT_SHADE_H
#define INPAINT_SHADE_H

#include "inpaint/seam.h"

#define MEANS 0
#define SQUARES SHADE_MAX_CELLS
#define RESIDUALS (2 * SHADE_MAX_CELLS)

/* Chosen degree of a component whose surroundings no polynomial fits */
#define NO_DEGREE -1

/* Limits of the difference of two samples, in the unit of samples of DEPTH bits, and of a residual:
 * 32 levels of 8 bits */
#define SHADE_STEEPEST ((32 << (DEPTH - 8)) - 1)
#define SHADE_MOST (32 << (DEPTH - 8 + SHADE_FRACTION))

/* SHADE_SQUARE is a squared level of 8 bits in the unit of squared residuals. SHADE_NOISE is the
 * largest variance of the noise, in squared levels. A lower degree is nearly as good as the best
 * one if its mean squared residual is at most 5/4 of the best one plus SHADE_NEARLY, a hundredth
 * of a squared level. */
#define SHADE_SQUARE (1 << 2 * (DEPTH - 8 + SHADE_FRACTION))
#define SHADE_NOISE 36
#define SHADE_NEARLY 10486

/* Degree number @k of SHADE_DEGREES, and the first of its coefficients among those of all */
#define DEGREE(k) ((k) == 0 ? 1 : 2 * (k))
#define FIRST_TERM(k) ((k) == 0 ? 0 : (k) == 1 ? 3 : (k) == 2 ? 9 : 24)

/* Returns the coordinate of a column or row from @from to before @to, given as @twice its number:
 * from -1 to 1, with SHADE_BITS fraction bits. */
#define PLACE(twice, from, to) \
    (((twice) - (from) - (to) + 1) * (SHADE_ONE / ((to) - (from))))

/* Returns the sum of those terms of a polynomial that have x to the power @i, and y to the powers
 * 0 to @degree - @i. */
static long
sum_terms (global const int *terms, int degree, int i, int y)
{
  long sum = 0;
  int j;

  for (j = degree - i; j >= 0; j--)
    sum = (sum * y >> SHADE_BITS) + terms[(i + j) * (i + j + 1) / 2 + j];
  return sum;
}

#endif
