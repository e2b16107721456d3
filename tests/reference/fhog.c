/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reference implementation of HOG feature pyramids: see docs/algorithms/fhog.md. */
#include "fhog.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reciprocal.h"
#include "samples.h"

#define BINS 18
#define FEATURES REF_FHOG_FEATURES
#define MAX_TAPS 8
#define ONE 32768               /* sum of the weights of all taps of a sample */

/* The frame scaled to one size: samples times 128, one channel after the other */
typedef struct
{
  int width, height;
  double scale;
  uint16_t *samples;
} Picture;

/* Input samples from which a new sample is computed (taps), and their weights */
typedef struct
{
  int n, first;
  int shares[MAX_TAPS];
} Taps;

void (*ref_fhog_stage) (RefFhogStage stage);

static void
begin (RefFhogStage stage)
{
  if (ref_fhog_stage != NULL)
    ref_fhog_stage (stage);
}

/* ---- Scaled images -------------------------------------------------------------- */

/* Returns the weight of input sample @s in output sample @i when @in samples are resized to @out.
 * With area resizing, it is the length that both samples have in common, in units of 1 / out. With
 * @linear set, it is twice the weight under a triangle whose half width is the distance between new
 * samples, but at most 2 input samples. */
static int64_t
weigh (int64_t s, int64_t i, int64_t in, int64_t out, int linear)
{
  if (linear) {
    int64_t half = 2 * (in < out ? out : in > 2 * out ? 2 * out : in);
    int64_t away = llabs ((2 * s + 1) * out - (2 * i + 1) * in);

    return away < half ? half - away : 0;
  } else {
    int64_t begin = i * in > s * out ? i * in : s * out;
    int64_t end = (i + 1) * in < (s + 1) * out ? (i + 1) * in : (s + 1) * out;

    return end > begin ? end - begin : 0;
  }
}

/* Computes the taps of output sample @i. To make the weights add up to ONE, rounds their partial
 * sums instead of the weights. */
static void
find_taps (int i, int in, int out, int linear, Taps * taps)
{
  int64_t sum = 0, total = 0;
  int from = (int) ((int64_t) i * in / out) - 2, done = 0;

  from = from < 0 ? 0 : from;
  taps->n = 0;
  for (int s = from; s < in && s < from + MAX_TAPS; s++)
    total += weigh (s, i, in, out, linear);
  for (int s = from; s < in && s < from + MAX_TAPS; s++) {
    int64_t w = weigh (s, i, in, out, linear);
    int upto;

    if (w == 0)
      continue;
    if (taps->n == 0)
      taps->first = s;
    sum += w;
    upto = (int) ((2 * sum * ONE + total) / (2 * total));
    taps->shares[taps->n++] = upto - done;
    done = upto;
  }
}

/* Returns a 16-bit sample times a weight. */
static int
take (int sample, int share)
{
  return (int) (((uint32_t) sample * (uint32_t) share) >> 16);
}

/* Resizes one channel of the frame @in or, if @in is not used, the samples @from: first along the
 * columns, then along the rows. */
static int
resize (const RefPlane * in, const uint16_t * from, int in_width,
    int in_height, int linear, Picture * out, uint16_t * to)
{
  uint16_t *tall = malloc ((size_t) in_width * out->height * sizeof (uint16_t));
  Taps taps;

  if (tall == NULL)
    return 0;
  for (int y = 0; y < out->height; y++) {
    find_taps (y, in_height, out->height, linear, &taps);
    for (int x = 0; x < in_width; x++) {
      int sum = 0;

      for (int k = 0; k < taps.n; k++)
        sum += take (in != NULL ? ref_get (in, x, taps.first + k) << 8
            : from[(size_t) (taps.first + k) * in_width + x] << 1,
            taps.shares[k]);
      tall[(size_t) y * in_width + x] = sum;
    }
  }
  for (int x = 0; x < out->width; x++) {
    find_taps (x, in_width, out->width, linear, &taps);
    for (int y = 0; y < out->height; y++) {
      int sum = 0;

      for (int k = 0; k < taps.n; k++)
        sum += take (tall[(size_t) y * in_width + taps.first + k] << 1,
            taps.shares[k]);
      to[(size_t) y * out->width + x] = sum;
    }
  }
  free (tall);
  return 1;
}

/* Computes image @i, which is the frame in one of its sizes. The first @interval images are
 * computed from the frame, each other image from the image that is twice as large. */
static int
make_picture (const RefPlane rgb[3], const Picture * before, int i,
    const RefFhogParams * params, Picture * picture)
{
  int in_width = before != NULL ? before->width : rgb[0].width;
  int in_height = before != NULL ? before->height : rgb[0].height;
  double step = before != NULL ? 0.5 : exp2 (-(double) i / params->interval);
  size_t n;

  picture->scale = before != NULL ? 0.5 * before->scale : step;
  picture->width = (int) floor (in_width * step + 0.5);
  picture->height = (int) floor (in_height * step + 0.5);
  n = (size_t) picture->width * picture->height;
  picture->samples = malloc ((n > 0 ? n : 1) * 3 * sizeof (uint16_t));
  if (picture->samples == NULL)
    return 0;
  for (int c = 0; c < 3 && n > 0; c++)
    if (!resize (before == NULL ? &rgb[c] : NULL, before == NULL ? NULL
            : before->samples + (size_t) c * in_width * in_height,
            in_width, in_height, params->linear, picture,
            picture->samples + c * n))
      return 0;
  return 1;
}

