/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Moves the sides of a quad (quadrilateral) to the edges in the frame. */
#ifndef EDGES_H
#define EDGES_H

#include "tags/tags.h"

/* Maximum number of profiles across a side, and maximum number of steps of 1/4 pixel on each side
 * of it */
#define PROFILES 64
#define MAX_STEPS 20

/* Value of the offset for a profile that found no edge */
#define NO_EDGE (-0x7fffffff)

/* A side of a quad: its start, direction and length, and how far its profiles extend to both
 * sides */
typedef struct
{
  float x, y, ux, uy, length;
  int steps, profiles;
} Side;

/* Results of profiles across the sides: position along the side, in units of 1/64 pixel, and
 * outward offset of the edge, in units of 1/1024 pixel */
typedef struct
{
  int t[4 * PROFILES], d[4 * PROFILES];
  long parts[4 * N_SUMS * PARTS], sums[4 * N_SUMS];
  Side sides[4];
  Fit fits[4];
  float lines[4 * 3];
  float2 q[4];                  /* corners, relative to (ox, oy) */
  int ox, oy;
  int is_known;                 /* whether the quad was also found in a map of higher resolution */
} Edges;

static Side
find_side (SHARED const float2 *q, int i, int scale)
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

/* Computes the sums for the line fit of side @i, over every PARTS-th of its profiles, starting with
 * profile @part. If @is_again is set, leaves out profiles whose edge is more than half a pixel off
 * the line of the first fit. */
static void
sum_part (SHARED Edges * edges, int i, int part, bool is_again)
{
  int end = i * PROFILES + edges->sides[i].profiles;
  SHARED long *sums = edges->parts + i * N_SUMS * PARTS + part;
  long m = 0, st = 0, sd = 0, stt = 0, std = 0, sdd = 0;
  Fit before = edges->fits[i];

  for (int k = i * PROFILES + part; k < end; k += PARTS) {
    long t = edges->t[k], d = edges->d[k];
    float off = convert_float_rte (edges->d[k] - before.middle_d)
        - before.slope * convert_float_rte (edges->t[k] - before.middle_t);
    bool is_in = edges->d[k] != NO_EDGE
        && (!is_again || (off <= 512.0f && off >= -512.0f));

    t = is_in ? t : 0;
    d = is_in ? d : 0;
    m += is_in;
    st += t;
    sd += d;
    stt += t * t;
    std += t * d;
    sdd += d * d;
  }
  sums[SUM_N * PARTS] = m;
  sums[SUM_T * PARTS] = st;
  sums[SUM_D * PARTS] = sd;
  sums[SUM_TT * PARTS] = stt;
  sums[SUM_TD * PARTS] = std;
  sums[SUM_DD * PARTS] = sdd;
}

/* Fits lines to the profiles of the sides. */
static __attribute__ ((always_inline)) void
fit_profiles (SHARED Edges * edges, bool ok, bool is_again)
{
  for (int i = LOCAL_ID; i < 4 * PARTS; i += GROUP)
    if (ok)
      sum_part (edges, i / PARTS, i % PARTS, is_again);
  SYNC
  for (int i = LOCAL_ID; i < 4 * N_SUMS; i += GROUP) {
    long sum = 0;

    for (int part = 0; part < PARTS && ok; part++)
      sum += edges->parts[i * PARTS + part];
    edges->sums[i] = sum;
  }
  SYNC
  for (int i = LOCAL_ID; i < 4; i += GROUP) {
    Fit fit = fit_line (edges->sums + i * N_SUMS);

    if (ok && (!is_again || (fit.n >= 6 && 5 * fit.n > 2 * edges->fits[i].n)))
      edges->fits[i] = fit;
  }
  SYNC
}

/* Sets the line of side @i to the line fitted to its profiles. */
static void
place_side (SHARED Edges * edges, int i)
{
  Fit fit = edges->fits[i];
  Side side = edges->sides[i];
  Line line;

  if (fit.n < 6) {
    fit.middle_t = fit.middle_d = 0;
    fit.slope = 0.0f;
  }
  line = place_line (fit, side.x, side.y, side.ux, side.uy, -1.0f);
  edges->lines[3 * i] = line.nx;
  edges->lines[3 * i + 1] = line.ny;
  edges->lines[3 * i + 2] = line.c;
}

