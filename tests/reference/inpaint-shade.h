/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "inpaint-private.h"

/* Number of bits of shades: 14, or the number of bits of a sample if it is larger */
#define REF_SHADE_DEPTH(depth) ((depth) > 14 ? (depth) : 14)

/* Shade of a pixel without a shade, and value of a sample that is not known */
#define REF_NO_SHADE INT32_MIN

/* Finds the shades of the first @n components: allocates work->shade[c] with an element for each
 * pixel, or leaves it NULL if no hole is wide. Returns 0 if there is not enough memory. */
int ref_inpaint_find_shades (Work * work, const RefInpaint * params, int n);

/* Returns the value of pixel @to, with REF_SHADE_DEPTH bits, as a copy of pixel @from, whose sample
 * is @value. The array @shade may be NULL. */
int32_t ref_inpaint_carry (const int32_t * shade, int32_t value, int depth, int from, int to);
