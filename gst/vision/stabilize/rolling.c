/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Fits the path of a camera with a rolling shutter. Positions and similarities are complex numbers:
 * a point p of a row that is read at the time t has the position a(t) p + b(t) in the scene, which
 * does not depend on time. The functions a and b are B-splines, so that this position is linear in
 * their coefficients. */
#include "rolling.h"

#include <math.h>
#include <string.h>

/* Maximum number of unknowns: two complex numbers for each coefficient */
#define MAX_UNKNOWNS (2 * MGPU_ROLLING_COEFFICIENTS)

/* Numbers of iterations of least squares: for the motion between two frames, and for the path */
#define FIRST_ROUNDS 4
#define ROUNDS 3

/* Weights, for each track, of the squares of fourth and second differences of coefficients. These
 * terms determine motions that tracks hardly determine, because they repeat in each frame. */
#define FOURTH 1e-3
#define SECOND 1e-7

/* Weight, for each track, of the equations that fix the first frame */
#define ANCHOR 10.0

/* Minimum number of tracks that agree with a path, and minimum fraction of all tracks */
#define LEAST_INLIERS 12
#define LEAST_SHARE 0.25

/* Minimum and maximum, in pixels, of the distance from the path beyond which a track has no weight,
 * and ratio of this distance to the median of all distances */
#define LEAST_LIMIT 0.25
#define MOST_LIMIT 3.0
#define LIMIT 6.0

/* Number of steps of mgpu_rolling_find() */
#define STEPS 3

/* Describes a position: its complex value, and the coefficients that its row depends on. */
typedef struct
{
  gdouble x, y;
  guint first;
  gdouble weights[4];
} Point;

/* Describes a track. */
typedef struct
{
  Point from, to;
  gdouble distance, weight;
  gboolean is_last;
} Track;

/* The normal equations: a Hermitian matrix, of which the lower half is used */
typedef struct
{
  guint n;
  gdouble re[MAX_UNKNOWNS][MAX_UNKNOWNS], im[MAX_UNKNOWNS][MAX_UNKNOWNS];
  gdouble x_re[MAX_UNKNOWNS], x_im[MAX_UNKNOWNS];
} Equations;

/* Weights of the coefficients, beginning with the first coefficient, which is a fixed similarity:
 * the identity */
static const gdouble fixed[4] = { 1, 0, 0, 0 };

/* Data of a fit: tracks, path and equations */
typedef struct
{
  Equations equations;
  Track *tracks;
  gdouble *distances;
} Scratch;

/* ---- Splines ----------------------------------------------------------------------- */

/* Sets @w to the weights of the four coefficients of an interval at the position @u in it, from 0
 * to 1; other values of @u extrapolate. */
static void
set_weights (gdouble u, gdouble w[4])
{
  gdouble v = 1 - u;

  w[0] = v * v * v / 6;
  w[1] = (3 * u * u * u - 6 * u * u + 4) / 6;
  w[2] = (3 * v * v * v - 6 * v * v + 4) / 6;
  w[3] = u * u * u / 6;
}

/* Finds the coefficients for the time @time, and their weights. Beyond its ends, the path is
 * extrapolated from its outermost intervals. */
static void
find_weights (const MgpuRollingPath * path, gdouble time, guint * first,
    gdouble w[4])
{
  gdouble u = (time + path->share / 2) * MGPU_ROLLING_KNOTS;
  gint last = (gint) path->n - 5, i = u >= 1 ? (gint) u : 0;

  i = MIN (i, last);
  *first = i + 1;
  set_weights (u - i, w);
}

/* Sets @value to the similarity at the time @time. */
static void
evaluate (const MgpuRollingPath * path, gdouble time, gdouble value[4])
{
  gdouble w[4];
  guint first;

  find_weights (path, time, &first, w);
  for (guint k = 0; k < 4; k++) {
    value[k] = 0;
    for (guint i = 0; i < 4; i++)
      value[k] += w[i] * path->values[first + i][k];
  }
}

