/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Fits models on the host, with the same bits as the kernels: a small fit takes
 * less time on the host than a device needs to start. */
#include "private.h"

#include <stdbool.h>
#include <string.h>

#include <kernels/base/shared.h>

/* Defines the OpenCL types and functions that kernels/geometry/model.h uses, so
 * that the host compiles this file as C */
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

/* Holds a fit: its parameters and its pairs. */
typedef struct
{
  const MgpuGeometryParams *params;
  guint n;
  const gfloat *rows[4];        /* x and y of the first points of all pairs, then x and y
                                 * of the second points */
  gfloat scale, zoom;
} Fit;

/* Holds the number and the score of the best draw (random sample of pairs) of a group of
 * draws. */
typedef struct
{
  guint64 score;
  guint draw;
} Best;

static gboolean
draw_model (const Fit * fit, guint d, gfloat * numbers)
{
  gint size = sample_size (fit->params->model);
  gfloat places[4][4];
  guint32 sample[4];

  draw_sample (count_best (fit->n, fit->params->max_draws, d),
      fit->params->seed, d, size, sample);
  for (guint r = 0; r < 4; r++)
    for (gint i = 0; i < size; i++)
      places[r][i] = fit->rows[r][sample[i]];
  return fill_model (fit->params->model, places[0], places[1], places[2],
      places[3], fit->zoom, numbers);
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

/* Sets @agree to the number of pairs that agree with the model of draw number
 * d. Returns: the score of this model, the sum of the costs of all pairs;
 * G_MAXUINT64 where the draw gives no model */
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

/* Sets @all to the sums over all pairs from which take_step() computes the next
 * model. Returns: the score of the present model, whose numbers are in
 * @numbers */
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

static void
polish (const Fit * fit, const Best * best, gint32 * result)
{
  gfloat numbers[10], kept[10] = { 0, }, all[N_SUMS];
  guint64 lowest = G_MAXUINT64;

  if (best->score < G_MAXUINT64) {
    draw_model (fit, best->draw, numbers);
    for (guint pass = 0; pass < PASSES; pass++) {
      guint64 score = sum_pairs (fit, numbers, all);

      if (score < lowest)
        memcpy (kept, numbers, sizeof (kept));
      lowest = MIN (score, lowest);
      take_step (fit->params->model, fit->zoom, all, numbers);
    }
  }
  memcpy (result, kept, sizeof (kept));
  result[10] = lowest;
  result[11] = lowest >> 32;
}

void
mgpu_geometry_fit_on_host (const MgpuGeometryParams * params,
    const gint32 * words, const gfloat * floats, gint32 * results)
{
  Fit fit = { params, words[N_PAIRS] };
  Best bests[GROUPS];

  for (guint r = 0; r < 4; r++)
    fit.rows[r] = floats + words[FIRST] + r * words[PITCH];
  fit.scale = as_float (words[SCALE]);
  fit.zoom = as_float (words[ZOOM]);
  find_bests (&fit, bests);
  for (guint i = 0; i < GROUPS; i++)
    polish (&fit, &bests[i], results + RESULT * i);
}
