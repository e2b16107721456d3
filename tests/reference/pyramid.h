/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "reference.h"

/* Computes the pyramids of docs/algorithms/pyramid.md, one component at a time. The level above
 * a plane of w x h samples has (w + 1) / 2 x (h + 1) / 2 samples. */

/* Computes @out, the next coarser level of @in. */
void ref_pyramid_down (const RefPlane * in, const RefPlane * out);

/* Computes the positions and weights of the three samples of the coarser axis from which sample @i
 * of the finer axis is interpolated. The coarser axis has @n samples. The weights add up to 8. */
void ref_pyramid_taps (int i, int n, int place[3], int weight[3]);

/* Returns sample (x, y) of the level @coarse after it was magnified to the size of the next
 * finer level. */
int32_t ref_pyramid_up (const RefPlane * coarse, int x, int y);

/* Computes @detail, the difference between @fine and the magnified level @coarse. Samples are
 * int16_t for planes of 8 bits, otherwise int32_t. The rows of @detail are @stride bytes apart. */
void ref_pyramid_detail (const RefPlane * fine, const RefPlane * coarse, void * detail, ptrdiff_t stride);

/* Writes the detail, the difference between @fine and the magnified level @coarse, to @out as an
 * image around mid-gray, clamped. */
void ref_pyramid_show (const RefPlane * fine, const RefPlane * coarse, const RefPlane * out);

/* Reverses ref_pyramid_detail(): computes @fine from @detail and @coarse. */
void ref_pyramid_collapse (const void * detail, ptrdiff_t stride, const RefPlane * coarse, const RefPlane * fine);
