/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Blends frames by a mask: see docs/algorithms/regions.md. */
#include "blend.h"

#include <stdlib.h>

#include "samples.h"

/* Computes the largest gray value of the mask within @radius columns and rows of pixel (@x, @y),
 * and the rounded mean of the gray values there. Pixels outside of the mask are ignored. */
static void
look_around (const uint8_t * mask, int width, int height, int x, int y,
    int radius, int *largest, int *mean)
{
  int64_t sum = 0, n = 0;

  *largest = 0;
  for (int j = y - radius; j <= y + radius; j++)
    for (int i = x - radius; i <= x + radius; i++) {
      int m;

      if (i < 0 || j < 0 || i >= width || j >= height)
        continue;
      m = mask[j * width + i];
      *largest = m > *largest ? m : *largest;
      sum += m;
      n++;
    }
  *mean = (int) ((2 * sum + n) / (2 * n));
}

void
ref_blend_grow (const uint8_t * from, uint8_t * to, int width, int height,
    int dilate, int feather)
{
  uint8_t *grown = malloc ((size_t) width * height);
  int largest, mean;

  if (grown == NULL)
    abort ();
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      look_around (from, width, height, x, y, dilate + feather, &largest,
          &mean);
      grown[y * width + x] = largest;
    }
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      look_around (grown, width, height, x, y, feather, &largest, &mean);
      to[y * width + x] = mean;
    }
  free (grown);
}

void
ref_blend (const RefPlane * frame, const RefPlane * result,
    const uint8_t * mask, int width, int height, int x_shift, int y_shift,
    int is_inverted, int mix)
{
  for (int y = 0; y < frame->height; y++)
    for (int x = 0; x < frame->width; x++) {
      int64_t a = 0, v = ref_get (frame, x, y);

      for (int j = y << y_shift; j < (y + 1) << y_shift && j < height; j++)
        for (int i = x << x_shift; i < (x + 1) << x_shift && i < width; i++) {
          int m = mask[j * width + i], k = m + (m >> 7);

          k = (is_inverted ? 256 - k : k) * mix;
          a = k > a ? k : a;
        }
      if (a > 0)
        ref_set (frame, x, y, (int) ((v * (65536 - a)
                    + ref_get (result, x, y) * a + 32768) >> 16));
    }
}
