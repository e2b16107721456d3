/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reference implementation of motion detection: the learned background, see
 * docs/algorithms/moving.md. */
#include "moving-private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "samples.h"

#define MAX_CELLS 20480

#define MIN_BLOCK 8

/* Number of frames in which the background is learned fast */
#define YOUNG 50

static int
divide_up (int a, int b)
{
  return (a + b - 1) / b;
}

/* ---- Memory --------------------------------------------------------------------- */

static void
plan (RefMoving * self, int analysis_size)
{
  int longer = self->frame_width > self->frame_height
      ? self->frame_width : self->frame_height;

  self->scale = divide_up (longer, analysis_size);
  self->width = divide_up (self->frame_width, self->scale);
  self->height = divide_up (self->frame_height, self->scale);
  for (self->cell = 4;; self->cell *= 2) {
    self->columns = divide_up (self->width, self->cell);
    self->rows = divide_up (self->height, self->cell);
    if (self->columns * self->rows <= MAX_CELLS)
      break;
  }
  longer = self->width > self->height ? self->width : self->height;
  self->block = divide_up (longer, 40);
  if (self->block < MIN_BLOCK)
    self->block = MIN_BLOCK;
  self->block_columns = divide_up (self->width, self->block);
  self->block_rows = divide_up (self->height, self->block);
}

/* Numbers of arrays of 16-bit words, of bytes and of ints, with an element for each pixel of the
 * reduced frame */
#define N_WORDS 8
#define N_BYTES 13

static void
set_arrays (RefMoving * self, uint16_t * words, uint8_t * bytes, int *ints)
{
  size_t n = (size_t) self->width * self->height;
  size_t cells = self->columns * self->rows;
  uint16_t **w[N_WORDS] = { &self->luma, &self->value, &self->m[0],
    &self->m[1], &self->w[0], &self->w[1], &self->light, &self->followed
  };
  uint8_t **b[N_BYTES] = { &self->cb, &self->cr, &self->s[0], &self->s[1],
    &self->blink, &self->smoothed, &self->cb0, &self->cr0, &self->ghost,
    &self->evidence, &self->shade, &self->mask, &self->shown
  };

  for (int i = 0; i < N_WORDS; i++)
    *w[i] = words + i * n;
  for (int i = 0; i < N_BYTES; i++)
    *b[i] = bytes + i * n;
  self->numbers = words + N_WORDS * n;
  self->heat = self->numbers + cells;
  self->offset = ints;
  self->labels = ints + n;
  self->field = self->labels + cells;
}

RefMoving *
ref_moving_new (int frame_width, int frame_height, int analysis_size,
    int has_chroma)
{
  RefMoving *self = calloc (1, sizeof (*self));
  size_t n, cells, blocks;
  uint16_t *words;
  uint8_t *bytes;
  int *ints;

  if (self == NULL)
    return NULL;
  self->frame_width = frame_width;
  self->frame_height = frame_height;
  self->has_chroma = has_chroma;
  plan (self, analysis_size);
  for (int t = 0; t <= 4080; t++)
    self->luminance[t] = rint (2048 * log2 ((t / 16.0 + 24) / 24));
  n = (size_t) self->width * self->height;
  cells = self->columns * self->rows;
  blocks = self->block_columns * self->block_rows;
  words = calloc (N_WORDS * n + 2 * cells, sizeof (*words));
  bytes = calloc (N_BYTES * n, 1);
  ints = calloc (n + cells + blocks, sizeof (*ints));
  if (words == NULL || bytes == NULL || ints == NULL) {
    free (words);
    free (bytes);
    free (ints);
    free (self);
    return NULL;
  }
  set_arrays (self, words, bytes, ints);
  return self;
}

void
ref_moving_free (RefMoving * self)
{
  if (self == NULL)
    return;
  free (self->luma);
  free (self->cb);
  free (self->offset);
  free (self);
}

void
ref_moving_forget (RefMoving * self)
{
  self->n_learned = 0;
  memset (self->heat, 0, self->columns * self->rows * sizeof (uint16_t));
}

/* ---- Picture -------------------------------------------------------------------- */

static int
get_clamped (const RefPlane * plane, int x, int y)
{
  return ref_get (plane, x < plane->width ? x : plane->width - 1,
      y < plane->height ? y : plane->height - 1);
}

