/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Projects rays into the frames of cameras. All functions use double, and only operations whose
 * rounding IEEE 754 defines, in the order of the reference. Therefore maps are the same on all
 * machines. */
#include "lens.h"

#include <math.h>

/* Constants of the search for the limit of a lens model: step of the angle, in radians; number of
 * steps up to pi; number of steps without an increase of the radius after which the model ends */
#define STEP (1.0 / 512)
#define N_STEPS 1608
#define N_LOW 16

/* Number of points along each axis of a frame whose rays are computed to find its far part */
#define FAR_POINTS 9

/* ---- Functions -------------------------------------------------------------------- */

/* Returns the arc tangent of x, which is from -tan (pi / 8) to tan (pi / 8), by an odd polynomial
 * with an error of at most 1.3e-18. */
static gdouble
arc_tangent (gdouble x)
{
  static const gdouble terms[] = {
    0.03796525745386593, -0.05035102456601552, 0.05846878297330872,
    -0.06662951813629191, 0.07692045330902225, -0.09090896809064027,
    0.11111110744919658, -0.14285714279250245, 0.19999999999940893,
    -0.3333333333333312, 1.0
  };
  gdouble square = x * x, sum = -0.017805397205419446;

  for (guint i = 0; i < G_N_ELEMENTS (terms); i++)
    sum = sum * square + terms[i];
  return x * sum;
}

gdouble
mgpu_lens_atan2 (gdouble y, gdouble x)
{
  gdouble width = fabs (x), height = fabs (y), angle;
  gboolean is_steep = height > width;
  gdouble low = is_steep ? width : height, high = is_steep ? height : width;

  if (high == 0)
    return 0;
  /* Uses one division for both cases. The result is the tangent of the angle, or the tangent of the
   * angle minus pi / 4. */
  if (low > 0.41421356237309503 * high)
    angle = G_PI / 4 + arc_tangent ((low - high) / (low + high));
  else
    angle = arc_tangent (low / high);
  if (is_steep)
    angle = G_PI / 2 - angle;
  if (x < 0)
    angle = G_PI - angle;
  return y < 0 ? -angle : angle;
}

void
mgpu_lens_sincos (gdouble angle, gdouble * sine, gdouble * cosine)
{
  /* Evaluates Taylor's series, beginning with the last term. */
  static const gdouble odd[] = {
    1.0 / 6227020800.0, -1.0 / 39916800, 1.0 / 362880, -1.0 / 5040, 1.0 / 120,
    -1.0 / 6, 1
  };
  static const gdouble even[] = {
    1.0 / 479001600, -1.0 / 3628800, 1.0 / 40320, -1.0 / 720, 1.0 / 24,
    -1.0 / 2, 1
  };
  gdouble quarters = rint (angle * 0.63661977236758134);
  /* Subtracts pi / 2 in two parts, so that the remainder keeps all bits. */
  gdouble rest = (angle - quarters * 1.5707963267341256)
      - quarters * 6.0771005065061922e-11;
  gdouble square = rest * rest;
  gdouble s = -1.0 / 1307674368000.0, c = -1.0 / 87178291200.0;

  for (guint i = 0; i < G_N_ELEMENTS (odd); i++) {
    s = odd[i] + square * s;
    c = even[i] + square * c;
  }
  s *= rest;
  switch ((gint64) quarters & 3) {
    case 0:
      *sine = s;
      *cosine = c;
      break;
    case 1:
      *sine = c;
      *cosine = -s;
      break;
    case 2:
      *sine = -s;
      *cosine = -c;
      break;
    default:
      *sine = -c;
      *cosine = s;
  }
}

/* ---- Radius ------------------------------------------------------------------------- */

/* Returns the radius, in focal lengths, at which a lens without distortion shows a ray. @s and
 * @c: sine and cosine of its angle from the axis */
