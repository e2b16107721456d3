/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reference implementation of tag detection: fits a quad to the boundary of a component. */
#include "tags-private.h"

#include <string.h>

int
ref_tags_sample (const RefGray * grey, int x, int y)
{
  int u = ref_clamp (x, 0, (grey->width - 1) * 1024), i = u / 1024, a =
      u % 1024;
  int v = ref_clamp (y, 0, (grey->height - 1) * 1024), j = v / 1024, b =
      v % 1024;
  int right = i + 1 < grey->width ? i + 1 : i;
  int below = j + 1 < grey->height ? j + 1 : j;
  const uint8_t *p = grey->data + (size_t) j * grey->width;
  const uint8_t *q = grey->data + (size_t) below * grey->width;

  return ((p[i] * (1024 - a) + p[right] * a) * (1024 - b)
      + (q[i] * (1024 - a) + q[right] * a) * b) >> 8;
}

int
ref_tags_is_quad (const Point q[4], float least)
{
  for (int i = 0; i < 4; i++) {
    Point a = q[i], b = q[(i + 1) % 4], c = q[(i + 2) % 4];
    float ux = b.x - a.x, uy = b.y - a.y, vx = c.x - b.x, vy = c.y - b.y;
    float uu = ux * ux + uy * uy, vv = vx * vx + vy * vy;
    float dot = ux * vx + uy * vy;

    if (!(uu >= least * least) || !(ux * vy - uy * vx > 0)
        || !(dot * dot <= 0.970225f * uu * vv))
      return 0;
    if (!(a.x > -20000 && a.x < 20000 && a.y > -20000 && a.y < 20000))
      return 0;
  }
  return 1;
}

int
ref_tags_cross (Line a, Line b, Point * p)
{
  float d = a.nx * b.ny - a.ny * b.nx, r;

  if (!(d > 0.001f || d < -0.001f))
    return 0;
  r = inverse (d);
  p->x = (a.c * b.ny - b.c * a.ny) * r;
  p->y = (a.nx * b.c - b.nx * a.c) * r;
  return 1;
}

Fit
ref_tags_fit (const Sums * sums)
{
  int64_t n = sums->n > 0 ? sums->n : 1, t = sums->t / n, d = sums->d / n;
  int64_t tt = sums->tt - 2 * t * sums->t + n * t * t;
  int64_t td = sums->td - t * sums->d - d * sums->t + n * t * d;
  int64_t dd = sums->dd - 2 * d * sums->d + n * d * d;
  Fit fit = { sums->n, t, d, 0, 0 };

  fit.slope = (float) td *ref_reciprocal (tt > 0 ? tt : 1);
  fit.error = (float) dd - fit.slope * (float) td;
  return fit;
}

Line
ref_tags_place (Fit fit, Point start, Point u, float sign)
{
  float vx = -u.y * sign, vy = u.x * sign, slope = fit.slope * 0.0625f;
  float t = fit.t0 / 64.0f, d = fit.d0 / 1024.0f;
  Line line = { vx - slope * u.x, vy - slope * u.y, 0 };

  line.c = line.nx * (start.x + t * u.x + d * vx)
      + line.ny * (start.y + t * u.y + d * vy);
  return line;
}

/* Returns twice the signed area of the triangle @a, @b, @p: positive if @p is on the right of the
 * line from @a to @b, in an image with y downwards. */
static int64_t
cross (Crossing a, Crossing b, Crossing p)
{
  return (int64_t) (b.x - a.x) * (p.y - a.y)
      - (int64_t) (b.y - a.y) * (p.x - a.x);
}

static int64_t
distance (Crossing a, Crossing b)
{
  int64_t x = b.x - a.x, y = b.y - a.y;

  return x * x + y * y;
}

typedef enum
{
  FROM_POINT,
  FROM_LINE,
  OUTSIDE
} Measure;

static int64_t
measure_point (Measure measure, Crossing a, Crossing b, Crossing p)
{
  int64_t side = cross (a, b, p);

  return measure == FROM_POINT ? distance (a, p) : measure == OUTSIDE ? -side
      : side < 0 ? -side : side;
}

/* Finds the farthest point; of equally far points, the first in the order of rows and columns. */
static Crossing
find_farthest (const Crossing * points, int n, Measure measure, Crossing a,
    Crossing b, int64_t * value)
{
  int best = 0;

  for (int i = 0; i < n; i++) {
    int64_t v = measure_point (measure, a, b, points[i]);

    if (i == 0 || v > *value || (v == *value && (points[i].y < points[best].y
                || (points[i].y == points[best].y
                    && points[i].x < points[best].x)))) {
      *value = v;
      best = i;
    }
  }
  return points[best];
}

