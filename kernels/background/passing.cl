/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Shows moving objects that pass behind a hole. The part of the frame around the hole begins at
 * column @left and row @top, both multiples of 4, and is @columns pixels wide. Work-item (i, j)
 * processes every get_global_size (0)-th column of a row, starting at column i. */
#include "base/any-samples.h"
#include "background/background-shared.h"

/* Compares a component with the remembered background, for each pixel of the part around the
 * hole. Writes two bytes for each pixel to @found.
 * .x: the value of the pixel in 8 bits; written only if @component is 0, the first component.
 * .y: flags. FOUND_DIFFERS: the pixel is visible, and this component or one compared before
 * differs by more than @near. FOUND_UNKNOWN: the pixel is hidden, and its background is not
 * remembered.
 * @samples: as for background_look(). @stored: number of columns of the component. @width:
 * number of columns of the frame. */
kernel void
passing_find (global const uchar * in, int offset, int stride, int step,
    int bytes, int shift, int most, int sub_x, int sub_y,
    global const uchar * hidden, global const ushort4 * samples, int stored,
    int width, int near, int component, int left, int top, int columns,
    global uchar2 * found)
{
  int y = get_global_id (1), x;

  for (x = get_global_id (0); x < columns; x += get_global_size (0)) {
    int u = (left + x) >> sub_x, v = (top + y) >> sub_y;
    uint value = get_sample (in, offset, stride, step, bytes, shift, most, u,
        v);
    ushort4 sample = samples[v * stored + u];
    uchar covered = hidden[(top + y) * width + left + x];
    uchar2 last = component == 0 ?
        (uchar2) (value * 255 / (uint) most, covered == 2 ? FOUND_UNKNOWN : 0)
        : found[y * columns + x];
    uchar differs = !covered && sample.z > 0
        && abs ((int) value - (int) sample.x) > (uint) near ? FOUND_DIFFERS : 0;

    found[y * columns + x] = (uchar2) (last.x, last.y | differs);
  }
}

/* Copies the samples of a component, in a box of the part around the hole, to the array @kept:
 * one sample for each pixel, starting at element @first. The box is @size columns wide, and
 * begins at column x0 and row y0. */
kernel void
passing_keep (global const uchar * in, int offset, int stride, int step,
    int bytes, int shift, int most, int sub_x, int sub_y, int left, int top,
    int columns, int x0, int y0, int size, int first, global ushort * kept)
{
  int y = y0 + get_global_id (1), i;

  for (i = get_global_id (0); i < size; i += get_global_size (0)) {
    int x = x0 + i;

    kept[first + y * columns + x] = get_sample (in, offset, stride, step, bytes,
        shift, most, (left + x) >> sub_x, (top + y) >> sub_y);
  }
}

/* Writes samples of a moving object to the frame @out: samples of a component whose first pixel
 * belongs to the track @owner. They are read from the array @kept, at the position dx columns
 * to the left and dy rows above. */
kernel void
passing_show (global uchar * out, int offset, int stride, int step, int bytes,
    int shift, int sub_x, int sub_y, global const uchar * owners, int owner,
    int left, int top, int columns, int dx, int dy, int first,
    global const ushort * kept)
{
  int v = get_global_id (1), u;
  int y = v << sub_y;

  for (u = get_global_id (0); u << sub_x < columns; u += get_global_size (0)) {
    int x = u << sub_x;

    if (owners[y * columns + x] == owner)
      put_sample (out, offset, stride, step, bytes, shift,
          (left >> sub_x) + u, (top >> sub_y) + v,
          kept[first + (y - dy) * columns + x - dx]);
  }
}
