/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Finds the motions of the patches of a frame to another frame. The algorithm is
 * described in docs/algorithms/flow.md. */

/* Number of work-items that process a patch together: 1, 2, 4 or 8. Each of them processes COLUMNS
 * columns of the patch. */
#ifndef PATCH_ITEMS
#define PATCH_ITEMS 1
#endif

/* Number of patches that a work-group processes */
#ifndef PATCHES
#define PATCHES 8
#endif

#include "flow/flow.h"

#define COLUMNS (8 / PATCH_ITEMS)
#if COLUMNS == 1
typedef float columns;
#define LOAD(p) convert_float (*(p))
#else
#if COLUMNS == 2
typedef float2 columns;
#define LOAD(p) convert_float2 (vload2 (0, p))
#elif COLUMNS == 4
typedef float4 columns;
#define LOAD(p) convert_float4 (vload4 (0, p))
#else
typedef float8 columns;
#define LOAD(p) convert_float8 (vload8 (0, p))
#endif
#endif

/* Returns COLUMNS adjacent pixels of a row, in 8-bit gray levels. */
static columns
load_columns (global const ushort * p)
{
  return LOAD (p) * 0.0625f;
}

/* ---- Sums of the eight columns of a patch ---------------------------------------- */

/* Declares the parameter @sums, an array float4 [PATCHES][8] in local memory. SUMS is
 * empty if one work-item processes a whole patch and needs no memory for sums. */
#if PATCH_ITEMS > 1
#define SUMS , local float4 *sums
#define SUMS_ARGS , sums
#define ADD_COLUMNS(a, b, c, d) add_columns (a, b, c, d, sums)

/* Returns the sums of @a, @b, @c and @d over the eight columns of a patch, in the order in which
 * add_lanes() adds. All work-items of the work-group call this function. */
static inline __attribute__ ((always_inline)) float4
add_columns (columns a, columns b, columns c, columns d, local float4 * sums)
{
  int item = get_local_id (0) % PATCH_ITEMS;
  local float4 *s = sums + get_local_id (0) / PATCH_ITEMS * 8;

  barrier (CLK_LOCAL_MEM_FENCE);
#if COLUMNS == 1
  s[item] = (float4) (a, b, c, d);
#else
  s[item * COLUMNS] = (float4) (a.s0, b.s0, c.s0, d.s0);
  s[item * COLUMNS + 1] = (float4) (a.s1, b.s1, c.s1, d.s1);
#if COLUMNS == 4
  s[item * COLUMNS + 2] = (float4) (a.s2, b.s2, c.s2, d.s2);
  s[item * COLUMNS + 3] = (float4) (a.s3, b.s3, c.s3, d.s3);
#endif
#endif
  barrier (CLK_LOCAL_MEM_FENCE);
  return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}
#else
#define SUMS
#define SUMS_ARGS
#define ADD_COLUMNS(a, b, c, d) \
    (float4) (add_lanes (a), add_lanes (b), add_lanes (c), add_lanes (d))

static float
add_lanes (float8 s)
{
  return ((s.s0 + s.s4) + (s.s2 + s.s6)) + ((s.s1 + s.s5) + (s.s3 + s.s7));
}
#endif

/* ---- Patches ---------------------------------------------------------------------- */

/* Those COLUMNS columns of a patch that a work-item processes, and values for the whole patch */
typedef struct
{
  int x, y;                     /* first pixel of the patch */
  int column;                   /* first column of this work-item */
  columns pixels[8], gx[8], gy[8];
  float mean_gx, mean_gy;
  float i11, i12, i22;          /* inverse of the matrix of a Gauss-Newton step */
} Patch;