/* Returns the time at which the row @y (in pixels from the middle row) of frame @i is read. */
static gdouble
get_time (const MgpuRollingPath * path, guint i, gdouble y)
{
  return i + path->share * y / path->height;
}

/* ---- Least squares ------------------------------------------------------------------- */

/* Adds to the equations the products of the coefficients of @p and @q, times @weight. */
static void
add_products (Equations * e, const Point * p, const Point * q, gdouble weight)
{
  /* conj (p) q, conj (p), q and 1 */
  const gdouble re = p->x * q->x + p->y * q->y;
  const gdouble im = p->x * q->y - p->y * q->x;

  for (guint i = 0; i < 4; i++)
    for (guint j = 0; j < 4; j++) {
      guint row = 2 * (p->first + i), column = 2 * (q->first + j);
      gdouble w = weight * p->weights[i] * q->weights[j];

      if (row < column)
        continue;
      e->re[row][column] += w * re;
      e->im[row][column] += w * im;
      e->re[row][column + 1] += w * p->x;
      e->im[row][column + 1] -= w * p->y;
      e->re[row + 1][column] += w * q->x;
      e->im[row + 1][column] += w * q->y;
      e->re[row + 1][column + 1] += w;
    }
}

/* Adds to the equations, for each @n adjacent coefficients, @weight times the square of their
 * difference, which has the @n factors @factors. */
static void
add_smoothness (Equations * e, const gdouble * factors, guint n, gdouble weight)
{
  for (guint first = 2; first + 2 * n <= e->n; first += 2)
    for (guint i = 0; i < n; i++)
      for (guint j = 0; j <= i; j++)
        for (guint k = 0; k < 2; k++)
          e->re[first + 2 * i + k][first + 2 * j + k] +=
              weight * factors[i] * factors[j];
}

/* Adds the square of the distance between the two positions of a track to the equations. */
static void
add_track (Equations * e, const Track * track)
{
  if (track->weight <= 0)
    return;
  add_products (e, &track->from, &track->from, track->weight);
  add_products (e, &track->to, &track->to, track->weight);
  add_products (e, &track->from, &track->to, -track->weight);
  add_products (e, &track->to, &track->from, -track->weight);
}

/* Makes the equations of @n tracks, and of two additional tracks, @anchors (nullable). */
static void
set_equations (Equations * e, const Track * tracks, guint n,
    const Track * anchors)
{
  static const gdouble fourth[] = { 1, -4, 6, -4, 1 };
  static const gdouble second[] = { 1, -2, 1 };
  gdouble total = 0;

  for (guint i = 0; i < e->n; i++) {
    memset (e->re[i], 0, sizeof (e->re[i]));
    memset (e->im[i], 0, sizeof (e->im[i]));
  }
  for (guint i = 0; i < n; i++) {
    total += tracks[i].weight;
    add_track (e, &tracks[i]);
  }
  for (guint i = 0; anchors != NULL && i < 2; i++)
    add_track (e, &anchors[i]);
  add_smoothness (e, fourth, 5, FOURTH * total);
  add_smoothness (e, second, 3, SECOND * total);
}

/* Solves the equations by Cholesky's decomposition. The first two unknowns are fixed at 1 and 0,
 * because without a fixed similarity all unknowns could be 0. Returns: FALSE if the equations have
 * no unique solution */
