/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Fills pixels from the known pixels at both ends of lines through them. Fills pixels of the
 * plate (the remembered background) that were never visible, and hidden pixels of the luma from
 * which optical flow is measured. The array @order has the indices of all pixels to fill; the
 * array @ends is described in inpaint/lines.cl. */
#define LINES_MASK uchar
#include "base/lines.h"
#include "layers/layers.h"

/* Finds the ends of the lines through the pixels of @order. In @mask, known pixels are 0. */
kernel void
layers_find_ends (global const uchar * mask, global const int *order, int n,
    global ushort2 * ends, int width, int height)
{
  int i, k;

  for (i = get_global_id (0); i < n; i += get_global_size (0)) {
    int x = order[i] % width, y = order[i] / width, reach = LINES_REACH;

    while (reach > 0) {
      int any = 0;

      for (k = 0; k < LINES; k++) {
        int first = find_end (mask, width, height, x, y, k, 1, reach);
        int second = find_end (mask, width, height, x, y, k, -1, reach);

        ends[k * n + i] = (ushort2) (first, second);
        any |= first | second;
      }
      reach = any == 0 && reach == LINES_REACH ? INT_MAX : 0;
    }
  }
}

/* Fills luma. */
kernel void
layers_fill_luma (global const int *order, int n, global const ushort2 * ends,
    global uchar * luma, int luma_stride, int width)
{
  int i, k;

  for (i = get_global_id (0); i < n; i += get_global_size (0)) {
    int x = order[i] % width, y = order[i] / width;
    ulong sum = 0, weights = 0;

    for (k = 0; k < LINES; k++) {
      uint2 end = convert_uint2 (ends[k * n + i]), weight;
      int2 p = get_place (x, y, k, (int) end.x, 1);
      int2 q = get_place (x, y, k, (int) end.y, -1);
      uint a, b;

      if (end.x + end.y == 0)
        continue;
      p = end.x > 0 ? p : q;
      q = end.y > 0 ? q : p;
      a = luma[p.y * luma_stride + p.x];
      b = luma[q.y * luma_stride + q.x];
      weight = weigh_ends (end, abs_diff (a, b));
      sum += (ulong) weight.x * a + (ulong) weight.y * b;
      weights += (ulong) weight.x + weight.y;
    }
    if (weights > 0)
      luma[y * luma_stride + x] = (sum + weights / 2) / weights;
  }
}

/* Returns the difference of two colors of the plate, in gray levels of 8 bits. */
static uint
find_plate_difference (const int *a, const int *b)
{
  uint d[3] = { 0, 0, 0 };
  int c;

  for (c = 0; c < N && c < 3; c++)
    d[c] = abs_diff (a[c] >> (MORE + 4), b[c] >> (MORE + 4));
  return IS_RGB ? (d[0] + 2 * d[1] + d[2]) >> 2 : d[0] + ((d[1] + d[2]) >> 1);
}

/* Computes the filled color of pixel @at of the plate. Returns whether any line has an end within
 * @reach. */
static int
fill_along_lines (global const int *plate, global const uchar * unseen,
    int width, int height, int at, int reach, global int *target)
{
  ulong sum[4] = { 0, 0, 0, 0 }, weights = 0;
  int x = at % width, y = at / width, size = width * height, k, c;

  for (k = 0; k < LINES; k++) {
    uint2 end = (uint2) (find_end (unseen, width, height, x, y, k, 1, reach),
        find_end (unseen, width, height, x, y, k, -1, reach)), weight;
    int2 p = get_place (x, y, k, (int) end.x, 1);
    int2 q = get_place (x, y, k, (int) end.y, -1);
    int a[4] = { 0, 0, 0, 0 }, b[4] = { 0, 0, 0, 0 };

    if (end.x + end.y == 0)
      continue;
    p = end.x > 0 ? p : q;
    q = end.y > 0 ? q : p;
    for (c = 0; c < N; c++) {
      a[c] = plate[c * size + p.y * width + p.x];
      b[c] = plate[c * size + q.y * width + q.x];
    }
    weight = weigh_ends (end, find_plate_difference (a, b));
    weights += (ulong) weight.x + weight.y;
    for (c = 0; c < N; c++)
      sum[c] += (ulong) weight.x * a[c] + (ulong) weight.y * b[c];
  }
  for (c = 0; c < N && weights > 0; c++)
    target[c * size + at] = (sum[c] + weights / 2) / weights;
  return weights > 0;
}

/* Fills pixels of the plate (the remembered background) that were never visible. Computes a
 * new filling, @target, at intervals of some frames, and fades from the old filling to the
 * new one. Also stores the noise for later kernels. */
kernel void
layers_fill_plate (global const uchar * unseen, global const uint * sums,
    global int *state, int number, int slots, int width, int height, int stride, int area,
    global int *plate, global int *target, global uint * plates)
{
  Scene s = get_scene (state, slots, number);
  int y = get_global_id (1), size = width * height, x, c;
  int is_new = s.age < 3 || s.age == 4 || s.age % 8 == 0;

  if (get_global_id (0) == 0 && y == 0)
    state[LAYERS_NOISE + s.which] = find_noise (sums, state[LAYERS_NOISE
            + s.which]);
  plate += (size_t) s.which * N * size;
  target += (size_t) s.which * N * size;
  plates += (size_t) s.which * area;
  for EACH_COLUMN (x, width) {
    int at = y * width + x, v[4] = { 0, 0, 0, 0 };

    if (!unseen[at])
      continue;
    if (is_new) {
      for (c = 0; c < N; c++)
        target[c * size + at] = plate[c * size + at];
      if (!fill_along_lines (plate, unseen, width, height, at, LINES_REACH,
              target))
        fill_along_lines (plate, unseen, width, height, at, INT_MAX, target);
    }
    for (c = 0; c < N; c++) {
      int change = target[c * size + at] - plate[c * size + at];

      v[c] = plate[c * size + at] + (s.age < 16 ? change : change / 8);
      plate[c * size + at] = v[c];
    }
    plates[get_index (stride, x, y)] = make_pixel (v[0], v[1], v[2], MORE + 4);
  }
}
