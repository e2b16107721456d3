/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reference implementation of SIFT: computes the scale space and finds points. sift-describe.c
 * computes orientations and descriptors. */
#include "sift-private.h"

#include <stdlib.h>

#include "samples.h"

#define BORDER 5                /* width of the border of a level where extrema are not searched
                                 * for, in samples */
#define STEPS 5                 /* maximum number of steps of the refinement */
#define REACH 10                /* maximum distance of a refined point from its first sample, in
                                 * samples */

/* Number that is added to all samples, to prevent subnormal products in the tails of Gaussians */
#define LIFT 1.0f

/* Responses are counted in histogram bins. The index of a bin is the bits of the response as a
 * float, shifted right by BIN_SHIFT, minus FIRST_BIN. */
#define BIN_SHIFT 14
#define FIRST_BIN (111 << 9)    /* first bin, for a response of 2^-16 */
#define N_BINS (20 << 9)        /* number of bins, for responses up to 2^4 */

#define MAX_GRADIENT 361.0

/* ---- Scale space ----------------------------------------------------------- */

/* Returns sample (@x, @y), or the nearest sample if the position is outside of the level. */
static int
get (const RefPlane * plane, int x, int y)
{
  return ref_get (plane,
      x < 0 ? 0 : x < plane->width ? x : plane->width - 1,
      y < 0 ? 0 : y < plane->height ? y : plane->height - 1);
}

/* Loads the frame as floats from 0 to 255, plus LIFT. If @upsample is set, doubles its width and
 * height. Pixel (x, y) of the doubled frame is interpolated at ((x - 0.5) / 2, (y - 0.5) / 2). */
static void
load (const RefPlane * in, int upsample, int width, int height, float *out)
{
  int weights = upsample ? 16 : 1;
  float scale = (float) (255.0 / (weights * (double) (in->hi - in->lo)));

  for (int y = 0; y < height; y++) {
    for (int x = 0; x < width; x++) {
      int sum;

      if (upsample) {
        int x0 = x / 2, x1 = x & 1 ? x0 + 1 : x0 - 1;
        int y0 = y / 2, y1 = y & 1 ? y0 + 1 : y0 - 1;

        sum = 3 * (3 * get (in, x0, y0) + get (in, x1, y0))
            + 3 * get (in, x0, y1) + get (in, x1, y1);
      } else {
        sum = get (in, x, y);
      }
      out[(size_t) y * width + x] =
          fmaf ((float) (sum - weights * in->lo), scale, LIFT);
    }
  }
}

/* Blurs rows first, then columns, and adds up products from the center outwards. */
static int
blur (const float *in, int width, int height, double sigma, float *out)
{
  int radius = (int) rint (8 * sigma + 1) / 2;
  double sum = 0;
  float *weights = malloc ((radius + 1) * sizeof (float));
  float *row = malloc (width * sizeof (float));

  if (weights == NULL || row == NULL) {
    free (weights);
    free (row);
    return 0;
  }
  for (int i = -radius; i <= radius; i++)
    sum += exp (-0.5 * i * i / (sigma * sigma));
  for (int i = 0; i <= radius; i++)
    weights[i] = (float) (exp (-0.5 * i * i / (sigma * sigma)) / sum);

  for (int y = 0; y < height; y++) {
    for (int x = 0; x < width; x++) {
      row[x] = weights[0] * in[(size_t) y * width + x];
      for (int i = 1; i <= radius; i++) {
        float pair = in[(size_t) ref_reflect (y - i, height) * width + x]
            + in[(size_t) ref_reflect (y + i, height) * width + x];

        row[x] = fmaf (weights[i], pair, row[x]);
      }
    }
    for (int x = 0; x < width; x++) {
      float value = weights[0] * row[x];

      for (int i = 1; i <= radius; i++)
        value = fmaf (weights[i], row[ref_reflect (x - i, width)]
            + row[ref_reflect (x + i, width)], value);
      out[(size_t) y * width + x] = value;
    }
  }
  free (weights);
  free (row);
  return 1;
}