static gboolean
solve (Equations * e)
{
  e->x_re[0] = 1;
  e->x_re[1] = e->x_im[0] = e->x_im[1] = 0;
  for (guint i = 2; i < e->n; i++) {
    gdouble x_re = -e->re[i][0], x_im = -e->im[i][0];

    for (guint j = 2; j <= i; j++) {
      gdouble re = e->re[i][j], im = e->im[i][j];

      for (guint k = 2; k < j; k++) {
        re -= e->re[i][k] * e->re[j][k] + e->im[i][k] * e->im[j][k];
        im -= e->im[i][k] * e->re[j][k] - e->re[i][k] * e->im[j][k];
      }
      if (j < i) {
        e->re[i][j] = re / e->re[j][j];
        e->im[i][j] = im / e->re[j][j];
        x_re -= e->re[i][j] * e->x_re[j] - e->im[i][j] * e->x_im[j];
        x_im -= e->re[i][j] * e->x_im[j] + e->im[i][j] * e->x_re[j];
        continue;
      }
      if (!(re > 1e-12))
        return FALSE;
      e->re[i][i] = sqrt (re);
    }
    e->x_re[i] = x_re / e->re[i][i];
    e->x_im[i] = x_im / e->re[i][i];
  }
  for (guint i = e->n; i-- > 2;) {
    gdouble x_re = e->x_re[i], x_im = e->x_im[i];

    for (guint j = i + 1; j < e->n; j++) {
      x_re -= e->re[j][i] * e->x_re[j] + e->im[j][i] * e->x_im[j];
      x_im -= e->re[j][i] * e->x_im[j] - e->im[j][i] * e->x_re[j];
    }
    e->x_re[i] = x_re / e->re[i][i];
    e->x_im[i] = x_im / e->re[i][i];
  }
  return TRUE;
}

/* ---- Weights of tracks ------------------------------------------------------------- */

/* Adds to (@x, @y) the position of @point in the scene, which does not depend on time, times
 * @sign. */
static void
add_position (const MgpuRollingPath * path, const Point * point, gdouble sign,
    gdouble * x, gdouble * y)
{
  for (guint i = 0; i < 4; i++) {
    const gdouble *c = path->values[point->first + i];
    gdouble w = sign * point->weights[i];

    *x += w * (c[0] * point->x - c[1] * point->y + c[2]);
    *y += w * (c[1] * point->x + c[0] * point->y + c[3]);
  }
}

/* Returns the value that would be in the middle of @values if they were sorted. Changes their order. */
static gdouble
find_median (gdouble * values, guint n)
{
  guint low = 0, high = n - 1, middle = n / 2;

  while (low < high) {
    gdouble pivot = values[(low + high) / 2];
    guint i = low, j = high;

    while (i <= j) {
      while (values[i] < pivot)
        i++;
      while (values[j] > pivot)
        j--;
      if (i <= j) {
        gdouble value = values[i];

        values[i++] = values[j];
        values[j] = value;
        if (j == 0)
          break;
        j--;
      }
    }
    if (middle <= j)
      high = j;
    else if (middle >= i)
      low = i;
    else
      break;
  }
  return values[middle];
}

/* Measures the distances of tracks from the path, in pixels. Sets the member @residual of @path. */
static void
measure (MgpuRollingPath * path, Track * tracks, guint n, gdouble * distances)
{
  for (guint i = 0; i < n; i++) {
    gdouble x = 0, y = 0;

    add_position (path, &tracks[i].from, -1, &x, &y);
    add_position (path, &tracks[i].to, 1, &x, &y);
    tracks[i].distance = sqrt (x * x + y * y) * (path->height / 2.0);
    distances[i] = tracks[i].distance;
  }
  path->residual = find_median (distances, n);
}

/* Weights tracks by the inverse of their distance (@is_rough), or by Tukey's function. Sets the member
 * @n_inliers of @path. */
static void
weigh (MgpuRollingPath * path, Track * tracks, guint n, gboolean is_rough)
{
  gdouble limit = CLAMP (LIMIT * path->residual, LEAST_LIMIT, MOST_LIMIT);
  gdouble near = MAX (path->residual, LEAST_LIMIT / LIMIT);

  path->n_inliers = 0;
  for (guint i = 0; i < n; i++) {
    gdouble d = tracks[i].distance, rest = 1 - (d / limit) * (d / limit);

    tracks[i].weight = is_rough ? near / MAX (d, near)
        : rest > 0 ? rest * rest : 0;
    path->n_inliers += tracks[i].is_last && rest > 0;
  }
}

