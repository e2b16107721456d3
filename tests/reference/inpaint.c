/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "inpaint.h"

#include <stdlib.h>
#include <string.h>

#include "inpaint-blend.h"
#include "inpaint-seam.h"
#include "samples.h"

#define KNOWN 65536u            /* confidence of a pixel that was known, Q16 */
#define EPSILON 1u

typedef struct
{
  int x0, y0, x1, y1;           /* x1 and y1 are not part of it */
} Box;

typedef struct
{
  const RefPlane *in;
  int n, n_colours;             /* components; those that are compared */
  int width, height, radius;
  uint8_t *unknown;             /* now */
  uint8_t *source;              /* may be the center of a source patch */
  int32_t *object;              /* number of the object, from 1; 0: known */
  int32_t *origin;              /* where a filled pixel is from, else itself */
  int32_t *filler;              /* the target whose patch filled it, or -1 */
  int32_t *values;              /* of a component, for all pixels */
  int32_t *beside[4];           /* see inpaint-seam.h */
  uint8_t *colour[3], *grey;
  uint32_t *confidence;
  Box *windows;                 /* of the objects */
  int n_objects;
  RefInpaintMemory *memory;     /* of the patches that are copied, or NULL */
} Work;

static int
at (const Work * work, int x, int y)
{
  return y * work->width + x;
}

static int
is_known (const Work * work, int x, int y)
{
  return x >= 0 && y >= 0 && x < work->width && y < work->height
      && !work->unknown[at (work, x, y)];
}

/* The part of the patch around (x, y) that is in the frame. */
static Box
patch (const Work * work, int x, int y)
{
  int r = work->radius;
  Box box = { x - r < 0 ? 0 : x - r, y - r < 0 ? 0 : y - r,
    x + r >= work->width ? work->width : x + r + 1,
    y + r >= work->height ? work->height : y + r + 1
  };

  return box;
}

#define FOR_EACH_PIXEL(box, x, y) \
  for (int y = (box).y0; y < (box).y1; y++) \
    for (int x = (box).x0; x < (box).x1; x++)

/* ---- Samples of components that may be subsampled ------------------------- */

/* By how many bits the coordinates of a component are smaller. */
static int
subsampling (int size, int component_size)
{
  int shift = 0;

  while ((size + (1 << shift) - 1) >> shift > component_size)
    shift++;
  return shift;
}

static int
get_at_pixel (const RefPlane * plane, int x, int y, int width, int height)
{
  return ref_get (plane, x >> subsampling (width, plane->width),
      y >> subsampling (height, plane->height));
}

static int
depth_of (const RefPlane * plane)
{
  return plane->max == 255 ? 8 : plane->max == 1023 ? 10 : 16;
}

/* Each sample that an unknown pixel shares becomes the rounded mean of value
 * over its unknown pixels. */
static void
write_component (const Work * work, const uint8_t * mask, const RefPlane * out,
    int (*value) (const Work *, int component, int pixel), int component)
{
  int sx = subsampling (work->width, out->width);
  int sy = subsampling (work->height, out->height);

  for (int y = 0; y < out->height; y++) {
    for (int x = 0; x < out->width; x++) {
      Box block = { x << sx, y << sy, (x + 1) << sx, (y + 1) << sy };
      uint32_t sum = 0, count = 0;

      block.x1 = block.x1 > work->width ? work->width : block.x1;
      block.y1 = block.y1 > work->height ? work->height : block.y1;
      FOR_EACH_PIXEL (block, px, py) {
        if (!mask[at (work, px, py)])
          continue;
        sum += value (work, component, at (work, px, py));
        count++;
      }
      if (count > 0)
        ref_set (out, x, y, (sum + count / 2) / count);
    }
  }
}

/* ---- Objects, windows, sources -------------------------------------------- */

static void
dilate (const Work * work, const RefInpaint * params)
{
  int d = params->mask_dilate;

  for (int y = 0; y < work->height; y++) {
    for (int x = 0; x < work->width; x++) {
      if (params->mask[at (work, x, y)] < 128)
        continue;
      for (int v = y - d; v <= y + d; v++)
        for (int u = x - d; u <= x + d; u++)
          if (u >= 0 && v >= 0 && u < work->width && v < work->height)
            work->unknown[at (work, u, v)] = 1;
    }
  }
}

