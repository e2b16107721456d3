/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Computes the orientations and descriptors of SIFT keypoints. */
#include "sift-private.h"

#include <stdlib.h>

#include "bilateral.h"

#define BINS 36                 /* number of directions of the orientation histogram */

#define LOG2_E 1.4426950408889634

/* ---- Arithmetic ----------------------------------------------------------- */

float
ref_sift_degrees (float y, float x)
{
  float ax = fabsf (x), ay = fabsf (y);
  float large = ax > ay ? ax : ay, small = ax > ay ? ay : ax;
  float c = small * ref_reciprocal (large > 1e-20f ? large : 1e-20f);
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

/* ---- Orientation ------------------------------------------------------------ */

static void
gradient (const float *at, int width, float *dx, float *dy)
{
  *dx = at[1] - at[-1];
  *dy = at[-width] - at[width];
}

/* Returns the standard deviation of the blur in the layer of point @p, that is, halfway between its
 * two levels, in pixels of its octave. */
static float
scale_of (const RefSift * self, const RefSiftPoint * p)
{
  float t = (p->layer + p->d_layer) * (1.0f / self->params->scales);

  if (p->given_scale > 0)
    return p->given_scale;
  return (float) self->params->sigma * ref_sift_exp2 (t);
}

static void
count_directions (const RefSift * self, const RefSiftPoint * p,
    uint32_t * smooth)
{
  const RefSiftOctave *octave = &self->octaves[p->octave];
  float scale = scale_of (self, p);
  int radius = round_to_int (4.5f * scale);
  float falloff = (float) (LOG2_E / 4.5) * ref_reciprocal (scale * scale);
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
      length = ref_root (fmaf (dx, dx, dy * dy));
      bin = round_to_int (ref_sift_degrees (dy, dx) * 0.1f);
      bins[bin < BINS ? bin : bin - BINS] +=
          (uint32_t) fmaf (weight * length, self->orientation_unit, 0.5f);
    }
  }
  for (int i = 0; i < BINS; i++)
    smooth[i] = bins[(i + BINS - 2) % BINS] + bins[(i + 2) % BINS]
        + 4 * (bins[(i + BINS - 1) % BINS] + bins[(i + 1) % BINS]) +
        6 * bins[i];
}

/* Writes up to max_orientations angles of histogram peaks, in the order of bins, and returns their
 * number. If there are more peaks, omits the lowest; of equally high peaks, the last. */
static int
find_angles (const RefSift * self, const uint32_t * smooth, float *angles)
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
        ref_reciprocal ((float) (before + after)), (float) i);
    bin = bin < 0 ? bin + BINS : bin >= BINS ? bin - BINS : bin;
    angles[n] = fmaf (-10.0f, bin, 360.0f);
    if (angles[n] >= 360.0f)
      angles[n] = 0;
    n++;
  }
  return n;
}

/* ---- Descriptor -------------------------------------------------------------- */

/* Adds the weighted length @mag of a gradient to the eight bins around it. The 4x4 cells have a
 * border of cells for the parts that fall outside. */
static void
spread (float mag, float row, float column, float turn, uint32_t cells[6][6][8])
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

/* Adds up the gradients around a point. @angle is the negated angle of the keypoint. */
static void
collect (const RefSift * self, const RefSiftPoint * p, float angle,
    uint32_t cells[6][6][8])
{
  const RefSiftOctave *octave = &self->octaves[p->octave];
  float width = 3.0f * scale_of (self, p), inverse = ref_reciprocal (width);
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
      mag = self->descriptor_unit * ref_root (fmaf (dx, dx, dy * dy))
          * weight;
      turn = fmaf (ref_sift_degrees (dy, dx) - angle, 8.0f / 360, 8.0f);
      spread (mag, row + 2.5f, column + 2.5f, turn, cells);
    }
  }
}

/* Adds up 128 values, or their squares: first computes 16 partial sums, then adds up pairs of these
 * sums. */
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
describe (const RefSift * self, const RefSiftPoint * p, float angle,
    uint8_t * out)
{
  uint32_t cells[6][6][8];
  float values[128], limit, norm;
  int rootsift = self->params->descriptor == 2;

  memset (cells, 0, sizeof (cells));
  collect (self, p, angle > 0 ? 360.0f - angle : 0, cells);
  for (int i = 0; i < 128; i++)
    values[i] = (float) cells[i / 32 + 1][i / 8 % 4 + 1][i % 8];

  limit = 0.2f * ref_root (sum_up (values, 1));
  for (int i = 0; i < 128; i++)
    values[i] = values[i] < limit ? values[i] : limit;
  norm = sum_up (values, !rootsift);
  norm = rootsift ? norm : ref_root (norm);
  norm = ref_reciprocal (norm > 1 ? norm : 1);
  for (int i = 0; i < 128; i++) {
    float share = values[i] * norm;
    int value = round_to_int (512.0f * (rootsift ? ref_root (share)
            : share));

    out[i] = (uint8_t) (value < 255 ? value : 255);
  }
}

