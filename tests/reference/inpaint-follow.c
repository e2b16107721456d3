/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Fills a frame of a video with the patches that filled the last frame, or with better patches
 * near them. */
#include "inpaint-private.h"

#include <string.h>

/* Limits, in pixels, of the distance by which the source of a patch may move from one frame to the
 * next */
#define NEAR_X 32
#define NEAR_Y 8

/* Returns color @c of a pixel, whether the pixel is known or filled. */
static int
get_colour (const Work * work, const RefInpaintMemory * memory, int c,
    int pixel)
{
  return work->colour[c][memory->origin[pixel]];
}

/* Returns the sum of squared color differences between the patch around @source and those pixels of
 * the patch around @target that this patch does not fill. Sets @n to the number of these pixels.
 * Pixels of earlier patches are already filled. */
static uint32_t
find_cost (const Work * work, const RefInpaintMemory * memory, int target,
    int source, uint32_t * n)
{
  Box box = patch (work, target % work->width, target / work->width);
  uint32_t sum = 0;

  *n = 0;
  FOR_EACH_PIXEL (box, x, y) {
    int i = at (work, x, y);

    if (memory->filler[i] == target)
      continue;
    for (int c = 0; c < work->n_colours; c++) {
      int d = get_colour (work, memory, c, i)
          - work->colour[c][i + source - target];

      sum += d * d;
      ++*n;
    }
  }
  return sum;
}

/* Searches a part of the search window of @target for sources with a cost below @limit. */
static void
find_in (const Work * work, const RefInpaintMemory * memory, int target,
    Box part, uint32_t limit, Match * best)
{
  Box window = work->windows[work->object[target]];

  FOR_EACH_PIXEL (part, x, y) {
    uint32_t here, n;

    if (x < window.x0 || y < window.y0 || x >= window.x1 || y >= window.y1
        || !work->source[at (work, x, y)])
      continue;
    here = find_cost (work, memory, target, at (work, x, y), &n);
    if (here < limit)
      choose (work, target, at (work, x, y), here, best);
  }
}

/* Searches for a source that matches better than @source, whose cost for @n differences is @cost.
 * Searches around @source first and, if no good source is found there, in the whole window. @fit is
 * the cost when the hole was filled. Returns the new source and sets @cost, or returns @source. */
static int
find_better (const Work * work, const RefInpaintMemory * memory, int target,
    int source, uint32_t fit, uint32_t n, uint32_t * cost)
{
  int x = source % work->width, y = source / work->width;
  Box near = { x - NEAR_X, y - NEAR_Y, x + NEAR_X, y + NEAR_Y };
  uint32_t limit = *cost - *cost / 4;
  Match best = no_match;

  find_in (work, memory, target, near, limit, &best);
  if ((best.pixel < 0 ? *cost : best.cost) > 4 * fit + 64 * n)
    find_in (work, memory, target, work->windows[work->object[target]], limit,
        &best);
  *cost = best.pixel < 0 ? *cost : best.cost;
  return best.pixel < 0 ? source : best.pixel;
}

static void
set_source (const Work * work, RefInpaintMemory * memory, int target,
    int source)
{
  Box box = patch (work, target % work->width, target / work->width);

  FOR_EACH_PIXEL (box, x, y) {
    int i = at (work, x, y);

    if (memory->filler[i] == target)
      memory->origin[i] = i + source - target;
  }
}

/* Processes the patches in the order in which they were filled. If @search is set, they may get
 * other sources; otherwise their costs are stored. Returns the sum of the costs, and sets @n to the
 * number of compared differences. */
static uint64_t
follow (const Work * work, RefInpaintMemory * memory, int search, uint64_t * n,
    int *moved)
{
  uint64_t sum = 0;

  *n = 0;
  *moved = 0;
  for (int k = 0; k < memory->n_targets; k++) {
    int target = memory->targets[k], source = memory->origin[target], better;
    uint32_t count, cost = find_cost (work, memory, target, source, &count);

    if (!search) {
      memory->fits[k] = cost;
    } else if (cost > 2 * memory->fits[k] + 16 * count) {
      better = find_better (work, memory, target, source, memory->fits[k],
          count, &cost);
      *moved += better != source;
      source = better;
    }
    set_source (work, memory, target, source);
    sum += cost;
    *n += count;
  }
  return sum;
}

void
ref_inpaint_remember (const Work * work, RefInpaintMemory * memory,
    int is_valid)
{
  uint64_t n, sum;
  int moved;

  memory->is_valid = is_valid;
  memcpy (memory->origin, work->origin,
      (size_t) work->width * work->height * sizeof (*memory->origin));
  if (!is_valid)
    return;
  sum = follow (work, memory, 0, &n, &moved);
  memory->limit = 4 * sum + 64 * n;
}

int
ref_inpaint_repeat (Work * work, const RefPlane * out,
    const RefInpaint * params, RefInpaintMemory * memory, RefInpaintWay * way)
{
  RefInpaint now = *params;

  if (!memory->is_valid)
    return 0;
  ref_inpaint_dilate (work, params);
  memcpy (work->origin, memory->origin,
      (size_t) work->width * work->height * sizeof (*work->origin));
  now.blend = params->blend && memory->n_targets > 0;
  *way = REF_INPAINT_REPLAYED;
  return ref_inpaint_write_copies (work, work->unknown, out, &now);
}

int
ref_inpaint_replay (Work * work, const RefPlane * out,
    const RefInpaint * params, RefInpaintMemory * memory, int32_t * todo,
    RefInpaintWay * way)
{
  size_t size = (size_t) work->width * work->height;
  uint64_t n;
  int moved;

  if (!memory->is_valid)
    return 0;
  ref_inpaint_dilate (work, params);
  ref_inpaint_find_sources (work, params);
  ref_inpaint_find_objects (work, params, todo);
  if (follow (work, memory, 1, &n, &moved) > memory->limit) {
    memset (work->unknown, 0, size);
    memset (work->object, 0, size * sizeof (*work->object));
    work->n_objects = 0;
    return 0;
  }
  memcpy (work->origin, memory->origin, size * sizeof (*work->origin));
  *way = moved > 0 ? REF_INPAINT_FOLLOWED : REF_INPAINT_REPLAYED;
  return ref_inpaint_write_copies (work, work->unknown, out, params);
}
