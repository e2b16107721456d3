/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Code that the kernels which find and read tags share. */
#ifndef TAGS_H
#define TAGS_H

/* Number of work-items that process a candidate, a quad or a tag, a power of two */
#ifndef GROUP
#define GROUP 1
#endif

#define LANES 1

#include "base/math.h"
#include "base/components-shared.h"
#include "tags/tags-private.h"
#include "tags/tags-shared.h"

/* GROUP_ID is the index of the work-group, LOCAL_ID the index of the work-item in it. If GROUP is
 * 1, as on CPUs, each work-item is a group of its own. FOR_EACH then distributes the elements of a
 * list among the work-items: of N work-items, each processes every N-th element. */
#if GROUP == 1
#define GROUP_ID ((int) get_global_id (0))
#define LOCAL_ID 0
#define SYNC
#define SHARED
#define FOR_EACH(i, n) \
    for (int i = GROUP_ID; i < (n); i += (int) get_global_size (0))
#else
#define GROUP_ID ((int) get_group_id (0))
#define LOCAL_ID ((int) get_local_id (0))
#define SYNC barrier (CLK_LOCAL_MEM_FENCE);
#define SHARED local
#endif

/* Whether a work-group may end, or omit barriers, if all of its work-items know that nothing is
 * left to do; most work-groups of a launch have nothing. Disabled for PoCL: compiled by PoCL 3.1,
 * other work-groups then gave wrong results. */
#if GROUP > 1 && defined(POCL_DEVICE_ADDRESS_BITS)
#define CAN_LEAVE 0
#else
#define CAN_LEAVE 1
#endif
#define LEAVE_UNLESS(condition) do { \
    if (CAN_LEAVE && !(condition)) \
      return; \
  } while (0)

/* Atomic operations on an int that the work-items of a group share: add, set bits, and minimum. */
#if GROUP == 1
#define ADD_SHARED(p, value) (*(p) += (value))
#define OR_SHARED(p, value) (*(p) |= (value))
#define MIN_SHARED(p, value) (*(p) = min (*(p), value))
#else
#define ADD_SHARED(p, value) atomic_add (p, value)
#define OR_SHARED(p, value) atomic_or (p, value)
#define MIN_SHARED(p, value) atomic_min (p, value)
#endif

/* Number of partial sums, each of which a different work-item computes */
#define PARTS (GROUP < 8 ? 1 : 8)

/* Replaces @sum by its total in all preceding work-items of the group. @sums: GROUP elements.
 * Returns: the total of all */
static __attribute__ ((always_inline)) int
sum_before (SHARED int *sums, int *sum)
{
#if GROUP == 1
  int all = *sum;

  *sum = 0;
  return all;
#else
  int own = *sum;

  sums[LOCAL_ID] = own;
  SYNC
  for (int step = 1; step < GROUP; step *= 2) {
    int before = LOCAL_ID >= step ? sums[LOCAL_ID - step] : 0;

    SYNC
    sums[LOCAL_ID] += before;
    SYNC
  }
  *sum = sums[LOCAL_ID] - own;
  return sums[GROUP - 1];
#endif
}

/* A frame of 8-bit gray pixels */
typedef struct
{
  const global uchar *pixels;
  int stride, width, height;
} Frame;

/* Number of fraction bits of the positions of samples */
#define POSITION_BITS 10

/* Returns the sample of the frame at (x, y), interpolated bilinearly, in units of 2^-12 gray
 * level. Coordinates are in units of 2^-10 pixel; the center of the first pixel is at (0, 0).
 * Beyond the edges, the nearest pixel is repeated. */
static int
sample_at (Frame frame, int x, int y)
{
  int last_x = (frame.width - 1) << POSITION_BITS;
  int last_y = (frame.height - 1) << POSITION_BITS;
  int u = clamp (x, 0, last_x), v = clamp (y, 0, last_y);
  int a = u & ((1 << POSITION_BITS) - 1), b = v & ((1 << POSITION_BITS) - 1);
  const global uchar *p = frame.pixels
      + (size_t) (v >> POSITION_BITS) * frame.stride + (u >> POSITION_BITS);
  /* Reads the last column or row twice at the edge: the weight of the next one is 0 there. */
  int right = u < last_x ? 1 : 0, below = v < last_y ? frame.stride : 0;
  int top = (p[0] << POSITION_BITS) + (p[right] - p[0]) * a;
  int bottom = (p[below] << POSITION_BITS)
      + (p[below + right] - p[below]) * a;

  return ((top << POSITION_BITS) + (bottom - top) * b) >> 8;
}

