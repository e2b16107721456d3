/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "reference.h"

/* Two pictures of one size: the frame @now and the background @then, in grey values from 0 to 255.
 * A value of -1 does not count. */
typedef struct
{
  int width, height;
  int16_t *now, *then;
} RefInpaintPair;

/* Finds how far the camera has moved, in whole pixels: pixel (u, v) of the frame shows what pixel
 * (u + x, v + y) of the background shows. Sets both to 0 if no movement explains the frame better
 * than a camera that stands still. Returns 0 if there is not enough memory. */
int ref_inpaint_camera (const RefInpaintPair * pair, int *x, int *y);
