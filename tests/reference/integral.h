/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "reference.h"

/* Computes the integral image of docs/algorithms/integral.md. Rows have no gaps between them.
 * @sum_bytes: size of an entry of @sum: 4 or 8
 * @sum: written, a table with (width + 1) x (height + 1) entries. Entry (x, y) is the sum of all
 *   samples left of x and above y.
 * @squares: written, the same table for squared samples; NULL: not computed */
void ref_integral (const RefPlane * in, int sum_bytes, void * sum, uint64_t * squares);

/* Computes the box filter: each sample becomes the mean of the (2 radius_x + 1) x (2 radius_y + 1)
 * samples around it, of which only those in the frame count. If @rounds is set, means are rounded
 * to the nearest integer, halves up; otherwise down. Returns 0 if there is not enough memory. */
int ref_integral_box (const RefPlane * in, int radius_x, int radius_y, int rounds, const RefPlane * out);