static int
init_octaves (RefSift * self, const RefPlane * in)
{
  const RefSiftParams *p = self->params;
  int width = in->width << p->upsample, height = in->height << p->upsample;
  int edge = width < height ? width : height;
  int n = (int) rint (log2 (edge) - 2) + p->upsample;

  if (p->octaves > 0 && n > p->octaves)
    n = p->octaves;
  self->octaves = calloc (n > 0 ? n : 1, sizeof (RefSiftOctave));
  if (self->octaves == NULL)
    return 0;
  /* Omits smaller octaves, which would consist only of the border. */
  while (self->n_octaves < n && width > 2 * BORDER && height > 2 * BORDER) {
    RefSiftOctave *octave = &self->octaves[self->n_octaves++];

    octave->width = width;
    octave->height = height;
    octave->levels = calloc (p->scales + 3, sizeof (float *));
    if (octave->levels == NULL)
      return 0;
    for (int i = 0; i < p->scales + 3; i++) {
      octave->levels[i] = malloc ((size_t) width * height * sizeof (float));
      if (octave->levels[i] == NULL)
        return 0;
    }
    width /= 2;
    height /= 2;
  }
  return 1;
}

static void
halve (const RefSiftOctave * from, const float *in, const RefSiftOctave * to,
    float *out)
{
  for (int y = 0; y < to->height; y++)
    for (int x = 0; x < to->width; x++)
      out[(size_t) y * to->width + x] =
          in[(size_t) 2 * y * from->width + 2 * x];
}

static int
make_levels (RefSift * self, const RefPlane * in)
{
  const RefSiftParams *p = self->params;
  double had = p->upsample ? 1 : 0.5;
  double base = p->sigma * p->sigma - had * had;
  double k = pow (2, 1.0 / p->scales);

  base = sqrt (base < 0.01 ? 0.01 : base);
  for (int o = 0; o < self->n_octaves; o++) {
    RefSiftOctave *octave = &self->octaves[o];

    if (o > 0) {
      halve (octave - 1, octave[-1].levels[p->scales], octave,
          octave->levels[0]);
    } else {
      load (in, p->upsample, octave->width, octave->height, octave->levels[1]);
      if (!blur (octave->levels[1], octave->width, octave->height, base,
              octave->levels[0]))
        return 0;
    }
    for (int i = 1; i < p->scales + 3; i++) {
      double before = pow (k, i - 1) * p->sigma, after = before * k;

      if (!blur (octave->levels[i - 1], octave->width, octave->height,
              sqrt (after * after - before * before), octave->levels[i]))
        return 0;
    }
  }
  return 1;
}

/* ---- Points ----------------------------------------------------------------- */

static float
difference (const RefSiftOctave * octave, int layer, int row, int column)
{
  size_t at = (size_t) row * octave->width + column;

  return octave->levels[layer + 1][at] - octave->levels[layer][at];
}

static int
is_extremum (const RefSiftOctave * octave, int layer, int row, int column,
    float threshold)
{
  float value = difference (octave, layer, row, column);

  if (!(fabsf (value) > threshold))
    return 0;
  for (int l = -1; l <= 1; l++) {
    for (int y = -1; y <= 1; y++) {
      for (int x = -1; x <= 1; x++) {
        float other = difference (octave, layer + l, row + y, column + x);

        if (value > 0 ? other > value : other < value)
          return 0;
      }
    }
  }
  return 1;
}

/* Value, and first and second derivatives, of a layer of the scale space at a sample */
typedef struct
{
  float value;
  float x, y, l;
  float xx, yy, ll, xy, xl, yl;
} Derivatives;

