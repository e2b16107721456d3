/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Draws a flow field in colors: the hue shows the direction, the saturation shows the speed. The
 * algorithm is described in docs/algorithms/flow.md. */
#include "base/any-samples.h"
#include "base/flow-at.h"
#include "flowfield/flowfield-shared.h"

/* Returns the integer part of the square root of n. */
static uint
whole_root (uint n)
{
  uint r = 0;

  for (uint bit = 1u << 15; bit > 0; bit >>= 1)
    r |= (r | bit) * (r | bit) <= n ? bit : 0;
  return r;
}

static int
cross_product (int2 a, int2 b)
{
  return a.x * b.y - a.y * b.x;
}

/* Returns the sector of the wheel into which the vector v points. The signs of v determine the
 * half of the wheel. In this half, a bisection finds the last direction that is not beyond v. */
static int
find_sector (global const int2 * directions, int2 v)
{
  int first = v.y < 0 || (v.y == 0 && v.x < 0) ? WHEEL_SECTORS / 2 : 0;
  int i = first;

  for (int step = 16; step > 0; step >>= 1) {
    int next = min (i + step, first + WHEEL_SECTORS / 2 - 1);

    i = cross_product (directions[next], v) >= 0 ? next : i;
  }
  return i;
}

/* Returns the value of a component for the motion v. @colours: values of the component in the
 * colors of the wheel. @range: length of a motion that is shown in full color. The motion and
 * @range are in units of 1/32 pixel. */
static int
get_value (global const int *table, global const int *colours, int2 v,
    int range)
{
  global const int2 *directions = (global const int2 *) table;
  int i = find_sector (directions, v), next = (i + 1) % WHEEL_SECTORS;
  uint behind = cross_product (directions[i], v);
  uint sum = max (behind + cross_product (v, directions[next]), 1u);
  int part = 32 * behind / sum;
  int full = (colours[i] * (32 - part) + colours[i + 1] * part + 16) >> 5;
  int length = 256 * whole_root (v.x * v.x + v.y * v.y) / range;
  int white = colours[WHEEL_WHITE], black = colours[WHEEL_BLACK];

  return length <= 256 ? white + ((length * (full - white) + 128) >> 8)
      : black + ((3 * (full - black) + 2) >> 2);
}

/* Draws a component of the frame @out, which has width x height samples of 2^sub_x x 2^sub_y
 * pixels. Work-item (x, y) writes sample (x, y): the color of the flow at the first of its pixels,
 * or black if the flow there is unknown. The flow field has columns x rows samples of 2^field_shift
 * x 2^field_shift pixels; if @columns is 0, all flow is unknown. @sign is -1 if flow points to the
 * previous position of a pixel, otherwise 1. */
kernel void
flowfield_wheel (global const short2 * flow, int columns, int rows,
    int field_shift, int sign, int range, global const int *table,
    int first_colour, global uchar * out, int offset, int stride, int step,
    int bytes, int shift, int sub_x, int sub_y, int width, int height)
{
  int x = get_global_id (0), y = get_global_id (1);
  global const int *colours = table + first_colour;
  int value = colours[WHEEL_BLACK], is_known = 0;
  int2 motion = 0;

  if (x >= width || y >= height)
    return;
  if (columns > 0)
    is_known = find_flow (flow, columns, rows, field_shift, x << sub_x,
        y << sub_y, &motion);
  if (is_known != 0)
    value = get_value (table, colours, motion * (int2) (sign), range);
  put_sample (out, offset, stride, step, bytes, shift, x, y, value);
}
