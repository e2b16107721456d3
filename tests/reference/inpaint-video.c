/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reference implementation of inpainting videos, which fills holes with what passes behind them:
 * the ring of frames, the static background (plate), the opacities, the spatial filling and the
 * blend. See inpaint-video.h. */
#include <stdlib.h>
#include <string.h>

#include "inpaint-private.h"
#include "inpaint-video.h"
#include "limits.h"

/* Number of frames between compared frames when still pixels are found */
#define LAG 6
#define N_LINES 16
#define REACH 64
/* Maximum count of a pixel that was never seen to stand still over LAG frames */
#define MOST_UNSURE 8
/* Number of entries of the table of weights, 45 of which halve the weight */
#define N_WEIGHTS 540

RefVideoFrame *
ref_video_frame (const RefVideo * self, int number)
{
  return &self->ring[number % (self->keep + 1 + self->later)];
}

static int
get_n_cells (const RefVideo * self)
{
  return ((self->width + 7) / 8) * ((self->height + 7) / 8);
}

void
ref_video_free (RefVideo * self)
{
  for (int i = 0; self->ring != NULL && i < self->keep + 1 + self->later; i++) {
    RefVideoFrame *frame = &self->ring[i];

    free (frame->pixels);
    free (frame->values);
    free (frame->mask);
    free (frame->flow.flow);
    free (frame->flow.confidence);
    free (frame->back.flow);
    free (frame->back.confidence);
  }
  free (self->ring);
  free (self->plate.values);
  free (self->plate.target);
  free (self->plate.count);
  free (self->plate.is_sure);
  free (self->plate.pixels);
  free (self->cells);
  free (self->before);
  free (self);
}

RefVideo *
ref_video_new (int width, int height, int n, int is_rgb, int depth, int keep,
    int later)
{
  RefVideo *self = calloc (1, sizeof (RefVideo));
  size_t size = (size_t) width * height;
  int is_complete;

  if (self == NULL)
    return NULL;
  *self = (RefVideo) {
  .width = width,.height = height,.n = n,.is_rgb = is_rgb,.depth =
        depth,.keep = keep,.later = later,.newest = -1};
  self->ring = calloc (keep + 1 + later, sizeof (RefVideoFrame));
  self->plate.values = calloc (size * n, sizeof (int32_t));
  self->plate.target = calloc (size * n, sizeof (int32_t));
  self->plate.count = calloc (size, 1);
  self->plate.is_sure = calloc (size, 1);
  self->plate.pixels = calloc (size, sizeof (RefVideoPixel));
  self->cells = calloc (get_n_cells (self), sizeof (RefVideoCell));
  self->before = calloc (get_n_cells (self), sizeof (RefVideoCell));
  is_complete = self->ring != NULL && self->plate.values != NULL
      && self->plate.target != NULL && self->plate.count != NULL
      && self->plate.is_sure != NULL
      && self->plate.pixels != NULL && self->cells != NULL
      && self->before != NULL;
  for (int i = 0; is_complete && i < keep + 1 + later; i++) {
    RefVideoFrame *frame = &self->ring[i];

    frame->pixels = calloc (size, sizeof (RefVideoPixel));
    frame->values = calloc (size * n, sizeof (int32_t));
    frame->mask = calloc (size, 1);
    is_complete = frame->pixels != NULL && frame->values != NULL
        && frame->mask != NULL;
  }
  if (!is_complete) {
    ref_video_free (self);
    return NULL;
  }
  return self;
}

static int
clamp (int x, int least, int most)
{
  return ref_min (ref_max (x, least), most);
}

RefVideoPixel
ref_video_pixel (const int32_t * values, int plane, int n, int is_rgb,
    int depth, int at)
{
  RefVideoPixel p = { {values[at] >> (depth - 8), 128, 128}, 0 };

  if (n >= 3) {
    int b = values[plane + at] >> (depth - 8);
    int c = values[2 * plane + at] >> (depth - 8);

    p.c[1] = b;
    p.c[2] = c;
    if (is_rgb) {
      int y = (p.c[0] + 2 * b + c + 2) >> 2;

      p.c[1] = 128 + ((c - y) >> 1);
      p.c[2] = 128 + ((p.c[0] - y) >> 1);
      p.c[0] = y;
    }
  }
  return p;
}

