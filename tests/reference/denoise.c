/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reduces noise: see docs/algorithms/denoise.md. */
#include "denoise.h"

#include <stdlib.h>

#include "reciprocal.h"
#include "samples.h"
#include "stabilize.h"

#define FIRST_NOISE 4
#define MAX_NOISE 512
#define BLOCK 8
#define MAX_SUM (BLOCK * BLOCK * 255)
#define MAX_CLIPPED (BLOCK * BLOCK / 4 - 1)
#define CELL 4

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

/* Returns the sum of the absolute differences between a block of this frame and the block of the last
 * frame at a distance of (u, v). */
static int
add_differences (const RefPlane * in, const uint8_t * before, int bx, int by,
    int u, int v)
{
  int shift = depth_of (in) - 8, sum = 0;

  for (int y = by; y < by + BLOCK; y++)
    for (int x = bx; x < bx + BLOCK; x++)
      sum += abs ((ref_get (in, x, y) >> shift)
          - before[(size_t) (y + v) * in->width + x + u]);
  return sum;
}

/* Returns the sum of the absolute differences of a block, along the flow where that is much less. */
static int
measure_block (const RefPlane * in, const uint8_t * before,
    const RefFlow * flow, int bx, int by)
{
  int still = add_differences (in, before, bx, by, 0, 0), moved, u, v;

  if (flow == NULL
      || !ref_flow_at (flow, bx + BLOCK / 2, by + BLOCK / 2, &u, &v))
    return still;
  u = (u + 16) >> 5;
  v = (v + 16) >> 5;
  if (bx + u < 0 || by + v < 0 || bx + u + BLOCK > in->width
      || by + v + BLOCK > in->height)
    return still;
  moved = add_differences (in, before, bx, by, u, v);
  return 4 * moved < 3 * still ? moved : still;
}

/* Measures the noise from the differences between this frame and the last one, and stores this
 * frame for the next call. */
