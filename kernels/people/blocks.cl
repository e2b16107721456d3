/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Computes the histograms of gradients of all sizes of a frame, and lists the
 * windows with high scores. */

/* Number of tiles or blocks that a work-item computes side by side: 1 or 16. */
#ifndef LANES
#define LANES 16
#endif

/* Number of histogram bins that a work-item fills: 9, or 3, which takes fewer
 * registers but computes gradients three times. */
#ifndef BINS
#define BINS 9
#endif

#include "people/people.h"

/* ---- Histograms of tiles and blocks ---------------------------------------- */

/* Weight of a pixel in the histogram of a cell, along one axis. A block has 2 x
 * 2 cells; a pixel in half h of the block has the weight shares[2 * h + c][i]
 * in cell c, where i is the number of the pixel in its half. */
constant float shares[4][CELL] = {
  {0.0761260986f, 0.148682296f, 0.263780117f, 0.429218769f,
      0.56862247f, 0.613307178f, 0.606716633f, 0.545193672f},
  {0, 0, 0, 0, 0.0379081666f, 0.141532421f, 0.27578029f, 0.424039543f},
  {0.4375f, 0.302885383f, 0.165468171f, 0.0471774749f, 0, 0, 0, 0},
  {0.5625f, 0.666347861f, 0.717028737f, 0.707662106f,
      0.56862247f, 0.371989608f, 0.223198578f, 0.121649154f}
};

/* Computes the gradient at p and divides its length between two adjacent
 * histogram bins: sets bin to the number of the upper bin, here to the share of
 * the upper bin, and before to the share of the lower bin. */
static void
find_gradient (const global float *p, int plane, int left, int right, int up,
    int down, intn * bin, floatn * here, floatn * before)
{
  floatn dx, dy, most, ax, ay, large, small, c, c2, t, m;
  intn k;

  p += 2 * plane;
  dx = LOAD (p + right) - LOAD (p + left);
  dy = LOAD (p + down) - LOAD (p + up);
  most = dx * dx + dy * dy;
#pragma unroll
  for (int i = 0; i < 2; i++) {
    floatn a, b, square;

    p -= plane;
    a = LOAD (p + right) - LOAD (p + left);
    b = LOAD (p + down) - LOAD (p + up);
    square = a * a + b * b;
    dx = square > most ? a : dx;
    dy = square > most ? b : dy;
    most = square > most ? square : most;
  }

  ax = absolute (dx);
  ay = absolute (dy);
  large = ax > ay ? ax : ay;
  small = ax > ay ? ay : ax;
  c = small * reciprocal (large > 0x1p-10f ? large : (floatn) (0x1p-10f));
  c2 = c * c;
  t = fma ((floatn) (-0.12698622f), c2, (floatn) (0.44570002f));
  t = fma (t, c2, (floatn) (-0.933372319f));
  t = fma (t, c2, (floatn) (2.86418128f));
  t = t * c;
  t = ay > ax ? 4.5f - t : t;
  t = (dx < 0.0f) != (dy < 0.0f) ? 9.0f - t : t;
  t = t + 0.5f;
  k = convert_intn (t);
  t = t - convert_floatn (k);
  m = root (most);
  *here = m * t;
  *before = m * (1.0f - t);
  *bin = k == 9 ? 0 : k;
}

/* Work-item (i, n, part) adds up the gradients of LANES tiles of 8 x 8 pixels,
 * from tile i * LANES on of span n (a part of a row) of the list, in BINS
 * histogram bins of the cells to which the tiles belong. */
kernel void
people_tiles (const global float *restrict planes,
    const global int *restrict plan, const global int *restrict lists, int list,
    global float *restrict tiles)
{
  const global int *span = lists + list + PEOPLE_SPAN * get_global_id (1);
  const global int *level = plan + PEOPLE_LEVEL * span[SPAN_LEVEL];
  int pitch = level[PITCH], plane = level[PLANE], last = level[HEIGHT] - 1;
  int column = span[SPAN_BEGIN] + LANES * get_global_id (0);
  int first = BINS * get_global_id (2), tile_row = span[SPAN_ROW];
  global float *out = tiles + level[TILES]
      + ((size_t) tile_row * 16 * ALL_BINS + first) * pitch + column;
  const global float *row = planes + level[PLANES]
      + (size_t) tile_row * CELL * CELL * pitch + 1 + column;
  floatn counts[16][BINS];

  if (column >= span[SPAN_END])
    return;
#pragma unroll
  for (int i = 0; i < 16; i++)
#pragma unroll
    for (int b = 0; b < BINS; b++)
      counts[i][b] = 0;

  for (int x = 0; x < CELL; x++) {
    int left = x == 0 ? (CELL - 1) * pitch - 1 : -pitch;
    int right = x == CELL - 1 ? 1 - (CELL - 1) * pitch : pitch;
    const global float *p = row + x * pitch;
    floatn sums[4][BINS];

#pragma unroll
    for (int i = 0; i < 4; i++)
#pragma unroll
      for (int b = 0; b < BINS; b++)
        sums[i][b] = 0;

    for (int i = 0; i < CELL; i++, p += CELL * pitch) {
      int y = CELL * tile_row + i;
      int up = y == 0 ? CELL * pitch : -CELL * pitch;
      int down = y == last ? -CELL * pitch : CELL * pitch;
      floatn here, before;
      intn bin;

      find_gradient (p, plane, left, right, up, down, &bin, &here, &before);
#pragma unroll
      for (int b = 0; b < BINS; b++) {
        int after = first + b == ALL_BINS - 1 ? 0 : first + b + 1;
        floatn value = bin == after ? before : (floatn) (0.0f);

        value = bin == first + b ? here : value;
#pragma unroll
        for (int k = 0; k < 4; k++)
          sums[k][b] = fma ((floatn) (shares[k][i]), value, sums[k][b]);
      }
    }
#pragma unroll
    for (int i = 0; i < 16; i++)
#pragma unroll
      for (int b = 0; b < BINS; b++)
        counts[i][b] = fma ((floatn) (shares[i >> 2][x]), sums[i & 3][b],
            counts[i][b]);
  }

#pragma unroll
  for (int i = 0; i < 16; i++)
#pragma unroll
    for (int b = 0; b < BINS; b++)
      STORE (out + (size_t) (i * ALL_BINS + b) * pitch, counts[i][b]);
}

