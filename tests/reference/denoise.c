/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reduces noise: see docs/algorithms/denoise.md. */
#include "denoise.h"

#include <stdlib.h>

#include "reciprocal.h"
#include "samples.h"

#define FIRST_NOISE 4
#define MAX_NOISE 512
#define BLOCK 8
#define MAX_SUM (BLOCK * BLOCK * 255)
#define MAX_CLIPPED (BLOCK * BLOCK / 4 - 1)

static const int kernel[] = { 1, 4, 6, 4, 1 };

static int
clamp (int value, int min, int max)
{
  return value < min ? min : value > max ? max : value;
}

static int
smaller (int a, int b)
{
  return a < b ? a : b;
}

static int
larger (int a, int b)
{
  return a > b ? a : b;
}

static int
depth_of (const RefPlane * plane)
{
  int depth = 0;

  while (plane->max >> depth)
    depth++;
  return depth;
}

/* Returns a sample in units of 1/128 of an 8-bit grey level: v' of docs/algorithms/denoise.md. */
static int
fine (const RefPlane * plane, int x, int y)
{
  int depth = depth_of (plane), v = ref_get (plane, x, y);

  return depth == 16 ? v >> 1 : v << (15 - depth);
}

/* ---- Noise --------------------------------------------------------------- */

/* Measures the noise from the differences between this frame and the last one, and stores this
 * frame for the next call. */
static bool
measure (const RefPlane * in, RefDenoisePast * past)
{
  int shift = depth_of (in) - 8;
  int width = in->width, height = in->height, n = 0, sum_of_counts = 0, p = 0;
  int lo = in->lo >> shift, hi = in->hi >> shift, noise = past->noise, e;
  int *counts = calloc (MAX_SUM + 1, sizeof (int));

  if (counts == NULL)
    return false;
  for (int by = 0; by + BLOCK <= height; by += BLOCK)
    for (int bx = 0; bx + BLOCK <= width; bx += BLOCK) {
      int sum = 0, clipped = 0;

      for (int y = by; y < by + BLOCK; y++)
        for (int x = bx; x < bx + BLOCK; x++) {
          int v = ref_get (in, x, y) >> shift;

          sum += abs (v - past->before[(size_t) y * width + x]);
          clipped += v <= lo || v >= hi;
        }
      if (clipped > MAX_CLIPPED)
        continue;
      counts[sum]++;
      n++;
    }
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      past->before[(size_t) y * width + x] = ref_get (in, x, y) >> shift;
  if (past->has_past && n > 0) {
    while ((sum_of_counts += counts[p]) <= n / 5)
      p++;
    e = (31 * p + 64) >> 7;
    if (p > 0) {
      if (past->is_measured)
        e = smaller ((7 * noise + e + 4) >> 3, noise + larger (noise >> 4, 1));
      past->noise = clamp (e, FIRST_NOISE, MAX_NOISE);
      past->is_measured = true;
    }
  }
  free (counts);
  return true;
}

/* ---- Motion --------------------------------------------------------------- */

static int
motion (const RefPlane * in, const uint16_t * mean, int noise, int x, int y)
{
  int a = 0;

  for (int dy = -2; dy <= 2; dy++)
    for (int dx = -2; dx <= 2; dx++) {
      int mx = ref_reflect (x + dx, in->width), my = ref_reflect (y + dy, in->height);
      int d = fine (in, mx, my) - mean[(size_t) my * in->width + mx];

      a += kernel[dy + 2] * kernel[dx + 2]
          * smaller (abs ((d + 4) >> 3), 4095);
    }
  return clamp (2 * (a / noise - 268), 0, 256);
}

/* Returns the largest motion of the luma samples covered by chroma sample (x, y). */
static int
luma_motion (const RefPlane * in, const RefPlane * chroma, const int *q, int x,
    int y)
{
  int sx = (in->width + chroma->width - 1) / chroma->width;
  int sy = (in->height + chroma->height - 1) / chroma->height, most = 0;

  for (int ly = y * sy; ly < smaller ((y + 1) * sy, in->height); ly++)
    for (int lx = x * sx; lx < smaller ((x + 1) * sx, in->width); lx++)
      most = larger (most, q[(size_t) ly * in->width + lx]);
  return most;
}

/* ---- Both filters --------------------------------------------------------- */

static void
update (const RefPlane * in, const int *q, int frames, uint16_t * mean,
    uint8_t * count)
{
  for (int y = 0; y < in->height; y++)
    for (int x = 0; x < in->width; x++) {
      size_t i = (size_t) y * in->width + x;
      int c = ((count[i] * (256 - q[i]) + 128) >> 8) + 16;

      c = smaller (c, smaller (16 * frames, 255));
      mean[i] += ((fine (in, x, y) - mean[i]) * ((1 << 19) / c) + (1 << 14))
          >> 15;
      count[i] = c;
    }
}

static int
threshold (const RefDenoise * params, int noise, int count)
{
  int i = clamp ((count + 8) >> 4, 1, 16);
  int root = lrint (256.0 / sqrt (i));

  return clamp (lrint (16.0 * params->spatial) * noise * root >> 9, 1, 32767);
}

