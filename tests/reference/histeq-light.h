/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "reference.h"

/* Describes how the light changed from one frame to the next: the value v of this frame,
 * counted from black, was v - ((offset << up) + slope * v) in the last one, in units of 2^-20;
 * @up is the number of bits of a value beyond 8; is_other is set if no change of light turns
 * one frame into the other; @reach is the distance from the line of the light within which half
 * of all compared values lie, in 8-bit grey levels. */
typedef struct
{
  int offset, slope, up;
  int is_other, reach;
} RefLight;

/* Returns: the number of pixels at which a plane is compared with the last frame */
size_t ref_light_places (const RefPlane * plane);

/* Compares @plane with @codes, its values at these pixels in the last frame, which this frame's
 * values replace. If is_first is set, there was no last frame. */
RefLight ref_light_find (const RefPlane * plane, uint16_t * codes, int is_first);

/* Tells whether a tile of @plane is still: at most 1/128 of its compared pixels have values in
 * @before and @now, of two frames, that differ by more than light and noise explain. The tile
 * has tile_width x tile_height pixels, from (left, top) on. */
int ref_light_is_still (const RefPlane * plane, const RefLight * light, const uint16_t * before,
    const uint16_t * now, int left, int top, int tile_width, int tile_height);

/* Returns: the value that value v of this frame had in the last one, in units of 2^-20 */
int64_t ref_light_before (const RefLight * light, int v);
