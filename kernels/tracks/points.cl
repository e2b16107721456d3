/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Finds corners that can be followed: Shi-Tomasi scores, and the best of each cell. The algorithm
 * is described in docs/algorithms/tracks.md. */
#define LANES 1
#include "base/math.h"
#include "tracks/tracks-shared.h"

/* A score has to be above this; corners are at least MARGIN pixels from the edges of the level. */
#define MIN_SCORE (1500 * 256.0f)
#define MARGIN 3

/* Work-item (x, y) writes the Sobel sums of pixel (x, y) of a level, which is at
 * offset + y * stride + x. The level is padded. */
kernel void
tracks_gradients (global const ushort * level, int width, int height,
    int stride, int offset, global short2 * gradients)
{
  int x = get_global_id (0), y = get_global_id (1);
  global const ushort *p = level + offset + y * stride + x;
  int gx, gy;

  if (x >= width || y >= height)
    return;
  gx = (p[1 - stride] - p[-1 - stride]) + 2 * (p[1] - p[-1])
      + (p[1 + stride] - p[-1 + stride]);
  gy = (p[stride - 1] - p[-stride - 1]) + 2 * (p[stride] - p[-stride])
      + (p[stride + 1] - p[-stride + 1]);
  gradients[y * width + x] = (short2) (gx, gy);
}

/* Work-item (x, y) writes the score of pixel (x, y): the smaller eigenvalue of the tensor of
 * gradients in the 5x5 pixels around it, or 0 at the edges. */
kernel void
tracks_scores (global const short2 * gradients, int width, int height,
    global float *scores)
{
  int x = get_global_id (0), y = get_global_id (1);
  long xx = 0, xy = 0, yy = 0;
  bool is_inside = x >= 2 && y >= 2 && x < width - 2 && y < height - 2;
  float p, q, r, d;

  if (x >= width || y >= height)
    return;
  for (int j = is_inside ? -2 : 3; j <= 2; j++) {
    global const short2 *row = gradients + (y + j) * width + x;
    int row_xx = 0, row_xy = 0, row_yy = 0;

    for (int i = -2; i <= 2; i++) {
      int2 g = convert_int2 (row[i]);

      row_xx += g.x * g.x;
      row_xy += g.x * g.y;
      row_yy += g.y * g.y;
    }
    xx += row_xx;
    xy += row_xy;
    yy += row_yy;
  }
  p = convert_float_rte (xx);
  q = convert_float_rte (xy);
  r = convert_float_rte (yy);
  d = p - r;
  scores[y * width + x] = 0.5f * ((p + r) - root (fma (d, d, 4 * q * q)));
}

/* Returns whether no neighbour of a pixel has a larger score. */
static bool
is_maximum (global const float *score, int width)
{
  float most = max (score[-1], score[1]);

  for (int i = -1; i <= 1; i++)
    most = max (most, max (score[i - width], score[i + width]));
  return *score >= most;
}

/* Work-item (i, j) writes x, y and the score of the best point of cell (i, j), the first one in the
 * order of rows, to @points. If there is none, the score is 0 and x and y mean nothing. A cell has
 * @cell x @cell pixels of the frame. */
kernel void
tracks_cells (global const float *scores, int width, int height, int cell,
    int columns, int rows, global float4 * points)
{
  int i = get_global_id (0), j = get_global_id (1);
  int left = max ((i * cell + 1) >> 1, MARGIN);
  int top = max ((j * cell + 1) >> 1, MARGIN);
  int right = min (((i + 1) * cell + 1) >> 1, width - MARGIN);
  int bottom = min (((j + 1) * cell + 1) >> 1, height - MARGIN);
  float best = MIN_SCORE;
  int best_x = -1, best_y = -1;

  if (i >= columns || j >= rows)
    return;
  for (int y = top; y < bottom; y++)
    for (int x = left; x < right; x++) {
      global const float *score = scores + y * width + x;

      if (*score > best && is_maximum (score, width)) {
        best = *score;
        best_x = x;
        best_y = y;
      }
    }
  points[j * columns + i] = (float4) (2 * best_x + 0.5f, 2 * best_y + 0.5f,
      best_x < 0 ? 0 : best, 0);
}