static int
mean_difference (const uint16_t * mean, const uint8_t * count, int width,
    int height, int x, int y, int t)
{
  int s = mean[(size_t) y * width + x];
  float sum = 0, weights = 0, range = ref_reciprocal (t);

  for (int dy = -2; dy <= 2; dy++)
    for (int dx = -2; dx <= 2; dx++) {
      size_t i = (size_t) ref_reflect (y + dy, height) * width
          + ref_reflect (x + dx, width);
      float e = mean[i] - s, w = fmaf (-fabsf (e), range, 1.0f);

      w = larger (count[i] >> 4, 1) * (w > 0 ? w : 0);
      weights += w;
      sum = fmaf (w, e, sum);
    }
  return sum * ref_reciprocal (weights);
}

static void
smooth (const RefPlane * in, const RefPlane * out, const RefDenoise * params,
    int noise, const uint16_t * mean, const uint8_t * count)
{
  int depth = depth_of (in);

  for (int y = 0; y < in->height; y++)
    for (int x = 0; x < in->width; x++) {
      size_t i = (size_t) y * in->width + x;
      int change = mean[i] - fine (in, x, y)
          + mean_difference (mean, count, in->width, in->height, x, y,
          threshold (params, noise, count[i]));

      ref_set (out, x, y, ref_get (in, x, y) + (depth == 16 ? 2 * change
              : (change + (1 << (14 - depth))) >> (15 - depth)));
    }
}

/* ---- Frames ---------------------------------------------------------------- */

static bool
ensure_past (const RefPlane * in, int n, RefDenoisePast * past)
{
  bool ok = true;

  if (past->before != NULL)
    return true;
  past->noise = FIRST_NOISE;
  past->before = calloc ((size_t) in->width * in->height, 1);
  ok = past->before != NULL;
  for (int i = 0; i < n; i++) {
    size_t size = (size_t) in[i].width * in[i].height;

    past->mean[i] = calloc (size, sizeof (uint16_t));
    past->count[i] = calloc (size, 1);
    ok = ok && past->mean[i] != NULL && past->count[i] != NULL;
  }
  return ok;
}

static void
begin (const RefPlane * in, uint16_t * mean, uint8_t * count)
{
  for (int y = 0; y < in->height; y++)
    for (int x = 0; x < in->width; x++) {
      mean[(size_t) y * in->width + x] = fine (in, x, y);
      count[(size_t) y * in->width + x] = 16;
    }
}

/* Sets the array q[i] to the motion of the samples of component i, for each of n components. */
static void
find_motion (const RefPlane * in, int n, const RefDenoise * params, int noise,
    const RefDenoisePast * past, int **q)
{
  for (int i = 0; i < n; i++)
    for (int y = 0; y < in[i].height; y++)
      for (int x = 0; x < in[i].width; x++)
        q[i][(size_t) y * in[i].width + x] =
            motion (&in[i], past->mean[i], noise, x, y);
  if (params->is_rgb) {
    for (size_t j = 0; j < (size_t) in->width * in->height; j++)
      q[0][j] = q[1][j] = q[2][j] =
          larger (larger (q[0][j], q[1][j]), q[2][j]);
    return;
  }
  for (int i = 1; i < n; i++)
    for (int y = 0; y < in[i].height; y++)
      for (int x = 0; x < in[i].width; x++) {
        int *own = &q[i][(size_t) y * in[i].width + x];

        *own = larger (*own, luma_motion (in, &in[i], q[0], x, y));
      }
}

bool
ref_denoise (const RefPlane * in, const RefPlane * out, int n,
    const RefDenoise * params, RefDenoisePast * past)
{
  int *q[REF_DENOISE_MAX_COMPONENTS] = { NULL }, base, noise;
  bool ok;

  if (!params->is_rgb && params->only_luma)
    n = 1;
  ok = ensure_past (in, n, past) && measure (&in[params->is_rgb ? 1 : 0], past);
  for (int i = 0; i < n && ok; i++) {
    q[i] = malloc ((size_t) in[i].width * in[i].height * sizeof (int));
    ok = q[i] != NULL;
  }
  if (ok) {
    base = params->noise > 0 ? lrint (16.0 * params->noise) : past->noise;
    noise = larger ((base * lrint (256.0 * params->strength) + 128) >> 8, 1);
    if (past->has_past)
      find_motion (in, n, params, noise, past, q);
    for (int i = 0; i < n; i++) {
      if (past->has_past)
        update (&in[i], q[i], params->frames, past->mean[i], past->count[i]);
      else
        begin (&in[i], past->mean[i], past->count[i]);
      smooth (&in[i], &out[i], params, noise, past->mean[i], past->count[i]);
    }
    past->has_past = true;
  }
  for (int i = 0; i < REF_DENOISE_MAX_COMPONENTS; i++)
    free (q[i]);
  return ok;
}

void
ref_denoise_forget (RefDenoisePast * past)
{
  for (int i = 0; i < REF_DENOISE_MAX_COMPONENTS; i++) {
    free (past->mean[i]);
    free (past->count[i]);
  }
  free (past->before);
  *past = (RefDenoisePast) { 0 };
}
