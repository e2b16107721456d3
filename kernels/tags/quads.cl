/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Fits a quad to the boundary of each candidate, and tests its border. A work-group, or on processors a work-item,
 * processes a candidate. No result depends on the order of points. */
#include "tags/border.h"

/* Stores a point and its distance; the functions below define several distances. */
typedef struct
{
  long value;
  int2 at;
} Far;

/* Measures of the distance of a point: from a; from the line a b, in both directions; from the line
 * outside, where a b c is clockwise */
#define FROM_POINT 0
#define FROM_LINE 1
#define OUTSIDE 2

static long
cross_of (int2 a, int2 b, int2 p)
{
  return (long) (b.x - a.x) * (p.y - a.y) - (long) (b.y - a.y) * (p.x - a.x);
}

static bool
is_farther (Far a, Far b)
{
  return a.value > b.value || (a.value == b.value && (a.at.y < b.at.y
          || (a.at.y == b.at.y && a.at.x < b.at.x)));
}

/* Returns the farthest of @n points; of equal ones the first in the order of rows and columns.
 * @best: GROUP elements */
static __attribute__ ((always_inline)) Far
find_farthest (const global int2 * points, int n, int measure, int2 a, int2 b,
    SHARED Far * best)
{
  Far far = { -0x7fffffffffffffffL, (int2) (0) };

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
#if GROUP > 1
  best[LOCAL_ID] = far;
  SYNC
  for (int step = GROUP / 2; step > 0; step /= 2) {
    if (LOCAL_ID < step && is_farther (best[LOCAL_ID + step], best[LOCAL_ID]))
      best[LOCAL_ID] = best[LOCAL_ID + step];
    SYNC
  }
  far = best[0];
  SYNC
#endif
  return far;
}

/* The sums of the points near all four sides */
#define ALL_SUMS (4 * N_SUMS)

/* What the work-items of a candidate share */
typedef struct
{
  Far best[GROUP];
  long own[ALL_SUMS * GROUP], parts[ALL_SUMS * PARTS], totals[ALL_SUMS];
  Border border;
} Quads;

/* Adds up the first @n sums of all work-items. */
static __attribute__ ((always_inline)) void
add_sums (const long *own, int n, SHARED Quads * quads)
{
#if GROUP > 1
  for (int k = 0; k < n; k++)
    quads->own[k * GROUP + LOCAL_ID] = own[k];
  SYNC
  for (int k = LOCAL_ID; k < n * PARTS; k += GROUP) {
    SHARED const long *from = quads->own + k / PARTS * GROUP + k % PARTS;
    long sum = 0;

    for (int i = 0; i < GROUP; i += PARTS)
      sum += from[i];
    quads->parts[k] = sum;
  }
  SYNC
  for (int k = LOCAL_ID; k < n; k += GROUP) {
    long sum = 0;

    for (int i = 0; i < PARTS; i++)
      sum += quads->parts[k * PARTS + i];
    quads->totals[k] = sum;
  }
  SYNC
#else
  for (int k = 0; k < n; k++)
    quads->totals[k] = own[k];
#endif
}

/* Finds the corners of the greatest quad in the hull of the points, clockwise. Returns: whether
 * there are four */
static __attribute__ ((always_inline)) bool
find_corners (const global int2 * points, int n, int2 middle, int2 q[4],
    SHARED Far * best)
{
  int2 a = find_farthest (points, n, FROM_POINT, middle, middle, best).at;
  int2 c = find_farthest (points, n, FROM_POINT, a, a, best).at;
  int2 b = find_farthest (points, n, FROM_LINE, a, c, best).at;
  bool is_right = cross_of (a, c, b) > 0;
  int2 second = is_right ? c : b, third = is_right ? b : c;
  Far x = find_farthest (points, n, OUTSIDE, a, second, best);
  Far y = find_farthest (points, n, OUTSIDE, second, third, best);
  Far z = find_farthest (points, n, OUTSIDE, third, a, best);
  bool is_x = x.value >= y.value && x.value >= z.value;
  bool is_y = !is_x && y.value >= z.value;

  q[0] = a;
  q[1] = is_x ? x.at : second;
  q[2] = is_x ? second : is_y ? y.at : third;
  q[3] = is_x || is_y ? third : z.at;
  for (int i = 0; i < 8; i++)
    q[i & 3] = find_farthest (points, n, OUTSIDE, q[(i + 3) & 3],
        q[(i + 1) & 3], best).at;
  return max (max (x.value, y.value), z.value) > 0;
}

