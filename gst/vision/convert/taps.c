/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Computes, for each output sample, its taps: the input samples from which it is computed, and
 * their weights. */
#include "taps.h"

#include <math.h>
#include <string.h>

#include <gst/vision/warp/weights.h>

/* Sum of the weights of all input samples of an output sample in interpolation; OpenCV uses the
 * same sum */
#define ONE 2048

/* Largest number of taps of windows with lobes */
#define MAX_TAPS 32

typedef struct
{
  gint index;                   /* index of a sample in the rotated source rectangle */
  gint weight;
} Tap;

static void
add_tap (GArray * list, const MgpuAxis * axis, gint64 index, gint weight)
{
  Tap tap = { CLAMP (index, 0, axis->n - 1), weight };

  if (weight != 0)
    g_array_append_val (list, tap);
}

/* Returns the position in input samples that is interpolated for output sample @out. The output
 * sample is @sub pixels wide. @center is the offset of the interpolated position from the start of
 * the output sample, in output samples. Rounds to float, as OpenCV does. Variables are volatile, so
 * that the compiler cannot fuse multiplications with additions, or compute with wider types. */
static gfloat
find_position (const MgpuAxis * axis, gint out, gdouble center, gint sub)
{
  gdouble scale = 1.0 / ((gdouble) axis->out_size / axis->in_size);
  gdouble middle = axis->in_sub == 2 && axis->in_cosited ? 0.25 : 0.5;
  volatile gdouble product = (out + center) * (scale * sub / axis->in_sub);
  volatile gfloat at =
      product + ((gdouble) axis->phase / axis->in_sub - middle);

  return at;
}

/* Returns the offset of the position of an output sample from its start, in output samples. */
static gdouble
find_center (const MgpuAxis * axis)
{
  return axis->out_sub == 2 && axis->out_cosited ? 0.25 : 0.5;
}

/* Appends the two taps (input samples and weights) of bilinear interpolation for output sample
 * @out to @list. Rounds weights like OpenCV, to 11 bits. See find_position() for the other
 * parameters. */
static void
add_pair (GArray * list, const MgpuAxis * axis, gint out, gdouble center,
    gint sub)
{
  gfloat at = find_position (axis, out, center, sub);
  gint index = floorf (at);
  volatile gfloat right = at - index;
  volatile gfloat left;

  if (!axis->vertical && (index < 0 || index >= axis->n - 1))
    right = 0;
  left = 1 - right;
  add_tap (list, axis, index, lrintf (left * ONE));
  add_tap (list, axis, index + 1, lrintf (right * ONE));
}

/* Appends the taps of a chroma sample to @list, if the output's chroma is subsampled more than
 * the input. The output sample @out covers two pixels; its value is their mean. If it is
 * cosited (lies on the first pixel), its value is the mean of three pixels instead: the first
 * pixel, with weight 2, and its two neighbors, with weight 1. */
static void
add_cell (GArray * list, const MgpuAxis * axis, gint out)
{
  guint n = list->len, end = n;
  gint sum = 0, before = 0;

  for (gint i = axis->out_cosited ? -1 : 0; i < 2; i++) {
    gint pixel = CLAMP (2 * out + i, 0, axis->out_size - 1);
    guint k = list->len;

    add_pair (list, axis, pixel, 0.5, 1);
    for (; k < list->len; k++)
      g_array_index (list, Tap, k).weight *= axis->out_cosited
          && i != 0 ? 1 : 2;
  }
  /* Sorts the taps by sample (they are nearly sorted), and merges taps of the same sample. */
  for (guint k = n; k < list->len; k++) {
    Tap tap = g_array_index (list, Tap, k);
    guint place = end;

    while (place > n && g_array_index (list, Tap, place - 1).index > tap.index)
      place--;
    if (place > n && g_array_index (list, Tap, place - 1).index == tap.index) {
      g_array_index (list, Tap, place - 1).weight += tap.weight;
      continue;
    }
    memmove (&g_array_index (list, Tap, place + 1),
        &g_array_index (list, Tap, place), (end - place) * sizeof (Tap));
    g_array_index (list, Tap, place) = tap;
    end++;
  }
  g_array_set_size (list, end);
  /* Divides the weights of the taps by 4. Rounds in such a way that the weights still add up to
   * ONE. */
  for (guint k = n; k < end; k++) {
    Tap *tap = &g_array_index (list, Tap, k);
    gint rounded;

    sum += tap->weight;
    rounded = (sum + 2) / 4;
    tap->weight = rounded - before;
    before = rounded;
  }
}

