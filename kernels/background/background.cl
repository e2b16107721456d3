/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Remembers the background behind moving objects. A ushort4 for each sample of a component
 * holds: in .x the remembered value, in .z the number of frames in which it was seen; in .y
 * another value that was seen in the last frames, in .w the number of these frames. Work-item
 * (i, j) processes every get_global_size (0)-th column of row j, from column i on. The array
 * @hidden tells for each pixel whether an object covers it: 0 if not, 1 if it does, 2 if it
 * does and the value remembered there is not to be trusted. */
#include "base/any-samples.h"

#define LONGEST 32

/* Counts, in .x, the visible samples that have a remembered value and, in .y, those of them
 * that differ by more than @far from this value. The array @parts has one uint2 for each
 * work-item, for the samples that the work-item reads. */
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

/* Sets an element of @changed to 1 if its pixel is hidden, has a remembered value, and differs
 * from this value by more than @near; otherwise to 0. */
kernel void
background_change (global const uchar * in, int offset, int stride, int step,
    int bytes, int shift, int most, global const uchar * hidden,
    global const ushort4 * samples, int width, int near,
    global uchar * changed)
{
  int y = get_global_id (1), x;

  for (x = get_global_id (0); x < width; x += get_global_size (0)) {
    int value = (int) get_sample (in, offset, stride, step, bytes, shift, most,
        x, y);
    ushort4 sample = samples[y * width + x];

    changed[y * width + x] = hidden[y * width + x] && sample.z > 0
        && abs (value - (int) sample.x) > (uint) near;
  }
}

/* Sets an element of @found to the number of frames with the remembered value, 0 if there is
 * none, and adds 128 if the sample differed from it when it was last visible. */
kernel void
background_settle (global const ushort4 * samples, int width,
    global uchar * found)
{
  int y = get_global_id (1), x;

  for (x = get_global_id (0); x < width; x += get_global_size (0)) {
    ushort4 sample = samples[y * width + x];

    found[y * width + x] = sample.z | (sample.z > 0 && sample.w > 0 ? 128 : 0);
  }
}

/* Counts, in .x, the samples of pixels that were never visible and, in .y, those of them that
 * differ by more than @near between the images @a and @b, which have the same layout. The array
 * @parts has one uint2 for each work-item, for the samples that the work-item reads. */
kernel void
background_differ (global const uchar * a, int offset, int stride, int step,
    int bytes, int shift, int most, global const uchar * b, int b_offset,
    int b_stride, global const uchar * hidden, int width, int near,
    global uint2 * parts)
{
  int y = get_global_id (1), x;
  uint2 sum = 0;

  for (x = get_global_id (0); x < width; x += get_global_size (0)) {
    int value = (int) get_sample (a, offset, stride, step, bytes, shift, most,
        x, y);
    int other = (int) get_sample (b, b_offset, b_stride, step, bytes, shift,
        most, x, y);
    uint counts = hidden[y * width + x] == 2;

    sum.x += counts;
    sum.y += counts && abs (value - other) > (uint) near;
  }
  parts[y * get_global_size (0) + get_global_id (0)] = sum;
}

/* Steadies the samples of a component of the image @filled whose pixels were never visible. A
 * sample becomes first + (filled - base), from the images of these names; where filled and
 * base differ by more than @near, it becomes first. All images have the same layout. The
 * parameters @columns and @width are those of background_look(). */