/* Performs one iteration of least squares, and weights tracks by their distances from the result.
 * Returns: FALSE if there are too few tracks */
static gboolean
improve (MgpuRollingPath * path, Track * tracks, guint n,
    const Track * anchors, gboolean is_rough, Scratch * scratch)
{
  Equations *e = &scratch->equations;

  e->n = 2 * path->n;
  set_equations (e, tracks, n, anchors);
  if (!solve (e))
    return FALSE;
  for (guint i = 0; i < path->n; i++) {
    path->values[i][0] = e->x_re[2 * i];
    path->values[i][1] = e->x_im[2 * i];
    path->values[i][2] = e->x_re[2 * i + 1];
    path->values[i][3] = e->x_im[2 * i + 1];
  }
  measure (path, tracks, n, scratch->distances);
  weigh (path, tracks, n, is_rough);
  return TRUE;
}

/* ---- Paths -------------------------------------------------------------------------- */

static void
set_point (const MgpuRollingPath * path, guint frame, const gfloat * place,
    gdouble zoom, Point * point)
{
  gdouble x = place[0] * zoom - (path->width - 1) / 2.0;
  gdouble y = place[1] * zoom - (path->height - 1) / 2.0;

  point->x = x / (path->height / 2.0);
  point->y = y / (path->height / 2.0);
  find_weights (path, get_time (path, frame, y), &point->first, point->weights);
}

/* Sets the members @from and @to of tracks to the positions of @list, between the frames @frame and @frame + 1
 * of @path. */
static void
set_tracks (const MgpuRollingPath * path, const MgpuRollingTracks * list,
    guint frame, Track * tracks)
{
  for (guint i = 0; i < list->n; i++) {
    const gfloat *pair = list->pairs + 4 * i;

    set_point (path, frame, pair, list->zoom, &tracks[i].from);
    set_point (path, frame + 1, pair + 2, list->zoom, &tracks[i].to);
  }
}

/* Sets the first weights of the tracks of two frames. Tracks have a weight if they agree with a
 * similarity that is a cubic function of the row in the first frame, because a path could also
 * follow tracks that do not agree with each other. Returns: FALSE if there are too few tracks */
static gboolean
find_agreement (const MgpuRollingPath * path, Track * tracks, guint n,
    Scratch * scratch)
{
  MgpuRollingPath motion = {.height = path->height,.n = 5 };
  Track *first = scratch->tracks;
  gboolean ok = TRUE;

  for (guint i = 0; i < n; i++) {
    first[i] = tracks[i];
    first[i].weight = 1;
    first[i].to.first = 0;
    memcpy (first[i].to.weights, fixed, sizeof (fixed));
    first[i].from.first = 1;
    set_weights (first[i].from.y / 2 + 0.5, first[i].from.weights);
  }
  for (guint round = 1; ok && round <= FIRST_ROUNDS; round++)
    ok = improve (&motion, first, n, NULL, round < FIRST_ROUNDS, scratch);
  for (guint i = 0; i < n; i++)
    tracks[i].weight = first[i].weight;
  return ok;
}

/* Adds two artificial tracks with a weight so large that the middle row of the first frame does not
 * move. If a coefficient were fixed instead, the positions of all rows could become almost
 * equal. */
static void
set_anchors (const MgpuRollingPath * path, guint n, Track anchors[2])
{
  for (guint i = 0; i < 2; i++) {
    anchors[i] = (Track) {
    .weight = ANCHOR * n};
    anchors[i].from.x = anchors[i].to.x = i == 0 ? 1 : -1;
    find_weights (path, 0, &anchors[i].from.first, anchors[i].from.weights);
    memcpy (anchors[i].to.weights, fixed, sizeof (fixed));
  }
}