static float
inverse (float x)
{
  return x < 0.0f ? -reciprocal (-x) : reciprocal (x);
}

/* Returns the integer nearest to x, which is limited to 2^30. */
static int
to_int (float x)
{
  return convert_int_rte (clamp (x, -1073741824.0f, 1073741824.0f));
}

static float
length_of (float2 a, float2 b)
{
  float x = b.x - a.x, y = b.y - a.y;

  return root (x * x + y * y);
}

/* Returns whether the quad with the corners @q is convex and clockwise, its sides are at least
 * @least long, and its angles are not flat. */
static bool
is_quad (const float2 q[4], float least)
{
  bool ok = true;

  for (int i = 0; i < 4; i++) {
    float2 u = q[(i + 1) & 3] - q[i], v = q[(i + 2) & 3] - q[(i + 1) & 3];
    float uu = u.x * u.x + u.y * u.y, vv = v.x * v.x + v.y * v.y;
    float cross = u.x * v.y - u.y * v.x, dot = u.x * v.x + u.y * v.y;

    ok = ok && uu >= least * least && cross > 0.0f
        && dot * dot <= 0.970225f * uu * vv
        && q[i].x > -20000.0f && q[i].x < 20000.0f
        && q[i].y > -20000.0f && q[i].y < 20000.0f;
  }
  return ok;
}

/* The line through the points p for which the dot product n p is c */
typedef struct
{
  float nx, ny, c;
} Line;

/* Finds the intersection of two lines. Returns: whether there is one */
static bool
cross_lines (Line a, Line b, float2 * point)
{
  float d = a.nx * b.ny - a.ny * b.nx;
  bool ok = d > 0.001f || d < -0.001f;
  float r = inverse (ok ? d : 1.0f);

  point->x = (a.c * b.ny - b.c * a.ny) * r;
  point->y = (a.nx * b.c - b.nx * a.c) * r;
  return ok;
}

/* Sums over the points near a side. The coordinate t of a point, along the side, is in units of
 * 2^-6 pixel; its coordinate d, across the side, in units of 2^-10 pixel. */
#define SUM_N 0
#define SUM_T 1
#define SUM_D 2
#define SUM_TT 3
#define SUM_TD 4
#define SUM_DD 5
#define N_SUMS 6

/* The line d = middle_d + slope (t - middle_t), in the units of the struct with the sums */
typedef struct
{
  int n;
  int middle_t, middle_d;
  float slope;
  float error;                  /* sum of the squared distances of the points */
} Fit;

/* Fits a line by least squares to the points near a side, from their sums. If there are too few
 * points, the line is the side itself. */
static Fit
fit_line (SHARED const long *sums)
{
  Fit fit;
  long n = max (sums[SUM_N], 1L), t = sums[SUM_T] / n, d = sums[SUM_D] / n;
  long tt = sums[SUM_TT] - t * (2 * sums[SUM_T] - n * t);
  long td = sums[SUM_TD] - t * sums[SUM_D] - d * (sums[SUM_T] - n * t);
  long dd = sums[SUM_DD] - d * (2 * sums[SUM_D] - n * d);
  float s = convert_float_rte (td) * reciprocal (convert_float_rte (max (tt,
              1L)));

  fit.n = sums[SUM_N];
  fit.middle_t = t;
  fit.middle_d = d;
  fit.slope = s;
  fit.error = convert_float_rte (dd) - s * convert_float_rte (td);
  return fit;
}

/* Converts a fitted line from the coordinates t and d to x and y. (x, y): the point with t = d = 0;
 * (ux, uy): the unit vector along t. The unit vector along d is @sign times (-uy, ux) */
