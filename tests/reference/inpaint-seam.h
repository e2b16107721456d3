/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "reference.h"

/* Offsets of the neighbour on a side of a pixel: 0 left, 1 above, 2 right, 3 below. */
#define REF_INPAINT_SIDE_X(side) ((side) == 0 ? -1 : (side) == 2)
#define REF_INPAINT_SIDE_Y(side) ((side) == 1 ? -1 : (side) == 3)

/* Removes the seams from a filled hole: changes those elements of @samples, one for each pixel,
 * for which @unknown is not 0. There @samples holds the copied values, and @beside the values
 * beside their origins on each side, or -1. The array @hole is not 0 in the whole hole; the box
 * around it is level 0. The parameter @depth is the number of bits of a sample; @plane has the
 * nominal range; @steepest is the largest difference at a seam, in 8 bits. Returns 0 if there
 * is not enough memory. */
int ref_inpaint_seam (int32_t * samples, const uint8_t * unknown, const uint8_t * hole, int32_t * const beside[4], int width,
    int height, int depth, const RefPlane * plane, int steepest);

/* Fills those elements of @samples for which @unknown is not 0 with a harmonic function: each
 * is the mean of its neighbours. Returns 0 if there is not enough memory. */
int ref_inpaint_harmonic (int32_t * samples, const uint8_t * unknown, const uint8_t * hole, int width, int height,
    int depth);
