/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "reference.h"

/* The bilateral filter of docs/algorithms/bilateral.md. in and out:
 * n_components planes of equal size and depth that share one weight: 1, or 3
 * for red, green and blue. sigma_color: in 8 bit units. radius: at least 1. */
void ref_bilateral (const RefPlane * in, const RefPlane * out,
    int n_components, double sigma_color, double sigma_space, int radius);

/* Filters with weights from a guide: for sample (x, y) from the sample at
 * (x << x_shift, y << y_shift) of guide, 1 plane, or the luma of 3 of 8 bit. */
void ref_bilateral_guided (const RefPlane * in, const RefPlane * out, int n_components, const RefPlane * guide,
    int n_guide, int x_shift, int y_shift, double sigma_color, double sigma_space, int radius);

/* The weight of log2 w = t, from -48 to 0, given as t + 488.5. */
float ref_bilateral_exp2 (float biased);
