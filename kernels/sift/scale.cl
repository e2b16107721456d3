/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Computes the scale space of SIFT by successive blurs. */

#include "sift/blur.h"

#if GROUP == 1

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

/* Computes n_tiles tiles of levels in work-item i, starting at tile i * n_tiles of the list.
 * Computes the tiles in order, because a tile may depend on the tile before. If a tile belongs
 * to level @scales of its octave, also writes every second sample of every second row to level 0
 * of the next octave. */
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

/* Number of adjacent samples that a work-item blurs at once: DOWN samples of a
 * column, ALONG samples of a row. BLUR_Y is a multiple of DOWN, BLUR_X of
 * ALONG. */
#define DOWN 8
#define ALONG 4

/* Largest width and height, in samples, of the part of a level that is computed: a tile and its
 * margin. */
#define WIDEST (BLUR_X + 2 * MARGIN)
#define TALLEST (BLUR_Y + 2 * MARGIN)

/* Distances in floats between rows of blurred columns, and between rows of a level in local
 * memory. Both are odd: adjacent work-items read vertically adjacent samples, and with an even
 * distance these would be in the same memory bank. */
#define ROW (WIDEST + 2 * PAD + 1)
#define LEVEL_ROW (WIDEST + 1)

/* Calls the macro @call (radius, is_constant) with the radius of blur b. A radius with a bit in
 * RADII is passed as a constant, so that the compiler unrolls the loops over the radius. */
#define CASE(b, r, call) \
  if ((RADII >> r & 1) && b.radius == r) \
    call (r, true);
#define WITH_RADIUS(b, call) do { \
    CASE (b, 1, call) CASE (b, 2, call) CASE (b, 3, call) CASE (b, 4, call) \
    CASE (b, 5, call) CASE (b, 6, call) CASE (b, 7, call) CASE (b, 8, call) \
    CASE (b, 9, call) CASE (b, 10, call) CASE (b, 11, call) CASE (b, 12, call) \
    CASE (b, 13, call) CASE (b, 14, call) CASE (b, 15, call) \
    if (RADII == 1 || ((RADII & 1) && b.radius > 15)) \
      call (b.radius, false); \
  } while (0)

/* Blurs n neighbouring samples, and writes the results to the array @sum. The macro AT (i) gives
 * sample i, where sample 0 is the first of the n samples; @w contains the weights. In iteration
 * k, the arrays @before and @behind contain, for each of the n samples, the samples k positions
 * before and after it. From one iteration to the next, the elements of both arrays move by one
 * position; only one sample has to be loaded for each array. */
#define BLUR(n, AT, w, radius, unroll, sum) do { \
    float before[n], behind[n]; \
\
    _Pragma ("unroll") \
    for (int j = 0; j < n; j++) { \
      before[j] = behind[j] = AT (j); \
      sum[j] = w[0] * before[j]; \
    } \
    _Pragma (unroll) \
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

/* Does the same. If the radius is a constant, unrolls all loops, so that the arrays, also that
 * of the weights, are in registers. */
#define BLUR_FAST(n, AT, b, radius, is_constant, sum) do { \
    if (is_constant) { \
      float weights[16]; \
\
      _Pragma ("unroll") \
      for (int k = 0; k <= radius; k++) \
        weights[k] = b.w[k]; \
      BLUR (n, AT, weights, radius, "unroll", sum); \
    } else { \
      BLUR (n, AT, b.w, radius, "unroll 4", sum); \
    } \
  } while (0)

/* Blurs the level below vertically, for a tile and @margin samples around it. Writes the result
 * to the array @rows, including the columns that the horizontal blur needs. */
static inline __attribute__ ((always_inline)) void
blur_columns (const Blur b, int radius, bool is_constant, int margin,
    bool needed, local float *rows)
{
  int n_columns = BLUR_X + 2 * (margin + radius);
  int n_rows = needed ? BLUR_Y + 2 * margin : 0;
  int left = b.x0 - margin - radius;

  for (int i = LOCAL_ID; i < n_columns * (n_rows / DOWN); i += GROUP) {
    int dx = i % n_columns, dy = i / n_columns * DOWN;
    int y = b.y0 - margin + dy;
    const global float *p = b.in + reflect (left + dx, b.width);
    float sum[DOWN];

    if (y >= b.height + margin)
      continue;
    if (y >= radius && y + DOWN - 1 + radius < b.height) {
      p += y * b.pitch;
#define AT(i) p[(i) * b.pitch]
      BLUR_FAST (DOWN, AT, b, radius, is_constant, sum);
#undef AT
    } else {
#define AT(i) p[reflect (y + (i), b.height) * b.pitch]
      BLUR (DOWN, AT, b.w, b.radius, "unroll 1", sum);
#undef AT
    }
#pragma unroll
    for (int j = 0; j < DOWN; j++)
      rows[(dy + j) * ROW + dx] = sum[j];
  }
}

#if N_LEVELS > 1

/* Does the same if the level below is in the array @level. There the tile has a margin of
 * @before samples, which is at least @margin + @radius. */
