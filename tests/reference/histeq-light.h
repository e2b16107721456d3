/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "reference.h"

/* How the light changed from a frame to the next: value v of this frame, counted from black,
 * was v - ((offset << up) + slope * v) in the last one, in units of 2^-20; up: the bits that
 * a value has beyond 8. is_other: no light makes one frame of the other. */
typedef struct
{
  int offset, slope, up;
  int is_other;
} RefLight;

/* Returns: the number of places at which a plane is looked at */
size_t ref_light_places (const RefPlane * plane);

/* Compares plane with codes, its values at these places in the last frame, and puts those of
 * this frame there. is_first: there was no last frame. */
RefLight ref_light_find (const RefPlane * plane, uint16_t * codes, int is_first);

/* Returns: what value v of this frame was in the last one, in 2^-20 */
int64_t ref_light_before (const RefLight * light, int v);
