/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Arithmetic of robust fits, for kernels and for the host, which computes small fits itself.
 * Both must get the same bits. Therefore it uses only integers and + - * on floats, in the
 * written order. A floatn is a vector of LANES floats in kernels, and a float on the host. The
 * formulas are explained in docs/algorithms/geometry.md. */
#ifndef GEOMETRY_MODEL_H
#define GEOMETRY_MODEL_H

/* ON_HOST is defined if the host includes this file; it has no vectors. */
#ifndef ON_HOST
#include "base/math.h"
#include "geometry/geometry-shared.h"

#if LANES == 1
#define ONE(v) (v)
#else
#define ONE(v) ((v).s0)
#endif
#define MUL_HI(a, b) mul_hi (a, b)
#else
#define ONE(v) (v)
#define MUL_HI(a, b) ((uint) ((guint64) (a) * (b) >> 32))
#endif

/* A model. It moves a point to (m0 dx + m1 dy + m2, m3 dx + m4 dy + m5) / (m6 dx + m7 dy + 1),
 * where (dx, dy) is the offset of the point from (x, y), the origin of the model. */
typedef struct
{
  floatn m[8], x, y;
} Model;

/* Returns 1 / x with a relative error of at most 2^-22, for x from 2^-100 to 2^100. */
static floatn
inverse (floatn x)
{
  floatn y = as_floatn (0x7ef311c7u - as_uintn (x));

  y = y * (2.0f - x * y);
  y = y * (2.0f - x * y);
  return y * (2.0f - x * y);
}

static float
inverse_of (float x)
{
  return ONE (inverse ((floatn) (x)));
}

/* Returns 1 / sqrt (x) with a relative error of at most 2^-21, for x from 2^-100 to 2^100. */
static float
inverse_root (float x)
{
  float y = as_float (0x5f3759dfu - (as_uint (x) >> 1)), half_x = 0.5f * x;

  y = y * (1.5f - half_x * y * y);
  y = y * (1.5f - half_x * y * y);
  return y * (1.5f - half_x * y * y);
}

/* ---- Random samples of pairs (draws) ----------------------------------------- */

/* Returns the number of pairs of a sample: the minimum that determines a model of this kind. */
static int
sample_size (int model)
{
  return model == TRANSLATION ? 1 : model < AFFINE ? 2 : model == AFFINE ? 3 : 4;
}

/* Returns the number of pairs from which draw number d of n_draws chooses its sample. The n
 * pairs are sorted, best first: the first draws choose from the first pairs, later draws from
 * more, the last draws from all. */
static uint
count_best (uint n, uint n_draws, uint d)
{
  uint most = 3 * n_draws / 4;

  return d >= most || n <= 8 ? n : 8 + (uint) ((ulong) (n - 8) * (d * d)
      / ((ulong) most * most));
}

static uint
hash_of (uint h)
{
  h ^= h >> 16;
  h *= 0x7feb352du;
  h ^= h >> 15;
  h *= 0x846ca68bu;
  return h ^ h >> 16;
}

/* Chooses @size different pairs of the first m, and writes their numbers to @sample in
 * increasing order. The choice depends on @seed and on d, the number of the draw. */
static void
draw_sample (uint m, uint seed, uint d, int size, uint * sample)
{
  for (int j = 0; j < size; j++) {
    uint h = hash_of (seed + 0x9e3779b9u * (4 * d + j + 1));
    uint r = MUL_HI (h, m - j);
    int at = 0;

    /* Converts r to the number of a pair: r only counts pairs that are not chosen yet. */
    for (int i = 0; i < j; i++) {
      if (r >= sample[i]) {
        r++;
        at = i + 1;
      }
    }
    for (int i = j; i > at; i--)
      sample[i] = sample[i - 1];
    sample[at] = r;
  }
}

/* Returns twice the signed area of the triangle of points a, b and c. The arrays @x and @y have
 * the coordinates of the points. With y pointing down, the area is positive if the points are
 * in clockwise order. */
static float
area_of (const float *x, const float *y, int a, int b, int c)
{
  return (x[b] - x[a]) * (y[c] - y[a]) - (x[c] - x[a]) * (y[b] - y[a]);
}