static void
derive (const RefSiftOctave * octave, const RefSiftPoint * p, Derivatives * d)
{
#define D(l, y, x) difference (octave, p->layer + (l), p->row + (y), \
    p->column + (x))
  float twice;

  d->value = D (0, 0, 0);
  twice = d->value * 2;
  d->x = (D (0, 0, 1) - D (0, 0, -1)) * 0.5f;
  d->y = (D (0, 1, 0) - D (0, -1, 0)) * 0.5f;
  d->l = (D (1, 0, 0) - D (-1, 0, 0)) * 0.5f;
  d->xx = D (0, 0, 1) + D (0, 0, -1) - twice;
  d->yy = D (0, 1, 0) + D (0, -1, 0) - twice;
  d->ll = D (1, 0, 0) + D (-1, 0, 0) - twice;
  d->xy = (D (0, 1, 1) - D (0, 1, -1) - D (0, -1, 1) + D (0, -1, -1)) * 0.25f;
  d->xl = (D (1, 0, 1) - D (1, 0, -1) - D (-1, 0, 1) + D (-1, 0, -1)) * 0.25f;
  d->yl = (D (1, 1, 0) - D (1, -1, 0) - D (-1, 1, 0) + D (-1, -1, 0)) * 0.25f;
#undef D
}

/* Sets the offset of @p to the extremum of the paraboloid with the derivatives @d, by Cramer's
 * rule. */
static void
solve (const Derivatives * d, RefSiftPoint * p)
{
  float a = d->yy * d->ll - d->yl * d->yl;
  float b = d->xy * d->ll - d->yl * d->xl;
  float c = d->xy * d->yl - d->yy * d->xl;
  float det = d->xx * a - d->xy * b + d->xl * c, r;

  if (!(fabsf (det) >= 0x1p-80f)) {
    p->d_column = p->d_row = p->d_layer = 0;
    return;
  }
  r = ref_reciprocal (fabsf (det));
  r = det < 0 ? r : -r;
  p->d_column = r * (d->x * a - d->xy * (d->y * d->ll - d->yl * d->l)
      + d->xl * (d->y * d->yl - d->yy * d->l));
  p->d_row = r * (d->xx * (d->y * d->ll - d->yl * d->l) - d->x * b
      + d->xl * (d->xy * d->l - d->y * d->xl));
  p->d_layer = r * (d->xx * (d->yy * d->l - d->y * d->yl)
      - d->xy * (d->xy * d->l - d->y * d->xl) + d->x * c);
}

static int
is_far (float x, float limit)
{
  return !(fabsf (x) < limit);
}

/* Returns @d if @i + @d is nearer to @i than to its neighbors. Otherwise returns the next number
 * towards 0 for which this is true. */
static float
keep_nearest (int i, float d)
{
  volatile float place = i + d;

  if (fabsf (place - i) < 0.5f)
    return d;
  return nextafterf (place, i) - i;
}

/* Moves @p to the sample nearest to the extremum. Returns 1 if there is an extremum and it is
 * accepted. */
static int
refine (const RefSift * self, RefSiftPoint * p)
{
  const RefSiftParams *params = self->params;
  const RefSiftOctave *octave = &self->octaves[p->octave];
  int row = p->row, column = p->column;
  float trace, det, contrast, edge;
  Derivatives d;

  for (int i = 0;; i++) {
    if (i == STEPS)
      return 0;
    derive (octave, p, &d);
    solve (&d, p);
    if (!is_far (p->d_column, 0.5f) && !is_far (p->d_row, 0.5f)
        && !is_far (p->d_layer, 0.5f))
      break;
    if (is_far (p->d_column, 1e6f) || is_far (p->d_row, 1e6f)
        || is_far (p->d_layer, 1e6f))
      return 0;
    p->column += round_to_int (p->d_column);
    p->row += round_to_int (p->d_row);
    p->layer += round_to_int (p->d_layer);
    if (p->layer < 1 || p->layer > params->scales
        || p->column < BORDER || p->column >= octave->width - BORDER
        || p->row < BORDER || p->row >= octave->height - BORDER
        || abs (p->column - column) > REACH || abs (p->row - row) > REACH)
      return 0;
  }

  contrast = d.value + 0.5f * (d.x * p->d_column + d.y * p->d_row
      + d.l * p->d_layer);
  p->response = fabsf (contrast) * (1.0f / 255);
  if (p->response * params->scales < params->contrast)
    return 0;
  trace = d.xx + d.yy;
  det = d.xx * d.yy - d.xy * d.xy;
  edge = params->edge;
  p->d_row = keep_nearest (p->row, p->d_row);
  p->d_column = keep_nearest (p->column, p->d_column);
  return det > 0 && trace * trace * edge < (edge + 1) * (edge + 1) * det;
}

