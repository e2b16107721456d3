/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reference implementation of pixelating and filling frames: see docs/algorithms/blur.md. The
 * Gaussian blur is in sharpen.c. */
#include "blur.h"

#include "samples.h"

void
ref_blur_pixelate (const RefPlane * in, const RefPlane * out, int width,
    int height, int rounds)
{
  for (int y = 0; y < in->height; y++)
    for (int x = 0; x < in->width; x++) {
      int64_t sum = 0, n = 0;

      /* Writes the mean to the whole block when its first sample is reached. */
      if (x % width != 0 || y % height != 0)
        continue;
      for (int j = y; j < y + height && j < in->height; j++)
        for (int i = x; i < x + width && i < in->width; i++, n++)
          sum += ref_get (in, i, j);
      for (int j = y; j < y + height && j < in->height; j++)
        for (int i = x; i < x + width && i < in->width; i++)
          ref_set (out, i, j, (int) ((sum + (rounds ? n / 2 : 0)) / n));
    }
}

void
ref_blur_fill (const RefPlane * in, const RefPlane * out, int value,
    int opacity)
{
  for (int y = 0; y < in->height; y++)
    for (int x = 0; x < in->width; x++)
      ref_set (out, x, y, (ref_get (in, x, y) * (256 - opacity)
              + value * opacity + 128) >> 8);
}
