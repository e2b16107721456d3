/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Follows patches from one frame of a video to the next: a target patch keeps
 * its source patch or gets a better one from nearby.
 *
 * A target is the centre of a target patch, a source the centre of a source
 * patch. The array filler holds, for each pixel that was unknown, the target
 * whose patch filled it (for a target, the target itself), and -1 for other
 * pixels. The array origin holds, for each filled pixel, the pixel from which
 * it is copied. The origin of a target is its source. */
#include "inpaint/compare.h"

/* Size in pixels of the area around the present source in which a better source
 * is searched first. */
#define COLUMNS 64
#define ROWS 16

/* Copies the elements of @filler for a box of the frame to @list, row by
 * row. */
kernel void
inpaint_list (global const int *filler, int width, int x0, int y0, int columns,
    global int *list)
{
  int y = get_global_id (1), x;

  for (x = get_global_id (0); x < columns; x += get_global_size (0))
    list[y * columns + x] = filler[(y0 + y) * width + x0 + x];
}

/* Finds a source for one target in each work-group, for the targets from number
 * @first on. These targets are independent: no target's patch filled a pixel in
 * the patch of another. The array entries has room for a patch for each target.
 * The array found gets, for each target, the cost and twice the number of
 * compared pixels, plus 1 if the source changed. The array fits holds the same
 * numbers from the time when the hole was filled. The parameter search tells
 * whether to search for a better source where the present one fits worse than
 * at that time. */
kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1))) void
inpaint_follow (global const word * work, int plane,
    global const uchar * sources, global const int *object,
    global const int4 * windows, global const int *filler,
    global int *origin, global const int *targets, int first,
    global uint4 * entries, global const uint2 * fits,
    global uint2 * found, int width, int height, int radius, int search)
{
  local ulong keys[GROUP];
  local uint count, cost, first_pixel;
#if LANES != 16
  int columns;
#endif
  int number = first + get_group_id (0), item = get_local_id (0);
  int size = 2 * radius + 1, n, i, pass, to = targets[number];
  int from = origin[to], x = to % width - radius, y = to / width - radius;
  int2 target = (int2) (to % width, to / width);
  uint least, bound;
  int4 window = windows[object[to] - 1];
  ulong2 best = NO_MATCH, match;

  entries += size * size * get_group_id (0);
  if (item == 0)
    count = cost = 0;
  barrier (CLK_LOCAL_MEM_FENCE);
  for (i = item; i < size * size; i += GROUP) {
    int u = x + i % size, v = y + i / size, at = v * width + u;
    uint4 entry;

    if (u < 0 || v < 0 || u >= width || v >= height || filler[at] == to)
      continue;
    entry = make_entry (work, plane, filler[at] < 0 ? at : origin[at], at - to);
    entries[atomic_inc (&count)] = entry;
    atomic_add (&cost, square (work, plane, from + (int) entry.x, entry));
  }
  barrier (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  n = (int) count;
  least = cost;

  /* Requires that a new source costs at least a quarter less than the old
   * one. */
  bound = least - min (least / 4 + 1, least);
  /* Limits the window to centres of patches that lie in the frame. */
  window.s0 = max (window.s0, radius);
  window.s1 = max (window.s1, radius);
  window.s2 = min (window.s2, width - radius);
  window.s3 = min (window.s3, height - radius);
  /* Searches near the present source in pass 0. Searches the whole window in
   * pass 1, if no source nearby is good. */
  for (pass = 0; pass < 2; pass++) {
    int4 part = window;

    if (pass == 0) {
      part.s0 = max (part.s0, from % width - COLUMNS / 2);
      part.s1 = max (part.s1, from / width - ROWS / 2);
      part.s2 = min (part.s2, from % width + COLUMNS / 2);
      part.s3 = min (part.s3, from / width + ROWS / 2);
    }
    if (!search || least <= (pass == 0 ? NEAR_LIMIT (fits[number].x, n)
            : FAR_LIMIT (fits[number].x, n)))
      part.s3 = part.s1;
#if LANES == 16
    for (; part.s1 < part.s3; part.s1++) {
      for (i = part.s0; i < part.s2; i += WIDE) {
        match = compare (work, plane, sources, entries, n, part.s1 * width + i,
            part.s2 - i, bound, i - target.x, part.s1 - target.y);
        best = is_better (match, best) ? match : best;
        bound = min (bound, (uint) (best.x >> 32));
      }
    }
#else
    columns = max (part.s2 - part.s0, 1);
    for (i = item; i < columns * (part.s3 - part.s1); i += GROUP) {
      int u = part.s0 + i % columns, v = part.s1 + i / columns;
      uint here;

      if (!sources[v * width + u])
        continue;
      here = compare (work, entries, n, v * width + u, bound);
      match = (ulong2) (KEY (here, u - target.x, v - target.y), v * width + u);
      best = here < WORST && is_better (match, best) ? match : best;
      bound = min (bound, (uint) (best.x >> 32));
    }
#endif
    keys[item] = best.x;
    if (item == 0)
      first_pixel = ~0u;
    barrier (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    for (i = GROUP / 2; i > 0; i /= 2) {
      if (item < i)
        keys[item] = min (keys[item], keys[item + i]);
      barrier (CLK_LOCAL_MEM_FENCE);
    }
    if (best.x == keys[0])
      atomic_min (&first_pixel, (uint) best.y);
    barrier (CLK_LOCAL_MEM_FENCE);
    best = (ulong2) (keys[0], first_pixel);
    bound = min (bound, (uint) (best.x >> 32));
    least = min (least, (uint) (best.x >> 32));
    barrier (CLK_LOCAL_MEM_FENCE);
  }
  if (item == 0)
    found[number] = best.x < NO_KEY
        ? (uint2) ((uint) (best.x >> 32), 2u * (uint) n + 1u)
        : (uint2) (least, 2u * (uint) n);
  if (best.x >= NO_KEY)
    return;
  for (i = item; i < size * size; i += GROUP) {
    int u = x + i % size, v = y + i / size, at = v * width + u;

    if (u >= 0 && v >= 0 && u < width && v < height && filler[at] == to)
      origin[at] = at - to + (int) (uint) best.y;
  }
}
