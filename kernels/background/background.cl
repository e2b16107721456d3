/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Remembers the background behind moving objects. The state of a sample is a ushort4: .x is the
 * remembered value, and .z the number of frames in which it was seen; .y is another value,
 * which was seen in the last frames, and .w the number of these frames.
 * The array @hidden has a byte for each pixel: 0 if no object covers it; 1 if an object covers
 * it and its remembered value is trusted; 2 if an object covers it and its value is not
 * trusted. See count.cl for the other arrays.
 * Work-item (i, j) processes every get_global_size (0)-th column of row j, starting at column
 * i. */
#include "base/any-samples.h"
#include "background/background-shared.h"

/* Steadies samples of a component: those of the image @filled at the pixels with 2 in @hidden.
 * A sample becomes first + (filled - base), where first, filled and base are the samples of the
 * images @first, @filled and @base at the same position. If filled and base differ by more than
 * @near, it becomes first. All images have the same layout. See background_look() for @columns
 * and @width. */
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

/* Remembers the visible samples of a component. Also writes the remembered values to the image
 * @plate; where nothing is remembered, writes samples of the frame.
 * @columns: number of columns of the component.
 * @width: number of columns of the frame.
 * @told: the element CUT is set if nothing is remembered yet.
 * @near: largest difference at which two values count as the same. */
kernel void
background_look (global const uchar * in, int offset, int stride, int step,
    int bytes, int shift, int most, int sub_x, int sub_y,
    global uchar * plate, int plate_offset, int plate_stride,
    global const uchar * hidden, global ushort4 * samples, int columns,
    int width, int near, global const uint *told)
{
  int y = get_global_id (1), x;
  uint is_first = told[CUT];

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
 * nothing is remembered, the samples of the frame @filled. See background_look() for @columns
 * and @width. */
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

/* Writes the input of the search for the camera's movement to @found. First come two bytes for
 * each pixel: the first component of the frame and of the remembered background, in 8 bits.
 * Then comes one byte for each pixel: bit 0 is set if the pixel of the frame is hidden, and bit
 * 1 if nothing is remembered for it. */
kernel void
background_pair (global const uchar * in, int offset, int stride, int step,
    int bytes, int shift, int most, global const ushort4 * samples,
    global const uchar * mask, global const uchar * seen, int width,
    int height, global uchar * found)
{
  int y = get_global_id (1), x;

  for (x = get_global_id (0); x < width; x += get_global_size (0)) {
    uint value = get_sample (in, offset, stride, step, bytes, shift, most, x,
        y);
    int i = y * width + x;

    found[2 * i] = value * 255 / (uint) most;
    found[2 * i + 1] = (uint) samples[i].x * 255 / (uint) most;
    found[2 * width * height + i] = (mask[i] ? 1 : 0) | (seen[i] == 0 ? 2 : 0);
  }
}

/* Shifts the remembered samples of a component: copies each from the position dx columns to the
 * right and dy rows below. If this position is outside the frame, nothing is remembered for the
 * sample. */
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

/* Remembers the samples of the image @filled at the pixels with 2 in @hidden (covered, without
 * a trusted value), as if they had been seen in one frame. Writes to @samples. See
 * background_look() for @columns and @width. */
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
