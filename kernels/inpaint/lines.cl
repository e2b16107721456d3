/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Fills holes along straight lines. Each unknown pixel becomes a weighted mean of the first known
 * pixels in both directions of 16 lines through it. Lines whose two ends have similar colors have
 * more weight. The method is described in docs/algorithms/inpaint.md.
 *
 * The array @order contains the indices of @n_unknown pixels, one for each work-item; pixels that
 * are 0 in @shown are skipped. On each of its two sides, a line meets the hole's border at a
 * distance, in steps; the distance counts as 0 if the line leaves the frame first. The array
 * @ends contains these distances: for each line, a pair for each pixel of @order. */
#include "base/lines.h"

/* Computes @ends. Lines are followed for LINES_REACH steps, or without a limit if none of them has
 * an end within this distance. */
kernel void
lines_find (global const int *shown, global const int *order, int n_unknown,
    global ushort2 * ends, int width, int height)
{
  int i;

  for (i = get_global_id (0); i < n_unknown; i += get_global_size (0)) {
    int x = order[i] % width, y = order[i] / width;
    int reach = shown[order[i]] != 0 ? LINES_REACH : 0, k;

    while (reach > 0) {
      int any = 0;

      for (k = 0; k < LINES; k++) {
        int first = find_end (shown, width, height, x, y, k, 1, reach);
        int second = find_end (shown, width, height, x, y, k, -1, reach);

        ends[k * n_unknown + i] = (ushort2) (first, second);
        any |= first | second;
      }
      reach = any == 0 && reach == LINES_REACH ? INT_MAX : 0;
    }
  }
}

/* Returns the samples of the @n components of pixel @at, and 0 for further components. */
static uint4
get_samples (global const int *values, int plane, int n, int at)
{
  return (uint4) (values[at], n > 1 ? values[plane + at] : 0,
      n > 2 ? values[2 * plane + at] : 0, n > 3 ? values[3 * plane + at] : 0);
}

/* Returns the difference of two colors in gray levels of 8 bits. @more: number of bits of a
 * sample beyond 8; @is_rgb: 1 for RGB, 0 for gray and for Y, U, V */
static uint
find_difference (uint4 a, uint4 b, int more, int is_rgb)
{
  uint4 d = abs_diff (a >> (uint) more, b >> (uint) more);

  return is_rgb ? (d.x + 2 * d.y + d.z) >> 2 : d.x + ((d.y + d.z) >> 1);
}

/* Fills the unknown pixels in the array @values, which has a plane of @plane elements for each
 * of @n components. */
kernel void
lines_fill (global const int *shown, global const int *order, int n_unknown,
    global const ushort2 * ends, global int *values, int plane, int n,
    int more, int is_rgb, int width, int height)
{
  int i, k;

  for (i = get_global_id (0); i < n_unknown; i += get_global_size (0)) {
    int at = order[i], x = at % width, y = at / width;
    ulong4 sum = 0, mean;
    ulong weights = 0;

    if (shown[at] == 0)
      continue;
    for (k = 0; k < LINES; k++) {
      uint2 end = convert_uint2 (ends[k * n_unknown + i]);
      int2 p = get_place (x, y, k, (int) end.x, 1);
      int2 q = get_place (x, y, k, (int) end.y, -1);
      uint2 weight;
      uint4 a, b;

      if (end.x + end.y == 0)
        continue;
      /* If a line has no end on one side, this side has the weight 0. */
      p = end.x > 0 ? p : q;
      q = end.y > 0 ? q : p;
      a = get_samples (values, plane, n, p.y * width + p.x);
      b = get_samples (values, plane, n, q.y * width + q.x);
      weight = weigh_ends (end, find_difference (a, b, more, is_rgb));
      sum += convert_ulong4 (a) * weight.x + convert_ulong4 (b) * weight.y;
      weights += (ulong) weight.x + weight.y;
    }
    mean = (sum + weights / 2) / max (weights, (ulong) 1);
    values[at] = (int) mean.x;
    if (n > 1)
      values[plane + at] = (int) mean.y;
    if (n > 2)
      values[2 * plane + at] = (int) mean.z;
    if (n > 3)
      values[3 * plane + at] = (int) mean.w;
  }
}
