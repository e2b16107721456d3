/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Computes the initial source patches of the target patches of the coarsest level, and the
 * initial colors of its unknown pixels, from the edge of the hole inwards: see patchmatch.h and
 * patchmatch.cl. */
#define GROUP MATCH_GROUP
#include "inpaint/patchmatch.h"

/* Assigns a random source patch to each target patch of the coarsest level. */
kernel void
match_seed (global const int *lists, int first, int n, int first_source,
    int n_sources, int level, global uint2 * field)
{
  int k;

  FOR_EACH (k, n) {
    int i = lists[first + k];

    field[i] = (uint2) ((uint) lists[first_source
            + (int) (draw (level, 0, i, 0) % (uint) n_sources)], 0);
  }
}

/* Returns source patch @number of those that target patch @center tries; -1 if there is none.
 * The order is:
 * - source patches that continue the source patches of neighbors whose distance from the known
 *   part is less than @distance
 * - all @n_sources source patches in the array @sources, if these are at most @trials; otherwise
 *   random ones of them, chosen by @pixel */
static int
get_trial (global const uchar * flags, int width, int height,
    global const int *sources, int n_sources, int trials, int level,
    int distance, int pixel, int center, int number,
    global const uint2 * field)
{
  int k = number - 9, dx = number % 3 - 1, dy = number / 3 - 1, next, from;
  int deep;

  if (k >= 0)
    return sources[n_sources <= trials ? k
        : (int) (draw (level, 0, pixel, k) % (uint) n_sources)];
  next = center + dy * width + dx;
  deep = is_center (width, height, center % width + dx, center / width + dy)
      ? flags[next] & MATCH_DEPTH : 0;
  if (deep == 0 || deep >= distance)
    return -1;
  from = (int) field[next].x;
  if (!is_center (width, height, from % width - dx, from / width - dy))
    return -1;
  from -= dy * width + dx;
  return flags[from] & FLAG_SOURCE ? from : -1;
}

/* Returns the center of the target patch of a pixel: the pixel itself if it can be a center,
 * otherwise the nearest possible center. */
static int
find_center (int width, int height, int pixel)
{
  return clamp (pixel / width, MATCH_RADIUS, height - MATCH_RADIUS - 1) * width
      + clamp (pixel % width, MATCH_RADIUS, width - MATCH_RADIUS - 1);
}

/* Fills pixel @i from a source patch. The target patch of pixel @i has the center @center. */
static void
fill_pixel (global uint * pixels, int i, int center, int source,
    global uint2 * field)
{
  pixels[i] = pixels[source + i - center];
  if (i == center)
    field[i].x = (uint) source;
}

#if LANES == 16
/* Holds the pixels of a target patch whose distance from the known part is less than a limit. @row and
 * @mask contain the @n rows that have such pixels; other pixels are 0. Each element of @at is
 * the index of the first pixel of a row minus the index of the patch's center. */
typedef struct
{
  ushort16 row[MATCH_SIZE], mask[MATCH_SIZE];
  int at[MATCH_SIZE], n;
} Part;

static void
take_part (global const uint * pixels, global const uchar * flags, int width,
    int target, int limit, Part * part)
{
  int v, k;

  part->n = 0;
  for (v = -MATCH_RADIUS; v <= MATCH_RADIUS; v++) {
    int at = v * width - MATCH_RADIUS;
    uint row[8] = { 0 }, mask[8] = { 0 };

    /* Does not load other pixels, because work-items write them. */
    for (k = 0; k < MATCH_SIZE; k++) {
      int lane = k + (k > MATCH_RADIUS);

      if ((flags[target + at + k] & MATCH_DEPTH) >= limit)
        continue;
      row[lane] = pixels[target + at + k];
      mask[lane] = ~0u;
    }
    part->mask[part->n] = as_ushort16 (vload8 (0, mask));
    part->row[part->n] = as_ushort16 (vload8 (0, row));
    part->at[part->n] = at;
    part->n += any (vload8 (0, mask) != 0u);
  }
}

/* Returns the sum of squared differences between a part of a target patch and the source patch
 * around a pixel. Stops early when the sum exceeds @bound; the result may be too small then. */
static uint
find_part_cost (global const uint * pixels, const Part * part, int source,
    uint bound)
{
  float8 sum = 0;
  uint total = 0;
  int k;

  for (k = 0; k < part->n && total <= bound; k++) {
    sum += compare_rows (part->row[k],
        LOAD_ROW (pixels + source + part->at[k]) & part->mask[k]);
    if (k & 1)
      total = add_all (sum);
  }
  return add_all (sum);
}
#else
#define MATCH_AREA (MATCH_SIZE * MATCH_SIZE)

/* Lists the pixels of a target patch whose distance from the known part is less than @limit. For
 * each of them, writes to @part its index minus the index of the patch's center, and its color.
 * The work-items of a group share the work; @bits is scratch memory. Returns the number of these
 * pixels. */
