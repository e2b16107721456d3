/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "reference.h"

/* The integral image of docs/algorithms/integral.md: entry (x, y) of a table
 * of (width + 1) x (height + 1) is the sum of all samples left of x and above
 * y. sum_bytes: 4 or 8, the size of an entry of sum. squares: the same of the
 * squared samples, or NULL. No byte lies between the rows. */
void ref_integral (const RefPlane * in, int sum_bytes, void * sum, uint64_t * squares);

/* The mean of the (2 radius_x + 1) x (2 radius_y + 1) samples around each, of those that
 * there are, rounded half up. Returns 0 when there is no memory left. */
int ref_integral_box (const RefPlane * in, int radius_x, int radius_y, const RefPlane * out);