static bool
measure (const RefPlane * in, const RefFlow * flow, RefDenoisePast * past)
{
  int shift = depth_of (in) - 8;
  int width = in->width, height = in->height, n = 0, sum_of_counts = 0, p = 0;
  int lo = in->lo >> shift, hi = in->hi >> shift, noise = past->noise, e;
  int *counts = calloc (MAX_SUM + 1, sizeof (int));

  if (counts == NULL)
    return false;
  for (int by = 0; by + BLOCK <= height; by += BLOCK)
    for (int bx = 0; bx + BLOCK <= width; bx += BLOCK) {
      int clipped = 0;

      for (int y = by; y < by + BLOCK; y++)
        for (int x = bx; x < bx + BLOCK; x++) {
          int v = ref_get (in, x, y) >> shift;

          clipped += v <= lo || v >= hi;
        }
      if (clipped > MAX_CLIPPED)
        continue;
      counts[measure_block (in, past->before, flow, bx, by)]++;
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

/* Returns the limited difference between sample (x, y), mirrored beyond the edges, and a mean. */
static int
difference (const RefPlane * in, const uint16_t * mean, int x, int y)
{
  int mx = ref_reflect (x, in->width), my = ref_reflect (y, in->height);
  int d = fine (in, mx, my) - mean[(size_t) my * in->width + mx];

  return smaller (abs ((d + 4) >> 3), 4095);
}

static int
motion (const RefPlane * in, const uint16_t * mean, int noise, int x, int y)
{
  int a = 0;

  for (int dy = -2; dy <= 2; dy++)
    for (int dx = -2; dx <= 2; dx++)
      a += kernel[dy + 2] * kernel[dx + 2]
          * difference (in, mean, x + dx, y + dy);
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

/* ---- Following motion ------------------------------------------------------ */

/* Returns the base-2 logarithm of the number of samples of @whole that a sample of a component covers
 * along an axis. */
static int
shift_of (int whole, int part)
{
  int shift = 0;

  while ((whole + (1 << shift) - 1) >> shift > part)
    shift++;
  return shift;
}

/* Moves the means and counts of component @c along the flow. Sets @mean and @count to them. @first:
 * the first component. */
static void
move (const RefPlane * first, const RefPlane * c, const RefFlow * flow,
    const uint16_t * old_mean, const uint8_t * old_count, uint16_t * mean,
    uint8_t * count)
{
  int sx = shift_of (first->width, c->width), sy =
      shift_of (first->height, c->height);
  RefWarpPlane plane = {.plane = {
          .data = (uint8_t *) old_mean,.stride = 2 * c->width,.pixel_stride = 2,
      .width = c->width,.height = c->height,.bytes = 2,.max = 32767}
  };

  for (int y = 0; y < c->height; y++)
    for (int x = 0; x < c->width; x++) {
      size_t i = (size_t) y * c->width + x;
      int u, v, is_known = ref_flow_at (flow, x << sx, y << sy, &u, &v), px, py;

      u = 256 * x + ((8 * u) >> sx);
      v = 256 * y + ((8 * v) >> sy);
      px = (u + 128) >> 8;
      py = (v + 128) >> 8;
      mean[i] = old_mean[i];
      count[i] = old_count[i];
      if (is_known && px >= 0 && px < c->width && py >= 0 && py < c->height) {
        mean[i] = ref_warp_sample (&plane, u, v, REF_EDGES_MIRROR, 1);
        count[i] = old_count[(size_t) py * c->width + px];
      }
    }
}

/* Returns whether moved means are used in the cell @cx, @cy: compares the differences of the component
 * @in from the means @still and @moved in the cells around. */
static bool
is_moved (const RefPlane * in, const uint16_t * still, const uint16_t * moved,
    int noise, int cx, int cy)
{
  int a = 0, b = 0, n = 0;

  for (int y = larger (cy - 1, 0) * CELL;
      y < smaller ((cy + 2) * CELL, in->height); y++)
    for (int x = larger (cx - 1, 0) * CELL;
        x < smaller ((cx + 2) * CELL, in->width); x++, n++) {
      a += difference (in, still, x, y);
      b += difference (in, moved, x, y);
    }
  return 256 * a > 232 * noise * n && a > b;
}

/* Moves the means and counts of n components along the flow, where this brings them closer to the
 * frame. Returns: false if there is not enough memory */
static bool
follow (const RefPlane * in, int n, const RefDenoise * params, int noise,
    const RefFlow * flow, RefDenoisePast * past)
{
  int by = params->is_rgb ? 1 : 0, columns = (in->width + CELL - 1) / CELL;
  uint16_t *mean[REF_DENOISE_MAX_COMPONENTS] = { NULL };
  uint8_t *count[REF_DENOISE_MAX_COMPONENTS] = { NULL }, *chosen;
  bool ok;

  chosen = malloc ((size_t) columns * ((in->height + CELL - 1) / CELL));
  ok = chosen != NULL;
  for (int i = 0; i < n; i++) {
    size_t size = (size_t) in[i].width * in[i].height;

    mean[i] = malloc (size * sizeof (uint16_t));
    count[i] = malloc (size);
    ok = ok && mean[i] != NULL && count[i] != NULL;
  }
  for (int i = 0; i < n && ok; i++)
    move (in, &in[i], flow, past->mean[i], past->count[i], mean[i], count[i]);
  for (int y = 0; y < in->height && ok; y += CELL)
    for (int x = 0; x < in->width; x += CELL)
      chosen[(size_t) y / CELL * columns + x / CELL] = is_moved (&in[by],
          past->mean[by], mean[by], noise, x / CELL, y / CELL);
  for (int i = 0; i < n && ok; i++)
    for (int y = 0; y < in[i].height; y++)
      for (int x = 0; x < in[i].width; x++) {
        size_t at = (size_t) y * in[i].width + x;
        int cx = (x << shift_of (in->width, in[i].width)) / CELL;
        int cy = (y << shift_of (in->height, in[i].height)) / CELL;

        if (chosen[(size_t) cy * columns + cx]) {
          past->mean[i][at] = mean[i][at];
          past->count[i][at] = count[i][at];
        }
      }
  for (int i = 0; i < n; i++) {
    free (mean[i]);
    free (count[i]);
  }
  free (chosen);
  return ok;
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
      q[0][j] = q[1][j] = q[2][j] = larger (larger (q[0][j], q[1][j]), q[2][j]);
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
    const RefDenoise * params, const RefFlow * flow, RefDenoisePast * past)
{
  int *q[REF_DENOISE_MAX_COMPONENTS] = { NULL }, base, noise;
  bool ok;

  if (!params->is_rgb && params->only_luma)
    n = 1;
  if (!past->has_past)
    flow = NULL;
  ok = ensure_past (in, n, past) && measure (&in[params->is_rgb ? 1 : 0], flow,
      past);
  for (int i = 0; i < n && ok; i++) {
    q[i] = malloc ((size_t) in[i].width * in[i].height * sizeof (int));
    ok = q[i] != NULL;
  }
  if (ok) {
    base = params->noise > 0 ? lrint (16.0 * params->noise) : past->noise;
    noise = larger ((base * lrint (256.0 * params->strength) + 128) >> 8, 1);
    if (flow != NULL)
      ok = follow (in, n, params, noise, flow, past);
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
  *past = (RefDenoisePast) {
  0};
}
