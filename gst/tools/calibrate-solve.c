/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Finds a camera from views of a board: Levenberg-Marquardt with a Schur complement over the views, from
 * homographies. */
#include "calibrate.h"

#include <gio/gio.h>
#include <math.h>
#include <string.h>

/* Numbers of parameters that the solver estimates: at most MAX_CAMERA of the camera (focal lengths, principal
 * point, distortion coefficients), and POSE of each view (rotation, translation) */
#define MAX_CAMERA 12
#define POSE 6
#define MAX_ALL (MAX_CAMERA + POSE)

/* Least number of views, and of points in a view */
#define MIN_VIEWS 3
#define MIN_POINTS 4

/* Maximum number of steps, the relative change of the error that ends the iteration, and the
 * maximum damping */
#define MAX_STEPS 100
#define LEAST_CHANGE 1e-10
#define MAX_DAMPING 1e12

/* State of the solver: the camera as an array of numbers, and the blocks of all views in the normal
 * equations */
typedef struct
{
  MgpuLens lens;
  guint n;                      /* number of camera parameters */
  gdouble camera[MAX_CAMERA];
  gboolean is_fixed;            /* whether only poses are estimated */
} Solver;

/* The blocks of the normal equations of a view: camera by pose, pose by pose, and the gradient of the pose */
typedef struct
{
  gdouble mixed[MAX_CAMERA][POSE], pose[POSE][POSE], gradient[POSE];
  gdouble step[POSE];
} Block;

CalibrateView *
calibrate_view_new (const gchar * name)
{
  CalibrateView *view = g_new0 (CalibrateView, 1);

  view->name = g_strdup (name);
  view->points = g_array_new (FALSE, FALSE, sizeof (CalibratePoint));
  return view;
}

void
calibrate_view_free (CalibrateView * view)
{
  g_free (view->name);
  g_array_unref (view->points);
  g_free (view);
}

void
calibrate_views_init (CalibrateViews * self)
{
  *self = (CalibrateViews) {
  NULL, 0, 0};
  self->views = g_ptr_array_new_with_free_func ((GDestroyNotify)
      calibrate_view_free);
}

void
calibrate_views_clear (CalibrateViews * self)
{
  g_ptr_array_unref (self->views);
}

/* ---- Linear algebra --------------------------------------------------------------- */

/* Solves the equations @a x = @b with the symmetric matrix @a of @n rows, @stride numbers apart, by
 * Cholesky's decomposition, in place. Returns: FALSE if @a is not positive definite */
static gboolean
solve (gdouble * a, guint n, guint stride, gdouble * b)
{
  for (guint i = 0; i < n; i++)
    for (guint j = 0; j <= i; j++) {
      gdouble sum = a[i * stride + j];

      for (guint k = 0; k < j; k++)
        sum -= a[i * stride + k] * a[j * stride + k];
      if (i == j && !(sum > 0))
        return FALSE;
      a[i * stride + j] = i == j ? sqrt (sum) : sum / a[j * stride + j];
    }
  for (guint i = 0; i < n; i++) {
    for (guint k = 0; k < i; k++)
      b[i] -= a[i * stride + k] * b[k];
    b[i] /= a[i * stride + i];
  }
  for (guint i = n; i-- > 0;) {
    for (guint k = i + 1; k < n; k++)
      b[i] -= a[k * stride + i] * b[k];
    b[i] /= a[i * stride + i];
  }
  return TRUE;
}

/* ---- Projection ------------------------------------------------------------------- */

