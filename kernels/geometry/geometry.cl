/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Fits models to pairs of points by RANSAC; many of the pairs may be wrong. The algorithm is
 * described in docs/algorithms/geometry.md. A draw is a random sample of as few pairs as
 * determine a model. Its score is the sum of the costs of all pairs under this model; the
 * lowest score is the best. The best draws are polished: refined by Gauss-Newton steps. All
 * kernels process several fits at once. */

/* Number of draws, or of pairs, that a work-item processes at once, one in each
 * lane (element) of a vector: 1 or 16 */
#ifndef LANES
#define LANES 16
#endif

#include "geometry/model.h"
#include "geometry/polish.h"

#pragma OPENCL FP_CONTRACT OFF

/* Number of work-items that score one draw together, each for a part of the pairs; 1 if LANES
 * is 16 */
#ifndef DRAW_GROUP
#define DRAW_GROUP 1
#endif

/* Number of work-items that polish one model together */
#define POLISH_GROUP (SUM_LANES / LANES)

#define ulongn MATH_JOIN (ulong, LANES)
#define convert_ulongn MATH_JOIN (convert_ulong, LANES)
#if LANES == 1
#undef ulongn
#undef convert_ulongn
#define ulongn ulong
#define convert_ulongn convert_ulong
#endif

/* Number of pairs whose summed costs fit into 32 bits */
#define BLOCK 32768

/* Makes draw number d of a fit: takes random samples of its pairs until one determines a model,
 * and sets @numbers to the 10 numbers of this model. Returns false if none of TRIES samples
 * does. */
static bool
draw_model (const global float *pairs, const global int *fit, int model,
    uint n_draws, uint seed, uint d, float *numbers)
{
  const global float *from = pairs + fit[FIRST];
  int size = sample_size (model), pitch = fit[PITCH];
  uint best = count_best (fit[N_PAIRS], n_draws, d), sample[4];
  float x[4], y[4], u[4], v[4];
  bool is_made = false;

  for (uint k = 0; k < TRIES && !is_made; k++) {
    draw_sample (best, seed, d + k * n_draws, size, sample);
    for (int i = 0; i < size; i++) {
      x[i] = from[sample[i]];
      y[i] = from[sample[i] + pitch];
      u[i] = from[sample[i] + 2 * pitch];
      v[i] = from[sample[i] + 3 * pitch];
    }
    is_made = fill_model (model, x, y, u, v, as_float (fit[ZOOM]), numbers);
  }
  return is_made;
}

#if LANES == 1
/* Scores draws. Work-group (x, y) computes the score of draw number first + x of fit number y,
 * and counts the pairs that agree with its model. */
kernel __attribute__ ((reqd_work_group_size (DRAW_GROUP, 1, 1)))
void
geometry_draw (const global float *restrict pairs,
    const global int *restrict fits, int model, int n_draws, uint seed,
    int first, int pitch, const global uint *restrict state,
    global ulong *restrict scores, global uint *restrict counts)
{
  int d = first + get_group_id (0), item = get_local_id (0);
  const global int *fit = fits + FIT * get_global_id (1);
  const global float *from = pairs + fit[FIRST];
  int n = fit[N_PAIRS], step = fit[PITCH];
  size_t to = (size_t) get_global_id (1) * pitch + d;
  float scale = as_float (fit[SCALE]);
  local float numbers[10];
  local int is_used;
  local ulong sums[DRAW_GROUP];
  local uint near[DRAW_GROUP];
  ulong sum = 0;
  uint count = 0;
  Model drawn;

  if (item == 0) {
    float made[10];

    is_used = d < n_draws && (first == 0
        || !state[STATE * get_global_id (1) + ENDED]) && draw_model (pairs, fit,
        model, n_draws, seed, d, made);
    for (int i = 0; i < 10; i++)
      numbers[i] = is_used ? made[i] : 0;
  }
  barrier (CLK_LOCAL_MEM_FENCE);
  for (int i = 0; i < 8; i++)
    drawn.m[i] = numbers[i];
  drawn.x = numbers[8];
  drawn.y = numbers[9];
  for (int i = item; i < (is_used ? n : 0); i += DRAW_GROUP) {
    Moved p = move (&drawn, from[i], from[i + step], from[i + 2 * step],
        from[i + 3 * step], scale);

    sum += cost_of (p.e);
    count += p.e < 0.25f;
  }
  sums[item] = sum;
  near[item] = count;
  barrier (CLK_LOCAL_MEM_FENCE);
  if (item == 0) {
    for (int i = 1; i < DRAW_GROUP; i++) {
      sum += sums[i];
      count += near[i];
    }
    scores[to] = is_used ? sum : ULONG_MAX;
    counts[to] = is_used ? count : 0;
  }
}

