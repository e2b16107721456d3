/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Fills the hole patch by patch, starting at its border (the front), in the order of priorities. */
#include "inpaint-private.h"

#include <stdlib.h>

#define EPSILON 1u

static int
is_front (const Work * work, int x, int y)
{
  return !is_known (work, x, y)
      && (is_known (work, x - 1, y) || is_known (work, x + 1, y)
      || is_known (work, x, y - 1) || is_known (work, x, y + 1));
}

static uint32_t
find_confidence (const Work * work, int x, int y)
{
  Box box = patch (work, x, y);
  uint32_t sum = 0;

  FOR_EACH_PIXEL (box, u, v)
      if (is_known (work, u, v))
    sum += work->confidence[at (work, u, v)];
  return sum / (uint32_t) ((box.x1 - box.x0) * (box.y1 - box.y0));
}

/* Returns the data term of the priority: the strength of the image edge that meets the front at
 * (@x, @y). */
static uint32_t
find_data (const Work * work, int x, int y)
{
  int nx = !is_known (work, x + 1, y) - !is_known (work, x - 1, y);
  int ny = !is_known (work, x, y + 1) - !is_known (work, x, y - 1);
  int largest = 0, gx = 0, gy = 0;
  uint32_t data;

  /* Treats pixels outside of the frame as known. */
  nx += (x == 0) - (x == work->width - 1);
  ny += (y == 0) - (y == work->height - 1);
  FOR_EACH_PIXEL (patch (work, x, y), u, v) {
    int dx, dy;

    if (!is_known (work, u - 1, v) || !is_known (work, u + 1, v)
        || !is_known (work, u, v - 1) || !is_known (work, u, v + 1))
      continue;
    dx = work->grey[at (work, u + 1, v)] - work->grey[at (work, u - 1, v)];
    dy = work->grey[at (work, u, v + 1)] - work->grey[at (work, u, v - 1)];
    if (dx * dx + dy * dy > largest) {
      largest = dx * dx + dy * dy;
      gx = dx;
      gy = dy;
    }
  }
  data = (uint32_t) abs (gx * ny - gy * nx)
      * (nx != 0 && ny != 0 ? 23170u : 32768u) >> 15;
  return data > EPSILON ? data : EPSILON;
}

int
ref_inpaint_find_target (const Work * work)
{
  uint64_t highest = 0;
  int target = -1;

  for (int y = 0; y < work->height; y++) {
    for (int x = 0; x < work->width; x++) {
      uint64_t priority;

      if (!is_front (work, x, y))
        continue;
      priority = (uint64_t) find_confidence (work, x, y)
          * find_data (work, x, y);
      if (target < 0 || priority > highest) {
        highest = priority;
        target = at (work, x, y);
      }
    }
  }
  return target;
}

int
ref_inpaint_find_best (const Work * work, int target)
{
  int x = target % work->width, y = target / work->width;
  Box window = work->windows[work->object[target]], box = patch (work, x, y);
  Match best = no_match;

  FOR_EACH_PIXEL (window, sx, sy) {
    int shift = at (work, sx, sy) - target;
    uint32_t ssd = 0;

    if (!work->source[at (work, sx, sy)])
      continue;
    for (int v = box.y0; v < box.y1 && ssd <= best.cost; v++) {
      for (int u = box.x0; u < box.x1; u++) {
        int i = at (work, u, v);

        for (int c = 0; c < work->n_colours && !work->unknown[i]; c++) {
          int d = work->colour[c][i] - work->colour[c][i + shift];

          ssd += d * d;
        }
      }
    }
    choose (work, target, at (work, sx, sy), ssd, &best);
  }
  return best.pixel;
}

void
ref_inpaint_copy_patch (Work * work, int target, int source)
{
  int x = target % work->width, y = target / work->width;
  uint32_t confidence = find_confidence (work, x, y);

  FOR_EACH_PIXEL (patch (work, x, y), u, v) {
    int i = at (work, u, v), from = i - target + source;

    if (!work->unknown[i])
      continue;
    for (int c = 0; c < work->n_colours; c++)
      work->colour[c][i] = work->colour[c][from];
    work->grey[i] = work->grey[from];
    work->confidence[i] = confidence;
    work->origin[i] = from;
    work->unknown[i] = 0;
    work->filler[i] = target;
  }
  if (work->memory != NULL)
    work->memory->targets[work->memory->n_targets++] = target;
}
