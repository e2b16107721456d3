/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "reference.h"

/* Blurs one component with a Gaussian. The standard deviation along rows, sigma_x, is at most
 * 256 samples. The standard deviation along columns, sigma_y, is sigma_x or 2 * sigma_x. Returns
 * 0 if there is not enough memory. */
int ref_gaussian (const RefPlane * in, const RefPlane * out, double sigma_x, double sigma_y);

/* Sharpens one component by an unsharp mask: @amount is -1 to 16, @sigma 0 to 256 pixels,
 * @threshold 0 to 255 in 8-bit gray levels. Returns 0 if there is not enough memory. */
int ref_sharpen (const RefPlane * in, const RefPlane * out, double amount, double sigma, double threshold);

/* Sharpens the luma of a frame of red, green and blue with 8 bits: the change of luma is added
 * to all three colors. The Gaussian of luma is weighted by @alpha, which may be NULL, unless
 * sigma is 0. */
int ref_sharpen_rgb (const RefPlane in[3], const RefPlane * alpha, const RefPlane out[3], double amount, double sigma,
    double threshold);
