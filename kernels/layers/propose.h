/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Proposes candidates for a cell: finds motions next to the cell and in the last frame, and the
 * frames that show the positions to which these motions lead. */
#ifndef PROPOSE_H
#define PROPOSE_H

#include "layers/cost.h"

/* Sorts @n numbers. Returns the lower median. */
static int
find_median (int *x, int n)
{
  int i, k;

  for (i = 1; i < n; i++)
    for (k = i; k > 0 && x[k - 1] > x[k]; k--) {
      int swap = x[k];

      x[k] = x[k - 1];
      x[k - 1] = swap;
    }
  return x[(n - 1) / 2];
}

/* Finds the motion next to the hole: the median of the flow of 12 pixels beyond the first
 * visible pixel in the direction (ux, uy) from (x, y). Returns the motion in x and y; z is 0 if
 * there is no flow. @sign: 1 for flow to the previous frame, -1 for flow to the next frame. */
static int4
find_side (const Frame * f, global const short2 * flow,
    global const uchar * confidence, int shift, int columns, int sign, int x,
    int y, int ux, int uy)
{
  int xs[2][12], ys[2][12], n[2] = { 0, 0 }, t = 1, beyond, beside, good, c;
  int vx, vy;

  while (t <= REACH && !shows (f, f->number, x + t * ux, y + t * uy))
    t++;
  for (beyond = 2; beyond <= 6; beyond += 2)
    for (beside = -3; beside <= 3; beside += 2) {
      int u = x + (t + beyond) * ux + beside * uy;
      int v = y + (t + beyond) * uy + beside * ux, at;
      short2 motion;

      if (t > REACH || !shows (f, f->number, u, v))
        continue;
      at = (v >> shift) * columns + (u >> shift);
      motion = flow[at];
      for (c = 0; c <= (confidence[at] >= 128) && motion.x != SHRT_MIN; c++) {
        xs[c][n[c]] = sign * 8 * motion.x;
        ys[c][n[c]++] = sign * 8 * motion.y;
      }
    }
  good = n[1] >= 3;
  vx = find_median (xs[good], max (n[good], 1));
  vy = find_median (ys[good], max (n[good], 1));
  return (int4) (clamp (vx, -16384, 16384), clamp (vy, -16384, 16384),
      n[good] > 0, 0);
}

static int
is_near (int2 d)
{
  return abs (d.x) < 4096 && abs (d.y) < 4096;
}

/* Finds the nearest frame that shows the position of pixel (x, y) after a motion of @v per
 * frame: an earlier frame if @side is 1, a later frame if @side is -1. Returns a candidate
 * with this frame; its age is 0 if there is no such frame. */
static Candidate
find_frame (const Frame * f, int x, int y, int2 v, int side)
{
  Candidate found = { (short2) (0), convert_short2 (v), 0, 0, 0, 0 };
  int last = side > 0 ? f->oldest_age : f->newest_age, k;

  for (k = 1; k <= last && found.age == 0; k++) {
    int2 d = (side * k * v + 16) >> 5;

    if (is_near (d) && shows (f, f->number - side * k, x + ((d.x + 4) >> 3),
            y + ((d.y + 4) >> 3))) {
      found.age = side * k;
      found.d = convert_short2 (d);
    }
  }
  return found;
}

typedef struct
{
  Candidate all[MAX_PROPOSALS];
  int n;
} Proposals;

/* Adds a candidate to a list, unless the list has a candidate with the same age that is less than
 * 0.6 pixel away. */
static inline __attribute__ ((always_inline)) void
propose (local Proposals * list, Candidate c)
{
  int is_new = c.age != 0 && list->n < MAX_PROPOSALS, i;

  for (i = 0; i < list->n; i++)
    is_new &= list->all[i].age != c.age
        || abs (list->all[i].d.x - c.d.x) >= 5
        || abs (list->all[i].d.y - c.d.y) >= 5;
  if (is_new)
    list->all[list->n++] = c;
}

/* Returns the candidate of this frame that continues a candidate of the last frame, whose
 * content has moved by @v since then. */
static Candidate
continue_candidate (const Frame * f, Candidate c, int2 v)
{
  int2 d = convert_int2 (c.d) + ((v + 16) >> 5);
  int age = c.age + 1;
  int is_usable = c.age != 0 && age <= f->oldest_age
      && has (f, f->number - age) && is_near (d);

  c.age = is_usable ? age : 0;
  c.d = convert_short2 (d);
  c.v = convert_short2 (v);
  c.is_continued = 1;
  return c;
}

#endif
