/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reference implementation of the Gaussian and of sharpening: see docs/algorithms/sharpen.md. */
#include "sharpen.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "colour.h"
#include "samples.h"

#define MAX_LEVEL 7
#define MAX_RADIUS 9

/* Number of samples outside of a pyramid level, on each side, that are read to double its size */
#define MARGIN 2

/* A plane of 16-bit samples with a margin. x is from -margin to width + margin - 1, y from
 * -margin to height + margin - 1. */
typedef struct
{
  int width, height, margin;
  uint16_t *data;
} Level;

static int
level_init (Level * level, int width, int height, int margin)
{
  size_t n = (size_t) (width + 2 * margin) * (height + 2 * margin);

  level->width = width;
  level->height = height;
  level->margin = margin;
  level->data = malloc (n * sizeof (uint16_t));
  return level->data != NULL;
}

static uint16_t *
at (const Level * level, int x, int y)
{
  int m = level->margin;

  return level->data + (size_t) (y + m) * (level->width + 2 * m) + x + m;
}

/* Returns 16 minus the number of bits of a sample. */
static int
missing_bits (const RefPlane * plane)
{
  int bits = 0;

  while ((plane->max + 1) << bits < 65536)
    bits++;
  return bits;
}

/* Computes the weights of a Gaussian in units of 2^-16, from its center outwards. The weights of
 * both sides and of the center add up to 1. Returns the number of weights on one side of the
 * center. */
static int
make_weights (double variance, uint32_t weights[MAX_RADIUS + 1])
{
  double g[MAX_RADIUS + 1], sum = 1.0;
  int radius = (int) ceil (3.0 * sqrt (variance));

  if (radius > MAX_RADIUS)
    radius = MAX_RADIUS;
  for (int i = 1; i <= radius; i++) {
    g[i] = exp (-i * i / (2.0 * variance));
    sum += 2.0 * g[i];
  }
  memset (weights, 0, (MAX_RADIUS + 1) * sizeof (weights[0]));
  weights[0] = 65536;
  for (int i = 1; i <= radius; i++) {
    weights[i] = (uint32_t) floor (65536.0 * g[i] / sum + 0.5);
    weights[0] -= 2 * weights[i];
  }
  return radius;
}

/* Halves the width and height of a pyramid level, with the weights [1 3 3 1] / 8 along both
 * axes. */
static void
halve (const Level * in, const Level * out)
{
  static const uint32_t w[4] = { 1, 3, 3, 1 };
  int m = out->margin;

  for (int y = -m; y < out->height + m; y++) {
    for (int x = -m; x < out->width + m; x++) {
      uint32_t sum = 32;

      for (int j = 0; j < 4; j++)
        for (int i = 0; i < 4; i++)
          sum += w[i] * w[j] * *at (in, 2 * x - 1 + i, 2 * y - 1 + j);
      *at (out, x, y) = sum >> 6;
    }
  }
}

/* Convolves columns with the weights @columns, then rows with the weights @rows. The samples of @in
 * extend @radius samples farther on all sides than those of @out. */
static int
convolve (const Level * in, const Level * out, int radius,
    const uint32_t * columns, const uint32_t * rows)
{
  int m = out->margin, width = out->width + 2 * (m + radius);
  uint16_t *row = malloc (width * sizeof (uint16_t));

  if (row == NULL)
    return 0;
  for (int y = -m; y < out->height + m; y++) {
    for (int x = 0; x < width; x++) {
      uint32_t sum = 32768 + columns[0] * *at (in, x - m - radius, y);

      for (int i = 1; i <= radius; i++)
        sum += columns[i] * *at (in, x - m - radius, y - i)
            + columns[i] * *at (in, x - m - radius, y + i);
      row[x] = sum >> 16;
    }
    for (int x = -m; x < out->width + m; x++) {
      const uint16_t *middle = row + x + m + radius;
      uint32_t sum = 32768 + rows[0] * middle[0];

      for (int i = 1; i <= radius; i++)
        sum += rows[i] * middle[-i] + rows[i] * middle[i];
      *at (out, x, y) = sum >> 16;
    }
  }
  free (row);
  return 1;
}

/* Returns (3 @a + @b) / 4, rounded up. */
static int
nearer (int a, int b)
{
  return (3 * a + b + 3) >> 2;
}

/* Doubles the width and height of a pyramid level: interpolates between the two nearest samples
 * along each axis. */
static void
twice (const Level * in, const Level * out)
{
  int m = out->margin;

  for (int y = -m; y < out->height + m; y++) {
    for (int x = -m; x < out->width + m; x++) {
      /* The dividends are never negative, because m is even. */
      int x0 = (x + m) / 2 - m / 2, x1 = x % 2 == 0 ? x0 - 1 : x0 + 1;
      int y0 = (y + m) / 2 - m / 2, y1 = y % 2 == 0 ? y0 - 1 : y0 + 1;

      *at (out, x, y) = nearer (nearer (*at (in, x0, y0), *at (in, x1, y0)),
          nearer (*at (in, x0, y1), *at (in, x1, y1)));
    }
  }
}

/* Loads a plane as 16-bit samples, and mirrors it into the margin. */
static void
load (const RefPlane * plane, const Level * level)
{
  int m = level->margin, bits = missing_bits (plane);

  for (int y = -m; y < level->height + m; y++)
    for (int x = -m; x < level->width + m; x++)
      *at (level, x, y) = ref_get (plane, ref_reflect (x, plane->width),
          ref_reflect (y, plane->height)) << bits;
}

/* Computes level[0], without a margin: the plane convolved with a Gaussian. The standard deviation
 * sigma_y is at least sigma_x. All members of @level must be zero before the call. */