/* Gives object number to all pixels that hang together with (x, y), and returns
 * the box around them. todo: room for all pixels. */
static Box
find_object (Work * work, int x, int y, int number, int32_t * todo)
{
  Box box = { x, y, x + 1, y + 1 };
  int n = 0;

  todo[n++] = at (work, x, y);
  work->object[at (work, x, y)] = number;
  while (n > 0) {
    int px = todo[--n] % work->width, py = todo[n] / work->width;

    box.x0 = px < box.x0 ? px : box.x0;
    box.y0 = py < box.y0 ? py : box.y0;
    box.x1 = px >= box.x1 ? px + 1 : box.x1;
    box.y1 = py >= box.y1 ? py + 1 : box.y1;
    for (int v = py - 1; v <= py + 1; v++) {
      for (int u = px - 1; u <= px + 1; u++) {
        if (u < 0 || v < 0 || u >= work->width || v >= work->height
            || !work->unknown[at (work, u, v)]
            || work->object[at (work, u, v)] != 0)
          continue;
        work->object[at (work, u, v)] = number;
        todo[n++] = at (work, u, v);
      }
    }
  }
  return box;
}

/* Full patches without unknown or forbidden pixels. */
static void
find_sources (Work * work, const RefInpaint * params)
{
  int r = work->radius;

  for (int y = r; y < work->height - r; y++) {
    for (int x = r; x < work->width - r; x++) {
      int ok = 1;

      FOR_EACH_PIXEL (patch (work, x, y), u, v) {
        int i = at (work, u, v);

        ok = ok && !work->unknown[i]
            && (params->forbidden == NULL || params->forbidden[i] < 128);
      }
      work->source[at (work, x, y)] = ok;
    }
  }
}

static int
count_sources (const Work * work, Box box)
{
  int n = 0;

  FOR_EACH_PIXEL (box, x, y)
      n += work->source[at (work, x, y)];
  return n;
}

/* Rounded down, and no more than the frame. */
static int
grow (double factor, int size, int limit)
{
  return factor * size >= limit ? limit : (int) (factor * size);
}

/* The window of an object in box: as large as factor says, larger when there is
 * no source in it. Returns the number of sources. */
static int
find_window (const Work * work, Box box, double factor, Box * window)
{
  for (;;) {
    int r = work->radius, n;
    int dx = r + grow (factor, box.x1 - box.x0, work->width);
    int dy = r + grow (factor, box.y1 - box.y0, work->height);

    window->x0 = factor < 0 || box.x0 < dx ? 0 : box.x0 - dx;
    window->y0 = factor < 0 || box.y0 < dy ? 0 : box.y0 - dy;
    window->x1 = factor < 0 || box.x1 + dx > work->width ? work->width
        : box.x1 + dx;
    window->y1 = factor < 0 || box.y1 + dy > work->height ? work->height
        : box.y1 + dy;
    n = count_sources (work, *window);
    if (n > 0 || (window->x0 == 0 && window->y0 == 0
            && window->x1 == work->width && window->y1 == work->height))
      return n;
    factor = factor == 0 ? 0.05 : 2 * factor;
  }
}

/* Returns the number of sources of the first object. */
static int
find_objects (Work * work, const RefInpaint * params, int32_t * todo)
{
  int sources = 0;

  for (int y = 0; y < work->height; y++) {
    for (int x = 0; x < work->width; x++) {
      Box box;
      int n;

      if (!work->unknown[at (work, x, y)] || work->object[at (work, x, y)] != 0)
        continue;
      box = find_object (work, x, y, ++work->n_objects, todo);
      n = find_window (work, box, params->search_factor,
          &work->windows[work->n_objects]);
      if (work->n_objects == 1)
        sources = n;
    }
  }
  return sources;
}

/* ---- Steps ----------------------------------------------------------------- */

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

