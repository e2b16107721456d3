/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "reference.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A picture of 8 bits without bytes between its rows */
typedef struct
{
  int width, height;
  uint8_t *data;
} RefGray;

/* Makes the picture of 8 bits of a component. Returns: it; data is for free() */
RefGray ref_gray (const RefPlane * plane);

/* Returns: the picture at half of the size; a pixel is the mean of 2x2 */
RefGray ref_halve (const RefGray * in);

/* Compares pixels with the threshold of their tile of @tile x @tile pixels. The threshold is in the
 * middle of the range of 3x3 tiles, or their mean if @is_mean is not 0; where the range is less
 * than @contrast, it is the threshold of the tile at half of the resolution. @thresholds: a value
 * for each tile; @bits: 1 for each pixel above, else 0 */
void ref_threshold (const RefGray * in, int tile, int is_mean, int contrast, uint8_t * thresholds,
    uint8_t * bits);

#ifdef __cplusplus
}
#endif
