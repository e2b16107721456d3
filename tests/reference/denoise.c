/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reduces noise: see docs/algorithms/denoise.md. */
#include "denoise.h"

#include <stdlib.h>

#include "limits.h"
#include "reciprocal.h"
#include "samples.h"
#include "stabilize.h"

#define MIN_VARIANCE 16
#define MAX_VARIANCE (512 * 512)
#define BLOCK 8
#define MAX_SUM 2303
#define CLASSES 16
#define CAP 256
#define PENALTY 4
#define MAX_CLIPPED (BLOCK * BLOCK / 4 - 1)
#define CELL 4

static const int kernel[] = { 1, 4, 6, 4, 1 };

/* The variance of the noise in samples with the mean S is max (slope S + offset, least). */
typedef struct
{
  float slope, offset, least;
} Line;

/* Means of a component from which the noise of another component is derived; each sample of the
 * other component covers 2^shift_x x 2^shift_y of these means. */
typedef struct
{
  const uint16_t *mean;
  int width, shift_x, shift_y;
} Light;

/* Blocks of a class of brightness: their number, and the histogram of their sums of absolute
 * differences */
typedef struct
{
  int n, weight, variance;
  int counts[MAX_SUM + 1];
} Class;

static int
depth_of (const RefPlane * plane)
{
  int depth = 0;

  while (plane->max >> depth)
    depth++;
  return depth;
}

/* Returns a sample in units of 1/128 of an 8-bit gray level, which is v' in
 * docs/algorithms/denoise.md. */
static int
fine (const RefPlane * plane, int x, int y)
{
  int depth = depth_of (plane), v = ref_get (plane, x, y);

  return depth == 16 ? v >> 1 : v << (15 - depth);
}

/* ---- Noise --------------------------------------------------------------- */

/* Returns the sum of the absolute differences between a block of this frame and the block of the
 * last frame that is displaced by (@u, @v). */
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

/* Returns the sum of the absolute differences of a block; along the flow if that sum is much
 * smaller. */
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

/* Adds the blocks of this frame to classes of brightness. */
static void
classify (const RefPlane * in, const uint8_t * before, const RefFlow * flow,
    Class * classes)
{
  int shift = depth_of (in) - 8, lo = in->lo >> shift, hi = in->hi >> shift;

  for (int by = 0; by + BLOCK <= in->height; by += BLOCK)
    for (int bx = 0; bx + BLOCK <= in->width; bx += BLOCK) {
      int clipped = 0, sum = 0;
      Class *class;

      for (int y = by; y < by + BLOCK; y++)
        for (int x = bx; x < bx + BLOCK; x++) {
          int v = ref_get (in, x, y) >> shift;

          clipped += v <= lo || v >= hi;
          sum += v;
        }
      if (clipped > MAX_CLIPPED)
        continue;
      class = &classes[sum / (BLOCK * BLOCK) * CLASSES / 256];
      class->counts[ref_min (measure_block (in, before, flow, bx, by),
              MAX_SUM)]++;
      class->n++;
    }
}

/* Finds the noise variance of each brightness class, and its weight. Returns: whether any class has
 * a weight */
static bool
find_variances (Class * classes)
{
  int n = 0, zeros = 0, most = 0;

  for (int i = 0; i < CLASSES; i++) {
    n += classes[i].n;
    zeros += classes[i].counts[0];
  }
  if (zeros > n / 5)
    return false;
  for (int i = 0; i < CLASSES; i++) {
    Class *class = &classes[i];
    int sum = 0, p = 0, e;

    while (class->n > 0 && (sum += class->counts[p]) <= class->n / 5)
      p++;
    e = ref_min ((31 * p + 16) >> 5, 2048);
    class->variance = ref_max ((e * e + 8) >> 4, MIN_VARIANCE);
    class->weight = p > 0 ? (int) ((int64_t) 256 * class->n / n) : 0;
    most = ref_max (most, class->weight);
  }
  return most > 0;
}

/* Returns the value at @x of the line through (@x0, @v0) and (@x1, @v1), but at least @min. */
static int
on_line (int x0, int v0, int x1, int v1, int x, int min)
{
  return ref_clamp (v0 + (v1 - v0) * (x - x0) / (x1 - x0), min, MAX_VARIANCE);
}

/* Returns the brightness of the middle of a brightness class. */
static int
middle (int class)
{
  return (2 * class + 1) * 128 / CLASSES;
}