static inline __attribute__ ((always_inline)) void
blur_columns_again (const Blur b, int radius, bool is_constant, int before,
    int margin, bool needed, const local float *level, local float *rows)
{
  int n_columns = BLUR_X + 2 * (margin + radius);
  int n_rows = needed ? BLUR_Y + 2 * margin : 0;

  level += (before - margin) * LEVEL_ROW + before - margin - radius;
  for (int i = LOCAL_ID; i < n_columns * (n_rows / DOWN); i += GROUP) {
    int dx = i % n_columns, dy = i / n_columns * DOWN;
    const local float *p = level + dy * LEVEL_ROW + dx;
    float sum[DOWN];

#define AT(i) p[(i) * LEVEL_ROW]
    BLUR_FAST (DOWN, AT, b, radius, is_constant, sum);
#undef AT
#pragma unroll
    for (int j = 0; j < DOWN; j++)
      rows[(dy + j) * ROW + dx] = sum[j];
  }
}

#endif

/* Blurs the array @rows horizontally, and writes the tile to the level. If b.halves is set, also
 * writes every second sample of every second row to level 0 of the next octave. If there is a
 * margin, also writes the tile and its margin to the array @level, from which the next level is
 * computed. Outside of the frame, @level then contains the mirrored samples: the blur of a
 * mirrored level equals the mirrored blur of the level, bit by bit. */
static inline __attribute__ ((always_inline)) void
blur_rows (const Blur b, int radius, bool is_constant, int margin,
    bool needed, const local float *rows, local float *level)
{
  int height = BLUR_Y + 2 * margin;
  int n = needed ? (BLUR_X + 2 * margin) / ALONG * height : 0;

  for (int i = LOCAL_ID; i < n; i += GROUP) {
    int dx = i / height * ALONG, dy = i % height;
    int x = b.x0 - margin + dx, y = b.y0 - margin + dy;
    const local float *p = rows + dy * ROW + dx + radius;
    float sum[ALONG];

    if (x >= b.width + margin || y >= b.height + margin)
      continue;
#define AT(i) p[i]
    BLUR_FAST (ALONG, AT, b, radius, is_constant, sum);
#undef AT
    if (margin > 0) {
#pragma unroll
      for (int j = 0; j < ALONG; j++)
        level[dy * LEVEL_ROW + dx + j] = sum[j];
    }
    if (x < b.x0 || x >= min (b.x0 + BLUR_X, b.width) || y < b.y0
        || y >= min (b.y0 + BLUR_Y, b.height))
      continue;
    /* Stores four samples even at the end of a row: rows begin at multiples of 16 floats, so
     * that the memory of a row extends to the next multiple. */
    *(global float4 *) (b.out + (size_t) y * b.pitch + x) =
        (float4) (sum[0], sum[1], sum[2], sum[3]);
    if (b.halves && (y & 1) == 0 && y / 2 < b.next_height) {
      global float *to = b.next + (size_t) (y / 2) * b.next_pitch + x / 2;

      if (x / 2 < b.next_width)
        to[0] = sum[0];
      if (x / 2 + 1 < b.next_width)
        to[1] = sum[2];
    }
  }
}

/* Calls of the functions above, for WITH_RADIUS */
#define COLUMNS_OF(radius, is_constant) \
  blur_columns (b, radius, is_constant, margin, needed, rows)
#define COLUMNS_AGAIN(radius, is_constant) \
  blur_columns_again (b, radius, is_constant, before, margin, needed, level, rows)
#define ROWS_OF(radius, is_constant) \
  blur_rows (b, radius, is_constant, margin, needed, rows, level)

/* Computes n_tiles tiles of levels in work-group i, starting at tile i * n_tiles of the list.
 * Computes the tiles in order, because a tile may depend on the tile before. For each tile,
 * computes tile[TILE_LEVELS] levels, each from the level before. It keeps the level before in
 * local memory, together with the samples around the tile that the next level needs. If a level
 * is level @scales of its octave, also writes every second sample of every second row to level 0
 * of the next octave. */
kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1)))
void
sift_blur (global float *restrict scale, const global int *restrict plan,
    int weights, int weights_pitch, int tiles, int n_tiles, int scales,
    int n_octaves, int left, int top, int right, int bottom)
{
  const global int *tile = plan + tiles + TILE * n_tiles * GROUP_ID;
  local float rows[TALLEST * ROW];
#if N_LEVELS > 1
  local float level[TALLEST * LEVEL_ROW];
#else
  local float *level = NULL;
#endif

  for (int n = 0; n < n_tiles; n++, tile += TILE) {
    bool needed = is_needed (tile, left, top, right, bottom);
    int margin = MARGIN > 0 ? tile[TILE_MARGIN] : 0;
    Blur b = find_blur (scale, plan, tile, 0, weights, weights_pitch, scales,
        n_octaves);

    WITH_RADIUS (b, COLUMNS_OF);
    SYNC
    WITH_RADIUS (b, ROWS_OF);
#if N_LEVELS > 1
    for (int above = 1; above < N_LEVELS; above++) {
      int before = margin;

      needed = needed && above < tile[TILE_LEVELS];
      b = find_blur (scale, plan, tile, needed ? above : 0, weights,
          weights_pitch, scales, n_octaves);
      /* The host rounded the margin up to a multiple of 4; computes it again. */
      margin = needed ? (before - b.radius) & ~3 : 0;
      SYNC
      WITH_RADIUS (b, COLUMNS_AGAIN);
      SYNC
      WITH_RADIUS (b, ROWS_OF);
    }
#endif
    /* Waits for all work-items, because the next tile may depend on this one, and uses the same
     * local memory. */
    if (n + 1 < n_tiles)
      barrier (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
}

#endif
