/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reference implementation of conversions: see docs/algorithms/convert.md. */
#include "convert.h"

#include <math.h>
#include <stdlib.h>

#include "colour.h"
#include "samples.h"

#define PI 3.14159265358979323846

/* Describes one axis of a component of the source rectangle, after orientation, for one axis of a
 * component of the destination rectangle. */
typedef struct
{
  int method;
  int vertical;
  int in_size, out_size;        /* sizes of the source and destination rectangles along this axis,
                                 * in pixels */
  int in_sub, out_sub;
  int in_cosited, out_cosited;
  int phase;                    /* index of the pixel within a chroma sample at which the rectangle
                                 * begins */
  int n;                        /* number of samples along the axis */
} Axis;

/* Input samples from which one output sample is computed (taps), and their weights: weight[i]
 * belongs to sample index[i] of the oriented rectangle. */
typedef struct
{
  int n;
  int *index;
  int64_t *weight;
} Taps;

static void
add_tap (const Axis * axis, Taps * taps, int index, int64_t weight)
{
  taps->index[taps->n] = index < 0 ? 0 : index < axis->n ? index : axis->n - 1;
  taps->weight[taps->n++] = weight;
}

/* Converts the position @out + @center from output samples, each of @sub pixels, to input samples.
 * Rounds as OpenCV does. */
static float
find_position (const Axis * axis, int out, double center, int sub)
{
  double scale = 1.0 / ((double) axis->out_size / axis->in_size);
  double step = scale * sub / axis->in_sub;
  double begin = axis->in_cosited && axis->in_sub == 2 ? 0.25 : 0.5;
  volatile double product = (out + center) * step;
  volatile float at =
      (float) (product + ((double) axis->phase / axis->in_sub - begin));

  return at;
}

/* Adds as taps the two input samples next to the position @out + @center. */
static void
add_pair (const Axis * axis, Taps * taps, int out, double center, int sub)
{
  float at = find_position (axis, out, center, sub);
  int index = (int) floorf (at);
  volatile float right = at - index, left;

  if (!axis->vertical && (index < 0 || index >= axis->n - 1)) {
    index = index < 0 ? 0 : axis->n - 1;
    right = 0;
  }
  left = 1.0f - right;
  add_tap (axis, taps, index, lrintf (left * 2048.0f));
  add_tap (axis, taps, index + 1, lrintf (right * 2048.0f));
}

/* Adds the taps of a chroma sample that is computed from full-size samples. First the pixels of its
 * cell, or the pixels around its position if it is cosited, are interpolated; then they are
 * averaged. */
static void
add_cell (const Axis * axis, Taps * taps, int out)
{
  int first = axis->out_cosited ? -1 : 0, begin = axis->n, end = 0;
  int64_t *sum = calloc (axis->n, sizeof (*sum)), total = 0, before = 0;

  for (int i = first; i < 2; i++) {
    int pixel = 2 * out + i;
    int64_t share = axis->out_cosited && i != 0 ? 1 : 2;
    int n = taps->n;

    pixel = pixel < 0 ? 0 : pixel;
    pixel = pixel < axis->out_size ? pixel : axis->out_size - 1;
    add_pair (axis, taps, pixel, 0.5, 1);
    for (int k = n; k < n + 2; k++)
      sum[taps->index[k]] += share * taps->weight[k];
    taps->n = n;
  }
  for (int i = 0; i < axis->n; i++) {
    if (sum[i] > 0) {
      begin = i < begin ? i : begin;
      end = i + 1;
    }
  }
  /* Rounds the weights in such a way that they still add up to 2048. */
  for (int i = begin; i < end; i++) {
    total += sum[i];
    add_tap (axis, taps, i, (total + 2) / 4 - before);
    before = (total + 2) / 4;
  }
  free (sum);
}

/* Returns the weight of a sample at the distance @x, in samples of the window. */
static double
weigh (int method, double x)
{
  x = fabs (x);
  if (method == REF_CONVERT_BICUBIC)
    return x < 1 ? (1.5 * x - 2.5) * x * x + 1
        : x < 2 ? ((2.5 - 0.5 * x) * x - 4) * x + 2 : 0;
  if (x == 0 || x >= 3)
    return x == 0;
  return 3 * sin (x * PI) * sin (x * PI / 3) / (x * PI * (x * PI));
}

