/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* The search for models of parts in a pyramid of features. What is computed:
 * docs/algorithms/dpm.md.
 *
 * Filters are taken in groups of 16, whose numbers lie side by side. All of a
 * group are as large as the largest: what is missing has weights of 0. The plan
 * describes levels, groups, components and parts, and has the weights; kernels go
 * through lists in it: number of a level, and a row. */

/* Filters of a group that a work-item takes: 1, 4 or 16. */
#ifndef LANES
#define LANES 16
#endif

/* Neighbouring cells that it takes. */
#ifndef TILE
#define TILE 8
#endif

#include "math.cl"
#include "pixels.cl"

#define FEATURES 32
#define FILTERS 16              /* of a group */
#define REACH 4                 /* cells that a part may be away from its place */
#define DISTANCES (2 * REACH + 1)

/* In place of what filters give where they have no place. */
#define NONE -1e30f

/* Of a level */
#define LEVEL 6
#define COLUMNS 0
#define ROWS 1
#define FIRST 2                 /* its first cell */
#define PLACE 3                 /* and where that comes among those that are worked on: for parts, for roots */
#define SCORES 5                /* number of its first score */

/* Of a group: how large its filters are, one by one, and what distances cost. */
#define GROUP (5 + (2 + 2 * DISTANCES) * FILTERS)
#define GROUP_ROWS 0
#define GROUP_COLUMNS 1
#define LEAST_ROWS 2
#define LEAST_COLUMNS 3
#define WEIGHTS 4               /* where they begin */
#define FILTER_ROWS 5
#define FILTER_COLUMNS (5 + FILTERS)
#define COSTS (5 + 2 * FILTERS) /* [axis][distance][filter] */

/* Of a filter in use: which it is, how large, and where it goes. */
#define USE 5
#define USE_FILTER 0
#define USE_ROWS 1
#define USE_COLUMNS 2
#define USE_X 3
#define USE_Y 4

/* Of a component: score without filters in the octaves, root, parts. */
#define COMPONENT 10
#define OFFSETS 0
#define ROOT 3
#define N_PARTS 8
#define PARTS 9

/* Numbers of a hit. */
#define HIT 6

/* PoCL takes vload and vstore apart into lanes: see pixels.cl. */
#if LANES == 1
#define LOAD(p) (*(p))
#define LOAD_INT(p) (*(p))
#define STORE(p, value) (*(p) = (value))
#else
LOOSE (floatn, loose_floatn);
LOOSE (intn, loose_intn);
#define LOAD(p) LOAD_LOOSE (loose_floatn, p)
#define LOAD_INT(p) LOAD_LOOSE (loose_intn, p)
#define STORE(p, value) STORE_LOOSE (loose_floatn, p, value)
#endif

/* Work-item (i, n, g): LANES filters of group g at TILE cells of row n of the
 * list. groups: where the first is described; place: 0 for parts, 1 for roots;
 * stride: cells of out for each group. */
kernel void
dpm_correlate (const global float *restrict features,
    const global int *restrict plan, int list, int groups, int place,
    int stride, global float *restrict out)
{
  const global int *entry = plan + list + 2 * get_global_id (1);
  const global int *level = plan + LEVEL * entry[0];
  const global int *group = plan + groups + GROUP * get_global_id (2);
  int lane = get_global_id (0) % (FILTERS / LANES) * LANES;
  int x = get_global_id (0) / (FILTERS / LANES) * TILE, y = entry[1];
  int columns = level[COLUMNS], rows = level[ROWS];
  const global float *w = (const global float *) plan + group[WEIGHTS] + lane;
  int has_place = y + group[LEAST_ROWS] <= rows
      && x + group[LEAST_COLUMNS] <= columns;
  int n_rows = has_place ? group[GROUP_ROWS] : 0;
  global float *to = out + ((size_t) stride * get_global_id (2)
      + level[PLACE + place] + (size_t) y * columns + x) * FILTERS + lane;
  floatn sums[TILE];
  intn last_column;

  if (x >= columns)
    return;
#pragma unroll
  for (int t = 0; t < TILE; t++)
    sums[t] = 0;
  for (int r = 0; r < n_rows; r++) {
    const global float *row = features + (level[FIRST]
        + (size_t) min (y + r, rows - 1) * columns) * FEATURES;

    for (int c = 0; c < group[GROUP_COLUMNS]; c++) {
      const global float *p[TILE];

      /* Beyond the level's edge there is a filter that has no place here, or
       * weights of 0. */
#pragma unroll
      for (int t = 0; t < TILE; t++)
        p[t] = row + min (x + c + t, columns - 1) * FEATURES;
#pragma unroll 4
      for (int f = 0; f < FEATURES; f++) {
        floatn weight = LOAD (w);

        w += FILTERS;
#pragma unroll
        for (int t = 0; t < TILE; t++)
          sums[t] = fma (weight, (floatn) (p[t][f]), sums[t]);
      }
    }
  }

  last_column = columns - LOAD_INT (group + FILTER_COLUMNS + lane);
  last_column = y + LOAD_INT (group + FILTER_ROWS + lane) <= rows
      ? last_column : (intn) (-1);
#pragma unroll
  for (int t = 0; t < TILE; t++)
    if (x + t < columns)
      STORE (to + t * FILTERS, x + t <= last_column ? sums[t]
          : (floatn) (NONE));
}

