/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Computes the features of blocks in all scaled sizes of a frame, and lists the windows with
 * high scores. */

/* Number of adjacent blocks that a work-item computes: 1 or 16. */
#ifndef LANES
#define LANES 16
#endif

#include "people/people.h"

/* ---- Features of blocks ------------------------------------------------------ */

#if LANES == 1

/* Adds up the histograms of the four tiles of a block. @near is the address of the upper two
 * tiles, @far of the lower two. @pitch is the distance between successive numbers of a tile. */
static void
add_tiles (const global float *near, const global float *far, int pitch,
    float *block)
{
#pragma unroll
  for (int i = 0; i < BLOCK_FEATURES; i++) {
    int bin = i % ALL_BINS, y = i / ALL_BINS & 1, x = i / (2 * ALL_BINS);
    int a = ((4 * x + y) * ALL_BINS + bin) * pitch;
    int b = ((4 * (2 + x) + y) * ALL_BINS + bin) * pitch + 1;
    int c = ((4 * x + 2 + y) * ALL_BINS + bin) * pitch;
    int d = ((4 * (2 + x) + 2 + y) * ALL_BINS + bin) * pitch + 1;

    block[i] = (near[a] + near[b]) + (far[c] + far[d]);
  }
}

#else

/* Adds up the histograms of the four tiles of each of LANES blocks. @near is the address of the
 * upper two tiles of the first block, @far of its lower two. */
static void
add_tiles (const global float *near, const global float *far, floatn * block)
{
  for (int t = 0; t < LANES; t++, near += TILE_FEATURES, far += TILE_FEATURES) {
    float *lane = (float *) block + t;

#pragma unroll
    for (int x = 0; x < 2; x++)
#pragma unroll
      for (int bin = 0; bin < ALL_BINS; bin++) {
        int a = 4 * (ALL_BINS * x + bin);
        int b = TILE_FEATURES + 4 * (ALL_BINS * (2 + x) + bin);
        float4 above = LOAD_LOOSE (loose_float4, near + a)
            + LOAD_LOOSE (loose_float4, near + b);
        float4 below = LOAD_LOOSE (loose_float4, far + a)
            + LOAD_LOOSE (loose_float4, far + b);
        float2 sum = above.lo + below.hi;

        lane[LANES * (2 * ALL_BINS * x + bin)] = sum.x;
        lane[LANES * (2 * ALL_BINS * x + ALL_BINS + bin)] = sum.y;
      }
  }
}

#endif

/* Computes the features of LANES blocks in work-item (i, n), starting at block i * LANES of span
 * n (a part of a row) of the list. The features are the normalized sums of the histograms of
 * four tiles. */
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
      + (size_t) row * TILE_FEATURES * pitch;
  const global float *far = near + TILE_FEATURES * pitch;
  global float *out = blocks + level[BLOCKS]
      + (size_t) row * BLOCK_FEATURES * pitch + column;
  floatn block[BLOCK_FEATURES], sum = 0, factor;

  if (column >= span[SPAN_END])
    return;
#if LANES == 1
  add_tiles (near + column, far + column, pitch, block);
#else
  add_tiles (near + TILE_FEATURES * column, far + TILE_FEATURES * column, block);
#endif
#pragma unroll
  for (int i = 0; i < BLOCK_FEATURES; i++)
    sum = fma (block[i], block[i], sum);
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

/* Counts the hits in span n (a part of a row of windows) of the list, in work-item n. Hits are
 * windows with a score of @threshold or more. */
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

/* Writes the hits of span n to the array @hits, in work-item n. Hits are windows with a score of
 * @threshold or more. A hit has level, row, column and score. The hits follow those of the
 * preceding spans. hits[0] is set to the number of all hits. @room is the number of hits that
 * fit into the array. */
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
