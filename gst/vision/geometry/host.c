/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Fits models on the host, with the same bits as the kernels. A small fit takes less time on
 * the host than a device needs to start. */
#include "geometry-private.h"

#include <stdbool.h>
#include <string.h>

#include <kernels/base/base-shared.h>

/* Defines the OpenCL types and functions that kernels/geometry/model.h uses: the host compiles
 * this file as C */
typedef gfloat floatn;
typedef guint32 uintn;
typedef guint64 ulong;

static inline guint32
as_uint (gfloat x)
{
  guint32 bits;

  memcpy (&bits, &x, sizeof (bits));
  return bits;
}

static inline gfloat
as_float (guint32 bits)
{
  gfloat x;

  memcpy (&x, &bits, sizeof (x));
  return x;
}

#define as_uintn as_uint
#define as_floatn as_float

static inline guint32
round_to_uint (gfloat x)
{
  return as_uint (x + ROUND_BIAS) - as_uint (ROUND_BIAS);
}

#define ON_HOST
#include <kernels/geometry/model.h>
#include <kernels/geometry/polish.h>

/* A fit: its parameters and its pairs of points. */
typedef struct
{
  const MgpuGeometryParams *params;
  guint n;
  const gfloat *rows[4];        /* x and y of the first points of all pairs, then x and y
                                 * of the second points */
  gfloat scale, zoom;
} Fit;

/* Number of times that mgpu_geometry_refine() scores a model: before the first, between, and after
 * the last Gauss-Newton step */
#define REFINE_PASSES 4

/* The best draw (model of a random sample of pairs) of a group of draws: its number and its
 * score. */
typedef struct
{
  guint64 score;
  guint draw;
} Best;

/* Draws random sample number @d of a fit (RANSAC), again if the pairs are degenerate, and sets
 * @numbers to the parameters of its model. Returns: FALSE if no sample determines a model */
static gboolean
draw_model (const Fit * fit, guint d, gfloat * numbers)
{
  gint size = sample_size (fit->params->model);
  guint n_draws = fit->params->max_draws;
  guint32 best = count_best (fit->n, n_draws, d), sample[4];
  gfloat places[4][4];
  gboolean is_made = FALSE;

  for (guint k = 0; k < TRIES && !is_made; k++) {
    draw_sample (best, fit->params->seed, d + k * n_draws, size, sample);
    for (guint r = 0; r < 4; r++)
      for (gint i = 0; i < size; i++)
        places[r][i] = fit->rows[r][sample[i]];
    is_made = fill_model (fit->params->model, places[0], places[1], places[2],
        places[3], fit->zoom, numbers);
  }
  return is_made;
}

static Moved
move_pair (const Fit * fit, const Model * model, guint i)
{
  return move (model, fit->rows[0][i], fit->rows[1][i], fit->rows[2][i],
      fit->rows[3][i], fit->scale);
}

static void
set_model (Model * model, const gfloat * numbers)
{
  memcpy (model->m, numbers, sizeof (model->m));
  model->x = numbers[8];
  model->y = numbers[9];
}

/* Computes the score of draw number @d (the model of a random sample of pairs). Sets @agree to
 * the number of pairs of points that agree with the model.
 * Returns: the score, the sum of the costs of all pairs; G_MAXUINT64 if the draw gives no model */
static guint64
score_draw (const Fit * fit, guint d, guint * agree)
{
  gfloat numbers[10];
  guint64 score = 0;
  Model model;

  *agree = 0;
  if (d >= fit->params->max_draws || !draw_model (fit, d, numbers))
    return G_MAXUINT64;
  set_model (&model, numbers);
  for (guint i = 0; i < fit->n; i++) {
    Moved p = move_pair (fit, &model, i);

    score += cost_of (p.e);
    *agree += p.e < 0.25f;
  }
  return score;
}

/* Finds the draw (random sample of pairs) with the lowest score in each group
 * of draws. */
static void
find_bests (const Fit * fit, Best * bests)
{
  guint64 best = G_MAXUINT64, score;
  guint agree = 0, here;

  for (guint i = 0; i < GROUPS; i++)
    bests[i] = (Best) {
    G_MAXUINT64, 0};
  for (guint d = 0; d < fit->params->max_draws; d++) {
    if (d > 0 && d % STAGE == 0
        && is_enough (fit->params->model, agree, fit->n, d / STAGE))
      break;
    score = score_draw (fit, d, &here);
    if (score < bests[d % GROUPS].score)
      bests[d % GROUPS] = (Best) {
      score, d};
    if (score < best) {
      best = score;
      agree = here;
    }
  }
}

