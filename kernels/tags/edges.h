/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Moves the sides of a quad to the edges in the frame. */
#ifndef EDGES_H
#define EDGES_H

#include "tags/tags.h"

/* Maximum number of profiles across a side, and of steps of 1/4 pixel on each side of it */
#define PROFILES 64
#define MAX_STEPS 20

/* Offset of a profile that found no edge */
#define NO_EDGE (-0x7fffffff)

/* Profiles across the sides: position along the side in units of 1/64 pixel, and offset of the edge
 * in units of 1/1024 pixel outwards */
typedef struct
{
  int t[4 * PROFILES], d[4 * PROFILES];
  long sums[4 * N_SUMS];
  float lines[4 * 3];
} Edges;

/* A side of a quad: its start, direction and length, and how far profiles reach */
typedef struct
{
  float x, y, ux, uy, length;
  int steps, profiles;
} Side;

static float
length_of (float2 a, float2 b)
{
  float x = b.x - a.x, y = b.y - a.y;

  return root (x * x + y * y);
}

static Side
find_side (const float2 q[4], int i, int scale)
{
  float2 a = q[i], b = q[(i + 1) & 3], c = q[(i + 2) & 3], d = q[(i + 3) & 3];
  float r, cell = (length_of (b, c) + length_of (d, a)) * 0.0625f;
  float reach = clamp (0.9f * cell, 0.75f, scale + 1.0f);
  Side side;

  side.length = length_of (a, b);
  r = reciprocal (max (side.length, 0.001f));
  side.x = a.x;
  side.y = a.y;
  side.ux = (b.x - a.x) * r;
  side.uy = (b.y - a.y) * r;
  side.steps = convert_int_rtz (reach * 4.0f);
  side.profiles = clamp (convert_int_rtz (side.length), 16, PROFILES);
  return side;
}

static void
measure_profile (Frame frame, int ox, int oy, Side side, int k, int sign,
    SHARED int *to_t, SHARED int *to_d)
{
  float t = side.length * convert_float_rte (k + 1)
      * reciprocal (convert_float_rte (side.profiles + 1));
  int x = place_sample (side.x + t * side.ux, ox);
  int y = place_sample (side.y + t * side.uy, oy);
  int nx = to_int (side.uy * 65536.0f), ny = to_int (-side.ux * 65536.0f);
  int v[2 * MAX_STEPS + 5];
  long weight;
  float edge;

  for (int i = 0; i < 2 * side.steps + 5; i++) {
    int at = i - side.steps - 2;

    v[i] = sample_at (frame, x + ((at * nx) >> 8), y + ((at * ny) >> 8));
  }
  edge = find_edge (v, side.steps, sign, &weight);
  *to_t = to_int (t * 64.0f);
  *to_d = weight < 16 << 16 ? NO_EDGE : to_int (edge * 256.0f);
}

/* Sums the profiles of side @i; without those that are more than half a pixel off @fit if @is_again
 * is set. */
static void
sum_profiles (SHARED Edges * edges, int i, int n, bool is_again, Fit fit)
{
  SHARED long *sums = edges->sums + i * N_SUMS;

  for (int k = 0; k < N_SUMS; k++)
    sums[k] = 0;
  for (int k = i * PROFILES; k < i * PROFILES + n; k++) {
    long t = edges->t[k], d = edges->d[k];
    float off = convert_float_rte (edges->d[k] - fit.middle_d)
        - fit.slope * convert_float_rte (edges->t[k] - fit.middle_t);

    if (edges->d[k] == NO_EDGE
        || (is_again && (off > 512.0f || off < -512.0f)))
      continue;
    sums[SUM_N]++;
    sums[SUM_T] += t;
    sums[SUM_D] += d;
    sums[SUM_TT] += t * t;
    sums[SUM_TD] += t * d;
    sums[SUM_DD] += d * d;
  }
}

/* Finds the line of side @i from its profiles. */
static void
fit_side (SHARED Edges * edges, int i, Side side)
{
  Fit fit = { 0 }, again;
  Line line;

  sum_profiles (edges, i, side.profiles, false, fit);
  fit = fit_line (edges->sums + i * N_SUMS);
  sum_profiles (edges, i, side.profiles, true, fit);
  again = fit_line (edges->sums + i * N_SUMS);
  if (again.n >= 6 && 5 * again.n > 2 * fit.n)
    fit = again;
  if (fit.n < 6) {
    fit.middle_t = fit.middle_d = 0;
    fit.slope = 0.0f;
  }
  line = place_line (fit, side.x, side.y, side.ux, side.uy, -1.0f);
  edges->lines[3 * i] = line.nx;
  edges->lines[3 * i + 1] = line.ny;
  edges->lines[3 * i + 2] = line.c;
}

/* Moves the corners to the crossings of the lines, unless they move too far. */
static void
move_corners (SHARED const Edges * edges, int scale, float2 q[4])
{
  float2 moved[4];
  float limit = (scale + 2.5f) * (scale + 2.5f);
  bool ok = true;

  for (int i = 0; i < 4; i++) {
    int j = (i + 3) & 3;
    Line a = { edges->lines[3 * j], edges->lines[3 * j + 1],
      edges->lines[3 * j + 2]
    };
    Line b = { edges->lines[3 * i], edges->lines[3 * i + 1],
      edges->lines[3 * i + 2]
    };
    float x, y;

    ok = cross_lines (a, b, &moved[i]) && ok;
    x = moved[i].x - q[i].x;
    y = moved[i].y - q[i].y;
    ok = ok && x * x + y * y <= limit;
  }
  ok = ok && is_quad (moved, 3.0f);
  for (int i = 0; i < 4; i++)
    q[i] = ok ? moved[i] : q[i];
}

#endif
