/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reference implementation of fitting motion models to pairs of points: see
 * docs/algorithms/geometry.md. */
#include "geometry.h"

#include <stdlib.h>
#include <string.h>

#include "bits.h"

#define NEVER UINT64_MAX

/* Describes a fit whose points are shifted and scaled to a box around 0, as floats. */
typedef struct
{
  int model;
  uint32_t n, n_draws, seed;
  float (*pairs)[4];
  float scale, zoom;
  double centre[4], units[2];
} Work;

static float
inverse (float x)
{
  float y = float_of (0x7ef311c7u - bits_of (x));

  for (int i = 0; i < 3; i++)
    y = y * (2.0f - x * y);
  return y;
}

static float
inverse_root (float x)
{
  float y = float_of (0x5f3759dfu - (bits_of (x) >> 1)), h = 0.5f * x;

  for (int i = 0; i < 3; i++)
    y = y * (1.5f - h * y * y);
  return y;
}

/* ---- Positions --------------------------------------------------------------- */

static void
scale_places (Work * work, const float *pairs)
{
  for (int side = 0; side < 2; side++) {
    double half = 0, unit = 1;

    for (int k = 2 * side; k < 2 * side + 2; k++) {
      double low = pairs[k], high = pairs[k];

      for (uint32_t i = 0; i < work->n; i++) {
        low = pairs[4 * (size_t) i + k] < low ? pairs[4 * (size_t) i + k] : low;
        high = pairs[4 * (size_t) i + k] > high ? pairs[4 * (size_t) i + k]
            : high;
      }
      work->centre[k] = (low + high) / 2;
      half = (high - low) / 2 > half ? (high - low) / 2 : half;
    }
    if (half >= 1.0 / 1024) {
      while (half * unit >= 1)
        unit *= 0.5;
      while (half * unit < 0.5)
        unit *= 2;
    }
    work->units[side] = unit;
    for (uint32_t i = 0; i < work->n; i++)
      for (int k = 2 * side; k < 2 * side + 2; k++) {
        double parts = (pairs[4 * (size_t) i + k] - work->centre[k]) * unit
            * 16777216 + 0.5;
        long long whole = (long long) parts;

        work->pairs[i][k] = (whole > parts ? whole - 1 : whole) / 16777216.0;
      }
  }
}

/* ---- Samples ----------------------------------------------------------------- */

static int
size_of (int model)
{
  static const int sizes[] = { 1, 2, 2, 3, 4 };

  return sizes[model];
}

static uint32_t
hash (uint32_t h)
{
  h = (h ^ (h >> 16)) * 0x7feb352du;
  h = (h ^ (h >> 15)) * 0x846ca68bu;
  return h ^ (h >> 16);
}

/* Draws random sample @k of draw @d: repeatedly chooses pair r of the pairs whose mark is 0. Writes
 * the indices of the chosen pairs to @taken. */
static void
draw (const Work * work, uint32_t d, uint32_t k, uint32_t * taken)
{
  int size = size_of (work->model);
  uint64_t most = 3 * work->n_draws / 4, best = work->n;

  if (d < most && work->n > 8)
    best = 8 + (uint64_t) (work->n - 8) * d * d / (most * most);
  for (int j = 0; j < size; j++) {
    uint64_t h = hash (work->seed
        + 0x9e3779b9u * (4 * (d + k * work->n_draws) + j + 1));
    uint32_t left = h * (best - j) >> 32, number = 0;

    for (;; number++) {
      int is_taken = 0;

      for (int i = 0; i < j; i++)
        is_taken |= taken[i] == number;
      if (!is_taken && left-- == 0)
        break;
    }
    taken[j] = number;
  }
  /* Sorts the indices of the pairs, because sums of floats depend on the order. */
  for (int i = 0; i < size; i++)
    for (int j = i + 1; j < size; j++)
      if (taken[j] < taken[i]) {
        uint32_t swap = taken[i];

        taken[i] = taken[j];
        taken[j] = swap;
      }
}

/* Pairs of points of a random sample: coordinates of the first and of the second points */
typedef struct
{
  float from[4][2], to[4][2];
} Sample;