/* Sums over the pixels of the frame that one pixel of the reduced frame stands for: luma, and
 * chroma relative to gray */
typedef struct
{
  int64_t luma, cb, cr;
} Sums;

static Sums
add_rgb (const RefMoving * self, const RefMovingFrame * frame, int x, int y)
{
  Sums sums = { 0, 0, 0 };

  for (int j = 0; j < self->scale; j++)
    for (int i = 0; i < self->scale; i++) {
      int u = x * self->scale + i, v = y * self->scale + j;
      int r = get_clamped (&frame->planes[0], u, v);
      int g = get_clamped (&frame->planes[1], u, v);
      int b = get_clamped (&frame->planes[2], u, v);
      int luma = (9798 * r + 19235 * g + 3735 * b + 16384) >> 15;

      sums.luma += luma;
      sums.cb += b - luma;
      sums.cr += r - luma;
    }
  return sums;
}

static int64_t
add_samples (const RefPlane * plane, int scale, int sub_x, int sub_y, int x,
    int y, int grey, int *n)
{
  int columns = divide_up (scale, 1 << sub_x), rows = divide_up (scale,
      1 << sub_y);
  int64_t sum = 0;

  *n = columns * rows;
  for (int j = 0; j < rows; j++)
    for (int i = 0; i < columns; i++)
      sum += get_clamped (plane, (x * scale >> sub_x) + i,
          (y * scale >> sub_y) + j) - grey;
  return sum;
}

/* Returns 8-bit chroma of full range. */
static int
get_chroma (int64_t sum, double factor)
{
  int64_t f = llrint (16777216 * factor);

  return moving_clamp (128 + ((sum * f + 8388608) >> 24), 0, 255);
}

static void
load_pixel (RefMoving * self, const RefMovingFrame * frame, int x, int y,
    uint8_t * cb, uint8_t * cr)
{
  const RefPlane *luma = &frame->planes[0];
  int n = self->scale * self->scale, i = y * self->width + x;
  uint32_t m = llrint (524288.0 * 4080 / ((double) (luma->hi - luma->lo) * n));
  int64_t sum;

  if (frame->is_rgb) {
    Sums sums = add_rgb (self, frame, x, y);
    double steps = 255.0 / (luma->hi - luma->lo) / n;

    cb[i] = get_chroma (sums.cb, steps * 0.5 / 0.886);
    cr[i] = get_chroma (sums.cr, steps * 0.5 / 0.701);
    sum = sums.luma;
  } else {
    sum = add_samples (luma, self->scale, 0, 0, x, y, 0, &n);
    for (int c = 1; c < frame->n_planes; c++) {
      const RefPlane *plane = &frame->planes[c];
      int count;
      int64_t chroma = add_samples (plane, self->scale,
          ref_subsampling (self->frame_width, plane->width),
          ref_subsampling (self->frame_height, plane->height), x, y,
          (plane->max + 1) / 2, &count);

      (c == 1 ? cb : cr)[i] = get_chroma (chroma,
          255.0 / (plane->hi - plane->lo) / count);
    }
  }
  sum -= (int64_t) n *luma->lo;
  self->luma[i] = ((sum > 0 ? sum : 0) * m + 262144) >> 19;
  if (self->luma[i] > 4080)
    self->luma[i] = 4080;
}

static void
smooth_pixel (RefMoving * self, const uint8_t * cb, const uint8_t * cr, int x,
    int y)
{
  int luma = 0, u = 0, v = 0, at = y * self->width + x;

  for (int j = -1; j <= 1; j++)
    for (int i = -1; i <= 1; i++) {
      int k = ref_reflect (y + j, self->height) * self->width
          + ref_reflect (x + i, self->width);

      luma += (2 - abs (i)) * (2 - abs (j)) * self->luma[k];
      u += cb[k];
      v += cr[k];
    }
  self->value[at] = self->luminance[(luma + 8) >> 4];
  self->cb[at] = (u * 57 + 256) >> 9;
  self->cr[at] = (v * 57 + 256) >> 9;
}