int
ref_video_differ (RefVideoPixel a, RefVideoPixel b)
{
  return ref_max (abs (a.c[0] - b.c[0]), 2 * ref_max (abs (a.c[1] - b.c[1]),
          abs (a.c[2] - b.c[2])));
}

/* Returns: a copy of @field; its arrays are NULL if there is not enough memory or no field */
static RefFlow
copy_flow (const RefFlow * field)
{
  RefFlow copy = { 0 };
  size_t size;

  if (field == NULL || field->flow == NULL)
    return copy;
  copy = *field;
  size = (size_t) field->width * field->height;
  copy.flow = malloc (2 * size * sizeof (int16_t));
  copy.confidence = malloc (size);
  if (copy.flow != NULL && copy.confidence != NULL) {
    memcpy (copy.flow, field->flow, 2 * size * sizeof (int16_t));
    memcpy (copy.confidence, field->confidence, size);
  }
  return copy;
}

int
ref_video_add (RefVideo * self, const int32_t * values, const uint8_t * mask,
    const RefFlow * flow, const RefFlow * back)
{
  RefVideoFrame *frame = ref_video_frame (self, ++self->newest);
  int size = self->width * self->height, n = self->newest;

  memcpy (frame->values, values, (size_t) size * self->n * sizeof (int32_t));
  memcpy (frame->mask, mask, size);
  free (frame->flow.flow);
  free (frame->flow.confidence);
  free (frame->back.flow);
  free (frame->back.confidence);
  frame->flow = copy_flow (flow);
  frame->back = copy_flow (back);
  for (int i = 0; i < size; i++)
    frame->pixels[i] = ref_video_pixel (values, size, self->n, self->is_rgb,
        self->depth, i);
  ref_video_remember (self);
  ref_video_fill_plate (self);
  ref_video_set_alpha (self, frame);
  /* Opacities that were measured with a plate that was hardly known are measured again when the
   * plate is twice as old. */
  if (n >= 2 && n % 2 == 0 && ref_video_has (self, n / 2))
    ref_video_set_alpha (self, ref_video_frame (self, n / 2));
  return 1;
}

/* Sets *@sum to the sum of the luma differences of two frames in the 7x7 pixels around (@x, @y), of
 * those pixels that both frames show. Returns: 8 times their mean, or -1 if pixel (@x, @y) is
 * hidden in one frame */
static int
compare_around (const RefVideo * self, const RefVideoFrame * a,
    const RefVideoFrame * b, int x, int y)
{
  int sum = 0, n = 0, at = y * self->width + x;

  if (a->mask[at] || b->mask[at])
    return -1;
  for (int v = ref_max (y - 3, 0); v <= ref_min (y + 3, self->height - 1); v++)
    for (int u = ref_max (x - 3, 0); u <= ref_min (x + 3, self->width - 1); u++) {
      int i = v * self->width + u;

      if (!a->mask[i] && !b->mask[i]) {
        sum += abs (a->pixels[i].c[0] - b->pixels[i].c[0]);
        n++;
      }
    }
  return 8 * sum / n;
}

/* Estimates the noise: a quarter of the pixels of even columns and rows have at most this
 * difference to the frame @lag frames before. */
static void
measure_noise (RefVideo * self, int lag)
{
  const RefVideoFrame *frame = ref_video_frame (self, self->newest);
  const RefVideoFrame *before = ref_video_frame (self, self->newest - lag);
  int bins[128] = { 0 }, all = 0, sum = 0, bin = 0;

  for (int y = 0; y < self->height; y += 2)
    for (int x = 0; x < self->width; x += 2) {
      int d = compare_around (self, frame, before, x, y);

      if (d >= 0) {
        bins[ref_min (d, 127)]++;
        all++;
      }
    }
  while (all > 0 && 4 * (sum += bins[bin]) < all)
    bin++;
  if (all > 0)
    self->noise = bin;
}

/* Stores a pixel that stands still in the plate. @is_sure: whether it stood still over the whole
 * lag */