/* ---- Histograms ----------------------------------------------------------------- */

/* Returns: the index of the direction, of 18, that is nearest to (@dx, @dy) */
static int
find_bin (int dx, int dy)
{
  static const int uu[9] = { 10000, 9397, 7660, 5000, 1736, -1736, -5000,
    -7660, -9397
  };
  static const int vv[9] = { 0, 3420, 6428, 8660, 9848, 9848, 8660, 6428,
    3420
  };
  int best = 0, bin = 0;

  for (int o = 0; o < 9; o++) {
    int dot = uu[o] * dx + vv[o] * dy;

    if (dot > best) {
      best = dot;
      bin = o;
    } else if (-dot > best) {
      best = -dot;
      bin = o + 9;
    }
  }
  return bin;
}

/* Returns 128 times the length of the gradient in the channel in which the gradient is longest.
 * Sets @bin to its direction. */
static int
find_gradient (const Picture * p, int x, int y, int *bin)
{
  int most = -1, dx = 0, dy = 0;

  x = x < p->width - 2 ? x : p->width - 2;
  y = y < p->height - 2 ? y : p->height - 2;
  for (int c = 0; c < 3; c++) {
    const uint16_t *at = p->samples + ((size_t) c * p->height + y) * p->width
        + x;
    int a = at[1] - at[-1], b = at[p->width] - at[-p->width];

    if (a * a + b * b > most) {
      most = a * a + b * b;
      dx = a;
      dy = b;
    }
  }
  *bin = find_bin (dx, dy);
  return (int) (ref_root ((float) most) + 0.5f);
}

static int
lost_bits (int size)
{
  return size == 16 ? 3 : 0;
}

static float
unit_of (int size)
{
  return 1.0f / ((512 >> lost_bits (size)) * size * size);
}

/* Adds gradients to histograms, with integers. A length is multiplied by 2 cell_size for each axis;
 * for cells of 16 pixels it is rounded down to units of 1/16. */
static void
count (const Picture * p, int size, int cells_x, int cells_y, int32_t * hist)
{
  for (int y = 1; y < cells_y * size - 1; y++)
    for (int x = 1; x < cells_x * size - 1; x++) {
      int bin, length = find_gradient (p, x, y, &bin) >> lost_bits (size);
      int cx = (x + size / 2) / size - 1, cy = (y + size / 2) / size - 1;
      int right = 2 * (x + size / 2 - size * (cx + 1)) + 1;
      int low = 2 * (y + size / 2 - size * (cy + 1)) + 1;

      for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
          if (cx + j >= 0 && cx + j < cells_x && cy + i >= 0
              && cy + i < cells_y)
            hist[((size_t) (cy + i) * cells_x + cx + j) * BINS + bin] +=
                length * (i ? low : 2 * size - low)
                * (j ? right : 2 * size - right);
    }
}

/* ---- Features -------------------------------------------------------------------- */

static float
truncated (float x)
{
  return x < 0.2f ? x : 0.2f;
}

/* Computes the 32 features of a cell from its histogram @hist. @n contains the normalization
 * factors of the four blocks around the cell. */
static void
make_features (const int32_t * hist, const float n[4], float unit, float *f)
{
  float sums[4] = { 0, };

  for (int b = 0; b < BINS; b++) {
    float h = (float) hist[b] * unit, each[4];

    for (int k = 0; k < 4; k++) {
      each[k] = truncated (h * n[k]);
      sums[k] += each[k];
    }
    f[b] = 0.5f * ((each[0] + each[1]) + (each[2] + each[3]));
  }
  for (int b = 0; b < BINS / 2; b++) {
    float h = (float) (hist[b] + hist[b + BINS / 2]) * unit;

    f[BINS + b] = 0.5f * ((truncated (h * n[0]) + truncated (h * n[1]))
        + (truncated (h * n[2]) + truncated (h * n[3])));
  }
  for (int k = 0; k < 4; k++)
    f[BINS + BINS / 2 + k] = 0.2357f * sums[k];
  f[FEATURES - 1] = 0;
}

/* Computes the features of Dalal and Triggs: 9 directions for each of the four blocks. */
static void
make_dalal (const int32_t * hist, const float n[4], float unit, float *f)
{
  for (int k = 0; k < 4; k++)
    for (int b = 0; b < BINS / 2; b++)
      *f++ = truncated ((float) (hist[b] + hist[b + BINS / 2]) * unit * n[k]);
}