static inline __attribute__ ((always_inline)) void
load_patch (global const ushort * from, LEVEL, Patch * p SUMS)
{
  global const ushort *row = from + offset + p->y * stride + p->x + p->column;
  columns sx = 0, sy = 0, xx = 0, xy = 0, yy = 0;
  float4 s, t;
  float h11, h12, h22, r;

  for (int y = 0; y < 8; y++, row += stride) {
    columns above_left = load_columns (row - stride - 1);
    columns above = load_columns (row - stride);
    columns above_right = load_columns (row - stride + 1);
    columns left = load_columns (row - 1), right = load_columns (row + 1);
    columns below_left = load_columns (row + stride - 1);
    columns below = load_columns (row + stride);
    columns below_right = load_columns (row + stride + 1);
    /* Floats represent all sums in gx and gy exactly. */
    columns gx = ((above_right - above_left) + 2 * (right - left)
        + (below_right - below_left)) * 0.125f;
    columns gy = ((below_left - above_left) + 2 * (below - above)
        + (below_right - above_right)) * 0.125f;

    p->pixels[y] = load_columns (row);
    p->gx[y] = gx;
    p->gy[y] = gy;
    /* Adding the first product to 0 gives the same bits as beginning with this product. */
    sx += gx;
    sy += gy;
    xx = fma (gx, gx, xx);
    xy = fma (gx, gy, xy);
    yy = fma (gy, gy, yy);
  }
  s = ADD_COLUMNS (sx, sy, xx, xy);
  t = ADD_COLUMNS (yy, yy, yy, yy);
  p->mean_gx = s.x * 0.015625f;
  p->mean_gy = s.y * 0.015625f;
  h11 = fma (-p->mean_gx, s.x, s.z) + 256;
  h12 = fma (-p->mean_gx, s.y, s.w);
  h22 = fma (-p->mean_gy, s.y, t.x) + 256;
  r = reciprocal (fma (-h12, h12, h11 * h22));
  p->i11 = h22 * r;
  p->i12 = -h12 * r;
  p->i22 = h11 * r;
}

/* Returns four sums over the pixels of a patch: of d, d², d gx and d gy. Here d is the
 * difference between the image @to, sampled at the position that the pixel has after the motion
 * @motion, and the pixel; (gx, gy) is the gradient of the patch at the pixel. */
static inline __attribute__ ((always_inline)) float4
evaluate (global const ushort * to, LEVEL, const Patch * p, float2 motion SUMS)
{
  float fx, fy;
  int left = split_position (p->x + motion.x, width, &fx);
  int top = split_position (p->y + motion.y, height, &fy);
  global const ushort *row = to + offset + top * stride + left + p->column;
  columns a = load_columns (row);
  columns upper = fma ((columns) (fx), load_columns (row + 1) - a, a);
  columns s = 0, dd = 0, dx = 0, dy = 0;

  for (int y = 0; y < 8; y++) {
    columns lower, d;

    row += stride;
    a = load_columns (row);
    lower = fma ((columns) (fx), load_columns (row + 1) - a, a);
    d = fma ((columns) (fy), lower - upper, upper) - p->pixels[y];
    upper = lower;
    s += d;
    dd = fma (d, d, dd);
    dx = fma (d, p->gx[y], dx);
    dy = fma (d, p->gy[y], dy);
  }
  return ADD_COLUMNS (s, dd, dx, dy);
}

static float
get_cost (float4 sums)
{
  return fma (-(sums.x * 0.015625f), sums.x, sums.y);
}

static float2
limit_motion (float2 motion, int width, int height)
{
  return (float2) (clamp (motion.x, (float) -width, (float) width),
      clamp (motion.y, (float) -height, (float) height));
}

/* ---- Search ----------------------------------------------------------------------- */

/* Returns candidate @k of @n for the motion of patch (i, j), from the @columns x @rows patches of
 * the next coarser level, converted to pixels of this level. */
static float2
get_above (global const float4 * above, int columns, int rows, int n, int k,
    int i, int j)
{
  int place = n < 9 ? 2 * k - 1 : k - 1 + (k > 4);      /* among 3x3 */
  int x0 = k == 0 ? i >> 1 : ((i + 1) >> 1) + place % 3 - 1;
  int y0 = k == 0 ? j >> 1 : ((j + 1) >> 1) + place / 3 - 1;
  int x1 = k == 0 ? (i + 1) >> 1 : x0, y1 = k == 0 ? (j + 1) >> 1 : y0;
  global const float4 *a, *b;

  x0 = clamp (x0, 0, columns - 1);
  x1 = clamp (x1, 0, columns - 1);
  a = above + clamp (y0, 0, rows - 1) * columns;
  b = above + clamp (y1, 0, rows - 1) * columns;
  return ((a[x0].xy + a[x1].xy) + (b[x0].xy + b[x1].xy)) * 0.5f;
}

/* Returns the motion of patch (i, j) of level @level in the flow field between the preceding
 * frames. Sets *@is_there to whether the flow is known there. */
