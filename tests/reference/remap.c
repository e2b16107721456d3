/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reference implementation of the maps of lenses and views: see docs/algorithms/remap.md. */
#include "remap.h"

#include <math.h>
#include <stdlib.h>

#include "samples.h"

#define PI 3.14159265358979323846
#define N_TERMS(list) ((int) (sizeof (list) / sizeof (*(list))))

/* ---- Functions ------------------------------------------------------------------ */

/* Returns the value at @z of the polynomial with the coefficients @c. */
static double
sum_powers (const double *c, int n, double z)
{
  double sum = c[n - 1];

  for (int i = n - 2; i >= 0; i--)
    sum = c[i] + z * sum;
  return sum;
}

double
ref_atan2 (double y, double x)
{
  static const double terms[] = {
    1.0, -0.3333333333333312, 0.19999999999940893, -0.14285714279250245,
    0.11111110744919658, -0.09090896809064027, 0.07692045330902225,
    -0.06662951813629191, 0.05846878297330872, -0.05035102456601552,
    0.03796525745386593, -0.017805397205419446
  };
  double ax = fabs (x), ay = fabs (y);
  double least = ay > ax ? ax : ay, most = ay > ax ? ay : ax, q, a;
  int is_far;

  if (most == 0)
    return 0;
  is_far = least > 0.41421356237309503 * most;
  q = is_far ? (least - most) / (least + most) : least / most;
  a = q * sum_powers (terms, N_TERMS (terms), q * q);
  if (is_far)
    a = PI / 4 + a;
  if (ay > ax)
    a = PI / 2 - a;
  if (x < 0)
    a = PI - a;
  return y < 0 ? -a : a;
}

void
ref_sincos (double a, double *s, double *c)
{
  static const double odd[] = {
    1.0, -1.0 / 6, 1.0 / 120, -1.0 / 5040, 1.0 / 362880, -1.0 / 39916800,
    1.0 / 6227020800.0, -1.0 / 1307674368000.0
  };
  static const double even[] = {
    1.0, -1.0 / 2, 1.0 / 24, -1.0 / 720, 1.0 / 40320, -1.0 / 3628800,
    1.0 / 479001600, -1.0 / 87178291200.0
  };
  double k = rint (a * 0.63661977236758134);
  double r = (a - k * 1.5707963267341256) - k * 6.0771005065061922e-11;
  double sine = r * sum_powers (odd, N_TERMS (odd), r * r);
  double cosine = sum_powers (even, N_TERMS (even), r * r);
  int quarter = (int) ((int64_t) k & 3);

  *s = quarter % 2 == 0 ? sine : cosine;
  *c = quarter % 2 == 0 ? cosine : sine;
  if (quarter >= 2)
    *s = -*s;
  if (quarter == 1 || quarter == 2)
    *c = -*c;
}

/* ---- Cameras -------------------------------------------------------------------- */

/* Returns the undistorted radius (before the lens's distortion factor) of a ray. @s and @c are the
 * sine and cosine of its angle to the axis. */
static double
find_radius (const RefCamera * camera, double s, double c)
{
  double d, t, sine, cosine;

  switch (camera->lens) {
    case REF_LENS_FISHEYE:
      return ref_atan2 (s, c);
    case REF_LENS_FOV:
      ref_sincos (camera->k[0] / 2, &sine, &cosine);
      return ref_atan2 (2 * (sine / cosine) * s, c) / camera->k[0];
    case REF_LENS_OMNI:
      d = c + camera->xi;
      break;
    case REF_LENS_DOUBLE_SPHERE:
      t = camera->xi + c;
      d = camera->alpha * sqrt (camera->beta * s * s + t * t)
          + (1 - camera->alpha) * t;
      break;
    default:
      d = c;
  }
  return d > 1e-12 ? s / d : 1e12;
}

