/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Samples are words of 1 or 2 bytes, samples of the same row step bytes apart;
 * the value is word >> shift, from 0 to most. Pixel (x, y) has the sample at
 * x >> sub_x, y >> sub_y. */
#ifndef INPAINT_SAMPLES_CL
#define INPAINT_SAMPLES_CL

static uint
get_sample (__global const uchar * frame, int offset, int stride, int step,
    int bytes, int shift, int most, int x, int y)
{
  __global const uchar *p = frame + offset + (size_t) y * stride + x * step;
  uint value = bytes == 1 ? p[0] : *(__global const ushort *) p;

  return min (value >> shift, (uint) most);
}

static void
put_sample (__global uchar * frame, int offset, int stride, int step,
    int bytes, int shift, int x, int y, uint value)
{
  __global uchar *p = frame + offset + (size_t) y * stride + x * step;

  if (bytes == 1)
    p[0] = value;
  else
    *(__global ushort *) p = value << shift;
}

#endif
