/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Fills holes along straight lines. Each unknown pixel becomes a weighted mean of the first known
 * pixels in both directions of 16 lines through it. Lines whose two ends have similar colours have
 * more weight. The method is described in docs/algorithms/inpaint.md.
 *
 * The array @order contains the indices of @n_unknown pixels, one for each work-item; pixels
 * that are 0 in @shown are skipped. A line meets the hole's border at a distance, in steps, on
 * each side; 0 if it leaves the frame first. The array @ends contains these distances: line
 * after line, a pair for each pixel of @order. */
#include "inpaint/inpaint-shared.h"

/* Cosines of multiples of 180 / LINES degrees, in units of 1 / 16 */
constant int cosines[LINES / 2 + 1] = { 16, 16, 15, 13, 11, 9, 6, 3, 0 };

/* Returns the pixel that is @t steps from (x, y) along the line @k, on the side @side, 1 or -1 */
static int2
get_place (int x, int y, int k, int t, int side)
{
  int dx = k <= LINES / 2 ? cosines[k] : -cosines[LINES - k];
  int dy = cosines[abs_diff (k, LINES / 2)];

  return (int2) (x + side * ((2 * t * dx + 16) >> 5),
      y + side * ((2 * t * dy + 16) >> 5));
}

/* Returns the distance of the first known pixel along a line, at most @reach; 0 if there is
 * none. */
static int
find_end (global const int *shown, int width, int height, int x, int y,
    int k, int side, int reach)
{
  int found = 0, t = 1, is_over = 0;

  while (!is_over) {
    int2 at = get_place (x, y, k, t, side);
    int is_inside = at.x >= 0 && at.y >= 0 && at.x < width && at.y < height;
    int is_known = is_inside && shown[is_inside ? at.y * width + at.x : 0] == 0;

    found = is_known ? t : 0;
    t++;
    is_over = !is_inside || is_known || t > reach;
  }
  return found;
}

/* Computes @ends. Only if no line has an end within LINES_REACH steps, lines are longer. */
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

/* Returns the samples of pixel @at of @n components, 0 for further ones */
static uint4
get_samples (global const int *values, int plane, int n, int at)
{
  return (uint4) (values[at], n > 1 ? values[plane + at] : 0,
      n > 2 ? values[2 * plane + at] : 0, n > 3 ? values[3 * plane + at] : 0);
}

/* Returns the difference of two colours in grey levels of 8 bits. @more: bits of samples beyond 8;
 * @is_rgb: 0 for grey and for Y, U, V */
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
      int has_both = end.x > 0 && end.y > 0;
      uint length = end.x + end.y, weight, first, second;
      uint4 a, b;

      if (length == 0)
        continue;
      /* The side without an end has the weight 0. */
      p = end.x > 0 ? p : q;
      q = end.y > 0 ? q : p;
      a = get_samples (values, plane, n, p.y * width + p.x);
      b = get_samples (values, plane, n, q.y * width + q.x);
      if (has_both) {
        uint d = find_difference (a, b, more, is_rgb), l = min (length, 4095u);

        weight = (uint) ((ulong) ((1u << 24) / (l * l))
            * (163840u / (10 + d)) >> 6);
        weight = max (weight / length, 1u);
        first = weight * end.y;
        second = weight * end.x;
      } else {
        uint l = min (length, 2047u);

        weight = max (((1u << 22) / (l * l) * 328) >> 6, 1u);
        first = end.x > 0 ? weight : 0;
        second = weight - first;
      }
      sum += convert_ulong4 (a) * first + convert_ulong4 (b) * second;
      weights += (ulong) first + second;
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
