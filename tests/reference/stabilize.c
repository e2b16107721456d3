/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reference implementation of warping frames and of smoothing camera paths: see
 * docs/algorithms/stabilize.md. */
#include "stabilize.h"

#include <math.h>

#include "reciprocal.h"
#include "remap.h"
#include "samples.h"

/* ---- The warp ------------------------------------------------------------------- */

/* Converts a matrix for pixel positions to a matrix for sample positions. Sample i lies at pixel
 * scale * i + offset. */
static void
move_to_samples (const RefWarpPlane * in, const double *matrix, float *m)
{
  double scale[3] = { 1 << in->x_shift, 1 << in->y_shift, 1 };
  double offset[3] = { in->x_cosited ? 0 : (scale[0] - 1) / 2,
    in->y_cosited ? 0 : (scale[1] - 1) / 2, 0
  };
  double a[3][3], last;

  for (int i = 0; i < 3; i++) {
    a[i][0] = matrix[3 * i] * scale[0];
    a[i][1] = matrix[3 * i + 1] * scale[1];
    a[i][2] = matrix[3 * i] * offset[0] + matrix[3 * i + 1] * offset[1]
        + matrix[3 * i + 2];
  }
  last = a[2][2];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      m[3 * i + j] = (float) ((i < 2 ? (a[i][j] - offset[i] * a[2][j])
              / scale[i] : a[i][j]) / last);
}

/* Converts a coordinate to steps of 1/256 sample, rounding ties to even. Clamps it to 65536
 * samples. */
static int
to_steps (float x)
{
  float steps = x * 256.0f;

  return steps > 16777216.0f ? 16777216 : steps < -16777216.0f ? -16777216
      : (int) lrintf (steps);
}

static void
find_place (const float *m, int x, int y, int *u, int *v)
{
  float fx = (float) x, fy = (float) y;
  float s = fmaf (m[0], fx, fmaf (m[1], fy, m[2]));
  float t = fmaf (m[3], fx, fmaf (m[4], fy, m[5]));

  if (m[6] != 0 || m[7] != 0) {
    float w = fmaf (m[6], fx, fmaf (m[7], fy, 1.0f));
    float r = ref_reciprocal (w < 0.0009765625f ? 0.0009765625f : w);

    s *= r;
    t *= r;
  }
  *u = to_steps (s);
  *v = to_steps (t);
}

static int64_t
look (const RefWarpPlane * in, int x, int y, RefEdges edges)
{
  const RefPlane *plane = &in->plane;
  int is_outside;

  if (in->wraps) {
    x = (x % plane->width + plane->width) % plane->width;
    edges = REF_EDGES_REPEAT;
  }
  is_outside = x < 0 || y < 0 || x >= plane->width || y >= plane->height;
  if (is_outside && edges == REF_EDGES_BLACK)
    return in->black;
  if (is_outside && edges == REF_EDGES_MIRROR) {
    x = ref_reflect (x, plane->width);
    y = ref_reflect (y, plane->height);
  }
  x = x < 0 ? 0 : x >= plane->width ? plane->width - 1 : x;
  y = y < 0 ? 0 : y >= plane->height ? plane->height - 1 : y;
  return ref_get (plane, x, y);
}

static int
mix_4 (const RefWarpPlane * in, int u, int v, RefEdges edges)
{
  int x = u >> 8, y = v >> 8, f = u & 255, g = v & 255;
  int64_t above = look (in, x, y, edges) * (256 - f)
      + look (in, x + 1, y, edges) * f;
  int64_t below = look (in, x, y + 1, edges) * (256 - f)
      + look (in, x + 1, y + 1, edges) * f;

  return (int) ((above * (256 - g) + below * g + 32768) >> 16);
}

/* Computes the weights of cubic interpolation (Catmull-Rom), in units of 1/2048. */
static void
find_weights (int64_t f, int64_t w[4])
{
  w[0] = (-f * f * f + 512 * f * f - 65536 * f + 8192) >> 14;
  w[2] = (-3 * f * f * f + 1024 * f * f + 65536 * f + 8192) >> 14;
  w[3] = (f * f * f - 256 * f * f + 8192) >> 14;
  w[1] = 2048 - w[0] - w[2] - w[3];
}

