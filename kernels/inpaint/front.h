/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* The front: what decides about where the next patch is filled. */
#ifndef INPAINT_FRONT_H
#define INPAINT_FRONT_H

#include "inpaint/inpaint.h"
#include "base/pixels.h"

/* A pixel that was known from the start, Q16. */
#define KNOWN 65536u

/* Of a pixel that is not on the front; others have their priority + 1. */
#define NO_PRIORITY 0u

typedef struct
{
  global word *work;
  global uchar *grey;
  global uchar *unknown;      /* now */
  global uint *confidence;    /* 0: unknown */
  global uint *gradient;      /* squared length; 0 next to unknown pixels */
  global uint *priority;
  global int *origin;         /* where a filled pixel is from; others: -1 */
  global int *filler;         /* the target whose patch filled it; others: -1 */
  int plane, width, height, radius;
} Frame;

/* The nearest pixel of the frame. */
static int
find_nearest (const Frame * f, int x, int y)
{
  return min (max (y, 0), f->height - 1) * f->width
      + min (max (x, 0), f->width - 1);
}

/* Of the unknown part of the frame, which ends at its edges. Neither this nor what
 * asks for it branches: graphics cards then do not wait for one read before the
 * next. */
static int
is_unknown_inside (const Frame * f, int x, int y)
{
  int inside = (x >= 0) & (y >= 0) & (x < f->width) & (y < f->height);

  return inside & f->unknown[find_nearest (f, x, y)];
}

static int
is_known (const Frame * f, int x, int y)
{
  int inside = (x >= 0) & (y >= 0) & (x < f->width) & (y < f->height);

  return inside & !f->unknown[find_nearest (f, x, y)];
}

/* Of a pixel of the frame. 0 where a neighbour is unknown. */
static int2
find_gradient (const Frame * f, int x, int y)
{
  int inside = (x > 0) & (y > 0) & (x + 1 < f->width) & (y + 1 < f->height);
  int i = y * f->width + x, row = inside ? f->width : 0;
  int is_unknown = f->unknown[i - inside] | f->unknown[i + inside]
      | f->unknown[i - row] | f->unknown[i + row];
  int2 g = (int2) ((int) f->grey[i + inside] - (int) f->grey[i - inside],
      (int) f->grey[i + row] - (int) f->grey[i - row]);

  return is_unknown ? (int2) (0) : g;
}

static uint
find_length (const Frame * f, int x, int y)
{
  int2 g = find_gradient (f, x, y);

  return (uint) (g.x * g.x + g.y * g.y);
}

/* The part of the square around (x, y) that is in the frame. */
static int4
find_square (const Frame * f, int x, int y, int radius)
{
  return (int4) (max (x - radius, 0), max (y - radius, 0),
      min (x + radius + 1, f->width), min (y + radius + 1, f->height));
}

/* Of a pixel of the frame. */
static int
is_front (const Frame * f, int x, int y)
{
#if LANES == 16
  /* As are most. */
  if (!f->unknown[y * f->width + x])
    return 0;
#endif
  return is_unknown_inside (f, x, y)
      & (is_known (f, x - 1, y) | is_known (f, x + 1, y)
      | is_known (f, x, y - 1) | is_known (f, x, y + 1));
}

/* The squared length of a gradient above its place in the patch, so that of the
 * largest the first one is the largest. */
#define MAX_ORDER 2047u
#define STEEPNESS(length, order) ((length) << 11 | (MAX_ORDER - (order)))
#define ORDER(steepness) (MAX_ORDER - ((steepness) & MAX_ORDER))

/* How strongly the gradient in pixel at runs into the front. */
static uint
find_data (const Frame * f, int x, int y, int at)
{
  int nx = is_unknown_inside (f, x + 1, y) - is_unknown_inside (f, x - 1, y);
  int ny = is_unknown_inside (f, x, y + 1) - is_unknown_inside (f, x, y - 1);
  int2 g = find_gradient (f, at % f->width, at / f->width);
  uint data = abs (g.x * ny - g.y * nx)
      * (nx != 0 && ny != 0 ? 23170u : 32768u) >> 15;

  return max (data, 1u);
}