/* A side of a quad from (ax, ay) on, in units of 2^-10 pixel, with the direction (ux, uy) in units
 * of 2^-15. Points count up to the distance @limit, from @first to @last along the side. */
typedef struct
{
  int ax, ay, ux, uy, limit, first, last;
  float needed;                 /* number of points that a whole side has */
} Side;

static Side
find_side (float2 a, float2 b, int round)
{
  float dx = b.x - a.x, dy = b.y - a.y, l = root (dx * dx + dy * dy);
  float r = reciprocal (max (l, 0.001f)), fx, fy;
  float near = round == 0 ? max (1.5f, 0.12f * l)
      : round == 1 ? max (1.2f, 0.05f * l) : round == 2 ? 1.2f : 1.0f;
  float ends = min (0.15f * l, 3.0f);
  Side side;

  side.ux = to_int (dx * r * 32768.0f);
  side.uy = to_int (dy * r * 32768.0f);
  side.ax = to_int (a.x * 1024.0f);
  side.ay = to_int (a.y * 1024.0f);
  side.limit = to_int (near * 1024.0f);
  side.first = to_int (ends * 1024.0f);
  side.last = to_int ((l - ends) * 1024.0f);
  fx = convert_float_rte (side.ux) * 0.000030517578125f;
  fy = convert_float_rte (side.uy) * 0.000030517578125f;
  side.needed = (absolute (fx) + absolute (fy)) * (l - 2.0f * ends);
  return side;
}

/* Adds a point at @p, in units of 2^-10 pixel, to the sums of a side if it is near the side, but
 * not near its ends. */
static void
add_point (Side side, int2 p, long *sums)
{
  long x = (long) p.x - side.ax, y = (long) p.y - side.ay;
  long t = (x * side.ux + y * side.uy) >> 15;
  long d = (y * side.ux - x * side.uy) >> 15;

  if (t >= side.first && t <= side.last && d >= -side.limit && d <= side.limit) {
    t >>= 4;
    sums[SUM_N]++;
    sums[SUM_T] += t;
    sums[SUM_D] += d;
    sums[SUM_TT] += t * t;
    sums[SUM_TD] += t * d;
    sums[SUM_DD] += d * d;
  }
}

/* Returns the line through the points near a side. */
static Line
place_side (Side side, Fit fit)
{
  return place_line (fit, convert_float_rte (side.ax) * 0.0009765625f,
      convert_float_rte (side.ay) * 0.0009765625f,
      convert_float_rte (side.ux) * 0.000030517578125f,
      convert_float_rte (side.uy) * 0.000030517578125f, 1.0f);
}

/* Moves the corners to the crossings of lines through the points near the sides. (ox, oy): origin
 * of the corners, in pixels. Returns: whether there are enough points */
static __attribute__ ((always_inline)) bool
move_sides (const global int2 * points, int n, int ox, int oy, int round,
    float2 q[4], SHARED Quads * quads)
{
  Side sides[4];
  Line lines[4];
  long sums[ALL_SUMS] = { 0 };
  int all = 0;
  float all_needed = 0.0f;
  bool ok = true;
  float2 moved[4];

  for (int i = 0; i < 4; i++)
    sides[i] = find_side (q[i], q[(i + 1) & 3], round);
  for (int i = LOCAL_ID; i < n; i += GROUP) {
    int2 p = (points[i] - (int2) (32 * ox, 32 * oy)) << 5;

    for (int k = 0; k < 4; k++)
      add_point (sides[k], p, sums + N_SUMS * k);
  }
  add_sums (sums, ALL_SUMS, quads);
  for (int i = 0; i < 4; i++) {
    Fit fit = fit_line (quads->totals + N_SUMS * i);

    lines[i] = place_side (sides[i], fit);
    all += fit.n;
    all_needed = all_needed + sides[i].needed;
    ok = ok && fit.n >= 3
        && convert_float_rte (fit.n) >= 0.3f * sides[i].needed
        && (round < 3 || fit.error <= 367001.6f * convert_float_rte (fit.n));
  }
#if GROUP > 1
  SYNC
#endif
  ok = ok && convert_float_rte (all) >= 0.5f * all_needed;
  for (int i = 0; i < 4; i++)
    ok = cross_lines (lines[(i + 3) & 3], lines[i], &moved[i]) && ok;
  for (int i = 0; i < 4; i++)
    q[i] = moved[i];
  return ok && is_quad (q, 2.0f);
}