void
ref_sift_locate (const RefSift * self, const RefSiftPoint * p, float *x,
    float *y)
{
  int upsample = self->params->upsample;
  float zoom = ldexpf (1, p->octave - upsample);
  float shift = upsample ? -0.25f : 0;

  *x = fmaf (p->column + p->d_column, zoom, shift);
  *y = fmaf (p->row + p->d_row, zoom, shift);
}

/* Returns 1 if the mask excludes the pixel of the frame at the position of @p. */
static int
is_masked (const RefSift * self, const RefPlane * in, const uint8_t * mask,
    const RefSiftPoint * p)
{
  float x, y;

  ref_sift_locate (self, p, &x, &y);
  return mask != NULL
      && mask[(size_t) (int) (y + 0.5f) * in->width + (int) (x + 0.5f)] == 0;
}

static int
find_in_octave (RefSift * self, const RefPlane * in, const uint8_t * mask,
    int o)
{
  const RefSiftParams *params = self->params;
  const RefSiftOctave *octave = &self->octaves[o];
  float threshold = floorf (0.5f * params->contrast / params->scales * 255);
  size_t layer_size = (size_t) octave->width * octave->height;
  uint8_t *seen = calloc (layer_size, params->scales);

  if (seen == NULL)
    return 0;
  for (int l = 1; l <= params->scales; l++) {
    for (int y = BORDER; y < octave->height - BORDER; y++) {
      for (int x = BORDER; x < octave->width - BORDER; x++) {
        RefSiftPoint p = { o, l, y, x, 0, 0, 0, 0 };
        uint8_t *mark;

        if (!is_extremum (octave, l, y, x, threshold) || !refine (self, &p)
            || is_masked (self, in, mask, &p))
          continue;
        mark = &seen[(p.layer - 1) * layer_size
            + (size_t) p.row * octave->width + p.column];
        if (*mark)
          continue;
        *mark = 1;
        if (self->n_points == self->room) {
          uint32_t room = 2 * self->room + 64;
          RefSiftPoint *more =
              realloc (self->points, room * sizeof (RefSiftPoint));

          if (more == NULL) {
            free (seen);
            return 0;
          }
          self->points = more;
          self->room = room;
        }
        self->points[self->n_points++] = p;
      }
    }
  }
  free (seen);
  return 1;
}

static uint32_t
response_bin (float response)
{
  int bin = (int) (bits_of (response) >> BIN_SHIFT) - FIRST_BIN;

  return bin < 0 ? 0 : bin < N_BINS ? bin : N_BINS - 1;
}

/* Drops all points of the bins with the lowest responses if there are more points than the
 * capacity. Returns the number of dropped points. */
static uint32_t
drop_weakest (RefSift * self)
{
  uint32_t *counts = calloc (N_BINS, sizeof (uint32_t));
  uint32_t bin = N_BINS, sum = 0, n = 0, before = self->n_points;

  if (counts == NULL)
    return UINT32_MAX;
  for (uint32_t i = 0; i < before; i++)
    counts[response_bin (self->points[i].response)]++;
  while (bin > 0 && sum + counts[bin - 1] <= self->params->capacity)
    sum += counts[--bin];
  for (uint32_t i = 0; i < before; i++)
    if (response_bin (self->points[i].response) >= bin)
      self->points[n++] = self->points[i];
  free (counts);
  self->n_points = n;
  return before - n;
}

/* Compares points by descending response, then by octave, layer, row and column. */
static int
compare (const void *a, const void *b)
{
  const RefSiftPoint *p = a, *q = b;

  if (p->response != q->response)
    return p->response > q->response ? -1 : 1;
  if (p->octave != q->octave)
    return p->octave - q->octave;
  if (p->layer != q->layer)
    return p->layer - q->layer;
  return p->row != q->row ? p->row - q->row : p->column - q->column;
}

/* Reorders points: the strongest points of all cells of a grid come first, then the second
 * strongest points, and so on. Returns 0 if there is not enough memory. */
