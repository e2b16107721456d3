/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "histeq.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "colour.h"
#include "samples.h"

#define MAX_BINS 65536

/* table[v]: what becomes of value v, from a histogram of total samples. */
static void
make_table (const uint32_t * histogram, int max, uint32_t total,
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
    /* Ties to even, the default rounding direction of C. */
    value = rintf ((float) sum * scale);
    table[v] = value > (float) max ? max : (int) value;
  }
}

static void
make_global_table (const RefPlane * in, uint16_t * table)
{
  static uint32_t histogram[MAX_BINS];

  memset (histogram, 0, sizeof (histogram));
  for (int y = 0; y < in->height; y++)
    for (int x = 0; x < in->width; x++)
      histogram[ref_get (in, x, y)]++;
  make_table (histogram, in->max, (uint32_t) in->width * in->height, table);
}

void
ref_histeq_forget (RefHisteqPast * past)
{
  free (past->before);
  free (past->smooth);
  memset (past, 0, sizeof (*past));
}

/* Replaces n_tables tables of max + 1 values. A new scene begins where they
 * differ by more than a part of their range from the last ones, in the mean:
 * 1 / new_scene. */
static int
smooth (uint16_t * tables, size_t n_tables, int max, double smoothing,
    int new_scene, RefHisteqPast * past)
{
  size_t bins = max + 1, n = n_tables * bins;
  uint64_t distance = 0, share = (uint64_t) rint (smoothing * 65536);
  int is_first = past->n_values != n;

  if (is_first) {
    ref_histeq_forget (past);
    past->before = malloc (n * sizeof (*past->before));
    past->smooth = malloc (n * sizeof (*past->smooth));
    if (past->before == NULL || past->smooth == NULL)
      return 0;
    past->n_values = n;
  }
  for (size_t i = 0; i < n && !is_first; i += bins) {
    uint64_t sum = 0;

    for (size_t j = i; j < i + bins; j++)
      sum += abs (tables[j] - past->before[j]);
    distance += sum / bins;
  }

  for (size_t i = 0; i < n; i++) {
    uint64_t now = (uint64_t) tables[i] << 16;

    past->before[i] = tables[i];
    if (is_first || distance > n_tables * (bins / new_scene))
      past->smooth[i] = now;
    else
      past->smooth[i] = (past->smooth[i] * share + now * (65536 - share)
          + 32768) >> 16;
    tables[i] = (past->smooth[i] + 32768) >> 16;
  }
  return 1;
}

int
ref_histeq (const RefPlane * in, const RefPlane * out, int n,
    const RefHisteq * params, RefHisteqPast * past)
{
  int is_clahe = params->clahe.tiles_x > 0;
  size_t n_tables = is_clahe ? params->clahe.tiles_x * params->clahe.tiles_y : 1;
  size_t n_values = n_tables * (in->max + 1);
  uint16_t *tables = malloc (n * n_values * sizeof (*tables));
  int ok = tables != NULL;

  for (int i = 0; i < n && ok; i++) {
    if (is_clahe)
      ref_clahe_tables (&in[i], &params->clahe, tables + i * n_values);
    else
      make_global_table (&in[i], tables + i * n_values);
  }
  if (ok && past != NULL && params->temporal_smoothing > 0)
    ok = smooth (tables, n * n_tables, in->max, params->temporal_smoothing,
        is_clahe ? 8 : 32, past);
  for (int i = 0; i < n && ok; i++) {
    const uint16_t *table = tables + i * n_values;

    if (is_clahe)
      ref_clahe_apply (&in[i], &out[i], &params->clahe, table);
    else
      for (int y = 0; y < in->height; y++)
        for (int x = 0; x < in->width; x++)
          ref_set (&out[i], x, y, table[ref_get (&in[i], x, y)]);
  }
  free (tables);
  return ok;
}

int
ref_histeq_rgb (const RefPlane in[3], const RefPlane out[3],
    const RefHisteq * params, RefHisteqPast * past)
{
  RefPlane before = {
    .stride = in[0].width,.pixel_stride = 1,
    .width = in[0].width,.height = in[0].height,
    .bytes = 1,.max = 255
  };
  RefPlane after = before;
  size_t size = (size_t) before.width * before.height;
  int ok;

  before.data = malloc (2 * size);
  if (before.data == NULL)
    return 0;
  after.data = before.data + size;
  ref_colour_luma (in, &before);
  ok = ref_histeq (&before, &after, 1, params, past);
  ref_colour_replace_luma (in, &before, &after, out);
  free (before.data);
  return ok;
}
