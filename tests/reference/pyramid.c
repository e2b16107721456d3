/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reference implementation of Gaussian and Laplacian pyramids: see docs/algorithms/pyramid.md. */
#include "pyramid.h"

#include <stdlib.h>
#include <string.h>

#include "samples.h"

static int32_t
clamp (int64_t value, int32_t max)
{
  return value < 0 ? 0 : value > max ? max : (int32_t) value;
}

void
ref_pyramid_down (const RefPlane * in, const RefPlane * out)
{
  static const int weight[5] = { 1, 4, 6, 4, 1 };

  for (int y = 0; y < out->height; y++) {
    for (int x = 0; x < out->width; x++) {
      int32_t sum = 0;

      for (int j = 0; j < 5; j++) {
        for (int i = 0; i < 5; i++)
          sum += weight[i] * weight[j]
              * ref_get (in, ref_reflect (2 * x + i - 2, in->width),
              ref_reflect (2 * y + j - 2, in->height));
      }
      ref_set (out, x, y, (sum + 128) >> 8);
    }
  }
}

void
ref_pyramid_taps (int i, int n, int place[3], int weight[3])
{
  int c = i / 2;

  place[0] = c > 0 ? c - 1 : n > 1 ? 1 : 0;
  place[1] = c;
  place[2] = c < n - 1 ? c + 1 : c;
  weight[0] = i % 2 ? 0 : 1;
  weight[1] = i % 2 ? 4 : 6;
  weight[2] = i % 2 ? 4 : 1;
}

int32_t
ref_pyramid_up (const RefPlane * coarse, int x, int y)
{
  int px[3], wx[3], py[3], wy[3];
  int32_t sum = 0;

  ref_pyramid_taps (x, coarse->width, px, wx);
  ref_pyramid_taps (y, coarse->height, py, wy);
  for (int j = 0; j < 3; j++) {
    for (int i = 0; i < 3; i++)
      sum += wx[i] * wy[j] * ref_get (coarse, px[i], py[j]);
  }
  return (sum + 32) >> 6;
}

static int32_t
difference (const RefPlane * fine, const RefPlane * coarse, int x, int y)
{
  return ref_get (fine, x, y) - ref_pyramid_up (coarse, x, y);
}

void
ref_pyramid_detail (const RefPlane * fine, const RefPlane * coarse,
    void *detail, ptrdiff_t stride)
{
  for (int y = 0; y < fine->height; y++) {
    uint8_t *row = (uint8_t *) detail + y * stride;

    for (int x = 0; x < fine->width; x++) {
      int32_t d = difference (fine, coarse, x, y);
      int16_t d16 = (int16_t) d;

      if (fine->bytes == 1)
        memcpy (row + 2 * x, &d16, 2);
      else
        memcpy (row + 4 * x, &d, 4);
    }
  }
}

void
ref_pyramid_show (const RefPlane * fine, const RefPlane * coarse,
    const RefPlane * out)
{
  for (int y = 0; y < fine->height; y++) {
    for (int x = 0; x < fine->width; x++)
      ref_set (out, x, y, clamp (difference (fine, coarse, x, y)
              + (fine->max + 1) / 2, fine->max));
  }
}

void
ref_pyramid_collapse (const void *detail, ptrdiff_t stride,
    const RefPlane * coarse, const RefPlane * fine)
{
  for (int y = 0; y < fine->height; y++) {
    const uint8_t *row = (const uint8_t *) detail + y * stride;

    for (int x = 0; x < fine->width; x++) {
      int32_t d;
      int16_t d16;

      if (fine->bytes == 1) {
        memcpy (&d16, row + 2 * x, 2);
        d = d16;
      } else {
        memcpy (&d, row + 4 * x, 4);
      }
      ref_set (fine, x, y, clamp ((int64_t) d + ref_pyramid_up (coarse, x, y),
              fine->max));
    }
  }
}
