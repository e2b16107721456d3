/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Chooses the focal lengths and the center of a view. */
#include "lens-view.h"

#include <math.h>
#include <string.h>

#define RADIAN (G_PI / 180)

/* Maximum angles from the optical axis, for perspective views and cylinders, and for stereographic
 * views */
#define MAX_FLAT (85 * RADIAN)
#define MAX_STEREOGRAPHIC (150 * RADIAN)

/* Minimum of twice the area of the triangle of three corners, in square pixels */
#define MIN_AREA 1e-3

/* Minimum determinant of a homography; the maximum is 1 / MIN_DETERMINANT */
#define MIN_DETERMINANT 1e-12

/* Number of points along each side of the old frame whose rays are computed */
#define N_POINTS 9

/* Maximum number of attempts to zoom in until all pixels of the view show pixels of the old
 * frame */
#define MAX_STEPS 16

/* Largest distance from the old frame that rounding of positions removes, and distance that is added when
 * zooming in; in pixels of the old frame */
#define MAX_EXCESS (1.0 / 4096)
#define SPARE (1.0 / 256)

/* Describes a rectangle in a view, in focal lengths from the axis. */
typedef struct
{
  gdouble low[2], high[2];
} Extent;

static gdouble
find_tangent (gdouble angle)
{
  gdouble s, c;

  mgpu_lens_sincos (angle, &s, &c);
  return s / c;
}

/* Rotates the rotation @turn further by @angle degrees, in the plane of the axes @i and @j. */
static void
turn_further (gdouble turn[9], guint i, guint j, gdouble angle)
{
  gdouble s, c;

  mgpu_lens_sincos (angle * RADIAN, &s, &c);
  for (guint k = 0; k < 3; k++) {
    gdouble a = turn[3 * i + k], b = turn[3 * j + k];

    turn[3 * i + k] = c * a - s * b;
    turn[3 * j + k] = s * a + c * b;
  }
}

void
mgpu_view_set_turn (gdouble turn[9], gdouble pan, gdouble tilt, gdouble roll)
{
  const gdouble identity[9] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 };

  memcpy (turn, identity, sizeof (identity));
  turn_further (turn, 2, 0, -pan);
  turn_further (turn, 1, 2, -tilt);
  turn_further (turn, 0, 1, -roll);
}

gboolean
mgpu_camera_set_ideal (MgpuCamera * camera, MgpuLens lens, gdouble fov,
    gint width, gint height)
{
  gdouble focal = lens == MGPU_LENS_FISHEYE
      ? MIN (width, height) / (fov * RADIAN) : lens == MGPU_LENS_EQUIRECT
      ? width / (2 * G_PI) : width / 2.0 / find_tangent (fov * RADIAN / 2);

  *camera = (MgpuCamera) {
    .lens = lens,.focal = { focal, focal },.centre = { (width - 1) / 2.0,
      (height - 1) / 2.0
  },.beta = 1,.width = width,.height = height};
  return lens != MGPU_LENS_BROWN || fov < 180;
}

void
mgpu_camera_scale (MgpuCamera * camera, gdouble x, gdouble y, gint width,
    gint height)
{
  camera->focal[0] *= x;
  camera->focal[1] *= y;
  camera->centre[0] = (camera->centre[0] + 0.5) * x - 0.5;
  camera->centre[1] = (camera->centre[1] + 0.5) * y - 0.5;
  camera->width = width;
  camera->height = height;
}

gdouble
mgpu_view_get_max_fov (MgpuProjection projection)
{
  return projection == MGPU_PROJECTION_PERSPECTIVE
      || projection == MGPU_PROJECTION_CYLINDER ? 170
      : projection == MGPU_PROJECTION_STEREOGRAPHIC ? 340 : 360;
}

/* Returns the focal length of a view in which @width pixels show @fov degrees. */
static gdouble
find_focal (MgpuProjection projection, gdouble fov, gint width)
{
  gdouble angle = MIN (fov, mgpu_view_get_max_fov (projection)) * RADIAN;

  switch (projection) {
    case MGPU_PROJECTION_PERSPECTIVE:
      return width / 2.0 / find_tangent (angle / 2);
    case MGPU_PROJECTION_STEREOGRAPHIC:
      return width / (4 * find_tangent (angle / 4));
    default:
      return width / angle;
  }
}