static int
load (RefMoving * self, const RefMovingFrame * frame)
{
  size_t n = (size_t) self->width * self->height;
  uint8_t *chroma = calloc (2 * n, 1);

  if (chroma == NULL)
    return 0;
  for (int y = 0; y < self->height; y++)
    for (int x = 0; x < self->width; x++)
      load_pixel (self, frame, x, y, chroma, chroma + n);
  for (int y = 0; y < self->height; y++)
    for (int x = 0; x < self->width; x++)
      smooth_pixel (self, chroma, chroma + n, x, y);
  free (chroma);
  return 1;
}

/* ---- Background ----------------------------------------------------------------- */

/* Values on which a frame's learning step depends */
typedef struct
{
  int n;                        /* number of frames before this one */
  int kappa;                    /* threshold of the evidence, in 1/16 of 8 deviations */
  int rate, moves;              /* learning rate of the weights; and this rate if weights are
                                 * updated in this frame, otherwise 0 */
} Step;

static Step
get_step (const RefMoving * self, const RefMovingParams * params)
{
  double f = params->absorb_frames;
  int period = f > 0 && rint (f / 300) > 1 ? rint (f / 300) : 1;
  Step step = {.n = self->n_learned };

  step.kappa = rint (56 / params->sensitivity);
  if (step.kappa < 1)
    step.kappa = 1;
  step.rate = step.n < YOUNG ? 65536 / (step.n + 1)
      : f > 0 ? fmin (fmax (rint (9667.0 * period / f), 1), 65535) : 0;
  step.moves =
      step.n < YOUNG ? step.rate : step.n % period == 0 ? step.rate : 0;
  if (step.rate < 1)
    step.rate = 1;
  return step;
}

static void
begin_pixel (RefMoving * self, int i)
{
  self->m[0][i] = self->value[i];
  self->w[0][i] = 65535;
  self->m[1][i] = self->w[1][i] = 0;
  self->s[0][i] = self->s[1][i] = 10;
  self->blink[i] = self->smoothed[i] = self->ghost[i] = 0;
  self->cb0[i] = self->cb[i];
  self->cr0[i] = self->cr[i];
  self->mask[i] = 0;
}

/* Moves background mode @k towards the value @x. */
static void
hit_mode (RefMoving * self, const Step * step, int i, int k, int x)
{
  int r = 0, q, d = x - self->m[k][i], s = self->s[k][i], z, next;

  while (r < 5 && self->w[k][i] >= ((2 << r) - 1) * step->rate)
    r++;
  self->m[k][i] = moving_clamp (self->m[k][i] + ((d + ((1 << r) >> 1)) >> r),
      0, 65535);
  q = r > 4 ? r : 4;
  z = abs (d) - 8 * s;
  next = (8 * s + ((z + ((1 << q) >> 1)) >> q) + 4) >> 3;
  if (next == s)
    next += z > 64 ? 1 : z < -8 && step->n % 8 == 0 ? -1 : 0;
  self->s[k][i] = moving_clamp (next, 2, 255);
}

static void
lower_weight (RefMoving * self, const Step * step, int i, int k)
{
  self->w[k][i] -= ((int64_t) self->w[k][i] * step->moves) >> 16;
}

static void
miss_modes (RefMoving * self, const Step * step, int i, int x)
{
  lower_weight (self, step, i, 0);
  lower_weight (self, step, i, 1);
  if (step->n >= YOUNG && self->w[1][i] > 16 * step->rate) {
    self->w[1][i] -= self->w[1][i] >> 4;
    return;
  }
  self->m[1][i] = moving_clamp (x, 0, 65535);
  self->w[1][i] = step->rate;
  self->s[1][i] = 10;
}

static void
sort_modes (RefMoving * self, int i)
{
  uint16_t m = self->m[0][i], w = self->w[0][i];
  uint8_t s = self->s[0][i];

  if (self->w[1][i] <= self->w[0][i])
    return;
  self->m[0][i] = self->m[1][i];
  self->w[0][i] = self->w[1][i];
  self->s[0][i] = self->s[1][i];
  self->m[1][i] = m;
  self->w[1][i] = w;
  self->s[1][i] = s;
}

static int
step_towards (int from, int to, int most)
{
  return from + moving_clamp (to - from, -most, most);
}

/* Returns the evidence of motion from chroma; @e is the evidence from luma. @appears: whether the
 * second mode has just become part of the background */
