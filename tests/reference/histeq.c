/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reference implementation of histogram equalization: see docs/algorithms/histeq.md. */
#include "histeq.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "colour.h"
#include "histeq-light.h"
#include "samples.h"

#define MAX_BINS 65536

/* Returns the value of a sample, relative to black. Values outside of the nominal range are
 * clamped. */
static int
value_at (const RefPlane * in, int x, int y)
{
  return ref_limit (in, ref_get (in, x, y), in->lo) - in->lo;
}

/* Sets table[v] to the new value for value v, from a histogram of @total samples. */
static void
make_global_table (const uint32_t * histogram, int max, uint32_t total,
    uint16_t * table)
{
  uint32_t sum = 0;
  int first = 0, v;
  float scale;

  while (histogram[first] == 0)
    first++;
  for (v = 0; v <= max; v++)
    table[v] = histogram[first] == total ? v : 0;
  if (histogram[first] == total)
    return;

  scale = (float) max / (float) (total - histogram[first]);
  for (v = first + 1; v <= max; v++) {
    float value;

    sum += histogram[v];
    /* Rounds to the nearest integer, ties to even, which is the default rounding mode of C. */
    value = rintf ((float) sum * scale);
    table[v] = value > (float) max ? max : (int) value;
  }
}

/* Computes the table of a straight line that maps a dark value, below which there are few
 * samples, to black, and a bright value, above which there are few samples, to white. */
static void
make_levels_table (const uint32_t * histogram, int max, uint32_t total,
    const RefHisteq * params, uint16_t * table)
{
  uint32_t low = (uint32_t) floor (total * params->low_clip);
  uint32_t high = (uint32_t) floor (total * params->high_clip), sum;
  int a = 0, b = max, least = (int) ceil (max / params->max_gain);

  for (sum = histogram[a]; sum <= low; sum += histogram[a])
    a++;
  for (sum = histogram[b]; sum <= high; sum += histogram[b])
    b--;
  if (a > b)
    a = b = (a + b) / 2;
  if (b - a < least) {
    /* Clamps @a, which may be negative at this point. */
    a = (a + b) / 2 - least / 2;
    a = a < 0 ? 0 : a > max - least ? max - least : a;
    b = a + least;
  }
  for (int v = 0; v <= max; v++) {
    int64_t above = 2 * (int64_t) (v - a) * max + b - a;
    int64_t value = above < 0 ? 0 : above / (2 * (b - a));

    table[v] = (uint16_t) (value > max ? max : value);
  }
}

static void
make_table (const RefPlane * in, const RefHisteq * params, uint16_t * table)
{
  static uint32_t histogram[MAX_BINS];
  uint32_t total = (uint32_t) in->width * in->height;

  memset (histogram, 0, sizeof (histogram));
  for (int y = 0; y < in->height; y++)
    for (int x = 0; x < in->width; x++)
      histogram[value_at (in, x, y)]++;
  if (params->method == REF_HISTEQ_LEVELS)
    make_levels_table (histogram, in->hi - in->lo, total, params, table);
  else
    make_global_table (histogram, in->hi - in->lo, total, table);
}

void
ref_histeq_forget (RefHisteqPast * past)
{
  free (past->before);
  free (past->smooth);
  free (past->means);
  free (past->codes);
  memset (past, 0, sizeof (*past));
}

/* Allocates memory for n_values values of n_tables tables and for n_codes values of frames.
 * Returns 0 if there is not enough memory. */
static int
start_past (RefHisteqPast * past, size_t n_tables, size_t n_values,
    size_t n_codes)
{
  ref_histeq_forget (past);
  past->before = malloc (n_values * sizeof (*past->before));
  past->smooth = malloc (n_values * sizeof (*past->smooth));
  past->means = malloc (n_tables * sizeof (*past->means));
  past->codes = malloc (n_codes * sizeof (*past->codes));
  past->n_values = n_values;
  past->n_codes = n_codes;
  return past->before != NULL && past->smooth != NULL && past->means != NULL
      && past->codes != NULL;
}