/* Returns the sum of @n x @n samples, starting at (@x, @y), with weights in units of 1/2048. @n: 4
 * or 6 */
static int
mix_taps (const RefWarpPlane * in, int x, int y, int n,
    const int64_t * across, const int64_t * down, RefEdges edges)
{
  int lost = in->plane.bytes == 1 ? 0 : 8;
  int64_t sum = (int64_t) 1 << (21 - lost);

  for (int j = 0; j < n; j++) {
    int64_t row = lost > 0 ? 1 << (lost - 1) : 0;

    for (int i = 0; i < n; i++)
      row += look (in, x + i, y + j, edges) * across[i];
    sum += (row >> lost) * down[j];
  }
  sum >>= 22 - lost;
  return sum < 0 ? 0 : sum > in->plane.max ? in->plane.max : (int) sum;
}

int
ref_warp_sample (const RefWarpPlane * in, int u, int v, RefEdges edges,
    RefInterpolation interpolation, const int64_t (*lanczos)[6])
{
  int64_t across[4], down[4];

  if (interpolation == REF_BILINEAR)
    return mix_4 (in, u, v, edges);
  if (interpolation == REF_LANCZOS)
    return mix_taps (in, (u >> 8) - 2, (v >> 8) - 2, 6, lanczos[u & 255],
        lanczos[v & 255], edges);
  find_weights (u & 255, across);
  find_weights (v & 255, down);
  return mix_taps (in, (u >> 8) - 1, (v >> 8) - 1, 4, across, down, edges);
}

void
ref_warp (const RefWarpPlane * in, const RefPlane * out,
    const double matrix[9], RefEdges edges, RefInterpolation interpolation)
{
  int64_t lanczos[256][6];
  float m[9];

  ref_lanczos (lanczos);
  move_to_samples (in, matrix, m);
  for (int y = 0; y < out->height; y++)
    for (int x = 0; x < out->width; x++) {
      int u, v;

      find_place (m, x, y, &u, &v);
      ref_set (out, x, y, ref_warp_sample (in, u, v, edges, interpolation,
              lanczos));
    }
}

/* ---- The path ------------------------------------------------------------------- */

/* Fits a straight line to the points (x[i], y[i]) by weighted least squares. The weights depend on
 * the first and the last point, which are the farthest. Returns the value of the line at 0. */
static double
fit_line (const int *x, const double *y, int n)
{
  double middle = (x[0] + x[n - 1]) / 2.0, reach = (x[n - 1] - x[0]) / 2.0 + 1;
  double w = 0, wx = 0, wy = 0, wxx = 0, wxy = 0;

  for (int i = 0; i < n; i++) {
    double t = (x[i] - middle) / reach;
    double weight = pow (1 - 0.6 * t * t, 4);

    w += weight;
    wx += weight * x[i];
    wy += weight * y[i];
    wxx += weight * x[i] * x[i];
    wxy += weight * x[i] * y[i];
  }
  return n == 1 ? y[0] : (wxx * wy - wx * wxy) / (w * wxx - wx * wx);
}

static double
find_scale (const double *m)
{
  return sqrt (m[0] * m[4] - m[1] * m[3]);
}

void
ref_smooth (const double (*motions)[9], const int *x, int n, double result[9])
{
  double y[512], scale;

  for (int k = 0; k < 9; k++) {
    for (int i = 0; i < n; i++)
      y[i] = motions[i][k];
    result[k] = fit_line (x, y, n);
  }
  for (int i = 0; i < n; i++)
    y[i] = find_scale (motions[i]);
  scale = fit_line (x, y, n) / find_scale (result);
  result[0] *= scale;
  result[1] *= scale;
  result[3] *= scale;
  result[4] *= scale;
}