static double
find_factor (const RefCamera * camera, double r)
{
  const double *k = camera->k;
  double q = r * r;

  switch (camera->lens) {
    case REF_LENS_BROWN:
      return (1 + q * (k[0] + q * (k[1] + q * k[4])))
          / (1 + q * (k[5] + q * (k[6] + q * k[7])));
    case REF_LENS_FISHEYE:
      return 1 + q * (k[0] + q * (k[1] + q * (k[2] + q * k[3])));
    case REF_LENS_OMNI:
      return 1 + q * (k[0] + q * k[1]);
    default:
      return 1;
  }
}

/* Returns the radius in the image of a ray with the angle @theta to the axis. */
static double
find_radial (const RefCamera * camera, double theta)
{
  double s, c, r;

  ref_sincos (theta, &s, &c);
  r = find_radius (camera, s, c);
  return r >= 1e6 ? 1e18 : r * find_factor (camera, r);
}

static void
find_tilt (RefCamera * camera)
{
  double sa, ca, sb, cb, *t = camera->tilt;

  camera->has_tilt = camera->lens == REF_LENS_BROWN && (camera->k[12] != 0
      || camera->k[13] != 0);
  if (!camera->has_tilt)
    return;
  ref_sincos (camera->k[12], &sa, &ca);
  ref_sincos (camera->k[13], &sb, &cb);
  {
    const double r[3][3] = {
      {cb, sb * sa, -sb * ca}, {0, ca, sa}, {sb, -cb * sa, cb * ca}
    };

    for (int j = 0; j < 3; j++) {
      t[j] = r[2][2] * r[0][j] - r[0][2] * r[2][j];
      t[3 + j] = r[2][2] * r[1][j] - r[1][2] * r[2][j];
      t[6 + j] = r[2][j];
    }
  }
}

/* Finds the last angle at which the radius still increases, between @t and @t + 1/512. */
static double
find_fold (const RefCamera * camera, double t)
{
  double low = t, high = t + 1.0 / 512;

  for (int i = 0; i < 30; i++) {
    double middle = (low + high) / 2;
    double a = find_radial (camera, middle);
    double b = find_radial (camera, middle + 1e-7);

    if (a < b && b < 1e17)
      low = middle;
    else
      high = middle;
  }
  return low - 1e-6;
}

static double
find_bound (const RefCamera * camera)
{
  const int sizes[2] = { camera->width, camera->height };
  double side[2];

  for (int i = 0; i < 2; i++) {
    double c = camera->centre[i], other = sizes[i] - c;

    side[i] = (c > other ? c : other) / camera->focal[i];
  }
  return 1.25 * sqrt (side[0] * side[0] + side[1] * side[1]);
}

void
ref_camera_prepare (RefCamera * camera)
{
  double bound = find_bound (camera), last = 0, t = 0, first, slope, s, c;
  int low = 0;

  find_tilt (camera);
  if (camera->lens == REF_LENS_EQUIRECT)
    return;
  for (int i = 1; i <= 1608 && low < 16 && last <= bound; i++) {
    double g = find_radial (camera, i * (1.0 / 512));

    if (g > last && g <= 4 * bound) {
      last = g;
      t = i * (1.0 / 512);
      low = 0;
    } else
      low++;
  }
  camera->has_fold = last <= bound;
  if (camera->has_fold)
    t = find_fold (camera, t);
  camera->limit = camera->end = t;
  first = find_radial (camera, t);
  for (int i = 1; i <= 40; i++) {
    double angle = t * (1 + i * 0.0025), g = find_radial (camera, angle);

    if (!(g > 0.5 * first && g <= 4 * first) || angle > 3.1)
      break;
    camera->end = angle;
  }
  ref_sincos (camera->end, &s, &c);
  camera->end_radius = find_radius (camera, s, c);
  slope = (find_radial (camera, camera->end)
      - find_radial (camera, camera->end - 1e-5)) / 1e-5;
  camera->slope = slope > 0.25 ? slope : 0.25;
}

