/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Searches a pyramid of features for objects with deformable part models. Such a model consists
 * of a root filter and part filters around it. The algorithm is described in
 * docs/algorithms/dpm.md.
 *
 * Filters are processed in groups of 16. Their weights and scores are interleaved: 16 adjacent
 * numbers belong to the 16 filters of a group. All filters of a group are padded with zeros to
 * the size of the largest one.
 *
 * The plan is an array of ints that the host writes. It describes pyramid levels, groups of
 * filters, components (variants of a model) and parts, and holds the weights. It also holds
 * lists of rows of cells: an entry of such a list is the number of a level and the number of a
 * row in this level. */

/* Number of filters of a group that a work-item computes: 1, 4 or 16. */
#ifndef LANES
#define LANES 16
#endif

/* Number of adjacent cells of a row that a work-item computes. */
#ifndef TILE
#define TILE 8
#endif

#include "base/math.h"
#include "base/pixels.h"
#include "dpm/dpm-shared.h"

/* Score of a filter at a cell where it would extend beyond the edge of the level. */
#define NONE -1e30f

/* LOAD and STORE access vectors of weights and scores whose index is a multiple of 16.
 * LOAD_PLAN and LOAD_INT read vectors at any index. On CPUs, they use packed structs (LOOSE),
 * because PoCL splits vload and vstore into single elements (see base/pixels.h). GPUs would
 * access such structs byte by byte. */
LOOSE (float16, loose_float16);
#if LANES == 1
#define LOAD(p) (*(p))
#define LOAD_PLAN(p) (*(p))
#define LOAD_INT(p) (*(p))
#define STORE(p, value) (*(p) = (value))
#elif LANES == 4
#define LOAD(p) (*(const global floatn *) (p))
#define LOAD_PLAN(p) vload4 (0, p)
#define LOAD_INT(p) vload4 (0, p)
#define STORE(p, value) (*(global floatn *) (p) = (value))
#else
LOOSE (floatn, loose_floatn);
LOOSE (intn, loose_intn);
#define LOAD(p) LOAD_LOOSE (loose_floatn, p)
#define LOAD_PLAN(p) LOAD_LOOSE (loose_floatn, p)
#define LOAD_INT(p) LOAD_LOOSE (loose_intn, p)
#define STORE(p, value) STORE_LOOSE (loose_floatn, p, value)
#endif

/* Returns the bit of a group of filters in a word of the array @needed. This array tells which
 * filters a cascade still needs. It has one word for each TILE cells of a row: first the words
 * for part filters, then those for root filters. */
#define BIT(group) (1 << ((group) % 32))

/* Work-item n sets element n of the array @words to 0. */
kernel void
dpm_clear (global int *words)
{
  words[get_global_id (0)] = 0;
}

/* Computes the reduced features for a cascade, by principal component analysis. Work-item i
 * computes the n reduced features of cell i from its FEATURES features. @pca is the index in
 * the plan at which the factors begin; there are PCA factors for each input feature. */
kernel void
dpm_reduce (const global float *restrict features,
    const global int *restrict plan, int pca, int n_cells, int n,
    global float *restrict out)
{
  const global float *shares = (const global float *) plan + pca;
  const global float *in = features + FEATURES * (size_t) get_global_id (0);
  global float *to = out + n * (size_t) get_global_id (0);
  float16 sum = 0;
  float each[PCA];

  if ((int) get_global_id (0) >= n_cells)
    return;
#pragma unroll 4
  for (int f = 0; f < FEATURES; f++)
    sum = fma ((float16) (in[f]), LOAD_LOOSE (loose_float16,
            shares + PCA * f), sum);
  vstore16 (sum, 0, each);
#pragma unroll
  for (int k = 0; k < PCA; k++)
    if (k < n)
      to[k] = each[k];
}

/* Multiplies the feature @value of cell t by the next weight, and adds the product to sums[t].
 * Does so for each of TILE cells. */
#define ADD_FEATURE(value) do { \
    floatn weight = LOAD (w); \
\
    w += FILTERS; \
    _Pragma ("unroll") \
    for (int t = 0; t < TILE; t++) \
      sums[t] = fma (weight, (floatn) (value), sums[t]); \
  } while (0)

/* Multiplies the features of TILE cells of a row, starting at column x, by the weights at @w.
 * These belong to one cell of LANES filters. Adds the products for cell t to sums[t]. Beyond
 * the edge of the level, the last of the @columns cells is repeated. This changes no score: a
 * filter that extends beyond the edge gets no score, or its weights there are 0. */