#else
/* Scores draws. Work-item (x, y) computes the scores of LANES draws of fit number y, starting
 * at draw number first + x * LANES, and counts the pairs that agree with their models. */
kernel void
geometry_draw (const global float *restrict pairs,
    const global int *restrict fits, int model, int n_draws, uint seed,
    int first, int pitch, const global uint *restrict state,
    global ulong *restrict scores, global uint *restrict counts)
{
  int d = first + get_global_id (0) * LANES;
  const global int *fit = fits + FIT * get_global_id (1);
  const global float *from = pairs + fit[FIRST];
  int n = fit[N_PAIRS], step = fit[PITCH];
  size_t to = (size_t) get_global_id (1) * pitch + d;
  float scale = as_float (fit[SCALE]), lanes[10][LANES];
  bool is_used[LANES];
  ulong sums[LANES];
  uint near[LANES];
  ulongn sum = 0;
  uintn count = 0;
  Model drawn;

  if (first > 0 && state[STATE * get_global_id (1) + ENDED])
    return;
  for (int lane = 0; lane < LANES; lane++) {
    float numbers[10];

    is_used[lane] = d + lane < n_draws && draw_model (pairs, fit, model,
        n_draws, seed, d + lane, numbers);
    for (int i = 0; i < 10; i++)
      lanes[i][lane] = is_used[lane] ? numbers[i] : 0;
  }
  for (int i = 0; i < 8; i++)
    drawn.m[i] = vloadn (0, lanes[i]);
  drawn.x = vloadn (0, lanes[8]);
  drawn.y = vloadn (0, lanes[9]);
  for (int begin = 0; begin < n; begin += BLOCK) {
    int end = min (begin + BLOCK, n);
    uintn part = 0;

    for (int i = begin; i < end; i++) {
      Moved p = move (&drawn, (floatn) (from[i]), (floatn) (from[i + step]),
          (floatn) (from[i + 2 * step]), (floatn) (from[i + 3 * step]), scale);

      part += cost_of (p.e);
      /* Counts a pair if e < 1/4. Uses the sign of e - 1/4, because Oclgrind 21.10 compares
       * vectors wrongly (255 instead of 1). */
      count += as_uintn (p.e - 0.25f) >> 31;
    }
    sum += convert_ulongn (part);
  }
  vstoren (sum, 0, sums);
  vstoren (count, 0, near);
  for (int lane = 0; lane < LANES; lane++) {
    scores[to + lane] = is_used[lane] ? sums[lane] : ULONG_MAX;
    counts[to + lane] = is_used[lane] ? near[lane] : 0;
  }
}
#endif

/* Finds the best draws of a fit, and decides after each stage of STAGE draws whether the fit
 * needs more draws. Work-item (x, y) compares the draws of group x of fit number y, in the
 * stages @first to @last - 1. */
