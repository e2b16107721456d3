/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reference implementation of the bilateral filter: see docs/algorithms/bilateral.md. */
#include "bilateral.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reciprocal.h"
#include "samples.h"

#define LOG2_E 1.4426950408889634

#define EXP2_BIAS 488.5f
#define LOWEST (EXP2_BIAS - 48.0f)

float
ref_bilateral_exp2 (float biased)
{
  uint32_t line = bits_of (biased) << 8;
  float m = float_of ((line & 0x007fffffu) ^ 0x3fc00000u);
  float curve = fmaf (113532.828f, m, -17827.5703f);

  curve = fmaf (curve, m, 1397654.38f);
  curve = fmaf (curve, m, -5771228.0f);
  curve = fmaf (curve, m, 16860802.0f);
  return float_of (line + bits_of (curve));
}

float
ref_bilateral_alpha (const RefPlane * alpha, int x, int y)
{
  /* Scales full alpha to 2^40, so that no product of weights is subnormal. */
  return alpha == NULL ? 1 : (float) ref_get (alpha, x, y) * 0x1.010102p+32f;
}

static int
round_to_int (float x)
{
  volatile float biased = x + 12582912.0f;

  return (int) (bits_of (biased) - bits_of (12582912.0f));
}

static double
limit_sigma (double sigma)
{
  return sigma < 1e-3 ? 1e-3 : sigma > 1e6 ? 1e6 : sigma;
}

double
ref_bilateral_sigma (const RefPlane * plane, double sigma_color)
{
  int range = plane->hi - plane->lo;

  return range == plane->max ? sigma_color
      : sigma_color * ((double) range / plane->max);
}

/* Returns sqrt (log2 (e) / 2) / @sigma. For 8-bit samples, the result is rounded so that its
 * products with all color differences, up to 255 or 765, are exact. */
static float
color_scale (double sigma, int max, int n_components)
{
  int digits = max > 255 ? 24 : n_components == 1 ? 16 : 14;
  double scale, fraction;
  int exponent;

  scale = sqrt (LOG2_E / 2) / (limit_sigma (sigma) * max / 255);
  fraction = frexp (scale, &exponent);
  return (float) ldexp (rint (ldexp (fraction, digits)), exponent - digits);
}

/* Returns the value of sample (@x, @y), which may lie outside of the plane. */
static int
get (const RefPlane * plane, int x, int y)
{
  return ref_get (plane, ref_reflect (x, plane->width),
      ref_reflect (y, plane->height));
}

/* Returns a weighted sum divided by the sum of the weights; 0 if both are 0 because all samples
 * are transparent. */
static float
mean_of (float sum, float weights)
{
  return weights > 0 ? sum * ref_reciprocal (weights) : 0;
}

static void
filter_pixel (const RefPlane * in, const RefPlane * alpha,
    const RefPlane * out, int n, float scale,
    float inverse, const float *spatial, int radius, int aspect, int x, int y)
{
  float center[3], sum[3] = { 0, 0, 0 }, weights = 0;

  for (int c = 0; c < n; c++)
    center[c] = get (&in[c], x, y) * scale;

  /* Adds up columns from left to right, and each column from top to bottom, because sums of
   * floats depend on the order. */
  for (int dx = -radius; dx <= radius; dx++) {
    for (int dy = -aspect * radius; dy <= aspect * radius; dy++) {
      int square = aspect * dx * aspect * dx + dy * dy;
      float d[3], distance, z, w;

      if (square > aspect * radius * aspect * radius)
        continue;
      for (int c = 0; c < n; c++)
        d[c] = get (&in[c], x + dx, y + dy) * scale - center[c];
      distance = n == 1 ? d[0] : fabsf (d[0]) + fabsf (d[1]) + fabsf (d[2]);
      z = fmaf (-distance, distance, spatial[square]);
      w = ref_bilateral_exp2 (z < LOWEST ? LOWEST : z)
          * ref_bilateral_alpha (alpha, ref_reflect (x + dx, in->width),
          ref_reflect (y + dy, in->height));
      weights += w;
      for (int c = 0; c < n; c++)
        sum[c] = fmaf (d[c], w, sum[c]);
    }
  }

  for (int c = 0; c < n; c++) {
    float mean = mean_of (sum[c], weights);

    ref_set (&out[c], x, y,
        round_to_int (fmaf (mean, inverse, (float) get (&in[c], x, y))));
  }
}

