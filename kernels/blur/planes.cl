/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Splits RGB frames of 8 bits into three planes, for red, green and blue, and joins such planes
 * to form frames. */

/* Number of rows that a work-item copies. */
#ifndef ROWS
#define ROWS 1
#endif

#include "base/pixels.h"
#include "base/rgb.h"

/* Number of the byte, in a pixel of 4 bytes, that does not hold red, green or blue. */
#define OTHER (0 + 1 + 2 + 3 - RED - GREEN - BLUE)

/* Parameters of three planes in the buffer @planes: the byte offset of each plane, and the
 * number of bytes from row to row, which all planes share. */
#define PLANES(type) \
    type planes, int red, int green, int blue, int planes_stride

/* Extracts one byte of each pixel: the byte with the number @at. */
#define EXTRACT(pixels, at) \
    convert_uchar16 ((pixels) >> (uint) (8 * (at)) & 255u)

/* Returns 16 pixels with the bytes of a plane: the byte with the number @at of each pixel is a
 * byte of the plane, the other bytes are 0. */
#define INSERT(p, at) \
    (convert_uint16 (LOAD_LOOSE (loose_uchar16, p)) << (uint) (8 * (at)))

/* Copies the colors of a frame to its planes. Work-item (x, y) copies 16 pixels in each of
 * ROWS rows, starting at column 16 * x. */
kernel void
blur_split (global const uchar * restrict frame, int offset, int stride,
    PLANES (global uchar * restrict), int width, int height)
{
  int x = 16 * get_global_id (0), y = get_global_id (1) * ROWS;
  int end = min (y + ROWS, height);

  if (x >= width)
    return;
  for (; y < end; y++) {
    global const uchar *from = frame + offset + (size_t) y * stride
        + x * SAMPLES;
    global uchar *to = planes + (size_t) y * planes_stride + x;

    if (x + 16 <= width) {
      uint16 pixels = load_pixels (from, SAMPLES);

      STORE_LOOSE (loose_uchar16, to + red, EXTRACT (pixels, RED));
      STORE_LOOSE (loose_uchar16, to + green, EXTRACT (pixels, GREEN));
      STORE_LOOSE (loose_uchar16, to + blue, EXTRACT (pixels, BLUE));
      continue;
    }
    for (int i = 0; i < width - x; i++) {
      to[red + i] = from[i * SAMPLES + RED];
      to[green + i] = from[i * SAMPLES + GREEN];
      to[blue + i] = from[i * SAMPLES + BLUE];
    }
  }
}

/* Writes the colors from the planes to the frame @out. Work-item (x, y) writes 16 pixels in
 * each of ROWS rows, starting at column 16 * x. The fourth byte of a pixel is copied from the
 * frame @in. */
kernel void
blur_join (global const uchar * restrict in, int in_offset, int in_stride,
    PLANES (global const uchar * restrict), global uchar * restrict out,
    int out_offset, int out_stride, int width, int height)
{
  int x = 16 * get_global_id (0), y = get_global_id (1) * ROWS;
  int end = min (y + ROWS, height);
  uint others = ~(255u << 8 * RED | 255u << 8 * GREEN | 255u << 8 * BLUE);

  if (x >= width)
    return;
  for (; y < end; y++) {
    global const uchar *old = in + in_offset + (size_t) y * in_stride
        + x * SAMPLES;
    global const uchar *from = planes + (size_t) y * planes_stride + x;
    global uchar *to = out + out_offset + (size_t) y * out_stride
        + x * SAMPLES;

    if (x + 16 <= width) {
      uint16 pixels = 0;

      if (SAMPLES == 4)
        pixels = load_pixels (old, SAMPLES) & others;
      store_pixels (to, SAMPLES, pixels | INSERT (from + red, RED)
          | INSERT (from + green, GREEN) | INSERT (from + blue, BLUE));
      continue;
    }
    for (int i = 0; i < width - x; i++) {
      to[i * SAMPLES + RED] = from[red + i];
      to[i * SAMPLES + GREEN] = from[green + i];
      to[i * SAMPLES + BLUE] = from[blue + i];
      if (SAMPLES == 4)
        to[i * SAMPLES + OTHER] = old[i * SAMPLES + OTHER];
    }
  }
}