/* Returns whether the window of a method with lobes has at most 32 taps. */
static int
is_narrow (const Axis * axis)
{
  int64_t taps = axis->method == REF_CONVERT_LANCZOS ? 6 : 4;

  return taps * axis->in_size * axis->out_sub
      <= 32 * (int64_t) axis->out_size * axis->in_sub;
}

/* Adds the taps of a window with lobes: all samples inside of the window. */
static void
add_window (const Axis * axis, Taps * taps, int out)
{
  float at = find_position (axis, out, axis->out_cosited
      && axis->out_sub == 2 ? 0.25 : 0.5, axis->out_sub);
  double step = (double) axis->in_size * axis->out_sub
      / ((double) axis->out_size * axis->in_sub);
  double scale = step > 1 ? step : 1, values[40], total = 0;
  double radius = (axis->method == REF_CONVERT_LANCZOS ? 3 : 2) * scale;
  int first = (int) floor (at - radius) + 1, n = 0, middle;
  int64_t rest = 2048;

  for (; n < 32 && first + n < at + radius; n++) {
    values[n] = weigh (axis->method, (first + n - (double) at) / scale);
    total += values[n];
  }
  middle = taps->n + (int) floor (at + 0.5) - first;
  for (int k = 0; k < n; k++) {
    int64_t weight = (int64_t) rint (2048 * values[k] / total);

    add_tap (axis, taps, first + k, weight);
    rest -= weight;
  }
  taps->weight[middle] += rest;
}

static void
find_taps (const Axis * axis, Taps * taps, int out)
{
  int64_t in_size = axis->in_size, out_size = axis->out_size;
  int64_t begin, end;

  taps->n = 0;
  switch (axis->method) {
    case REF_CONVERT_NEAREST:
      begin =
          (2 * (int64_t) out * axis->out_sub + 1) * in_size / (2 * out_size);
      add_tap (axis, taps, (begin + axis->phase) / axis->in_sub, 1);
      break;
    case REF_CONVERT_BILINEAR:
      if (axis->out_sub > axis->in_sub)
        add_cell (axis, taps, out);
      else
        add_pair (axis, taps, out, axis->out_cosited && axis->out_sub == 2
            ? 0.25 : 0.5, axis->out_sub);
      break;
    case REF_CONVERT_AREA:
      /* Computes positions in units of 1 / out_size of an input pixel. */
      begin = out * axis->out_sub * in_size + axis->phase * out_size;
      end = begin + axis->out_sub * in_size;
      for (int64_t i = begin / (axis->in_sub * out_size);
          i * axis->in_sub * out_size < end; i++) {
        int64_t left = i * axis->in_sub * out_size;
        int64_t right = left + axis->in_sub * out_size;

        add_tap (axis, taps, (int) i, (right < end ? right : end)
            - (left > begin ? left : begin));
      }
      break;
    case REF_CONVERT_BICUBIC:
    case REF_CONVERT_LANCZOS:
      add_window (axis, taps, out);
      break;
  }
}

/* Sets the source rectangle along an axis, in samples of a component. The rectangle consists of
 * pixels @first to @first + @size - 1 of an axis with @length pixels. */
static void
axis_of_source (Axis * axis, int *begin, int first, int size, int length,
    int sub, int flip)
{
  int end = first + size;

  axis->in_sub = sub;
  *begin = first / sub;
  axis->n = (end + sub - 1) / sub - *begin;
  axis->phase = flip ? (end == length ? 0 : (sub - end % sub) % sub)
      : first % sub;
}

/* Describes the conversion of one component of the input to one component of the output. */
typedef struct
{
  const RefPlane *plane;
  int method, transpose, flip_x, flip_y;
  Axis x, y;                    /* axes of the output */
  int x_begin, y_begin;         /* first sample of the source rectangle; x_begin belongs to the axis
                                 * x */
} Sampler;

/* Sets the scaling method of both axes: area averaging where windows with lobes would be too
 * wide. */
static void
choose_method (Sampler * s)
{
  s->x.method = s->y.method = s->method;
  if (s->method >= REF_CONVERT_BICUBIC
      && (!is_narrow (&s->x) || !is_narrow (&s->y)))
    s->method = s->x.method = s->y.method = REF_CONVERT_AREA;
}

