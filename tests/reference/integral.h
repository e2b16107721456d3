/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "reference.h"

/* Computes the integral image of docs/algorithms/integral.md: entry (x, y) of the table @sum,
 * which has (width + 1) x (height + 1) entries of sum_bytes bytes (4 or 8), is the sum of all
 * samples left of x and above y. The table @squares is the same for squared samples, or NULL.
 * There are no bytes between the rows. */
void ref_integral (const RefPlane * in, int sum_bytes, void * sum, uint64_t * squares);

/* Computes, around each sample, the mean of the (2 radius_x + 1) x (2 radius_y + 1) samples, or
 * of those of them that lie in the frame, rounded to the nearest number, halves up, or,
 * without @rounds, down. Returns 0 if there is not enough memory. */
int ref_integral_box (const RefPlane * in, int radius_x, int radius_y, int rounds, const RefPlane * out);