void
mgpu_projection_find_point (MgpuProjection projection, const gdouble ray[3],
    gdouble point[2])
{
  gdouble rho = sqrt (ray[0] * ray[0] + ray[1] * ray[1]);
  gdouble angle = mgpu_lens_atan2 (rho, ray[2]), r = angle;
  gdouble latitude = mgpu_lens_atan2 (ray[1], sqrt (ray[0] * ray[0]
          + ray[2] * ray[2]));

  switch (projection) {
    case MGPU_PROJECTION_EQUIRECT:
    case MGPU_PROJECTION_CYLINDER:
      point[0] = mgpu_lens_atan2 (ray[0], ray[2]);
      point[1] = projection == MGPU_PROJECTION_EQUIRECT ? latitude
          : find_tangent (CLAMP (latitude, -MAX_FLAT, MAX_FLAT));
      return;
    case MGPU_PROJECTION_PERSPECTIVE:
      r = find_tangent (MIN (angle, MAX_FLAT));
      break;
    case MGPU_PROJECTION_STEREOGRAPHIC:
      r = 2 * find_tangent (MIN (angle, MAX_STEREOGRAPHIC) / 2);
      break;
    case MGPU_PROJECTION_FISHEYE:
      break;
  }
  point[0] = rho > 0 ? ray[0] / rho * r : 0;
  point[1] = rho > 0 ? ray[1] / rho * r : 0;
}

/* Finds the largest rectangle inside the projected old frame, judging by points on its sides, and
 * the smallest rectangle around it. */
static void
find_extents (const MgpuLensModel * model, const MgpuViewChoice * choice,
    Extent * inner, Extent * outer)
{
  const gdouble *turn = choice->straight;
  const gint last[2] = { model->camera.width - 1, model->camera.height - 1 };

  *inner = (Extent) { {
  -G_MAXDOUBLE, -G_MAXDOUBLE}, {
  G_MAXDOUBLE, G_MAXDOUBLE}};
  *outer = (Extent) { {
  G_MAXDOUBLE, G_MAXDOUBLE}, {
  -G_MAXDOUBLE, -G_MAXDOUBLE}};
  for (gint j = 0; j < N_POINTS; j++)
    for (gint i = 0; i < N_POINTS; i++) {
      const gint at[2] = { i, j };
      const gdouble place[2] = { i * (last[0] / (N_POINTS - 1.0)),
        j * (last[1] / (N_POINTS - 1.0))
      };
      gdouble old[3], ray[3], point[2];

      mgpu_lens_model_unproject (model, place, old);
      for (guint k = 0; k < 3; k++)
        ray[k] = (turn[3 * k] * old[0] + turn[3 * k + 1] * old[1])
            + turn[3 * k + 2] * old[2];
      mgpu_projection_find_point (choice->projection, ray, point);
      for (guint k = 0; k < 2; k++) {
        outer->low[k] = MIN (outer->low[k], point[k]);
        outer->high[k] = MAX (outer->high[k], point[k]);
        if (at[k] == 0)
          inner->low[k] = MAX (inner->low[k], point[k]);
        if (at[k] == N_POINTS - 1)
          inner->high[k] = MIN (inner->high[k], point[k]);
      }
    }
}

/* Sets focal lengths and center of @view so that it shows the rectangle @extent. */
static void
set_extent (MgpuView * view, const Extent * extent, gboolean is_even,
    gboolean is_inner)
{
  const gint last[2] = { MAX (view->width - 1, 1), MAX (view->height - 1, 1) };
  gdouble *focal = view->focal;

  for (guint k = 0; k < 2; k++)
    focal[k] = last[k] / MAX (extent->high[k] - extent->low[k], 1e-6);
  if (is_even)
    focal[0] = focal[1] = is_inner ? MAX (focal[0], focal[1])
        : MIN (focal[0], focal[1]);
  for (guint k = 0; k < 2; k++)
    view->centre[k] = last[k] / 2.0
        - focal[k] * ((extent->low[k] + extent->high[k]) / 2);
}

/* Returns: the distance, in pixels, of the position of pixel (@x, @y) of the view from the old
 * frame; at most 0 if the position is inside */
