/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* The way from a frame to the working copy and back, one component at a time,
 * and what is done without any source.
 *
 * Work-item (i, j) takes column i and every further get_global_size (0)th of row
 * j of its part of the frame. */
#include "inpaint-samples.cl"
#include "inpaint.cl"

/* Rows from y0 on, columns x0 to x1 - 1. colour: which of the working copy it
 * becomes; more: by how many bits values have to be shorter. */
__kernel void
inpaint_load (__global const uchar * in, int offset, int stride, int step,
    int bytes, int shift, int most, int sub_x, int sub_y, int more,
    __global word * work, int plane, int width, int colour, int x0, int x1,
    int y0)
{
  int y = y0 + get_global_id (1), x;

  for (x = x0 + get_global_id (0); x < x1; x += get_global_size (0)) {
    uint value = get_sample (in, offset, stride, step, bytes, shift, most,
        x >> sub_x, y >> sub_y) >> more;

#if LANES == 16
    work[colour * plane + y * width + x] = value;
#else
    ((__global uchar *) & work[y * width + x])[colour] = value;
#endif
  }
}

/* A sample of a pixel that is not filled yet: the mean of those of the known pixels
 * next to the hole in its row and its column, the nearer ones counting more. */
static uint
guess (__global const uchar * in, int offset, int stride, int step, int bytes,
    int shift, int most, int sub_x, int sub_y, __global const int *object,
    int width, int height, int x, int y)
{
  uint sum = 0, weights = 0;
  int i;

  for (i = 0; i < 4; i++) {
    int dx = i == 0 ? -1 : i == 1, dy = i == 2 ? -1 : i == 3, n = 1;

    while (x + n * dx >= 0 && x + n * dx < width && y + n * dy >= 0
        && y + n * dy < height && object[(y + n * dy) * width + x + n * dx] != 0)
      n++;
    if (x + n * dx >= 0 && x + n * dx < width && y + n * dy >= 0
        && y + n * dy < height) {
      uint weight = (uint) max (4096 / n, 1);

      sum += weight * get_sample (in, offset, stride, step, bytes, shift, most,
          (x + n * dx) >> sub_x, (y + n * dy) >> sub_y);
      weights += weight;
    }
  }
  return weights > 0 ? (sum + weights / 2) / weights : 0;
}

/* For samples that unknown pixels have: the rounded mean of what these pixels
 * have where they are from, which is -1 where nothing is filled yet, or, with plain,
 * their value. */
__kernel void
inpaint_store (__global const uchar * in, int offset, int stride, int step,
    int bytes, int shift, int most, int sub_x, int sub_y,
    __global uchar * out, int out_offset, int out_stride,
    __global const int *object, __global const int *origin, int plain,
    int width, int height, int x0, int x1, int y0)
{
  int y = y0 + get_global_id (1), x;

  for (x = x0 + get_global_id (0); x < x1; x += get_global_size (0)) {
    uint sum = 0, count = 0;
    int u, v;

    for (v = y << sub_y; v < min ((y + 1) << sub_y, height); v++) {
      for (u = x << sub_x; u < min ((x + 1) << sub_x, width); u++) {
        int from = origin[v * width + u];

        if (object[v * width + u] == 0)
          continue;
        sum += plain ? (uint) from
            : from < 0 ? guess (in, offset, stride, step, bytes, shift, most,
            sub_x, sub_y, object, width, height, u, v)
            : get_sample (in, offset, stride, step, bytes, shift, most,
            from % width >> sub_x, from / width >> sub_y);
        count++;
      }
    }
    if (count > 0)
      put_sample (out, out_offset, out_stride, step, bytes, shift, x, y,
          (sum + count / 2) / count);
  }
}

/* ---- Without a source -------------------------------------------------------- */

/* Rows from y0 on, columns x0 to x1 - 1. */
__kernel void
inpaint_load_plain (__global const uchar * in, int offset, int stride, int step,
    int bytes, int shift, int most, int sub_x, int sub_y, __global int *values,
    int width, int x0, int x1, int y0)
{
  int y = y0 + get_global_id (1), x;

  for (x = x0 + get_global_id (0); x < x1; x += get_global_size (0))
    values[y * width + x] = get_sample (in, offset, stride, step, bytes, shift,
        most, x >> sub_x, y >> sub_y);
}

/* The pixels of order from first on to that before end, all at the same distance
 * from what was known, get the rounded mean of those neighbours that are nearer
 * to it. */
__kernel void
inpaint_diffuse (__global int *values, __global const int *distances,
    __global const int *order, int first, int end, int width, int height)
{
  int i;

  for (i = first + get_global_id (0); i < end; i += get_global_size (0)) {
    int at = order[i], x = at % width, y = at / width, u, v;
    uint sum = 0, count = 0;

    for (v = max (y - 1, 0); v < min (y + 2, height); v++) {
      for (u = max (x - 1, 0); u < min (x + 2, width); u++) {
        if (distances[v * width + u] >= distances[at])
          continue;
        sum += (uint) values[v * width + u];
        count++;
      }
    }
    values[at] = (sum + count / 2) / count;
  }
}