static float
area (float (*p)[2], int a, int b, int c)
{
  return (p[b][0] - p[a][0]) * (p[c][1] - p[a][1])
      - (p[c][0] - p[a][0]) * (p[b][1] - p[a][1]);
}

/* Returns 1 if two triangles, given by their signed areas, are large enough and have the same
 * orientation. */
static int
agree (float a, float b)
{
  const float least = 1.0f / 1024;

  return (a >= least && b >= least) || (-a >= least && -b >= least);
}

static float
signed_inverse (float x)
{
  return x > 0 ? inverse (x) : -inverse (-x);
}

static int
make_turn (const Work * work, Sample * s, float *m)
{
  float d[2], e[2], from, to, along, across, f;

  for (int k = 0; k < 2; k++) {
    d[k] = s->from[1][k] - s->from[0][k];
    e[k] = s->to[1][k] - s->to[0][k];
  }
  from = d[0] * d[0] + d[1] * d[1];
  to = e[0] * e[0] + e[1] * e[1];
  if (from < 1.0f / 1024 || to < 1.0f / 1024)
    return 0;
  along = d[0] * e[0] + d[1] * e[1];
  across = d[0] * e[1] - d[1] * e[0];
  f = work->model == REF_SIMILARITY ? inverse (from)
      : work->zoom * inverse_root (along * along + across * across);
  m[0] = m[4] = along * f;
  m[3] = across * f;
  m[1] = -m[3];
  m[2] = 0.5f * (s->to[0][0] + s->to[1][0]);
  m[5] = 0.5f * (s->to[0][1] + s->to[1][1]);
  return 1;
}

static int
make_affine (Sample * s, float *m)
{
  float (*p)[2] = s->from, (*q)[2] = s->to, whole = area (p, 0, 1, 2), f;

  if (!agree (whole, area (q, 0, 1, 2)))
    return 0;
  f = signed_inverse (whole);
  for (int k = 0; k < 2; k++) {
    float one = q[1][k] - q[0][k], two = q[2][k] - q[0][k];

    m[3 * k] = (one * (p[2][1] - p[0][1]) - two * (p[1][1] - p[0][1])) * f;
    m[3 * k + 1] = (two * (p[1][0] - p[0][0]) - one * (p[2][0] - p[0][0])) * f;
    m[3 * k + 2] = q[0][k] - m[3 * k] * p[0][0] - m[3 * k + 1] * p[0][1];
  }
  return 1;
}

static int
make_homography (Sample * s, float *m)
{
  static const int triangles[4][3] = { {3, 1, 2}, {0, 3, 2}, {0, 1, 3},
  {0, 1, 2}
  };
  float (*p)[2] = s->from, (*q)[2] = s->to, a[4], b[4], h[3][3] = { {0,}, }, f;

  for (int i = 0; i < 4; i++) {
    const int *t = triangles[i];

    a[i] = area (p, t[0], t[1], t[2]);
    b[i] = area (q, t[0], t[1], t[2]);
    if (!agree (a[i], b[i]))
      return 0;
  }
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    float w = b[i] * (a[j] * a[k]), line[3];

    line[0] = w * (p[j][1] - p[k][1]);
    line[1] = w * (p[k][0] - p[j][0]);
    line[2] = w * (p[j][0] * p[k][1] - p[k][0] * p[j][1]);
    for (int c = 0; c < 3; c++) {
      h[0][c] += line[c] * q[i][0];
      h[1][c] += line[c] * q[i][1];
      h[2][c] += line[c];
    }
  }
  f = signed_inverse (h[2][2]);
  for (int i = 0; i < 8; i++)
    m[i] = h[i / 3][i % 3] * f;
  return 1;
}