static gdouble
get_radius (const MgpuLensModel * model, gdouble s, gdouble c)
{
  const MgpuCamera *camera = &model->camera;
  gdouble depth = c, t;

  switch (camera->lens) {
    case MGPU_LENS_FISHEYE:
      return mgpu_lens_atan2 (s, c);
    case MGPU_LENS_FOV:
      return mgpu_lens_atan2 (model->tangent * s, c) / camera->k[0];
    case MGPU_LENS_OMNI:
      depth = c + camera->xi;
      break;
    case MGPU_LENS_DOUBLE_SPHERE:
      t = camera->xi + c;
      depth = camera->alpha * sqrt (camera->beta * s * s + t * t)
          + (1 - camera->alpha) * t;
      break;
    default:
      break;
  }
  return depth > 1e-12 ? s / depth : 1e12;
}

/* Returns the factor by which the distortion changes the radius @r. */
static gdouble
get_factor (const MgpuLensModel * model, gdouble r)
{
  const gdouble *k = model->camera.k;
  gdouble q = r * r;

  switch (model->camera.lens) {
    case MGPU_LENS_BROWN:
      return (1 + q * (k[0] + q * (k[1] + q * k[4])))
          / (1 + q * (k[5] + q * (k[6] + q * k[7])));
    case MGPU_LENS_FISHEYE:
      return 1 + q * (k[0] + q * (k[1] + q * (k[2] + q * k[3])));
    case MGPU_LENS_OMNI:
      return 1 + q * (k[0] + q * k[1]);
    default:
      return 1;
  }
}

/* Returns the distorted radius of a ray with the angle @angle from the axis. */
static gdouble
get_distorted (const MgpuLensModel * model, gdouble angle)
{
  gdouble s, c, r;

  mgpu_lens_sincos (angle, &s, &c);
  r = get_radius (model, s, c);
  return r >= 1e6 ? 1e18 : r * get_factor (model, r);
}

/* ---- Model ---------------------------------------------------------------------------- */

static void
set_tilt (MgpuLensModel * model)
{
  const gdouble *k = model->camera.k;
  gdouble sa, ca, sb, cb;

  model->has_tilt = model->camera.lens == MGPU_LENS_BROWN
      && (k[12] != 0 || k[13] != 0);
  if (!model->has_tilt)
    return;
  mgpu_lens_sincos (k[12], &sa, &ca);
  mgpu_lens_sincos (k[13], &sb, &cb);
  {
    /* Rotates the sensor about x, then about y. */
    const gdouble turned[9] = {
      cb, sb * sa, -sb * ca, 0, ca, sa, sb, -cb * sa, cb * ca
    };

    for (guint i = 0; i < 3; i++) {
      model->tilt[i] = turned[8] * turned[i] - turned[2] * turned[6 + i];
      model->tilt[3 + i] = turned[8] * turned[3 + i]
          - turned[5] * turned[6 + i];
      model->tilt[6 + i] = turned[6 + i];
    }
  }
}

/* Returns 1.25 times the distance of the farthest corner from the axis, in focal lengths. */
static gdouble
get_bound (const MgpuCamera * camera)
{
  gdouble x = MAX (camera->centre[0], camera->width - camera->centre[0])
      / camera->focal[0];
  gdouble y = MAX (camera->centre[1], camera->height - camera->centre[1])
      / camera->focal[1];

  return 1.25 * sqrt (x * x + y * y);
}

/* Returns the angle, between @low and @low + STEP, at which the radius stops increasing. */
static gdouble
search_fold (const MgpuLensModel * model, gdouble low)
{
  gdouble high = low + STEP;

  for (guint i = 0; i < 30; i++) {
    gdouble middle = (low + high) / 2;
    gdouble next = get_distorted (model, middle + 1e-7);

    if (get_distorted (model, middle) < next && next < 1e17)
      low = middle;
    else
      high = middle;
  }
  return low - 1e-6;
}

/* Finds the angle at which the radius stops increasing, or is larger than that of all corners of
 * the frame. A narrow dip of the radius does not end the model, because such a dip is caused by a
 * pole that is almost cancelled. */