/* Computes the score of the current model, @numbers. Sets @all to the sums, over all pairs of
 * points, from which take_step() computes the next model.
 * Returns: the score */
static guint64
sum_pairs (const Fit * fit, const gfloat * numbers, gfloat * all)
{
  gfloat sums[SUM_LANES][N_SUMS] = { {0,}, };
  guint64 score = 0;
  Model model;

  set_model (&model, numbers);
  for (guint i = 0; i < fit->n; i++) {
    Moved p = move_pair (fit, &model, i);

    score += cost_of (p.e);
    add_pair (fit->params->model, &p, 1, sums[i % SUM_LANES]);
  }
  for (guint apart = SUM_LANES / 2; apart > 0; apart /= 2)
    for (guint lane = 0; lane < apart; lane++)
      for (guint k = 0; k < N_SUMS; k++)
        sums[lane][k] += sums[lane + apart][k];
  memcpy (all, sums[0], sizeof (sums[0]));
  return score;
}

/* Refines the model @numbers by @n_passes - 1 Gauss-Newton steps, and scores it before, between
 * and after the steps. Sets @numbers to the model with the lowest score. Returns: this score */
static guint64
polish (const Fit * fit, guint n_passes, gfloat * numbers)
{
  gfloat kept[10], all[N_SUMS];
  guint64 lowest = G_MAXUINT64;

  for (guint pass = 0; pass < n_passes; pass++) {
    guint64 score = sum_pairs (fit, numbers, all);

    if (score < lowest)
      memcpy (kept, numbers, sizeof (kept));
    lowest = MIN (score, lowest);
    take_step (fit->params->model, fit->zoom, all, numbers);
  }
  memcpy (numbers, kept, sizeof (kept));
  return lowest;
}

/* Refines the model of the best draw (random sample of pairs) of a group of draws, and writes
 * the result of the group to @result. */
static void
finish_group (const Fit * fit, const Best * best, gint32 * result)
{
  gfloat numbers[10] = { 0, };
  guint64 score = G_MAXUINT64;

  if (best->score < G_MAXUINT64) {
    draw_model (fit, best->draw, numbers);
    score = polish (fit, PASSES, numbers);
  }
  memcpy (result, numbers, sizeof (numbers));
  result[10] = score;
  result[11] = score >> 32;
}

static void
set_fit (Fit * fit, const MgpuGeometryParams * params, const gint32 * words,
    const gfloat * floats)
{
  fit->params = params;
  fit->n = words[N_PAIRS];
  for (guint r = 0; r < 4; r++)
    fit->rows[r] = floats + words[FIRST] + r * words[PITCH];
  fit->scale = as_float (words[SCALE]);
  fit->zoom = as_float (words[ZOOM]);
}

void
mgpu_geometry_fit_on_host (const MgpuGeometryParams * params,
    const gint32 * words, const gfloat * floats, gint32 * results)
{
  Best bests[GROUPS];
  Fit fit;

  set_fit (&fit, params, words, floats);
  find_bests (&fit, bests);
  for (guint i = 0; i < GROUPS; i++)
    finish_group (&fit, &bests[i], results + RESULT * i);
}

void
mgpu_geometry_refine (const MgpuGeometryParams * params, const gint32 * words,
    const gfloat * floats, gfloat * numbers)
{
  gdouble sum = 0, all = 0;
  Model model;
  Fit fit;

  set_fit (&fit, params, words, floats);
  set_model (&model, numbers);
  for (guint i = 0; i < fit.n; i++) {
    gdouble e = move_pair (&fit, &model, i).e, near = (1 - e) * (1 - e);

    all += near * near;
    sum += near * near * e;
  }
  /* Changes the unit of e, the squared residual of a pair. Before, e = 1 meant a residual of
   * twice the threshold; now it means 7 standard deviations of the residuals, within limits. */
  fit.scale *= sum * 98 > all ? MAX (2 * all / (49 * sum), 0.25) : 4.0;
  polish (&fit, REFINE_PASSES, numbers);
}
