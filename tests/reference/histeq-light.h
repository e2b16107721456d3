/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "reference.h"

/* Describes how the light changed from one frame to the next. If a value of this frame is v, its
 * value in the last frame was v - ((offset << up) + slope * v), in units of 2^-20. Values are
 * relative to black.
 * @up: number of bits of a value in excess of 8
 * @is_other: 1 if no change of light turns one frame into the other
 * @reach: distance from the line fitted to the change of light within which half of all compared
 * values lie, in 8-bit gray levels */
typedef struct
{
  int offset, slope, up;
  int is_other, reach;
} RefLight;

/* Returns: the number of pixels at which a plane is compared with the last frame */
size_t ref_light_places (const RefPlane * plane);

/* Compares @plane with @codes, which contains its values at the compared pixels in the last frame.
 * Replaces them by the values of this frame. If is_first is set, there was no last frame. */
RefLight ref_light_find (const RefPlane * plane, uint16_t * codes, int is_first);

/* Returns 1 if nothing moves in a tile of @plane: at most 1/128 of its compared pixels have values
 * in two frames, @before and @now, that differ by more than light and noise explain. The tile has
 * tile_width x tile_height pixels, starting at (@left, @top). */
int ref_light_is_still (const RefPlane * plane, const RefLight * light, const uint16_t * before,
    const uint16_t * now, int left, int top, int tile_width, int tile_height);

/* Returns: the value in the last frame of a pixel that has the value @v in this frame, in units of
 * 2^-20 */
int64_t ref_light_before (const RefLight * light, int v);
