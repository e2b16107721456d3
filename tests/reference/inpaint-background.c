/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* The background behind objects: see docs/algorithms/inpaint.md. */
#include "inpaint-background.h"

#include <stdlib.h>
#include <string.h>

#include "samples.h"

#define LONGEST 32
#define NEAR(plane) (((plane)->max + 1) / 16)
#define NEAR_CHROMA(plane) (((plane)->max + 1) / 32)
#define FAR(plane) (((plane)->max + 1) / 8)

typedef struct
{
  uint16_t value, other;        /* what is behind, and what is there instead of it */
  uint8_t count, others;        /* how long each of them was */
} Sample;

struct _RefInpaintBackground
{
  int n, is_rgb, width, height;
  uint8_t *seen;
  Sample *samples[4];           /* rows of width samples */
};

RefInpaintBackground *
ref_inpaint_background_new (int n, int is_rgb, int width, int height)
{
  RefInpaintBackground *self = calloc (1, sizeof (*self));
  size_t size = (size_t) width * height;
  int ok = self != NULL && (self->seen = calloc (size, 1)) != NULL;

  for (int c = 0; c < n && ok; c++)
    ok = (self->samples[c] = calloc (size, sizeof (Sample))) != NULL;
  if (!ok) {
    ref_inpaint_background_free (self);
    return NULL;
  }
  self->n = n;
  self->is_rgb = is_rgb;
  self->width = width;
  self->height = height;
  return self;
}

void
ref_inpaint_background_forget (RefInpaintBackground * self)
{
  size_t size = (size_t) self->width * self->height;

  memset (self->seen, 0, size);
  for (int c = 0; c < self->n; c++)
    memset (self->samples[c], 0, size * sizeof (Sample));
}

void
ref_inpaint_background_free (RefInpaintBackground * self)
{
  if (self == NULL)
    return;
  free (self->seen);
  for (int c = 0; c < 4; c++)
    free (self->samples[c]);
  free (self);
}

static int
subsampling (int size, int component_size)
{
  int shift = 0;

  while ((size + (1 << shift) - 1) >> shift > component_size)
    shift++;
  return shift;
}

/* Whether a quarter of what is visible is something else. */
static int
is_cut (const RefInpaintBackground * self, const RefPlane * in,
    const uint8_t * hidden)
{
  int64_t n = 0, others = 0;

  for (int i = 0; i < self->width * self->height; i++) {
    if (hidden[i] || !self->seen[i])
      continue;
    n++;
    others += abs (ref_get (in, i % self->width, i / self->width)
        - self->samples[0][i].value) > FAR (in);
  }
  return 4 * others > n;
}

static void
remember (Sample * sample, int value, int near)
{
  if (sample->count == 0) {
    *sample = (Sample) { value, value, 1, 0 };
  } else if (abs (value - sample->value) <= near) {
    sample->value = (3 * sample->value + value + 2) / 4;
    sample->count += sample->count < LONGEST;
    sample->others = 0;
  } else if (sample->others == 0 || abs (value - sample->other) > near) {
    sample->other = value;
    sample->others = 1;
  } else if (sample->others == sample->count) {
    *sample = (Sample) { value, sample->value, sample->others + 1, 0 };
  } else {
    sample->other = value;
    sample->others++;
  }
}

static void
look (RefInpaintBackground * self, int c, const RefPlane * in,
    const RefPlane * out, const uint8_t * hidden)
{
  int sx = subsampling (self->width, in->width);
  int sy = subsampling (self->height, in->height);
  int near = c > 0 && c < 3 && !self->is_rgb ? NEAR_CHROMA (in) : NEAR (in);

  for (int y = 0; y < in->height; y++) {
    for (int x = 0; x < in->width; x++) {
      Sample *sample = &self->samples[c][y * self->width + x];

      if (!hidden[(y << sy) * self->width + (x << sx)])
        remember (sample, ref_get (in, x, y), near);
      else if (sample->count > 0)
        ref_set (out, x, y, sample->value);
    }
  }
}

/* Pixels that share a sample of any component are hidden together. */
static void
hide (const RefInpaintBackground * self, const RefPlane * in,
    const uint8_t * mask, uint8_t * hidden)
{
  int sx = 0, sy = 0;

  for (int c = 0; c < self->n; c++) {
    int x = subsampling (self->width, in[c].width);
    int y = subsampling (self->height, in[c].height);

    sx = x > sx ? x : sx;
    sy = y > sy ? y : sy;
  }
  for (int y = 0; y < self->height; y++) {
    for (int x = 0; x < self->width; x++) {
      hidden[y * self->width + x] = 0;
      for (int v = y >> sy << sy; v < (y >> sy << sy) + (1 << sy); v++)
        for (int u = x >> sx << sx; u < (x >> sx << sx) + (1 << sx); u++)
          if (u < self->width && v < self->height
              && mask[v * self->width + u] >= 128)
            hidden[y * self->width + x] = 255;
    }
  }
}

void
ref_inpaint_background (RefInpaintBackground * self, const RefPlane * in,
    const RefPlane * out, const uint8_t * mask, const uint8_t * forbidden,
    uint8_t * unknown, uint8_t * not_copied)
{
  uint8_t *hidden = not_copied;

  hide (self, in, mask, hidden);
  if (is_cut (self, in, hidden))
    ref_inpaint_background_forget (self);
  for (int c = 0; c < self->n; c++)
    look (self, c, &in[c], &out[c], hidden);
  for (int i = 0; i < self->width * self->height; i++) {
    unknown[i] = hidden[i] && !self->seen[i] ? 255 : 0;
    self->seen[i] |= !hidden[i];
    if (forbidden != NULL && forbidden[i] >= 128)
      not_copied[i] = 255;
  }
}