/* Appends the taps of area scaling to @list: all input samples that output sample @out
 * overlaps. Their weights are the widths of the overlaps, in units of 1 / axis->out_size of an
 * input pixel. */
static void
add_area (GArray * list, const MgpuAxis * axis, gint out)
{
  gint64 size = (gint64) axis->in_sub * axis->out_size;
  gint64 begin = (gint64) out * axis->out_sub * axis->in_size
      + (gint64) axis->phase * axis->out_size;
  gint64 end = begin + (gint64) axis->out_sub * axis->in_size;

  for (gint64 i = begin / size; i * size < end; i++)
    add_tap (list, axis, i, MIN ((i + 1) * size, end) - MAX (i * size, begin));
}

/* Returns: half the width of the window of the method of @axis, in samples */
static gint
get_radius (const MgpuAxis * axis)
{
  return axis->method == MGPU_CONVERT_LANCZOS ? 3 : 2;
}

gboolean
mgpu_taps_fit (const MgpuAxis * axis)
{
  return (axis->method != MGPU_CONVERT_BICUBIC
      && axis->method != MGPU_CONVERT_LANCZOS)
      || 2 * get_radius (axis) * (gint64) axis->in_size * axis->out_sub
      <= MAX_TAPS * (gint64) axis->out_size * axis->in_sub;
}

/* Appends the taps of a window with lobes to @list. Where output samples are farther apart than
 * input samples, the window is wider by the same factor, so that it removes the frequencies that
 * the output cannot represent. */
static void
add_window (GArray * list, const MgpuAxis * axis, gint out)
{
  gfloat at = find_position (axis, out, find_center (axis), axis->out_sub);
  gdouble step = (gdouble) axis->in_size * axis->out_sub
      / ((gdouble) axis->out_size * axis->in_sub);
  gdouble scale = MAX (step, 1), reach = get_radius (axis) * scale;
  gint first = (gint) floor (at - reach) + 1, last = ceil (at + reach) - 1;
  gint n = MIN (last - first + 1, MAX_TAPS), middle = floor (at + 0.5);
  gdouble values[MAX_TAPS] = { 0 };
  gint32 weights[MAX_TAPS];

  for (gint k = 0; k < n; k++) {
    gdouble x = ((gdouble) (first + k) - at) / scale;

    values[k] = axis->method == MGPU_CONVERT_LANCZOS ? mgpu_weight_lanczos (x)
        : mgpu_weight_cubic (x);
  }
  mgpu_weights_round (values, n, middle - first, ONE, weights);
  for (gint k = 0; k < n; k++)
    add_tap (list, axis, first + k, weights[k]);
}

static void
add_taps (GArray * list, const MgpuAxis * axis, gint out)
{
  gint64 pixel;

  switch (axis->method) {
    case MGPU_CONVERT_NEAREST:
      pixel = (2 * (gint64) out * axis->out_sub + 1) * axis->in_size
          / (2 * axis->out_size);
      add_tap (list, axis, (pixel + axis->phase) / axis->in_sub, 1);
      break;
    case MGPU_CONVERT_BILINEAR:
      if (axis->out_sub > axis->in_sub)
        add_cell (list, axis, out);
      else
        add_pair (list, axis, out, find_center (axis), axis->out_sub);
      break;
    case MGPU_CONVERT_AREA:
      add_area (list, axis, out);
      break;
    case MGPU_CONVERT_BICUBIC:
    case MGPU_CONVERT_LANCZOS:
      add_window (list, axis, out);
      break;
  }
}

static gint
greatest_divisor (gint a, gint b)
{
  while (b != 0) {
    gint rest = a % b;

    a = b;
    b = rest;
  }
  return a;
}

/* Writes the @n taps in @list, which are the taps of output sample @out, to the taps->n_taps
 * entries that @taps has for this sample. For a row, the entries are neighboring columns in
 * increasing order; for a column, the taps keep their order. Unused entries get the weight 0. */
static void
write_taps (MgpuTaps * taps, const MgpuAxis * axis, const Tap * list, guint n,
    gint out)
{
  gint *index = taps->index + out * taps->n_taps;
  gint *weight = taps->weight + out * taps->n_taps;
  gint lowest;

  if (axis->vertical) {
    for (gint k = 0; k < taps->n_taps; k++) {
      gint i = list[MIN (k, (gint) n - 1)].index;

      index[k] = axis->begin + (axis->flip ? axis->n - 1 - i : i);
      weight[k] = k < (gint) n ? list[k].weight : 0;
    }
    return;
  }
  lowest = MIN (list[0].index, axis->n - taps->n_taps);
  for (gint k = 0; k < taps->n_taps; k++)
    index[k] = axis->begin + k
        + (axis->flip ? axis->n - taps->n_taps - lowest : lowest);
  for (guint k = 0; k < n; k++) {
    gint place = list[k].index - lowest;

    weight[axis->flip ? taps->n_taps - 1 - place : place] += list[k].weight;
  }
}

