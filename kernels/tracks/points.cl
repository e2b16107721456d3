/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Finds corners that can be followed: computes Shi-Tomasi scores, and chooses the best corner of
 * each cell. The algorithm is described in docs/algorithms/tracks.md. */
#include "base/lanes.h"
#include "tracks/tracks-shared.h"

/* Number of rows for which a work-item computes scores */
#ifndef ROWS
#define ROWS 1
#endif

/* Minimum score of a corner, and minimum distance (MARGIN) of a corner from the edges of the level,
 * in pixels. */
#define MIN_SCORE (1500 * 256.0f)
#define MARGIN 3

/* Index of element (x, y) in an array of gradients or of scores. Elements after column
 * width - 1 are undefined. */
#define AT(x, y) (TRACKS_PAD + (y) * TRACKS_STRIDE (width) + (x))

static intn
get_pixels (global const ushort * p)
{
  return convert_intn (((global const Words *) p)->v);
}

/* Computes Sobel gradients of a level. Packs each gradient into a word of two 16-bit numbers, with
 * the derivative along x in the lower half. Pixel (x, y) of the level is at offset + y * stride +
 * x; the level is padded. Work-item (i, y) processes LANES pixels of row y, starting at column i *
 * LANES. */
kernel void
tracks_gradients (global const ushort * level, int width, int height,
    int stride, int offset, global uint * gradients)
{
  int x = get_global_id (0) * LANES, y = get_global_id (1);
  global const ushort *p = level + offset + y * stride + x;
  intn above_left, above_right, below_left, below_right, gx, gy;

  if (x >= width || y >= height)
    return;
  above_left = get_pixels (p - stride - 1);
  above_right = get_pixels (p - stride + 1);
  below_left = get_pixels (p + stride - 1);
  below_right = get_pixels (p + stride + 1);
  gx = (above_right - above_left) + 2 * (get_pixels (p + 1)
      - get_pixels (p - 1)) + (below_right - below_left);
  gy = (below_left - above_left) + 2 * (get_pixels (p + stride)
      - get_pixels (p - stride)) + (below_right - above_right);
  vstoren (as_uintn (gx & 0xffff) | as_uintn (gy) << 16, 0,
      gradients + AT (x, y));
}

/* The structure tensor: sums of gx gx, gx gy and gy gy over the gradients (gx, gy) of a window.
 * Each sum is 2^16 high + low. */
typedef struct
{
  intn high[3], low[3];
} Tensor;

/* Adds the sums of a row of five pixels to the tensor or, if @sign is -1, subtracts them. */
static inline __attribute__ ((always_inline)) void
add_row (Tensor * t, const intn row[3], int sign)
{
  for (int i = 0; i < 3; i++) {
    t->high[i] += sign * (row[i] >> 16);
    t->low[i] += sign * (row[i] & 0xffff);
  }
}

/* Adds up the products of the gradients of five adjacent pixels, the middle one of which is at
 * @p. */
static inline __attribute__ ((always_inline)) void
sum_row (global const uint * p, intn row[3])
{
  row[0] = row[1] = row[2] = 0;
  for (int i = -2; i <= 2; i++) {
    intn words = as_intn (vloadn (0, p + i));
    intn gx = words << 16 >> 16, gy = words >> 16;

    row[0] += gx * gx;
    row[1] += gx * gy;
    row[2] += gy * gy;
  }
}

/* Returns the smaller eigenvalue of the structure tensor of each pixel. Each sum is rounded once,
 * by fma(). */
static inline __attribute__ ((always_inline)) floatn
get_scores (const Tensor * t)
{
#define SUM(i) fma (convert_floatn (t->high[i]), (floatn) (65536.0f), \
    convert_floatn (t->low[i]))
  floatn p = SUM (0), q = SUM (1), r = SUM (2), d = p - r;

#undef SUM
  return 0.5f * ((p + r) - root (fma (d, d, 4.0f * q * q)));
}

/* Computes the Shi-Tomasi scores of pixels: the smaller eigenvalue of the structure tensor of
 * the 5x5 pixels around each, or 0 at the edges. Work-item (i, j) processes LANES pixels in
 * each of ROWS rows, starting at (i * LANES, j * ROWS). */
kernel void
tracks_scores (global const uint * gradients, int width, int height,
    global float *scores)
{
  int x = get_global_id (0) * LANES, first = get_global_id (1) * ROWS;
  intn column = x + INDEX;
  intn is_inside = MASK (column >= 2) & MASK (column < width - 2);
  intn row[3];
  Tensor t = { {0, 0, 0}, {0, 0, 0} };
#if ROWS > 1
  intn rows[5][3];
#endif

  if (x >= width)
    return;
  for (int y = first - 2; y < min (first + ROWS, height) + 2; y++) {
    sum_row (gradients + AT (x, clamp (y, 0, height - 1)), row);
    add_row (&t, row, 1);
#if ROWS > 1
    if (y >= first + 3)
      add_row (&t, rows[(y - first) % 5], -1);
    for (int i = 0; i < 3; i++)
      rows[(y - first + 5) % 5][i] = row[i];
#endif
    if (y >= first + 2) {
      bool is_row = y >= 4 && y < height;
      floatn s = get_scores (&t);

      vstoren (CHOOSE ((floatn) (0.0f), s, is_row ? is_inside : (intn) (0)),
          0, scores + AT (x, y - 2));
    }
  }
}

/* Returns whether a pixel is a local maximum: none of its neighbors has a larger score. */
static bool
is_maximum (global const float *score, int stride)
{
  float most = max (score[-1], score[1]);

  for (int i = -1; i <= 1; i++)
    most = max (most, max (score[i - stride], score[i + stride]));
  return *score >= most;
}

/* Finds the best point of each cell of @cell x @cell pixels; among equals, the first one in the
 * order of rows. Work-item (i, j) writes x, y and the score of the best point of cell (i, j) to
 * @points. If the cell has no point, the score is 0, and x and y are undefined. */
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
      global const float *score = scores + AT (x, y);

      if (*score > best && is_maximum (score, TRACKS_STRIDE (width))) {
        best = *score;
        best_x = x;
        best_y = y;
      }
    }
  points[j * columns + i] = (float4) (2 * best_x + 0.5f, 2 * best_y + 0.5f,
      best_x < 0 ? 0 : best, 0);
}
