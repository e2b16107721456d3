/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Fits a quad to the boundary of each candidate. A work-group, or on processors a work-item,
 * processes a candidate. No result depends on the order of points. */
#include "tags/tags.h"

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

/* Adds up the sums of all work-items. @parts: N_SUMS x GROUP; @totals: N_SUMS */
static __attribute__ ((always_inline)) void
add_sums (const long *own, SHARED long *parts, SHARED long *totals)
{
#if GROUP > 1
  for (int k = 0; k < N_SUMS; k++)
    parts[k * GROUP + LOCAL_ID] = own[k];
  SYNC
  for (int k = LOCAL_ID; k < N_SUMS; k += GROUP) {
    long sum = 0;

    for (int i = 0; i < GROUP; i++)
      sum += parts[k * GROUP + i];
    totals[k] = sum;
  }
  SYNC
#else
  for (int k = 0; k < N_SUMS; k++)
    totals[k] = own[k];
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

/* Sums the points near a side from @a to @b, but not near its ends. *needed: number of points that
 * a whole side has. (ox, oy): origin of @a and @b, in pixels */
static __attribute__ ((always_inline)) Line
find_side (const global int2 * points, int n, int ox, int oy, float2 a,
    float2 b, int round, int *found, float *needed, float *error,
    SHARED long *parts, SHARED long *totals)
{
  float dx = b.x - a.x, dy = b.y - a.y, l = root (dx * dx + dy * dy);
  float r = reciprocal (max (l, 0.001f));
  int ux = to_int (dx * r * 32768.0f), uy = to_int (dy * r * 32768.0f);
  float near = round == 0 ? max (1.5f, 0.12f * l)
      : round == 1 ? max (1.2f, 0.05f * l) : round == 2 ? 1.2f : 1.0f;
  float ends = min (0.15f * l, 3.0f);
  int ax = to_int (a.x * 1024.0f), ay = to_int (a.y * 1024.0f);
  int limit = to_int (near * 1024.0f), first = to_int (ends * 1024.0f);
  int last = to_int ((l - ends) * 1024.0f);
  long sums[N_SUMS] = { 0 };
  float fx = convert_float_rte (ux) * 0.000030517578125f;
  float fy = convert_float_rte (uy) * 0.000030517578125f;
  Fit fit;

  for (int i = LOCAL_ID; i < n; i += GROUP) {
    int2 p = points[i];
    long x = ((long) (p.x - 32 * ox) << 5) - ax;
    long y = ((long) (p.y - 32 * oy) << 5) - ay;
    long t = (x * ux + y * uy) >> 15, d = (y * ux - x * uy) >> 15;

    if (t >= first && t <= last && d >= -limit && d <= limit) {
      t >>= 4;
      sums[SUM_N]++;
      sums[SUM_T] += t;
      sums[SUM_D] += d;
      sums[SUM_TT] += t * t;
      sums[SUM_TD] += t * d;
      sums[SUM_DD] += d * d;
    }
  }
  add_sums (sums, parts, totals);
  fit = fit_line (totals);
  *found = fit.n;
  *needed = (absolute (fx) + absolute (fy)) * (l - 2.0f * ends);
  *error = fit.error;
  return place_line (fit, convert_float_rte (ax) * 0.0009765625f,
      convert_float_rte (ay) * 0.0009765625f, fx, fy, 1.0f);
}

/* Moves the corners to the crossings of lines through the points near the sides. Returns: whether
 * there are enough points */
static __attribute__ ((always_inline)) bool
move_sides (const global int2 * points, int n, int ox, int oy, int round,
    float2 q[4], SHARED long *parts, SHARED long *totals)
{
  Line lines[4];
  int all = 0;
  float all_needed = 0.0f;
  bool ok = true;
  float2 moved[4];

  for (int i = 0; i < 4; i++) {
    int found;
    float needed, error;

    lines[i] = find_side (points, n, ox, oy, q[i], q[(i + 1) & 3], round,
        &found, &needed, &error, parts, totals);
    all += found;
    all_needed = all_needed + needed;
    ok = ok && found >= 3
        && convert_float_rte (found) >= 0.3f * needed
        && (round < 3 || error <= 367001.6f * convert_float_rte (found));
#if GROUP > 1
    SYNC
#endif
  }
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

static __attribute__ ((always_inline)) void
fit_quad (const global TagsMap * pictures, const global Component * candidate,
    bool exists, const global int2 * points, global TagsQuad * quad,
    SHARED Far * best, SHARED long *parts, SHARED long *totals)
{
  int n = exists ? candidate->cracks : 0, ox, oy;
  long sums[N_SUMS] = { 0 };
  int2 middle, hull[4];
  float2 q[4];
  bool ok;

  points += exists ? candidate->first : 0;
  for (int i = LOCAL_ID; i < n; i += GROUP) {
    sums[0] += points[i].x;
    sums[1] += points[i].y;
  }
  add_sums (sums, parts, totals);
  middle = (int2) (totals[0] / max (n, 1), totals[1] / max (n, 1));
#if GROUP > 1
  SYNC
#endif
  ox = middle.x >> 5;
  oy = middle.y >> 5;
  ok = find_corners (points, n, middle, hull, best) && exists;
  for (int i = 0; i < 4; i++) {
    q[i].x = convert_float_rte (hull[i].x - 32 * ox) * 0.03125f;
    q[i].y = convert_float_rte (hull[i].y - 32 * oy) * 0.03125f;
  }
  ok = ok && is_quad (q, 2.0f)
      && fits_area (q, convert_float_rte (candidate->area));
#if GROUP == 1
  if (!ok) {
    quad->is_quad = 0;
    return;
  }
#endif
  n = ok ? n : 0;
  for (int round = 0; round < 4; round++) {
    ok = move_sides (points, n, ox, oy, round, q, parts, totals) && ok;
#if GROUP == 1
    if (!ok) {
      quad->is_quad = 0;
      return;
    }
#endif
    n = ok ? n : 0;
  }
  if (LOCAL_ID == 0 && exists)
    store_quad (quad, candidate, pictures[candidate->map].scale, ok, ox, oy, q);
}

kernel void
tags_quads (const global TagsMap * restrict pictures,
    const global int *restrict listed, const global Component * restrict list,
    const global int2 * restrict points, global TagsQuad * restrict quads)
{
  int n = listed[COMPONENTS_LISTED];
  SHARED Far best[GROUP];
  SHARED long parts[N_SUMS * GROUP], totals[N_SUMS];

#if GROUP == 1
  FOR_EACH (i, n)
    fit_quad (pictures, list + i, true, points, quads + i, best, parts, totals);
#else
  int i = GROUP_ID;

  LEAVE_UNLESS (i < n)
  fit_quad (pictures, list + min (i, max (n - 1, 0)), i < n, points, quads + i,
      best, parts, totals);
#endif
}