static void
remember_pixel (RefVideo * self, const RefVideoFrame * frame, int at,
    int is_sure)
{
  RefVideoPlate *plate = &self->plate;
  int size = self->width * self->height, n = plate->count[at];
  int is_same = n > 0 && ref_video_differ (frame->pixels[at],
      plate->pixels[at]) <= 12 + 3 * self->noise / 8;
  int is_better = is_sure && !plate->is_sure[at];

  plate->is_sure[at] |= is_sure;
  if (is_same) {
    for (int c = 0; c < self->n; c++) {
      int32_t *value = &plate->values[c * size + at];

      *value +=
          (16 * frame->values[c * size + at] - *value) / ref_min (n + 1, 8);
    }
    plate->count[at] = ref_min (n + 1, is_sure ? 32 : MOST_UNSURE);
  } else if (n > 1 && !is_better) {
    plate->count[at] = n - 1;
  } else {
    for (int c = 0; c < self->n; c++)
      plate->values[c * size + at] = 16 * frame->values[c * size + at];
    plate->count[at] = 1;
  }
}

/* Returns whether pixel (@x, @y) of a frame that shows it stands still: compared with the frame
 * @lag before, if there is one, and with the frame @lag later, unless the frame is the newest
 * one */
static int
is_still (const RefVideo * self, int number, int lag, int x, int y)
{
  int most = 40 + 10 * self->noise / 8, is = 1;

  for (int side = -1; side <= 1; side += 2) {
    int d;

    if (number + side * lag < 0 || (side > 0 && number == self->newest))
      continue;
    d = compare_around (self, ref_video_frame (self, number),
        ref_video_frame (self, number + side * lag), x, y);
    is &= d >= 0 && d <= most;
  }
  return is;
}

void
ref_video_remember (RefVideo * self)
{
  int lag = self->keep >= 2 * LAG ? LAG : self->keep / 2, n = self->newest;
  int middle = n >= 2 * lag ? n - lag : n;
  const RefVideoFrame *frame = ref_video_frame (self, middle);

  if (n > 0)
    measure_noise (self, ref_min (n, lag));
  for (int y = 0; y < self->height; y++)
    for (int x = 0; x < self->width; x++) {
      int at = y * self->width + x;

      if (frame->mask[at])
        continue;
      if (n >= lag && is_still (self, middle, lag, x, y))
        remember_pixel (self, frame, at, 1);
      else if (!self->plate.is_sure[at]
          && is_still (self, middle, (lag + 2) / 3, x, y))
        remember_pixel (self, frame, at, 0);
    }
}

void
ref_video_fill_plate (RefVideo * self)
{
  RefVideoPlate *plate = &self->plate;
  int size = self->width * self->height, n = self->newest;
  int is_filled = n < 3 || n == 4 || n % 8 == 0;
  uint8_t *mask = malloc (size);

  if (mask == NULL)
    abort ();
  for (int i = 0; i < size; i++)
    mask[i] = plate->count[i] == 0;
  if (is_filled) {
    memcpy (plate->target, plate->values, (size_t) size * self->n
        * sizeof (int32_t));
    ref_inpaint_lines (plate->target, self->n, self->is_rgb, self->depth + 4,
        mask, self->width, self->height);
  }
  for (int i = 0; i < size; i++) {
    for (int c = 0; c < self->n && mask[i]; c++) {
      int32_t *value = &plate->values[c * size + i];
      int32_t target = plate->target[c * size + i];

      *value += n < 16 ? target - *value : (target - *value) / 8;
    }
    plate->pixels[i] = ref_video_pixel (plate->values, size, self->n,
        self->is_rgb, self->depth + 4, i);
  }
  free (mask);
}

int
ref_video_alpha (const RefVideo * self, const RefVideoFrame * frame, int x,
    int y)
{
  int sum = 0, n = 0;

  if (frame->mask[y * self->width + x])
    return REF_VIDEO_HIDDEN;
  for (int v = ref_max (y - 2, 0); v <= ref_min (y + 2, self->height - 1); v++)
    for (int u = ref_max (x - 2, 0); u <= ref_min (x + 2, self->width - 1); u++) {
      int at = v * self->width + u;

      if (!frame->mask[at]) {
        sum += ref_video_differ (frame->pixels[at], self->plate.pixels[at]);
        n++;
      }
    }
  return clamp (8 * sum / n - (32 + 17 * self->noise / 8), 0, REF_VIDEO_OPAQUE);
}

