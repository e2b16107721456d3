/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reference implementation of inpainting: stores the background behind objects, see
 * docs/algorithms/inpaint.md. */
#include "inpaint-background.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "inpaint-camera.h"
#include "samples.h"

#define LONGEST 32
#define TRUSTED 8               /* number of frames in which a pixel must be visible until its
                                 * background is trusted */
#define LONG 32                 /* maximum number of frames that are counted for a pixel */
#define SETTLED 32              /* number of frames of a scene between two checks of the filled
                                 * pixels */
#define SETTLED_IN_LIGHT 4      /* number of frames between two checks of the filled pixels where
                                 * the light of frames is known */
#define BORDER 2                /* distance from unsettled pixels, in pixels, up to which pixels
                                 * also count as unsettled */
#define NEAR(plane) (((plane)->max + 1) / 16)
#define NEAR_CHROMA(plane) (((plane)->max + 1) / 32)
#define FAR(plane) (((plane)->max + 1) / 8)

typedef struct
{
  uint16_t value, other;        /* stored background value, and another value that was visible
                                 * instead */
  uint16_t lit, light;          /* the light in which the background was visible and, where it is
                                 * hidden, its value in that light */
  uint8_t count, others;        /* number of frames in which the background value, and the other
                                 * value, was visible */
} Sample;

struct _RefInpaintBackground
{
  int n, is_rgb, width, height;
  int has_light, light_number;  /* whether the light of the last frame is known, and the number of
                                 * that light */
  unsigned age;                 /* number of frames of the current scene */
  int begins, is_first;         /* whether a scene has begun since the last frame was filled; and
                                 * the value of @begins when that frame was filled */
  uint8_t *seen;                /* number of frames in which each pixel was visible, at most LONG */
  uint8_t *two;                 /* scratch memory, an element for each pixel */
  uint8_t *kept;                /* whether each pixel was filled before and keeps its value */
  uint8_t *was_unknown;         /* whether each pixel was hidden and had never been visible when the
                                 * last frame was filled */
  uint8_t *hidden, *was_hidden; /* whether each pixel is hidden in this frame, and in the last
                                 * frame */
  uint8_t *planned;             /* whether each pixel is filled with patches: when filling began,
                                 * the pixel had never been visible, or it was unsettled and near a
                                 * pixel that had never been visible */
  int moves, x, y;              /* whether the camera moves, and its displacement from the
                                 * beginning */
  int sub_x, sub_y;             /* chroma subsampling of the smallest component */
  uint8_t *whole;               /* whether the background of each sample of the smallest component
                                 * is stored, in rows of @width samples */
  uint8_t *extra;               /* whether each pixel is filled even though it was visible */
  uint8_t *unsettled;           /* whether each pixel must not be copied from */
  uint8_t *unknown;             /* whether each pixel is hidden and was never visible */
  uint16_t *base[4];            /* samples of each component that the patches contained when they
                                 * were found */
  uint16_t *first[4];           /* samples of each component that patches contained, but pixels that
                                 * had been filled before keep their value */
  uint16_t *shown[4];           /* samples of each component of the last frame that was filled */
  Sample *samples[4];           /* samples of each component, in rows of @width samples */
};

RefInpaintBackground *
ref_inpaint_background_new (int n, int is_rgb, int width, int height)
{
  RefInpaintBackground *self = calloc (1, sizeof (*self));
  size_t size = (size_t) width * height;
  int ok = self != NULL && (self->seen = calloc (size, 1)) != NULL
      && (self->hidden = calloc (size, 1)) != NULL
      && (self->was_hidden = calloc (size, 1)) != NULL
      && (self->planned = calloc (size, 1)) != NULL
      && (self->two = calloc (size, 1)) != NULL
      && (self->kept = calloc (size, 1)) != NULL
      && (self->was_unknown = calloc (size, 1)) != NULL
      && (self->whole = calloc (size, 1)) != NULL
      && (self->extra = calloc (size, 1)) != NULL
      && (self->unsettled = calloc (size, 1)) != NULL
      && (self->unknown = calloc (size, 1)) != NULL;

  for (int c = 0; c < n && ok; c++)
    ok = (self->samples[c] = calloc (size, sizeof (Sample))) != NULL
        && (self->base[c] = calloc (size, sizeof (uint16_t))) != NULL
        && (self->first[c] = calloc (size, sizeof (uint16_t))) != NULL
        && (self->shown[c] = calloc (size, sizeof (uint16_t))) != NULL;
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
  memset (self->planned, 0, size);
  memset (self->whole, 0, size);
  self->age = self->x = self->y = self->has_light = 0;
  for (int c = 0; c < self->n; c++)
    memset (self->samples[c], 0, size * sizeof (Sample));
}

