/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Adapts patches from one frame of a video to the next: a target patch keeps its source patch or
 * gets a better one from nearby.
 *
 * A target is the center of a target patch, a source the center of a source patch. For each
 * pixel that was unknown, the array @filler contains the target whose patch filled it (for a
 * target, the target itself); for other pixels, it contains -1. For each filled pixel, the array
 * @origin contains the pixel from which it is copied. The origin of a target is its source. */
#include "inpaint/compare.h"

/* Size, in pixels, of the area around the last frame's source that is searched first for a
 * better source. */
#define COLUMNS 64
#define ROWS 16

/* Copies the elements of @filler inside a box of the frame to @list, row by row. */
kernel void
inpaint_list (global const int *filler, int width, int x0, int y0, int columns,
    global int *list)
{
  int y = get_global_id (1), x;

  for (x = get_global_id (0); x < columns; x += get_global_size (0))
    list[y * columns + x] = filler[(y0 + y) * width + x0 + x];
}

/* Returns the part of a window around (x, y) that is searched first for a better source. */
static int4
limit_around (int4 window, int x, int y)
{
  return (int4) (max (window.s0, x - COLUMNS / 2),
      max (window.s1, y - ROWS / 2), min (window.s2, x + COLUMNS / 2),
      min (window.s3, y + ROWS / 2));
}

/* Searches the rectangle @part for the source patch that is most similar to the n known pixels
 * of the target patch, in @entries. If LANES is 16, searches all of its pixels, otherwise every
 * step-th pixel, starting at pixel @i. Returns this patch if its cost is at most @bound and it is
 * better than @best, otherwise returns @best. */
static ulong2
search_part (global const word * work, int plane,
    global const uchar * sources, global const uint4 * entries, int n,
    int4 part, int2 target, int width, uint bound, ulong2 best, int i,
    int step)
{
#if LANES == 16
  for (int v = part.s1; v < part.s3; v++) {
    for (int u = part.s0; u < part.s2; u += WIDE) {
      ulong2 match = compare (work, plane, sources, entries, n, v * width + u,
          part.s2 - u, bound, u - target.x, v - target.y);

      best = is_better (match, best) ? match : best;
      bound = min (bound, (uint) (best.x >> 32));
    }
  }
#else
  ulong2 match = search_pixels (work, sources, part, entries, n, target, width, 1,
      bound, i, step);

  best = is_better (match, best) ? match : best;
#endif
  return best;
}

/* Makes the pixel @from the source of the target @to: all pixels that the target's patch filled
 * are now copied from the patch around @from. Both pixels are centers of patches. */
static void
move_patch (global const int *filler, global int *origin, int to, int from,
    int width, int height, int radius)
{
  int x = to % width - radius, y = to / width - radius, size = 2 * radius + 1;

  for (int i = get_local_id (0); i < size * size; i += GROUP) {
    int u = x + i % size, v = y + i / size, at = v * width + u;

    if (u >= 0 && v >= 0 && u < width && v < height && filler[at] == to)
      origin[at] = at - to + from;
  }
}

/* Lists those pixels of the patch around target @to that its patch did not fill, with their
 * current colors. Adds their number to @count, and the cost of the source @from to @cost. */