static gdouble
find_excess (const MgpuView * view, const MgpuLensModel * model, gdouble x,
    gdouble y)
{
  const MgpuCamera *camera = &model->camera;
  gdouble place[2], margin = mgpu_view_find_place (view, model, x, y, place);
  gdouble across = MAX (-place[0], place[0] - (camera->width - 1));
  gdouble down = MAX (-place[1], place[1] - (camera->height - 1));

  return MAX (MAX (across, down), -margin * camera->focal[0]);
}

/* Returns: the largest distance, in pixels, of the position of a pixel on the sides of the view
 * from the old frame */
static gdouble
find_largest_excess (const MgpuView * view, const MgpuLensModel * model)
{
  const gint right = view->width - 1, bottom = view->height - 1;
  gdouble excess = 0;

  for (gint x = 0; x <= right; x++) {
    excess = MAX (excess, find_excess (view, model, x, 0));
    excess = MAX (excess, find_excess (view, model, x, bottom));
  }
  for (gint y = 0; y <= bottom; y++) {
    excess = MAX (excess, find_excess (view, model, 0, y));
    excess = MAX (excess, find_excess (view, model, right, y));
  }
  return excess;
}

/* Zooms into the inner rectangle until all of its pixels show pixels of the old frame. Between the
 * points whose rays were computed, the sides of the old frame may bend into the rectangle. */
static void
remove_excess (MgpuView * view, const MgpuLensModel * model)
{
  const gdouble side = MIN (model->camera.width, model->camera.height);

  for (guint step = 0; step < MAX_STEPS; step++) {
    gdouble excess = find_largest_excess (view, model);

    if (!(excess > MAX_EXCESS) || excess > side / 4)
      return;
    for (guint k = 0; k < 2; k++) {
      gdouble zoom = 1 + 2 * (excess + SPARE) / side;
      gdouble middle = (k == 0 ? view->width - 1 : view->height - 1) / 2.0;

      view->focal[k] *= zoom;
      view->centre[k] = middle + (view->centre[k] - middle) * zoom;
    }
  }
}

static void
choose_by_alpha (MgpuView * view, const MgpuLensModel * model,
    const MgpuViewChoice * choice)
{
  const MgpuCamera *camera = &model->camera;
  const gdouble alpha = choice->alpha;
  /* Allows different focal lengths in x and y for lenses other than fisheyes, as OpenCV does. */
  gboolean is_even = camera->lens != MGPU_LENS_BROWN
      || choice->projection != MGPU_PROJECTION_PERSPECTIVE;
  MgpuCamera same = *camera;
  MgpuView least = *view, most = *view;
  Extent inner, outer;

  if (alpha < 0) {
    mgpu_camera_scale (&same, view->width / (gdouble) camera->width,
        view->height / (gdouble) camera->height, view->width, view->height);
    memcpy (view->focal, same.focal, sizeof (same.focal));
    memcpy (view->centre, same.centre, sizeof (same.centre));
    return;
  }
  find_extents (model, choice, &inner, &outer);
  memcpy (least.turn, choice->straight, sizeof (least.turn));
  set_extent (&least, &inner, is_even, TRUE);
  set_extent (&most, &outer, is_even, FALSE);
  remove_excess (&least, model);
  for (guint k = 0; k < 2; k++) {
    view->focal[k] = (1 - alpha) * least.focal[k] + alpha * most.focal[k];
    view->centre[k] = (1 - alpha) * least.centre[k] + alpha * most.centre[k];
  }
}

void
mgpu_view_choose (MgpuView * view, const MgpuLensModel * model,
    const MgpuViewChoice * choice, gint width, gint height)
{
  /* Default fields of view, in the order of MgpuProjection, if the camera sees a whole sphere */
  static const gdouble sphere[] = { 90, 180, 360, 170, 180 };
  gdouble fov = choice->fov > 0 || model->camera.lens != MGPU_LENS_EQUIRECT
      ? choice->fov : sphere[choice->projection];
  const gdouble middle[2] = { (width - 1) / 2.0, (height - 1) / 2.0 };

  *view = (MgpuView) {
  .projection = choice->projection,.width = width,.height = height};
  memcpy (view->turn, choice->turn, sizeof (view->turn));
  if (fov > 0) {
    view->focal[0] = view->focal[1] = find_focal (choice->projection, fov,
        width);
    memcpy (view->centre, middle, sizeof (middle));
  } else
    choose_by_alpha (view, model, choice);
  for (guint k = 0; k < 2; k++) {
    view->focal[k] *= choice->zoom;
    view->centre[k] = middle[k] + (view->centre[k] - middle[k]) * choice->zoom;
  }
}

