/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reads and writes samples of a frame. A sample is a word of 1 or 2 bytes; the distance from
 * one sample of a row to the next is @step bytes. The value of a sample is word >> @shift, from
 * 0 to @most. The sample that covers pixel (x, y) of the frame is at (x >> sub_x, y >> sub_y). */
#ifndef ANY_SAMPLES_H
#define ANY_SAMPLES_H

static uint
get_sample (global const uchar * frame, int offset, int stride, int step,
    int bytes, int shift, int most, int x, int y)
{
  global const uchar *p = frame + offset + (size_t) y * stride + x * step;
  uint value = bytes == 1 ? p[0] : *(global const ushort *) p;

  return min (value >> shift, (uint) most);
}

static void
put_sample (global uchar * frame, int offset, int stride, int step,
    int bytes, int shift, int x, int y, uint value)
{
  global uchar *p = frame + offset + (size_t) y * stride + x * step;

  if (bytes == 1)
    p[0] = value;
  else
    *(global ushort *) p = value << shift;
}

#endif
