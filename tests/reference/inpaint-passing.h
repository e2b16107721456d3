/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "reference.h"

typedef struct _RefInpaintPassing RefInpaintPassing;

/* Creates an object that tracks moving objects, for frames of @n components. The chroma of YUV has
 * a smaller threshold than luma. Returns: NULL if there is not enough memory */
RefInpaintPassing *ref_inpaint_passing_new (int n, int is_rgb, int width, int height);

/* Processes the next frame: draws moving objects where they pass behind the mask.
 * @hidden: a byte for each pixel, not 0 if the mask covers the pixel
 * @plate: stored background of ref_inpaint_background()
 * @out: a copy of the frame with its hidden pixels filled; changed
 * Returns: the number of changed pixels, or -1 if there is not enough memory */
int ref_inpaint_passing (RefInpaintPassing * self, const RefPlane * in, const RefPlane * plate,
    const uint8_t * hidden, const RefPlane * out);

/* Forgets the moving objects of earlier frames. */
void ref_inpaint_passing_forget (RefInpaintPassing * self);

void ref_inpaint_passing_free (RefInpaintPassing * self);
