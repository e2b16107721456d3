/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <stdint.h>

/* Computes blended samples: sets the elements of @blended for which @unknown is not 0 to the
 * mean, over all patches that cover the pixel, of their samples at the distance (dx, dy) from
 * the pixel; -1 if no patch has such a sample.
 * @samples: read for known pixels; may be the array @blended
 * @origin: the pixel from which each pixel is copied
 * @filler: the target whose patch filled each pixel; NULL to use only this patch */
void ref_inpaint_blend (const int32_t * samples, const uint8_t * unknown, const int32_t * origin, const int32_t * filler,
    int width, int height, int radius, int dx, int dy, int32_t * blended);