/* How strongly an edge meets the front at (x, y). */
static uint32_t
find_data (const Work * work, int x, int y)
{
  int nx = !is_known (work, x + 1, y) - !is_known (work, x - 1, y);
  int ny = !is_known (work, x, y + 1) - !is_known (work, x, y - 1);
  int largest = 0, gx = 0, gy = 0;
  uint32_t data;

  /* Outside of the frame counts as known. */
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

/* Returns the front pixel of highest priority, or -1 when nothing is unknown. */
static int
find_target (const Work * work)
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

/* Returns the center of the source that fits best to the patch around target. */
static int
find_best (const Work * work, int target)
{
  int x = target % work->width, y = target / work->width, best = -1;
  Box window = work->windows[work->object[target]], box = patch (work, x, y);
  uint32_t least = UINT32_MAX;

  FOR_EACH_PIXEL (window, sx, sy) {
    int shift = at (work, sx, sy) - target;
    uint32_t ssd = 0;

    if (!work->source[at (work, sx, sy)])
      continue;
    for (int v = box.y0; v < box.y1 && ssd < least; v++) {
      for (int u = box.x0; u < box.x1; u++) {
        int i = at (work, u, v);

        for (int c = 0; c < work->n_colours && !work->unknown[i]; c++) {
          int d = work->colour[c][i] - work->colour[c][i + shift];

          ssd += d * d;
        }
      }
    }
    if (ssd < least) {
      least = ssd;
      best = at (work, sx, sy);
    }
  }
  return best;
}

static void
copy_patch (Work * work, int target, int source)
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

/* ---- Without a source ------------------------------------------------------ */

static int
get_plain (const Work * work, int component, int pixel)
{
  return work->origin[pixel];
}

/* Each pass gives those unknown pixels that have known neighbours their mean.
 * origin holds the values; unknown is left as it was. */
static int
diffuse (Work * work, const RefPlane * out, int component)
{
  size_t n = (size_t) work->width * work->height;
  uint8_t *before = malloc (n), *now = malloc (n);
  int ok = before != NULL && now != NULL, goes_on = ok;

  for (size_t i = 0; i < n && ok; i++) {
    now[i] = work->unknown[i];
    work->origin[i] = get_at_pixel (&work->in[component], i % work->width,
        i / work->width, work->width, work->height);
  }
  while (goes_on) {
    goes_on = 0;
    memcpy (before, now, n);
    for (int y = 0; y < work->height; y++) {
      for (int x = 0; x < work->width; x++) {
        uint32_t sum = 0, count = 0;

        for (int v = y - 1; v <= y + 1; v++) {
          for (int u = x - 1; u <= x + 1; u++) {
            if (u < 0 || v < 0 || u >= work->width || v >= work->height
                || before[at (work, u, v)])
              continue;
            sum += work->origin[at (work, u, v)];
            count++;
          }
        }
        if (!before[at (work, x, y)] || count == 0)
          continue;
        work->origin[at (work, x, y)] = (sum + count / 2) / count;
        now[at (work, x, y)] = 0;
        goes_on = 1;
      }
    }
  }
  if (ok)
    write_component (work, work->unknown, out, get_plain, component);
  free (before);
  free (now);
  return ok;
}

/* ---- A frame ---------------------------------------------------------------- */

static int
get_value (const Work * work, int component, int pixel)
{
  return work->values[pixel];
}

/* Writes what all pixels of mask, whose origins are known, become. Returns 0 when
 * there is no memory left. */
static int
write_copies (Work * work, const uint8_t * mask, const RefPlane * out,
    const RefInpaint * params)
{
  const int32_t *filler = params->blend ? work->filler : NULL;
  int ok = 1;

  for (int c = 0; c < work->n && ok; c++) {
    int is_smooth = params->seam && c < work->n_colours;

    for (int i = 0; i < work->width * work->height; i++)
      work->values[i] = get_at_pixel (&work->in[c], i % work->width,
          i / work->width, work->width, work->height);
    ref_inpaint_blend (work->values, mask, work->origin, filler, work->width,
        work->height, work->radius, 0, 0, work->values);
    for (int k = 0; k < 4 && is_smooth; k++)
      ref_inpaint_blend (work->values, mask, work->origin, filler, work->width,
          work->height, work->radius, REF_INPAINT_SIDE_X (k),
          REF_INPAINT_SIDE_Y (k), work->beside[k]);
    if (is_smooth)
      ok = ref_inpaint_seam (work->values, mask, work->beside, work->width,
          work->height, depth_of (&work->in[c]));
    write_component (work, mask, &out[c], get_value, c);
  }
  return ok;
}

static void
load (Work * work, int is_rgb)
{
  FOR_EACH_PIXEL (((Box) { 0, 0, work->width, work->height}), x, y) {
    int i = at (work, x, y);

    for (int c = 0; c < work->n_colours; c++)
      work->colour[c][i] = get_at_pixel (&work->in[c], x, y, work->width,
          work->height) >> (depth_of (&work->in[c]) - 8);
    work->grey[i] = is_rgb ? (77 * work->colour[0][i] + 150 * work->colour[1][i]
        + 29 * work->colour[2][i] + 128) >> 8 : work->colour[0][i];
    work->confidence[i] = KNOWN;
    work->origin[i] = i;
  }
}

static int
fill (Work * work, const RefPlane * out, const RefInpaint * params,
    RefInpaintStats * stats, uint8_t * mask, int32_t * todo)
{
  size_t n = (size_t) work->width * work->height;
  int target, ok = 1;

  dilate (work, params);
  memcpy (mask, work->unknown, n);
  for (size_t i = 0; i < n; i++)
    stats->unknown += mask[i];
  if (stats->unknown == 0 || (size_t) stats->unknown == n)
    return 1;
  find_sources (work, params);
  stats->sources = find_objects (work, params, todo);
  stats->diffused = stats->sources == 0;
  if (stats->diffused) {
    for (int c = 0; c < work->n && ok; c++)
      ok = diffuse (work, &out[c], c);
    return ok;
  }
  while ((target = find_target (work)) >= 0) {
    copy_patch (work, target, find_best (work, target));
    stats->steps++;
  }
  return write_copies (work, mask, out, params);
}

/* ---- Frame after frame ------------------------------------------------------ */

/* A patch moves at most so many pixels from its place in the frame before. */
#define NEAR_X 32
#define NEAR_Y 8

/* The colour of a pixel, known or filled. */
static int
get_colour (const Work * work, const RefInpaintMemory * memory, int c,
    int pixel)
{
  return work->colour[c][memory->origin[pixel]];
}

/* The differences of all colours between source and those pixels of target's
 * patch that it does not fill; *n: how many. Those before it have been filled. */
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

/* Looks in a part of target's window for the source with the least cost, which is
 * less than limit. Returns it and sets *cost, or returns source. */
static int
find_in (const Work * work, const RefInpaintMemory * memory, int target,
    int source, Box part, uint32_t limit, uint32_t * cost)
{
  Box window = work->windows[work->object[target]];
  int best = source;

  FOR_EACH_PIXEL (part, x, y) {
    uint32_t here, n;

    if (x < window.x0 || y < window.y0 || x >= window.x1 || y >= window.y1
        || !work->source[at (work, x, y)])
      continue;
    here = find_cost (work, memory, target, at (work, x, y), &n);
    if (here < limit) {
      limit = *cost = here;
      best = at (work, x, y);
    }
  }
  return best;
}

/* Looks around source, and when what is there is not good either, in the whole
 * window, for one that fits better than by cost of n differences. fit: what was
 * good once. Returns it and sets *cost, or returns source. */
static int
find_better (const Work * work, const RefInpaintMemory * memory, int target,
    int source, uint32_t fit, uint32_t n, uint32_t * cost)
{
  int x = source % work->width, y = source / work->width, best;
  Box near = { x - NEAR_X, y - NEAR_Y, x + NEAR_X, y + NEAR_Y };
  uint32_t limit = *cost - *cost / 4;

  best = find_in (work, memory, target, source, near, limit, cost);
  if (*cost > 4 * fit + 64 * n)
    best = find_in (work, memory, target, source,
        work->windows[work->object[target]],
        best != source ? *cost + 1 : limit, cost);
  return best;
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

/* Goes through the patches in the order in which they were filled. search: whether
 * they may go elsewhere; otherwise what they cost is remembered. Returns the sum
 * of their costs; *n: of how many differences. */
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

static void
remember (const Work * work, RefInpaintMemory * memory, int is_valid)
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

/* Returns 0 when what is remembered does not fit. */
static int
replay (Work * work, const RefPlane * out, const RefInpaint * params,
    RefInpaintMemory * memory, int32_t * todo, RefInpaintWay * way)
{
  size_t size = (size_t) work->width * work->height;
  uint64_t n;
  int moved;

  if (!memory->is_valid)
    return 0;
  dilate (work, params);
  find_sources (work, params);
  find_objects (work, params, todo);
  if (follow (work, memory, 1, &n, &moved) > memory->limit) {
    memset (work->unknown, 0, size);
    memset (work->object, 0, size * sizeof (*work->object));
    work->n_objects = 0;
    return 0;
  }
  memcpy (work->origin, memory->origin, size * sizeof (*work->origin));
  *way = moved > 0 ? REF_INPAINT_FOLLOWED : REF_INPAINT_REPLAYED;
  return write_copies (work, work->unknown, out, params);
}

/* memory: NULL, or what frames are remembered by. */
static int
fill_frame (const RefPlane * in, const RefPlane * out, int n, int is_rgb,
    const RefInpaint * params, RefInpaintStats * stats,
    RefInpaintMemory * memory, RefInpaintWay * way)
{
  Work work = {.in = in,.n = n,.n_colours = n > 3 ? 3 : n,
    .width = in[0].width,.height = in[0].height,
    .radius = params->patch_size / 2,.memory = memory
  };
  size_t size = (size_t) work.width * work.height;
  uint8_t *bytes = calloc (size, 7);
  int32_t *words = calloc (size, 10 * sizeof (*words));
  RefInpaintStats unused;
  int ok;

  /* Every second pixel of every second row may be an object. */
  work.windows = malloc ((size / 2 + 2) * sizeof (*work.windows));
  ok = bytes != NULL && words != NULL && work.windows != NULL;
  *way = REF_INPAINT_ANEW;
  stats = stats != NULL ? stats : &unused;
  memset (stats, 0, sizeof (*stats));
  if (ok) {
    work.unknown = bytes;
    work.source = bytes + size;
    work.grey = bytes + 2 * size;
    for (int c = 0; c < 3; c++)
      work.colour[c] = bytes + (3 + c) * size;
    work.object = words;
    work.origin = words + size;
    work.confidence = (uint32_t *) words + 2 * size;
    work.values = words + 4 * size;
    work.filler = memory != NULL ? memory->filler : words + 5 * size;
    for (int k = 0; k < 4; k++)
      work.beside[k] = words + (6 + k) * size;
    load (&work, is_rgb);
    if (memory == NULL || !replay (&work, out, params, memory, words + 3 * size,
            way)) {
      for (size_t i = 0; i < size; i++)
        work.filler[i] = -1;
      if (memory != NULL)
        memory->n_targets = 0;
      ok = fill (&work, out, params, stats, bytes + 6 * size, words + 3 * size);
      if (memory != NULL)
        remember (&work, memory, ok && stats->steps > 0);
    }
  }
  free (work.windows);
  free (words);
  free (bytes);
  return ok;
}

int
ref_inpaint (const RefPlane * in, const RefPlane * out, int n, int is_rgb,
    const RefInpaint * params, RefInpaintStats * stats)
{
  RefInpaintWay way;

  return fill_frame (in, out, n, is_rgb, params, stats, NULL, &way);
}

int
ref_inpaint_temporal (const RefPlane * in, const RefPlane * out, int n,
    int is_rgb, const RefInpaint * params, RefInpaintMemory * memory,
    RefInpaintWay * way)
{
  return fill_frame (in, out, n, is_rgb, params, NULL, memory, way);
}
