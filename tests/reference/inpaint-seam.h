/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "reference.h"

/* Offsets of the neighbour on a side of a pixel: 0 left, 1 above, 2 right, 3 below. */
#define REF_INPAINT_SIDE_X(side) ((side) == 0 ? -1 : (side) == 2)
#define REF_INPAINT_SIDE_Y(side) ((side) == 1 ? -1 : (side) == 3)

/* Removes the seams from a filled hole: adds the membrane to those elements of @samples, one for
 * each pixel, for which @unknown is not 0, and rounds the elements for which @hole is not 0 to
 * samples of @depth bits. Before, @samples holds the values of known and copied pixels with
 * REF_SHADE_DEPTH bits; @beside holds, for each side of a copied pixel, what is expected of its
 * neighbour, or REF_NO_SHADE. The box around the hole is level 0. The array @shade has the shades,
 * or is NULL; @plane has the nominal range; @steepest is the largest difference at a seam, in 8
 * bits. Returns 0 if there is not enough memory. */
int ref_inpaint_seam (int32_t * samples, const uint8_t * unknown, const uint8_t * hole, int32_t * const beside[4],
    const int32_t * shade, int width, int height, int depth, const RefPlane * plane, int steepest);

/* Fills those elements of @samples for which @unknown is not 0 with the sum of the shade, where there
 * is one, and a harmonic function: less its shade, each is the mean of its neighbours. The array
 * @shade has the shades, or is NULL. Returns 0 if there is not enough memory. */
int ref_inpaint_harmonic (int32_t * samples, const uint8_t * unknown, const uint8_t * hole, const int32_t * shade,
    int width, int height, int depth);
