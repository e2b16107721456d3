/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "reference.h"

/* The bilateral filter of docs/algorithms/bilateral.md. in and out:
 * n_components planes of equal size and depth that share one weight: 1, or 3
 * for red, green and blue. sigma_color: in steps of which the range of in has
 * 255 times its share of 0 to max. radius: at least 1, in samples. aspect: the
 * width of a sample in its heights, which are the unit of sigma_space. */
void ref_bilateral (const RefPlane * in, const RefPlane * out, int n_components, double sigma_color, double sigma_space,
    int radius, int aspect);

/* Returns: sigma_color scaled to the range of plane */
double ref_bilateral_sigma (const RefPlane * plane, double sigma_color);

/* Filters with weights from a guide: for sample (x, y) from the sample at
 * (x << x_shift, y << y_shift) of guide, 1 plane, or the luma of 3 of 8 bit. */
void ref_bilateral_guided (const RefPlane * in, const RefPlane * out, int n_components, const RefPlane * guide,
    int n_guide, int x_shift, int y_shift, double sigma_color, double sigma_space, int radius, int aspect);

/* The weight of log2 w = t, from -48 to 0, given as t + 488.5. */
float ref_bilateral_exp2 (float biased);