static int
learn_chroma (RefMoving * self, const Step * step, int i, int e, int appears)
{
  int f = self->offset[i], blink = self->blink[i] & 127;
  int u = 256 + 177 * f / 2048, c, most = 1 + (abs (f) >> 6);

  u = u > 64 ? u : 64;
  c = abs (self->cb[i] - 128 - ((self->cb0[i] - 128) * u >> 8))
      + abs (self->cr[i] - 128 - ((self->cr0[i] - 128) * u >> 8));
  c = 64 * c / ((20 * (16 + blink) >> 4) + (abs (f) >> 5));
  if (appears) {
    self->cb0[i] = self->cb[i];
    self->cr0[i] = self->cr[i];
  } else if (e <= 64 && ((self->mask[i] & 1) == 0 || step->n % 8 == 0)) {
    self->cb0[i] = step_towards (self->cb0[i], self->cb[i], most);
    self->cr0[i] = step_towards (self->cr0[i], self->cr[i], most);
  }
  return c > 255 ? 255 : c;
}

/* Returns SHADE_DARK where a shadow would explain the pixel's luma. Adds SHADE_LIKE where the pixel
 * also has the color of a shadow, and SHADE_CLOSE where its color is close to that. In dark areas,
 * the levels of chroma are too coarse for SHADE_LIKE. */
static int
get_shade (const RefMoving * self, int i, int x)
{
  int d = x - self->m[0][i], u = 256 + 256 * d / 2600, level, c, most;

  if (!self->has_chroma || d > -48 || d < -1600)
    return 0;
  level = self->m[0][i] >> 6;
  c = abs (self->cb[i] - 128 - ((self->cb0[i] - 128) * u >> 8))
      + abs (self->cr[i] - 128 - ((self->cr0[i] - 128) * u >> 8));
  most = (6 * level * level) >> 13;
  return SHADE_DARK | (c <= most ? SHADE_LIKE : 0)
      | (c <= most || c <= CLOSE ? SHADE_CLOSE : 0);
}

/* Learns the luma of a pixel. Returns its evidence of motion; sets *@appears to whether a hit has
 * made the second mode part of the background. */
static int
learn_luma (RefMoving * self, const Step * step, int i, int x, int *appears)
{
  int e[2], hit = -1, evidence;

  for (int k = 0; k < 2; k++) {
    int t = ((step->kappa * 8 * self->s[k][i]
            * (16 + (self->blink[i] & 127))) >> 8) + 24;

    e[k] = abs (x - self->m[k][i]) * 64 / t;
    e[k] = e[k] > 255 ? 255 : e[k];
    if (hit < 0 && self->w[k][i] > 0 && e[k] <= 64)
      hit = k;
  }
  evidence = self->w[1][i] >= 9000 && e[1] < e[0] ? e[1] : e[0];
  *appears = 0;
  if (hit < 0) {
    miss_modes (self, step, i, x);
  } else {
    int before = self->w[1][i];

    hit_mode (self, step, i, hit, x);
    self->w[hit][i] +=
        ((65535 - (int64_t) self->w[hit][i]) * step->moves) >> 16;
    lower_weight (self, step, i, 1 - hit);
    *appears = hit == 1 && before < 9000 && self->w[1][i] >= 9000;
  }
  sort_modes (self, i);
  return evidence;
}

/* Stores the light of a pixel. */
static void
follow_light (RefMoving * self, int i, int is_first)
{
  int f = is_first ? 0 : self->offset[i];

  if (is_first)
    self->followed[i] = 0;
  self->light[i] = self->followed[i] + f;
  self->followed[i] += (f + 8) >> 4;
}

static void
learn_pixel (RefMoving * self, const Step * step, int i)
{
  int f = self->offset[i], x = self->value[i] - f, appears, raw;
  int blink = self->blink[i] & 127, had_raw = self->blink[i] >> 7;
  int e = learn_luma (self, step, i, x, &appears), c = 0;

  if (self->has_chroma)
    c = learn_chroma (self, step, i, e, appears);
  e = c > e ? c : e;
  for (int k = 0; k < 2; k++)
    self->m[k][i] = moving_clamp (self->m[k][i] + ((f + 8) >> 4), 0, 65535);
  raw = e > 64;
  if (raw && !had_raw && (self->mask[i] & 1) == 0)
    blink = blink + 12 > 96 ? 96 : blink + 12;
  else if (blink > 0 && step->n % 4 == 0)
    blink--;
  self->blink[i] = blink | raw << 7;
  self->smoothed[i] = ((e < 192 ? e : 192) + self->smoothed[i] + 1) >> 1;
  self->evidence[i] = e;
  self->shade[i] = get_shade (self, i, x);
}