static void
find_limit (MgpuLensModel * model)
{
  gdouble bound = get_bound (&model->camera), last = 0;
  guint n_low = 0;

  model->limit = 0;
  for (guint i = 1; i <= N_STEPS && n_low < N_LOW && last <= bound; i++) {
    gdouble r = get_distorted (model, i * STEP);

    n_low++;
    if (r > last && r <= 4 * bound) {
      last = r;
      model->limit = i * STEP;
      n_low = 0;
    }
  }
  model->has_fold = last <= bound;
  if (model->has_fold)
    model->limit = search_fold (model, model->limit);
}

/* Finds the angle beyond the limit up to which the model can be computed. A kink at the limit would
 * spoil the interpolation of positions next to it. */
static void
find_end (MgpuLensModel * model)
{
  gdouble first = get_distorted (model, model->limit), s, c;

  model->end = model->limit;
  for (guint i = 1; i <= 40; i++) {
    gdouble angle = model->limit * (1 + i * 0.0025);
    gdouble r = get_distorted (model, angle);

    if (angle > 3.1 || !(r > 0.5 * first && r <= 4 * first))
      break;
    model->end = angle;
  }
  mgpu_lens_sincos (model->end, &s, &c);
  model->end_radius = get_radius (model, s, c);
  model->slope = (get_distorted (model, model->end)
      - get_distorted (model, model->end - 1e-5)) / 1e-5;
  if (!(model->slope > 0.25))
    model->slope = 0.25;
}

void
mgpu_lens_model_init (MgpuLensModel * model, const MgpuCamera * camera)
{
  const gdouble *k = camera->k;
  gdouble s, c;

  *model = (MgpuLensModel) {
  .camera = *camera};
  model->is_rough = camera->lens == MGPU_LENS_EQUIRECT
      || (camera->lens == MGPU_LENS_BROWN && (k[5] != 0 || k[6] != 0
          || k[7] != 0));
  if (camera->lens == MGPU_LENS_EQUIRECT)
    return;
  if (camera->lens == MGPU_LENS_FOV) {
    mgpu_lens_sincos (k[0] / 2, &s, &c);
    model->tangent = 2 * (s / c);
  }
  set_tilt (model);
  find_limit (model);
  find_end (model);
}

/* ---- Projection ----------------------------------------------------------------------- */

/* Distorts the point (x, y), in focal lengths from the axis; @r is its distance. */
static void
distort (const MgpuLensModel * model, gdouble x, gdouble y, gdouble r,
    gdouble result[2])
{
  const gdouble *k = model->camera.k, *t = model->tilt;
  gdouble factor = get_factor (model, r), q = r * r;
  gdouble u = x * factor, v = y * factor;

  if (model->camera.lens == MGPU_LENS_BROWN
      || model->camera.lens == MGPU_LENS_OMNI) {
    u = u + 2 * k[2] * x * y + k[3] * (q + 2 * x * x) + k[8] * q + k[9] * q * q;
    v = v + k[2] * (q + 2 * y * y) + 2 * k[3] * x * y + k[10] * q
        + k[11] * q * q;
  }
  result[0] = u;
  result[1] = v;
  if (model->has_tilt) {
    gdouble w = t[6] * u + t[7] * v + t[8];

    result[0] = (t[0] * u + t[1] * v + t[2]) / w;
    result[1] = (t[3] * u + t[4] * v + t[5]) / w;
  }
}

/* Projects a ray as mgpu_lens_model_project() does, for a camera that sees a whole sphere. */
static void
project_to_sphere (const MgpuCamera * camera, const gdouble ray[3],
    gdouble place[2])
{
  gdouble flat = sqrt (ray[0] * ray[0] + ray[2] * ray[2]);

  place[0] = (mgpu_lens_atan2 (ray[0], ray[2]) / (2 * G_PI) + 0.5)
      * camera->width - 0.5;
  place[1] = (mgpu_lens_atan2 (ray[1], flat) / G_PI + 0.5) * camera->height
      - 0.5;
}