void
ref_video_set_alpha (RefVideo * self, RefVideoFrame * frame)
{
  for (int y = 0; y < self->height; y++)
    for (int x = 0; x < self->width; x++) {
      int is_hidden = 0;

      for (int v = ref_max (y - 1, 0); v <= ref_min (y + 1, self->height - 1);
          v++)
        for (int u = ref_max (x - 1, 0); u <= ref_min (x + 1, self->width - 1);
            u++)
          is_hidden |= frame->mask[v * self->width + u];
      frame->pixels[y * self->width + x].alpha = is_hidden ? REF_VIDEO_HIDDEN
          : ref_video_alpha (self, frame, x, y);
    }
}

/* Returns: @n / 16, rounded to the nearest integer, halves upwards */
static int
round_sixteenths (int n)
{
  return (2 * n + 16) >> 5;
}

/* Sets @end to the first visible pixel of a line from a hidden pixel. Returns its distance in
 * steps, or 0 if there is none */
static int
follow (const RefVideo * self, const uint8_t * alpha, int x, int y, int k,
    int side, int *at)
{
  static const int cosines[] = { 16, 16, 15, 13, 11, 9, 6, 3, 0 };
  int dx = k <= 8 ? cosines[k] : -cosines[16 - k], dy = cosines[abs (k - 8)];

  for (int t = 1; t <= REACH; t++) {
    int u = x + side * round_sixteenths (t * dx);
    int v = y + side * round_sixteenths (t * dy);

    if (u < 0 || v < 0 || u >= self->width || v >= self->height)
      return 0;
    *at = v * self->width + u;
    if (alpha[*at] != REF_VIDEO_HIDDEN)
      return t;
  }
  return 0;
}

void
ref_video_spatial (const RefVideo * self, int number, const uint8_t * alpha,
    int x, int y, int32_t colour[4], int *opacity, int *difference)
{
  const RefVideoFrame *frame = ref_video_frame (self, number);
  int size = self->width * self->height;
  uint64_t sums[4] = { 0 }, opacities = 0, all = 0, differences = 0, moving = 0;

  for (int k = 0; k < N_LINES; k++) {
    int ends[2] = { 0, 0 }, d[2];
    uint64_t weights[2], w, l;

    for (int i = 0; i < 2; i++)
      d[i] = follow (self, alpha, x, y, k, i == 0 ? 1 : -1, &ends[i]);
    l = d[0] + d[1];
    if (l == 0)
      continue;
    if (d[0] > 0 && d[1] > 0) {
      RefVideoPixel p = frame->pixels[ends[0]], q = frame->pixels[ends[1]];
      int diff = abs (p.c[0] - q.c[0]) + (abs (p.c[1] - q.c[1])
          + abs (p.c[2] - q.c[2])) / 2;

      w = (1 << 24) / (l * l) * (163840 / (10 + diff)) / 64 / l;
      w = w > 0 ? w : 1;
      weights[0] = w * d[1];
      weights[1] = w * d[0];
      w = weights[0] * alpha[ends[0]] + weights[1] * alpha[ends[1]];
      differences += w * ref_min (diff, 40);
      moving += w;
    } else {
      w = (1 << 22) / (l * l) * 328 / 64;
      w = w > 0 ? w : 1;
      weights[0] = d[0] > 0 ? w : 0;
      weights[1] = d[1] > 0 ? w : 0;
    }
    for (int i = 0; i < 2; i++) {
      if (weights[i] == 0)
        continue;
      all += weights[i];
      opacities += weights[i] * alpha[ends[i]];
      for (int c = 0; c < self->n; c++)
        sums[c] += weights[i] * alpha[ends[i]] * frame->values[c * size
            + ends[i]];
    }
  }
  all = all > 0 ? all : 1;
  for (int c = 0; c < self->n; c++)
    colour[c] = sums[c] / all;
  *opacity = opacities / all;
  *difference = moving > 0 ? 64 * differences / moving : 0;
}

/* Reads a pixel of the candidate @c of frame @number: the pixel that the candidate's motion moves
 * to (@x, @y). Sets @opacity to the pixel's opacity (alpha), and @colour to its color multiplied by
 * alpha, in 1/128 of the unit of samples. Returns 0 if that pixel is hidden or outside the
 * candidate's frame, or if that frame is not in the ring. */
