/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Draws a field of flow as colors. The algorithm is described in docs/algorithms/flow.md. */
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

/* Returns the sector of the wheel that the vector v points to. The half of the wheel is known from
 * its sign, and there the last direction that is not beyond v is found by bisection. */
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

/* Returns the value of a component for the motion v. @colours: values of the component. @range: length of the
 * motion that has the full color. Both lengths are in units of 1/32 pixel. */
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

/* Work-item (x, y) writes sample (x, y) of a component of @out, which has width x height samples of
 * 2^sub_x x 2^sub_y pixels: the color of the flow of the first of these pixels, or black where it is
 * unknown. The field has columns x rows samples of 2^field_shift pixels; without samples, all is
 * unknown. @sign is -1 where flow points to the position before. */
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