/* Returns the error with which a line fits the variances of the brightness classes. The line has
 * the variances @v0 and @v1 at the brightness @lo and @hi. */
static int
misfit (const Class * classes, int lo, int v0, int hi, int v1)
{
  int sum = 0, total = 0;

  for (int i = 0; i < CLASSES; i++) {
    int v = classes[i].variance;
    int line = on_line (lo, v0, hi, v1, middle (i), MIN_VARIANCE);
    int d = ref_min (abs (line - v) * 256 / v, CAP);

    sum += classes[i].weight * (line > v ? 2 * d : d);
    total += classes[i].weight;
  }
  return sum + total * (abs (v1 - v0) * 256 / (abs (v0) + abs (v1)))
      / PENALTY;
}

/* Fits a line to the variances of the brightness classes. Sets @v0 and @v1 to its variances at the
 * brightness @lo and @hi. */
static void
fit (const Class * classes, int lo, int hi, int *v0, int *v1)
{
  int least = INT32_MAX;

  for (int i = 0; i < CLASSES; i++)
    for (int j = i; j < CLASSES; j++) {
      int a = classes[i].variance, b = classes[j].variance, cost;
      int x0 = middle (i), x1 = i == j ? x0 + 1 : middle (j);
      int low = on_line (x0, a, x1, b, lo, -MAX_VARIANCE);
      int high = on_line (x0, a, x1, b, hi, -MAX_VARIANCE);

      if (classes[i].weight == 0 || classes[j].weight == 0)
        continue;
      cost = misfit (classes, lo, low, hi, high);
      if (cost < least) {
        least = cost;
        *v0 = low;
        *v1 = high;
      }
    }
}

/* Averages a noise variance of this frame with those of the frames before. The average grows by at
 * most @step. */
static void
average (int *old, int v, int step)
{
  *old = ref_min ((7 * *old + v + 4) >> 3, *old + step);
}

/* Averages the noise measured in this frame with the noise measured in earlier frames. */
static void
remember (RefDenoisePast * past, int low, int high, int least)
{
  int step = ref_max (ref_max (abs (past->low), abs (past->high)) >> 3, 1);

  if (!past->is_measured) {
    past->low = low;
    past->high = high;
    past->least = least;
    past->is_measured = true;
    return;
  }
  average (&past->low, low, step);
  average (&past->high, high, step);
  average (&past->least, least, step);
}

/* Measures the noise from the differences between this frame and the last one, and stores this
 * frame for the next call. */
static bool
measure (const RefPlane * in, const RefFlow * flow, RefDenoisePast * past)
{
  int shift = depth_of (in) - 8, low = 0, high = 0, least = MAX_VARIANCE;
  Class *classes = calloc (CLASSES, sizeof (Class));

  if (classes == NULL)
    return false;
  if (past->has_past)
    classify (in, past->before, flow, classes);
  for (int y = 0; y < in->height; y++)
    for (int x = 0; x < in->width; x++)
      past->before[(size_t) y * in->width + x] = ref_get (in, x, y) >> shift;
  if (find_variances (classes)) {
    fit (classes, in->lo >> shift, in->hi >> shift, &low, &high);
    for (int i = 0; i < CLASSES; i++)
      if (classes[i].weight > 0)
        least = ref_min (least, classes[i].variance);
    remember (past, low, high, least);
  }
  free (classes);
  return true;
}

/* Returns the noise that is used to filter a frame. @in: the component in which it is measured */
static Line
find_line (const RefPlane * in, const RefDenoise * params,
    const RefDenoisePast * past)
{
  int base = lrint (16.0 * params->noise), shift = depth_of (in) - 8;
  int lo = in->lo >> shift, hi = in->hi >> shift;
  int v0 = past->is_measured ? past->low : MIN_VARIANCE;
  int v1 = past->is_measured ? past->high : MIN_VARIANCE;
  int least = past->is_measured ? past->least : MIN_VARIANCE;
  int strength = lrint (256.0 * params->strength);
  float square = strength * strength / 65536.0f;
  Line line;

  if (base > 0)
    v0 = v1 = least = base * base;
  line.slope = (v1 - v0) * square * ref_reciprocal (128 * (hi - lo));
  line.offset = fmaf (line.slope, -128 * lo, v0 * square);
  line.least = fmaxf (least * square, 1);
  return line;
}

/* Returns the reciprocal of the standard deviation of the noise in samples with the mean @light. */
static float
precision (const Line * line, int light)
{
  return ref_reciprocal_root (fmaxf (fmaf (line->slope, light, line->offset),
          line->least));
}