kernel __attribute__ ((reqd_work_group_size (GROUPS, 1, 1)))
void
geometry_judge (const global int *restrict fits, int model, int first,
    int last, int pitch, const global ulong *restrict scores,
    const global uint *restrict counts, global uint *restrict state)
{
  int group = get_local_id (0), f = get_global_id (1);
  uint n = fits[FIT * f + N_PAIRS];
  local ulong bests[GROUPS];
  local uint agrees[GROUPS];
  local ulong best;
  local uint words[4];
  local ulong group_scores[GROUPS];
  local uint group_draws[GROUPS];

  state += STATE * f;
  group_scores[group] = first == 0 ? ULONG_MAX
      : state[SCORES + 2 * group] | (ulong) state[SCORES + 2 * group + 1] << 32;
  group_draws[group] = first == 0 ? 0 : state[DRAWS + group];
  if (group < 4)
    words[group] = first == 0 ? 0 : state[group];
  barrier (CLK_LOCAL_MEM_FENCE);
  if (group == 0) {
    best = ULONG_MAX;
    for (int i = 0; i < GROUPS; i++)
      best = min (best, group_scores[i]);
  }
  barrier (CLK_LOCAL_MEM_FENCE);
  for (int stage = first; stage < last; stage++) {
    const size_t from = (size_t) f * pitch + stage * STAGE + group;
    ulong score = ULONG_MAX;
    uint agree = 0, draw = 0;

    for (int i = 0; i < STAGE; i += GROUPS) {
      ulong s = words[ENDED] ? ULONG_MAX : scores[from + i];
      bool is_better = s < score;

      agree = is_better ? counts[from + i] : agree;
      draw = is_better ? stage * STAGE + i + group : draw;
      score = is_better ? s : score;
    }
    bests[group] = score;
    agrees[group] = agree;
    group_draws[group] = score < group_scores[group] ? draw
        : group_draws[group];
    group_scores[group] = min (score, group_scores[group]);
    barrier (CLK_LOCAL_MEM_FENCE);
    if (group == 0) {
      for (int i = 0; i < GROUPS; i++) {
        words[AGREE] = bests[i] < best ? agrees[i] : words[AGREE];
        best = min (best, bests[i]);
      }
      words[STAGES] += !words[ENDED];
      words[ENDED] |= is_enough (model, words[AGREE], n, words[STAGES]);
    }
    barrier (CLK_LOCAL_MEM_FENCE);
  }
  if (group < 4)
    state[group] = words[group];
  state[DRAWS + group] = group_draws[group];
  state[SCORES + 2 * group] = (uint) group_scores[group];
  state[SCORES + 2 * group + 1] = (uint) (group_scores[group] >> 32);
}

/* ---- Refinement of the best models --------------------------------------------- */

#if LANES == 1
#define SHARED local
#define SYNC barrier (CLK_LOCAL_MEM_FENCE);
#define LANE ((int) get_local_id (0))
#else
#define SHARED
#define SYNC
#define LANE 0
#endif

/* Returns the sum of 16 numbers, added in a fixed order: first numbers whose indices differ by
 * 8, then the sums whose indices differ by 4, 2 and 1. */
static float
sum_lanes (SHARED const float *v)
{
  float8 a = vload8 (0, v) + vload8 (1, v);
  float4 b = a.lo + a.hi;
  float2 c = b.lo + b.hi;

  return c.x + c.y;
}

/* Adds up a work-item's part of the @n pairs of a fit, separately in each lane. @costs is set
 * to the sums of the costs of the pairs under the model @numbers, @sums to the sums from which
 * take_step() computes the next model. */
