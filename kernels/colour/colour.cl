/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Extracts and replaces the luma of RGB frames with 8 bits for each sample. The algorithm is
 * described in docs/algorithms/colour.md. */

/* Nominal range of samples: black is at LO, white at HI. */
#ifndef LO
#define LO 0
#endif
#ifndef HI
#define HI 255
#endif

#include "base/rgb.h"
#include "base/rows.h"

/* In all kernels of this file, a parameter whose name ends in "offset" is the byte offset of a
 * plane or frame in its buffer. A parameter whose name ends in "stride" is the distance from
 * row to row, in bytes. */

kernel void
colour_luma (global const uchar * rgb, int rgb_offset, int rgb_stride,
    global uchar * luma, int luma_offset, int luma_stride, int width,
    int height)
{
  int x, y;

  for (y = FIRST_ROW (height); y < END_ROW (height); y += ROW_STEP) {
    global const uchar *restrict from =
        rgb + rgb_offset + (size_t) y * rgb_stride;
    global uchar *restrict to = luma + luma_offset + (size_t) y * luma_stride;

    for (x = get_global_id (0); x < width; x += COLUMNS) {
      /* Weights red, green and blue by 0.299, 0.587 and 0.114, in units of 2^-15; the weights
       * add up to 2^15. */
      uint sum = 9798u * from[x * SAMPLES + RED]
          + 19235u * from[x * SAMPLES + GREEN]
          + 3735u * from[x * SAMPLES + BLUE];

      to[x] = (sum + 16384u) >> 15;
    }
  }
}

/* Replaces the luma of pixels, and keeps their chroma. Reads the pixels from the frame @in,
 * their luma from @before, the new luma from @after; writes the pixels to the frame @out. A new
 * sample is limited to the range from LO to HI; if the old sample is outside this range, the
 * range is extended to the old sample. The fourth byte of a pixel is copied. */
kernel void
colour_replace_luma (global const uchar * in, int in_offset, int in_stride,
    global const uchar * before, int before_offset, int before_stride,
    global const uchar * after, int after_offset, int after_stride,
    global uchar * out, int out_offset, int out_stride, int width,
    int height)
{
  int x, y, i;

  for (y = FIRST_ROW (height); y < END_ROW (height); y += ROW_STEP) {
    global const uchar *restrict from =
        in + in_offset + (size_t) y * in_stride;
    global const uchar *restrict old =
        before + before_offset + (size_t) y * before_stride;
    global const uchar *restrict new =
        after + after_offset + (size_t) y * after_stride;
    global uchar *restrict to = out + out_offset + (size_t) y * out_stride;

    for (x = get_global_id (0); x < width; x += COLUMNS) {
      short shift = (short) new[x] - (short) old[x];

#pragma unroll
      for (i = 0; i < SAMPLES; i++) {
        short value = from[x * SAMPLES + i];

        if (i == RED || i == GREEN || i == BLUE)
          value = clamp ((short) (value + shift), min (value, (short) LO),
              max (value, (short) HI));
        to[x * SAMPLES + i] = value;
      }
    }
  }
}