/* Computes the model of random sample @k of draw @d. Returns 0 if the sample is degenerate. */
static int
try_sample (const Work * work, uint32_t d, uint32_t k, float *numbers)
{
  static const float shares[] = { 0, 1, 0.5f, 1.0f / 3, 0.25f };
  int size = size_of (work->model);
  uint32_t taken[4];
  Sample s;

  draw (work, d, k, taken);
  for (int i = 0; i < 8; i++)
    numbers[i] = 0;
  for (int k = 0; k < 2; k++) {
    float sum = 0;

    for (int i = 0; i < size; i++)
      sum += work->pairs[taken[i]][k];
    numbers[8 + k] = sum * shares[size];
    for (int i = 0; i < size; i++) {
      s.from[i][k] = work->pairs[taken[i]][k] - numbers[8 + k];
      s.to[i][k] = work->pairs[taken[i]][2 + k];
    }
  }
  switch (work->model) {
    case REF_TRANSLATION:
      numbers[0] = numbers[4] = work->zoom;
      numbers[2] = s.to[0][0];
      numbers[5] = s.to[0][1];
      return 1;
    case REF_AFFINE:
      return make_affine (&s, numbers);
    case REF_HOMOGRAPHY:
      return make_homography (&s, numbers);
    default:
      return make_turn (work, &s, numbers);
  }
}

/* Computes the model of draw @d, that is, of its first random sample that is not degenerate.
 * Returns 0 if there is none. */
static int
make_model (const Work * work, uint32_t d, float *numbers)
{
  for (uint32_t k = 0; k < REF_GEOMETRY_TRIES; k++)
    if (try_sample (work, d, k, numbers))
      return 1;
  return 0;
}

/* ---- Scores -------------------------------------------------------------------- */

/* Describes how well a model fits a pair.
 * @g: the three numbers x, y and 1, divided by the denominator of the model, where (x, y) is the
 *   offset of the first point from the origin of the model
 * @to: position to which the model maps the first point
 * @off: offset from @to to the second point
 * @e: square of @off in units of twice the threshold, at most 1 */
typedef struct
{
  float g[3], to[2], off[2], e;
} Pair;

static Pair
move_pair (const Work * work, const float *m, uint32_t i)
{
  const float *pair = work->pairs[i];
  float d[2] = { pair[0] - m[8], pair[1] - m[9] };
  float w = m[6] * d[0] + m[7] * d[1] + 1.0f, e;
  Pair p;

  p.g[2] = inverse (w > 1e-6f ? w : 1.0f);
  for (int k = 0; k < 2; k++) {
    p.g[k] = d[k] * p.g[2];
    p.to[k] = (m[3 * k] * d[0] + m[3 * k + 1] * d[1] + m[3 * k + 2]) * p.g[2];
    p.off[k] = pair[2 + k] - p.to[k];
  }
  e = (p.off[0] * p.off[0] + p.off[1] * p.off[1]) * work->scale;
  p.e = w > 1e-6f && e < 1 ? e : 1;
  return p;
}

static uint32_t
cost (const Pair * p)
{
  float near = 1.0f - p->e, x = 65535.0f - 65535.0f * near * near * near;

  /* Rounds to the nearest integer, ties to even. */
  return bits_of (x + 12582912.0f) - bits_of (12582912.0f);
}

static uint64_t
score_model (const Work * work, const float *m, uint32_t * near)
{
  uint64_t score = 0;

  *near = 0;
  for (uint32_t i = 0; i < work->n; i++) {
    Pair p = move_pair (work, m, i);

    score += cost (&p);
    *near += p.e < 0.25f;
  }
  return score;
}

/* Returns 1 if n_draws draws are enough when @near pairs agree with the best model, because more
 * draws are then unlikely to find a better model. */
static int
is_enough (const Work * work, uint32_t near, uint32_t n_draws)
{
  float share = (float) near * inverse (work->n), good = 1, miss, all = 1;

  for (int i = 0; i < size_of (work->model); i++)
    good *= share;
  miss = 1.0f - good;
  for (int i = 0; i < 8; i++) {
    float least = miss > 0x1p-50f ? miss : 0x1p-50f;

    miss = least * least;
  }
  for (uint32_t i = 0; i < n_draws / 256 && all >= 1e-4f; i++)
    all *= miss;
  return all < 1e-4f;
}

/* ---- Refinement ---------------------------------------------------------------- */