gboolean
mgpu_rolling_fit (const MgpuRollingTracks * lists, guint n_frames,
    MgpuRollingPath * path)
{
  const guint n_last = lists[n_frames - 2].n;
  const guint n = lists[0].n + (n_frames > 2 ? n_last : 0);
  gboolean ok = n_last >= LEAST_INLIERS;
  Scratch *scratch = g_new (Scratch, 1);
  Track *tracks = g_new0 (Track, n + 1), *next = tracks, anchors[2];

  scratch->tracks = g_new (Track, n + 1);
  scratch->distances = g_new (gdouble, n + 1);
  path->n_frames = n_frames;
  path->n = (guint) ceil ((n_frames - 1 + path->share) * MGPU_ROLLING_KNOTS)
      + 4;
  for (guint i = 0; ok && i + 1 < n_frames; next += lists[i++].n) {
    set_tracks (path, &lists[i], i, next);
    ok = find_agreement (path, next, lists[i].n, scratch);
  }
  set_anchors (path, n, anchors);
  for (guint i = n - n_last; i < n; i++)
    tracks[i].is_last = TRUE;
  for (guint round = 0; ok && round < ROUNDS; round++)
    ok = improve (path, tracks, n, anchors, FALSE, scratch);
  g_free (scratch->distances);
  g_free (scratch->tracks);
  g_free (scratch);
  g_free (tracks);
  return ok && path->n_inliers >= LEAST_INLIERS
      && path->n_inliers >= LEAST_SHARE * n_last;
}

/* Sets @value to the similarity that moves positions seen at the time @time to positions seen at
 * the time @to. */
static void
get_between (const MgpuRollingPath * path, gdouble time, gdouble to,
    gdouble value[4])
{
  gdouble a[4], b[4], square, x, y;

  evaluate (path, time, a);
  evaluate (path, to, b);
  square = b[0] * b[0] + b[1] * b[1];
  x = a[2] - b[2];
  y = a[3] - b[3];
  value[0] = (a[0] * b[0] + a[1] * b[1]) / square;
  value[1] = (a[1] * b[0] - a[0] * b[1]) / square;
  value[2] = (x * b[0] + y * b[1]) / square * (path->height / 2.0);
  value[3] = (y * b[0] - x * b[1]) / square * (path->height / 2.0);
}

void
mgpu_rolling_get_motion (const MgpuRollingPath * path, guint i,
    gdouble motion[9])
{
  gdouble v[4];

  get_between (path, (gdouble) i - 1, i, v);
  {
    const gdouble m[9] = { v[0], -v[1], v[2], v[1], v[0], v[3], 0, 0, 1 };

    memcpy (motion, m, sizeof (m));
  }
}

void
mgpu_rolling_find (const MgpuRollingPath * path, guint i,
    const gdouble straight[2], gdouble place[2])
{
  /* Extends the range slightly beyond the frame, so that its edges are not at a kink of the
   * motion */
  const gdouble most = path->height / 2.0 + 32;

  place[0] = straight[0];
  place[1] = straight[1];
  for (guint step = 0; step < STEPS; step++) {
    gdouble y = CLAMP (place[1], -most, most), v[4];

    get_between (path, i, get_time (path, i, y), v);
    place[0] = v[0] * straight[0] - v[1] * straight[1] + v[2];
    place[1] = v[1] * straight[0] + v[0] * straight[1] + v[3];
  }
}

void
mgpu_rolling_get_reach (const MgpuRollingPath * path, guint i, gdouble most[2])
{
  gdouble x = (path->width - 1) / 2.0, y = (path->height - 1) / 2.0;

  most[0] = most[1] = 0;
  for (gint k = -8; k <= 8; k++)
    for (gint side = -1; side <= 1; side += 2) {
      const gdouble beside[2] = { side * x, k * y / 8 };
      const gdouble above[2] = { k * x / 8, side * y };
      gdouble place[2];

      mgpu_rolling_find (path, i, beside, place);
      most[0] = MAX (most[0], fabs (place[0] - beside[0]));
      mgpu_rolling_find (path, i, above, place);
      most[1] = MAX (most[1], fabs (place[1] - above[1]));
    }
}