static int
sample (const RefVideo * self, int number, const RefVideoCandidate * c, int x,
    int y, int32_t colour[4], int *opacity)
{
  const RefVideoFrame *frame;
  int u = x + ((c->dx + 4) >> 3), v = y + ((c->dy + 4) >> 3), at;

  if (!ref_video_has (self, number - c->age))
    return 0;
  frame = ref_video_frame (self, number - c->age);
  if (u < 0 || v < 0 || u >= self->width || v >= self->height)
    return 0;
  at = v * self->width + u;
  if (frame->pixels[at].alpha == REF_VIDEO_HIDDEN)
    return 0;
  *opacity = frame->pixels[at].alpha;
  for (int i = 0; i < self->n; i++)
    colour[i] = *opacity * frame->values[i * self->width * self->height + at];
  return 1;
}

/* Returns the weight 4096 2^(-difference / 180), in steps of 4: w[0] = 2^30, w[i + 1] = (w[i]
 * 1057329415 + 2^29) >> 30; the weight is (w[difference / 4] + 2^17) >> 18. */
static int
get_weight (uint32_t difference)
{
  static uint16_t table[N_WEIGHTS];

  if (table[0] == 0) {
    uint64_t w = 1 << 30;

    for (int i = 0; i < N_WEIGHTS; i++) {
      table[i] = (w + (1 << 17)) >> 18;
      w = (w * 1057329415 + (1 << 29)) >> 30;
    }
  }
  return difference / 4 < N_WEIGHTS ? table[difference / 4] : 0;
}

/* A sum of colors: alpha times color, in 1/128 of the unit of samples */
typedef struct
{
  uint64_t colour[4], opacity, weights;
  uint64_t origin[3];           /* sums of the weights of candidates, plate and spatial filling */
} Mixture;

static void
mix (Mixture * sum, int n, const int32_t * colour, int opacity, uint32_t weight,
    int origin)
{
  for (int c = 0; c < n && colour != NULL; c++)
    sum->colour[c] += (uint64_t) weight *colour[c];
  sum->opacity += (uint64_t) weight *opacity;
  sum->weights += weight;
  sum->origin[origin] += weight;
}

/* Returns the largest distance of a pixel within 4 pixels from the edge of the hole: see
 * ref_video_fill() */
static int
get_depth (const RefVideo * self, const uint8_t * depths, int x, int y)
{
  int most = 0;

  for (int v = ref_max (y - 4, 0); v <= ref_min (y + 4, self->height - 1); v++)
    for (int u = ref_max (x - 4, 0); u <= ref_min (x + 4, self->width - 1); u++)
      most = ref_max (most, depths[v * self->width + u]);
  return most;
}

