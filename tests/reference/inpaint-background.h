/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "reference.h"

typedef struct _RefInpaintBackground RefInpaintBackground;

/* Creates an object that stores the background, for frames of @n components. The chroma of YUV has
 * a smaller threshold than luma. Returns NULL if there is not enough memory. */
RefInpaintBackground *ref_inpaint_background_new (int n, int is_rgb, int width, int height);

/* Processes the next frame.
 * @mask: width x height bytes; pixels with values of 128 and more are hidden
 * @plate: written, the values that were visible for the longest time; where nothing was visible,
 *   the samples of @in
 * @patch_size: width and height of patches
 * @planned: written, width x height bytes: 255 for pixels that are filled with patches of @plate,
 *   otherwise 0
 * @unknown: written, width x height bytes: 255 for those planned pixels that are still filled,
 *   otherwise 0
 * Returns: 1 if @planned has new pixels, so that the hole is filled again */
int ref_inpaint_background (RefInpaintBackground * self, const RefPlane * in, const RefPlane * plate,
    const uint8_t * mask, int patch_size, uint8_t * planned, uint8_t * unknown);

/* These three functions are the steps of ref_inpaint_background(). They are for frames that are
 * filled after the background of later frames has been stored.
 *
 * ref_inpaint_background_is_cut() returns 1 if the frame begins a new scene. The caller must then
 * fill all frames before it, and call ref_inpaint_background_forget().
 * ref_inpaint_background_look() stores what is visible, and sets @plate.
 * ref_inpaint_background_plan() sets @planned and @unknown for a frame that is filled with the
 * plate of the last stored frame; its return value is that of ref_inpaint_background(). */
int ref_inpaint_background_is_cut (RefInpaintBackground * self, const RefPlane * in, const uint8_t * mask);
void ref_inpaint_background_look (RefInpaintBackground * self, const RefPlane * in, const RefPlane * plate,
    const uint8_t * mask);
int ref_inpaint_background_plan (RefInpaintBackground * self, const RefPlane * in, const uint8_t * mask,
    int patch_size, uint8_t * planned, uint8_t * unknown);

/* Light of a frame, in 1/2048 octave, modulo 65536. Column x and row y of the frame have the value
 * values[rows[y] * stride + columns[x]], or none if either index is -1. @number: light of frames
 * with different numbers cannot be compared. */
typedef struct
{
  const uint16_t *values;
  int stride, number;
  const int *columns, *rows;
} RefInpaintLight;

/* Brings the stored background to the light of the frame @in, with the mask @mask. If the light is
 * NULL, it is not known. To be called for all frames or none: before
 * ref_inpaint_background_is_cut() or, if ref_inpaint_background_has_patches(), after it, unless the
 * frame is a cut. */
void ref_inpaint_background_relight (RefInpaintBackground * self, const RefPlane * in, const uint8_t * mask,
    const RefInpaintLight * light);

/* Returns: whether the last frame had hidden pixels that were never visible */
int ref_inpaint_background_has_patches (const RefInpaintBackground * self);

/* Returns: an array that is 255 for pixels that must not be copied when the planned pixels are
 * filled */
const uint8_t *ref_inpaint_background_unsettled (const RefInpaintBackground * self);

/* Compensates the motion of the camera by shifting the stored background. Must be called before the
 * other functions process the frame @in with its mask. Returns: 1 if the camera has moved; -1 if
 * there is not enough memory */
int ref_inpaint_background_move (RefInpaintBackground * self, const RefPlane * in, const uint8_t * mask);

/* Stores those pixels of @filled that were never visible, as if they had been visible. Used instead
 * of ref_inpaint_background_check() if the camera moves. */
void ref_inpaint_background_adopt (RefInpaintBackground * self, const RefPlane * filled);

/* Checks @filled, the components of the plate with its unknown pixels filled. is_new is set if they
 * were filled again. If the samples from which they were copied have changed, the next frame has
 * new planned pixels. The pixels that have changed most get their values from the frame in which
 * they were filled again. */
void ref_inpaint_background_check (RefInpaintBackground * self, const RefPlane * filled, int is_new);

/* Writes the pixels covered by the mask to @out, a copy of the frame. They are the stored
 * background or, where nothing was visible, the samples of @filled, the plate with its unknown
 * pixels filled. */
void ref_inpaint_background_show (const RefInpaintBackground * self, const RefPlane * filled, const RefPlane * out);

/* Sets @plate to the stored background. Where no background is stored, sets it to the samples of
 * the frame @in. */
void ref_inpaint_background_plate (const RefInpaintBackground * self, const RefPlane * in, const RefPlane * plate);

/* Returns: an array that is 255 for pixels that were hidden in the last frame, extended to whole
 * chroma samples. Sets is_first to 1 if this frame began a scene. */
const uint8_t *ref_inpaint_background_hidden (const RefInpaintBackground * self, int *is_first);

void ref_inpaint_background_forget (RefInpaintBackground * self);

void ref_inpaint_background_free (RefInpaintBackground * self);