/* ---- The readout time (share) -------------------------------------------------------- */

/* Minimum ratios, in the coarse and in the fine search, of the largest to the smallest sum of
 * squared residuals of the shares that are tried. If the ratio is smaller, the camera has moved too
 * little. */
#define LEAST_RANGE 2.0
#define LEAST_FINE_RANGE 1.04

/* Differences between successive shares that are tried */
#define COARSE 0.2
#define FINE 0.06

/* Smallest share; a smaller share is set to 0. */
#define LEAST_SHARE_FOUND 0.05

static gdouble
get_tried (const MgpuRollingSearch * self, guint i)
{
  return self->is_fine ? self->share + FINE * i : COARSE * i;
}

/* Sets *@best to the index of the smallest sum. Returns: whether the largest sum is more than
 * @range times as large as the smallest sum */
static gboolean
find_best (const MgpuRollingSearch * self, gdouble range, guint * best)
{
  guint worst = 0;

  *best = 0;
  for (guint i = 1; i < MGPU_ROLLING_SHARES; i++) {
    if (self->sums[i] < self->sums[*best])
      *best = i;
    if (self->sums[i] > self->sums[worst])
      worst = i;
  }
  return self->sums[worst] > range * self->sums[*best];
}

/* Finds the minimum of the parabola through the sums around the smallest sum, which has the index
 * @best. Returns: FALSE if the parabola has no minimum */
static gboolean
refine (MgpuRollingSearch * self, guint best)
{
  gint middle = CLAMP ((gint) best, 1, MGPU_ROLLING_SHARES - 2);
  const gdouble *sums = self->sums + middle;
  gdouble bend = sums[-1] - 2 * sums[0] + sums[1];

  if (!(bend > 0))
    return FALSE;
  self->share += FINE * (middle + CLAMP ((sums[-1] - sums[1]) / (2 * bend), -1,
          1));
  if (self->share < LEAST_SHARE_FOUND)
    self->share = 0;
  return TRUE;
}

/* Ends the coarse or the fine half of the search. */
static MgpuRollingAnswer
decide (MgpuRollingSearch * self)
{
  guint best;

  if (!find_best (self, self->is_fine ? LEAST_FINE_RANGE : LEAST_RANGE, &best)
      || (self->is_fine && !refine (self, best))) {
    self->is_fine = FALSE;
    return MGPU_ROLLING_UNKNOWN;
  }
  if (self->is_fine) {
    self->is_found = TRUE;
    return MGPU_ROLLING_FOUND;
  }
  self->share = CLAMP (COARSE * best - FINE * (MGPU_ROLLING_SHARES - 1) / 2, 0,
      1 - FINE * (MGPU_ROLLING_SHARES - 1));
  self->is_fine = TRUE;
  return MGPU_ROLLING_OPEN;
}

MgpuRollingAnswer
mgpu_rolling_search_add (MgpuRollingSearch * self,
    const MgpuRollingTracks * tracks, gint width, gint height)
{
  gdouble squares[MGPU_ROLLING_SHARES];
  MgpuRollingAnswer answer;

  for (guint i = 0; i < MGPU_ROLLING_SHARES; i++) {
    MgpuRollingPath path = {.width = width,.height = height,
      .share = get_tried (self, i)
    };

    if (!mgpu_rolling_fit (tracks, MGPU_ROLLING_FRAMES, &path))
      return MGPU_ROLLING_OPEN;
    squares[i] = path.residual * path.residual;
  }
  for (guint i = 0; i < MGPU_ROLLING_SHARES; i++)
    self->sums[i] += squares[i];
  if (++self->n < MGPU_ROLLING_SEARCH / 2)
    return MGPU_ROLLING_OPEN;
  answer = decide (self);
  self->n = 0;
  memset (self->sums, 0, sizeof (self->sums));
  return answer;
}