void
ref_inpaint_background_free (RefInpaintBackground * self)
{
  if (self == NULL)
    return;
  free (self->seen);
  free (self->hidden);
  free (self->was_hidden);
  free (self->planned);
  free (self->two);
  free (self->kept);
  free (self->was_unknown);
  free (self->whole);
  free (self->extra);
  free (self->unsettled);
  free (self->unknown);
  for (int c = 0; c < 4; c++) {
    free (self->samples[c]);
    free (self->base[c]);
    free (self->first[c]);
    free (self->shown[c]);
  }
  free (self);
}

/* Returns: the element of @whole that contains pixel @i */
static uint8_t *
whole_at (const RefInpaintBackground * self, int i)
{
  return &self->whole[(i / self->width >> self->sub_y) * self->width
      + (i % self->width >> self->sub_x)];
}

/* Returns: 1 if no background is stored for pixel @i */
static int
is_unseen (const RefInpaintBackground * self, int i)
{
  return self->seen[i] == 0 || (self->moves && !*whole_at (self, i));
}

/* Returns 1 if a quarter of the visible samples differs from the stored background, which is a
 * scene cut. */
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
    *sample = (Sample) {
    value, value, sample->lit, sample->light, 1, 0};
  } else if (abs (value - sample->value) <= near) {
    sample->value = (3 * sample->value + value + 2) / 4;
    sample->count += sample->count < LONGEST;
    sample->others = 0;
  } else if (sample->others == 0 || abs (value - sample->other) > near) {
    sample->other = value;
    sample->others = 1;
  } else if (sample->others == sample->count) {
    *sample = (Sample) {
    value, sample->value, sample->lit, sample->light, sample->others + 1, 0};
  } else {
    sample->other = value;
    sample->others++;
  }
}

static void
look (RefInpaintBackground * self, int c, const RefPlane * in,
    const RefPlane * plate)
{
  int sx = ref_subsampling (self->width, in->width);
  int sy = ref_subsampling (self->height, in->height);
  int near = c > 0 && c < 3 && !self->is_rgb ? NEAR_CHROMA (in) : NEAR (in);

  for (int y = 0; y < in->height; y++) {
    for (int x = 0; x < in->width; x++) {
      Sample *sample = &self->samples[c][y * self->width + x];
      int i = (y << sy) * self->width + (x << sx);

      if (!self->hidden[i])
        remember (sample, ref_get (in, x, y), near);
      else if (is_unseen (self, i))
        sample->count = 0;
      ref_set (plate, x, y,
          sample->count > 0 ? sample->value : ref_get (in, x, y));
    }
  }
}

