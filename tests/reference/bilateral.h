/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "reference.h"

/* Applies the exact bilateral filter of docs/algorithms/bilateral.md. Both @in and @out are
 * n_components planes of equal size and depth, which share one weight: 1, or 3 for red, green
 * and blue. The standard deviation sigma_color is in units of 1/255 of full range, scaled to
 * the range of @in by ref_bilateral_sigma(); sigma_space is in heights of a sample; @radius, at
 * least 1, is in samples; @aspect is the width of a sample divided by its height. Samples are
 * weighted by @alpha, of 8 bits, which may be NULL. */
void ref_bilateral (const RefPlane * in, const RefPlane * alpha, const RefPlane * out, int n_components,
    double sigma_color, double sigma_space, int radius, int aspect);

/* Returns: sigma_color scaled to the nominal range of @plane */
double ref_bilateral_sigma (const RefPlane * plane, double sigma_color);

/* Filters with range weights from a guide image: for sample (x, y) from the sample (x <<
 * x_shift, y << y_shift) of @guide, which has 1 plane, or 3 of 8 bits, of which the luma is
 * used. */
void ref_bilateral_guided (const RefPlane * in, const RefPlane * alpha, const RefPlane * out, int n_components,
    const RefPlane * guide, int n_guide, int x_shift, int y_shift, double sigma_color, double sigma_space, int radius,
    int aspect);

/* Returns the factor of the weight of sample (x, y), in units that have no effect on the result:
 * its alpha, or always the same if @alpha is NULL. */
float ref_bilateral_alpha (const RefPlane * alpha, int x, int y);

/* Returns the weight 2^t for t from -48 to 0, given as t + 488.5. */
float ref_bilateral_exp2 (float biased);