/* Returns an array of spatial weights. Element i is log2 of the weight for the squared distance i,
 * plus EXP2_BIAS. */
static float *
fill_spatial (double sigma, int radius)
{
  float *spatial = malloc ((radius * radius + 1) * sizeof (float));

  sigma = limit_sigma (sigma);
  for (int i = 0; i <= radius * radius; i++)
    spatial[i] = (float) (EXP2_BIAS - i * LOG2_E / (2 * sigma * sigma));
  return spatial;
}

void
ref_bilateral (const RefPlane * in, const RefPlane * alpha,
    const RefPlane * out, int n_components,
    double sigma_color, double sigma_space, int radius, int aspect)
{
  float scale = color_scale (ref_bilateral_sigma (in, sigma_color), in->max,
      n_components);
  float inverse = (float) (1.0 / scale);
  float *spatial = fill_spatial (sigma_space, aspect * radius);

  for (int y = 0; y < in->height; y++)
    for (int x = 0; x < in->width; x++)
      filter_pixel (in, alpha, out, n_components, scale, inverse, spatial,
          radius, aspect, x, y);
  free (spatial);
}

/* Writes the guide values of all samples to @luma, an array of width x height numbers. */
static void
fill_luma (const RefPlane * guide, int n, int x_shift, int y_shift, int width,
    int height, uint16_t * luma)
{
  for (int y = 0; y < height; y++) {
    for (int x = 0; x < width; x++) {
      int v[3];

      for (int c = 0; c < n; c++)
        v[c] = get (&guide[c], x << x_shift, y << y_shift);
      luma[y * width + x] = (uint16_t) (n == 1 ? v[0]
          : (9798 * v[0] + 19235 * v[1] + 3735 * v[2] + 16384) >> 15);
    }
  }
}

static void
filter_guided_pixel (const RefPlane * in, const RefPlane * alpha,
    const RefPlane * out, int n,
    const uint16_t * luma, float scale, const float *spatial, int radius,
    int aspect, int x, int y)
{
  int width = in->width, height = in->height;
  float guide = luma[y * width + x] * scale, sum[3] = { 0, 0, 0 }, weights = 0;

  for (int dx = -radius; dx <= radius; dx++) {
    for (int dy = -aspect * radius; dy <= aspect * radius; dy++) {
      int square = aspect * dx * aspect * dx + dy * dy;
      float distance, z, w;

      if (square > aspect * radius * aspect * radius)
        continue;
      distance = luma[ref_reflect (y + dy, height) * width
          + ref_reflect (x + dx, width)] * scale - guide;
      z = fmaf (-distance, distance, spatial[square]);
      w = ref_bilateral_exp2 (z < LOWEST ? LOWEST : z)
          * ref_bilateral_alpha (alpha, ref_reflect (x + dx, width),
          ref_reflect (y + dy, height));
      weights += w;
      for (int c = 0; c < n; c++)
        sum[c] = fmaf ((float) (get (&in[c], x + dx, y + dy)
                - get (&in[c], x, y)), w, sum[c]);
    }
  }
  for (int c = 0; c < n; c++)
    ref_set (&out[c], x, y, round_to_int (fmaf (mean_of (sum[c], weights), 1,
                (float) get (&in[c], x, y))));
}

void
ref_bilateral_guided (const RefPlane * in, const RefPlane * alpha,
    const RefPlane * out,
    int n_components, const RefPlane * guide, int n_guide, int x_shift,
    int y_shift, double sigma_color, double sigma_space, int radius, int aspect)
{
  float scale = color_scale (ref_bilateral_sigma (guide, sigma_color),
      guide->max, n_components);
  float *spatial = fill_spatial (sigma_space, aspect * radius);
  uint16_t *luma = malloc (in->width * in->height * sizeof (uint16_t));

  fill_luma (guide, n_guide, x_shift, y_shift, in->width, in->height, luma);
  for (int y = 0; y < in->height; y++)
    for (int x = 0; x < in->width; x++)
      filter_guided_pixel (in, alpha, out, n_components, luma, scale, spatial,
          radius, aspect, x, y);
  free (luma);
  free (spatial);
}