/* Sets @m to the rotation matrix of the rotation vector @r (Rodrigues). */
static void
make_rotation (const gdouble r[3], gdouble m[9])
{
  gdouble angle = sqrt (r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
  gdouble s = sin (angle), c = cos (angle), k[3] = { 0, 0, 1 };

  for (guint i = 0; i < 3 && angle > 1e-12; i++)
    k[i] = r[i] / angle;
  for (guint i = 0; i < 9; i++)
    m[i] = (i % 4 == 0 ? c : 0) + (1 - c) * k[i / 3] * k[i % 3];
  m[1] -= s * k[2];
  m[2] += s * k[1];
  m[3] += s * k[2];
  m[5] -= s * k[0];
  m[6] -= s * k[1];
  m[7] += s * k[0];
}

/* Sets @p to the position of the point @board of a board with the rotation @m and the pose @pose,
 * in camera coordinates. */
static void
move (const gdouble m[9], const gdouble pose[POSE], const gdouble board[2],
    gdouble p[3])
{
  for (guint k = 0; k < 3; k++)
    p[k] = m[3 * k] * board[0] + m[3 * k + 1] * board[1] + pose[3 + k];
}

/* Projects the point @p, which is in front of the camera @c, to the position @place. */
static void
project (MgpuLens lens, const gdouble * c, guint n, const gdouble p[3],
    gdouble place[2])
{
  gdouble k[8] = { 0 }, x, y, q, f;

  memcpy (k, c + 4, (n - 4) * sizeof (*k));
  if (lens == MGPU_LENS_FISHEYE) {
    gdouble r = hypot (p[0], p[1]), angle = atan2 (r, p[2]);

    q = angle * angle;
    f = angle * (1 + q * (k[0] + q * (k[1] + q * (k[2] + q * k[3]))));
    f = r > 1e-9 ? f / r : 1 / MAX (p[2], 1e-9);
    x = p[0] * f;
    y = p[1] * f;
  } else {
    gdouble z = fabs (p[2]) < 1e-6 ? 1e-6 : p[2];

    x = p[0] / z;
    y = p[1] / z;
    q = x * x + y * y;
    f = (1 + q * (k[0] + q * (k[1] + q * k[4])))
        / (1 + q * (k[5] + q * (k[6] + q * k[7])));
    p = (gdouble[2]) {
    x, y};
    x = p[0] * f + 2 * k[2] * p[0] * p[1] + k[3] * (q + 2 * p[0] * p[0]);
    y = p[1] * f + k[2] * (q + 2 * p[1] * p[1]) + 2 * k[3] * p[0] * p[1];
  }
  place[0] = c[0] * x + c[2];
  place[1] = c[1] * y + c[3];
}

/* Sets @errors, two for each point of @view, to the differences between the projection by the
 * camera @c and the measured position.
 * Returns: the sum of their squares */
static gdouble
find_errors (const Solver * self, const gdouble * c, const gdouble pose[POSE],
    const CalibrateView * view, gdouble * errors)
{
  gdouble m[9], sum = 0;

  make_rotation (pose, m);
  for (guint i = 0; i < view->points->len; i++) {
    const CalibratePoint *point = &g_array_index (view->points, CalibratePoint,
        i);
    gdouble p[3], place[2];

    move (m, pose, point->board, p);
    project (self->lens, c, self->n, p, place);
    for (guint k = 0; k < 2; k++) {
      gdouble error = place[k] - point->place[k];

      sum += error * error;
      if (errors != NULL)
        errors[2 * i + k] = error;
    }
  }
  return sum;
}

/* ---- Start ------------------------------------------------------------------------ */

/* Sets @h to the homography from the board to the normalized image positions @q, by least
 * squares. */
static gboolean
find_homography (const CalibrateView * view, const gdouble * q, gdouble h[9])
{
  gdouble a[8][8] = { {0} }, b[8] = { 0 }, middle[2] = { 0, 0 }, size = 0;
  guint n = view->points->len;

  for (guint i = 0; i < 2 * n; i++)
    middle[i % 2] += g_array_index (view->points, CalibratePoint,
        i / 2).board[i % 2] / n;
  for (guint i = 0; i < 2 * n; i++)
    size += fabs (g_array_index (view->points, CalibratePoint,
            i / 2).board[i % 2] - middle[i % 2]) / n;
  if (!(size > 0))
    return FALSE;
  for (guint i = 0; i < n; i++) {
    const gdouble *board =
        g_array_index (view->points, CalibratePoint, i).board;
    gdouble u = (board[0] - middle[0]) / size, v =
        (board[1] - middle[1]) / size;

    for (guint k = 0; k < 2; k++) {
      gdouble to = q[2 * i + k], row[8] = { 0 };

      row[3 * k] = u;
      row[3 * k + 1] = v;
      row[3 * k + 2] = 1;
      row[6] = -to * u;
      row[7] = -to * v;
      for (guint r = 0; r < 8; r++) {
        for (guint s = 0; s < 8; s++)
          a[r][s] += row[r] * row[s];
        b[r] += row[r] * to;
      }
    }
  }
  if (!solve (a[0], 8, 8, b))
    return FALSE;
  memcpy (h, b, sizeof (b));
  h[8] = 1;
  for (guint i = 0; i < 9; i += 3) {
    h[i] /= size;
    h[i + 1] /= size;
    h[i + 2] -= h[i] * middle[0] + h[i + 1] * middle[1];
  }
  return TRUE;
}

/* Sets @pose to the pose whose rotation has the columns @m[0], @m[1] and their vector product, made
 * orthogonal. */
static void
set_rotation (gdouble a[3], gdouble b[3], gdouble pose[POSE])
{
  gdouble dot = 0, length = 0, c[3], angle, sine;

  for (guint i = 0; i < 3; i++)
    length += a[i] * a[i];
  for (guint i = 0; i < 3; i++)
    a[i] /= sqrt (length);
  for (guint i = 0; i < 3; i++)
    dot += a[i] * b[i];
  length = 0;
  for (guint i = 0; i < 3; i++) {
    b[i] -= dot * a[i];
    length += b[i] * b[i];
  }
  for (guint i = 0; i < 3; i++)
    b[i] /= sqrt (length);
  for (guint i = 0; i < 3; i++)
    c[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
  pose[0] = b[2] - c[1];
  pose[1] = c[0] - a[2];
  pose[2] = a[1] - b[0];
  sine = sqrt (pose[0] * pose[0] + pose[1] * pose[1] + pose[2] * pose[2]);
  angle = atan2 (sine, a[0] + b[1] + c[2] - 1);
  for (guint i = 0; i < 3; i++)
    pose[i] *= sine > 1e-9 ? angle / sine : 0;
}

/* Estimates the initial pose of the board in @view for a camera with the focal length @focal and
 * without distortion. */
static gboolean
guess_pose (const Solver * self, gdouble focal, CalibrateView * view)
{
  g_autofree gdouble *q = g_new (gdouble, 2 * view->points->len);
  gdouble h[9], a[3], b[3], scale;

  for (guint i = 0; i < view->points->len; i++) {
    const gdouble *place =
        g_array_index (view->points, CalibratePoint, i).place;
    gdouble x = (place[0] - self->camera[2]) / focal;
    gdouble y = (place[1] - self->camera[3]) / focal, r = hypot (x, y);
    gdouble factor = self->lens == MGPU_LENS_FISHEYE && r > 1e-9
        ? tan (MIN (r, 1.45)) / r : 1;

    q[2 * i] = x * factor;
    q[2 * i + 1] = y * factor;
  }
  if (!find_homography (view, q, h))
    return FALSE;
  scale = 2 / (sqrt (h[0] * h[0] + h[3] * h[3] + h[6] * h[6])
      + sqrt (h[1] * h[1] + h[4] * h[4] + h[7] * h[7]));
  scale = h[8] < 0 ? -scale : scale;
  for (guint i = 0; i < 3; i++) {
    a[i] = scale * h[3 * i];
    b[i] = scale * h[3 * i + 1];
    view->pose[3 + i] = scale * h[3 * i + 2];
  }
  set_rotation (a, b, view->pose);
  return isfinite (view->pose[0]) && isfinite (view->pose[5]);
}

/* ---- Levenberg-Marquardt ---------------------------------------------------------- */

/* Adds the equations of @view for the camera to @system and @gradient, and sets the block of @view.
 * Derivatives are computed as differences. */
static void
add_view (const Solver * self, const CalibrateView * view, gdouble * system,
    gdouble * gradient, Block * block)
{
  guint n = self->n, all = n + POSE, rows = 2 * view->points->len;
  g_autofree gdouble *errors = g_new (gdouble, rows);
  g_autofree gdouble *j = g_new0 (gdouble, rows * MAX_ALL);
  gdouble at[MAX_ALL];

  memcpy (at, self->camera, n * sizeof (*at));
  memcpy (at + n, view->pose, sizeof (view->pose));
  find_errors (self, at, at + n, view, errors);
  for (guint k = self->is_fixed ? n : 0; k < all; k++) {
    gdouble step = 1e-6 * MAX (1, fabs (at[k])), before = at[k];

    at[k] = before + step;
    find_errors (self, at, at + n, view, j + k * rows);
    at[k] = before;
    for (guint i = 0; i < rows; i++)
      j[k * rows + i] = (j[k * rows + i] - errors[i]) / step;
  }
  memset (block, 0, sizeof (*block));
  for (guint a = 0; a < all; a++)
    for (guint b = 0; b <= all; b++) {
      gdouble sum = 0;

      for (guint i = 0; i < rows; i++)
        sum += j[a * rows + i] * (b < all ? j[b * rows + i] : errors[i]);
      if (a < n && b < n)
        system[a * MAX_CAMERA + b] += sum;
      else if (a < n && b < all)
        block->mixed[a][b - n] = sum;
      else if (a < n)
        gradient[a] += sum;
      else if (b == all)
        block->gradient[a - n] = sum;
      else if (b >= n)
        block->pose[a - n][b - n] = sum;
    }
}

/* Sets @x to the solution of the pose's equations of @block with the right side @x. */
static gboolean
solve_pose (const Block * block, gdouble damping, gdouble x[POSE])
{
  gdouble a[POSE][POSE];

  memcpy (a, block->pose, sizeof (a));
  for (guint i = 0; i < POSE; i++)
    a[i][i] *= 1 + damping;
  return solve (a[0], POSE, POSE, x);
}

/* Removes the poses from @system and @gradient (Schur complement). */
static gboolean
reduce (const Solver * self, const Block * block, gdouble damping,
    gdouble * system, gdouble * gradient)
{
  for (guint b = 0; b <= self->n; b++) {
    gdouble x[POSE];

    memcpy (x, b < self->n ? block->mixed[b] : block->gradient, sizeof (x));
    if (!solve_pose (block, damping, x))
      return FALSE;
    for (guint a = 0; a < self->n; a++)
      for (guint k = 0; k < POSE; k++)
        *(b < self->n ? &system[a * MAX_CAMERA + b] : &gradient[a]) -=
            block->mixed[a][k] * x[k];
  }
  return TRUE;
}

/* Finds the step of the camera and of all poses. @system and @gradient are changed. */
static gboolean
find_step (const Solver * self, Block * blocks, guint n_blocks, gdouble damping,
    gdouble * system, gdouble * gradient)
{
  for (guint a = 0; a < self->n; a++)
    system[a * MAX_CAMERA + a] *= 1 + damping;
  for (guint i = 0; i < n_blocks && !self->is_fixed; i++)
    if (!reduce (self, &blocks[i], damping, system, gradient))
      return FALSE;
  if (self->is_fixed)
    memset (gradient, 0, MAX_CAMERA * sizeof (*gradient));
  else if (!solve (system, self->n, MAX_CAMERA, gradient))
    return FALSE;
  for (guint i = 0; i < n_blocks; i++) {
    Block *block = &blocks[i];

    for (guint k = 0; k < POSE; k++) {
      block->step[k] = block->gradient[k];
      for (guint a = 0; a < self->n; a++)
        block->step[k] -= block->mixed[a][k] * gradient[a];
    }
    if (!solve_pose (block, damping, block->step))
      return FALSE;
  }
  return TRUE;
}

/* Returns: the sum of the squared errors after the step, or before it if @blocks is NULL */
static gdouble
find_sum (const Solver * self, GPtrArray * views, const Block * blocks,
    const gdouble * step)
{
  gdouble camera[MAX_CAMERA], sum = 0;

  for (guint a = 0; a < self->n; a++)
    camera[a] = self->camera[a] - (blocks != NULL ? step[a] : 0);
  for (guint i = 0; i < views->len; i++) {
    const CalibrateView *view = g_ptr_array_index (views, i);
    gdouble pose[POSE];

    for (guint k = 0; k < POSE; k++)
      pose[k] = view->pose[k] - (blocks != NULL ? blocks[i].step[k] : 0);
    sum += find_errors (self, camera, pose, view, NULL);
  }
  return sum;
}

/* Makes one step that lowers the error @sum. Returns: the new sum; @sum if no step lowers it */
static gdouble
make_step (Solver * self, GPtrArray * views, Block * blocks, gdouble sum,
    gdouble * damping)
{
  gdouble system[MAX_CAMERA * MAX_CAMERA] = { 0 }, gradient[MAX_CAMERA] = { 0 };

  for (guint i = 0; i < views->len; i++)
    add_view (self, g_ptr_array_index (views, i), system, gradient, &blocks[i]);
  for (; *damping <= MAX_DAMPING; *damping *= 10) {
    gdouble a[MAX_CAMERA * MAX_CAMERA], g[MAX_CAMERA], next;

    memcpy (a, system, sizeof (a));
    memcpy (g, gradient, sizeof (g));
    if (!find_step (self, blocks, views->len, *damping, a, g))
      continue;
    next = find_sum (self, views, blocks, g);
    if (!(next < sum))
      continue;
    for (guint k = 0; k < self->n; k++)
      self->camera[k] -= g[k];
    for (guint i = 0; i < views->len; i++)
      for (guint k = 0; k < POSE; k++)
        ((CalibrateView *) g_ptr_array_index (views, i))->pose[k] -=
            blocks[i].step[k];
    *damping = MAX (*damping / 10, 1e-9);
    return next;
  }
  return sum;
}

/* Returns: the sum of the squared errors at the end; @n_steps: number of steps to it */
static gdouble
refine (Solver * self, GPtrArray * views, guint * n_steps)
{
  g_autofree Block *blocks = g_new (Block, views->len);
  gdouble sum = find_sum (self, views, NULL, NULL), damping = 1e-3;

  for (*n_steps = 0; *n_steps < MAX_STEPS; (*n_steps)++) {
    gdouble last = sum;

    sum = make_step (self, views, blocks, sum, &damping);
    if (!(last - sum > LEAST_CHANGE * last))
      break;
  }
  return sum;
}

/* Sets the standard deviations of the focal lengths. They follow from the inverse of the system
 * without poses, multiplied by the variance of the errors. */
static void
find_sigma (Solver * self, GPtrArray * views, gdouble variance,
    gdouble sigma[2])
{
  g_autofree Block *blocks = g_new (Block, views->len);
  gdouble system[MAX_CAMERA * MAX_CAMERA] = { 0 }, gradient[MAX_CAMERA] = { 0 };

  sigma[0] = sigma[1] = NAN;
  for (guint i = 0; i < views->len; i++)
    add_view (self, g_ptr_array_index (views, i), system, gradient, &blocks[i]);
  for (guint i = 0; i < views->len; i++)
    if (!reduce (self, &blocks[i], 0, system, gradient))
      return;
  for (guint k = 0; k < 2; k++) {
    gdouble a[MAX_CAMERA * MAX_CAMERA], x[MAX_CAMERA] = { 0 };

    memcpy (a, system, sizeof (a));
    x[k] = 1;
    if (solve (a, self->n, MAX_CAMERA, x))
      sigma[k] = sqrt (x[k] * variance);
  }
}

/* Solves for the camera and all poses, beginning with an initial focal length. Returns: the sum of
 * the squared errors; infinity if no initial estimate is found */
static gdouble
solve_from (Solver * self, const CalibrateViews * views, gdouble focal,
    guint * n_steps)
{
  self->camera[0] = self->camera[1] = focal;
  self->camera[2] = (views->width - 1) / 2.0;
  self->camera[3] = (views->height - 1) / 2.0;
  for (guint k = 4; k < self->n; k++)
    self->camera[k] = 0;
  for (guint i = 0; i < views->views->len; i++)
    if (!guess_pose (self, focal, g_ptr_array_index (views->views, i)))
      return INFINITY;
  return refine (self, views->views, n_steps);
}

static void
set_camera (const Solver * self, const CalibrateViews * views,
    MgpuCamera * camera)
{
  *camera = (MgpuCamera) {
  .lens = self->lens,.focal = { self->camera[0], self->camera[1] },.centre =
        { self->camera[2], self->camera[3] },.beta = 1,.width =
        views->width,.height = views->height};
  memcpy (camera->k, self->camera + 4, (self->n - 4) * sizeof (*camera->k));
}

/* Sets the @rms of each view. Returns: the number of all points */
static guint
set_rms (const Solver * self, const CalibrateViews * views)
{
  guint n = 0;

  for (guint i = 0; i < views->views->len; i++) {
    CalibrateView *view = g_ptr_array_index (views->views, i);

    view->rms = sqrt (find_errors (self, self->camera, view->pose, view, NULL)
        / view->points->len);
    n += view->points->len;
  }
  return n;
}

gboolean
calibrate_solve (CalibrateViews * views, MgpuLens lens, guint n_coefficients,
    CalibrateResult * result, GError ** error)
{
  static const gdouble starts[] = { 0.3, 0.6, 1.2 };
  Solver solver = { lens, 4 + n_coefficients }, best = solver;
  gdouble least = INFINITY, poses = 0;
  guint n;

  for (guint i = 0; i < views->views->len; i++)
    poses += ((CalibrateView *) g_ptr_array_index (views->views,
            i))->points->len >= MIN_POINTS;
  if (poses < MIN_VIEWS || poses < views->views->len) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "%u views of %u have %d "
        "points or more: show the board in at least %d views", (guint) poses,
        views->views->len, MIN_POINTS, MIN_VIEWS);
    return FALSE;
  }
  for (guint i = 0; i < G_N_ELEMENTS (starts); i++) {
    guint n_steps = 0;
    gdouble sum = solve_from (&solver, views, starts[i] * views->width,
        &n_steps);

    if (sum < least && solver.camera[0] > 0 && solver.camera[1] > 0) {
      least = sum;
      best = solver;
      result->n_steps = n_steps;
    }
  }
  if (!isfinite (least)) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "no camera fits the "
        "points: check their order, and the columns and rows of the board");
    return FALSE;
  }
  /* Estimates the poses again, because those in the views are from the last initial estimate. */
  for (guint i = 0; i < views->views->len; i++)
    guess_pose (&best, best.camera[0], g_ptr_array_index (views->views, i));
  solver = best;
  solver.is_fixed = TRUE;
  refine (&solver, views->views, &n);
  least = refine (&best, views->views, &n);
  n = set_rms (&best, views);
  result->rms = sqrt (least / n);
  set_camera (&best, views, &result->camera);
  find_sigma (&best, views->views, least / (2 * n), result->sigma);
  return TRUE;
}