/* Sums over all pairs for the equations of a Gauss-Newton step. g, to and off are members of the
 * struct Pair; g g^T are products of two elements of g. Each product has a separate sum in each
 * of 16 lanes, because each sum is rounded separately. */
typedef struct
{
  float a[6];                   /* sums of the elements 00, 01, 02, 11, 12, 22 of the matrix g
                                 * g^T */
  float off[2][3];              /* sums of g times the vector off of struct Pair */
  float at[2][5];               /* sums of g g^T without element 22, times the vector to of struct
                                 * Pair */
  float far[3];                 /* sums of the elements 00, 01, 11 of g g^T, times the square of the
                                 * vector to of struct Pair */
  float turn[2];                /* sums of g times the scalar product of the vectors to and off of
                                 * struct Pair */
} Sums;

static void
add_pair (int model, const Pair * p, Sums * s)
{
  static const int rows[6][2] = { {0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2},
  {2, 2}
  };
  float near = 1.0f - p->e, w, wg[3], a[6], far, turn;

  near = near < 1.0f / 4096 ? 0 : near;
  w = near * near;
  for (int i = 0; i < 3; i++)
    wg[i] = w * p->g[i];
  for (int i = 0; i < 6; i++) {
    a[i] = wg[rows[i][0]] * p->g[rows[i][1]];
    s->a[i] += a[i];
  }
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < 3; i++)
      s->off[k][i] += wg[i] * p->off[k];
  if (model != REF_HOMOGRAPHY)
    return;
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < 5; i++)
      s->at[k][i] += a[i] * p->to[k];
  far = p->to[0] * p->to[0] + p->to[1] * p->to[1];
  s->far[0] += a[0] * far;
  s->far[1] += a[1] * far;
  s->far[2] += a[3] * far;
  turn = p->to[0] * p->off[0] + p->to[1] * p->off[1];
  s->turn[0] += wg[0] * turn;
  s->turn[1] += wg[1] * turn;
}

/* Adds up the sums over all pairs in 16 lanes. Then adds up lanes that are 8, 4, 2 and 1 apart. */
static void
sum_pairs (const Work * work, const float *m, Sums * all)
{
  enum
  { N = sizeof (Sums) / sizeof (float) };
  union
  {
    Sums sums;
    float floats[N];
  } lanes[16];

  memset (lanes, 0, sizeof (lanes));
  for (uint32_t i = 0; i < work->n; i++) {
    Pair p = move_pair (work, m, i);

    add_pair (work->model, &p, &lanes[i % 16].sums);
  }
  for (int k = 0; k < N; k++) {
    for (int half = 8; half > 0; half /= 2)
      for (int lane = 0; lane < half; lane++)
        lanes[lane].floats[k] += lanes[lane + half].floats[k];
  }
  *all = lanes[0].sums;
}

/* Solves the linear system A x = b by the factorization A = L D L^T. @a is a symmetric matrix of
 * which only the lower half is read. @x contains b before the call, and the solution afterwards. */
static int
solve (float a[8][8], float *x, int n)
{
  float inverses[8];

  for (int j = 0; j < n; j++) {
    float whole = a[j][j], scaled[8];

    for (int k = 0; k < j; k++) {
      scaled[k] = a[j][k];
      for (int i = 0; i < k; i++)
        scaled[k] -= a[k][i] * scaled[i];
      a[j][k] = scaled[k] * inverses[k];
      a[j][j] -= a[j][k] * scaled[k];
      x[j] -= a[j][k] * x[k];
    }
    if (!(a[j][j] > 1e-6f * whole && a[j][j] > 0x1p-90f
            && a[j][j] < 0x1p90f))
      return 0;
    inverses[j] = inverse (a[j][j]);
  }
  for (int j = n - 1; j >= 0; j--) {
    x[j] *= inverses[j];
    for (int i = j + 1; i < n; i++)
      x[j] -= a[i][j] * x[i];
  }
  return 1;
}