static RefSiftKeypoint
keypoint_of (const RefSift * self, const RefSiftPoint * p, float angle)
{
  int upsample = self->params->upsample;
  float zoom = ldexpf (1, p->octave - upsample);
  RefSiftKeypoint k;

  ref_sift_locate (self, p, &k.x, &k.y);
  k.size = 2 * scale_of (self, p) * zoom;
  k.angle = angle;
  k.response = p->response;
  k.octave = p->octave - upsample;
  k.layer = p->layer;
  return k;
}

/* ---- Given keypoints ----------------------------------------------------------- */

/* Returns 1 if the octave and layer of keypoint @k exist, and its size is in the range of this
 * octave. */
static int
fits (const RefSift * self, const RefSiftKeypoint * k)
{
  int scales = self->params->scales, up = self->params->upsample;
  double scale;

  if (k->octave < -up || k->octave > self->n_octaves - 1 - up || k->layer < 1
      || k->layer > scales)
    return 0;
  scale = k->size / (2 * pow (2, k->octave)) / self->params->sigma;
  return scale >= (1 - 1e-5) * pow (2, 0.5 / scales)
      && scale <= (1 + 1e-5) * pow (2, (scales + 0.5) / scales);
}

/* Returns the point, at an integer sample position, at which keypoint @k is described. */
static RefSiftPoint
point_of (const RefSift * self, const RefSiftKeypoint * k)
{
  int scales = self->params->scales, up = self->params->upsample;
  double sigma = self->params->sigma, least = sigma * pow (2, 0.5 / scales);
  double most = sigma * pow (2, (scales + 0.5) / scales), scale;
  double zoom, x, y, limit = 1 << 20;
  RefSiftPoint p = { 0, };

  if (fits (self, k)) {
    p.octave = k->octave + up;
    p.layer = k->layer;
  } else {
    double step = rint (scales * log2 (k->size * (up ? 2 : 1) / 2.0 / sigma));
    double last = scales * self->n_octaves;
    int number = step < 1 ? 1 : step > last ? last : step;

    p.octave = (number - 1) / scales;
    p.layer = (number - 1) % scales + 1;
  }
  zoom = pow (2, p.octave - up);
  scale = k->size / (2 * zoom);
  if (!fits (self, k))
    scale = scale < least ? least : scale > most ? most : scale;
  p.given_scale = (float) scale;
  x = rint ((k->x + 0.25 * up) / zoom);
  y = rint ((k->y + 0.25 * up) / zoom);
  p.column = x < -limit ? -limit : x > limit ? limit : x;
  p.row = y < -limit ? -limit : y > limit ? limit : y;
  return p;
}

int
ref_sift_describe_given (RefSift * self, const RefSiftKeypoint * given,
    uint32_t n, RefSiftResult * result)
{
  result->keypoints = calloc ((size_t) n + 1, sizeof (RefSiftKeypoint));
  if (self->params->descriptor)
    result->descriptors = calloc ((size_t) n + 1, 128);
  if (result->keypoints == NULL
      || (self->params->descriptor && result->descriptors == NULL))
    return 0;
  result->n = n;
  for (uint32_t i = 0; i < n; i++) {
    RefSiftKeypoint *k = &result->keypoints[i];
    int is_sound = isfinite (given[i].x) && isfinite (given[i].y)
        && isfinite (given[i].size) && given[i].size > 0 && self->n_octaves > 0;
    RefSiftParams one = *self->params;
    RefSift strongest = *self;
    uint32_t smooth[BINS];
    float angles[8];
    RefSiftPoint p;

    *k = given[i];
    if (is_sound)
      p = point_of (self, k);
    if (!(k->angle >= 0 && k->angle < 360)) {
      k->angle = 0;
      one.max_orientations = 1;
      strongest.params = &one;
      if (is_sound) {
        count_directions (self, &p, smooth);
        if (find_angles (&strongest, smooth, angles) > 0)
          k->angle = angles[0];
      }
    }
    if (is_sound && self->params->descriptor)
      describe (self, &p, k->angle, result->descriptors + 128 * i);
  }
  return 1;
}

int
ref_sift_make_keypoints (RefSift * self, RefSiftResult * result)
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
    const RefSiftPoint *p = &self->points[i];
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
