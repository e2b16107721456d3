/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Makes a linear filter weight colors by alpha. Before the filter, the colors of a frame are
 * multiplied by alpha; after it, the filtered colors are divided by the filtered alpha. The
 * algorithm is described in docs/algorithms/colour.md. */

/* Number of color channels: 3 for red, green and blue, 1 for luma. */
#ifndef CHANNELS
#define CHANNELS 3
#endif

/* Offset, in bytes, of alpha in a pixel. */
#ifndef ALPHA
#define ALPHA 3
#endif

#define SAMPLES 4
#define LANES 1
#include "base/math.h"
#include "base/rgb.h"
#include "base/rows.h"

/* Value with which the planes store an alpha of 255, and a sample of 255 that is opaque */
#define WHOLE (255 << 8)

/* Parameters of CHANNELS + 1 planes of 16-bit samples that are adjacent in one buffer: first
 * the weighted channels, then alpha. plane_size is the distance from plane to plane,
 * plane_stride from row to row, both in samples. */
#define PLANES(type) type planes, int plane_size, int plane_stride
#define PLANE_ROW(y) (planes + (size_t) (y) * plane_stride)

/* Parameters of the frame and of its luma. Offsets and strides are in bytes. If CHANNELS is 3,
 * the luma arguments repeat those of the frame. */
#define FRAME \
    global const uchar * frame, int frame_offset, int frame_stride, \
    global const uchar * luma, int luma_offset, int luma_stride
#define FRAME_ROW(y) (frame + frame_offset + (size_t) (y) * frame_stride)
#define LUMA_ROW(y) (luma + luma_offset + (size_t) (y) * luma_stride)

/* Returns the offset, in bytes, of channel i of pixel x in a row of the frame or of its luma. */
static int
byte_of (int x, int i)
{
#if CHANNELS == 1
  return x;
#else
  return x * SAMPLES + (i == 0 ? RED : i == 1 ? GREEN : BLUE);
#endif
}

/* Splits a frame into planes. The quotient of v, from 0 to 255 * 255, by 255, rounded to the
 * nearest integer, is (v + 128 + ((v + 128) >> 8)) >> 8. */
kernel void
colour_alpha_split (FRAME, PLANES (global ushort *), int width, int height)
{
  int x, y, i;

  for (y = FIRST_ROW (height); y < END_ROW (height); y += ROW_STEP) {
    global const uchar *restrict pixels = FRAME_ROW (y);
    global const uchar *restrict colours = LUMA_ROW (y);
    global ushort *restrict to = PLANE_ROW (y);

    for (x = get_global_id (0); x < width; x += COLUMNS) {
      uint alpha = pixels[x * SAMPLES + ALPHA];

#pragma unroll
      for (i = 0; i < CHANNELS; i++) {
        uint v = colours[byte_of (x, i)] * alpha, w = v + 128u;

        to[(size_t) i * plane_size + x] = v + ((w + (w >> 8)) >> 8);
      }
      to[(size_t) CHANNELS * plane_size + x] = alpha << 8;
    }
  }
}

/* Divides the filtered colors by the filtered alpha. With 3 channels, writes a frame with the
 * alpha of the input frame; with 1 channel, writes a plane of 16-bit samples. Where the
 * filtered alpha is 0, the colors of the input frame are kept. */
kernel void
colour_alpha_join (FRAME, PLANES (global const ushort *), global uchar * out,
    int out_offset, int out_stride, int width, int height)
{
  int x, y, i;

  for (y = FIRST_ROW (height); y < END_ROW (height); y += ROW_STEP) {
    global const uchar *restrict pixels = FRAME_ROW (y);
    global const uchar *restrict colours = LUMA_ROW (y);
    global const ushort *restrict from = PLANE_ROW (y);
    global uchar *restrict to = out + out_offset + (size_t) y * out_stride;

    for (x = get_global_id (0); x < width; x += COLUMNS) {
      uint alpha = from[(size_t) CHANNELS * plane_size + x];
      float factor = WHOLE * reciprocal (convert_float (max (alpha, 1u)));

#pragma unroll
      for (i = 0; i < CHANNELS; i++) {
        uint old = (uint) colours[byte_of (x, i)] << 8;
        uint v = round_to_uint (factor
            * convert_float (from[(size_t) i * plane_size + x]));

        v = alpha > 0 ? v : old;
#if CHANNELS == 1
        ((global ushort *) to)[x] = v;
#else
        to[byte_of (x, i)] = (v + 128u) >> 8;
#endif
      }
#if CHANNELS == 3
      to[x * SAMPLES + ALPHA] = pixels[x * SAMPLES + ALPHA];
#endif
    }
  }
}
