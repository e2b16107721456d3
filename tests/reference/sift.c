/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "sift.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bilateral.h"

#define BORDER 5                /* pixels without extrema */
#define STEPS 5                 /* of refinement, at most */
#define BINS 36                 /* of directions */

/* What all values are raised by, so that no product in the tail of a blur is a
 * subnormal number. */
#define LIFT 1.0f

/* Responses are counted by the bits of the float above this one, from
 * FIRST_BIN on. */
#define BIN_SHIFT 14
#define FIRST_BIN (111 << 9)    /* 2^-16 */
#define N_BINS (20 << 9)        /* up to 2^4 */

#define LOG2_E 1.4426950408889634
#define MAX_GRADIENT 361.0

typedef struct
{
  int width, height;
  float **levels;               /* scales + 3 */
} Octave;

/* An extremum, refined. */
typedef struct
{
  int octave, layer, row, column;
  float d_layer, d_row, d_column;
  float response;
} Point;

typedef struct
{
  const RefSiftParams *params;
  int n_octaves;
  Octave *octaves;
  float orientation_unit, descriptor_unit;

  Point *points;
  uint32_t n_points, room;
} Sift;

/* ---- Arithmetic ----------------------------------------------------------- */

static uint32_t
bits_of (float x)
{
  uint32_t bits;

  memcpy (&bits, &x, sizeof (bits));
  return bits;
}

static float
float_of (uint32_t bits)
{
  float x;

  memcpy (&x, &bits, sizeof (x));
  return x;
}

static float
reciprocal (float x)
{
  float y = float_of (0x7ef311c7u - bits_of (x));

  for (int i = 0; i < 3; i++)
    y = fmaf (fmaf (-x, y, 1.0f), y, y);
  return y;
}

/* To the nearest integer, ties to even, for |x| up to 2^22. */
static int
round_to_int (float x)
{
  volatile float biased = x + 12582912.0f;

  return (int) (bits_of (biased) - bits_of (12582912.0f));
}

float
ref_sift_root (float x)
{
  float y = float_of (0x5f3759dfu - (bits_of (x) >> 1));
  float half = 0.5f * x, root;

  for (int i = 0; i < 3; i++)
    y = y * fmaf (-(half * y), y, 1.5f);
  root = x * y;
  return fmaf (fmaf (-root, root, x), 0.5f * y, root);
}

float
ref_sift_degrees (float y, float x)
{
  float ax = fabsf (x), ay = fabsf (y);
  float large = ax > ay ? ax : ay, small = ax > ay ? ay : ax;
  float c = small * reciprocal (large > 1e-20f ? large : 1e-20f);
  float c2 = c * c, a;

  a = fmaf (-2.53972459f, c2, 8.91400051f);
  a = fmaf (a, c2, -18.6674461f);
  a = fmaf (a, c2, 57.2836266f);
  a = a * c;
  if (ay > ax)
    a = 90.0f - a;
  if (x < 0)
    a = 180.0f - a;
  if (y < 0)
    a = 360.0f - a;
  return a;
}

float
ref_sift_exp2 (float t)
{
  int whole = (int) t;
  float f = t - whole, p;

  p = fmaf (2.1877505e-4f, f, 1.2387822e-3f);
  p = fmaf (p, f, 9.6845804e-3f);
  p = fmaf (p, f, 5.5480428e-2f);
  p = fmaf (p, f, 0.2402305f);
  p = fmaf (p, f, 0.69314694f);
  p = fmaf (p, f, 1.0f);
  return float_of (bits_of (p) + ((uint32_t) whole << 23));
}

void
ref_sift_turn (float degrees, float *cosine, float *sine)
{
  int quarter = round_to_int (degrees * (1.0f / 90));
  float r = fmaf (quarter, -90.0f, degrees) * 0.0174532925f;
  float u = r * r, c, s;

  s = fmaf (-1.9503963e-4f, u, 8.3320364e-3f);
  s = fmaf (s, u, -0.16666651f);
  s = fmaf (s * u, r, r);
  c = fmaf (2.437988e-5f, u, -1.3886619e-3f);
  c = fmaf (c, u, 4.1666616e-2f);
  c = fmaf (c, u, -0.5f);
  c = fmaf (c, u, 1.0f);
  *cosine = quarter & 1 ? s : c;
  *sine = quarter & 1 ? c : s;
  if ((quarter & 3) == 1 || (quarter & 3) == 2)
    *cosine = -*cosine;
  if (quarter & 2)
    *sine = -*sine;
}