static void
step_full (int model, const Sums * s, float *m)
{
  static const int places[6][2] = { {0, 0}, {1, 0}, {2, 0}, {1, 1}, {2, 1},
  {2, 2}
  };
  float a[8][8] = { {0,}, }, x[8];

  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < 6; i++)
      a[3 * k + places[i][0]][3 * k + places[i][1]] = s->a[i];
    for (int i = 0; i < 3; i++)
      x[3 * k + i] = s->off[k][i];
    /* Uses the elements of @at, which are in the order 00, 01, 02, 11, 12. */
    a[6][3 * k] = -s->at[k][0];
    a[6][3 * k + 1] = -s->at[k][1];
    a[6][3 * k + 2] = -s->at[k][2];
    a[7][3 * k] = -s->at[k][1];
    a[7][3 * k + 1] = -s->at[k][3];
    a[7][3 * k + 2] = -s->at[k][4];
    x[6 + k] = -s->turn[k];
  }
  a[6][6] = s->far[0];
  a[7][6] = s->far[1];
  a[7][7] = s->far[2];
  if (solve (a, x, model == REF_AFFINE ? 6 : 8))
    for (int i = 0; i < (model == REF_AFFINE ? 6 : 8); i++)
      m[i] += x[i];
}

static void
step_turn (const Work * work, const Sums * s, float *m)
{
  float c = s->a[0] + s->a[3], x[4];
  float a[8][8] = { {c}, {0, c}, {s->a[2], -s->a[4], s->a[5]},
  {s->a[4], s->a[2], 0, s->a[5]}
  };
  float length;

  x[0] = s->off[0][0] + s->off[1][1];
  x[1] = s->off[1][0] - s->off[0][1];
  x[2] = s->off[0][2];
  x[3] = s->off[1][2];
  if (!solve (a, x, 4))
    return;
  m[0] += x[0];
  m[3] += x[1];
  m[2] += x[2];
  m[5] += x[3];
  length = m[0] * m[0] + m[3] * m[3];
  if (work->model == REF_RIGID && length > 0x1p-40f) {
    float f = work->zoom * inverse_root (length), less[2];
    float mean[2] = { s->a[2] * inverse (s->a[5]), s->a[4] * inverse (s->a[5]) };

    less[0] = m[0] - m[0] * f;
    less[1] = m[3] - m[3] * f;
    m[2] += less[0] * mean[0] - less[1] * mean[1];
    m[5] += less[1] * mean[0] + less[0] * mean[1];
    m[0] *= f;
    m[3] *= f;
  }
  m[4] = m[0];
  m[1] = -m[3];
}

/* Refines the model @numbers by n_passes - 1 Gauss-Newton steps. Writes the best of all these
 * models to @result. */
static void
polish (const Work * work, int n_passes, float *numbers, RefGeometryResult * result)
{
  for (int pass = 0; pass < n_passes; pass++) {
    uint32_t near;
    uint64_t score = score_model (work, numbers, &near);
    Sums s;

    if (score < result->score) {
      result->score = score;
      memcpy (result->numbers, numbers, sizeof (result->numbers));
    }
    sum_pairs (work, numbers, &s);
    if (work->model == REF_TRANSLATION) {
      if (s.a[5] > 0x1p-90f)
        for (int k = 0; k < 2; k++)
          numbers[2 + 3 * k] += s.off[k][2] * inverse (s.a[5]);
    } else if (work->model < REF_AFFINE) {
      step_turn (work, &s, numbers);
    } else {
      step_full (work->model, &s, numbers);
    }
  }
}

/* ---- The whole fit ---------------------------------------------------------------- */

static void
find (const Work * work, RefGeometryResult * results)
{
  uint64_t best = NEVER, bests[REF_GEOMETRY_GROUPS];
  uint32_t draws[REF_GEOMETRY_GROUPS] = { 0, }, agrees = 0;

  for (int g = 0; g < REF_GEOMETRY_GROUPS; g++)
    bests[g] = NEVER;
  for (uint32_t d = 0; d < work->n_draws; d++) {
    int group = d % REF_GEOMETRY_GROUPS;
    float numbers[10];
    uint64_t score;
    uint32_t near;

    if (d > 0 && d % 256 == 0 && is_enough (work, agrees, d))
      break;
    if (!make_model (work, d, numbers))
      continue;
    score = score_model (work, numbers, &near);
    if (score < bests[group]) {
      bests[group] = score;
      draws[group] = d;
    }
    if (score < best) {
      best = score;
      agrees = near;
    }
  }
  for (int g = 0; g < REF_GEOMETRY_GROUPS; g++) {
    float numbers[10];

    memset (&results[g], 0, sizeof (results[g]));
    results[g].score = NEVER;
    if (bests[g] == NEVER)
      continue;
    make_model (work, draws[g], numbers);
    polish (work, 9, numbers, &results[g]);
  }
}

