/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Finds source patches for all target patches of a level at once, and fills the hole of the
 * level with them. A source or target is the center of such a patch.
 * @pixels, @flags, @field: arrays with elements for one or for all levels
 * @at: index of the first element of the level in these arrays
 * @lists: indices of pixels. The n targets, or unknown pixels, of a level begin at lists[first]. */
#include "inpaint/patchmatch.h"

/* Confidence of a pixel for each distance from the known part. It is 197 / 256 of the confidence
 * at the next smaller distance. */
constant ushort confidences[MATCH_DEPTH + 1] = {
  4096, 3152, 2425, 1866, 1435, 1104, 849, 653, 502, 386, 297, 228, 175, 134,
  103, 79, 60, 46, 35, 26, 20, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15,
  15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15,
  15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15
};

/* ---- Rounds of improvement ----------------------------------------------------- */

/* Derives source patches from the next coarser level. Each target patch gets the source patch
 * that was found at the same position of the coarser level, with the coordinates of its center
 * doubled. */
kernel void
match_grow (global const uchar * flags, int at, int width, int height,
    global const int *lists, int first, int n, global const uint2 * above,
    int above_width, int above_height, global uint2 * field)
{
  int place;

  flags += at;
  FOR_EACH (place, n) {
    int i = lists[first + place], x = i % width, y = i / width;
    int u = clamp (x / 2, MATCH_RADIUS, above_width - MATCH_RADIUS - 1);
    int v = clamp (y / 2, MATCH_RADIUS, above_height - MATCH_RADIUS - 1);
    int from = (int) above[v * above_width + u].x;
    int near_x = 2 * (from % above_width), near_y = 2 * (from / above_width);
    int sx = near_x + x - 2 * u, sy = near_y + y - 2 * v;
    int is_source = is_center (width, height, sx, sy)
        ? flags[sy * width + sx] & FLAG_SOURCE : 0;

    field[i] = (uint2) ((uint) (is_source ? sy * width + sx
            : near_y * width + near_x), 0);
  }
}

/* Tries, for each target patch, the source patches of the target patches that are @jump pixels
 * away from it, shifted back by this distance. If @fresh is set, computes the costs again,
 * because the colors of unknown pixels have changed. */
kernel void
match_propagate (global const uint * pixels, global const uchar * flags, int at,
    int width, int height, global const int *lists, int first, int n, int jump,
    int fresh, global const uint2 * from, global uint2 * to)
{
  int place, k;

  pixels += at;
  flags += at;
  FOR_EACH (place, n) {
    int i = lists[first + place], x = i % width, y = i / width;
    int source = (int) from[i].x;
    Match best = { from[i].y, source };

    if (fresh)
      best.cost = find_cost (pixels, width, i, source, ~0u);
    for (k = 0; k < 9; k++) {
      int dx = (k % 3 - 1) * jump, dy = (k / 3 - 1) * jump, other;
      int away = dy * width + dx;

      if (k == 4 || !is_center (width, height, x + dx, y + dy)
          || !(flags[i + away] & FLAG_TARGET))
        continue;
      other = (int) from[i + away].x;
      /* Most of these sources are already the best one. They need no division. */
      if (other - away != best.source && is_center (width, height,
              other % width - dx, other / width - dy))
        try_source (pixels, flags, width, i, other - away, &best);
    }
    to[i] = (uint2) ((uint) best.source, best.cost);
  }
}

/* Tries random source patches around the current one, for each target patch, at decreasing
 * distances. */
kernel void
match_search (global const uint * pixels, global const uchar * flags, int at,
    int width, int height, global const int *lists, int first, int n, int radius,
    int level, int round, global uint2 * field)
{
  int place, r;

  pixels += at;
  flags += at;
  FOR_EACH (place, n) {
    int i = lists[first + place], source = (int) field[i].x, trial = 0;
    Match best = { field[i].y, source };

    for (r = radius; r > 0; r /= 2) {
      uint random = draw (level, round + 1, i, trial++);
      int x = best.source % width - r
          + (int) ((random & 0xffff) * (uint) (2 * r + 1) >> 16);
      int y = best.source / width - r
          + (int) ((random >> 16) * (uint) (2 * r + 1) >> 16);

      x = clamp (x, MATCH_RADIUS, width - MATCH_RADIUS - 1);
      y = clamp (y, MATCH_RADIUS, height - MATCH_RADIUS - 1);
      try_source (pixels, flags, width, i, y * width + x, &best);
    }
    field[i] = (uint2) ((uint) best.source, best.cost);
  }
}

/* ---- Filling with the sources found -------------------------------------- */

/* Returns the lowest cost of the target patches that cover pixel (x, y). Sets @best to the first
 * target with this cost. */
static uint
find_least (global const uint2 * field, int width, int height, int x, int y,
    int *best)
{
  uint least = ~0u;
  int u, v;

  *best = 0;
  for (v = max (y - MATCH_RADIUS, MATCH_RADIUS);
      v < min (y + MATCH_RADIUS + 1, height - MATCH_RADIUS); v++) {
    for (u = max (x - MATCH_RADIUS, MATCH_RADIUS);
        u < min (x + MATCH_RADIUS + 1, width - MATCH_RADIUS); u++) {
      uint cost = field[v * width + u].y;

      *best = cost < least ? v * width + u : *best;
      least = min (least, cost);
    }
  }
  return least;
}

/* Sets each unknown pixel to a weighted mean over the target patches that cover it. The mean is
 * over the pixels with which the source patches of these target patches would fill it. A patch
 * has a larger weight if its cost is low and if it is near to the known part. */
kernel void
match_vote (global uint * pixels, global const uchar * flags, int at, int width,
    int height, global const int *lists, int first, int n,
    global const uint2 * field)
{
  int place;

  pixels += at;
  flags += at;
  FOR_EACH (place, n) {
    int i = lists[first + place], x = i % width, y = i / width, u, v, best;
    uint least = find_least (field, width, height, x, y, &best) + MATCH_SOFT;
    uint4 sum = 0;
    uint all = 0;

    for (v = max (y - MATCH_RADIUS, MATCH_RADIUS);
        v < min (y + MATCH_RADIUS + 1, height - MATCH_RADIUS); v++) {
      for (u = max (x - MATCH_RADIUS, MATCH_RADIUS);
          u < min (x + MATCH_RADIUS + 1, width - MATCH_RADIUS); u++) {
        int q = v * width + u;
        uint2 match = field[q];
        uint weight = (least << 8) / (match.y + MATCH_SOFT);

        weight = (weight * weight
            * confidences[flags[q] & MATCH_DEPTH] >> 12) + 1;
        sum += weight * unpack (pixels[(int) match.x + i - q]);
        all += weight;
      }
    }
    sum = (sum + all / 2) / max (all, 1u);
    pixels[i] = sum.x | sum.y << 8 | sum.z << 16 | sum.w << 24;
  }
}

/* Writes the origin of each unknown pixel of level 0. It is the pixel from which the best target
 * patch that covers the unknown pixel is filled there. Level 0 begins at (x0, y0) in the frame. */
kernel void
match_finish (global const uint2 * field, int width, int height,
    global const int *lists, int first, int n, int frame_width, int x0, int y0,
    global int *origin)
{
  int place;

  FOR_EACH (place, n) {
    int i = lists[first + place], x = i % width, y = i / width, best, from;

    find_least (field, width, height, x, y, &best);
    from = (int) field[best].x + i - best;
    origin[(y0 + y) * frame_width + x0 + x] =
        (y0 + from / width) * frame_width + x0 + from % width;
  }
}
