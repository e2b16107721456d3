/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "reference.h"

/* Makes the mask @to from the mask @from. Both have width x height gray values without gaps. The
 * mask is extended by @dilate pixels on all sides, and gets a soft border with a width of 2 *
 * @feather pixels. */
void ref_blend_grow (const uint8_t * from, uint8_t * to, int width, int height, int dilate, int feather);

/* Blends @frame and @result, one component each, weighted by a mask.
 * @mask: width x height gray values without gaps
 * @x_shift, @y_shift: a sample covers 1 << x_shift columns and 1 << y_shift rows of the mask
 * @mix: weight of the result where the mask is white, 0 to 256 */
void ref_blend (const RefPlane * frame, const RefPlane * result, const uint8_t * mask, int width, int height,
    int x_shift, int y_shift, int is_inverted, int mix);
