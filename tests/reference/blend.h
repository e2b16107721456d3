/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "reference.h"

/* Makes the mask @to, of width x height grey values without gaps, from one of the same size:
 * the mask grows by @dilate pixels to all sides and gets a soft border of 2 * @feather pixels. */
void ref_blend_grow (const uint8_t * from, uint8_t * to, int width, int height, int dilate, int feather);

/* Blends @frame, one component, with the component @result. A sample covers 1 << x_shift
 * columns and 1 << y_shift rows of the mask, which has width x height grey values without gaps.
 * The parameter @mix, 0 to 256, is the share of the result where the mask is white. */
void ref_blend (const RefPlane * frame, const RefPlane * result, const uint8_t * mask, int width, int height,
    int x_shift, int y_shift, int is_inverted, int mix);