static void
sum_pairs (const global float *from, int n, int step, float scale, int model,
    SHARED const float *numbers, SHARED float (*sums)[SUM_LANES],
    SHARED ulong * costs)
{
  floatn s[N_SUMS];
  ulongn cost = 0;
  Model m;

  for (int i = 0; i < 8; i++)
    m.m[i] = (floatn) (numbers[i]);
  m.x = (floatn) (numbers[8]);
  m.y = (floatn) (numbers[9]);
  for (int i = 0; i < N_SUMS; i++)
    s[i] = 0;
  for (int i = LANE; i < n; i += SUM_LANES) {
    Moved p = move (&m, vloadn (0, from + i), vloadn (0, from + i + step),
        vloadn (0, from + i + 2 * step), vloadn (0, from + i + 3 * step),
        scale);
#if LANES == 1
    float mask = 1;

    cost += cost_of (p.e);
#else
    const intn lanes = (intn) (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13,
        14, 15);
    floatn mask = lanes + i < n ? (floatn) (1.0f) : (floatn) (0.0f);

    cost += convert_ulongn (lanes + i < n ? cost_of (p.e) : (uintn) (0u));
#endif
    add_pair (model, &p, mask, s);
  }
  for (int i = 0; i < N_SUMS; i++)
    vstoren (s[i], 0, &sums[i][LANE]);
  vstoren (cost, 0, costs + LANE);
}

/* Adds up the partial sums of all lanes. If the model in @numbers has the lowest score so far,
 * copies it to @kept. Then changes the model in @numbers by one Gauss-Newton step. */
static void
step_model (int model, float zoom, SHARED float *numbers, SHARED float *kept,
    SHARED ulong * best, SHARED float (*sums)[SUM_LANES],
    SHARED const ulong * costs)
{
  float moved[8], all[N_SUMS];
  ulong sum = 0;

  for (int i = 0; i < SUM_LANES; i++)
    sum += costs[i];
  for (int i = 0; i < 10; i++)
    kept[i] = sum < *best ? numbers[i] : kept[i];
  *best = min (*best, sum);
  for (int i = 0; i < N_SUMS; i++)
    all[i] = sum_lanes (sums[i]);
  for (int i = 0; i < 8; i++)
    moved[i] = numbers[i];
  take_step (model, zoom, all, moved);
  for (int i = 0; i < 8; i++)
    numbers[i] = moved[i];
}

/* Polishes the best draws. Work-group (x, y) refines the model of the best draw of group x of
 * fit number y by PASSES - 1 Gauss-Newton steps. Of these PASSES models, writes the one with
 * the lowest score to @results. */
kernel __attribute__ ((reqd_work_group_size (POLISH_GROUP, 1, 1)))
void
geometry_polish (const global float *restrict pairs,
    const global int *restrict fits, int model, int n_draws, uint seed,
    const global uint *restrict state, global int *restrict results)
{
  int group = get_global_id (0) / POLISH_GROUP, f = get_global_id (1);
  const global int *fit = fits + FIT * f;
  const global float *from = pairs + fit[FIRST];
  int n = fit[N_PAIRS], step = fit[PITCH];
  float scale = as_float (fit[SCALE]), zoom = as_float (fit[ZOOM]);
  global int *to = results + RESULT * (f * GROUPS + group);
  SHARED float sums[N_SUMS][SUM_LANES];
  SHARED ulong costs[SUM_LANES];
  SHARED float numbers[10];
  SHARED float kept[10];
  SHARED ulong best;

  state += STATE * f;
  if (LANE == 0) {
    float drawn[10];

    for (int i = 0; i < 10; i++)
      drawn[i] = 0;
    best = ULONG_MAX;
    if ((state[SCORES + 2 * group] & state[SCORES + 2 * group + 1]) != UINT_MAX)
      draw_model (pairs, fit, model, n_draws, seed, state[DRAWS + group], drawn);
    else
      n = 0;
    for (int i = 0; i < 10; i++)
      numbers[i] = kept[i] = drawn[i];
    costs[0] = n;
  }
  SYNC
  n = costs[0];
  SYNC
  for (int pass = 0; pass < PASSES; pass++) {
    sum_pairs (from, n, step, scale, model, numbers, sums, costs);
    SYNC
    if (LANE == 0)
      step_model (model, zoom, numbers, kept, &best, sums, costs);
    SYNC
  }
  if (LANE == 0) {
    for (int i = 0; i < 10; i++)
      to[i] = as_int (kept[i]);
    to[10] = n > 0 ? (int) (uint) best : -1;
    to[11] = n > 0 ? (int) (uint) (best >> 32) : -1;
  }
}