/* Minimum value of area_of(), and minimum squared distance, for points that determine a model.
 * Points are scaled: the longer side of the bounding box of all points is from 1 to 2. */
#define LEAST 0x1p-10f

/* Returns whether two triangles are large enough and have the same orientation. @a and @b are
 * their signed areas, results of area_of(). */
static bool
are_alike (float a, float b)
{
  return (a >= LEAST && b >= LEAST) || (a <= -LEAST && b <= -LEAST);
}

/* The next functions compute the numbers @m of a model from the pairs of a sample. They return
 * false if the sample is degenerate, that is, does not determine a model.
 * @x, @y: coordinates of the first points, relative to the origin of the model.
 * @u, @v: coordinates of the second points, to which the model moves the first points. */

static bool
fill_pair (int model, const float *x, const float *y, const float *u,
    const float *v, float zoom, float *m)
{
  float dx = x[1] - x[0], dy = y[1] - y[0];
  float du = u[1] - u[0], dv = v[1] - v[0];
  float from = dx * dx + dy * dy, to = du * du + dv * dv;
  float a = dx * du + dy * dv, b = dx * dv - dy * du, f;

  if (from < LEAST || to < LEAST)
    return false;
  f = model == RIGID ? zoom * inverse_root (a * a + b * b) : inverse_of (from);
  m[0] = m[4] = a * f;
  m[3] = b * f;
  m[1] = -m[3];
  m[2] = 0.5f * (u[0] + u[1]);
  m[5] = 0.5f * (v[0] + v[1]);
  return true;
}

static bool
fill_affine (const float *x, const float *y, const float *u, const float *v,
    float *m)
{
  float area = area_of (x, y, 0, 1, 2), f;

  if (!are_alike (area, area_of (u, v, 0, 1, 2)))
    return false;
  f = area > 0 ? inverse_of (area) : -inverse_of (-area);
  m[0] = ((u[1] - u[0]) * (y[2] - y[0]) - (u[2] - u[0]) * (y[1] - y[0])) * f;
  m[1] = ((u[2] - u[0]) * (x[1] - x[0]) - (u[1] - u[0]) * (x[2] - x[0])) * f;
  m[3] = ((v[1] - v[0]) * (y[2] - y[0]) - (v[2] - v[0]) * (y[1] - y[0])) * f;
  m[4] = ((v[2] - v[0]) * (x[1] - x[0]) - (v[1] - v[0]) * (x[2] - x[0])) * f;
  m[2] = u[0] - m[0] * x[0] - m[1] * y[0];
  m[5] = v[0] - m[3] * x[0] - m[4] * y[0];
  return true;
}

/* Computes a homography from two matrices. The columns of A are the first three points, the
 * columns of B the positions to which these points move. Each column is multiplied by the area
 * of the triangle that the fourth point forms with the two other points. The homography is B
 * times the adjugate of A. */
static bool
fill_homography (const float *x, const float *y, const float *u,
    const float *v, float *m)
{
  float a[3] = { area_of (x, y, 3, 1, 2), area_of (x, y, 0, 3, 2),
    area_of (x, y, 0, 1, 3)
  };
  float b[3] = { area_of (u, v, 3, 1, 2), area_of (u, v, 0, 3, 2),
    area_of (u, v, 0, 1, 3)
  };
  float h[9], f;

  if (!are_alike (a[0], b[0]) || !are_alike (a[1], b[1])
      || !are_alike (a[2], b[2])
      || !are_alike (area_of (x, y, 0, 1, 2), area_of (u, v, 0, 1, 2)))
    return false;
  for (int i = 0; i < 9; i++)
    h[i] = 0;
  for (int i = 0; i < 3; i++) {
    int j = i < 2 ? i + 1 : 0, k = i > 0 ? i - 1 : 2;
    float weight = b[i] * (a[j] * a[k]);
    float row[3] = { weight * (y[j] - y[k]), weight * (x[k] - x[j]),
      weight * (x[j] * y[k] - x[k] * y[j])
    };

    for (int c = 0; c < 3; c++) {
      h[c] += row[c] * u[i];
      h[3 + c] += row[c] * v[i];
      h[6 + c] += row[c];
    }
  }
  f = h[8] > 0 ? inverse_of (h[8]) : -inverse_of (-h[8]);
  for (int i = 0; i < 8; i++)
    m[i] = h[i] * f;
  return true;
}