gdouble
mgpu_lens_model_project (const MgpuLensModel * model, const gdouble ray[3],
    gdouble place[2])
{
  const MgpuCamera *camera = &model->camera;
  gdouble rho = sqrt (ray[0] * ray[0] + ray[1] * ray[1]);
  gdouble length = sqrt (rho * rho + ray[2] * ray[2]);
  gdouble s = length > 0 ? rho / length : 0;
  gdouble c = length > 0 ? ray[2] / length : 1;
  gdouble angle, r, rest = 0, point[2], direction[2] = { 1, 0 };

  if (camera->lens == MGPU_LENS_EQUIRECT) {
    project_to_sphere (camera, ray, place);
    return MGPU_LENS_INSIDE;
  }
  if (rho > 0) {
    direction[0] = ray[0] / rho;
    direction[1] = ray[1] / rho;
  }
  angle = mgpu_lens_atan2 (s, c);
  if (angle > model->end) {
    r = model->end_radius;
    rest = (angle - model->end) * model->slope;
  } else
    r = get_radius (model, s, c);
  distort (model, direction[0] * r, direction[1] * r, r, point);
  for (guint i = 0; i < 2; i++)
    place[i] = camera->focal[i] * (point[i] + direction[i] * rest)
        + camera->centre[i];
  return model->has_fold ? model->limit - angle : MGPU_LENS_INSIDE;
}

/* Returns the angle from the axis at which the distorted radius is @r, up to the limit. */
static gdouble
find_angle (const MgpuLensModel * model, gdouble r)
{
  gdouble low = 0, high = model->limit;

  for (guint i = 0; i < 50; i++) {
    gdouble middle = (low + high) / 2;

    if (get_distorted (model, middle) < r)
      low = middle;
    else
      high = middle;
  }
  return low;
}

void
mgpu_lens_model_unproject (const MgpuLensModel * model, const gdouble place[2],
    gdouble ray[3])
{
  const MgpuCamera *camera = &model->camera;
  gdouble want[2], point[2];

  for (guint i = 0; i < 2; i++)
    point[i] = want[i] = (place[i] - camera->centre[i]) / camera->focal[i];
  /* Corrects, in each step, for the terms of the distortion that are not radial. */
  for (guint n = 0; n < 10; n++) {
    gdouble r = sqrt (point[0] * point[0] + point[1] * point[1]), s, c, got[2];

    mgpu_lens_sincos (find_angle (model, r), &s, &c);
    ray[0] = r > 0 ? s * (point[0] / r) : 0;
    ray[1] = r > 0 ? s * (point[1] / r) : 0;
    ray[2] = c;
    mgpu_lens_model_project (model, ray, got);
    for (guint i = 0; i < 2; i++)
      point[i] += want[i] - (got[i] - camera->centre[i]) / camera->focal[i];
  }
}

gdouble
mgpu_lens_model_get_far_part (const MgpuLensModel * model, gdouble angle)
{
  const gdouble right = model->camera.width - 1;
  const gdouble bottom = model->camera.height - 1;
  guint n = 0;

  if (model->camera.lens == MGPU_LENS_EQUIRECT)
    return 0;
  for (guint i = 0; i < FAR_POINTS * FAR_POINTS; i++) {
    const gdouble place[2] = { i % FAR_POINTS * (right / (FAR_POINTS - 1)),
      i / FAR_POINTS * (bottom / (FAR_POINTS - 1))
    };
    gdouble ray[3], rho;

    mgpu_lens_model_unproject (model, place, ray);
    rho = sqrt (ray[0] * ray[0] + ray[1] * ray[1]);
    n += mgpu_lens_atan2 (rho, ray[2]) > angle;
  }
  return n / (gdouble) (FAR_POINTS * FAR_POINTS);
}
