/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <stdint.h>

/* Sets the elements of @blended for which @unknown is not 0 to the mean of the samples that all
 * patches over the pixel have (dx, dy) beside it, or to -1 if none has one. The array @samples
 * is read for known pixels, and may be the array @blended; @origin has the pixel from which
 * each pixel is copied; @filler has the target whose patch filled it, or is NULL if only this
 * patch counts. */
void ref_inpaint_blend (const int32_t * samples, const uint8_t * unknown, const int32_t * origin, const int32_t * filler,
    int width, int height, int radius, int dx, int dy, int32_t * blended);
