/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Fits a quad to the boundary of each candidate, and tests its border. A work-group (on CPUs
 * a work-item) processes a candidate. No result depends on the order of points. */
#include "tags/border.h"
#include "tags/hull.h"

/* Number of sums over the points near all four sides */
#define ALL_SUMS (4 * N_SUMS)

/* A side of a quad (quadrilateral). It begins at (ax, ay), in units of 2^-10 pixel, and has the
 * direction (ux, uy), in units of 2^-15. A point counts if its distance from the side is at most
 * @limit, and its position along the side is from @first to @last. */
typedef struct
{
  int ax, ay, ux, uy, limit, first, last;
  float needed;                 /* expected number of points of a complete side */
} Side;

/* Number of work-items that add up the points near a side, and step between their sums: no two sums
 * lie in the same bank of local memory */
#define SIDE_ITEMS (GROUP < 4 ? 1 : GROUP / 4)
#define OWN_STEP (ALL_SUMS + 1)

/* Data that the work-items of a candidate share. Data that all of them read at the end of a round
 * are written only after two barriers of the next round. */
typedef struct
{
  Hull hull;
  long own[SIDE_ITEMS * OWN_STEP], middle[2 * GROUP], middle_parts[2 * PARTS],
      totals[ALL_SUMS];
  float2 q[4];                  /* the corners */
  Side sides[4];
  Line lines[4];
  float needed[4];
  int n[4], fits[4], crosses[4];        /* for each side: number of points near it, whether they
                                         * determine a line, and whether this line crosses the line
                                         * before it */
  Border border;
} Quads;

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
  int x = p.x - side.ax, y = p.y - side.ay;
  int t = ((long) x * side.ux + (long) y * side.uy) >> 15;
  int d = ((long) y * side.ux - (long) x * side.uy) >> 15;

  if (t >= side.first && t <= side.last && d >= -side.limit && d <= side.limit) {
    t >>= 4;
    sums[SUM_N]++;
    sums[SUM_T] += t;
    sums[SUM_D] += d;
    sums[SUM_TT] += (long) t * t;
    sums[SUM_TD] += (long) t * d;
    sums[SUM_DD] += (long) d * d;
  }
}

/* Adds up the points near each side. */
static __attribute__ ((always_inline)) void
add_points (const global int2 * points, int n, int2 origin,
    SHARED Quads * quads)
{
  for (int s = LOCAL_ID / SIDE_ITEMS; s < 4; s += GROUP / SIDE_ITEMS) {
    int item = LOCAL_ID % SIDE_ITEMS;
    Side side = quads->sides[s];
    long sums[N_SUMS] = { 0 };

    for (int i = item; i < n; i += SIDE_ITEMS)
      add_point (side, (points[i] - origin) << 5, sums);
    for (int k = 0; k < N_SUMS; k++)
      quads->own[item * OWN_STEP + s * N_SUMS + k] = sums[k];
  }
  SYNC
  for (int k = LOCAL_ID; k < ALL_SUMS; k += GROUP) {
    long sum = 0;

    for (int i = 0; i < SIDE_ITEMS; i++)
      sum += quads->own[i * OWN_STEP + k];
    quads->totals[k] = sum;
  }
  SYNC
}

/* Finds the line through the points near side @i. */
static void
fit_side (SHARED Quads * quads, int i, int round)
{
  Side side = quads->sides[i];
  Fit fit = fit_line (quads->totals + N_SUMS * i);

  quads->lines[i] = place_line (fit, convert_float_rte (side.ax) * 0.0009765625f,
      convert_float_rte (side.ay) * 0.0009765625f,
      convert_float_rte (side.ux) * 0.000030517578125f,
      convert_float_rte (side.uy) * 0.000030517578125f, 1.0f);
  quads->n[i] = fit.n;
  quads->needed[i] = side.needed;
  quads->fits[i] = fit.n >= 3
      && convert_float_rte (fit.n) >= 0.3f * side.needed
      && (round < 3 || fit.error <= 367001.6f * convert_float_rte (fit.n));
}