/* Returns whether the area of a component fits its quad. */
static bool
fits_area (const float2 q[4], float area)
{
  float sum = 0.0f;

  for (int i = 0; i < 4; i++)
    sum = sum + (q[i].x * q[(i + 1) & 3].y - q[(i + 1) & 3].x * q[i].y);
  sum = 0.5f * sum;
  return area >= 0.3f * sum && area <= 1.35f * sum + 8.0f;
}

static void
store_quad (global TagsQuad * to, const global Component * candidate, int scale,
    bool ok, int ox, int oy, const float2 q[4])
{
  to->is_quad = ok;
  to->map = candidate->map;
  to->root = candidate->label;
  to->is_white = candidate->is_white;
  for (int i = 0; i < 4; i++) {
    to->corners[2 * i] = store_corner (ok ? q[i].x * scale : 0.0f, ox * scale);
    to->corners[2 * i + 1] = store_corner (ok ? q[i].y * scale : 0.0f,
        oy * scale);
  }
}

/* Stops the work on a candidate that is not a quad. */
#define REFUSE_UNLESS(condition) do { \
    if (CAN_LEAVE && !(condition)) { \
      if (LOCAL_ID == 0) \
        quad->is_quad = 0; \
      return; \
    } \
  } while (0);

static __attribute__ ((always_inline)) void
fit_quad (const global TagsMap * pictures, const global Component * candidate,
    bool exists, const global int2 * points, Frame frame,
    const global int *borders, int n_borders, global TagsQuad * quad,
    SHARED Quads * quads)
{
  int n = exists ? candidate->cracks : 0, ox, oy;
  long sums[2] = { 0 };
  int2 middle, hull[4];
  float2 q[4];
  bool ok;

  points += exists ? candidate->first : 0;
  for (int i = LOCAL_ID; i < n; i += GROUP) {
    sums[0] += points[i].x;
    sums[1] += points[i].y;
  }
  add_sums (sums, 2, quads);
  middle = (int2) (quads->totals[0] / max (n, 1),
      quads->totals[1] / max (n, 1));
#if GROUP > 1
  SYNC
#endif
  ox = middle.x >> 5;
  oy = middle.y >> 5;
  ok = find_corners (points, n, middle, hull, quads->best) && exists;
  for (int i = 0; i < 4; i++) {
    q[i].x = convert_float_rte (hull[i].x - 32 * ox) * 0.03125f;
    q[i].y = convert_float_rte (hull[i].y - 32 * oy) * 0.03125f;
  }
  ok = ok && is_quad (q, 2.0f)
      && fits_area (q, convert_float_rte (candidate->area));
  REFUSE_UNLESS (ok)
  n = ok ? n : 0;
  for (int round = 0; round < 4; round++) {
    ok = move_sides (points, n, ox, oy, round, q, quads) && ok;
    REFUSE_UNLESS (ok)
    n = ok ? n : 0;
  }
  if (LOCAL_ID == 0 && exists)
    store_quad (quad, candidate, pictures[candidate->map].scale, ok, ox, oy, q);
#if GROUP > 1
  barrier (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
#endif
  test_border (frame, borders, n_borders, ok, quad, &quads->border);
}

kernel void
tags_quads (const global uchar * restrict pixels, int offset, int stride,
    int width, int height, const global TagsMap * restrict pictures,
    const global int *restrict borders, int n_borders,
    const global int *restrict listed, const global Component * restrict list,
    const global int2 * restrict points, global TagsQuad * restrict quads)
{
  const Frame frame = { pixels + offset, stride, width, height };
  int n = listed[COMPONENTS_LISTED];
  SHARED Quads shared;

#if GROUP == 1
  FOR_EACH (i, n)
    fit_quad (pictures, list + i, true, points, frame, borders, n_borders,
      quads + i, &shared);
#else
  int i = GROUP_ID;

  LEAVE_UNLESS (i < n);
  fit_quad (pictures, list + min (i, max (n - 1, 0)), i < n, points, frame,
      borders, n_borders, quads + i, &shared);
#endif
}