/* Work-item (i, n) computes the features of LANES blocks, from block i * LANES
 * on of span n (a part of a row) of the list: the sums of four tiles,
 * normalized. */
kernel void
people_blocks (const global float *restrict tiles,
    const global int *restrict plan, const global int *restrict lists, int list,
    global float *restrict blocks)
{
  const global int *span = lists + list + PEOPLE_SPAN * get_global_id (1);
  const global int *level = plan + PEOPLE_LEVEL * span[SPAN_LEVEL];
  int pitch = level[PITCH], row = span[SPAN_ROW];
  int column = span[SPAN_BEGIN] + LANES * get_global_id (0);
  const global float *near = tiles + level[TILES]
      + (size_t) row * 16 * ALL_BINS * pitch + column;
  const global float *far = near + 16 * ALL_BINS * pitch;
  global float *out = blocks + level[BLOCKS]
      + (size_t) row * BLOCK_FEATURES * pitch + column;
  floatn block[BLOCK_FEATURES], sum = 0, factor;

  if (column >= span[SPAN_END])
    return;
#pragma unroll
  for (int i = 0; i < BLOCK_FEATURES; i++) {
    int bin = i % ALL_BINS, y = i / ALL_BINS & 1, x = i / (2 * ALL_BINS);
    int a = ((4 * x + y) * ALL_BINS + bin) * pitch;
    int b = ((4 * (2 + x) + y) * ALL_BINS + bin) * pitch + 1;
    int c = ((4 * x + 2 + y) * ALL_BINS + bin) * pitch;
    int d = ((4 * (2 + x) + 2 + y) * ALL_BINS + bin) * pitch + 1;

    block[i] = (LOAD (near + a) + LOAD (near + b))
        + (LOAD (far + c) + LOAD (far + d));
    sum = fma (block[i], block[i], sum);
  }
  factor = reciprocal (root (sum) + 3.6f);
  sum = 0;
#pragma unroll
  for (int i = 0; i < BLOCK_FEATURES; i++) {
    floatn value = block[i] * factor;

    block[i] = value < 0.2f ? value : (floatn) (0.2f);
    sum = fma (block[i], block[i], sum);
  }
  factor = reciprocal (root (sum) + 1e-3f);
#pragma unroll
  for (int i = 0; i < BLOCK_FEATURES; i++)
    STORE (out + i * pitch, block[i] * factor);
}

/* ---- List of hits ------------------------------------------------------------ */

/* Work-item n counts the hits in span n (a part of a row of windows) of the
 * list: windows whose score is threshold or more. */
kernel void
people_count (const global float *restrict scores,
    const global int *restrict plan, const global int *restrict lists, int list,
    int n_spans, float threshold, global int *restrict counts)
{
  int n = get_global_id (0), count = 0;
  const global int *span = lists + list + PEOPLE_SPAN * n, *level;
  const global float *row;

  if (n >= n_spans)
    return;
  level = plan + PEOPLE_LEVEL * span[SPAN_LEVEL];
  row = scores + level[FIRST_SCORE]
      + (size_t) span[SPAN_ROW] * level[WINDOWS_PITCH];
  for (int x = span[SPAN_BEGIN]; x < span[SPAN_END]; x++)
    count += row[x] >= threshold;
  counts[n] = count;
}

/* Work-item n writes the hits of span n (windows whose score is threshold or
 * more) to the array hits, behind those of the preceding spans: level, row,
 * column and score. hits[0] is the number of hits; the parameter room is the
 * number of hits that fit into the array. */
kernel void
people_list (const global float *restrict scores,
    const global int *restrict plan, const global int *restrict lists, int list,
    int n_spans, float threshold, const global int *restrict counts, int room,
    global int *restrict hits)
{
  int n = get_global_id (0), at = 0;
  const global int *span = lists + list + PEOPLE_SPAN * n, *level;
  const global float *row;

  if (n >= n_spans)
    return;
  for (int i = 0; i < n; i++)
    at += counts[i];
  if (n == n_spans - 1)
    hits[0] = at + counts[n];
  if (counts[n] == 0)
    return;
  level = plan + PEOPLE_LEVEL * span[SPAN_LEVEL];
  row = scores + level[FIRST_SCORE]
      + (size_t) span[SPAN_ROW] * level[WINDOWS_PITCH];
  for (int x = span[SPAN_BEGIN]; x < span[SPAN_END]; x++) {
    if (row[x] >= threshold) {
      if (at < room) {
        global int *hit = hits + PEOPLE_HIT * (1 + at);

        hit[0] = span[SPAN_LEVEL];
        hit[1] = span[SPAN_ROW];
        hit[2] = x;
        hit[3] = as_int (row[x]);
      }
      at++;
    }
  }
}
