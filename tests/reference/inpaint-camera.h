/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "reference.h"

/* Two images of the same size: the frame @now and the background @then, as gray values from 0 to
 * 255. Values of -1 are ignored. */
typedef struct
{
  int width, height;
  int16_t *now, *then;
} RefInpaintPair;

/* Computes the shift of the camera, in whole pixels: pixel (u, v) of the frame shows the same as
 * pixel (u + x, v + y) of the background. Sets both to 0 if no shift explains the frame better than
 * a camera that does not move. Returns 0 if there is not enough memory. */
int ref_inpaint_camera (const RefInpaintPair * pair, int *x, int *y);
