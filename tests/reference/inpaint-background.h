/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "reference.h"

typedef struct _RefInpaintBackground RefInpaintBackground;

/* For frames of n components, of which those of YUV that are not luma count finer. Returns NULL when there is no memory left. */
RefInpaintBackground *ref_inpaint_background_new (int n, int is_rgb, int width, int height);

/* The next frame: fills what mask, of width x height bytes of which those from 128 on count, covers and has been seen
 * before in out, which is a copy of in, and remembers the rest. forbidden may be NULL. unknown and not_copied get 255
 * where there is something left to be filled, and where nothing is to be copied from, and 0 elsewhere. */
void ref_inpaint_background (RefInpaintBackground * self, const RefPlane * in, const RefPlane * out,
    const uint8_t * mask, const uint8_t * forbidden, uint8_t * unknown, uint8_t * not_copied);

void ref_inpaint_background_forget (RefInpaintBackground * self);

void ref_inpaint_background_free (RefInpaintBackground * self);
