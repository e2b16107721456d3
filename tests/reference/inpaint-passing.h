/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "reference.h"

typedef struct _RefInpaintPassing RefInpaintPassing;

/* Creates the memory of moving objects, for frames of n components. Chroma of YUV counts with a
 * smaller threshold than luma. Returns: NULL if there is not enough memory */
RefInpaintPassing *ref_inpaint_passing_new (int n, int is_rgb, int width, int height);

/* Takes the next frame. The array @hidden has a byte for each pixel, which is not 0 if the mask
 * covers it. The image @plate is the remembered background of ref_inpaint_background(). Changes
 * @out, a copy of the frame with its hidden pixels filled: objects that move go on in them.
 * Returns: the number of changed pixels, or -1 if there is not enough memory */
int ref_inpaint_passing (RefInpaintPassing * self, const RefPlane * in, const RefPlane * plate,
    const uint8_t * hidden, const RefPlane * out);

/* Forgets the moving objects of earlier frames. */
void ref_inpaint_passing_forget (RefInpaintPassing * self);

void ref_inpaint_passing_free (RefInpaintPassing * self);