/* Sets the parameters of @self to those of @camera. */
static void
set_numbers (Solver * self, const MgpuCamera * camera, guint n_coefficients)
{
  self->lens = camera->lens;
  self->n = 4 + n_coefficients;
  memcpy (self->camera, camera->focal, 2 * sizeof (gdouble));
  memcpy (self->camera + 2, camera->centre, 2 * sizeof (gdouble));
  memcpy (self->camera + 4, camera->k, n_coefficients * sizeof (gdouble));
}

void
calibrate_project (const CalibrateView * view, const MgpuCamera * camera,
    guint n_coefficients, const gdouble board[2], gdouble place[2])
{
  Solver solver;
  gdouble m[9], p[3];

  set_numbers (&solver, camera, n_coefficients);
  make_rotation (view->pose, m);
  move (m, view->pose, board, p);
  project (solver.lens, solver.camera, solver.n, p, place);
}

gboolean
calibrate_find_pose (CalibrateView * view, const MgpuCamera * camera,
    guint n_coefficients)
{
  Solver solver = {.is_fixed = TRUE };
  g_autoptr (GPtrArray) views = g_ptr_array_new ();
  guint n_steps;

  set_numbers (&solver, camera, n_coefficients);
  g_ptr_array_add (views, view);
  if (!guess_pose (&solver, camera->focal[0], view))
    return FALSE;
  view->rms = sqrt (refine (&solver, views, &n_steps) / view->points->len);
  return isfinite (view->rms);
}