static void
sampler_init (Sampler * s, const RefFrame * in, int component,
    const RefFrame * out, int out_chroma, const RefConvert * p)
{
  int chroma = !in->rgb && component > 0 && component < 3;
  int x_sub = chroma ? in->x_sub : 1, y_sub = chroma ? in->y_sub : 1;

  s->plane = &in->plane[component];
  s->method = p->method;
  s->transpose = p->transpose;
  s->flip_x = p->flip_x;
  s->flip_y = p->flip_y;
  s->x.vertical = 0;
  s->y.vertical = 1;
  s->x.out_size = p->destination.width;
  s->y.out_size = p->destination.height;
  s->x.in_size = p->transpose ? p->source.height : p->source.width;
  s->y.in_size = p->transpose ? p->source.width : p->source.height;
  s->x.out_sub = out_chroma ? out->x_sub : 1;
  s->y.out_sub = out_chroma ? out->y_sub : 1;
  s->x.out_cosited = out->x_cosited;
  s->y.out_cosited = out->y_cosited;
  /* Uses the chroma siting of the input. If the frame is transposed, the axes of the siting are
   * exchanged, because chroma samples keep their positions. */
  s->x.in_cosited = in->x_cosited;
  s->y.in_cosited = in->y_cosited;
  axis_of_source (p->transpose ? &s->y : &s->x,
      p->transpose ? &s->y_begin : &s->x_begin, p->source.x, p->source.width,
      in->width, x_sub, p->transpose ? p->flip_y : p->flip_x);
  axis_of_source (p->transpose ? &s->x : &s->y,
      p->transpose ? &s->x_begin : &s->y_begin, p->source.y, p->source.height,
      in->height, y_sub, p->transpose ? p->flip_x : p->flip_y);
  choose_method (s);
}

/* Returns sample (x, y) of the oriented source rectangle. */
static int64_t
oriented (const Sampler * s, int x, int y)
{
  const RefPlane *plane = s->plane;
  int column = s->x_begin + (s->flip_x ? s->x.n - 1 - x : x);
  int row = s->y_begin + (s->flip_y ? s->y.n - 1 - y : y);

  return ref_get (plane, s->transpose ? row : column,
      s->transpose ? column : row);
}

/* Returns a sample that is interpolated with weights of which some are negative. */
static int
sample_lobes (const Sampler * s, const Taps * x, const Taps * y)
{
  int lost = s->plane->bytes == 1 ? 0 : 8;
  int64_t sum = 1 << (21 - lost), max = s->plane->max;

  for (int j = 0; j < y->n; j++) {
    int64_t row = 1 << lost >> 1;

    for (int i = 0; i < x->n; i++)
      row += x->weight[i] * oriented (s, x->index[i], y->index[j]);
    sum += (row >> lost) * y->weight[j];
  }
  sum >>= 22 - lost;
  return (int) (sum < 0 ? 0 : sum > max ? max : sum);
}

static int
sample (const Sampler * s, const Taps * x, const Taps * y)
{
  int64_t sum = 0, total = 0;

  if (s->method >= REF_CONVERT_BICUBIC)
    return sample_lobes (s, x, y);
  for (int j = 0; j < y->n; j++) {
    int64_t row = 0;

    for (int i = 0; i < x->n; i++) {
      row += x->weight[i] * oriented (s, x->index[i], y->index[j]);
      total += x->weight[i] * y->weight[j];
    }
    if (s->method != REF_CONVERT_BILINEAR)
      sum += y->weight[j] * row;
    else if (s->plane->bytes == 1)
      sum += (y->weight[j] * (row >> 4)) >> 16;
    else
      sum += y->weight[j] * ((row + 64) >> 7);
  }
  if (s->method != REF_CONVERT_BILINEAR)
    return (int) ((2 * sum + total) / (2 * total));
  return (int) (s->plane->bytes == 1 ? (sum + 2) >> 2 : (sum + 16384) >> 15);
}

static int
black (const RefFrame * frame, int component)
{
  int max = frame->plane[component].max;

  if (component == 3)
    return max;
  if (!frame->rgb && component > 0)
    return (max + 1) / 2;
  return frame->full_range ? 0 : (max + 1) / 16;
}

/* Returns an upper limit of the number of taps. A cell at the end of an axis may extend past it by
 * its whole size. */
static int
tap_limit (const Sampler * s)
{
  return 2 * (s->x.n > s->y.n ? s->x.n : s->y.n) + 32;
}