/* Of a pixel of the front, whose patch has these sums of confidence and area,
 * and this largest steepness. */
static uint
find_priority (const Frame * f, int x, int y, uint confidence, uint area,
    uint steepest)
{
  int size = 2 * f->radius + 1, order = (int) ORDER (steepest);
  int at = (y + order / size - f->radius) * f->width + x + order % size
      - f->radius;

  /* Where all is flat, it is so here, too. */
  if (steepest <= MAX_ORDER)
    at = y * f->width + x;
  return confidence / area * find_data (f, x, y, at) + 1;
}

/* Adds up every stepth row of the patch around (x, y). */
static void
look_at_rows (const Frame * f, int x, int y, int first, int step,
    uint * confidence, uint * steepest)
{
  int4 patch = find_square (f, x, y, f->radius);
  int size = 2 * f->radius + 1, u, v;
  uint sum = 0, most = 0;

  for (v = patch.s1 + first; v < patch.s3; v += step) {
    for (u = patch.s0; u < patch.s2; u++) {
      int i = v * f->width + u;
      uint order = (uint) ((v - y + f->radius) * size + u - x + f->radius);

      sum += f->confidence[i];
      most = max (most, STEEPNESS (f->gradient[i], order));
    }
  }
  *confidence = sum;
  *steepest = most;
}

static uint
find_area (const Frame * f, int x, int y)
{
  int4 patch = find_square (f, x, y, f->radius);

  return (uint) ((patch.s2 - patch.s0) * (patch.s3 - patch.s1));
}

static void
update_priority (const Frame * f, int x, int y)
{
  uint confidence, steepest;

  f->priority[y * f->width + x] = NO_PRIORITY;
  if (!is_front (f, x, y))
    return;
  look_at_rows (f, x, y, 0, 1, &confidence, &steepest);
  f->priority[y * f->width + x] = find_priority (f, x, y, confidence,
      find_area (f, x, y), steepest);
}

#define FRAME { work, grey, unknown, confidence, gradient, priority, origin, \
    filler, plane, width, height, radius }
#define FRAME_ARGUMENTS global word * work, global uchar * grey, \
    global uchar * unknown, global uint * confidence, \
    global uint * gradient, global uint * priority, global int *origin, \
    global int *filler, int plane, int width, int height, int radius

/* ---- Segments -----------------------------------------------------------------
 *
 * The rows of a lane's box in pieces of SEGMENT pixels, each with the key of its
 * first pixel of highest priority: the higher half of a key is the less the
 * higher the priority. */

#define NO_TARGET(key) ((uint) ((key) >> 32) == ~NO_PRIORITY)

static int
count_segments (int4 lane)
{
  return (lane.s2 - lane.s0 + SEGMENT - 1) / SEGMENT;
}

/* segments: those of the lane. */
static void
update_segment (const Frame * f, int4 lane, global ulong * segments, int n,
    int y)
{
  int x0 = lane.s0 + n * SEGMENT, x1 = min (x0 + SEGMENT, lane.s2), x;
  global const uint *row = f->priority + y * f->width;
  uint highest = NO_PRIORITY;
  int at = x0;

#if LANES == 16
  if (x1 - x0 == SEGMENT) {
    uint16 v = LOAD_LOOSE (loose_uint16, row + x0);
    uint8 a = max (v.lo, v.hi);
    uint4 b = max (a.lo, a.hi);

    highest = max (max (b.x, b.y), max (b.z, b.w));
    for (x = x0; row[x] != highest; x++);
    at = x;
  } else
#endif
    /* As often each time, the last one again and again: so it is written out. */
    for (x = 0; x < SEGMENT; x++) {
      int here = min (x0 + x, x1 - 1);
      uint priority = row[here];

      at = priority > highest ? here : at;
      highest = max (priority, highest);
    }
  segments[(y - lane.s1) * count_segments (lane) + n] =
      (ulong) ~highest << 32 | (uint) (y * f->width + at);
}

#endif
