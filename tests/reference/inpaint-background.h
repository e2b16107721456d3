/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "reference.h"

typedef struct _RefInpaintBackground RefInpaintBackground;

/* Creates the memory of the background, for frames of n components. Chroma of YUV counts with a
 * smaller threshold than luma. Returns NULL if there is not enough memory. */
RefInpaintBackground *ref_inpaint_background_new (int n, int is_rgb, int width, int height);

/* Takes the next frame. The mask has width x height bytes; pixels from 128 on are hidden. The
 * image @plate gets the values that were seen for the longest time and, where nothing was seen,
 * the samples of @in. The arrays @planned and @unknown, of width x height bytes, get 255 in
 * pixels that are filled with patches of @plate, and in those of them that are still filled,
 * else 0. Patches have @patch_size columns and rows. Returns: whether @planned has pixels that it did not have before, so that the hole is
 * filled anew */
int ref_inpaint_background (RefInpaintBackground * self, const RefPlane * in, const RefPlane * plate,
    const uint8_t * mask, int patch_size, uint8_t * planned, uint8_t * unknown);

/* Do the three steps of ref_inpaint_background(), for frames that are filled after later frames
 * have been remembered. The first one returns whether the frame begins another scene: then the
 * caller fills all frames before it, and calls ref_inpaint_background_forget(). The second one
 * remembers what is visible, and sets @plate. The third one sets @planned and @unknown for a frame
 * to be filled with the plate of the last frame that was remembered; it returns what
 * ref_inpaint_background() does. */
int ref_inpaint_background_is_cut (RefInpaintBackground * self, const RefPlane * in, const uint8_t * mask);
void ref_inpaint_background_look (RefInpaintBackground * self, const RefPlane * in, const RefPlane * plate,
    const uint8_t * mask);
int ref_inpaint_background_plan (RefInpaintBackground * self, const RefPlane * in, const uint8_t * mask,
    int patch_size, uint8_t * planned, uint8_t * unknown);

/* Returns: the pixels that must not be copied from, 255 each, when the planned pixels are filled */
const uint8_t *ref_inpaint_background_unsettled (const RefInpaintBackground * self);

/* Follows a camera that moves, before the other functions take the frame @in with its mask:
 * moves what is remembered. Returns: whether the camera has moved; -1 if there is not enough
 * memory */
int ref_inpaint_background_move (RefInpaintBackground * self, const RefPlane * in, const uint8_t * mask);

/* Remembers the pixels of @filled that were never seen as if they had been; takes the place of
 * ref_inpaint_background_check() where the camera moves. */
void ref_inpaint_background_adopt (RefInpaintBackground * self, const RefPlane * filled);

/* Checks @filled, the components of the plate with its unknown pixels filled; is_new is set if
 * they were filled anew. If the samples from which they were copied have changed, the next frame
 * has new planned pixels. Those that have changed most get the values of the frame in which they
 * were filled anew. */
void ref_inpaint_background_check (RefInpaintBackground * self, const RefPlane * filled, int is_new);

/* Writes the pixels that the mask covers to @out, a copy of the frame: the remembered
 * background or, where nothing was seen, the samples of @filled, the plate with its unknown
 * pixels filled. */
void ref_inpaint_background_show (const RefInpaintBackground * self, const RefPlane * filled, const RefPlane * out);

/* Sets @plate to the remembered background, and to samples of the frame @in where nothing is
 * remembered. */
void ref_inpaint_background_plate (const RefInpaintBackground * self, const RefPlane * in, const RefPlane * plate);

/* Returns: the pixels that were hidden in the last frame, 255 each, extended to whole chroma
 * samples; is_first is set to whether this frame began a scene */
const uint8_t *ref_inpaint_background_hidden (const RefInpaintBackground * self, int *is_first);

void ref_inpaint_background_forget (RefInpaintBackground * self);

void ref_inpaint_background_free (RefInpaintBackground * self);