static int
find_hull (const Crossing * points, int n, Crossing middle, Crossing q[4])
{
  int64_t v, top = 0;
  Crossing triangle[3], added = { 0, 0 };
  int after = -1, k = 0;

  triangle[0] = find_farthest (points, n, FROM_POINT, middle, middle, &v);
  triangle[2] = find_farthest (points, n, FROM_POINT, triangle[0], triangle[0],
      &v);
  triangle[1] = find_farthest (points, n, FROM_LINE, triangle[0], triangle[2],
      &v);
  if (cross (triangle[0], triangle[2], triangle[1]) > 0) {
    Crossing t = triangle[1];

    triangle[1] = triangle[2];
    triangle[2] = t;
  }
  for (int i = 0; i < 3; i++) {
    Crossing p = find_farthest (points, n, OUTSIDE, triangle[i],
        triangle[(i + 1) % 3], &v);

    if (v > top) {
      top = v;
      after = i;
      added = p;
    }
  }
  if (after < 0)
    return 0;
  for (int i = 0; i < 3; i++) {
    q[k++] = triangle[i];
    if (i == after)
      q[k++] = added;
  }
  for (int i = 0; i < 8; i++)
    q[i % 4] = find_farthest (points, n, OUTSIDE, q[(i + 3) % 4],
        q[(i + 1) % 4], &v);
  return 1;
}

/* Fits a line to the points near the side from @a to @b. Returns: whether there are enough
 * points */
static int
find_side (const Crossing * points, int n, int ox, int oy, Point a, Point b,
    int round, Line * line, int *all, float *all_needed)
{
  static const float least[] = { 1.5f, 1.2f, 1.2f, 1.0f };
  static const float share[] = { 0.12f, 0.05f, 0, 0 };
  float l = length_of (a, b), r = ref_reciprocal (larger (l, 0.001f));
  float near = larger (least[round], share[round] * l);
  float ends = smaller (0.15f * l, 3), needed;
  int ux = round_int ((b.x - a.x) * r * 32768);
  int uy = round_int ((b.y - a.y) * r * 32768);
  int ax = round_int (a.x * 1024), ay = round_int (a.y * 1024);
  int limit = round_int (near * 1024), first = round_int (ends * 1024);
  int last = round_int ((l - ends) * 1024);
  Point u = { ux / 32768.0f, uy / 32768.0f };
  Sums sums = { 0 };
  Fit fit;

  for (int i = 0; i < n; i++) {
    int64_t x = (int64_t) (points[i].x - 32 * ox) * 32 - ax;
    int64_t y = (int64_t) (points[i].y - 32 * oy) * 32 - ay;
    int64_t t = (x * ux + y * uy) >> 15, d = (y * ux - x * uy) >> 15;

    if (t < first || t > last || d < -limit || d > limit)
      continue;
    t >>= 4;
    sums.n++;
    sums.t += t;
    sums.d += d;
    sums.tt += t * t;
    sums.td += t * d;
    sums.dd += d * d;
  }
  fit = ref_tags_fit (&sums);
  *line = ref_tags_place (fit, (Point) {
      ax / 1024.0f, ay / 1024.0f}
      , u, 1);
  needed = (fabsf (u.x) + fabsf (u.y)) * (l - 2 * ends);
  *all += fit.n;
  *all_needed = *all_needed + needed;
  return fit.n >= 3 && (float) fit.n >= 0.3f * needed
      && (round < 3 || fit.error <= 367001.6f * (float) fit.n);
}

static int
move_sides (const Crossing * points, int n, int ox, int oy, int round,
    Point q[4])
{
  Line lines[4];
  int all = 0;
  float all_needed = 0;

  for (int i = 0; i < 4; i++)
    if (!find_side (points, n, ox, oy, q[i], q[(i + 1) % 4], round, &lines[i],
            &all, &all_needed))
      return 0;
  if (!((float) all >= 0.5f * all_needed))
    return 0;
  for (int i = 0; i < 4; i++)
    if (!ref_tags_cross (lines[(i + 3) % 4], lines[i], &q[i]))
      return 0;
  return ref_tags_is_quad (q, 2);
}

int
ref_tags_quad (const Crossing * points, int n, int area, Quad * quad)
{
  int64_t x = 0, y = 0;
  Crossing middle, hull[4];
  Point q[4];
  int ox, oy;
  float inside = 0;

  for (int i = 0; i < n; i++) {
    x += points[i].x;
    y += points[i].y;
  }
  middle = (Crossing) {
  x / n, y / n};
  ox = middle.x / 32;
  oy = middle.y / 32;
  if (!find_hull (points, n, middle, hull))
    return 0;
  for (int i = 0; i < 4; i++)
    q[i] = (Point) {
    (hull[i].x - 32 * ox) / 32.0f, (hull[i].y - 32 * oy) / 32.0f};
  for (int i = 0; i < 4; i++)
    inside = inside + (q[i].x * q[(i + 1) % 4].y - q[(i + 1) % 4].x * q[i].y);
  inside = 0.5f * inside;
  if (!ref_tags_is_quad (q, 2) || !((float) area >= 0.3f * inside)
      || !((float) area <= 1.35f * inside + 8))
    return 0;
  for (int round = 0; round < 4; round++)
    if (!move_sides (points, n, ox, oy, round, q))
      return 0;
  for (int i = 0; i < 4; i++) {
    quad->corners[2 * i] = store (q[i].x * quad->scale, ox * quad->scale);
    quad->corners[2 * i + 1] = store (q[i].y * quad->scale, oy * quad->scale);
  }
  return 1;
}
