/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Computes a cascade for part models whose files have none; a cascade rules out most cells
 * early. Principal component analysis gives the axes along which the weights of the filters
 * differ most. The filters are projected on these axes. A bound limits by how much the omitted
 * axes can change a score. */
#include "model.h"

#include <math.h>
#include <string.h>

#define N MGPU_DPM_FEATURES

/* Number of reduced features, out of 32 features. In the three models that come with the
 * demonstration of voc-dpm, 12 features keep 83 to 87 % of the sum of the squared weights. */
#define LEFT 12

/* Bound of the contribution of the omitted weights to a score, as a multiple of the norm of
 * these weights. Hardly any object found by the three models of voc-dpm's demonstration exceeds
 * it. */
#define GAIN 0.15

/* Number of sweeps of Jacobi's method over all pairs of axes. This number is enough for double
 * precision. */
#define ROUNDS 30

static void
add_squares (const MgpuDpmFilter * filter, gdouble sums[N][N])
{
  for (gint i = 0; i < filter->rows * filter->columns; i++) {
    const gfloat *w = filter->weights + N * i;

    for (guint a = 0; a < N; a++)
      for (guint b = 0; b < N; b++)
        sums[a][b] += (gdouble) w[a] * w[b];
  }
}

/* Applies the Jacobi rotation with @cosine and @sine to the rows @p and @q of matrix @m
 * if @rows is TRUE, otherwise to its columns @p and @q. */
static void
turn (gdouble m[N][N], guint p, guint q, gboolean rows, gdouble cosine,
    gdouble sine)
{
  for (guint k = 0; k < N; k++) {
    gdouble *a = rows ? &m[p][k] : &m[k][p], *b = rows ? &m[q][k] : &m[k][q];
    gdouble was = *a;

    *a = cosine * was - sine * *b;
    *b = sine * was + cosine * *b;
  }
}

/* Finds the eigenvectors of the symmetric matrix @m by Jacobi's method, and writes them to the
 * columns of @axes. Changes @m to a diagonal matrix, whose diagonal has the eigenvalues. */
static void
find_axes (gdouble m[N][N], gdouble axes[N][N])
{
  memset (axes, 0, N * N * sizeof (gdouble));
  for (guint i = 0; i < N; i++)
    axes[i][i] = 1;
  for (guint round = 0; round < ROUNDS; round++)
    for (guint p = 0; p < N - 1; p++)
      for (guint q = p + 1; q < N; q++) {
        gdouble middle, tangent, cosine;

        if (fabs (m[p][q]) < 1e-15)
          continue;
        middle = (m[q][q] - m[p][p]) / (2 * m[p][q]);
        tangent = (middle < 0 ? -1 : 1)
            / (fabs (middle) + sqrt (middle * middle + 1));
        cosine = 1 / sqrt (tangent * tangent + 1);
        turn (m, p, q, FALSE, cosine, tangent * cosine);
        turn (m, p, q, TRUE, cosine, tangent * cosine);
        turn (axes, p, q, FALSE, cosine, tangent * cosine);
      }
}

/* Copies the LEFT eigenvectors with the largest eigenvalues to the columns of the matrix @pca,
 * in order of decreasing eigenvalues. The eigenvectors are the columns of @axes, the
 * eigenvalues the diagonal of @squares. */
static void
choose_axes (gdouble squares[N][N], gdouble axes[N][N], gfloat * pca)
{
  gboolean taken[N] = { FALSE, };

  for (guint i = 0; i < LEFT; i++) {
    guint best = N;

    for (guint k = 0; k < N; k++)
      if (!taken[k] && (best == N || squares[k][k] > squares[best][best]))
        best = k;
    taken[best] = TRUE;
    for (guint k = 0; k < N; k++)
      pca[LEFT * k + i] = axes[k][best];
  }
}

/* Projects @filter on the principal components in model->pca, and writes the result to the
 * filter @pca. Returns: the norm of the weights that the projection omits */
static gdouble
reduce (const MgpuDpmModel * model, const MgpuDpmFilter * filter,
    MgpuDpmFilter * pca)
{
  gdouble whole = 0, left = 0;

  mgpu_dpm_filter_init (pca, filter->rows, filter->columns, LEFT);
  for (gint i = 0; i < filter->rows * filter->columns; i++) {
    const gfloat *w = filter->weights + N * i;

    for (guint k = 0; k < LEFT; k++) {
      gdouble sum = 0;

      for (guint f = 0; f < N; f++)
        sum += (gdouble) w[f] * model->pca[LEFT * f + k];
      pca->weights[LEFT * i + k] = sum;
      left += sum * sum;
    }
    for (guint f = 0; f < N; f++)
      whole += (gdouble) w[f] * w[f];
  }
  return sqrt (MAX (whole - left, 0));
}

/* Creates the reduced filters and the score limits of a cascade, for a model whose file has
 * none. */
static void
make_cascade (MgpuDpmModel * model)
{
  gdouble squares[N][N] = { {0,}, }, axes[N][N];

  for (guint i = 0; i < model->n_components; i++) {
    const MgpuDpmComponent *c = model->components + i;

    add_squares (&c->root, squares);
    for (guint j = 0; j < c->n_parts; j++)
      add_squares (&c->parts[j].filter, squares);
  }
  find_axes (squares, axes);
  model->n_pca = LEFT;
  model->pca = g_new (gfloat, N * LEFT);
  choose_axes (squares, axes, model->pca);

  for (guint i = 0; i < model->n_components; i++) {
    MgpuDpmComponent *c = model->components + i;
    gdouble out = reduce (model, &c->root, &c->root_pca);

    c->order = g_new (guint, c->n_parts);
    c->limits = g_new (gfloat, c->n_parts + 1);
    for (guint j = 0; j < c->n_parts; j++) {
      out += reduce (model, &c->parts[j].filter, &c->parts[j].pca);
      c->order[j] = j;
      c->limits[j] = MGPU_DPM_NO_LIMIT;
    }
    c->limits[c->n_parts] = model->threshold - GAIN * out;
  }
}

void
mgpu_dpm_model_finish (MgpuDpmModel * model)
{
  if (model->pca == NULL)
    make_cascade (model);
  mgpu_dpm_model_clean (model);
}
