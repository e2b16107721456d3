/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "reference.h"

/* Offsets of the neighbor on a side of a pixel: 0 left, 1 above, 2 right, 3 below. */
#define REF_INPAINT_SIDE_X(side) ((side) == 0 ? -1 : (side) == 2)
#define REF_INPAINT_SIDE_Y(side) ((side) == 1 ? -1 : (side) == 3)

/* Removes the seams from a filled hole, by adding the membrane. The box around the hole is level
 * 0. Returns 0 if there is not enough memory.
 * @samples: in: the values of known and copied pixels, with REF_SHADE_DEPTH bits. The membrane is
 *   added to those elements for which @unknown is not 0. Then the elements for which @hole is
 *   not 0 are rounded to samples of @depth bits.
 * @beside: for each side of a copied pixel, the expected value of its neighbor, or REF_NO_SHADE
 * @shade: shades, or NULL
 * @plane: for the nominal range
 * @steepest: limit of the difference at a seam, in 8 bits */
int ref_inpaint_seam (int32_t * samples, const uint8_t * unknown, const uint8_t * hole, int32_t * const beside[4],
    const int32_t * shade, int width, int height, int depth, const RefPlane * plane, int steepest);

/* Fills those elements of @samples for which @unknown is not 0 with a harmonic function plus the
 * shade, where there is one. Each filled element minus its shade is the mean of its neighbors minus
 * their shades. The array @shade contains the shades, or is NULL. Returns 0 if there is not enough
 * memory. */
int ref_inpaint_harmonic (int32_t * samples, const uint8_t * unknown, const uint8_t * hole, const int32_t * shade,
    int width, int height, int depth);