static void
init_taps (Taps * taps, const Axis * axis, int limit)
{
  int count = (axis->out_size + axis->out_sub - 1) / axis->out_sub;

  for (int i = 0; i < count; i++) {
    taps[i].index = malloc (limit * sizeof (*taps[i].index));
    taps[i].weight = malloc (limit * sizeof (*taps[i].weight));
    find_taps (axis, &taps[i], i);
  }
}

static void
free_taps (Taps * taps, const Axis * axis)
{
  int count = (axis->out_size + axis->out_sub - 1) / axis->out_sub;

  for (int i = 0; i < count; i++) {
    free (taps[i].index);
    free (taps[i].weight);
  }
  free (taps);
}

/* Samples a component of the input at the positions of the samples of a component of the output.
 * Returns an array with an int for each sample inside the destination rectangle. */
static int *
sample_all (const RefFrame * in, int component, const RefFrame * out,
    int out_chroma, const RefConvert * p)
{
  Sampler s;
  int w, h, *values;
  Taps *x, *y;

  sampler_init (&s, in, component, out, out_chroma, p);
  w = (s.x.out_size + s.x.out_sub - 1) / s.x.out_sub;
  h = (s.y.out_size + s.y.out_sub - 1) / s.y.out_sub;
  values = malloc (sizeof (int) * w * h);
  x = calloc (w, sizeof (*x));
  y = calloc (h, sizeof (*y));
  init_taps (x, &s.x, tap_limit (&s));
  init_taps (y, &s.y, tap_limit (&s));
  for (int j = 0; j < h; j++)
    for (int i = 0; i < w; i++)
      values[j * w + i] = sample (&s, &x[i], &y[j]);
  free_taps (x, &s.x);
  free_taps (y, &s.y);
  return values;
}

static int
apply (const RefColourMatrix * m, int row, const int *v)
{
  int64_t sum = m->offset[row];

  for (int i = 0; i < 3; i++)
    sum += (int64_t) m->factor[row][i] * v[i];
  sum >>= m->bits;
  return sum < 0 ? 0 : sum > m->max ? m->max : (int) sum;
}

static void
convert_component (const RefFrame * in, const RefFrame * out, int component,
    const RefConvert * p, const RefColourMatrix * m)
{
  const RefPlane *plane = &out->plane[component];
  int chroma = !out->rgb && component > 0 && component < 3;
  int n = in->n_components;
  int x_sub = chroma ? out->x_sub : 1, y_sub = chroma ? out->y_sub : 1;
  int x0 = p->destination.x / x_sub, y0 = p->destination.y / y_sub;
  int w = (p->destination.width + x_sub - 1) / x_sub;
  int h = (p->destination.height + y_sub - 1) / y_sub;
  int *values[4] = { NULL, NULL, NULL, NULL };
  /* Uses a constant value for U and V of gray frames, and for alpha of frames without alpha. */
  int constant = (chroma && n < 3) || (component == 3 && n < 4);

  for (int i = 0; i < n && !constant; i++)
    if (m->identity || component == 3 ? i == component : i < 3)
      values[i] = sample_all (in, i, out, chroma, p);

  for (int y = 0; y < plane->height; y++) {
    for (int x = 0; x < plane->width; x++) {
      int value = black (out, component), v[3] = { 0, 0, 0 };

      if (!constant && x >= x0 && x < x0 + w && y >= y0 && y < y0 + h) {
        int i = (y - y0) * w + x - x0;

        if (m->identity || component == 3) {
          value = values[component][i];
        } else {
          for (int c = 0; c < 3 && c < n; c++)
            v[c] = values[c][i];
          value = apply (m, component, v);
        }
      }
      ref_set (plane, x, y, value);
    }
  }
  for (int i = 0; i < 4; i++)
    free (values[i]);
}

void
ref_convert (const RefFrame * in, const RefFrame * out,
    const RefConvert * params)
{
  RefColourMatrix matrix;
  RefColour from = { in->rgb, in->n_components == 1, in->full_range,
    in->plane[0].max, in->kr, in->kb
  };
  RefColour to = { out->rgb, out->n_components == 1, out->full_range,
    out->plane[0].max, out->kr, out->kb
  };

  ref_colour_matrix (&from, &to, &matrix);
  for (int i = 0; i < out->n_components; i++)
    convert_component (in, out, i, params, &matrix);
}
