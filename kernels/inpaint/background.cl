/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* What is behind the objects, sample by sample: value, which has been there count
 * times, and what is there instead of it, others times in a row; one ushort4 for
 * each. Work-item (i, j) takes column i and every further get_global_size (0)th
 * of row j. hidden: of each pixel, whether an object is before it. */
#include "inpaint/samples.h"

#define LONGEST 32

/* How many visible samples of each part of a row have been seen before, and how
 * many of them are more than far from what they were. parts: one uint2 for each
 * work-item. */
kernel void
background_compare (global const uchar * in, int offset, int stride, int step,
    int bytes, int shift, int most, global const uchar * hidden,
    global const ushort4 * samples, int width, int far,
    global uint2 * parts)
{
  int y = get_global_id (1), x;
  uint2 sum = 0;

  for (x = get_global_id (0); x < width; x += get_global_size (0)) {
    int value = (int) get_sample (in, offset, stride, step, bytes, shift, most,
        x, y);
    ushort4 sample = samples[y * width + x];
    uint counts = !hidden[y * width + x] && sample.z > 0;

    sum.x += counts;
    sum.y += counts && abs (value - (int) sample.x) > (uint) far;
  }
  parts[y * get_global_size (0) + get_global_id (0)] = sum;
}

static ushort4
remember (ushort4 sample, int value, int near)
{
  int is_same = abs (value - (int) sample.x) <= (uint) near;
  int is_other = sample.w > 0 && abs (value - (int) sample.y) <= (uint) near;
  ushort v = value;

  if (sample.z == 0)
    return (ushort4) (v, v, 1, 0);
  if (is_same)
    return (ushort4) ((ushort) ((3 * (int) sample.x + value + 2) / 4), sample.y,
        min ((int) sample.z + 1, LONGEST), 0);
  if (!is_other)
    return (ushort4) (sample.x, v, sample.z, 1);
  if (sample.w == sample.z)
    return (ushort4) (v, sample.x, sample.w + 1, 0);
  return (ushort4) (sample.x, v, sample.z, sample.w + 1);
}

/* Remembers what is visible of a component, and writes what is remembered of the
 * rest. columns: of it; width: of the frame. is_first: nothing is remembered yet.
 * near: as far apart samples are the same. */
kernel void
background_look (global const uchar * in, int offset, int stride, int step,
    int bytes, int shift, int most, int sub_x, int sub_y,
    global uchar * out, int out_offset, int out_stride,
    global const uchar * hidden, global ushort4 * samples, int columns,
    int width, int near, int is_first)
{
  int y = get_global_id (1), x;

  for (x = get_global_id (0); x < columns; x += get_global_size (0)) {
    ushort4 sample = is_first ? (ushort4) (0) : samples[y * columns + x];

    if (!hidden[(y << sub_y) * width + (x << sub_x)])
      sample = remember (sample, (int) get_sample (in, offset, stride, step,
              bytes, shift, most, x, y), near);
    else if (sample.z > 0)
      put_sample (out, out_offset, out_stride, step, bytes, shift, x, y,
          sample.x);
    samples[y * columns + x] = sample;
  }
}
