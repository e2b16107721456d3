/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <stdint.h>

/* Sets those of blended where unknown is not 0 to the mean of what all patches over a pixel have (dx, dy) beside it,
 * or to -1 where none has. samples: those of known pixels are read, it may be blended; origin: where pixels are from;
 * filler: the target whose patch filled them, or NULL: of this patch alone. */
void ref_inpaint_blend (const int32_t * samples, const uint8_t * unknown, const int32_t * origin, const int32_t * filler,
    int width, int height, int radius, int dx, int dy, int32_t * blended);