static void
distort (const RefCamera * camera, double x, double y, double r, double *u,
    double *v)
{
  const double *k = camera->k, *t = camera->tilt;
  double p = find_factor (camera, r), q = r * r;
  double a = x * p, b = y * p;

  if (camera->lens == REF_LENS_BROWN || camera->lens == REF_LENS_OMNI) {
    a = a + 2 * k[2] * x * y + k[3] * (q + 2 * x * x) + k[8] * q + k[9] * q * q;
    b = b + k[2] * (q + 2 * y * y) + 2 * k[3] * x * y + k[10] * q
        + k[11] * q * q;
  }
  if (camera->has_tilt) {
    double w = t[6] * a + t[7] * b + t[8];
    double c = t[0] * a + t[1] * b + t[2], d = t[3] * a + t[4] * b + t[5];

    a = c / w;
    b = d / w;
  }
  *u = a;
  *v = b;
}

/* Sets @place to the image position of a ray. Returns: the margin within the limit of the lens
 * model */
static double
project (const RefCamera * camera, const double *ray, double place[2])
{
  double rho = sqrt (ray[0] * ray[0] + ray[1] * ray[1]);
  double n = sqrt (rho * rho + ray[2] * ray[2]);
  double s = n > 0 ? rho / n : 0, c = n > 0 ? ray[2] / n : 1;
  double theta = ref_atan2 (s, c), r, u, v, more = 0;
  double x = rho > 0 ? ray[0] / rho : 1, y = rho > 0 ? ray[1] / rho : 0;

  if (camera->lens == REF_LENS_EQUIRECT) {
    double flat = sqrt (ray[0] * ray[0] + ray[2] * ray[2]);

    place[0] = (ref_atan2 (ray[0], ray[2]) / (2 * PI) + 0.5) * camera->width
        - 0.5;
    place[1] = (ref_atan2 (ray[1], flat) / PI + 0.5) * camera->height - 0.5;
    return 4;
  }
  if (theta > camera->end) {
    r = camera->end_radius;
    more = (theta - camera->end) * camera->slope;
  } else
    r = find_radius (camera, s, c);
  distort (camera, x * r, y * r, r, &u, &v);
  place[0] = camera->focal[0] * (u + x * more) + camera->centre[0];
  place[1] = camera->focal[1] * (v + y * more) + camera->centre[1];
  return camera->has_fold ? camera->limit - theta : 4;
}

/* ---- Views ---------------------------------------------------------------------- */

double
ref_view_place (const RefCamera * camera, const RefView * view, double x,
    double y, double place[2])
{
  double a = (x - view->centre[0]) / view->focal[0];
  double b = (y - view->centre[1]) / view->focal[1];
  double ray[3] = { a, b, 1 }, old[3], margin = 4, other, r, s, c, s2, c2;

  switch (view->projection) {
    case REF_VIEW_PERSPECTIVE:
      break;
    case REF_VIEW_FISHEYE:
      r = sqrt (a * a + b * b);
      ref_sincos (r, &s, &c);
      ray[0] = r > 0 ? s * (a / r) : 0;
      ray[1] = r > 0 ? s * (b / r) : 0;
      ray[2] = c;
      margin = PI - r;
      break;
    case REF_VIEW_EQUIRECT:
      ref_sincos (a, &s, &c);
      ref_sincos (b, &s2, &c2);
      ray[0] = s * c2;
      ray[1] = s2;
      ray[2] = c * c2;
      break;
    case REF_VIEW_CYLINDER:
      ref_sincos (a, &ray[0], &ray[2]);
      break;
    case REF_VIEW_STEREOGRAPHIC:
      ray[2] = 1 - (a * a + b * b) / 4;
  }
  for (int i = 0; i < 3; i++)
    old[i] = (view->turn[i] * ray[0] + view->turn[3 + i] * ray[1])
        + view->turn[6 + i] * ray[2];
  other = project (camera, old, place);
  return other < margin ? other : margin;
}

/* ---- The map -------------------------------------------------------------------- */

static int32_t
to_units (double place)
{
  double u = place * 1024;

  return (int32_t) rint (u > 67108864.0 ? 67108864.0
      : u >= -67108864.0 ? u : -67108864.0);
}

/* Returns the difference @d of columns, modulo the width of the frame if its columns are a full
 * circle. */
