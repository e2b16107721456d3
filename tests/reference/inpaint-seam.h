/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "reference.h"

/* The sides of a pixel. */
#define REF_INPAINT_SIDE_X(side) ((side) == 0 ? -1 : (side) == 2)
#define REF_INPAINT_SIDE_Y(side) ((side) == 1 ? -1 : (side) == 3)

/* Takes the seams out of what was filled: changes those of samples, one for each
 * pixel, where unknown is not 0. hole is not 0 there and elsewhere in the hole: the box around it is level 0. There they are what was copied, and beside is what lies beside it, on each side, where
 * it is from, or -1. depth: bits of a sample; plane: what has their range. Returns 0 when there is no memory left. */
int ref_inpaint_seam (int32_t * samples, const uint8_t * unknown, const uint8_t * hole, int32_t * const beside[4], int width,
    int height, int depth, const RefPlane * plane);

/* Fills those of samples where unknown is not 0 with a harmonic function: each is the mean of its neighbours.
 * Returns 0 when there is no memory left. */
int ref_inpaint_harmonic (int32_t * samples, const uint8_t * unknown, const uint8_t * hole, int width, int height,
    int depth);
