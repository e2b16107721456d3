/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "reference.h"

/* The pyramids of docs/algorithms/pyramid.md, one component at a time. A
 * plane of w x h samples has one of (w + 1) / 2 x (h + 1) / 2 above it. */

/* out: the next level of in. */
void ref_pyramid_down (const RefPlane * in, const RefPlane * out);

/* Sample (x, y) of coarse at the size of the plane below it. */
int32_t ref_pyramid_up (const RefPlane * coarse, int x, int y);

/* Makes detail, the difference of fine and what coarse predicts: int16_t samples when the plane has 8 bit
 * samples, int32_t ones otherwise. Rows of detail are stride bytes apart. */
void ref_pyramid_detail (const RefPlane * fine, const RefPlane * coarse, void * detail, ptrdiff_t stride);

/* Detail as a picture around mid-grey, clamped. */
void ref_pyramid_show (const RefPlane * fine, const RefPlane * coarse, const RefPlane * out);

/* The inverse of ref_pyramid_detail(). */
void ref_pyramid_collapse (const void * detail, ptrdiff_t stride, const RefPlane * coarse, const RefPlane * fine);