/* ---- Scale space ----------------------------------------------------------- */

/* Mirrors at the first and last pixel, which are not repeated. */
static int
reflect (int i, int n)
{
  while (n > 1 && (i < 0 || i >= n))
    i = i < 0 ? -i : 2 * (n - 1) - i;
  return n > 1 ? i : 0;
}

static int
get (const RefPlane * plane, int x, int y)
{
  const uint8_t *at;

  x = x < 0 ? 0 : x < plane->width ? x : plane->width - 1;
  y = y < 0 ? 0 : y < plane->height ? y : plane->height - 1;
  at = plane->data + y * plane->stride + (ptrdiff_t) x * plane->pixel_stride;
  return (plane->bytes == 1 ? at[0] : at[0] | at[1] << 8) >> plane->shift;
}

/* The frame as floats from 0 to 255, doubled or not, and lifted. Pixel
 * (x, y) of a doubled one lies at (x - 0.5) / 2 between pixels. */
static void
load (const RefPlane * in, int upsample, int width, int height, float *out)
{
  float scale = (float) (255.0 / (upsample ? 16.0 * in->max : in->max));

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
      out[(size_t) y * width + x] = fmaf (sum, scale, LIFT);
    }
  }
}

/* Rows first, then columns, each from the middle outwards. */
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
        float pair = in[(size_t) reflect (y - i, height) * width + x]
            + in[(size_t) reflect (y + i, height) * width + x];

        row[x] = fmaf (weights[i], pair, row[x]);
      }
    }
    for (int x = 0; x < width; x++) {
      float value = weights[0] * row[x];

      for (int i = 1; i <= radius; i++)
        value = fmaf (weights[i], row[reflect (x - i, width)]
            + row[reflect (x + i, width)], value);
      out[(size_t) y * width + x] = value;
    }
  }
  free (weights);
  free (row);
  return 1;
}