static Line
place_line (Fit fit, float x, float y, float ux, float uy, float sign)
{
  float vx = -uy * sign, vy = ux * sign, slope = fit.slope * 0.0625f;
  float t = convert_float_rte (fit.middle_t) * 0.015625f;
  float d = convert_float_rte (fit.middle_d) * 0.0009765625f;
  Line line;

  line.nx = vx - slope * ux;
  line.ny = vy - slope * uy;
  line.c = line.nx * (x + t * ux + d * vx) + line.ny * (y + t * uy + d * vy);
  return line;
}

/* The homography that maps the square with the corners (-1/2, -1/2) and (1/2, 1/2) to a quad */
typedef struct
{
  float h[8];
} Homography;

static Homography
find_homography (const float2 q[4])
{
  Homography h;
  float2 a = q[1] - q[2], b = q[3] - q[2], s = q[0] - q[1] + q[2] - q[3];
  float r = inverse (a.x * b.y - b.x * a.y);
  float g = (s.x * b.y - b.x * s.y) * r, k = (a.x * s.y - s.x * a.y) * r;
  float2 e = q[1] - q[0] + g * q[1], f = q[3] - q[0] + k * q[3];
  float w = inverse (1.0f + 0.5f * g + 0.5f * k);

  h.h[0] = e.x * w;
  h.h[1] = f.x * w;
  h.h[2] = (q[0].x + 0.5f * e.x + 0.5f * f.x) * w;
  h.h[3] = e.y * w;
  h.h[4] = f.y * w;
  h.h[5] = (q[0].y + 0.5f * e.y + 0.5f * f.y) * w;
  h.h[6] = g * w;
  h.h[7] = k * w;
  return h;
}

static float2
project (const Homography * h, float u, float v)
{
  float r = inverse (1.0f + h->h[6] * u + h->h[7] * v);
  float2 p;

  p.x = (h->h[0] * u + h->h[1] * v + h->h[2]) * r;
  p.y = (h->h[3] * u + h->h[4] * v + h->h[5]) * r;
  return p;
}

/* Converts a coordinate in pixels, relative to the origin, to the coordinate of a sample. */
static int
place_sample (float x, int origin)
{
  return to_int (clamp (x, -40000.0f, 40000.0f) * 1024.0f)
      + (origin << POSITION_BITS) - 512;
}

static float
load_corner (int corner, int origin)
{
  return convert_float_rte (corner - (origin << TAGS_CORNER_BITS))
      * 0.0000152587890625f;
}

/* Loads the corners of a quad, relative to the whole pixel (ox, oy) near its center. */
static void
load_corners (const global int *corners, float2 q[4], int *ox, int *oy)
{
  /* In units of 2^-12 pixel, each of these coordinates is below 2^31 / 4. */
  *ox = (corners[0] / 16 + corners[2] / 16 + corners[4] / 16
      + corners[6] / 16) >> 14;
  *oy = (corners[1] / 16 + corners[3] / 16 + corners[5] / 16
      + corners[7] / 16) >> 14;
  for (int i = 0; i < 4; i++) {
    q[i].x = load_corner (corners[2 * i], *ox);
    q[i].y = load_corner (corners[2 * i + 1], *oy);
  }
}

static int
store_corner (float x, int origin)
{
  return to_int (x * 65536.0f) + (origin << TAGS_CORNER_BITS);
}

/* Returns the position, in units of 1/4 pixel, of the edge that a profile crosses: the centroid of
 * the positive differences between samples 1 pixel apart, weighted by their squares. @v: the 2 *
 * steps + 5 samples of the profile, 1/4 pixel apart. @sign: 1 or -1, the sign of the differences
 * that count. *weight: set to the sum of the squares, in units of 2^-16 */
static float
find_edge (const int *v, int steps, int sign, long *weight)
{
  long sum = 0, all = 0;

  for (int i = 0; i <= 2 * steps; i++) {
    long d = max ((v[i + 4] - v[i]) * sign >> 4, 0);

    sum += d * d * (i - steps);
    all += d * d;
  }
  *weight = all;
  return convert_float_rte (sum) * reciprocal (convert_float_rte (max (all,
              1L)));
}

#endif