/* Returns twice the area of the triangle of the corners @i, @j and @k, below 0 if they are in
 * counterclockwise order. */
static gdouble
find_area (const gdouble c[8], guint i, guint j, guint k)
{
  return (c[2 * j] - c[2 * i]) * (c[2 * k + 1] - c[2 * j + 1])
      - (c[2 * j + 1] - c[2 * i + 1]) * (c[2 * k] - c[2 * j]);
}

gboolean
mgpu_view_set_corners (MgpuView * view, const gdouble c[8], gint width,
    gint height)
{
  const gdouble sides[2] = { width, height };
  gdouble sum[2], a[2], b[2], det, *m = view->matrix;
  guint n_left = 0;

  for (guint i = 0; i < 4; i++) {
    gdouble area = find_area (c, i, (i + 1) % 4, (i + 2) % 4);

    if (!(fabs (area) >= MIN_AREA))
      return FALSE;
    n_left += area < 0;
  }
  if (n_left % 4 != 0)
    return FALSE;
  /* Computes the homography from the unit square to a quadrilateral, by Heckbert's method. */
  for (guint k = 0; k < 2; k++) {
    sum[k] = c[k] - c[2 + k] + c[4 + k] - c[6 + k];
    a[k] = c[2 + k] - c[4 + k];
    b[k] = c[6 + k] - c[4 + k];
  }
  det = a[0] * b[1] - b[0] * a[1];
  m[6] = (sum[0] * b[1] - b[0] * sum[1]) / det;
  m[7] = (a[0] * sum[1] - sum[0] * a[1]) / det;
  m[8] = 1;
  for (guint k = 0; k < 2; k++) {
    m[3 * k] = c[2 + k] - c[k] + m[6] * c[2 + k];
    m[3 * k + 1] = c[6 + k] - c[k] + m[7] * c[6 + k];
    m[3 * k + 2] = c[k];
  }
  /* Accounts for pixel coordinates in which whole numbers are the centers of pixels. */
  for (guint i = 0; i < 9; i += 3) {
    m[i] /= sides[0];
    m[i + 1] /= sides[1];
    m[i + 2] += (m[i] + m[i + 1]) / 2;
  }
  for (guint i = 0; i < 6; i++)
    m[i] -= m[6 + i % 3] / 2;
  view->has_matrix = TRUE;
  view->width = width;
  view->height = height;
  return TRUE;
}

gboolean
mgpu_view_set_matrix (MgpuView * view, const gdouble matrix[9], gint width,
    gint height)
{
  /* Divides by the divisor of the homography at the center of the view, so that the divisor becomes
   * 1 for the corresponding pixel of the new frame. */
  gdouble middle = matrix[6] * view->width / 2 + matrix[7] * view->height / 2
      + matrix[8];
  gdouble det = 0, *m = view->matrix;

  for (guint i = 0; i < 3; i++) {
    guint j = (i + 1) % 3, k = (i + 2) % 3;

    for (guint c = 0; c < 3; c++) {
      guint d = (c + 1) % 3, e = (c + 2) % 3;

      m[3 * c + i] = matrix[3 * j + d] * matrix[3 * k + e]
          - matrix[3 * j + e] * matrix[3 * k + d];
    }
    det += matrix[i] * m[3 * i];
  }
  if (!(fabs (det) >= MIN_DETERMINANT && fabs (det) <= 1 / MIN_DETERMINANT)
      || middle == 0)
    return FALSE;
  for (guint i = 0; i < 9; i++)
    m[i] = m[i] / det * middle;
  /* Accounts for pixel coordinates in which whole numbers are the centers of pixels. */
  for (guint i = 0; i < 9; i += 3)
    m[i + 2] += (m[i] + m[i + 1]) / 2;
  for (guint i = 0; i < 6; i++)
    m[i] -= m[6 + i % 3] / 2;
  view->has_matrix = TRUE;
  view->width = width;
  view->height = height;
  return TRUE;
}