/* Sets @hidden from the mask. Pixels that share a sample in any component are hidden together. */
static void
hide (RefInpaintBackground * self, const RefPlane * in,
    const uint8_t * mask, uint8_t * hidden)
{
  int sx = 0, sy = 0;

  for (int c = 0; c < self->n; c++) {
    int x = ref_subsampling (self->width, in[c].width);
    int y = ref_subsampling (self->height, in[c].height);

    sx = x > sx ? x : sx;
    sy = y > sy ? y : sy;
  }
  self->sub_x = sx;
  self->sub_y = sy;
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

/* Finds the hidden pixels that are connected with pixels hidden in the last frame, and marks them
 * in @old. */
static void
find_old (const RefInpaintBackground * self, uint8_t * old)
{
  int w = self->width, h = self->height, goes_on = 1;

  for (int i = 0; i < w * h; i++)
    old[i] = self->hidden[i] && self->was_hidden[i];
  while (goes_on) {
    goes_on = 0;
    for (int i = 0; i < w * h; i++)
      for (int v = i / w - 1; v <= i / w + 1 && self->hidden[i] && !old[i]; v++)
        for (int u = i % w - 1; u <= i % w + 1; u++)
          if (u >= 0 && v >= 0 && u < w && v < h && old[v * w + u])
            old[i] = goes_on = 1;
  }
}

/* Returns 1 if the stored background at pixel @i differs from the frame. */
static int
is_changed (const RefInpaintBackground * self, const RefPlane * in, int i)
{
  return self->seen[i] > 0 && abs (ref_get (in, i % self->width,
          i / self->width) - self->samples[0][i].value) > NEAR (in);
}

/* Removes the connected part of newly hidden pixels around pixel @i from @left. Forgets values that
 * were visible in few frames at those of its pixels near which the frame differs from the
 * background; if there are no such pixels, at all its pixels. */
static void
forget_part (RefInpaintBackground * self, const RefPlane * in, int i,
    uint8_t * left)
{
  int w = self->width, h = self->height, n = 0, changed = 0, goes_on = 1;
  int x0 = i % w, y0 = i / w, x1 = x0, y1 = y0, radius;
  enum
  { PART = 2, TAKEN = 3, NEAR_CHANGE = 4 };

  left[i] = PART;
  while (goes_on) {
    goes_on = 0;
    for (int k = 0; k < w * h; k++)
      for (int v = k / w - 1; v <= k / w + 1 && left[k] == 1; v++)
        for (int u = k % w - 1; u <= k % w + 1; u++)
          if (u >= 0 && v >= 0 && u < w && v < h && left[v * w + u] == PART)
            left[k] = PART, goes_on = 1;
  }
  for (int k = 0; k < w * h; k++) {
    int x = k % w, y = k / w, is_young = self->seen[k] > 0
        && self->seen[k] < TRUSTED;

    if (left[k] != PART)
      continue;
    x0 = x < x0 ? x : x0;
    y0 = y < y0 ? y : y0;
    x1 = x > x1 ? x : x1;
    y1 = y > y1 ? y : y1;
    n += is_young;
    changed += is_young && is_changed (self, in, k);
  }
  radius = (x1 - x0 < y1 - y0 ? x1 - x0 + 1 : y1 - y0 + 1) / 4;
  for (int k = 0; k < w * h; k++) {
    int is_near = 16 * changed < n;

    for (int v = y0; v <= y1 && left[k] == PART; v++)
      for (int u = x0; u <= x1; u++)
        is_near |= left[v * w + u] >= PART && abs (u - k % w) <= radius
            && abs (v - k / w) <= radius && is_changed (self, in, v * w + u);
    left[k] = left[k] != PART ? left[k] : is_near ? NEAR_CHANGE : TAKEN;
  }
  for (int k = 0; k < w * h; k++) {
    if (left[k] == NEAR_CHANGE && self->seen[k] < TRUSTED)
      self->seen[k] = 0;
    left[k] = left[k] > 1 ? 0 : left[k];
  }
}

/* Returns: 1 if at least 4 of the 3x3 pixels around (@x, @y) have shown their background in less
 * than @part / 4 of the frames in which they were visible or, if @part is 2, differ from it */
static int
is_unsettled (const RefInpaintBackground * self, int x, int y, int part)
{
  int n = 0;

  for (int v = y - 1; v <= y + 1; v++) {
    for (int u = x - 1; u <= x + 1; u++) {
      int i = v * self->width + u;
      const Sample *sample = &self->samples[0][i];

      if (u >= 0 && v >= 0 && u < self->width && v < self->height)
        n += sample->count > 0 && ((part == 2 && sample->others > 0)
            || 4 * sample->count < part * self->seen[i]);
    }
  }
  return n >= 4;
}

/* Returns: whether any pixel of @from is set at most @radius columns and rows away from pixel @i */
static int
is_near (const RefInpaintBackground * self, const uint8_t * from, int i,
    int radius)
{
  int x = i % self->width, y = i / self->width;

  for (int v = y - radius; v <= y + radius; v++)
    for (int u = x - radius; u <= x + radius; u++)
      if (u >= 0 && v >= 0 && u < self->width && v < self->height
          && from[v * self->width + u])
        return 1;
  return 0;
}

/* Forgets the stored background of pixels that become hidden, if it consists only of pieces of an
 * object. The array @pieces has memory for all pixels. */
static void
forget_pieces (RefInpaintBackground * self, uint8_t * pieces)
{
  int n = self->width * self->height;

  for (int i = 0; i < n; i++)
    pieces[i] = !self->was_hidden[i]
        && is_unsettled (self, i % self->width, i / self->width, 3);
  for (int i = 0; i < n; i++)
    self->two[i] = is_near (self, pieces, i, BORDER);
  for (int i = 0; i < n; i++)
    if (self->two[i] && self->hidden[i] && !self->was_hidden[i]
        && self->seen[i] > 1 && self->seen[i] < LONG)
      self->seen[i] = 0;
}

/* Counts the frames in which each pixel was visible. Forgets the background of some pixels in those
 * parts of the mask that were not connected with hidden pixels of the last frame. */
static void
count_seen (RefInpaintBackground * self, const RefPlane * in)
{
  uint8_t *left = self->unknown;

  find_old (self, left);
  for (int i = 0; i < self->width * self->height; i++)
    left[i] = self->hidden[i] && !left[i];
  for (int i = 0; i < self->width * self->height; i++)
    if (left[i])
      forget_part (self, in, i, left);
  forget_pieces (self, left);
  for (int i = 0; i < self->width * self->height; i++) {
    if (!self->hidden[i]) {
      self->seen[i] += self->seen[i] < LONG;
      *whole_at (self, i) = 1;
    }
    self->was_hidden[i] = self->hidden[i];
  }
}

/* Returns: the sample @value after a change of light by @d */
static int
relight (const RefPlane * in, int value, int d, int is_chroma)
{
  int base = is_chroma ? (in->max + 1) / 2
      : in->lo - (24 * (in->hi - in->lo) + 127) / 255;
  int bounded = d < -8192 ? -8192 : d > 8191 ? 8191 : d, octave = -4;
  int64_t power, product, half;

  while (2048 * (octave + 1) <= bounded)
    octave++;
  power = rint (16384 * exp2 ((bounded - 2048 * octave) / 2048.0));
  product = llabs ((int64_t) value - base) * power;
  half = (int64_t) 1 << (13 - octave);
  product = (product + half) / (2 * half);
  value = value < base ? base - product : base + product;
  return value < 0 ? 0 : value > in->max ? in->max : value;
}

int
ref_inpaint_background_has_patches (const RefInpaintBackground * self)
{
  return memchr (self->unknown, 255, (size_t) self->width * self->height)
      != NULL;
}

void
ref_inpaint_background_relight (RefInpaintBackground * self,
    const RefPlane * in, const uint8_t * mask, const RefInpaintLight * light)
{
  int is_new = light == NULL || !self->has_light
      || self->light_number != light->number;

  self->has_light = light != NULL && self->age > 0;
  if (!self->has_light)
    return;
  self->light_number = light->number;
  hide (self, in, mask, self->hidden);
  for (int c = 0; c < self->n && c < 3; c++) {
    int sx = ref_subsampling (self->width, in[c].width);
    int sy = ref_subsampling (self->height, in[c].height);

    for (int y = 0; y < in[c].height; y++) {
      for (int x = 0; x < in[c].width; x++) {
        Sample *sample = &self->samples[c][y * self->width + x];
        int i = (y << sy) * self->width + (x << sx);
        int column = light->columns[x << sx], row = light->rows[y << sy];
        int is_known = column >= 0 && row >= 0;
        uint16_t now =
            is_known ? light->values[row * light->stride + column] : 0;
        int d = is_new || !is_known ? 0 : (int16_t) (now - sample->light);
        int from = !is_new && self->was_hidden[i] ? sample->lit : sample->value;

        sample->value = relight (&in[c], from, d, c > 0 && !self->is_rgb);
        sample->lit = from;
        if (is_new || !self->hidden[i])
          sample->light = now;
      }
    }
  }
}

int
ref_inpaint_background_is_cut (RefInpaintBackground * self, const RefPlane * in,
    const uint8_t * mask)
{
  hide (self, in, mask, self->hidden);
  return is_cut (self, in, self->hidden);
}

void
ref_inpaint_background_look (RefInpaintBackground * self, const RefPlane * in,
    const RefPlane * plate, const uint8_t * mask)
{
  hide (self, in, mask, self->hidden);
  count_seen (self, in);
  self->age++;
  self->begins |= self->age == 1;
  for (int c = 0; c < self->n; c++)
    look (self, c, &in[c], &plate[c]);
}

/* Returns: 1 if there is a patch that consists of known and settled pixels */
static int
has_source (const RefInpaintBackground * self, int r)
{
  for (int y = r; y < self->height - r; y++)
    for (int x = r; x < self->width - r; x++) {
      int i = y * self->width + x;

      if (!is_near (self, self->planned, i, r)
          && !is_near (self, self->unsettled, i, r))
        return 1;
    }
  return 0;
}

/* Plans to fill the pixels that are set in @unknown, and unsettled pixels near them, unless no
 * patches to copy from would be left. */
static void
plan_anew (RefInpaintBackground * self, const uint8_t * unknown, int patch_size)
{
  int n = self->width * self->height, r = patch_size / 2;

  for (int i = 0; i < n; i++)
    self->extra[i] = !unknown[i]
        && is_unsettled (self, i % self->width, i / self->width, 2);
  for (int i = 0; i < n; i++)
    self->unsettled[i] = is_near (self, self->extra, i, BORDER) ? 255 : 0;
  for (int i = 0; i < n; i++) {
    self->extra[i] = !unknown[i] && self->unsettled[i]
        && is_near (self, unknown, i, patch_size) ? 255 : 0;
    self->planned[i] = unknown[i] | self->extra[i];
  }
  if (has_source (self, r))
    return;
  memset (self->unsettled, 0, n);
  if (has_source (self, r))
    return;
  memset (self->extra, 0, n);
  memcpy (self->planned, unknown, n);
}

int
ref_inpaint_background_plan (RefInpaintBackground * self, const RefPlane * in,
    const uint8_t * mask, int patch_size, uint8_t * planned, uint8_t * unknown)
{
  int n = self->width * self->height, is_empty = 1;
  int is_all = memchr (self->planned, 0, n) == NULL, is_new = is_all;

  hide (self, in, mask, self->hidden);
  self->is_first = self->begins;
  self->begins = 0;
  for (int i = 0; i < n; i++) {
    unknown[i] = self->hidden[i] && is_unseen (self, i) ? 255 : 0;
    is_new |= unknown[i] && !self->planned[i];
    is_empty &= !unknown[i];
    self->unknown[i] = unknown[i];
  }
  for (int i = 0; i < n; i++) {
    self->kept[i] = !is_all && self->planned[i] && unknown[i]
        && self->was_unknown[i];
    self->was_unknown[i] = unknown[i];
  }
  if (is_empty) {
    memset (self->planned, 0, n);
    memset (self->extra, 0, n);
  } else if (is_new) {
    plan_anew (self, unknown, patch_size);
  }
  memcpy (planned, self->planned, n);
  for (int i = 0; i < n; i++)
    unknown[i] |= self->extra[i];
  return is_new;
}

int
ref_inpaint_background (RefInpaintBackground * self, const RefPlane * in,
    const RefPlane * plate, const uint8_t * mask, int patch_size,
    uint8_t * planned, uint8_t * unknown)
{
  if (ref_inpaint_background_is_cut (self, in, mask))
    ref_inpaint_background_forget (self);
  ref_inpaint_background_look (self, in, plate, mask);
  return ref_inpaint_background_plan (self, in, mask, patch_size, planned,
      unknown);
}

/* Returns 1 if too many of the samples that are filled now differ from those of an earlier filling:
 * in the first frames self->first, later self->base. */
static int
has_changed (const RefInpaintBackground * self, const RefPlane * filled)
{
  int n = 0, others = 0;

  for (int i = 0; i < self->width * self->height; i++) {
    int value = ref_get (filled, i % self->width, i / self->width);

    if (!self->unknown[i])
      continue;
    n++;
    others += abs (value - (self->age <= SETTLED ? self->first
            : self->base)[0][i]) > NEAR (filled);
  }
  if (self->age <= SETTLED)
    return 256 * others > n;
  return (self->age % SETTLED == 0 ? 32 : 4) * others > n;
}

/* Stores the samples of a component that were filled first, or changes them by the difference
 * between the patches' samples now and then. */
static void
keep (RefInpaintBackground * self, int c, const RefPlane * filled, int is_new)
{
  int near = c > 0 && c < 3 && !self->is_rgb ? NEAR_CHROMA (filled)
      : NEAR (filled);
  int sx = ref_subsampling (self->width, filled->width);
  int sy = ref_subsampling (self->height, filled->height);

  for (int y = 0; y < filled->height; y++) {
    for (int x = 0; x < filled->width; x++) {
      uint16_t *first = &self->first[c][y * self->width + x];
      uint16_t *base = &self->base[c][y * self->width + x];
      int i = (y << sy) * self->width + (x << sx), change, value;

      if (is_new) {
        *base = ref_get (filled, x, y);
        *first = self->kept[i] ? self->shown[c][y * self->width + x] : *base;
        ref_set (filled, x, y, *first);
      } else if (self->unknown[i]) {
        change = ref_get (filled, x, y) - *base;
        value = *first + (abs (change) > near ? 0 : change);
        ref_set (filled, x, y, value < 0 ? 0 : value > filled->max
            ? filled->max : value);
      }
      self->shown[c][y * self->width + x] = ref_get (filled, x, y);
    }
  }
}

void
ref_inpaint_background_check (RefInpaintBackground * self,
    const RefPlane * filled, int is_new)
{
  int is_turn = self->age < SETTLED ? (self->age & (self->age - 1)) == 0
      : self->age % (self->has_light ? SETTLED_IN_LIGHT : SETTLED) == 0;

  if (is_turn && !is_new && ((self->age <= SETTLED && memchr (self->extra, 255,
                  (size_t) self->width * self->height) != NULL)
          || has_changed (self, &filled[0])))
    memset (self->planned, 0, (size_t) self->width * self->height);
  for (int c = 0; c < self->n; c++)
    keep (self, c, &filled[c], is_new);
}

void
ref_inpaint_background_show (const RefInpaintBackground * self,
    const RefPlane * filled, const RefPlane * out)
{
  for (int c = 0; c < self->n; c++) {
    int sx = ref_subsampling (self->width, out[c].width);
    int sy = ref_subsampling (self->height, out[c].height);

    for (int y = 0; y < out[c].height; y++) {
      for (int x = 0; x < out[c].width; x++) {
        const Sample *sample = &self->samples[c][y * self->width + x];

        if (self->hidden[(y << sy) * self->width + (x << sx)])
          ref_set (&out[c], x, y, sample->count > 0 ? sample->value
              : ref_get (&filled[c], x, y));
      }
    }
  }
}

void
ref_inpaint_background_plate (const RefInpaintBackground * self,
    const RefPlane * in, const RefPlane * plate)
{
  for (int c = 0; c < self->n; c++) {
    for (int y = 0; y < in[c].height; y++) {
      for (int x = 0; x < in[c].width; x++) {
        const Sample *sample = &self->samples[c][y * self->width + x];

        ref_set (&plate[c], x, y, sample->count > 0 ? sample->value
            : ref_get (&in[c], x, y));
      }
    }
  }
}

const uint8_t *
ref_inpaint_background_unsettled (const RefInpaintBackground * self)
{
  return self->unsettled;
}

const uint8_t *
ref_inpaint_background_hidden (const RefInpaintBackground * self, int *is_first)
{
  *is_first = self->is_first;
  return self->hidden;
}

/* ---- Moving camera ------------------------------------------------------------------ */

/* Shifts @n elements of @size bytes by (@dx, @dy). The elements are in rows of @width, of which the
 * first @columns are used. */
static int
move_all (const RefInpaintBackground * self, void *elements, size_t size,
    int columns, int rows, int dx, int dy)
{
  uint8_t *to = elements, *from = malloc (size * self->width * self->height);

  if (from == NULL)
    return 0;
  memcpy (from, to, size * self->width * self->height);
  for (int y = 0; y < rows; y++) {
    for (int x = 0; x < columns; x++) {
      uint8_t *at = to + ((size_t) y * self->width + x) * size;

      if (x + dx >= 0 && y + dy >= 0 && x + dx < columns && y + dy < rows)
        memcpy (at, from + ((size_t) (y + dy) * self->width + x + dx) * size,
            size);
      else
        memset (at, 0, size);
    }
  }
  free (from);
  return 1;
}

/* Returns the number of samples by which a component is shifted when the camera moves from @a to @a
 * + @d. */
static int
by_samples (int a, int d, int sub)
{
  return ((a + d) >> sub) - (a >> sub);
}

static int
move_background (RefInpaintBackground * self, const RefPlane * in, int dx,
    int dy)
{
  int w = self->width, h = self->height, ok;

  ok = move_all (self, self->seen, 1, w, h, dx, dy)
      && move_all (self, self->was_hidden, 1, w, h, dx, dy)
      && move_all (self, self->whole, 1, (w + (1 << self->sub_x) - 1)
      >> self->sub_x, (h + (1 << self->sub_y) - 1) >> self->sub_y,
      by_samples (self->x, dx, self->sub_x),
      by_samples (self->y, dy, self->sub_y));
  for (int c = 0; c < self->n && ok; c++)
    ok = move_all (self, self->samples[c], sizeof (Sample), in[c].width,
        in[c].height,
        by_samples (self->x, dx, ref_subsampling (w, in[c].width)),
        by_samples (self->y, dy, ref_subsampling (h, in[c].height)));
  self->x += dx;
  self->y += dy;
  memset (self->planned, 0, (size_t) w * h);
  return ok;
}

int
ref_inpaint_background_move (RefInpaintBackground * self, const RefPlane * in,
    const uint8_t * mask)
{
  size_t n = (size_t) self->width * self->height;
  RefInpaintPair pair =
      { self->width, self->height, malloc (n * sizeof (int16_t)),
    malloc (n * sizeof (int16_t))
  };
  int x = 0, y = 0, ok = pair.now != NULL && pair.then != NULL;

  self->moves = 1;
  hide (self, in, mask, self->hidden);
  for (size_t i = 0; i < n && ok; i++) {
    pair.now[i] = self->hidden[i] ? -1
        : ref_get (&in[0], i % self->width, i / self->width) * 255 / in[0].max;
    pair.then[i] = self->seen[i] == 0 ? -1
        : self->samples[0][i].value * 255 / in[0].max;
  }
  ok = ok && (self->age == 0 || ref_inpaint_camera (&pair, &x, &y));
  free (pair.now);
  free (pair.then);
  if (ok && (x != 0 || y != 0))
    ok = move_background (self, in, x, y);
  return ok ? x != 0 || y != 0 : -1;
}

void
ref_inpaint_background_adopt (RefInpaintBackground * self,
    const RefPlane * filled)
{
  size_t n = (size_t) self->width * self->height;

  if (memchr (self->planned, 0, n) != NULL) {
    for (int c = 0; c < self->n; c++) {
      int sx = ref_subsampling (self->width, filled[c].width);
      int sy = ref_subsampling (self->height, filled[c].height);

      for (int y = 0; y < filled[c].height; y++)
        for (int x = 0; x < filled[c].width; x++)
          if (self->unknown[(y << sy) * self->width + (x << sx)]) {
            Sample *sample = &self->samples[c][y * self->width + x];

            sample->count = 0;
            remember (sample, ref_get (&filled[c], x, y), 0);
          }
    }
    for (size_t i = 0; i < n; i++)
      if (self->unknown[i])
        self->seen[i] = *whole_at (self, i) = 1;
  }
  memset (self->planned, 0, n);
}
