/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Finds SIFT points, which are extrema of the scale space. */

/* FIND_GROUP is the number of work-items that search one tile of a level for points. FIND_X and
 * FIND_Y are the width and height of the tile in samples. */
#ifdef FIND_GROUP
#define GROUP FIND_GROUP
#endif
#ifndef FIND_X
#define FIND_X 256
#endif
#ifndef FIND_Y
#define FIND_Y 32
#endif

/* Number of layers of an octave in which points are searched for. Only used if LANES is 1. */
#ifndef SCALES
#define SCALES 3
#endif

#include "sift/sift.h"
#include "sift/refine.h"

#if LANES != 1

/* Returns samples of the difference of two adjacent levels of the scale space. @p is the address
 * of the samples in the lower level. */
#define DIFFERENCE(p) (LOAD ((p) + size) - LOAD (p))

#define LARGER(a, b) ((a) > (b) ? (a) : (b))
#define SIGNED(v) as_floatn (as_uintn (v) ^ sign)

/* Returns the largest of the eight differences of levels around the address @p. If @middle is
 * set, the difference at @p itself is included. Differences are negated in lanes whose @sign has
 * the sign bit set. */
static floatn
largest (const global float *p, int size, int pitch, uintn sign, bool middle)
{
  floatn most = SIGNED (DIFFERENCE (p - pitch - 1));

#pragma unroll
  for (int y = -1; y <= 1; y++) {
#pragma unroll
    for (int x = -1; x <= 1; x++) {
      if (y + x > -2 && (middle || y != 0 || x != 0)) {
        floatn v = SIGNED (DIFFERENCE (p + y * pitch + x));

        most = LARGER (v, most);
      }
    }
  }
  return most;
}

/* Values that the search at one position keeps from layer to layer.
 * @up, @down: samples of the scale space in the row above and in the row below
 * @next: samples of the level above the layer
 * @before, @here: differences of levels of the previous layer and of this layer */
typedef struct
{
  floatn up, down, next;
  floatn before, here;
} Column;

/* Returns a mask of the extrema among the LANES samples at the address @p. Only lanes that are
 * set in the mask @counts are considered. First compares the neighbors that are cheap to load,
 * because nearly all samples fail there. */
static intn
find_extrema (const global float *p, int size, int pitch, float threshold,
    intn counts, Column * column)
{
  floatn value = column->here, after = LOAD (p + 2 * size) - column->next;
  floatn up = LOAD (p + size - pitch), down = LOAD (p + size + pitch);
  floatn before = column->before;
  uintn sign = as_uintn (value) & 0x80000000u;
  floatn size_of = SIGNED (value);
  floatn a = SIGNED (up - column->up), b = SIGNED (down - column->down);
  floatn c = SIGNED (before), d = SIGNED (after);
  intn found;

  column->next = LOAD (p + 2 * size);
  column->up = up;
  column->down = down;
  column->before = value;
  column->here = after;
  a = LARGER (a, b);
  c = LARGER (c, d);
  found = counts & (size_of > threshold) & (size_of >= LARGER (a, c));
  if (ANY (found)) {
    a = SIGNED (DIFFERENCE (p - 1));
    b = SIGNED (DIFFERENCE (p + 1));
    found &= size_of >= LARGER (a, b);
  }
  if (ANY (found))
    found &= size_of >= largest (p, size, pitch, sign, false);
  if (ANY (found))
    found &= size_of >= largest (p - size, size, pitch, sign, true);
  if (ANY (found))
    found &= size_of >= largest (p + size, size, pitch, sign, true);
  return found;
}

#endif

/* Returns true if the pixel of the frame at a point lies in the region of interest. The pixel
 * must lie in one of n_rectangles rectangles (x, y, width and height), unless n_rectangles is
 * negative. Its byte in @mask must not be 0, unless mask_pitch is 0. */
static bool
is_inside (const int *point, int upsample, const global int *rectangles,
    int n_rectangles, const global uchar *mask, int mask_pitch)
{
  float zoom = as_float ((127 + point[0] - upsample) << 23);
  float shift = upsample ? -0.25f : 0.0f;
  int x = (int) (fma ((float) point[3] + as_float (point[D_COLUMN]), zoom,
          shift) + 0.5f);
  int y = (int) (fma ((float) point[2] + as_float (point[D_ROW]), zoom,
          shift) + 0.5f);
  bool inside = n_rectangles < 0;

  for (int i = 0; i < n_rectangles && !inside; i++) {
    const global int *r = rectangles + 4 * i;

    inside = x >= r[0] && x < r[0] + r[2] && y >= r[1] && y < r[1] + r[3];
  }
  return inside && (mask_pitch == 0 || mask[(size_t) y * mask_pitch + x] != 0);
}