static int
spread (RefSift * self, const RefPlane * in)
{
  int grid = self->params->grid, up = self->params->upsample ? 2 : 1;
  int longer = in->width > in->height ? in->width : in->height;
  uint32_t *counts = calloc ((size_t) grid * grid, sizeof (uint32_t));
  uint32_t *ranks = malloc (self->n_points * sizeof (uint32_t) + 1), n = 0;
  RefSiftPoint *points = malloc (self->n_points * sizeof (*points) + 1);
  int ok = counts != NULL && ranks != NULL && points != NULL;

  for (uint32_t i = 0; i < self->n_points && ok; i++) {
    const RefSiftPoint *p = &self->points[i];
    int x = p->column * (1 << p->octave) / up;
    int y = p->row * (1 << p->octave) / up;

    ranks[i] = counts[y * grid / longer * grid + x * grid / longer]++;
  }
  for (uint32_t rank = 0; ok && n < self->n_points; rank++)
    for (uint32_t i = 0; i < self->n_points; i++)
      if (ranks[i] == rank)
        points[n++] = self->points[i];
  if (ok)
    memcpy (self->points, points, n * sizeof (*points));
  free (points);
  free (ranks);
  free (counts);
  return ok;
}

/* ---- The whole algorithm ----------------------------------------------------------- */

/* Returns the largest power of two by which a sum of at most @bound can be multiplied without
 * exceeding @limit. */
static float
unit_for (double bound, double limit)
{
  return (float) exp2 (floor (log2 (limit / bound)));
}

/* Computes the scale space of the frame. Returns 0 if there is not enough memory. */
static int
init (RefSift * self, const RefPlane * in, const RefSiftParams * params)
{
  double widest = params->sigma * pow (2, (params->scales + 0.5)
      / params->scales);
  double most = MAX_GRADIENT * in->max / (in->hi - in->lo);

  memset (self, 0, sizeof (*self));
  self->params = params;
  self->orientation_unit = unit_for (most * 16 * (widest + 1) * (widest + 1),
      0x1p28);
  self->descriptor_unit = unit_for (most * (3 * widest + 1) * (3 * widest + 1),
      0x1p31);
  return init_octaves (self, in) && make_levels (self, in);
}

static void
clear (RefSift * self)
{
  for (int o = 0; o < self->n_octaves; o++) {
    for (int i = 0; i < self->params->scales + 3 && self->octaves[o].levels;
        i++)
      free (self->octaves[o].levels[i]);
    free (self->octaves[o].levels);
  }
  free (self->octaves);
  free (self->points);
}

int
ref_sift (const RefPlane * in, const RefSiftParams * params,
    const uint8_t * mask, RefSiftResult * result)
{
  RefSift self;
  int ok = init (&self, in, params);

  memset (result, 0, sizeof (*result));
  for (int o = 0; o < self.n_octaves && ok; o++)
    ok = find_in_octave (&self, in, mask, o);
  if (ok) {
    result->dropped = drop_weakest (&self);
    ok = result->dropped != UINT32_MAX;
  }
  if (ok) {
    if (self.n_points > 0)
      qsort (self.points, self.n_points, sizeof (RefSiftPoint), compare);
    ok = (params->grid == 0 || self.n_points == 0 || spread (&self, in))
        && ref_sift_make_keypoints (&self, result);
  }
  clear (&self);
  if (!ok)
    ref_sift_clear (result);
  return ok;
}

int
ref_sift_given (const RefPlane * in, const RefSiftParams * params,
    const RefSiftKeypoint * given, uint32_t n, RefSiftResult * result)
{
  RefSift self;
  int ok = init (&self, in, params);

  memset (result, 0, sizeof (*result));
  ok = ok && ref_sift_describe_given (&self, given, n, result);
  clear (&self);
  if (!ok)
    ref_sift_clear (result);
  return ok;
}

void
ref_sift_clear (RefSiftResult * result)
{
  free (result->keypoints);
  free (result->descriptors);
  memset (result, 0, sizeof (*result));
}
