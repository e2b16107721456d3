/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "reference.h"

/* Applies the exact bilateral filter of docs/algorithms/bilateral.md.
 * @in, @out: n_components planes of equal size and depth: 1, or 3 for red, green and blue. All
 *   planes share one weight.
 * @alpha: weights of samples, 8 bits; may be NULL
 * @sigma_color: standard deviation in units of 1/255 of full range, scaled to the range of @in by
 *   ref_bilateral_sigma()
 * @sigma_space: standard deviation in heights of a sample
 * @radius: in samples, at least 1
 * @aspect: width of a sample divided by its height */
void ref_bilateral (const RefPlane * in, const RefPlane * alpha, const RefPlane * out, int n_components,
    double sigma_color, double sigma_space, int radius, int aspect);

/* Returns: sigma_color scaled to the nominal range of @plane */
double ref_bilateral_sigma (const RefPlane * plane, double sigma_color);

/* Filters with range weights from the image @guide, which has 1 plane, or 3 planes of 8 bits,
 * whose luma is used. The guide sample for sample (x, y) is (x << x_shift, y << y_shift). */
void ref_bilateral_guided (const RefPlane * in, const RefPlane * alpha, const RefPlane * out, int n_components,
    const RefPlane * guide, int n_guide, int x_shift, int y_shift, double sigma_color, double sigma_space, int radius,
    int aspect);

/* Returns the factor of the weight of sample (x, y): its alpha, or a constant if @alpha is NULL.
 * The unit of the factor does not affect the result. */
float ref_bilateral_alpha (const RefPlane * alpha, int x, int y);

/* Returns the weight 2^t for @t from -48 to 0, given as t + 488.5. */
float ref_bilateral_exp2 (float biased);