/* Moves the corners of the quad to the intersections of the lines that are fitted to the points
 * near its sides. @origin: origin of the corners, in units of 1/32 pixel. Returns: whether there
 * are enough points */
static __attribute__ ((always_inline)) bool
move_sides (const global int2 * points, int n, int2 origin, int round,
    SHARED Quads * quads)
{
  int all = 0;
  float all_needed = 0.0f;
  bool ok = true;
  float2 q[4];

  for (int i = LOCAL_ID; i < 4; i += GROUP)
    quads->sides[i] = find_side (quads->q[i], quads->q[(i + 1) & 3], round);
  SYNC
  add_points (points, n, origin, quads);
  for (int i = LOCAL_ID; i < 4; i += GROUP)
    fit_side (quads, i, round);
  SYNC
  for (int i = LOCAL_ID; i < 4; i += GROUP) {
    float2 corner;

    quads->crosses[i] = cross_lines (quads->lines[(i + 3) & 3],
        quads->lines[i], &corner);
    quads->q[i] = corner;
  }
  SYNC
  for (int i = 0; i < 4; i++) {
    q[i] = quads->q[i];
    all += quads->n[i];
    all_needed = all_needed + quads->needed[i];
    ok = ok && quads->fits[i] && quads->crosses[i];
  }
  return ok && convert_float_rte (all) >= 0.5f * all_needed
      && is_quad (q, 2.0f);
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

/* Returns the centroid of the points of a candidate. */
static __attribute__ ((always_inline)) int2
find_middle (const global int2 * points, int n, SHARED Quads * quads)
{
  long x = 0, y = 0;

  for (int i = LOCAL_ID; i < n; i += GROUP) {
    x += points[i].x;
    y += points[i].y;
  }
#if GROUP > 1
  quads->middle[2 * LOCAL_ID] = x;
  quads->middle[2 * LOCAL_ID + 1] = y;
  SYNC
  for (int k = LOCAL_ID; k < 2 * PARTS; k += GROUP) {
    long sum = 0;

    for (int i = k; i < 2 * GROUP; i += 2 * PARTS)
      sum += quads->middle[i];
    quads->middle_parts[k] = sum;
  }
  SYNC
  x = y = 0;
  for (int i = 0; i < PARTS; i++) {
    x += quads->middle_parts[2 * i];
    y += quads->middle_parts[2 * i + 1];
  }
#endif
  return (int2) (x / max (n, 1), y / max (n, 1));
}

static __attribute__ ((always_inline)) void
fit_quad (const global TagsMap * pictures, const global Component * candidate,
    bool exists, const global int2 * points, Frame frame,
    const global int *borders, int n_borders, global TagsQuad * quad,
    SHARED Quads * quads)
{
  int n = exists ? candidate->cracks : 0;
  int2 middle, origin, hull[4];
  float2 q[4];
  bool ok;

  points += exists ? candidate->first : 0;
  middle = find_middle (points, n, quads);
  origin = middle >> 5 << 5;
  ok = find_corners (points, n, middle, hull, &quads->hull) && exists;
  for (int i = 0; i < 4; i++) {
    q[i].x = convert_float_rte (hull[i].x - origin.x) * 0.03125f;
    q[i].y = convert_float_rte (hull[i].y - origin.y) * 0.03125f;
  }
  ok = ok && is_quad (q, 2.0f)
      && fits_area (q, convert_float_rte (candidate->area));
  REFUSE_UNLESS (ok)
  if (LOCAL_ID == 0)
    for (int i = 0; i < 4; i++)
      quads->q[i] = q[i];
  SYNC
  n = ok ? n : 0;
  for (int round = 0; round < 4; round++) {
    ok = move_sides (points, n, origin, round, quads) && ok;
    REFUSE_UNLESS (ok)
    n = ok ? n : 0;
  }
  for (int i = 0; i < 4; i++)
    q[i] = quads->q[i];
  if (LOCAL_ID == 0 && exists)
    store_quad (quad, candidate, pictures[candidate->map].scale, ok,
        origin.x >> 5, origin.y >> 5, q);
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