static int
blur (const RefPlane * plane, double sigma_x, double sigma_y, Level * level)
{
  int n = 0, radius, radius_x, margin, width = plane->width;
  int height = plane->height;
  double scale = 1.0;
  uint32_t columns[MAX_RADIUS + 1], rows[MAX_RADIUS + 1];
  Level lowest;

  while (n < MAX_LEVEL && sigma_y >= 3.0 * scale) {
    n++;
    scale *= 2.0;
  }
  /* Reduces the variance of the Gaussian, because halving and doubling also blur: each adds a
   * variance of (scale^2 - 1) / 4. */
  radius = make_weights ((sigma_y * sigma_y - (scale * scale - 1.0) / 2.0)
      / (scale * scale), columns);
  radius_x = make_weights ((sigma_x * sigma_x - (scale * scale - 1.0) / 2.0)
      / (scale * scale), rows);
  radius = radius_x > radius ? radius_x : radius;

  margin = n > 0 ? MARGIN + radius : radius;
  for (int i = 0; i < n; i++)
    margin = 2 * margin + 2;
  for (int i = 0; i <= n; i++) {
    if (!level_init (&level[i], width, height, margin))
      return 0;
    if (i == 0)
      load (plane, &level[0]);
    else
      halve (&level[i - 1], &level[i]);
    if (i < n) {
      width = (width + 1) / 2;
      height = (height + 1) / 2;
      margin = margin / 2 - 1;
    }
  }

  if (!level_init (&lowest, width, height, n > 0 ? MARGIN : 0))
    return 0;
  if (!convolve (&level[n], &lowest, radius, columns, rows)) {
    free (lowest.data);
    return 0;
  }
  free (level[n].data);
  level[n] = lowest;
  for (int i = n - 1; i >= 0; i--) {
    width = level[i].width;
    height = level[i].height;
    free (level[i].data);
    if (!level_init (&level[i], width, height, i > 0 ? MARGIN : 0))
      return 0;
    twice (&level[i + 1], &level[i]);
  }
  return 1;
}

int
ref_gaussian (const RefPlane * in, const RefPlane * out, double sigma_x,
    double sigma_y)
{
  Level level[MAX_LEVEL + 1] = { {0} };
  int ok = blur (in, sigma_x, sigma_y, level), bits = missing_bits (in);

  for (int y = 0; y < in->height && ok; y++)
    for (int x = 0; x < in->width; x++) {
      int value = (*at (&level[0], x, y) + ((1 << bits) >> 1)) >> bits;

      ref_set (out, x, y, value);
    }
  for (int i = 0; i <= MAX_LEVEL; i++)
    free (level[i].data);
  return ok;
}

/* Sharpens a plane. @blurred is the blurred plane, without a margin. */
static void
sharpen (const RefPlane * in, const Level * blurred, const RefPlane * out,
    double amount, double threshold)
{
  int bits = missing_bits (in);
  int factor = (int) floor (amount * 1024.0 + 0.5);
  /* Converts the threshold from units of 1/255 of full range; limited range has 219 gray levels. */
  double steps = in->lo == 0 ? 1 : 219.0 / 255.0;
  int least = (int) floor (threshold * steps * 256.0 + 0.5);

  for (int y = 0; y < in->height; y++) {
    for (int x = 0; x < in->width; x++) {
      int value = ref_get (in, x, y), fine = value << bits;
      int difference = fine - *at (blurred, x, y);
      int sum = fine * 1024 + difference * factor + (512 << bits);
      int result = sum < 0 ? 0 : sum >> (bits + 10);

      if (abs (difference) < least)
        result = value;
      ref_set (out, x, y, ref_limit (in, result, value));
    }
  }
}

int
ref_sharpen (const RefPlane * in, const RefPlane * out, double amount,
    double sigma, double threshold)
{
  Level level[MAX_LEVEL + 1] = { {0} };
  int ok = blur (in, sigma, sigma, level);

  if (ok)
    sharpen (in, &level[0], out, amount, threshold);
  for (int i = 0; i <= MAX_LEVEL; i++)
    free (level[i].data);
  return ok;
}

/* Sharpens luma with a Gaussian that is weighted by alpha. */
static int
sharpen_weighted (const RefPlane * luma, const RefPlane * alpha,
    const RefPlane * out, double amount, double sigma, double threshold)
{
  RefPlane before[4], after[4];
  Level blurred = { 0 };
  int ok;

  if (!ref_colour_alpha_split (luma, alpha, 1, before, after))
    return 0;
  ok = ref_gaussian (&before[0], &after[0], sigma, sigma)
      && ref_gaussian (&before[1], &after[1], sigma, sigma)
      && level_init (&blurred, luma->width, luma->height, 0);
  if (ok) {
    RefPlane plane = before[0];

    plane.data = (uint8_t *) blurred.data;
    ref_colour_alpha_join (luma, after, 1, &plane);
    sharpen (luma, &blurred, out, amount, threshold);
  }
  free (blurred.data);
  free (before[0].data);
  return ok;
}

int
ref_sharpen_rgb (const RefPlane in[3], const RefPlane * alpha,
    const RefPlane out[3], double amount, double sigma, double threshold)
{
  RefPlane before, after;
  int ok;

  if (!ref_colour_get_luma (in, &before, &after))
    return 0;
  ok = alpha != NULL && sigma > 0
      ? sharpen_weighted (&before, alpha, &after, amount, sigma, threshold)
      : ref_sharpen (&before, &after, amount, sigma, threshold);
  if (ok)
    ref_colour_replace_luma (in, &before, &after, out);
  free (before.data);
  return ok;
}
