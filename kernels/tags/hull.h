/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Finds the quadrilateral of largest area in the convex hull of the points of a candidate. */
#ifndef HULL_H
#define HULL_H

#include "tags/tags.h"

/* Stores a point and its distance; the functions below define several distances. */
typedef struct
{
  long value;
  int2 at;
} Far;

/* Kinds of distances of a point: from the point a; from the line a b, on both sides of it; from the
 * line a b, on its outer side (if a b c is clockwise) */
#define FROM_POINT 0
#define FROM_LINE 1
#define OUTSIDE 2

static long
cross_of (int2 a, int2 b, int2 p)
{
  return (long) (b.x - a.x) * (p.y - a.y) - (long) (b.y - a.y) * (p.x - a.x);
}

/* Initial value of a search for the farthest point: nearer than any point */
#define NO_POINT { -0x7fffffffffffffffL, (int2) (0) }

static bool
is_farther (Far a, Far b)
{
  return a.value > b.value || (a.value == b.value && (a.at.y < b.at.y
          || (a.at.y == b.at.y && a.at.x < b.at.x)));
}

/* Data that the work-items of a candidate share. Two searches need no barrier in between: no member
 * is written before the second barrier after it was read. */
typedef struct
{
  Far best[GROUP], parts[PARTS];
} Hull;

/* Returns the farthest of the points @own of all work-items. */
static __attribute__ ((always_inline)) Far
find_best (Far own, SHARED Hull * hull)
{
#if GROUP == 1
  return own;
#else
  Far far;

  hull->best[LOCAL_ID] = own;
  SYNC
  for (int k = LOCAL_ID; k < PARTS; k += GROUP) {
    Far part = hull->best[k];

    for (int i = k + PARTS; i < GROUP; i += PARTS)
      if (is_farther (hull->best[i], part))
        part = hull->best[i];
    hull->parts[k] = part;
  }
  SYNC
  far = hull->parts[0];
  for (int i = 1; i < PARTS; i++)
    if (is_farther (hull->parts[i], far))
      far = hull->parts[i];
  return far;
#endif
}

/* Returns the farthest of @n points; among equals, the first in the order of rows and columns. */
static __attribute__ ((always_inline)) Far
find_farthest (const global int2 * points, int n, int measure, int2 a, int2 b,
    SHARED Hull * hull)
{
  Far far = NO_POINT;

  for (int i = LOCAL_ID; i < n; i += GROUP) {
    Far p = { 0, points[i] };
    int2 d = p.at - a;

    if (measure == FROM_POINT)
      p.value = (long) d.x * d.x + (long) d.y * d.y;
    else {
      p.value = -cross_of (a, b, p.at);
      if (measure == FROM_LINE)
        p.value = (long) abs (p.value);
    }
    if (is_farther (p, far))
      far = p;
  }
  return find_best (far, hull);
}

/* Returns the point that is farthest outside a clockwise triangle. The compared value is 4 times
 * the distance, plus 2 minus the index of the side; of equally far points, the one at the first
 * side wins. */
static __attribute__ ((always_inline)) Far
find_outside (const global int2 * points, int n, int2 a, int2 b, int2 c,
    SHARED Hull * hull)
{
  Far far = NO_POINT;

  for (int i = LOCAL_ID; i < n; i += GROUP) {
    Far p = { 0, points[i] };
    long x = -cross_of (a, b, p.at), y = -cross_of (b, c, p.at);
    long z = -cross_of (c, a, p.at);

    p.value = max (max (4 * x + 2, 4 * y + 1), 4 * z);
    if (is_farther (p, far))
      far = p;
  }
  return find_best (far, hull);
}

/* Finds the corners of the quadrilateral of largest area in the convex hull of the points,
 * clockwise. Returns: whether there are four corners */
static __attribute__ ((always_inline)) bool
find_corners (const global int2 * points, int n, int2 middle, int2 q[4],
    SHARED Hull * hull)
{
  int2 a = find_farthest (points, n, FROM_POINT, middle, middle, hull).at;
  int2 c = find_farthest (points, n, FROM_POINT, a, a, hull).at;
  int2 b = find_farthest (points, n, FROM_LINE, a, c, hull).at;
  bool is_right = cross_of (a, c, b) > 0;
  int2 second = is_right ? c : b, third = is_right ? b : c;
  Far far = find_outside (points, n, a, second, third, hull);
  bool is_x = (far.value & 3) == 2, is_y = (far.value & 3) == 1;
  int2 q0 = a, q1 = is_x ? far.at : second;
  int2 q2 = is_x ? second : is_y ? far.at : third;
  int2 q3 = is_x || is_y ? third : far.at;
  int changed = 0;              /* bit i is set if corner qi is new */

  for (int i = 0; i < 8; i++) {
    int2 own = q0;

    /* Keeps a corner whose neighbors did not change. */
    if (!CAN_LEAVE || i < 4 || (changed & 10))
      own = find_farthest (points, n, OUTSIDE, q3, q1, hull).at;
    changed = changed >> 1 | (own.x != q0.x || own.y != q0.y) << 3;
    q0 = q1;
    q1 = q2;
    q2 = q3;
    q3 = own;
  }
  q[0] = q0;
  q[1] = q1;
  q[2] = q2;
  q[3] = q3;
  return far.value > 3;
}

#endif