/* Writes the index i of a point to the array @order, at the next free position of the bin of its
 * response. */
static void
put_in_bin (int i, int bin, global int *state, global int *order)
{
  order[state[STARTS + bin + 1] + atomic_dec (state + COUNTS + bin) - 1] = i;
}

/* Adds a point to the list, unless the same point was already added from another sample. Each
 * sample has a mark for this purpose: the first run of sift_find sets it, and the second run
 * clears it. The second run also writes the point to its bin. */
static void
add_point (const int *point, float response, const global int *octave,
    int second, int capacity, global int *points, global int *state,
    global int *order)
{
  uint mark = octave[MARKS] + ((point[1] - 1) * octave[HEIGHT] + point[2])
      * octave[PITCH] + point[3];
  volatile global int *word = state + MARKED + (mark >> 5);
  int bit = 1 << (mark & 31), bin = bin_of (response), i;

  if (second) {
    if ((atomic_and (word, ~bit) & bit) == 0 || bin < state[LOWEST])
      return;
  } else {
    if ((atomic_or (word, bit) & bit) != 0)
      return;
    atomic_inc (state + FOUND);
    atomic_inc (state + COUNTS + bin);
  }
  i = atomic_inc (state + LISTED);
  if (i < capacity)
    for (int k = 0; k < POINT; k++)
      points[POINT * i + k] = point[k];
  if (second && i < capacity)
    put_in_bin (i, bin, state, order);
}

/* Refines the extremum at @layer, @row and @column. Adds the point to the list if it is strong
 * enough and in the region of interest. */
static void
keep_point (int number, int layer, int row, int column,
    const global float *level0, const global int *octave, int scales,
    float contrast, float edge, int second, int capacity, global int *points,
    global int *state, global int *order, int upsample,
    const global int *rectangles, int n_rectangles, const global uchar *mask, int mask_pitch)
{
  int point[POINT] = { number, layer, row, column, 0, 0, 0, 0 };
  float response;

  if (refine (level0, octave, scales, contrast, edge, point, &response)
      && is_inside (point, upsample, rectangles, n_rectangles, mask,
          mask_pitch))
    add_point (point, response, octave, second, capacity, points, state,
        order);
}

#if LANES == 1

/* Computes the differences of successive levels at the address @p of the first level of the
 * scale space, and at the two neighbors of @p in the row. Sets @middle to the differences at
 * @p, and @high and @low to the largest and smallest of the three. Levels are @size samples
 * apart. */
static void
subtract_levels (const global float *p, int size, float *high, float *low,
    float *middle)
{
  float a = p[-1], b = p[0], c = p[1];

#pragma unroll
  for (int d = 0; d < SCALES + 2; d++) {
    float next_a, next_b, next_c;

    p += size;
    next_a = p[-1];
    next_b = p[0];
    next_c = p[1];
    middle[d] = next_b - b;
    high[d] = fmax (fmax (next_a - a, next_c - c), middle[d]);
    low[d] = fmin (fmin (next_a - a, next_c - c), middle[d]);
    a = next_a;
    b = next_b;
    c = next_c;
  }
}

/* Finds points in columns x0 to x1 - 1 and rows y0 to y1 - 1 of a tile. Each work-item processes
 * one column of the tile from top to bottom. For each level of differences, it keeps the largest
 * and the smallest of three neighbors in each of the last two rows, and the middle sample of
 * the last row. */
static void
find_in_tile (const global int *tile, const global int *octave,
    const global float *level0, int x0, int y0, int x1, int y1, int scales,
    float threshold, float contrast, float edge, int second, int capacity,
    global int *points, global int *state, global int *order, int upsample,
    const global int *rectangles, int n_rectangles, const global uchar *mask,
    int mask_pitch)
{
  int size = octave[SIZE], pitch = octave[PITCH];
  int x = tile[2] + LOCAL_ID;
  float high1[SCALES + 2], high2[SCALES + 2], low1[SCALES + 2];
  float low2[SCALES + 2], middle1[SCALES + 2];

  if (x < x0 || x >= x1)
    return;
#pragma unroll
  for (int d = 0; d < SCALES + 2; d++)
    high1[d] = high2[d] = low1[d] = low2[d] = middle1[d] = 0;
  for (int y = y0 - 1; y <= y1; y++) {
    const global float *p = level0 + (size_t) y * pitch + x;
    float high[SCALES + 2], low[SCALES + 2], middle[SCALES + 2];
    float highest[SCALES + 2], lowest[SCALES + 2];
    int found = 0;

    subtract_levels (p, size, high, low, middle);
#pragma unroll
    for (int d = 0; d < SCALES + 2; d++) {
      highest[d] = fmax (fmax (high2[d], high1[d]), high[d]);
      lowest[d] = fmin (fmin (low2[d], low1[d]), low[d]);
    }
#pragma unroll
    for (int d = 1; d <= SCALES; d++) {
      float most = fmax (fmax (highest[d - 1], highest[d]), highest[d + 1]);
      float least = fmin (fmin (lowest[d - 1], lowest[d]), lowest[d + 1]);

      if (fabs (middle1[d]) > threshold
          && middle1[d] == (middle1[d] > 0 ? most : least))
        found |= 1 << d;
    }
    for (int d = 1; d <= SCALES && y > y0 && found != 0; d++) {
      if ((found & 1 << d) != 0)
        keep_point (tile[0], d, y - 1, x, level0, octave, scales, contrast,
            edge, second, capacity, points, state, order, upsample, rectangles,
            n_rectangles, mask, mask_pitch);
    }
#pragma unroll
    for (int d = 0; d < SCALES + 2; d++) {
      high2[d] = high1[d];
      high1[d] = high[d];
      low2[d] = low1[d];
      low1[d] = low[d];
      middle1[d] = middle[d];
    }
  }
}