/* Refines the best model once more, with a threshold of 7 standard deviations of the distances. The
 * standard deviation is estimated from all pairs, with weights of (1 - e)^4. */
static void
refine (const Work * work, float *numbers)
{
  RefGeometryResult result = {.score = NEVER };
  double weights = 0, sum = 0, factor = 4;
  Work wide = *work;

  for (uint32_t i = 0; i < work->n; i++) {
    double e = move_pair (work, numbers, i).e, w = (1 - e) * (1 - e);

    weights += w * w;
    sum += w * w * e;
  }
  if (2 * weights < factor * 49 * sum)
    factor = 2 * weights / (49 * sum);
  wide.scale *= factor > 0.25 ? factor : 0.25;
  polish (&wide, 4, numbers, &result);
  memcpy (numbers, result.numbers, sizeof (result.numbers));
}

/* Computes the matrix of a model in pixels: the product of the inverse scaling of second
 * points, the model, and the scaling of first points. */
static void
make_matrix (const Work * work, const float *numbers, double *matrix)
{
  double h[3][3], last;

  for (int r = 0; r < 3; r++) {
    h[r][0] = numbers[3 * r] * work->units[0];
    h[r][1] = numbers[3 * r + 1] * work->units[0];
    h[r][2] = (r < 2 ? numbers[3 * r + 2] : 1)
        - numbers[3 * r] * (work->centre[0] * work->units[0] + numbers[8])
        - numbers[3 * r + 1] * (work->centre[1] * work->units[0] + numbers[9]);
  }
  last = h[2][2] > 1e-6 ? h[2][2] : 1;
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 3; c++)
      matrix[3 * r + c] = (r < 2 ? h[r][c] / work->units[1]
          + work->centre[2 + r] * h[2][c] : h[2][c]) / last;
}

void
ref_geometry_fit (RefGeometry * fit)
{
  Work work = { fit->model, fit->n, fit->n_draws, fit->seed };
  const RefGeometryResult *best = &fit->results[0];
  double wide;

  fit->n_inliers = 0;
  memset (fit->matrix, 0, sizeof (fit->matrix));
  memset (fit->results, 0, sizeof (fit->results));
  for (int g = 0; g < REF_GEOMETRY_GROUPS; g++)
    fit->results[g].score = NEVER;
  if (fit->n < (uint32_t) size_of (fit->model))
    return;
  work.pairs = malloc (fit->n * sizeof (*work.pairs));
  scale_places (&work, fit->pairs);
  wide = 2 * fit->threshold * work.units[1];
  work.scale = 1 / (wide * wide);
  work.zoom = work.units[1] / work.units[0];
  find (&work, fit->results);
  for (int g = 1; g < REF_GEOMETRY_GROUPS; g++)
    if (fit->results[g].score < best->score)
      best = &fit->results[g];
  if (best->score != NEVER) {
    float numbers[10];

    memcpy (numbers, best->numbers, sizeof (numbers));
    refine (&work, numbers);
    make_matrix (&work, numbers, fit->matrix);
  }
  for (uint32_t i = 0; i < fit->n && best->score != NEVER; i++) {
    const float *p = fit->pairs + 4 * (size_t) i;
    const double *m = fit->matrix;
    double w = m[6] * p[0] + m[7] * p[1] + m[8];
    double x = (m[0] * p[0] + m[1] * p[1] + m[2]) / w - p[2];
    double y = (m[3] * p[0] + m[4] * p[1] + m[5]) / w - p[3];

    fit->n_inliers += w > 0
        && x * x + y * y < fit->threshold * fit->threshold;
  }
  free (work.pairs);
}
