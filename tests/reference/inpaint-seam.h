/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <stdint.h>

/* Takes the seams out of what was filled: changes those of samples, one for each
 * pixel, where unknown is not 0. There they are what was copied, and origin says from
 * where. depth: bits of a sample. Returns 0 when there is no memory left. */
int ref_inpaint_seam (int32_t * samples, const uint8_t * unknown, const int32_t * origin, int width, int height,
    int depth);