static int32_t
wrap_around (int32_t d, int wrap)
{
  return wrap == 0 ? d : d > wrap / 2 ? d - wrap : d < -wrap / 2 ? d + wrap : d;
}

/* Sets @w to the weights of Lagrange interpolation at @t cells after the second node. */
static void
find_weights (double t, double w[4])
{
  w[0] = -t * (t - 1) * (t - 2) / 6;
  w[1] = (t + 1) * (t - 1) * (t - 2) / 2;
  w[2] = -(t + 1) * t * (t - 2) / 2;
  w[3] = (t + 1) * t * (t - 1) / 6;
}

static const int32_t *
get_node (const RefMap * map, int i, int j)
{
  return map->nodes + 2 * (j * map->columns + i);
}

/* Returns coordinate @k of the map's node (@i + @column, @j + @row), as a difference from node (@i
 * + 1, @j + 1). */
static int32_t
get_difference (const RefMap * map, int i, int j, int column, int row, int k)
{
  int32_t d = get_node (map, i + column, j + row)[k]
      - get_node (map, i + 1, j + 1)[k];

  return k == 0 ? wrap_around (d, map->wrap) : d;
}

/* Returns the error of the interpolated map, in its units, at pixel (@x, @y) of cell (@i, @j); 0 if
 * the exact position is not in the frame. */
static double
find_error (const RefCamera * camera, const RefView * view,
    const RefMap * map, int i, int j, int x, int y)
{
  double place[2], across[4], down[4], worst = 0, sine, cosine = 1;
  double margin = ref_view_place (camera, view, 16 * i + x, 16 * j + y, place);

  if (!(margin >= 0 && place[0] >= -1 && place[1] >= -1
          && place[0] <= camera->width && place[1] <= camera->height))
    return 0;
  find_weights (x / 16.0, across);
  find_weights (y / 16.0, down);
  if (map->wrap > 0)
    ref_sincos (((place[1] + 0.5) / camera->height - 0.5) * PI, &sine, &cosine);
  for (int k = 0; k < 2; k++) {
    double sum = 0, d;

    for (int row = 0; row < 4; row++)
      for (int column = 0; column < 4; column++)
        sum += across[column] * down[row]
            * get_difference (map, i, j, column, row, k);
    d = get_node (map, i + 1, j + 1)[k] + rint (sum) - place[k] * 1024;
    if (k == 0 && map->wrap > 0)
      d = (d - map->wrap * rint (d / map->wrap)) * cosine;
    worst = fabs (d) > worst ? fabs (d) : worst;
  }
  return worst;
}

static int
is_rough (const RefCamera * camera)
{
  const double *k = camera->k;

  return camera->lens == REF_LENS_EQUIRECT || (camera->lens == REF_LENS_BROWN
      && (k[5] != 0 || k[6] != 0 || k[7] != 0));
}

/* Returns whether a map cell or one of its 8 neighbors has an error above 2. */
static int
is_near (const double *errors, int columns, int rows, int i, int j)
{
  for (int y = j - 1; y <= j + 1; y++)
    for (int x = i - 1; x <= i + 1; x++)
      if (x >= 0 && y >= 0 && x < columns && y < rows
          && errors[y * columns + x] > 2)
        return 1;
  return 0;
}

static int
is_exact (const RefCamera * camera, const RefView * view, const RefMap * map,
    const double *errors, int i, int j)
{
  int columns = map->columns - 3, rows = map->rows - 3;

  if (errors[j * columns + i] > 6)
    return 1;
  if (!is_rough (camera) && !is_near (errors, columns, rows, i, j))
    return 0;
  for (int y = 2; y < 16; y += 4)
    for (int x = 2; x < 16; x += 4)
      if (find_error (camera, view, map, i, j, x, y) > 6)
        return 1;
  return 0;
}

