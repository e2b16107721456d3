/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "reference.h"

/* Gaussian of one component. sigma_x, along rows: up to 256 samples; sigma_y, along
 * columns: as much or twice as much. Returns 0 when there is no memory left. */
int ref_gaussian (const RefPlane * in, const RefPlane * out, double sigma_x, double sigma_y);

/* Unsharp mask of one component. amount: -1 to 16; sigma: 0 to 256 pixels;
 * threshold: 0 to 255, in 8 bit steps. Returns 0 when there is no memory
 * left. */
int ref_sharpen (const RefPlane * in, const RefPlane * out, double amount, double sigma, double threshold);

/* Sharpens the luma of a frame of red, green and blue with 8 bit: all three change by as
 * much as the luma does. */
int ref_sharpen_rgb (const RefPlane in[3], const RefPlane out[3], double amount, double sigma, double threshold);
