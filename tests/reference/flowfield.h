/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "flow.h"

/* Number of colors of the color wheel: 55 for directions, then white and black */
#define REF_WHEEL_COLOURS 57
#define REF_WHEEL_WHITE 55
#define REF_WHEEL_BLACK 56

/* Sets the colors of the color wheel, 0xrrggbb. */
void ref_flow_wheel_colours (uint32_t colours[REF_WHEEL_COLOURS]);

/* Draws one component of a frame that shows a flow field in colors. @field: NULL if all flow is
 * unknown. @is_to_previous: whether the reverse motion is drawn. @range: length of the motion with
 * the full color, in units of 1/32 pixel. @values: the values of the component in each of the
 * colors. Samples of @out stand for 2^sub_x x 2^sub_y pixels. */
void ref_flow_wheel (const RefFlow * field, int is_to_previous, int range, const int values[REF_WHEEL_COLOURS],
    int sub_x, int sub_y, const RefPlane * out);

/* Makes the field @whole, whose size is set, from the field @part of a part of the frame: sample
 * (0, 0) of @part is sample (@left, @top) of @whole. */
void ref_flow_place (const RefFlow * part, int left, int top, const RefFlow * whole);