static void
find_exact_cells (const RefCamera * camera, const RefView * view, RefMap * map)
{
  int columns = map->columns - 3, rows = map->rows - 3;
  double *errors = malloc (sizeof (double) * columns * rows);

  for (int n = 0; n < columns * rows; n++)
    errors[n] = find_error (camera, view, map, n % columns, n / columns, 8, 8);
  for (int n = 0; n < columns * rows; n++)
    map->cells[n] = is_exact (camera, view, map, errors, n % columns,
        n / columns) ? map->n_exact++ : -1;
  free (errors);
}

static void
fill_exact_cells (const RefCamera * camera, const RefView * view, RefMap * map)
{
  int columns = map->columns - 3, rows = map->rows - 3;
  int32_t *to = map->exact;

  for (int n = 0; n < columns * rows; n++)
    for (int k = 0; map->cells[n] >= 0 && k < 256; k++) {
      double place[2];

      ref_view_place (camera, view, n % columns * 16 + k % 16,
          n / columns * 16 + k / 16, place);
      *to++ = to_units (place[0]);
      *to++ = to_units (place[1]);
    }
}

void
ref_map_make (const RefCamera * camera, const RefView * view, RefMap * map)
{
  int columns = (view->width + 15) / 16 + 3, rows =
      (view->height + 15) / 16 + 3;
  int has_margins = 0;

  map->columns = columns;
  map->rows = rows;
  map->wrap = camera->lens == REF_LENS_EQUIRECT ? camera->width * 1024 : 0;
  map->n_exact = 0;
  map->nodes = malloc (sizeof (int32_t) * 2 * columns * rows);
  map->margins = malloc (sizeof (int32_t) * columns * rows);
  map->cells = malloc (sizeof (int32_t) * (columns - 3) * (rows - 3));
  for (int n = 0; n < columns * rows; n++) {
    int i = n % columns, j = n / columns;
    double place[2], margin = ref_view_place (camera, view, 16 * (i - 1),
        16 * (j - 1), place);

    map->nodes[2 * n] = to_units (place[0]);
    map->nodes[2 * n + 1] = to_units (place[1]);
    map->margins[n] = (int32_t) rint ((margin > -64 ? margin : -64) * 16777216);
    has_margins |= margin < 0 && i > 0 && j > 0 && i < columns - 1
        && j < rows - 1;
  }
  if (!has_margins) {
    free (map->margins);
    map->margins = NULL;
  }
  find_exact_cells (camera, view, map);
  map->exact = malloc (sizeof (int32_t) * 512 * (map->n_exact + 1));
  fill_exact_cells (camera, view, map);
}

void
ref_map_clear (RefMap * map)
{
  free (map->nodes);
  free (map->margins);
  free (map->cells);
  free (map->exact);
}

/* Returns whether the position (@s, @t) within map cell (@i, @j) shows the frame. */
static int
has_picture (const RefMap * map, int i, int j, int s, int t)
{
  const int32_t *m = map->margins + (j + 1) * map->columns + i + 1;
  float f = s / 128.0f, g = t / 128.0f;
  float a = fmaf (f, (float) (m[1] - m[0]), (float) m[0]);
  float b = fmaf (f, (float) (m[map->columns + 1] - m[map->columns]),
      (float) m[map->columns]);

  return fmaf (g, b - a, a) >= 0;
}

/* Returns coordinate @k of the position (@s, @t) within a map cell whose nodes are interpolated. */
static int
find_between_nodes (const RefMap * map, int i, int j, int s, int t, int k)
{
  double across[4], down[4];
  float sum = 0;

  find_weights (s / 128.0, across);
  find_weights (t / 128.0, down);
  for (int column = 0; column < 4; column++) {
    float c = 0;

    for (int row = 0; row < 4; row++)
      c = fmaf ((float) get_difference (map, i, j, column, row, k),
          (float) down[row], c);
    sum = fmaf (c, (float) across[column], sum);
  }
  return get_node (map, i + 1, j + 1)[k] + (int) lrintf (sum);
}

static int
limit_pixel (int t)
{
  return t >> 3 < 0 ? 0 : t >> 3 > 14 ? 14 : t >> 3;
}