static float2
get_before (global const short2 * before, int width, int height, int shift,
    int level, int i, int j, bool * is_there)
{
  int x = min (((PATCH_STRIDE * i) << level) >> shift, width - 1);
  int y = min (((PATCH_STRIDE * j) << level) >> shift, height - 1);
  short2 b = before[y * width + x];

  *is_there = b.x != NO_FLOW;
  return convert_float2 (b) * as_float ((122 - level) << 23);
}

/* Finds the motions of patches: chooses the candidate with the lowest cost, and improves it by
 * Gauss-Newton steps. PATCH_ITEMS adjacent work-items process patch (i, j). Writes for each
 * patch u, v, the mean difference of gray levels and the cost to @found.
 *
 * @above: results for the above_columns x above_rows patches of the next coarser level.
 * n_above: number of candidates from these patches, 5 or 9; 0: a motion of 0 is the candidate
 * instead. If n_above is negative, @above has the results of the first pass on this level, and
 * those of the eight neighbors are tried
 * @before: flow field between the preceding frames, of before_width x before_height samples;
 * not used if before_width is 0
 * @before_shift: level whose pixels are the samples of @before
 * @level: number of this level
 * @n_evaluations: maximum number of evaluations of a descent */
kernel void
flow_search (global const ushort * from, global const ushort * to, LEVEL,
    int n_columns, int n_rows, global const float4 * above, int above_columns,
    int above_rows, int n_above, global const short2 * before,
    int before_width, int before_height, int before_shift, int level,
    int n_evaluations, global float4 * found)
{
  int id = get_global_id (0) / PATCH_ITEMS;
  int at = min (id, n_columns * n_rows - 1);
  int i = at % n_columns, j = at / n_columns;
  int n_first = n_above < 0 ? 8 : max (n_above, 1);
  int n = n_first + (before_width > 0);
  float2 motion = 0, start, place;
  float best = INFINITY, mean = 0;
  bool goes_on = true;
  Patch p;
#if PATCH_ITEMS > 1
  local float4 sums[PATCHES * 8];
#else
  if (id != at)
    return;
#endif

  p.x = PATCH_STRIDE * i - PATCH_STRIDE;
  p.y = PATCH_STRIDE * j - PATCH_STRIDE;
  p.column = get_local_id (0) % PATCH_ITEMS * COLUMNS;
  load_patch (from, LEVEL_ARGS, &p SUMS_ARGS);
  if (n_above < 0) {
    motion = above[at].xy;
    best = above[at].w;
  }
  for (int k = 0; k < n; k++) {
    float2 candidate = 0;
    bool is_there = true;
    float cost;

    if (k == n_first) {
      candidate = get_before (before, before_width, before_height,
          before_shift, level, i, j, &is_there);
    } else if (n_above < 0) {
      int place = k + (k >= 4);

      candidate = above[clamp (j + place / 3 - 1, 0, n_rows - 1) * n_columns
          + clamp (i + place % 3 - 1, 0, n_columns - 1)].xy;
    } else if (n_above > 0) {
      candidate = get_above (above, above_columns, above_rows, n_above, k, i,
          j);
    }
    candidate = limit_motion (candidate, width, height);
    cost = get_cost (evaluate (to, LEVEL_ARGS, &p, candidate SUMS_ARGS));
    is_there = is_there && cost < best;
    best = is_there ? cost : best;
    motion = is_there ? candidate : motion;
  }

  start = place = motion;
  best = INFINITY;
  for (int k = 0; k < n_evaluations; k++) {
    float4 s;
    float cost, bx, by;
    float2 way;

#if PATCH_ITEMS == 1
    if (!goes_on)
      break;
#endif
    s = evaluate (to, LEVEL_ARGS, &p, place SUMS_ARGS);
    cost = get_cost (s);
    goes_on = goes_on && cost < best;
    best = goes_on ? cost : best;
    motion = goes_on ? place : motion;
    mean = goes_on ? s.x * 0.015625f : mean;
    bx = fma (-s.x, p.mean_gx, s.z);
    by = fma (-s.x, p.mean_gy, s.w);
    place.x -= fma (p.i12, by, p.i11 * bx);
    place.y -= fma (p.i22, by, p.i12 * bx);
    place = limit_motion (place, width, height);
    way = place - start;
    goes_on = goes_on && fma (way.y, way.y, way.x * way.x) <= 64;
  }
  if (id == at && get_local_id (0) % PATCH_ITEMS == 0)
    found[at] = (float4) (motion, mean, best);
}
