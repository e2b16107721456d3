/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Computes the scale space of SIFT: one blur after the other. */

/* BLUR_GROUP is the number of work-items that blur a tile, BLUR_X and BLUR_Y
 * the size of the tile in samples. PAD is at least the largest radius of a
 * blur, and a multiple of 16 */
#ifdef BLUR_GROUP
#define GROUP BLUR_GROUP
#endif
#ifndef BLUR_X
#define BLUR_X 224
#endif
#ifndef BLUR_Y
#define BLUR_Y 32
#endif
#ifndef PAD
#define PAD 16
#endif

#include "sift/sift.h"

/* Returns the index of the sample that stands for sample i of n, mirrored at
 * the first and last sample, which are not repeated. */
static int
reflect (int i, int n)
{
  if (n == 1)
    return 0;
  while (i < 0 || i >= n)
    i = i < 0 ? -i : 2 * (n - 1) - i;
  return i;
}

/* Tells whether the region needs a tile. */
static bool
is_needed (const global int *tile, int left, int top, int right, int bottom)
{
  return tile[2] + BLUR_X > first_needed (left, tile[0], tile[4])
      && tile[2] < end_needed (right, tile[0], tile[4])
      && tile[3] + BLUR_Y > first_needed (top, tile[0], tile[4])
      && tile[3] < end_needed (bottom, tile[0], tile[4]);
}

#if GROUP == 1

/* Number of adjacent samples that one pass of a loop blurs. */
#define SPAN (4 * LANES)

/* Blurs columns: writes n samples, a multiple of SPAN, of row y. */
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

/* Computes a tile of a level: one blur of the level below. */
static void
blur_tile (global float *scale, const global int *plan,
    const global int *tile, int weights, int weights_pitch, int scales,
    int n_octaves, int left, int top, int right, int bottom)
{
  const global int *octave = plan + OCTAVE * tile[0];
  int width = octave[WIDTH], height = octave[HEIGHT], pitch = octave[PITCH];
  int level = tile[1], x0 = tile[2], y0 = tile[3];
  const global float *w =
      (const global float *) plan + weights + level * weights_pitch;
  int radius = plan[weights + level * weights_pitch + weights_pitch - 1];
  /* Level 0 is computed from the samples that sift_load wrote to level 1. */
  const global float *in = scale + octave[OFFSET]
      + (size_t) octave[SIZE] * (level == 0 ? 1 : level - 1);
  global float *out = scale + octave[OFFSET] + (size_t) octave[SIZE] * level;
  bool halves = level == scales && tile[0] + 1 < n_octaves;
  const global int *next = octave + OCTAVE;
  int begin = max (x0 - PAD, 0), end = min (x0 + BLUR_X + PAD, width);
  int n = min (BLUR_X, width - x0);
  float row[PAD + BLUR_X + PAD + SPAN], blurred[BLUR_X + SPAN];

  if (!is_needed (tile, left, top, right, bottom))
    return;
  for (int y = y0; y < min (y0 + BLUR_Y, height); y++) {
    blur_columns (in + begin, pitch, height, y, w, radius, end - begin,
        row + PAD + begin - x0);
    /* Mirrors the row at the edges of the level; row[PAD] holds column x0. */
    if (x0 == 0)
      for (int i = 1; i <= radius; i++)
        row[PAD - i] = row[PAD + reflect (-i, width)];
    for (int i = width; i < x0 + n + radius; i++)
      row[PAD + i - x0] = row[PAD + reflect (i, width) - x0];

    blur_row (row + PAD, w, radius, n, blurred);
    for (int x = 0; x < n; x += LANES)
      STORE (out + (size_t) y * pitch + x0 + x, LOAD_NEAR (blurred + x));
    if (halves && (y & 1) == 0 && y / 2 < next[HEIGHT]) {
      global float *to =
          scale + next[OFFSET] + (size_t) (y / 2) * next[PITCH] + x0 / 2;

      for (int x = 0; 2 * x < n && x0 / 2 + x < next[WIDTH]; x += LANES) {
        floatn a = LOAD_NEAR (blurred + 2 * x);
        floatn b = LOAD_NEAR (blurred + 2 * x + LANES);

        STORE (to + x, ((floatn) (a.even, b.even)));
      }
    }
  }
}

/* Work-item i computes the n_tiles tiles of the list from i * n_tiles on, one
 * after the other. Level number scales of an octave, halved in size, is also
 * the first level of the next octave. */
kernel void
sift_blur (global float *restrict scale, const global int *restrict plan,
    int weights, int weights_pitch, int tiles, int n_tiles, int scales,
    int n_octaves, int left, int top, int right, int bottom)
{
  const global int *tile = plan + tiles + TILE * n_tiles * GROUP_ID;

  for (int n = 0; n < n_tiles; n++)
    blur_tile (scale, plan, tile + TILE * n, weights, weights_pitch, scales,
        n_octaves, left, top, right, bottom);
}

