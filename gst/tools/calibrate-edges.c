/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Corrects corners of tags for the distortion of the lens, because mgputags intersects straight
 * lines through edges that the lens bends. */
#include "calibrate.h"

#include <math.h>

/* Number of points along an edge to which a line is fitted */
#define N_SAMPLES 16

/* A line through @at in the direction @along */
typedef struct
{
  gdouble at[2], along[2];
} Line;

/* Fits a line to the image of an edge in @view, as @camera sees it. The edge goes from @from to @to
 * on the board. */
static Line
fit_edge (const CalibrateView * view, const MgpuCamera * camera, guint n,
    const gdouble from[2], const gdouble to[2])
{
  gdouble ends[2][2], u[2], t[N_SAMPLES], d[N_SAMPLES], length, mt = 0, md =
      0, tt = 0, td = 0;

  calibrate_project (view, camera, n, from, ends[0]);
  calibrate_project (view, camera, n, to, ends[1]);
  length = hypot (ends[1][0] - ends[0][0], ends[1][1] - ends[0][1]);
  for (guint k = 0; k < 2; k++)
    u[k] = (ends[1][k] - ends[0][k]) / length;
  for (guint i = 0; i < N_SAMPLES; i++) {
    gdouble part = (i + 0.5) / N_SAMPLES, place[2];
    const gdouble board[2] = { from[0] + part * (to[0] - from[0]),
      from[1] + part * (to[1] - from[1])
    };

    calibrate_project (view, camera, n, board, place);
    for (guint k = 0; k < 2; k++)
      place[k] -= ends[0][k];
    t[i] = place[0] * u[0] + place[1] * u[1];
    d[i] = place[1] * u[0] - place[0] * u[1];
    mt += t[i] / N_SAMPLES;
    md += d[i] / N_SAMPLES;
  }
  for (guint i = 0; i < N_SAMPLES; i++) {
    tt += (t[i] - mt) * (t[i] - mt);
    td += (t[i] - mt) * (d[i] - md);
  }
  return (Line) { {
  ends[0][0] + mt * u[0] - md * u[1], ends[0][1] + mt * u[1] + md * u[0]}
  , {
  tt *u[0] - td * u[1], tt * u[1] + td * u[0]}
  };
}

/* Sets @place to the intersection of two lines. */
static void
intersect (const Line * a, const Line * b, gdouble place[2])
{
  gdouble x = b->at[0] - a->at[0], y = b->at[1] - a->at[1];
  gdouble t = (x * b->along[1] - y * b->along[0])
      / (a->along[0] * b->along[1] - a->along[1] * b->along[0]);

  for (guint k = 0; k < 2; k++)
    place[k] = a->at[k] + t * a->along[k];
}

/* Corrects the four corners @points of a tag. */
static void
unbend_tag (const CalibrateView * view, const MgpuCamera * camera, guint n,
    CalibratePoint * points)
{
  Line edges[4];

  for (guint i = 0; i < 4; i++)
    edges[i] = fit_edge (view, camera, n, points[i].board,
        points[(i + 1) % 4].board);
  for (guint i = 0; i < 4; i++) {
    gdouble is[2], shown[2];

    calibrate_project (view, camera, n, points[i].board, is);
    intersect (&edges[(i + 3) % 4], &edges[i], shown);
    for (guint k = 0; k < 2; k++) {
      gdouble shift = shown[k] - is[k];

      if (!isfinite (shift))
        continue;
      points[i].place[k] += points[i].shift[k] - shift;
      points[i].shift[k] = shift;
    }
  }
}

gboolean
calibrate_unbend (CalibrateViews * views, const MgpuCamera * camera,
    guint n_coefficients)
{
  gboolean has_tags = FALSE;

  for (guint i = 0; i < views->views->len; i++) {
    CalibrateView *view = g_ptr_array_index (views->views, i);

    for (guint k = 0; view->has_tags && k + 3 < view->points->len; k += 4)
      unbend_tag (view, camera, n_coefficients,
          &g_array_index (view->points, CalibratePoint, k));
    has_tags = has_tags || view->has_tags;
  }
  return has_tags;
}
