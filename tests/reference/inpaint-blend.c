/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Blends the patches that overlap in a hole: see docs/algorithms/inpaint.md. */
#include "inpaint-blend.h"

#include <stdlib.h>

typedef struct
{
  const int32_t *samples, *origin, *filler;
  const uint8_t *unknown;
  int width, height, radius;
} Patches;

/* Returns: the weight of a pixel at the distance (dx, dy) from the target, which is the center
 * of its patch */
static uint32_t
find_weight (int radius, int dx, int dy)
{
  uint32_t weight = (radius + 1 - abs (dx)) * (radius + 1 - abs (dy));

  return weight * weight;
}

/* Returns: the sample at the distance (@dx, @dy) from pixel @i; -1 if it is unknown or outside of
 * the frame */
static int32_t
get_beside (const Patches * patches, int i, int dx, int dy)
{
  int x = i % patches->width + dx, y = i / patches->width + dy;

  return x < 0 || y < 0 || x >= patches->width || y >= patches->height
      || patches->unknown[y * patches->width + x] ? -1
      : patches->samples[y * patches->width + x];
}

/* Returns the weighted mean of all patches that cover a pixel. A pixel is a target (the center of a
 * patch) if it is its own filler. */
static int32_t
blend_pixel (const Patches * patches, int x, int y, int dx, int dy)
{
  int r = patches->radius, width = patches->width;
  uint64_t sum = 0, weights = 0;

  for (int v = y - r; v <= y + r; v++) {
    for (int u = x - r; u <= x + r; u++) {
      int target = v * width + u;
      int32_t value;

      if (u < 0 || v < 0 || u >= width || v >= patches->height
          || patches->filler[target] != target)
        continue;
      value = get_beside (patches, patches->origin[target] + (y - v) * width
          + x - u, dx, dy);
      if (value >= 0) {
        sum += (uint64_t) find_weight (r, x - u, y - v) * value;
        weights += find_weight (r, x - u, y - v);
      }
    }
  }
  return weights > 0 ? (int32_t) ((sum + weights / 2) / weights) : -1;
}

void
ref_inpaint_blend (const int32_t * samples, const uint8_t * unknown,
    const int32_t * origin, const int32_t * filler, int width, int height,
    int radius, int dx, int dy, int32_t * blended)
{
  const Patches patches = { samples, origin, filler, unknown, width, height,
    radius
  };

  for (int y = 0; y < height; y++) {
    for (int x = 0; x < width; x++) {
      int i = y * width + x;

      if (unknown[i])
        blended[i] = filler != NULL ? blend_pixel (&patches, x, y, dx, dy)
            : get_beside (&patches, origin[i], dx, dy);
    }
  }
}
