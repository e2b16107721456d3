/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "reference.h"

typedef struct _RefInpaintBackground RefInpaintBackground;

/* For frames of n components, of which those of YUV that are not luma count finer. Returns NULL when there is no memory left. */
RefInpaintBackground *ref_inpaint_background_new (int n, int is_rgb, int width, int height);

/* The next frame. mask: width x height bytes, of which those from 128 on count. plate gets what was there for the
 * longest time, and what in has where nothing was seen. planned and unknown, of width x height bytes, get 255 in
 * pixels that are filled with patches of plate, and in those of them that nobody has seen by now, and 0 elsewhere.
 * Returns: whether planned has pixels that it had not before, so that the hole is filled anew */
int ref_inpaint_background (RefInpaintBackground * self, const RefPlane * in, const RefPlane * plate,
    const uint8_t * mask, uint8_t * planned, uint8_t * unknown);

/* Looks at filled, plate with its unknown pixels filled; is_new: whether they were filled anew. When what they were
 * copied from has become something else, the next frame has new planned pixels. */
void ref_inpaint_background_check (RefInpaintBackground * self, const RefPlane * filled, int is_new);

/* Changes out, a copy of the frame: what the mask covers becomes what was seen there, or what filled has, plate with
 * its unknown pixels filled. */
void ref_inpaint_background_show (const RefInpaintBackground * self, const RefPlane * filled, const RefPlane * out);

void ref_inpaint_background_forget (RefInpaintBackground * self);

void ref_inpaint_background_free (RefInpaintBackground * self);