/* Returns the mean that determines the noise of sample (@x, @y) of a component: the sample's own
 * mean, or the mean of the luma sample at its position. */
static int
light_of (const Light * light, int x, int y)
{
  return light->mean[(size_t) (y << light->shift_y) * light->width
      + (x << light->shift_x)];
}

/* ---- Motion --------------------------------------------------------------- */

/* Returns the difference between sample (@x, @y), mirrored beyond the edges, and a mean, limited
 * and in 1/32 of the noise. */
static int
difference (const RefPlane * in, const uint16_t * mean, const Line * line,
    const Light * light, int x, int y)
{
  int mx = ref_reflect (x, in->width), my = ref_reflect (y, in->height);
  int d = fine (in, mx, my) - mean[(size_t) my * in->width + mx];

  d = ref_min (abs ((d + 4) >> 3), 4095);
  return ref_min (fmaf (32 * d, precision (line, light_of (light, mx, my)),
          0.5f), 4095);
}

static int
motion (const RefPlane * in, const uint16_t * mean, const Line * line,
    const Light * light, int x, int y)
{
  int a = 0;

  for (int dy = -2; dy <= 2; dy++)
    for (int dx = -2; dx <= 2; dx++)
      a += kernel[dy + 2] * kernel[dx + 2]
          * difference (in, mean, line, light, x + dx, y + dy);
  return ref_clamp (2 * ((a >> 5) - 268), 0, 256);
}

/* Returns the largest motion of the luma samples that chroma sample (@x, @y) covers. */
static int
luma_motion (const RefPlane * in, const RefPlane * chroma, const int *q, int x,
    int y)
{
  int sx = (in->width + chroma->width - 1) / chroma->width;
  int sy = (in->height + chroma->height - 1) / chroma->height, most = 0;

  for (int ly = y * sy; ly < ref_min ((y + 1) * sy, in->height); ly++)
    for (int lx = x * sx; lx < ref_min ((x + 1) * sx, in->width); lx++)
      most = ref_max (most, q[(size_t) ly * in->width + lx]);
  return most;
}

/* ---- Following motion ------------------------------------------------------ */

/* Returns the base-2 logarithm of the number of samples of @whole that a sample of a component
 * covers along an axis. */
static int
shift_of (int whole, int part)
{
  int shift = 0;

  while ((whole + (1 << shift) - 1) >> shift > part)
    shift++;
  return shift;
}

/* Moves the means and counts of component @c along the flow. Sets @mean and @count to the moved
 * values. @first: the first component */
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
        mean[i] = ref_warp_sample (&plane, u, v, REF_EDGES_MIRROR,
            REF_CUBIC, NULL);
        count[i] = old_count[(size_t) py * c->width + px];
      }
    }
}

/* Returns whether the means that were moved along the flow are used in the cell (@cx, @cy):
 * compares the differences of the component @in from the means @still and @moved in the surrounding
 * cells. */
static bool
is_moved (const RefPlane * in, const uint16_t * still, const uint16_t * moved,
    const Line * line, int cx, int cy)
{
  const Light still_light = { still, in->width }, moved_light =
      { moved, in->width };
  int a = 0, b = 0, n = 0;

  for (int y = ref_max (cy - 1, 0) * CELL;
      y < ref_min ((cy + 2) * CELL, in->height); y++)
    for (int x = ref_max (cx - 1, 0) * CELL;
        x < ref_min ((cx + 2) * CELL, in->width); x++, n++) {
      a += difference (in, still, line, &still_light, x, y);
      b += difference (in, moved, line, &moved_light, x, y);
    }
  return 8 * a > 232 * n && a > b;
}

/* Moves the means and counts of @n components along the flow, where this brings them closer to the
 * frame. Returns: false if there is not enough memory */
static bool
follow (const RefPlane * in, int n, const RefDenoise * params,
    const Line * line, const RefFlow * flow, RefDenoisePast * past)
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
          past->mean[by], mean[by], line, x / CELL, y / CELL);
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

      c = ref_min (c, ref_min (16 * frames, 255));
      mean[i] += ((fine (in, x, y) - mean[i]) * ((1 << 19) / c) + (1 << 14))
          >> 15;
      count[i] = c;
    }
}

/* Returns the reciprocal of a threshold: a neighbor is averaged with a sample only if their
 * difference is below this threshold. @spatial: the parameter "spatial", in 1/16 */
