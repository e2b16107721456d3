/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reference implementation of luma, weighting by alpha, and color matrices: see
 * docs/algorithms/colour.md. */
#include "colour.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reciprocal.h"
#include "samples.h"

static uint8_t *
at (const RefPlane * plane, int x, int y)
{
  return plane->data + y * plane->stride + x * plane->pixel_stride;
}

void
ref_colour_luma (const RefPlane rgb[3], const RefPlane * luma)
{
  for (int y = 0; y < luma->height; y++) {
    for (int x = 0; x < luma->width; x++) {
      int r = *at (&rgb[0], x, y);
      int g = *at (&rgb[1], x, y);
      int b = *at (&rgb[2], x, y);

      /* Weights red, green and blue by 0.299, 0.587 and 0.114, in units of 2^-15; the weights
       * add up to 2^15. */
      *at (luma, x, y) = (9798 * r + 19235 * g + 3735 * b + 16384) >> 15;
    }
  }
}

int
ref_colour_get_luma (const RefPlane in[3], RefPlane * before, RefPlane * after)
{
  size_t size = (size_t) in[0].width * in[0].height;

  *before = (RefPlane) {
  .data = malloc (2 * size),.stride = in[0].width,.pixel_stride = 1,.width =
        in[0].width,.height = in[0].height,.bytes = 1,.max = 255,.lo =
        in[0].lo,.hi = in[0].hi};
  if (before->data == NULL)
    return 0;
  *after = *before;
  after->data += size;
  ref_colour_luma (in, before);
  return 1;
}

void
ref_colour_replace_luma (const RefPlane in[3], const RefPlane * before,
    const RefPlane * after, const RefPlane out[3])
{
  for (int y = 0; y < before->height; y++) {
    for (int x = 0; x < before->width; x++) {
      int shift = *at (after, x, y) - *at (before, x, y);

      for (int i = 0; i < 3; i++) {
        int old = *at (&in[i], x, y);

        *at (&out[i], x, y) = ref_limit (&in[i], old + shift, old);
      }
    }
  }
}

int
ref_colour_alpha_split (const RefPlane * in, const RefPlane * alpha, int n,
    RefPlane before[4], RefPlane after[4])
{
  size_t size = 2 * (size_t) alpha->width * alpha->height;
  uint8_t *data = malloc (2 * (n + 1) * size);

  if (data == NULL)
    return 0;
  for (int i = 0; i <= n; i++) {
    before[i] = (RefPlane) {
    .data = data + i * size,.stride = 2 * alpha->width,.pixel_stride =
          2,.width = alpha->width,.height = alpha->height,.bytes = 2,.max =
          65535,.hi = 65535};
    after[i] = before[i];
    after[i].data += (n + 1) * size;
    for (int y = 0; y < alpha->height; y++)
      for (int x = 0; x < alpha->width; x++) {
        int value = i < n ? *at (&in[i], x, y) : 255;

        /* Multiplies by alpha / 255 * 256, which keeps 8 additional bits of the sample. The result
         * has no ties, so that rounding is unambiguous. */
        ref_set (&before[i], x, y,
            (2 * 256 * value * *at (alpha, x, y) + 255) / 510);
      }
  }
  return 1;
}

void
ref_colour_alpha_join (const RefPlane * in, const RefPlane after[4], int n,
    const RefPlane * out)
{
  for (int y = 0; y < in->height; y++)
    for (int x = 0; x < in->width; x++) {
      int alpha = ref_get (&after[n], x, y);
      float factor = 65280 * ref_reciprocal (alpha > 0 ? (float) alpha : 1);

      for (int i = 0; i < n; i++) {
        int value = (int) rintf (factor * (float) ref_get (&after[i], x, y));

        if (alpha == 0)
          value = *at (&in[i], x, y) << 8;
        ref_set (&out[i], x, y, out[i].bytes == 2 ? value : (value + 128) >> 8);
      }
    }
}

/* Sets @zero to the value of sample @i for black or, in chroma, for no color. Sets @unit to the
 * difference between white and black or, in chroma, between the largest and the smallest value. */
static void
range_of (const RefColour * c, int i, double *zero, double *unit)
{
  int chroma = !c->rgb && i > 0;
  double step = (c->max + 1) / 256;

  if (c->full_range) {
    *zero = chroma ? (c->max + 1) / 2 : 0;
    *unit = c->max;
  } else {
    *zero = chroma ? 128 * step : 16 * step;
    *unit = chroma ? 224 * step : 219 * step;
  }
}