kernel void
background_steady (global uchar * filled, int offset, int stride, int step,
    int bytes, int shift, int most, int sub_x, int sub_y,
    global const uchar * base, int base_offset, int base_stride,
    global const uchar * first, int first_offset, int first_stride,
    global const uchar * hidden, int columns, int width, int near)
{
  int y = get_global_id (1), x;

  for (x = get_global_id (0); x < columns; x += get_global_size (0)) {
    int change = (int) get_sample (filled, offset, stride, step, bytes, shift,
        most, x, y) - (int) get_sample (base, base_offset, base_stride, step,
        bytes, shift, most, x, y);
    int before = (int) get_sample (first, first_offset, first_stride, step,
        bytes, shift, most, x, y);

    if (hidden[(y << sub_y) * width + (x << sub_x)] == 2)
      put_sample (filled, offset, stride, step, bytes, shift, x, y,
          abs (change) > (uint) near ? before
          : clamp (before + change, 0, most));
  }
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

/* Remembers the visible samples of a component, and writes the remembered values to the image
 * @plate; where nothing is remembered, writes samples of the frame. The parameter @columns is
 * the number of columns of the component, @width that of the frame; is_first is set if nothing
 * is remembered yet; @near is the largest difference at which two values count as the same. */
kernel void
background_look (global const uchar * in, int offset, int stride, int step,
    int bytes, int shift, int most, int sub_x, int sub_y,
    global uchar * plate, int plate_offset, int plate_stride,
    global const uchar * hidden, global ushort4 * samples, int columns,
    int width, int near, int is_first)
{
  int y = get_global_id (1), x;

  for (x = get_global_id (0); x < columns; x += get_global_size (0)) {
    ushort4 sample = is_first ? (ushort4) (0) : samples[y * columns + x];
    uchar is_hidden = hidden[(y << sub_y) * width + (x << sub_x)];
    uint value = get_sample (in, offset, stride, step, bytes, shift, most, x,
        y);

    if (is_hidden == 0)
      sample = remember (sample, (int) value, near);
    else if (is_hidden == 2)
      sample.z = 0;
    samples[y * columns + x] = sample;
    put_sample (plate, plate_offset, plate_stride, step, bytes, shift, x, y,
        sample.z > 0 ? sample.x : value);
  }
}

/* Writes the hidden samples of a component to the frame @out: the remembered values or, where
 * nothing is remembered, the samples of the frame @filled. The parameters @columns and @width
 * are those of background_look(). */
kernel void
background_show (global const uchar * filled, int offset, int stride, int step,
    int bytes, int shift, int most, int sub_x, int sub_y,
    global uchar * out, int out_offset, int out_stride,
    global const uchar * hidden, global const ushort4 * samples, int columns,
    int width)
{
  int y = get_global_id (1), x;

  for (x = get_global_id (0); x < columns; x += get_global_size (0)) {
    ushort4 sample = samples[y * columns + x];
    uint value = get_sample (filled, offset, stride, step, bytes, shift, most,
        x, y);

    if (hidden[(y << sub_y) * width + (x << sub_x)] != 0)
      put_sample (out, out_offset, out_stride, step, bytes, shift, x, y,
          sample.z > 0 ? sample.x : value);
  }
}

/* Sets an element of @found to the values of the first component of the frame, in .x, and of
 * the remembered background, in .y, both in 8 bits. */
kernel void
background_pair (global const uchar * in, int offset, int stride, int step,
    int bytes, int shift, int most, global const ushort4 * samples, int width,
    global uchar2 * found)
{
  int y = get_global_id (1), x;

  for (x = get_global_id (0); x < width; x += get_global_size (0)) {
    uint value = get_sample (in, offset, stride, step, bytes, shift, most, x,
        y);
    uint before = samples[y * width + x].x;

    found[y * width + x] = (uchar2) (value * 255 / (uint) most,
        before * 255 / (uint) most);
  }
}

/* Copies the samples of a component from positions dx columns to the right and dy rows below;
 * nothing is remembered where these are outside. */
kernel void
background_move (global const ushort4 * samples, global ushort4 * moved,
    int columns, int rows, int dx, int dy)
{
  int y = get_global_id (1), v = y + dy, x;

  for (x = get_global_id (0); x < columns; x += get_global_size (0)) {
    int u = x + dx;

    moved[y * columns + x] = u >= 0 && v >= 0 && u < columns && v < rows ?
        samples[v * columns + u] : (ushort4) (0);
  }
}

/* Remembers the samples of the image @filled whose pixels were never visible, as if they had
 * been seen once. The parameters @columns and @width are those of background_look(). */
kernel void
background_adopt (global const uchar * filled, int offset, int stride,
    int step, int bytes, int shift, int most, int sub_x, int sub_y,
    global const uchar * hidden, global ushort4 * samples, int columns,
    int width)
{
  int y = get_global_id (1), x;

  for (x = get_global_id (0); x < columns; x += get_global_size (0)) {
    ushort value = get_sample (filled, offset, stride, step, bytes, shift, most,
        x, y);

    if (hidden[(y << sub_y) * width + (x << sub_x)] == 2)
      samples[y * columns + x] = (ushort4) (value, value, 1, 0);
  }
}