static int
take_part (global const uint * pixels, global const uchar * flags, int width,
    int target, int limit, local uint * bits, local uint2 * part)
{
  int item = get_local_id (0), k;
  ulong taken;

  if (item == 0)
    bits[0] = bits[1] = 0;
  barrier (CLK_LOCAL_MEM_FENCE);
  for (k = item; k < MATCH_AREA; k += GROUP) {
    int at = (k / MATCH_SIZE - MATCH_RADIUS) * width + k % MATCH_SIZE
        - MATCH_RADIUS;

    if ((flags[target + at] & MATCH_DEPTH) < limit)
      atomic_or (&bits[k / 32], 1u << k % 32);
  }
  barrier (CLK_LOCAL_MEM_FENCE);
  taken = (ulong) bits[1] << 32 | bits[0];
  for (k = item; k < MATCH_AREA; k += GROUP) {
    int at = (k / MATCH_SIZE - MATCH_RADIUS) * width + k % MATCH_SIZE
        - MATCH_RADIUS;

    if (taken >> k & 1)
      part[popcount (taken & (((ulong) 1 << k) - 1))] =
          (uint2) ((uint) at, pixels[target + at]);
  }
  barrier (CLK_LOCAL_MEM_FENCE);
  return (int) popcount (taken);
}

#define ADD_SQUARE(k) sum += add_squares (unpack (part[k].y), \
    unpack (pixels[source + (int) part[k].x]))

/* Returns the sum of squared differences between the @n pixels of a part of a target patch and
 * the source patch around a pixel. Stops early when the sum exceeds @bound; the result may be
 * too small then. */
static uint
find_part_cost (global const uint * pixels, local const uint2 * part, int n,
    int source, uint bound)
{
  uint sum = 0;
  int k = 0;

  /* Unrolls the loop manually, because the reads of several pixels then run in parallel. */
  for (; k <= n - 4 && sum <= bound; k += 4) {
    ADD_SQUARE (k);
    ADD_SQUARE (k + 1);
    ADD_SQUARE (k + 2);
    ADD_SQUARE (k + 3);
  }
  for (; k < n && sum <= bound; k++)
    ADD_SQUARE (k);
  return sum;
}
#endif

/* match_peel() fills the unknown pixels of the coarsest level that are at a given distance from
 * the known part: the n pixels starting at lists[first]. Each pixel gets the color at the
 * center of the best of several source patches. These are random patches, and patches that
 * continue the source patches of its neighbors. */
#define PEEL_ARGUMENTS global uint * pixels, global const uchar * flags, \
    int at, int width, int height, global const int *lists, int first, int n, \
    int first_source, int n_sources, int trials, int level, int distance, \
    global uint2 * field
#define GET_TRIAL(pixel, center, number) get_trial (flags, width, height, \
    lists + first_source, n_sources, trials, level, distance, pixel, center, \
    number, field)

#if LANES == 16
kernel void
match_peel (PEEL_ARGUMENTS)
{
  int n_trials = 9 + min (trials, n_sources), place, k;

  pixels += at;
  flags += at;
  FOR_EACH (place, n) {
    int i = lists[first + place], center = find_center (width, height, i);
    Match best = { ~0u, -1 };
    Part part;

    take_part (pixels, flags, width, center, distance, &part);
    for (k = 0; k < n_trials; k++) {
      int source = GET_TRIAL (i, center, k);

      if (source >= 0)
        choose (&best, width, center, find_part_cost (pixels, &part, source,
                best.cost), source);
    }
    fill_pixel (pixels, i, center, best.source, field);
  }
}
#else
/* Fills a pixel in each work-group. The work-items share the source patches that are tried for
 * the pixel. */
kernel void
match_peel (PEEL_ARGUMENTS)
{
  local uint2 part[MATCH_AREA];
  local ulong keys[GROUP];
  local uint bits[2], bound, index;
  int item = get_local_id (0), i = lists[first + (int) get_group_id (0)];
  int center = find_center (width, height, i), n_pixels, k;
  Match best = { ~0u, -1 };
  ulong2 match;

  pixels += at;
  flags += at;
  if (item == 0)
    bound = ~0u;
  n_pixels = take_part (pixels, flags, width, center, distance, bits, part);
  for (k = item; k < 9 + min (trials, n_sources); k += GROUP) {
    int source = GET_TRIAL (i, center, k);

    if (source >= 0)
      choose (&best, width, center, find_part_cost (pixels, part, n_pixels,
              source, min (best.cost, atomic_min (&bound, best.cost))), source);
  }
  match = (ulong2) ((ulong) best.cost << 32
      | find_apart (width, center, best.source), (uint) best.source);
  match = find_best (match, keys, &index, item);
  if (item == 0)
    fill_pixel (pixels, i, center, (int) match.y, field);
}
#endif
