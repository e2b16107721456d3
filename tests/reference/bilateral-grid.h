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
  double sigma_color;           /* in 8-bit units of the guide, or of the sum of the differences of
                                 * red, green and blue */
  double sigma_space;           /* standard deviation along rows, in samples */
  int aspect;                   /* width of a sample divided by its height */
  int levels;                   /* number of levels of the method constant-time */

  /* Image from which range weights are computed, or NULL for the filtered image itself. Sample
   * (x, y) of the frame has the guide sample (x << guide_x_shift, y << guide_y_shift). It has 1
   * plane, or 3 of 8 bits, of which the luma is used. */
  const RefPlane *guide;
  int n_guide, guide_x_shift, guide_y_shift;

  const RefPlane *alpha;        /* weighs samples; has 8 bits; may be NULL */
} RefBilateralGrid;

/* Filters with one of the approximations of docs/algorithms/bilateral.md. Both @in and @out
 * have 1 plane, or 3 of red, green and blue, which share their weights. */
void ref_bilateral_grid (const RefPlane * in, const RefPlane * out, int n_components, const RefBilateralGrid * params);
