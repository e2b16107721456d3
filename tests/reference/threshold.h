/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "reference.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An 8-bit gray image without padding between its rows */
typedef struct
{
  int width, height;
  uint8_t *data;
} RefGray;

/* Makes the 8-bit image of a component. Returns: the image, whose data the caller frees with
 * free() */
RefGray ref_gray (const RefPlane * plane);

/* Returns: the image at half of the size; each pixel is the mean of 2x2 pixels */
RefGray ref_halve (const RefGray * in);

/* Compares pixels with the threshold of their tile of @tile x @tile pixels. The threshold is the
 * middle of the range of 3x3 tiles, or their mean if @is_mean is not 0. Where this range is less
 * than @contrast, the threshold is that of the tile at half of the resolution. @thresholds: a value
 * for each tile; @bits: 1 for each pixel above its threshold, otherwise 0 */
void ref_threshold (const RefGray * in, int tile, int is_mean, int contrast, uint8_t * thresholds,
    uint8_t * bits);

#ifdef __cplusplus
}
#endif