/* Work-item (i, n, g): LANES parts of group g at a cell of row n of the list:
 * the best of the cells that are near on one axis, less what they cost. axis: 0
 * for rows, 1 for columns */
kernel void
dpm_spread (const global float *restrict in, const global int *restrict plan,
    int list, int groups, int stride, int axis, global float *restrict out)
{
  const global int *entry = plan + list + 2 * get_global_id (1);
  const global int *level = plan + LEVEL * entry[0];
  const global int *group = plan + groups + GROUP * get_global_id (2);
  int lane = get_global_id (0) % (FILTERS / LANES) * LANES;
  int x = get_global_id (0) / (FILTERS / LANES), columns = level[COLUMNS];
  const global float *costs = (const global float *) group + COSTS
      + axis * DISTANCES * FILTERS + lane;
  int at = axis == 0 ? x : entry[1], n = axis == 0 ? columns : level[ROWS];
  int step = axis == 0 ? FILTERS : columns * FILTERS;
  size_t here = ((size_t) stride * get_global_id (2) + level[PLACE]
      + (size_t) entry[1] * columns + x) * FILTERS + lane;
  const global float *p = in + here;
  floatn best = NONE;

  if (x >= columns)
    return;
#pragma unroll
  for (int i = -REACH; i <= REACH; i++) {
    if (at - i >= 0 && at - i < n) {
      floatn value = LOAD (p - i * step) - LOAD (costs + (i + REACH) * FILTERS);

      best = value > best ? value : best;
    }
  }
  STORE (out + here, best);
}

/* Begins a list of hits. */
kernel void
dpm_begin (global int *hits)
{
  hits[0] = 0;
}

/* Whether a filter has place at (x, y). */
static int
has_place (const global int *use, const global int *level, int x, int y)
{
  return x >= 0 && y >= 0 && x + use[USE_COLUMNS] <= level[COLUMNS]
      && y + use[USE_ROWS] <= level[ROWS];
}

static float
get (const global float *in, int stride, int filter, size_t cell)
{
  return in[((size_t) (filter / FILTERS) * stride + cell) * FILTERS
      + filter % FILTERS];
}

/* Work-item (x, n): the best component with its root at a cell of row n of the
 * list. Hits, up to room, go to the list in any order; hits[0] counts them.
 * finer: by how many levels parts are before their roots; skipped: levels that
 * the model does not look at; model: its number, components: where they are
 * described, first: its first score. Scores: two numbers, the score and the
 * component */
kernel void
dpm_sum (const global float *restrict roots, int roots_stride,
    const global float *restrict parts, int parts_stride,
    const global int *restrict plan, int list, int finer, int skipped,
    int components, int n_components, int model, int first, float threshold,
    int room, global int *restrict scores, global int *restrict hits)
{
  const global int *entry = plan + list + 2 * get_global_id (1);
  const global int *level = plan + LEVEL * entry[0];
  const global int *fine = level - LEVEL * finer;
  int x = get_global_id (0), y = entry[1], columns = level[COLUMNS];
  int octave = min ((entry[0] - skipped) / finer, 2), which = -1;
  size_t cell = (size_t) y * columns + x;
  float best = NONE;

  if (x >= columns)
    return;
  for (int i = 0; i < n_components; i++) {
    const global int *c = plan + components + COMPONENT * i;
    const global int *use = plan + c[PARTS];
    int n_parts = c[N_PARTS], part = 0;
    float sum = as_float (c[OFFSETS + octave]);

    if (!has_place (c + ROOT, level, x, y))
      continue;
    sum += get (roots, roots_stride, c[ROOT + USE_FILTER],
        level[PLACE + 1] + cell);
    for (; part < n_parts; part++, use += USE) {
      int u = 2 * x + use[USE_X], v = 2 * y + use[USE_Y];

      if (!has_place (use, fine, u, v))
        break;
      sum += get (parts, parts_stride, use[USE_FILTER],
          fine[PLACE] + (size_t) v * fine[COLUMNS] + u);
    }
    if (part == n_parts && sum > best) {
      best = sum;
      which = i;
    }
  }

  scores[2 * (first + level[SCORES] + cell)] = as_int (best);
  scores[2 * (first + level[SCORES] + cell) + 1] = which;
  if (which >= 0 && best >= threshold) {
    int at = atomic_inc (hits);

    if (at < room) {
      global int *hit = hits + 1 + HIT * at;

      hit[0] = model;
      hit[1] = entry[0];
      hit[2] = y;
      hit[3] = x;
      hit[4] = which;
      hit[5] = as_int (best);
    }
  }
}