static float
find_energy (const int32_t * hist, float unit)
{
  float sum = 0;

  for (int b = 0; b < BINS / 2; b++) {
    float both = (float) (hist[b] + hist[b + BINS / 2]) * unit;

    sum = fmaf (both, both, sum);
  }
  return sum;
}

static void
fill_level (const int32_t * hist, const float *energies, int cells_x,
    int cells_y, const RefFhogParams * params, RefFhogLevel * l)
{
  int features = params->dalal ? REF_FHOG_DALAL : FEATURES;
  float unit = unit_of (l->cell_size);

  for (int y = 0; y < l->rows; y++)
    for (int x = 0; x < l->columns; x++) {
      float *f = l->features + ((size_t) y * l->columns + x) * features;
      int cx = x - params->pad_x + 1, cy = y - params->pad_y + 1;
      float n[4];

      if (cx < 1 || cx >= cells_x - 1 || cy < 1 || cy >= cells_y - 1) {
        memset (f, 0, features * sizeof (float));
        f[features - 1] = !params->dalal;
        continue;
      }
      for (int k = 0; k < 4; k++) {
        const float *e = energies + (size_t) (k % 2 == 0 ? cy : cy - 1)
            * cells_x + (k < 2 ? cx : cx - 1);

        n[k] = ref_reciprocal (ref_root (((e[0] + e[1])
                    + (e[cells_x] + e[cells_x + 1])) + 0.0001f));
      }
      (params->dalal ? make_dalal : make_features) (hist
          + ((size_t) cy * cells_x + cx) * BINS, n, unit, f);
    }
}

static int
cells_of (int pixels, int size)
{
  return (2 * pixels + size) / (2 * size);
}

static int
make_level (const Picture * p, const RefFhogParams * params, RefFhogLevel * l)
{
  int cells_x = cells_of (p->width, l->cell_size);
  int cells_y = cells_of (p->height, l->cell_size);
  size_t n = (size_t) cells_x * cells_y;
  int32_t *hist = calloc (n * BINS, sizeof (int32_t));
  float *energies = malloc (n * sizeof (float));
  int ok;

  l->scale = p->scale;
  l->columns = cells_x - 2 + 2 * params->pad_x;
  l->rows = cells_y - 2 + 2 * params->pad_y;
  l->features = malloc ((size_t) l->columns * l->rows * REF_FHOG_DALAL
      * sizeof (float));
  ok = hist != NULL && energies != NULL && l->features != NULL;
  if (ok) {
    begin (REF_FHOG_HISTOGRAMS);
    count (p, l->cell_size, cells_x, cells_y, hist);
    begin (REF_FHOG_ENERGIES);
    for (size_t i = 0; i < n; i++)
      energies[i] = find_energy (hist + i * BINS, unit_of (l->cell_size));
    begin (REF_FHOG_FILL);
    fill_level (hist, energies, cells_x, cells_y, params, l);
  }
  free (energies);
  free (hist);
  return ok;
}

int
ref_fhog (const RefPlane rgb[3], const RefFhogParams * params, RefFhog * result)
{
  int smaller = rgb[0].width < rgb[0].height ? rgb[0].width : rgb[0].height;
  double octaves = log2 (smaller / (5.0 * params->cell_size));
  int n_pictures = 1 + (int) floor (octaves * params->interval + 1e-9);
  int n_small = params->whole_cells ? 0
      : params->interval * (params->extra_octave ? 2 : 1), ok = 1;
  Picture *pictures;

  n_pictures = n_pictures < params->interval ? params->interval : n_pictures;
  pictures = calloc (n_pictures, sizeof (Picture));
  result->levels = calloc (n_small + n_pictures, sizeof (RefFhogLevel));
  result->n_levels = 0;
  ok = pictures != NULL && result->levels != NULL;
  begin (REF_FHOG_RESCALE);
  for (int i = 0; i < n_pictures && ok; i++)
    ok = make_picture (rgb, i < params->interval ? NULL
        : &pictures[i - params->interval], i, params, &pictures[i]);

  for (int i = 0; i < n_small + n_pictures && ok; i++) {
    RefFhogLevel *l = result->levels + i;
    const Picture *p = pictures + (i < n_small ? i % params->interval
        : i - n_small);

    l->cell_size = params->cell_size >> (i >= n_small ? 0
        : (n_small - 1 - i) / params->interval + 1);
    if (cells_of (p->width, l->cell_size) < 3
        || cells_of (p->height, l->cell_size) < 3
        || (params->max_levels > 0 && i >= params->max_levels))
      break;
    ok = make_level (p, params, l);
    result->n_levels++;
  }
  begin (REF_FHOG_END);
  for (int i = 0; i < n_pictures && pictures != NULL; i++)
    free (pictures[i].samples);
  free (pictures);
  if (!ok)
    ref_fhog_clear (result);
  return ok;
}

void
ref_fhog_clear (RefFhog * result)
{
  for (int i = 0; i < result->n_levels; i++)
    free (result->levels[i].features);
  free (result->levels);
  result->levels = NULL;
  result->n_levels = 0;
}