/* Returns the entry of a smoothed table of the last frame for value v of this frame, adapted to
 * the change of light. It is interpolated between two entries, in units of 1/65536. */
static uint32_t
carried (const uint32_t * smooth, int max, const RefLight * light, int v)
{
  int64_t at = ref_light_before (light, v);
  int64_t i = at >> 20, share = at >> 4 & 65535;

  if (i < 0)
    return smooth[0];
  if (i >= max)
    return smooth[max];
  return (uint32_t) (smooth[i]
      + ((((int64_t) smooth[i + 1] - smooth[i]) * share) >> 16));
}

static int
nearest (const uint16_t * table, int max, const RefLight * light, int v)
{
  int64_t i = (ref_light_before (light, v) + (1 << 19)) >> 20;

  return table[i < 0 ? 0 : i > max ? max : i];
}

/* Smooths n_tables tables of @max + 1 entries. The tables belong to @n components alternately. A
 * new scene begins if no change of light turns one frame into the other, and the mean difference
 * between the tables of both frames is above 1 / new_scene of their range. Returns 1 if a new scene
 * begins. */
static int
smooth (uint16_t * tables, size_t n_tables, int n, int max,
    const RefLight * lights, int is_first, double smoothing, int new_scene,
    RefHisteqPast * past)
{
  static uint32_t old[MAX_BINS];
  uint64_t distance = 0, share = (uint64_t) rint (smoothing * 65536);
  int bins = max + 1, is_other = 1;

  for (int i = 0; i < n; i++)
    is_other &= lights[i].is_other;
  for (size_t t = 0; t < n_tables && !is_first; t++) {
    uint64_t sum = 0;

    for (int v = 0; v < bins; v++)
      sum += abs (tables[t * bins + v] - nearest (past->before + t * bins, max,
              &lights[t % n], v));
    distance += sum / bins;
  }
  is_first |= is_other && distance > n_tables * (bins / new_scene);

  for (size_t t = 0; t < n_tables; t++) {
    uint32_t *new = past->smooth + t * bins;
    uint16_t *table = tables + t * bins;

    memcpy (old, new, bins * sizeof (*old));
    memcpy (past->before + t * bins, table, bins * sizeof (*table));
    for (int v = 0; v < bins; v++) {
      uint64_t now = (uint64_t) table[v] << 16;

      new[v] = is_first ? now : (carried (old, max, &lights[t % n], v) * share
          + now * (65536 - share) + 32768) >> 16;
      table[v] = (new[v] + 32768) >> 16;
    }
  }
  return is_first;
}

/* Adds a constant to each smoothed table of CLAHE, so that the mean of the tile's output values
 * changes as slowly as the tables. With smoothed tables alone, the mean would still follow the
 * noise. Tables of tiles in which something moves are not changed. The array @before contains the
 * values of the compared pixels in the last frame. */
static void
hold_means (const RefPlane * in, int n, const RefHisteq * params,
    const RefLight * lights, int is_first, const uint16_t * before,
    RefHisteqPast * past, uint16_t * tables)
{
  static uint32_t histogram[MAX_BINS];
  int64_t share = (int64_t) rint (params->temporal_smoothing * 65536);
  int64_t max = in->hi - in->lo;
  size_t n_places = ref_light_places (in);
  int width, height;

  ref_clahe_tile_size (in, &params->clahe, &width, &height);
  for (int t = 0; t < params->clahe.tiles_x * params->clahe.tiles_y * n; t++) {
    int c = t % n, tx = t / n % params->clahe.tiles_x;
    int ty = t / n / params->clahe.tiles_x;
    uint32_t *smooth = past->smooth + t * (max + 1);
    int64_t own = 0, mean = 0, new_mean;

    ref_clahe_count (&in[c], &params->clahe, tx, ty, histogram);
    for (int v = 0; v <= max; v++) {
      own += (int64_t) histogram[v] * past->before[t * (max + 1) + v] * 65536;
      mean += (int64_t) histogram[v] * smooth[v];
    }
    own /= (int64_t) width * height;
    mean /= (int64_t) width * height;
    new_mean = mean;
    if (!is_first && !lights[c].is_other
        && ref_light_is_still (&in[c], &lights[c], before + c * n_places,
            past->codes + c * n_places, tx * width, ty * height, width, height))
      new_mean = (past->means[t] * share + own * (65536 - share) + 32768) >> 16;
    past->means[t] = (uint32_t) new_mean;
    for (int v = 0; v <= max; v++) {
      int64_t value = smooth[v] + new_mean - mean;

      value = value < 0 ? 0 : value > max * 65536 ? max * 65536 : value;
      smooth[v] = (uint32_t) value;
      tables[t * (max + 1) + v] = (value + 32768) >> 16;
    }
  }
}