static void
list_pixels (global const word * work, int plane, global const int *filler,
    global const int *origin, int to, int from, int width, int height,
    int radius, global uint4 * entries, local uint * count, local uint * cost,
    int item)
{
  int size = 2 * radius + 1;
  int x = to % width - radius, y = to / width - radius;

  if (item == 0)
    *count = *cost = 0;
  barrier (CLK_LOCAL_MEM_FENCE);
  for (int i = item; i < size * size; i += GROUP) {
    int u = x + i % size, v = y + i / size, at = v * width + u;
    uint4 entry;

    if (u < 0 || v < 0 || u >= width || v >= height || filler[at] == to)
      continue;
    entry = make_entry (work, plane, filler[at] < 0 ? at : origin[at], at - to);
    entries[atomic_inc (count)] = entry;
    atomic_add (cost, square (work, plane, from + (int) entry.x, entry));
  }
  barrier (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}

/* Accepts the match @best of target @to: makes it the source of the target, and writes its cost
 * to @found. If @best is NO_MATCH, the target keeps its source. */
static void
accept (ulong2 best, global const int *filler, global int *origin, int to,
    global uint2 * found, int width, int height, int radius, int item)
{
  if (best.x >= NO_KEY)
    return;
  if (item == 0)
    *found = (uint2) ((uint) (best.x >> 32), found->y + 1u);
  move_patch (filler, origin, to, (int) (uint) best.y, width, height, radius);
}

/* Finds sources for the targets @first, @first + 1 ... These targets are independent: the patch
 * of a target filled no pixel in the patch of another. The work-groups with one number in
 * dimension 0 share the search of one target: each searches a part of the window. If a target
 * has only one work-group, it also accepts the source.
 * @entries: scratch memory, a patch for each work-group
 * @fits: read, for each target: cost of its source when the hole was filled, and twice the number
 *   of compared pixels
 * @found: written, for each target: cost of its source in this frame, and twice the number of
 *   compared pixels, plus 1 if the source changed
 * @matches: written if a target has several work-groups: the best match of each
 * @search: 1 to search for a better source if the current one matches worse than in @fits */
kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1))) void
inpaint_follow (global const word * work, int plane,
    global const uchar * sources, global const int *object,
    global const int4 * windows, global const int *filler,
    global int *origin, global const int *targets, int first,
    global uint4 * entries, global const uint2 * fits,
    global uint2 * found, global ulong2 * matches, int width, int height,
    int radius, int search)
{
  local ulong keys[GROUP];
  local uint count, cost, index;
  int number = first + get_group_id (0), to = targets[number];
  int from = origin[to], item = get_local_id (0), pass;
  int n_parts = get_num_groups (1), part = get_group_id (1);
  int group = get_group_id (0) * n_parts + part;
  int2 target = (int2) (to % width, to / width);
  uint n, least, bound;
  int4 window = limit_window (windows[object[to] - 1], width, height, radius);
  ulong2 best = NO_MATCH;

  entries += (2 * radius + 1) * (2 * radius + 1) * group;
  list_pixels (work, plane, filler, origin, to, from, width, height, radius,
      entries, &count, &cost, item);
  n = count;
  least = cost;
  if (item == 0 && part == 0)
    found[number] = (uint2) (least, 2u * n);

  /* Accepts a new source only if its cost is at least a quarter lower than the cost of the old
   * one. */
  bound = least - min (least / 4 + 1, least);
  /* Searches near the current source in pass 0; each work-group of a target does this, so that
   * all of them have the same result. If no source there is good, searches the whole window in
   * pass 1. */
  for (pass = 0; pass < 2; pass++) {
    int4 area = pass == 0 ? limit_around (window, from % width, from / width)
        : window;

    if (!search || least <= (pass == 0 ? NEAR_LIMIT (fits[number].x, n)
            : FAR_LIMIT (fits[number].x, n)))
      area.s3 = area.s1;
    best = search_part (work, plane, sources, entries, (int) n, area, target,
        width, bound, best, pass == 0 ? item : part * GROUP + item,
        pass == 0 ? GROUP : n_parts * GROUP);
    best = find_best (best, keys, &index, item);
    bound = min (bound, (uint) (best.x >> 32));
    least = min (least, (uint) (best.x >> 32));
  }
  if (n_parts == 1)
    accept (best, filler, origin, to, found + number, width, height, radius,
        item);
  else if (item == 0)
    matches[group] = best;
}

/* Accepts the best of the @n_parts matches that the work-groups of each target found. The
 * arguments are those of inpaint_follow(). */
kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1))) void
inpaint_accept (global const int *filler, global int *origin,
    global const int *targets, int first, global uint2 * found,
    global const ulong2 * matches, int n_parts, int width, int height,
    int radius)
{
  local ulong keys[GROUP];
  local uint index;
  int number = first + get_group_id (0), item = get_local_id (0);
  ulong2 best = NO_MATCH;

  matches += get_group_id (0) * n_parts;
  for (int i = item; i < n_parts; i += GROUP)
    best = is_better (matches[i], best) ? matches[i] : best;
  best = find_best (best, keys, &index, item);
  accept (best, filler, origin, targets[number], found + number, width,
      height, radius, item);
}