/* Sets @m to the matrix that computes R, G and B from Y, U and V. R, G, B and Y are from 0 to 1, U
 * and V from -0.5 to 0.5. */
static void
to_rgb (double kr, double kb, double m[3][3])
{
  double kg = 1 - kr - kb;
  double rows[3][3] = {
    {1, 0, 2 * (1 - kr)},
    {1, -2 * (1 - kb) * kb / kg, -2 * (1 - kr) * kr / kg},
    {1, 2 * (1 - kb), 0}
  };

  memcpy (m, rows, sizeof (rows));
}

static void
from_rgb (double kr, double kb, double m[3][3])
{
  double kg = 1 - kr - kb;
  double rows[3][3] = {
    {kr, kg, kb},
    {-kr / (2 * (1 - kb)), -kg / (2 * (1 - kb)), 0.5},
    {0.5, -kg / (2 * (1 - kr)), -kb / (2 * (1 - kr))}
  };

  memcpy (m, rows, sizeof (rows));
}

/* Rounds the factors of a row of the color matrix in such a way that they add up to their rounded
 * sum, so that gray pixels remain gray. An excess is subtracted from the factors that rounding
 * increased most. */
static void
round_row (const double *exact, int64_t * factor)
{
  int64_t wanted = llround (exact[0] + exact[1] + exact[2]), sum = 0;

  for (int k = 0; k < 3; k++)
    sum += factor[k] = llround (exact[k]);
  while (sum != wanted) {
    int step = sum > wanted ? -1 : 1, worst = 0;

    for (int k = 1; k < 3; k++)
      if ((factor[k] - exact[k]) * step < (factor[worst] - exact[worst]) * step)
        worst = k;
    factor[worst] += step;
    sum += step;
  }
}

void
ref_colour_matrix (const RefColour * in, const RefColour * out,
    RefColourMatrix * matrix)
{
  double kr = in->gray ? out->kr : in->kr, kb = in->gray ? out->kb : in->kb;
  double a[3][3] = { {1, 0, 0}, {0, 1, 0}, {0, 0, 1} }, b[3][3];
  int n = in->gray ? 1 : 3, limit;

  if (!in->rgb)
    to_rgb (kr, kb, a);
  memcpy (b, a, sizeof (b));
  if (!out->rgb) {
    double f[3][3];

    if (out->gray && !in->rgb)
      from_rgb (kr, kb, f);
    else
      from_rgb (out->kr, out->kb, f);
    for (int i = 0; i < 3; i++)
      for (int k = 0; k < 3; k++)
        b[i][k] = f[i][0] * a[0][k] + f[i][1] * a[1][k] + f[i][2] * a[2][k];
  }

  matrix->bits = in->max == 65535 ? 23 : in->max > 255 ? 17 : 15;
  /* Reduces the number of fraction bits for deep samples, and for their chroma, so that offsets fit
   * in 32 bits. */
  limit = (in->gray || out->gray ? 33 : 30) - (int) rint (log2 (out->max));
  if (matrix->bits > limit)
    matrix->bits = limit;
  matrix->max = out->max;
  matrix->identity = 1;
  for (int i = 0; i < 3; i++) {
    double zero, unit, out_zero, out_unit, exact[3] = { 0, 0, 0 };

    range_of (out, i, &out_zero, &out_unit);
    for (int k = 0; k < n; k++) {
      range_of (in, k, &zero, &unit);
      exact[k] = ldexp (b[i][k] * out_unit / unit, matrix->bits);
      matrix->factor[i][k] = llround (exact[k]);
    }
    for (int k = n; k < 3; k++)
      matrix->factor[i][k] = 0;
    if (in->rgb)
      round_row (exact, matrix->factor[i]);

    matrix->offset[i] = llround (ldexp (out_zero, matrix->bits));
    for (int k = 0; k < n; k++) {
      range_of (in, k, &zero, &unit);
      matrix->offset[i] -= matrix->factor[i][k] * llround (zero);
    }
    for (int k = 0; k < n; k++)
      if (matrix->factor[i][k] != (int64_t) (i == k) << matrix->bits
          && i < (out->gray ? 1 : 3))
        matrix->identity = 0;
    if (i < (out->gray ? 1 : n) && matrix->offset[i] != 0)
      matrix->identity = 0;
    matrix->offset[i] += (int64_t) 1 << (matrix->bits - 1);
  }
  if (in->max != out->max || (out->rgb && !in->rgb) || (in->rgb && !out->rgb))
    matrix->identity = 0;
}
