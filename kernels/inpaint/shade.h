/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* State of a shade, which is a polynomial fitted to the surroundings of a wide hole: see
 * docs/algorithms/inpaint.md. There is a state of SHADE_STATE ints for each component of each
 * domain. It contains:
 * - MEANS: the mean of each cell
 * - SQUARES: the sum of squared differences of each cell
 * - RESIDUALS: the leave-one-out residual of each cell, for each degree
 * - SHADE_COEFFICIENTS: the coefficients for all degrees
 * - SHADE_CHOSEN: the index of the chosen degree
 * Means, residuals and coefficients are in UNITS() / 2^SHADE_FRACTION. */
#ifndef INPAINT_SHADE_H
#define INPAINT_SHADE_H

#include "inpaint/seam.h"

#define MEANS 0
#define SQUARES SHADE_MAX_CELLS
#define RESIDUALS (2 * SHADE_MAX_CELLS)

/* Index of the chosen degree if no polynomial fits the surroundings for a component */
#define NO_DEGREE -1

/* Limits of the difference of two samples, in samples of DEPTH bits, and of a residual. Both
 * correspond to 32 gray levels of 8 bits. */
#define SHADE_STEEPEST ((32 << (DEPTH - 8)) - 1)
#define SHADE_MOST (32 << (DEPTH - 8 + SHADE_FRACTION))

/* SHADE_SQUARE is the square of a gray level of 8 bits, in the unit of squared residuals.
 * SHADE_NOISE is the largest variance of the noise, in squared gray levels. A lower degree is
 * nearly as good as the best degree if its mean squared residual is at most 5/4 of that of the
 * best degree plus SHADE_NEARLY, a hundredth of a squared gray level. */
#define SHADE_SQUARE (1 << 2 * (DEPTH - 8 + SHADE_FRACTION))
#define SHADE_NOISE 36
#define SHADE_NEARLY 10486

/* Degree with the index @k, and index of the first of its coefficients among the coefficients of
 * all degrees */
#define DEGREE(k) ((k) == 0 ? 1 : 2 * (k))
#define FIRST_TERM(k) ((k) == 0 ? 0 : (k) == 1 ? 3 : (k) == 2 ? 9 : 24)

/* Converts a column or row to a coordinate from -1 to 1, with SHADE_BITS fraction bits. @twice
 * is twice the index of the column or row, and the range is from @from to @to - 1. */
#define PLACE(twice, from, to) \
    (((twice) - (from) - (to) + 1) * (SHADE_ONE / ((to) - (from))))

/* Returns the sum of those terms of a polynomial that contain x to the power @i, and y to the
 * powers 0 to @degree - @i. */
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
