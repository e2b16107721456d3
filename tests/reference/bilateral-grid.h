/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "reference.h"

enum
{
  REF_BILATERAL_GRID,
  REF_BILATERAL_CONSTANT_TIME
};

typedef struct
{
  int method;
  double sigma_color;           /* standard deviation of color differences, in 8-bit units:
                                 * differences of the guide, or sums of the differences of red,
                                 * green and blue */
  double sigma_space;           /* standard deviation along rows, in samples */
  int aspect;                   /* width of a sample divided by its height */
  int levels;                   /* number of guide levels of the constant-time method */

  /* Guide image, from which range weights are computed; NULL for the filtered image itself. It has
   * 1 plane, or 3 planes of 8 bits, whose luma is used. The guide sample for sample (x, y) of the
   * frame is (x << guide_x_shift, y << guide_y_shift). */
  const RefPlane *guide;
  int n_guide, guide_x_shift, guide_y_shift;

  const RefPlane *alpha;        /* weights of samples (alpha), 8 bits; may be NULL */
} RefBilateralGrid;

/* Applies one of the approximations of the bilateral filter in docs/algorithms/bilateral.md.
 * Both @in and @out have 1 plane, or 3 planes of red, green and blue, which share their weights. */
void ref_bilateral_grid (const RefPlane * in, const RefPlane * out, int n_components, const RefBilateralGrid * params);