/* Does step 7 of inpaint-video.h: fills pixel (@x, @y). */
static void
fill_pixel (const RefVideo * self, int number, const uint8_t * alpha,
    const uint8_t * depths, int x, int y, int32_t * out)
{
  int size = self->width * self->height, at = y * self->width + x;
  int columns = (self->width + 7) / 8, rows = (self->height + 7) / 8;
  int i0 = (2 * x - 7) >> 4, j0 = (2 * y - 7) >> 4;
  int fx = 2 * x - 7 - 16 * i0, fy = 2 * y - 7 - 16 * j0;
  int32_t colour[4];
  int opacity, difference, depth, pass;
  uint32_t least = UINT32_MAX;
  Mixture sum = { {0}, 0, 0, {0} };

  ref_video_spatial (self, number, alpha, x, y, colour, &opacity, &difference);
  depth = clamp (get_depth (self, depths, x, y), 2, 8);
  for (pass = 0; pass < 2; pass++)
    for (int k = 0; k < 4; k++) {
      int i = i0 + (k & 1), j = j0 + (k >> 1);
      int part = (k & 1 ? fx : 16 - fx) * (k >> 1 ? fy : 16 - fy);
      const RefVideoCell *cell;
      uint32_t cost;

      if (i < 0 || j < 0 || i >= columns || j >= rows)
        continue;
      cell = &self->cells[j * columns + i];
      if (cell->is_active == 0)
        continue;
      if (cell->is_active == 1) {
        cost = 0;
      } else
        cost = cell->plate_cost;
      if (pass == 0)
        least = least < cost ? least : cost;
      else
        mix (&sum, self->n, NULL, 0, part * get_weight (cost - least) >> 8, 1);
      if (cell->is_active == 1)
        continue;
      cost = difference / 10 + (512 + cell->plate_cost / 4) * depth / 8;
      if (pass == 0)
        least = least < cost ? least : cost;
      else
        mix (&sum, self->n, colour, opacity,
            part * get_weight (cost - least) >> 8, 2);
      for (int b = 0; b < REF_VIDEO_BEST; b++) {
        const RefVideoCandidate *c = &cell->best[b];
        int32_t look[4];
        int seen;

        if (c->age == 0 || !sample (self, number, c, x, y, look, &seen))
          continue;
        if (pass == 0)
          least = least < c->cost ? least : c->cost;
        else
          mix (&sum, self->n, look, seen, part * get_weight (c->cost - least)
              >> 8, 0);
      }
    }
  if (sum.weights == 0)
    mix (&sum, self->n, NULL, 0, 1, 1);
  for (int c = 0; c < self->n; c++) {
    uint64_t rest = sum.weights * REF_VIDEO_OPAQUE - sum.opacity;
    uint64_t all = 16 * REF_VIDEO_OPAQUE * sum.weights;

    out[c * size + at] = (16 * sum.colour[c]
        + rest * self->plate.values[c * size + at] + all / 2) / all;
  }
}

/* Sets the distance of hidden pixels from the nearest visible pixel, in steps to one of 8
 * neighbors, at most 9. */
static void
measure_depths (const RefVideo * self, const uint8_t * mask, uint8_t * depths)
{
  for (int i = 0; i < self->width * self->height; i++)
    depths[i] = mask[i] ? 9 : 0;
  for (int step = 1; step < 9; step++)
    for (int y = 0; y < self->height; y++)
      for (int x = 0; x < self->width; x++) {
        uint8_t *depth = &depths[y * self->width + x];

        if (*depth < 9)
          continue;
        for (int v = ref_max (y - 1, 0); v <= ref_min (y + 1, self->height - 1);
            v++)
          for (int u = ref_max (x - 1, 0);
              u <= ref_min (x + 1, self->width - 1); u++)
            if (depths[v * self->width + u] == step - 1)
              *depth = step;
      }
}

void
ref_video_fill (RefVideo * self, int number, const uint8_t * mask,
    int32_t * out)
{
  int size = self->width * self->height, columns = (self->width + 7) / 8;
  RefVideoFrame *frame = ref_video_frame (self, number);
  uint8_t *alpha = malloc (size), *depths = malloc (size);
  RefVideoCell *last = self->before;

  if (alpha == NULL || depths == NULL)
    abort ();
  ref_video_set_alpha (self, frame);
  for (int y = 0; y < self->height; y++)
    for (int x = 0; x < self->width; x++)
      alpha[y * self->width + x] = ref_video_alpha (self, frame, x, y);
  measure_depths (self, mask, depths);
  self->before = self->cells;
  self->cells = last;
  memset (self->cells, 0, get_n_cells (self) * sizeof (RefVideoCell));
  for (int i = 0; i < get_n_cells (self); i++)
    ref_video_search (self, number, i % columns, i / columns);
  for (int i = 0; i < size; i++)
    if (mask[i])
      fill_pixel (self, number, alpha, depths, i % self->width,
          i / self->width, out);
  free (alpha);
  free (depths);
}

void
ref_video_luma (const int32_t * values, int n, int is_rgb, int depth,
    const uint8_t * mask, int width, int height, uint8_t * out)
{
  int size = width * height;
  int32_t *luma = malloc (size * sizeof (int32_t));

  if (luma == NULL)
    abort ();
  for (int i = 0; i < size; i++)
    luma[i] = ref_video_pixel (values, size, n, is_rgb, depth, i).c[0];
  ref_inpaint_lines (luma, 1, 0, 8, mask, width, height);
  for (int i = 0; i < size; i++)
    out[i] = luma[i];
  free (luma);
}
