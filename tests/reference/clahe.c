/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reference implementation of CLAHE: see docs/algorithms/histeq.md. */
#include "clahe.h"

#include <math.h>
#include <string.h>

#include "samples.h"

#define MAX_BINS 65536

/* Computes the size of CLAHE's tiles. The frame is extended to a multiple of the number of tiles,
 * by mirroring it without repeating its last sample. If the size along one axis is not a multiple,
 * both axes are extended; an axis whose size is already a multiple then grows by one sample for
 * each tile. */
void
ref_clahe_tile_size (const RefPlane * in, const RefClahe * params, int *width,
    int *height)
{
  int fits = in->width % params->tiles_x == 0
      && in->height % params->tiles_y == 0;

  *width = in->width / params->tiles_x + !fits;
  *height = in->height / params->tiles_y + !fits;
}

/* Returns the value of a sample, relative to @lo. Values outside of the nominal range are clamped
 * to it. */
static int
value_at (const RefPlane * in, int x, int y)
{
  return ref_limit (in, ref_get (in, x, y), in->lo) - in->lo;
}

/* Computes the lookup table of a tile from its histogram, which counts @area samples. */
static void
make_table (uint32_t * histogram, int max, uint32_t area, double clip_limit,
    uint16_t * table)
{
  uint32_t bins = max + 1, excess = 0, sum = 0;
  float scale = (float) max / (float) area;

  if (clip_limit > 0) {
    double most = clip_limit * area / bins;
    uint32_t clip = most >= area ? area : most < 1 ? 1 : (uint32_t) most;
    uint32_t rest;

    for (uint32_t i = 0; i < bins; i++) {
      if (histogram[i] > clip) {
        excess += histogram[i] - clip;
        histogram[i] = clip;
      }
    }
    rest = excess % bins;
    for (uint32_t i = 0; i < bins; i++)
      histogram[i] += excess / bins;
    if (rest > 0) {
      uint32_t step = bins / rest;

      for (uint32_t i = 0; i < rest; i++)
        histogram[i * step]++;
    }
  }

  for (uint32_t i = 0; i < bins; i++) {
    float value;

    sum += histogram[i];
    /* Rounds to the nearest integer, ties to even, which is the default rounding mode of C. */
    value = rintf ((float) sum * scale);
    table[i] = value > (float) max ? max : (int) value;
  }
}

void
ref_clahe_count (const RefPlane * in, const RefClahe * params, int tile_x,
    int tile_y, uint32_t * histogram)
{
  int width, height;

  ref_clahe_tile_size (in, params, &width, &height);
  memset (histogram, 0, (in->hi - in->lo + 1) * sizeof (*histogram));
  for (int y = tile_y * height; y < (tile_y + 1) * height; y++)
    for (int x = tile_x * width; x < (tile_x + 1) * width; x++)
      histogram[value_at (in, ref_reflect (x, in->width), ref_reflect (y,
                  in->height))]++;
}

void
ref_clahe_tables (const RefPlane * in, const RefClahe * params,
    uint16_t * tables, int n)
{
  static uint32_t histogram[MAX_BINS];
  int width, height;

  ref_clahe_tile_size (in, params, &width, &height);
  for (int ty = 0; ty < params->tiles_y; ty++) {
    for (int tx = 0; tx < params->tiles_x; tx++) {
      ref_clahe_count (in, params, tx, ty, histogram);
      make_table (histogram, in->hi - in->lo, (uint32_t) width * height,
          params->clip_limit, tables);
      tables += n * (in->hi - in->lo + 1);
    }
  }
}

/* Describes the position of a sample between the centers of two tiles. */
typedef struct
{
  int before, behind;           /* indices of the two nearest tiles */
  float weight, rest;           /* interpolation weights of the tile @behind, and of the tile
                                 * @before */
} Place;

static Place
find_place (int i, int size, int n)
{
  float inverse = 1.0f / (float) size;
  float at = (float) i * inverse - 0.5f;
  int before = (int) floorf (at);
  Place place;

  place.weight = at - (float) before;
  place.rest = 1.0f - place.weight;
  place.before = before < 0 ? 0 : before;
  place.behind = before + 1 < n ? before + 1 : n - 1;
  return place;
}

void
ref_clahe_apply (const RefPlane * in, const RefPlane * out,
    const RefClahe * params, const uint16_t * tables, int n)
{
  int bins = n * (in->hi - in->lo + 1), width, height;

  ref_clahe_tile_size (in, params, &width, &height);
  for (int y = 0; y < in->height; y++) {
    Place v = find_place (y, height, params->tiles_y);
    const uint16_t *above = tables + v.before * params->tiles_x * bins;
    const uint16_t *below = tables + v.behind * params->tiles_x * bins;

    for (int x = 0; x < in->width; x++) {
      Place h = find_place (x, width, params->tiles_x);
      int value = value_at (in, x, y);
      int left = h.before * bins + value, right = h.behind * bins + value;
      float result = ((float) above[left] * h.rest
          + (float) above[right] * h.weight) * v.rest
          + ((float) below[left] * h.rest
          + (float) below[right] * h.weight) * v.weight;

      ref_set (out, x, y, in->lo + (int) rintf (result));
    }
  }
}
