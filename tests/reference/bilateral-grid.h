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
  double sigma_color;           /* in 8 bit units of the guide, or of the sum of differences of R, G and B */
  double sigma_space;           /* along rows, in samples */
  int aspect;                   /* width of a sample, in its heights */
  int levels;                   /* of constant-time */

  /* The plane that the range weights come from: for sample (x, y) the one at
   * (x << guide_x_shift, y << guide_y_shift) of 1 plane, or the luma of 3 of
   * 8 bit. NULL: the plane that is filtered. */
  const RefPlane *guide;
  int n_guide, guide_x_shift, guide_y_shift;
} RefBilateralGrid;

/* The approximations of docs/algorithms/bilateral.md. in and out: 1 plane, or
 * 3 of red, green and blue that share their weights. */
void ref_bilateral_grid (const RefPlane * in, const RefPlane * out, int n_components, const RefBilateralGrid * params);