#else

/* Numbers of samples that a work-item computes at once, of a blurred column
 * (DOWN) and of a row (ALONG). BLUR_Y is a multiple of DOWN, BLUR_X of ALONG. */
#define DOWN 8
#define ALONG 4

/* Distance in floats from a row of blurred columns to the next. It is odd,
 * because neighbours in a work-group read rows below each other and would use
 * the same memory bank. */
#define ROW (BLUR_X + 2 * PAD + 1)

/* Blurs n neighbouring samples; AT (i) is sample i, counted from the first of
 * them. Each step moves the arrays before and behind by one place, and loads
 * one new sample for each. */
#define BLUR(n, AT, sum) do { \
    float before[n], behind[n]; \
\
    _Pragma ("unroll") \
    for (int j = 0; j < n; j++) { \
      before[j] = behind[j] = AT (j); \
      sum[j] = w[0] * before[j]; \
    } \
    _Pragma ("unroll 4") \
    for (int k = 1; k <= radius; k++) { \
      _Pragma ("unroll") \
      for (int j = 0; j < n - 1; j++) { \
        before[n - 1 - j] = before[n - 2 - j]; \
        behind[j] = behind[j + 1]; \
      } \
      before[0] = AT (-k); \
      behind[n - 1] = AT (n - 1 + k); \
      _Pragma ("unroll") \
      for (int j = 0; j < n; j++) \
        sum[j] = fma (w[k], before[j] + behind[j], sum[j]); \
    } \
  } while (0)

/* Work-group i computes the n_tiles tiles of the list from i * n_tiles on, one
 * after the other. Level number scales of an octave, halved in size, is also
 * the first level of the next octave. */
kernel void
sift_blur (global float *restrict scale, const global int *restrict plan,
    int weights, int weights_pitch, int tiles, int n_tiles, int scales,
    int n_octaves, int left, int top, int right, int bottom)
{
  const global int *tile = plan + tiles + TILE * n_tiles * GROUP_ID;
  local float rows[BLUR_Y * ROW];

  for (int n = 0; n < n_tiles; n++, tile += TILE) {
    const global int *octave = plan + OCTAVE * tile[0];
    int width = octave[WIDTH], height = octave[HEIGHT], pitch = octave[PITCH];
    int level = tile[1], x0 = tile[2], y0 = tile[3];
    const global float *w =
        (const global float *) plan + weights + level * weights_pitch;
    int radius = plan[weights + level * weights_pitch + weights_pitch - 1];
    const global float *in = scale + octave[OFFSET]
        + (size_t) octave[SIZE] * (level == 0 ? 1 : level - 1);
    global float *out = scale + octave[OFFSET] + (size_t) octave[SIZE] * level;
    bool halves = level == scales && tile[0] + 1 < n_octaves;
    const global int *next = octave + OCTAVE;
    int n_columns = BLUR_X + 2 * radius;
    int n_rows = is_needed (tile, left, top, right, bottom) ? BLUR_Y : 0;

    for (int i = LOCAL_ID; i < n_columns * (n_rows / DOWN); i += GROUP) {
      int dx = i % n_columns, dy = i / n_columns * DOWN, y = y0 + dy;
      bool is_inner = y >= radius && y + DOWN - 1 + radius < height;
      const global float *p = in + reflect (x0 - radius + dx, width);
      float sum[DOWN];

      if (y >= height)
        continue;
#define AT(i) p[(is_inner ? y + (i) : reflect (y + (i), height)) * pitch]
      BLUR (DOWN, AT, sum);
#undef AT
#pragma unroll
      for (int j = 0; j < DOWN; j++)
        rows[(dy + j) * ROW + dx] = sum[j];
    }
    SYNC
    for (int i = LOCAL_ID; i < BLUR_X / ALONG * n_rows; i += GROUP) {
      int dx = i / BLUR_Y * ALONG, dy = i % BLUR_Y, x = x0 + dx, y = y0 + dy;
      const local float *p = rows + dy * ROW + dx + radius;
      float sum[ALONG];

      if (x >= width || y >= height)
        continue;
#define AT(i) p[i]
      BLUR (ALONG, AT, sum);
#undef AT
      /* Rows begin at multiples of 16 floats, and have room up to the next
       * multiple. */
      *(global float4 *) (out + (size_t) y * pitch + x) =
          (float4) (sum[0], sum[1], sum[2], sum[3]);
      if (halves && (y & 1) == 0 && y / 2 < next[HEIGHT]) {
        global float *to =
            scale + next[OFFSET] + (size_t) (y / 2) * next[PITCH] + x / 2;

        if (x / 2 < next[WIDTH])
          to[0] = sum[0];
        if (x / 2 + 1 < next[WIDTH])
          to[1] = sum[2];
      }
    }
    /* Waits for all work-items, as the next tile may be computed from the
     * present one. */
    if (n + 1 < n_tiles)
      barrier (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
}

#endif