/* Returns coordinate @k of the position (@s, @t) within a map cell that has exact positions. */
static int
find_between_pixels (const int32_t * exact, int wrap, int s, int t, int k)
{
  int p = limit_pixel (s), q = limit_pixel (t), f = s - 8 * p, g = t - 8 * q;
  int64_t base = exact[2 * (16 * q + p) + k], sum = 0;

  for (int y = 0; y < 2; y++)
    for (int x = 0; x < 2; x++) {
      int32_t d = (int32_t) (exact[2 * (16 * (q + y) + p + x) + k] - base);

      sum += (int64_t) (k == 0 ? wrap_around (d, wrap) : d)
          * (x == 0 ? 8 - f : f) * (y == 0 ? 8 - g : g);
    }
  return (int) (base + ((sum + 32) >> 6));
}

int
ref_map_find (const RefMap * map, int x, int y, int *u, int *v)
{
  int i = x < 0 ? 0 : x >> 7, j = y < 0 ? 0 : y >> 7;
  int s = x - 128 * i, t = y - 128 * j;
  int32_t exact = map->cells[j * (map->columns - 3) + i];
  int *to[2] = { u, v };

  for (int k = 0; k < 2; k++)
    *to[k] = exact < 0 ? find_between_nodes (map, i, j, s, t, k)
        : find_between_pixels (map->exact + 512 * exact, map->wrap, s, t, k);
  return map->margins == NULL || has_picture (map, i, j, s, t);
}

/* ---- Samples -------------------------------------------------------------------- */

void
ref_lanczos (int64_t weights[256][6])
{
  for (int f = 0; f < 256; f++) {
    double values[6], total = 0;
    int64_t rest = 2048;

    for (int k = 0; k < 6; k++) {
      double x = (k - 2 - f / 256.0) * PI, s, s3, c;

      ref_sincos (x, &s, &c);
      ref_sincos (x / 3, &s3, &c);
      values[k] = f == 0 ? k == 2 : 3 * s * s3 / (x * x);
      total += values[k];
    }
    for (int k = 0; k < 6; k++) {
      weights[f][k] = (int64_t) rint (2048 * values[k] / total);
      rest -= weights[f][k];
    }
    weights[f][f < 128 ? 2 : 3] += rest;
  }
}

static int
get_sample (const RefWarpPlane * in, const RefMap * map, int x, int y,
    RefEdges edges, RefInterpolation interpolation, const int64_t (*lanczos)[6])
{
  int h = in->x_shift, w = in->y_shift, u, v;
  int s = h && !in->x_cosited ? 512 : 0, t = w && !in->y_cosited ? 512 : 0;

  if (!ref_map_find (map, x, y, &u, &v))
    return in->black;
  u = (u - s + (2 << h)) >> (2 + h);
  v = (v - t + (2 << w)) >> (2 + w);
  return ref_warp_sample (in, u, v, edges, interpolation, lanczos);
}

void
ref_remap (const RefWarpPlane * in, const RefPlane * out, const RefMap * map,
    RefEdges edges, RefInterpolation interpolation, int samples, int colour)
{
  RefWarpPlane from = *in;
  int shift = samples == 4 ? 4 : samples == 2 ? 2 : 0;
  int64_t lanczos[256][6];

  ref_lanczos (lanczos);
  from.black = colour;
  from.wraps = map->wrap > 0;
  for (int y = 0; y < out->height; y++)
    for (int x = 0; x < out->width; x++) {
      int column = (8 * x << in->x_shift)
          + (in->x_shift && !in->x_cosited ? 4 : 0);
      int row = (8 * y << in->y_shift)
          + (in->y_shift && !in->y_cosited ? 4 : 0);
      int sum = samples * samples / 2;

      for (int b = 0; b < samples; b++)
        for (int a = 0; a < samples; a++)
          sum += get_sample (&from, map, column
              + (2 * a + 1 - samples) * (4 << in->x_shift) / samples, row
              + (2 * b + 1 - samples) * (4 << in->y_shift) / samples, edges,
              interpolation, lanczos);
      ref_set (out, x, y, sum >> shift);
    }
}