static __attribute__ ((always_inline)) void
add_cells (const global float *row, int x, int columns, int n_features,
    const global float *w, floatn * sums)
{
  const global float *p[TILE];

#pragma unroll
  for (int t = 0; t < TILE; t++)
    p[t] = row + min (x + t, columns - 1) * n_features;
#if LANES == 4
  /* Loads vectors of 4 features if all cells begin at multiples of 16 bytes. */
  if (n_features % 4 == 0) {
    for (int f = 0; f < n_features; f += 4) {
      float4 four[TILE];

#pragma unroll
      for (int t = 0; t < TILE; t++)
        four[t] = *(const global float4 *) (p[t] + f);
      ADD_FEATURE (four[t].x);
      ADD_FEATURE (four[t].y);
      ADD_FEATURE (four[t].z);
      ADD_FEATURE (four[t].w);
    }
    return;
  }
#endif
#pragma unroll 4
  for (int f = 0; f < n_features; f++)
    ADD_FEATURE (p[t][f]);
}

/* Computes the scores of filters. Work-item (i, n, g) computes the scores of LANES filters of
 * group g at TILE cells of the row in entry n of the list. n_features: number of features of a
 * cell. @groups: index in the plan of the first group. @place: 0 for parts, 1 for roots.
 * @stride: number of cells that @out has for each group. first_needed: index at which the words
 * for these filters begin in @needed; -1 if all cells are needed. */
