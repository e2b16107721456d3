/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Blurs a tile of a level of the SIFT scale space in a single work-item, with vectors. */
#ifndef SIFT_LINES_H
#define SIFT_LINES_H

#include "sift/blur.h"

/* Number of adjacent samples that one iteration of a loop blurs. */
#define SPAN (4 * LANES)

/* Blurs the columns: writes n samples, a multiple of SPAN, of row y. */
static void
blur_columns (const global float *in, int pitch, int height, int y,
    const global float *weights, int radius, int n, float *out)
{
  bool inner = y >= radius && y + radius < height;

  for (int x = 0; x < n; x += SPAN) {
    const global float *p = in + (size_t) y * pitch + x;
    floatn a = weights[0] * LOAD (p), b = weights[0] * LOAD (p + LANES);
    floatn c = weights[0] * LOAD (p + 2 * LANES);
    floatn d = weights[0] * LOAD (p + 3 * LANES);
    const global float *up = p, *down = p;

    for (int i = 1; i <= radius; i++) {
      floatn w = weights[i];

      if (inner) {
        up -= pitch;
        down += pitch;
      } else {
        up = in + (size_t) reflect (y - i, height) * pitch + x;
        down = in + (size_t) reflect (y + i, height) * pitch + x;
      }
      a = fma (w, LOAD (up) + LOAD (down), a);
      b = fma (w, LOAD (up + LANES) + LOAD (down + LANES), b);
      c = fma (w, LOAD (up + 2 * LANES) + LOAD (down + 2 * LANES), c);
      d = fma (w, LOAD (up + 3 * LANES) + LOAD (down + 3 * LANES), d);
    }
    STORE_NEAR (out + x, a);
    STORE_NEAR (out + x + LANES, b);
    STORE_NEAR (out + x + 2 * LANES, c);
    STORE_NEAR (out + x + 3 * LANES, d);
  }
}

/* Blurs a row: writes n samples, a multiple of SPAN. */
static void
blur_row (const float *in, const global float *weights, int radius, int n,
    float *out)
{
  for (int x = 0; x < n; x += SPAN) {
    const float *p = in + x, *left = p, *right = p;
    floatn a = weights[0] * LOAD_NEAR (p);
    floatn b = weights[0] * LOAD_NEAR (p + LANES);
    floatn c = weights[0] * LOAD_NEAR (p + 2 * LANES);
    floatn d = weights[0] * LOAD_NEAR (p + 3 * LANES);

    for (int i = 1; i <= radius; i++) {
      floatn w = weights[i];

      left--;
      right++;
      a = fma (w, LOAD_NEAR (left) + LOAD_NEAR (right), a);
      b = fma (w, LOAD_NEAR (left + LANES) + LOAD_NEAR (right + LANES), b);
      c = fma (w, LOAD_NEAR (left + 2 * LANES) + LOAD_NEAR (right + 2 * LANES),
          c);
      d = fma (w, LOAD_NEAR (left + 3 * LANES) + LOAD_NEAR (right + 3 * LANES),
          d);
    }
    STORE_NEAR (out + x, a);
    STORE_NEAR (out + x + LANES, b);
    STORE_NEAR (out + x + 2 * LANES, c);
    STORE_NEAR (out + x + 3 * LANES, d);
  }
}

/* Computes a tile of a level by blurring the level below. If the tile belongs to level @scales
 * of its octave, also writes every second sample of every second row to level 0 of the next
 * octave. */
static void
blur_tile (global float *scale, const global int *plan,
    const global int *tile, int weights, int weights_pitch, int scales,
    int n_octaves, int left, int top, int right, int bottom)
{
  const Blur b = find_blur (scale, plan, tile, 0, weights, weights_pitch,
      scales, n_octaves);
  int begin = max (b.x0 - PAD, 0), end = min (b.x0 + BLUR_X + PAD, b.width);
  int n = min (BLUR_X, b.width - b.x0);
  float row[PAD + BLUR_X + PAD + SPAN], blurred[BLUR_X + SPAN];

  if (!is_needed (tile, left, top, right, bottom))
    return;
  for (int y = b.y0; y < min (b.y0 + BLUR_Y, b.height); y++) {
    blur_columns (b.in + begin, b.pitch, b.height, y, b.w, b.radius,
        end - begin, row + PAD + begin - b.x0);
    /* Mirrors the row at the edges of the level; row[PAD] corresponds to column x0. */
    if (b.x0 == 0)
      for (int i = 1; i <= b.radius; i++)
        row[PAD - i] = row[PAD + reflect (-i, b.width)];
    for (int i = b.width; i < b.x0 + n + b.radius; i++)
      row[PAD + i - b.x0] = row[PAD + reflect (i, b.width) - b.x0];

    blur_row (row + PAD, b.w, b.radius, n, blurred);
    for (int x = 0; x < n; x += LANES)
      STORE (b.out + (size_t) y * b.pitch + b.x0 + x, LOAD_NEAR (blurred + x));
    if (b.halves && (y & 1) == 0 && y / 2 < b.next_height) {
      global float *to = b.next + (size_t) (y / 2) * b.next_pitch + b.x0 / 2;

      for (int x = 0; 2 * x < n && b.x0 / 2 + x < b.next_width; x += LANES) {
        floatn first = LOAD_NEAR (blurred + 2 * x);
        floatn second = LOAD_NEAR (blurred + 2 * x + LANES);

        STORE (to + x, ((floatn) (first.even, second.even)));
      }
    }
  }
}

#endif