static int
init_octaves (Sift * self, const RefPlane * in)
{
  const RefSiftParams *p = self->params;
  int width = in->width << p->upsample, height = in->height << p->upsample;
  int edge = width < height ? width : height;
  int n = (int) rint (log2 (edge) - 2) + p->upsample;

  if (p->octaves > 0 && n > p->octaves)
    n = p->octaves;
  self->octaves = calloc (n > 0 ? n : 1, sizeof (Octave));
  if (self->octaves == NULL)
    return 0;
  /* Smaller octaves are all border. */
  while (self->n_octaves < n && width > 2 * BORDER && height > 2 * BORDER) {
    Octave *octave = &self->octaves[self->n_octaves++];

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
halve (const Octave * from, const float *in, const Octave * to, float *out)
{
  for (int y = 0; y < to->height; y++)
    for (int x = 0; x < to->width; x++)
      out[(size_t) y * to->width + x] = in[(size_t) 2 * y * from->width + 2 * x];
}

static int
make_levels (Sift * self, const RefPlane * in)
{
  const RefSiftParams *p = self->params;
  double had = p->upsample ? 1 : 0.5;
  double base = p->sigma * p->sigma - had * had;
  double k = pow (2, 1.0 / p->scales);

  base = sqrt (base < 0.01 ? 0.01 : base);
  for (int o = 0; o < self->n_octaves; o++) {
    Octave *octave = &self->octaves[o];

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
difference (const Octave * octave, int layer, int row, int column)
{
  size_t at = (size_t) row * octave->width + column;

  return octave->levels[layer + 1][at] - octave->levels[layer][at];
}

static int
is_extremum (const Octave * octave, int layer, int row, int column,
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

/* First and second derivatives at a sample. */
typedef struct
{
  float value;
  float x, y, l;
  float xx, yy, ll, xy, xl, yl;
} Derivatives;

static void
derive (const Octave * octave, const Point * p, Derivatives * d)
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

/* Where the parabola through d has its top, by Cramer's rule. */
static void
solve (const Derivatives * d, Point * p)
{
  float a = d->yy * d->ll - d->yl * d->yl;
  float b = d->xy * d->ll - d->yl * d->xl;
  float c = d->xy * d->yl - d->yy * d->xl;
  float det = d->xx * a - d->xy * b + d->xl * c, r;

  if (!(fabsf (det) >= 0x1p-80f)) {
    p->d_column = p->d_row = p->d_layer = 0;
    return;
  }
  r = reciprocal (fabsf (det));
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

/* Moves p to the sample next to the extremum. Returns whether there is one that
 * is worth keeping. */
static int
refine (const Sift * self, Point * p)
{
  const RefSiftParams *params = self->params;
  const Octave *octave = &self->octaves[p->octave];
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
        || p->row < BORDER || p->row >= octave->height - BORDER)
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
  return det > 0 && trace * trace * edge < (edge + 1) * (edge + 1) * det;
}

/* The pixel of the frame that p is on. */
static int
is_masked (const Sift * self, const RefPlane * in, const uint8_t * mask,
    const Point * p)
{
  int x = (p->column << p->octave) >> self->params->upsample;
  int y = (p->row << p->octave) >> self->params->upsample;

  return mask != NULL && mask[(size_t) y * in->width + x] == 0;
}

static int
find_in_octave (Sift * self, const RefPlane * in, const uint8_t * mask, int o)
{
  const RefSiftParams *params = self->params;
  const Octave *octave = &self->octaves[o];
  float threshold = floorf (0.5f * params->contrast / params->scales * 255);
  size_t layer_size = (size_t) octave->width * octave->height;
  uint8_t *seen = calloc (layer_size, params->scales);

  if (seen == NULL)
    return 0;
  for (int l = 1; l <= params->scales; l++) {
    for (int y = BORDER; y < octave->height - BORDER; y++) {
      for (int x = BORDER; x < octave->width - BORDER; x++) {
        Point p = { o, l, y, x, 0, 0, 0, 0 };
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
          Point *more = realloc (self->points, room * sizeof (Point));

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

/* When there are more than the capacity, the bins with the weakest go, whole.
 * Returns how many points that were. */
static uint32_t
drop_weakest (Sift * self)
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

/* By falling response, then by place. */
static int
compare (const void *a, const void *b)
{
  const Point *p = a, *q = b;

  if (p->response != q->response)
    return p->response > q->response ? -1 : 1;
  if (p->octave != q->octave)
    return p->octave - q->octave;
  if (p->layer != q->layer)
    return p->layer - q->layer;
  return p->row != q->row ? p->row - q->row : p->column - q->column;
}

/* ---- Orientation ------------------------------------------------------------ */

static void
gradient (const float *at, int width, float *dx, float *dy)
{
  *dx = at[1] - at[-1];
  *dy = at[-width] - at[width];
}

/* How far the middle of the levels of p is blurred, in pixels of its octave. */
static float
scale_of (const Sift * self, const Point * p)
{
  float t = (p->layer + p->d_layer) * (1.0f / self->params->scales);

  return (float) self->params->sigma * ref_sift_exp2 (t);
}

static void
count_directions (const Sift * self, const Point * p, uint32_t * smooth)
{
  const Octave *octave = &self->octaves[p->octave];
  float scale = scale_of (self, p);
  int radius = round_to_int (4.5f * scale);
  float falloff = (float) (LOG2_E / 4.5) * reciprocal (scale * scale);
  uint32_t bins[BINS] = { 0, };

  for (int i = -radius; i <= radius; i++) {
    for (int j = -radius; j <= radius; j++) {
      int y = p->row + i, x = p->column + j, bin;
      float dx, dy, weight, length;

      if (y <= 0 || y >= octave->height - 1 || x <= 0 || x >= octave->width - 1)
        continue;
      gradient (octave->levels[p->layer] + (size_t) y * octave->width + x,
          octave->width, &dx, &dy);
      weight = ref_bilateral_exp2 (fmaf (-(float) (i * i + j * j), falloff,
              488.5f));
      length = ref_sift_root (fmaf (dx, dx, dy * dy));
      bin = round_to_int (ref_sift_degrees (dy, dx) * 0.1f);
      bins[bin < BINS ? bin : bin - BINS] +=
          (uint32_t) fmaf (weight * length, self->orientation_unit, 0.5f);
    }
  }
  for (int i = 0; i < BINS; i++)
    smooth[i] = bins[(i + BINS - 2) % BINS] + bins[(i + 2) % BINS]
        + 4 * (bins[(i + BINS - 1) % BINS] + bins[(i + 1) % BINS]) + 6 * bins[i];
}

/* Up to max_orientations angles, by rising bin. When there are more peaks, the
 * lowest go, of equal ones the last. Returns how many. */
static int
find_angles (const Sift * self, const uint32_t * smooth, float *angles)
{
  uint32_t top = 0;
  int n = 0;

  for (int i = 0; i < BINS; i++)
    top = smooth[i] > top ? smooth[i] : top;
  for (int i = 0; i < BINS; i++) {
    uint32_t before = smooth[(i + BINS - 1) % BINS], here = smooth[i];
    uint32_t after = smooth[(i + 1) % BINS];
    int stronger = 0;
    float bin;

    if (here <= before || here <= after || top - here > here / 4)
      continue;
    for (int j = 0; j < BINS; j++)
      if (smooth[j] > smooth[(j + BINS - 1) % BINS]
          && smooth[j] > smooth[(j + 1) % BINS]
          && (smooth[j] > here || (smooth[j] == here && j < i)))
        stronger++;
    if (stronger >= self->params->max_orientations)
      continue;
    before = here - before;
    after = here - after;
    bin = fmaf (0.5f * (float) ((int32_t) before - (int32_t) after),
        reciprocal ((float) (before + after)), (float) i);
    bin = bin < 0 ? bin + BINS : bin >= BINS ? bin - BINS : bin;
    angles[n] = fmaf (-10.0f, bin, 360.0f);
    if (angles[n] >= 360.0f)
      angles[n] = 0;
    n++;
  }
  return n;
}

/* ---- Descriptor -------------------------------------------------------------- */

/* Adds what a sample weighs to the eight cells around it. A line around the
 * 4x4 cells keeps what falls outside. */
static void
spread (float mag, float row, float column, float turn,
    uint32_t cells[6][6][8])
{
  int r = (int) row, c = (int) column, o = (int) turn;
  float rows[2] = { 1 - (row - r), row - r };
  float columns[2] = { 1 - (column - c), column - c };
  float turns[2] = { 1 - (turn - o), turn - o };

  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++)
      for (int k = 0; k < 2; k++)
        cells[r + i][c + j][(o + k) & 7] +=
            (uint32_t) fmaf (mag * rows[i] * columns[j], turns[k], 0.5f);
}

/* angle: of the keypoint, turned the other way around */
static void
collect (const Sift * self, const Point * p, float angle,
    uint32_t cells[6][6][8])
{
  const Octave *octave = &self->octaves[p->octave];
  float width = 3.0f * scale_of (self, p), inverse = reciprocal (width);
  int radius = round_to_int (3.5355339f * width);
  float cosine, sine;

  ref_sift_turn (angle, &cosine, &sine);
  cosine *= inverse;
  sine *= inverse;
  for (int i = -radius; i <= radius; i++) {
    for (int j = -radius; j <= radius; j++) {
      int y = p->row + i, x = p->column + j;
      float column = fmaf (j, cosine, -(i * sine));
      float row = fmaf (j, sine, i * cosine);
      float dx, dy, weight, mag, turn;

      if (y <= 0 || y >= octave->height - 1 || x <= 0 || x >= octave->width - 1
          || !(row + 2.5f > 0 && row + 2.5f < 5 && column + 2.5f > 0
              && column + 2.5f < 5))
        continue;
      gradient (octave->levels[p->layer] + (size_t) y * octave->width + x,
          octave->width, &dx, &dy);
      weight = ref_bilateral_exp2 (fmaf (-fmaf (column, column, row * row),
              (float) (LOG2_E / 8), 488.5f));
      mag = self->descriptor_unit * ref_sift_root (fmaf (dx, dx, dy * dy))
          * weight;
      turn = fmaf (ref_sift_degrees (dy, dx) - angle, 8.0f / 360, 8.0f);
      spread (mag, row + 2.5f, column + 2.5f, turn, cells);
    }
  }
}

/* 16 sums side by side, then pairs of them. */
static float
sum_up (const float *values, int squares)
{
  float sums[16];

  for (int i = 0; i < 16; i++)
    sums[i] = 0;
  for (int i = 0; i < 128; i++)
    sums[i % 16] = squares ? fmaf (values[i], values[i], sums[i % 16])
        : sums[i % 16] + values[i];
  for (int n = 8; n > 0; n /= 2)
    for (int i = 0; i < n; i++)
      sums[i] += sums[i + n];
  return sums[0];
}

static void
describe (const Sift * self, const Point * p, float angle, uint8_t * out)
{
  uint32_t cells[6][6][8];
  float values[128], limit, norm;
  int rootsift = self->params->descriptor == 2;

  memset (cells, 0, sizeof (cells));
  collect (self, p, angle > 0 ? 360.0f - angle : 0, cells);
  for (int i = 0; i < 128; i++)
    values[i] = (float) cells[i / 32 + 1][i / 8 % 4 + 1][i % 8];

  limit = 0.2f * ref_sift_root (sum_up (values, 1));
  for (int i = 0; i < 128; i++)
    values[i] = values[i] < limit ? values[i] : limit;
  norm = sum_up (values, !rootsift);
  norm = rootsift ? norm : ref_sift_root (norm);
  norm = reciprocal (norm > 1 ? norm : 1);
  for (int i = 0; i < 128; i++) {
    float share = values[i] * norm;
    int value = round_to_int (512.0f * (rootsift ? ref_sift_root (share)
            : share));

    out[i] = (uint8_t) (value < 255 ? value : 255);
  }
}

/* ---- All of it --------------------------------------------------------------- */

static RefSiftKeypoint
keypoint_of (const Sift * self, const Point * p, float angle)
{
  int upsample = self->params->upsample;
  float zoom = ldexpf (1, p->octave - upsample);
  float shift = upsample ? -0.25f : 0;
  RefSiftKeypoint k;

  k.x = fmaf (p->column + p->d_column, zoom, shift);
  k.y = fmaf (p->row + p->d_row, zoom, shift);
  k.size = 2 * scale_of (self, p) * zoom;
  k.angle = angle;
  k.response = p->response;
  k.octave = p->octave - upsample;
  k.layer = p->layer;
  return k;
}

static int
make_keypoints (Sift * self, RefSiftResult * result)
{
  const RefSiftParams *params = self->params;
  uint32_t n = self->n_points, most;

  if (params->max_features > 0 && n > params->max_features)
    n = params->max_features;
  most = params->capacity / params->max_orientations < n ? params->capacity
      : n * params->max_orientations;
  result->keypoints = malloc ((size_t) (most + 1) * sizeof (RefSiftKeypoint));
  if (params->descriptor)
    result->descriptors = malloc ((size_t) (most + 1) * 128);
  if (result->keypoints == NULL
      || (params->descriptor && result->descriptors == NULL))
    return 0;
  for (uint32_t i = 0; i < n; i++) {
    const Point *p = &self->points[i];
    uint32_t smooth[BINS];
    float angles[BINS];
    int n_angles;

    count_directions (self, p, smooth);
    n_angles = find_angles (self, smooth, angles);
    for (int j = 0; j < n_angles; j++) {
      if (params->max_features > 0 && result->n == params->max_features)
        return 1;
      if (result->n == params->capacity) {
        result->dropped++;
        continue;
      }
      result->keypoints[result->n] = keypoint_of (self, p, angles[j]);
      if (params->descriptor)
        describe (self, p, angles[j], result->descriptors + 128 * result->n);
      result->n++;
    }
  }
  return 1;
}

/* The largest power of two by which a sum of at most bound stays below limit. */
static float
unit_for (double bound, double limit)
{
  return (float) exp2 (floor (log2 (limit / bound)));
}

int
ref_sift (const RefPlane * in, const RefSiftParams * params,
    const uint8_t * mask, RefSiftResult * result)
{
  double widest = params->sigma * pow (2, (params->scales + 0.5)
      / params->scales);
  Sift self = {.params = params };
  int ok;

  memset (result, 0, sizeof (*result));
  self.orientation_unit = unit_for (MAX_GRADIENT * 16 * (widest + 1)
      * (widest + 1), 0x1p28);
  self.descriptor_unit = unit_for (MAX_GRADIENT * (3 * widest + 1)
      * (3 * widest + 1), 0x1p31);
  ok = init_octaves (&self, in) && make_levels (&self, in);
  for (int o = 0; o < self.n_octaves && ok; o++)
    ok = find_in_octave (&self, in, mask, o);
  if (ok) {
    result->dropped = drop_weakest (&self);
    ok = result->dropped != UINT32_MAX;
  }
  if (ok) {
    qsort (self.points, self.n_points, sizeof (Point), compare);
    ok = make_keypoints (&self, result);
  }

  for (int o = 0; o < self.n_octaves; o++) {
    for (int i = 0; i < params->scales + 3 && self.octaves[o].levels; i++)
      free (self.octaves[o].levels[i]);
    free (self.octaves[o].levels);
  }
  free (self.octaves);
  free (self.points);
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