/* Moves the corners to the intersections of the lines, unless a corner would move too far. */
static void
move_corners (SHARED Edges * edges, int scale)
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
    x = moved[i].x - edges->q[i].x;
    y = moved[i].y - edges->q[i].y;
    ok = ok && x * x + y * y <= limit;
  }
  ok = ok && is_quad (moved, 3.0f);
  for (int i = 0; i < 4; i++)
    edges->q[i] = ok ? moved[i] : edges->q[i];
}

/* Returns whether the corners of two quads, in one of their four cyclic orders, lie within @limit
 * of each other. */
static bool
is_same (const global TagsQuad * a, const global TagsQuad * b, int limit)
{
  bool is_any = false;

  for (int turn = 0; turn < 4; turn++) {
    bool ok = true;

    for (int i = 0; i < 8; i++) {
      int d = a->corners[i] - b->corners[(i + 2 * turn) & 7];

      ok = ok && d <= limit && d >= -limit;
    }
    is_any = is_any || ok;
  }
  return is_any && a->is_white == b->is_white;
}

static void
store_read (global TagsRead * to, const global TagsQuad * quad,
    SHARED const Edges * edges)
{
  TagsRead read;

  read.family = edges->is_known ? TAGS_KNOWN : TAGS_NONE;
  read.id = read.hamming = read.ring_errors = read.turn = 0;
  read.is_inverted = read.margin = read.contrast = 0;
  read.map = quad->map;
  read.root = quad->root;
  for (int i = 0; i < 4; i++) {
    read.corners[2 * i] = store_corner (edges->q[i].x, edges->ox);
    read.corners[2 * i + 1] = store_corner (edges->q[i].y, edges->oy);
  }
  *to = read;
}

/* Moves the sides of quad @number of the list. A quad that was also found in a finer map is not
 * changed. */
static __attribute__ ((always_inline)) void
move_quad (Frame frame, const global TagsMap * pictures,
    bool is_refined, const global int *list,
    const global TagsQuad * quads, int number, bool exists,
    global TagsRead * to, SHARED Edges * edges)
{
  const global TagsQuad *quad = quads + (exists ? list[number] : 0);
  int scale = exists ? pictures[quad->map].scale : 1;
  int is_white = exists ? quad->is_white : 0;
  bool ok;

  if (LOCAL_ID == 0) {
    float2 q[4];
    int ox, oy;

    load_corners (quad->corners, q, &ox, &oy);
    for (int i = 0; i < 4; i++)
      edges->q[i] = q[i];
    edges->ox = ox;
    edges->oy = oy;
    edges->is_known = 0;
  }
  SYNC
  /* Skips a quad that was also found in a finer map: it is read there. */
  for (int i = LOCAL_ID; i < (exists ? number : 0); i += GROUP)
    if (quads[list[i]].map < quad->map
        && is_same (quads + list[i], quad, scale << (TAGS_CORNER_BITS + 1)))
      edges->is_known = 1;
  SYNC
  ok = exists && is_refined && !edges->is_known;
  if (CAN_LEAVE && !ok) {
    if (LOCAL_ID == 0)
      store_read (to, quad, edges);
    return;
  }
  for (int i = LOCAL_ID; i < 4; i += GROUP) {
    edges->fits[i].middle_t = edges->fits[i].middle_d = edges->fits[i].n = 0;
    edges->fits[i].slope = 0.0f;
    edges->sides[i] = find_side (edges->q, i, scale);
  }
  SYNC
  for (int i = LOCAL_ID; i < 4 * PROFILES; i += GROUP) {
    Side side = edges->sides[i / PROFILES];

    if (ok && i % PROFILES < side.profiles)
      measure_profile (frame, edges->ox, edges->oy, side, i % PROFILES,
          is_white ? -1 : 1, edges->t + i, edges->d + i);
  }
  SYNC
#pragma unroll 1
  for (int round = 0; round < 2; round++)
    fit_profiles (edges, ok, round > 0);
  for (int i = LOCAL_ID; i < 4; i += GROUP)
    if (ok)
      place_side (edges, i);
  SYNC
  if (LOCAL_ID == 0 && exists) {
    if (ok)
      move_corners (edges, scale);
    store_read (to, quad, edges);
  }
  SYNC
}

#endif