kernel void
dpm_correlate (const global float *restrict features, int n_features,
    const global int *restrict plan, int list, int groups, int place,
    int stride, const global int *restrict needed, int first_needed,
    global float *restrict out)
{
  const global int *entry = plan + list + 2 * get_global_id (1);
  const global int *level = plan + LEVEL * entry[0];
  const global int *group = plan + groups + GROUP_WORDS * get_global_id (2);
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
  if (first_needed >= 0 && !(needed[first_needed + level[PLACE + place]
              + y * columns + x / TILE] & BIT (get_global_id (2))))
    return;
#pragma unroll
  for (int t = 0; t < TILE; t++)
    sums[t] = 0;
  for (int r = 0; r < n_rows; r++) {
    const global float *row = features + (level[FIRST]
        + (size_t) min (y + r, rows - 1) * columns) * n_features;

    for (int c = 0; c < group[GROUP_COLUMNS]; c++, w += FILTERS * n_features)
      add_cells (row, x + c, columns, n_features, w, sums);
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

/* Computes the distance transform of the scores of parts along one axis. For each cell, this is
 * the maximum, over the cells within REACH, of the score minus the cost of the distance.
 * Work-item (i, n, g) computes it for LANES parts of group g at a cell of the row in entry n of
 * the list. @axis is 0 for distances along rows, 1 along columns. If is_pruned is set, only the
 * cells in the array @needed are computed. */
kernel void
dpm_spread (const global float *restrict in, const global int *restrict plan,
    int list, int groups, int stride, int axis,
    const global int *restrict needed, int is_pruned,
    global float *restrict out)
{
  const global int *entry = plan + list + 2 * get_global_id (1);
  const global int *level = plan + LEVEL * entry[0];
  const global int *group = plan + groups + GROUP_WORDS * get_global_id (2);
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
  if (is_pruned && !(needed[level[PLACE] + entry[1] * columns + x / TILE]
          & BIT (get_global_id (2))))
    return;
#pragma unroll
  for (int i = -REACH; i <= REACH; i++) {
    if (at - i >= 0 && at - i < n) {
      floatn value = LOAD (p - i * step)
          - LOAD_PLAN (costs + (i + REACH) * FILTERS);

      best = value > best ? value : best;
    }
  }
  STORE (out + here, best);
}

/* Returns whether a filter lies completely inside the level if its first cell is (x, y). */
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

/* Marks a filter in the array @needed: its scores at the cells (x0, y) to (x1, y) of a level
 * must be computed. */
static void
need (global int *needed, const global int *level, int place, int filter,
    int x0, int x1, int y)
{
  global int *row = needed + level[PLACE + place] + y * level[COLUMNS];

  for (int i = max (x0, 0) / TILE; i <= min (x1, level[COLUMNS] - 1) / TILE;
      i++)
    atomic_or (row + i, BIT (filter / FILTERS));
}

/* Finds the components of a model that may have their root at a cell. Work-item (x, n) does so
 * for cell x of the row in entry n of the list, and writes a word with one bit for each
 * component to the array @left. Also marks in @needed which filters must be computed with all
 * features to score these components. If is_cascade is set, the scores with reduced features
 * must reach the limits of the cascade plus @shift; otherwise neither scores nor limits are
 * read. If first_allowed is 0 or more, the bit of the component must also be set in @allowed,
 * which has a word for each cell, starting at index first_allowed. @needed holds parts_stride
 * words for parts, then the words for roots. The other parameters are described at dpm_sum. */
kernel void
dpm_prune (const global float *restrict roots, int roots_stride,
    const global float *restrict parts, int parts_stride,
    const global int *restrict plan, int list, int finer, int skipped,
    int components, int n_components, float shift, int is_cascade,
    const global ulong *restrict allowed, int first_allowed,
    global ulong *restrict left, global int *restrict needed)
{
  const global int *entry = plan + list + 2 * get_global_id (1);
  const global int *level = plan + LEVEL * entry[0];
  const global int *fine = level - LEVEL * finer;
  int x = get_global_id (0), y = entry[1], columns = level[COLUMNS];
  int octave = min ((entry[0] - skipped) / finer, 2);
  size_t cell = level[PLACE + 1] + (size_t) y * columns + x;
  ulong bits = 0, may_be = ~0ul;

  if (x >= columns)
    return;
  if (first_allowed >= 0)
    may_be = allowed[first_allowed + level[SCORES] + y * columns + x];
  for (int i = 0; i < n_components; i++) {
    const global int *c = plan + components + COMPONENT * i;
    const global int *order = plan + c[ORDER];
    const global float *limits = (const global float *) plan + c[LIMITS];
    int n_parts = c[N_PARTS], part = 0;
    float sum = as_float (c[OFFSETS + octave]);

    if (!(may_be >> i & 1) || !has_place (c + ROOT, level, x, y))
      continue;
    if (is_cascade)
      sum += get (roots, roots_stride, c[ROOT + USE_FILTER], cell);
    for (; part < n_parts; part++) {
      const global int *use = plan + c[PARTS] + USE * order[part];
      int u = 2 * x + use[USE_X], v = 2 * y + use[USE_Y];

      if ((is_cascade && sum < limits[part] + shift)
          || !has_place (use, fine, u, v))
        break;
      if (is_cascade)
        sum += get (parts, parts_stride, use[USE_FILTER],
            fine[PLACE] + (size_t) v * fine[COLUMNS] + u);
    }
    if (part < n_parts || (is_cascade && sum < limits[n_parts] + shift))
      continue;
    bits |= (ulong) 1 << i;
    need (needed + parts_stride, level, 1, c[ROOT + USE_FILTER], x, x, y);
    for (part = 0; part < n_parts; part++) {
      const global int *use = plan + c[PARTS] + USE * part;
      int u = 2 * x + use[USE_X], v = 2 * y + use[USE_Y];

      for (int j = max (v - REACH, 0); j <= min (v + REACH, fine[ROWS] - 1);
          j++)
        need (needed, fine, 0, use[USE_FILTER], u - REACH, u + REACH, j);
    }
  }
  left[cell] = bits;
}

/* Finds the best component of a model with its root at a cell. Work-item (x, n) does so for
 * cell x of the row in entry n of the list, and writes the score and the component to @scores,
 * as two numbers. A cell with a score of at least @threshold is a hit. Hits are appended to the
 * array @hits, which has room for @room hits, in any order; hits[0] counts them.
 * @finer: number of levels between the level of a root and the finer level of its parts.
 * @skipped: number of levels that the model does not use. @model: number of the model.
 * @components: index in the plan of its components. @first: index of its first score.
 * is_pruned: if set, only the components in the array @left count (see dpm_prune). */
kernel void
dpm_sum (const global float *restrict roots, int roots_stride,
    const global float *restrict parts, int parts_stride,
    const global int *restrict plan, int list, int finer, int skipped,
    int components, int n_components, const global ulong *restrict left,
    int is_pruned, int model, int first, float threshold, int room,
    global int *restrict scores, global int *restrict hits)
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

    if (!has_place (c + ROOT, level, x, y)
        || (is_pruned && !(left[level[PLACE + 1] + cell] >> i & 1)))
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
      global int *hit = hits + 1 + DPM_HIT * at;

      hit[0] = model;
      hit[1] = entry[0];
      hit[2] = y;
      hit[3] = x;
      hit[4] = which;
      hit[5] = as_int (best);
    }
  }
}