void
calibrate_get_normal (const CalibrateView * view, gdouble normal[3],
    gdouble middle[3])
{
  gdouble m[9], mean[2] = { 0, 0 }, sign;

  make_rotation (view->pose, m);
  for (guint i = 0; i < view->points->len; i++) {
    const gdouble *board = g_array_index (view->points, CalibratePoint,
        i).board;

    for (guint k = 0; k < 2; k++)
      mean[k] += board[k] / view->points->len;
  }
  move (m, view->pose, mean, middle);
  sign = m[2] * middle[0] + m[5] * middle[1] + m[8] * middle[2] < 0 ? -1 : 1;
  for (guint k = 0; k < 3; k++)
    normal[k] = sign * m[3 * k + 2];
}

gboolean
calibrate_check (const CalibrateViews * views, const MgpuCamera * camera,
    GError ** error)
{
  g_autoptr (GArray) places = g_array_new (FALSE, FALSE, 2 * sizeof (gdouble));
  MgpuLensModel model;

  mgpu_lens_model_init (&model, camera);
  for (guint i = 0; i < 36 && camera->lens == MGPU_LENS_BROWN; i++) {
    const gdouble place[2] = { i % 6 * (camera->width - 1) / 5.0,
      i / 6 * (camera->height - 1) / 5.0
    };

    g_array_append_val (places, place);
  }
  for (guint i = 0; i < views->views->len; i++) {
    const CalibrateView *view = g_ptr_array_index (views->views, i);

    for (guint k = 0; k < view->points->len; k++)
      g_array_append_val (places,
          g_array_index (view->points, CalibratePoint, k).place);
  }
  for (guint i = 0; i < places->len; i++) {
    const gdouble *place = (const gdouble *) places->data + 2 * i;
    gdouble ray[3], again[2];

    mgpu_lens_model_unproject (&model, place, ray);
    mgpu_lens_model_project (&model, ray, again);
    if (hypot (again[0] - place[0], again[1] - place[1]) <= 1)
      continue;
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "the lens model is "
        "valid up to %.1f degrees from the optical axis, so it does not cover "
        "the pixel %.0f,%.0f: use fewer coefficients, or show the board in the "
        "corners of pictures", model.limit * 180 / G_PI, place[0], place[1]);
    return FALSE;
  }
  return TRUE;
}