/* Skips a pixel of a flat (uniform) frame: its background is kept, and it has no evidence. */
static void
pass_pixel (RefMoving * self, int i)
{
  self->light[i] = self->followed[i] + self->offset[i];
  self->evidence[i] = self->shade[i] = 0;
}

/* ---- Frame ---------------------------------------------------------------------- */

/* Strength of the edges: the sums for the frame and for the background, in units of 1/16 */
typedef struct
{
  int64_t frame, model;
} Edges;

/* Adds the differences of the frame at (@x, @y), with the signs of the background's differences. */
static void
add_edge (const RefMoving * self, int x, int y, Edges * edges)
{
  int w = self->width, left = x > 0 ? x - 1 : x, right = x < w - 1 ? x + 1 : x;
  int up = y > 0 ? y - 1 : y, down = y < self->height - 1 ? y + 1 : y;
  const uint16_t *v = self->value, *m = self->m[0];
  int dx = v[y * w + right] - v[y * w + left];
  int dy = v[down * w + x] - v[up * w + x];

  dx = m[y * w + right] < m[y * w + left] ? -dx : dx;
  dy = m[down * w + x] < m[up * w + x] ? -dy : dy;
  edges->frame += (dx + dy + 16) >> 5;
  edges->model += moving_gradient (self, m, x, y);
}

static void
measure (const RefMoving * self, RefMovingResults * results, Edges * edges)
{
  for (int y = 0, i = 0; y < self->height; y++)
    for (int x = 0; x < self->width; x++, i++) {
      int frame = moving_gradient (self, self->value, x, y);
      int model = moving_gradient (self, self->m[0], x, y);

      results->brightness += self->luma[i] >> 4;
      results->n_strong += model > 400 >> 4;
      results->n_survived += model > 400 >> 4 && 2 * frame > model;
      results->frame_energy += frame;
      results->model_energy += model;
      if (model > 400 >> 4)
        add_edge (self, x, y, edges);
    }
}

/* Returns whether the frame is flat (uniform), and the background is not. After absorb_frames of
 * such frames in a row they count like other frames. A young background may consist of noise. */
static int
find_flat (RefMoving * self, const RefMovingParams * params,
    const RefMovingResults * results, const Edges * edges)
{
  int looks_flat = self->is_even && 16 * edges->frame < edges->model
      && 256 * (int64_t) results->n_strong >=
      (int64_t) self->width * self->height;

  self->n_flat = looks_flat && self->n_learned >= YOUNG ? self->n_flat + 1 : 0;
  return self->n_flat > 0 && (params->absorb_frames <= 0
      || self->n_flat <= rint (params->absorb_frames));
}

int
ref_moving (RefMoving * self, const RefMovingParams * params,
    const RefMovingFrame * frame, RefMovingResults * results)
{
  Step step = get_step (self, params);
  Edges edges = { 0, 0 };
  int n = self->width * self->height, is_first = self->n_learned == 0;

  memset (results, 0, sizeof (*results));
  if (!load (self, frame))
    return 0;
  for (int i = 0; i < n && is_first; i++)
    begin_pixel (self, i);
  if (frame->drops_evidence)
    memset (self->smoothed, 0, n);
  measure (self, results, &edges);
  if (!ref_moving_light (self, params->light))
    return 0;
  results->light = self->light_mean;
  results->has_tone = self->has_tone;
  results->is_flat = find_flat (self, params, results, &edges);
  for (int i = 0; i < n && results->is_flat; i++)
    pass_pixel (self, i);
  for (int i = 0; i < n && !results->is_flat; i++)
    follow_light (self, i, is_first);
  for (int i = 0; i < n && !results->is_flat && !is_first; i++)
    learn_pixel (self, &step, i);
  if (is_first) {
    memset (self->evidence, 0, n);
    memset (self->shade, 0, n);
  }
  if (!ref_moving_mask (self, params, frame)
      || !ref_moving_regions (self, params, results))
    return 0;
  self->n_learned++;
  return 1;
}