/* Smooths the n_tables tables of n components. Returns 0 if there is not enough memory. */
static int
smooth_tables (const RefPlane * in, int n, const RefHisteq * params,
    uint16_t * tables, size_t n_tables, RefHisteqPast * past)
{
  size_t n_values = n_tables * (in->hi - in->lo + 1);
  size_t n_places = ref_light_places (in);
  int is_first = past->n_values != n_values
      || past->n_codes != n * n_places;
  uint16_t *before;
  RefLight lights[3];

  if (is_first && !start_past (past, n_tables, n_values, n * n_places))
    return 0;
  before = malloc (n * n_places * sizeof (*before));
  if (before == NULL)
    return 0;
  memcpy (before, past->codes, n * n_places * sizeof (*before));
  for (int i = 0; i < n; i++)
    lights[i] = ref_light_find (&in[i], past->codes + i * n_places, is_first);
  is_first = smooth (tables, n_tables, n, in->hi - in->lo, lights, is_first,
      params->temporal_smoothing,
      params->method == REF_HISTEQ_CLAHE ? 8 : 32, past);
  if (params->method == REF_HISTEQ_CLAHE)
    hold_means (in, n, params, lights, is_first, before, past, tables);
  free (before);
  return 1;
}

int
ref_histeq (const RefPlane * in, const RefPlane * out, int n,
    const RefHisteq * params, RefHisteqPast * past)
{
  int is_clahe = params->method == REF_HISTEQ_CLAHE, bins = in->hi - in->lo + 1;
  size_t n_tiles = is_clahe ? params->clahe.tiles_x * params->clahe.tiles_y : 1;
  int64_t strength = (int64_t) rint (65536 * params->strength);
  uint16_t *tables = malloc (n * n_tiles * bins * sizeof (*tables));
  int ok = tables != NULL;

  for (int i = 0; i < n && ok; i++) {
    if (is_clahe)
      ref_clahe_tables (&in[i], &params->clahe, tables + i * bins, n);
    else
      make_table (&in[i], params, tables + i * bins);
  }
  if (ok && past != NULL && params->temporal_smoothing > 0)
    ok = smooth_tables (in, n, params, tables, n * n_tiles, past);
  for (size_t i = 0; i < n * n_tiles * bins && ok; i++) {
    int v = i % bins;

    tables[i] = (uint16_t) (v + ((strength * (tables[i] - v) + 32768) >> 16));
  }
  for (int i = 0; i < n && ok; i++) {
    const uint16_t *table = tables + i * bins;

    if (is_clahe)
      ref_clahe_apply (&in[i], &out[i], &params->clahe, table, n);
    else
      for (int y = 0; y < in->height; y++)
        for (int x = 0; x < in->width; x++)
          ref_set (&out[i], x, y, in->lo + table[value_at (&in[i], x, y)]);
  }
  free (tables);
  return ok;
}

int
ref_histeq_rgb (const RefPlane in[3], const RefPlane out[3],
    const RefHisteq * params, RefHisteqPast * past)
{
  RefPlane before, after;
  int ok;

  if (!ref_colour_get_luma (in, &before, &after))
    return 0;
  ok = ref_histeq (&before, &after, 1, params, past);
  ref_colour_replace_luma (in, &before, &after, out);
  free (before.data);
  return ok;
}