static float
range_of (int spatial, float precision, int count)
{
  int i = ref_clamp ((count + 8) >> 4, 1, 16);
  int root = lrint (256.0 / sqrt (i));

  return precision * (512 * ref_reciprocal (spatial * root));
}

static int
mean_difference (const uint16_t * mean, const uint8_t * count, int width,
    int height, int x, int y, float range)
{
  int s = mean[(size_t) y * width + x];
  float sum = 0, weights = 0;

  for (int dy = -2; dy <= 2; dy++)
    for (int dx = -2; dx <= 2; dx++) {
      size_t i = (size_t) ref_reflect (y + dy, height) * width
          + ref_reflect (x + dx, width);
      float e = mean[i] - s, w = fmaf (-fabsf (e), range, 1.0f);

      w = ref_max (count[i] >> 4, 1) * (w > 0 ? w : 0);
      weights += w;
      sum = fmaf (w, e, sum);
    }
  return sum * ref_reciprocal (weights);
}

static void
smooth (const RefPlane * in, const RefPlane * out, const RefDenoise * params,
    const Line * line, const Light * light, const uint16_t * mean,
    const uint8_t * count)
{
  int depth = depth_of (in), spatial = lrint (16.0 * params->spatial);

  for (int y = 0; y < in->height; y++)
    for (int x = 0; x < in->width; x++) {
      size_t i = (size_t) y * in->width + x;
      float p = precision (line, light_of (light, x, y));
      int change = mean[i] - fine (in, x, y);

      if (spatial > 0)
        change += mean_difference (mean, count, in->width, in->height, x, y,
            range_of (spatial, p, count[i]));
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

/* Returns the means that determine the noise of component @i of a frame. */
static Light
find_light (const RefPlane * in, int i, const RefDenoise * params,
    const RefDenoisePast * past)
{
  int from = params->is_rgb ? i : 0;

  return (Light) {
  past->mean[from], in[from].width,
        shift_of (in[from].width, in[i].width),
        shift_of (in[from].height, in[i].height)};
}

/* Sets the array q[i] to the motion of the samples of component i, for each of @n components. */
static void
find_motion (const RefPlane * in, int n, const RefDenoise * params,
    const Line * line, const RefDenoisePast * past, int **q)
{
  for (int i = 0; i < n; i++) {
    Light light = find_light (in, i, params, past);

    for (int y = 0; y < in[i].height; y++)
      for (int x = 0; x < in[i].width; x++)
        q[i][(size_t) y * in[i].width + x] =
            motion (&in[i], past->mean[i], line, &light, x, y);
  }
  if (params->is_rgb) {
    for (size_t j = 0; j < (size_t) in->width * in->height; j++)
      q[0][j] = q[1][j] = q[2][j] =
          ref_max (ref_max (q[0][j], q[1][j]), q[2][j]);
    return;
  }
  for (int i = 1; i < n; i++)
    for (int y = 0; y < in[i].height; y++)
      for (int x = 0; x < in[i].width; x++) {
        int *own = &q[i][(size_t) y * in[i].width + x];

        *own = ref_max (*own, luma_motion (in, &in[i], q[0], x, y));
      }
}

bool
ref_denoise (const RefPlane * in, const RefPlane * out, int n,
    const RefDenoise * params, const RefFlow * flow, RefDenoisePast * past)
{
  const RefPlane *measured = &in[params->is_rgb ? 1 : 0];
  int *q[REF_DENOISE_MAX_COMPONENTS] = { NULL };
  Line line;
  bool ok;

  if (!params->is_rgb && params->only_luma)
    n = 1;
  if (!past->has_past)
    flow = NULL;
  ok = ensure_past (in, n, past) && measure (measured, flow, past);
  for (int i = 0; i < n && ok; i++) {
    q[i] = malloc ((size_t) in[i].width * in[i].height * sizeof (int));
    ok = q[i] != NULL;
  }
  if (ok) {
    line = find_line (measured, params, past);
    if (flow != NULL)
      ok = follow (in, n, params, &line, flow, past);
    if (past->has_past)
      find_motion (in, n, params, &line, past, q);
    for (int i = 0; i < n; i++) {
      Light light = find_light (in, i, params, past);

      if (past->has_past)
        update (&in[i], q[i], params->frames, past->mean[i], past->count[i]);
      else
        begin (&in[i], past->mean[i], past->count[i]);
      smooth (&in[i], &out[i], params, &line, &light, past->mean[i],
          past->count[i]);
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
