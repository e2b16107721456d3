/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <stdint.h>

/* The sides of a pixel. */
#define REF_INPAINT_SIDE_X(side) ((side) == 0 ? -1 : (side) == 2)
#define REF_INPAINT_SIDE_Y(side) ((side) == 1 ? -1 : (side) == 3)

/* Takes the seams out of what was filled: changes those of samples, one for each
 * pixel, where unknown is not 0. There they are what was copied, and beside is what lies beside it, on each side, where
 * it is from, or -1. depth: bits of a sample. Returns 0 when there is no memory left. */
int ref_inpaint_seam (int32_t * samples, const uint8_t * unknown, int32_t * const beside[4], int width, int height,
    int depth);