void
mgpu_taps_init (MgpuTaps * taps, const MgpuAxis * axis)
{
  g_autoptr (GArray) list = g_array_new (FALSE, FALSE, sizeof (Tap));
  g_autofree guint *first = NULL;
  gint divisor = 0;

  taps->n = (axis->out_size + axis->out_sub - 1) / axis->out_sub;
  taps->n_taps = 1;
  taps->total = 0;
  first = g_new (guint, taps->n + 1);
  for (gint i = 0; i < taps->n; i++) {
    guint begin = list->len;
    const Tap *tap;

    first[i] = begin;
    add_taps (list, axis, i);
    tap = &g_array_index (list, Tap, 0);
    taps->n_taps = MAX (taps->n_taps, axis->vertical ?
        (gint) (list->len - begin) :
        tap[list->len - 1].index - tap[begin].index + 1);
    for (guint k = begin; k < list->len; k++)
      divisor = greatest_divisor (tap[k].weight, divisor);
  }
  first[taps->n] = list->len;

  taps->index = g_new0 (gint, taps->n * taps->n_taps);
  taps->weight = g_new0 (gint, taps->n * taps->n_taps);
  for (gint i = 0; i < taps->n; i++)
    write_taps (taps, axis, &g_array_index (list, Tap, first[i]),
        first[i + 1] - first[i], i);
  if (axis->method == MGPU_CONVERT_AREA)
    for (gint i = 0; i < taps->n * taps->n_taps; i++)
      taps->weight[i] /= divisor;
  for (gint k = 0; k < taps->n_taps; k++)
    taps->total += taps->weight[k];

}

void
mgpu_taps_clear (MgpuTaps * taps)
{
  g_clear_pointer (&taps->index, g_free);
  g_clear_pointer (&taps->weight, g_free);
}

gint
mgpu_taps_append_near (const MgpuTaps * taps, GArray * words, gint begin,
    gint pitch, gint lanes, gint row)
{
  guint old = words->len;
  gint span = 0, window;

  for (gint i = 0; i < pitch; i += lanes) {
    gint low = G_MAXINT, high = 0;

    for (gint k = i; k < i + lanes; k++) {
      gint at = taps->index[CLAMP (k - begin, 0, taps->n - 1) * taps->n_taps];

      low = MIN (low, at);
      high = MAX (high, at + taps->n_taps);
    }
    span = MAX (span, high - low);
    g_array_append_val (words, low);
  }
  window = span <= lanes ? lanes : 2 * lanes;
  if (span > window || window > row)
    return 0;
  for (guint i = old; i < words->len; i++) {
    gint *low = &g_array_index (words, gint, i);

    *low = MIN (*low, row - window);
  }
  return window;
}

gint
mgpu_taps_direction (const MgpuTaps * taps)
{
  gboolean up = taps->n_taps == 1, down = up;

  for (gint i = 1; i < taps->n && (up || down); i++) {
    up &= taps->index[i] == taps->index[i - 1] + 1;
    down &= taps->index[i] == taps->index[i - 1] - 1;
  }
  return up ? 1 : down ? -1 : 0;
}

void
mgpu_taps_append_columns (const MgpuTaps * taps, GArray * words, gint begin,
    gint size)
{
  for (gint k = -1; k < taps->n_taps; k++) {
    for (gint i = 0; i < size; i++) {
      gint at = CLAMP (i - begin, 0, taps->n - 1) * taps->n_taps;
      gint value = k < 0 ? taps->index[at] : taps->weight[at + k];

      g_array_append_val (words, value);
    }
  }
}

void
mgpu_taps_append_rows (const MgpuTaps * taps, GArray * words, gint begin,
    gint size)
{
  for (gint i = 0; i < size; i++) {
    gint at = CLAMP (i - begin, 0, taps->n - 1) * taps->n_taps;

    for (gint k = 0; k < taps->n_taps; k++) {
      g_array_append_val (words, taps->index[at + k]);
      g_array_append_val (words, taps->weight[at + k]);
    }
  }
}
