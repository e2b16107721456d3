/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Follows lines through an unknown pixel to the known pixels at their ends: see
 * docs/algorithms/inpaint.md. */
#ifndef LINES_H
#define LINES_H

#include "base/base-shared.h"

/* Cosines of multiples of 180 / LINES degrees, in units of 1 / 16 */
constant int cosines[LINES / 2 + 1] = { 16, 16, 15, 13, 11, 9, 6, 3, 0 };

/* Returns the pixel that is @t steps from (x, y) along the line @k, on the side @side, 1 or -1 */
static int2
get_place (int x, int y, int k, int t, int side)
{
  int dx = k <= LINES / 2 ? cosines[k] : -cosines[LINES - k];
  int dy = cosines[abs_diff (k, LINES / 2)];

  return (int2) (x + side * ((2 * t * dx + 16) >> 5),
      y + side * ((2 * t * dy + 16) >> 5));
}

/* Type of an element of a mask */
#ifndef LINES_MASK
#define LINES_MASK int
#endif

/* Returns the distance of the first known pixel along a line, at most @reach; 0 if there is
 * none. @shown: for each pixel, 0 if it is known */
static int
find_end (global const LINES_MASK * shown, int width, int height, int x, int y,
    int k, int side, int reach)
{
  int found = 0, t = 1, is_over = 0;

  while (!is_over) {
    int2 at = get_place (x, y, k, t, side);
    int is_inside = at.x >= 0 && at.y >= 0 && at.x < width && at.y < height;
    int is_known = is_inside && shown[is_inside ? at.y * width + at.x : 0] == 0;

    found = is_known ? t : 0;
    t++;
    is_over = !is_inside || is_known || t > reach;
  }
  return found;
}

/* Returns the weights of the colors at both ends of a line, which differ by @d levels. @end: the
 * distances of the ends, in steps; 0: there is no end. At least one is not 0. */
static uint2
weigh_ends (uint2 end, uint d)
{
  uint length = end.x + end.y, weight;
  int has_both = end.x > 0 && end.y > 0;

  if (has_both) {
    uint l = min (length, 4095u);

    weight = (uint) ((ulong) ((1u << 24) / (l * l))
        * (163840u / (10 + d)) >> 6);
    weight = max (weight / length, 1u);
    return (uint2) (weight * end.y, weight * end.x);
  }
  length = min (length, 2047u);
  weight = max (((1u << 22) / (length * length) * 328) >> 6, 1u);
  return (uint2) (end.x > 0 ? weight : 0, end.x > 0 ? 0 : weight);
}

#endif