#else

/* Finds points in a tile, in LANES samples of a row at once. This variant is for CPUs. */
static void
find_in_tile (const global int *tile, const global int *octave,
    const global float *level0, int x0, int y0, int x1, int y1, int scales,
    float threshold, float contrast, float edge, int second, int capacity,
    global int *points, global int *state, global int *order, int upsample,
    const global int *rectangles, int n_rectangles, const global uchar *mask,
    int mask_pitch)
{
  int size = octave[SIZE], pitch = octave[PITCH];

  for (int i = LOCAL_ID * LANES; i < FIND_X * FIND_Y; i += GROUP * LANES) {
    int x = tile[2] + i % FIND_X, y = tile[3] + i / FIND_X;
    const global float *p = level0 + (size_t) y * pitch + x;
    intn counts = (LANE_NUMBERS < (intn) (x1 - x))
        & (LANE_NUMBERS >= (intn) (x0 - x));
    Column column;

    if (x + LANES <= x0 || x >= x1 || y < y0 || y >= y1)
      continue;
    column.up = LOAD (p + size - pitch);
    column.down = LOAD (p + size + pitch);
    column.here = LOAD (p + size);
    column.next = LOAD (p + 2 * (size_t) size);
    column.before = column.here - LOAD (p);
    column.here = column.next - column.here;
    for (int layer = 1; layer <= scales; layer++) {
      intn found = find_extrema (p + (size_t) layer * size, size, pitch,
          threshold, counts, &column);
      int lanes[LANES];

      if (!ANY (found))
        continue;
      STORE_INTS (lanes, found);
      for (int lane = 0; lane < LANES; lane++) {
        if (lanes[lane] != 0)
          keep_point (tile[0], layer, y, x + lane, level0, octave, scales,
              contrast, edge, second, capacity, points, state, order,
              upsample, rectangles, n_rectangles, mask, mask_pitch);
      }
    }
  }
}

#endif

/* Finds points, with one tile for each work-group. The kernel runs a second time after
 * sift_starts and sorts the points into bins. If there were more points than fit into the
 * memory, the second run finds the points again, and lists only the strong ones. */
kernel void
sift_find (const global float *restrict scale, const global int *restrict plan,
    int tiles, int scales, float threshold, float contrast, float edge,
    int second, int capacity, global int *restrict points,
    global int *restrict state, global int *restrict order, int left,
    int top, int right, int bottom,
    int upsample, const global int *restrict rectangles, int n_rectangles,
    const global uchar *restrict mask, int mask_pitch)
{
  const global int *tile = plan + tiles + TILE * GROUP_ID;
  const global int *octave = plan + OCTAVE * tile[0];
  const global float *level0 = scale + octave[OFFSET];
  int x0 = max (max (tile[2], BORDER),
      first_needed (left, tile[0], tile[4]));
  int y0 = max (tile[3], first_needed (top, tile[0], tile[4]));
  int x1 = min (min (tile[2] + FIND_X, octave[WIDTH] - BORDER),
      end_needed (right, tile[0], tile[4]));
  int y1 = min (min (tile[3] + FIND_Y, octave[HEIGHT] - BORDER),
      end_needed (bottom, tile[0], tile[4]));

  if (second && state[LOWEST] == 0) {
    int n = count_points (state);

    for (int i = get_global_id (0); i < n; i += get_global_size (0))
      put_in_bin (i, bin_of (as_float (points[POINT * i + RESPONSE])), state,
          order);
    return;
  }
  find_in_tile (tile, octave, level0, x0, y0, x1, y1, scales, threshold,
      contrast, edge, second, capacity, points, state, order, upsample,
      rectangles, n_rectangles, mask, mask_pitch);
}