/* Computes the 10 numbers of a model (m, x, y) from a sample of pairs, and writes them to
 * @numbers. @x and @y are the first points of the pairs, @u and @v the second points. @zoom is
 * the scale factor of models that do not estimate one. Returns false if the sample is
 * degenerate, that is, does not determine a model. */
static bool
fill_model (int model, float *x, float *y, const float *u, const float *v,
    float zoom, float *numbers)
{
  int size = sample_size (model);
  float share = size == 1 ? 1.0f : size == 2 ? 0.5f : size == 3 ?
      0.333333343f : 0.25f, sum_x = 0, sum_y = 0;

  for (int i = 0; i < size; i++) {
    sum_x += x[i];
    sum_y += y[i];
  }
  sum_x *= share;
  sum_y *= share;
  for (int i = 0; i < size; i++) {
    x[i] -= sum_x;
    y[i] -= sum_y;
  }
  numbers[8] = sum_x;
  numbers[9] = sum_y;
  numbers[1] = numbers[3] = numbers[6] = numbers[7] = 0;
  numbers[0] = numbers[4] = zoom;
  numbers[2] = u[0];
  numbers[5] = v[0];
  if (model == TRANSLATION)
    return true;
  return model == HOMOGRAPHY ? fill_homography (x, y, u, v, numbers)
      : model == AFFINE ? fill_affine (x, y, u, v, numbers)
      : fill_pair (model, x, y, u, v, zoom, numbers);
}

/* ---- Scores of models ---------------------------------------------------------- */

/* How well a model fits a pair of points.
 * (gx, gy), gz: the offset of the first point from the origin of the model, and 1, all divided
 * by w, the divisor of the model.
 * (u, v): position to which the model moves the first point.
 * (eu, ev): offset from this position to the second point.
 * e: the square of the length of this offset, divided by the square of twice the threshold; at
 * most 1. */
typedef struct
{
  floatn gx, gy, gz, u, v, eu, ev, e;
} Moved;

static Moved
move (const Model * model, floatn x, floatn y, floatn u, floatn v, float scale)
{
  floatn dx = x - model->x, dy = y - model->y, w, e;
  Moved p;

  w = model->m[6] * dx + model->m[7] * dy + 1.0f;
  p.gz = inverse (w > 1e-6f ? w : (floatn) (1.0f));
  p.gx = dx * p.gz;
  p.gy = dy * p.gz;
  p.u = (model->m[0] * dx + model->m[1] * dy + model->m[2]) * p.gz;
  p.v = (model->m[3] * dx + model->m[4] * dy + model->m[5]) * p.gz;
  p.eu = u - p.u;
  p.ev = v - p.v;
  e = (p.eu * p.eu + p.ev * p.ev) * scale;
  /* Limits e to 1, also if e is NaN. */
  e = e < 1.0f ? e : (floatn) (1.0f);
  p.e = w > 1e-6f ? e : (floatn) (1.0f);
  return p;
}

/* Returns the cost of a pair, a summand of the score: 0 if @e is 0, FAR_OFF if it is 1. */
static uintn
cost_of (floatn e)
{
  floatn near = 1.0f - e;

  return round_to_uint ((float) FAR_OFF - (float) FAR_OFF * near * near * near);
}

/* Returns whether there were enough draws (RANSAC's stopping rule). The rule: if @agree of n
 * pairs agree with the best model, the probability that no draw of n_stages stages consists
 * only of such pairs must be below 1e-4. */
static bool
is_enough (int model, uint agree, uint n, uint n_stages)
{
  float share = (float) agree * inverse_of ((float) n), miss, all = 1, good = 1;

  for (int i = 0; i < sample_size (model); i++)
    good *= share;
  miss = 1.0f - good;
  for (int i = 0; i < 8; i++) {
    /* Limits the probability from below: its square must not be subnormal. */
    miss = miss > 0x1p-50f ? miss : 0x1p-50f;
    miss *= miss;
  }
  for (uint i = 0; i < n_stages && all >= 1e-4f; i++)
    all *= miss;
  return all < 1e-4f;
}

#endif
