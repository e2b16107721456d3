/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Computes the scale space of SIFT by successive blurs. */

#include "sift/blur.h"

#if GROUP == 1

#include "sift/lines.h"

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
 * column, ALONG samples of a row. TILE_HEIGHT is a multiple of DOWN, TILE_WIDTH of
 * ALONG. */
#define DOWN 4
#define ALONG (N_LEVELS > 1 ? 4 : 8)

/* Largest width and height, in samples, of the part of a level that is computed: a tile and its
 * margin. */
#define WIDEST (TILE_WIDTH + 2 * MARGIN)
#define TALLEST (TILE_HEIGHT + 2 * MARGIN)

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

/* Blurs n neighboring samples, and writes the results to the array @sum. The macro AT (i) gives
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

/* Does the same as BLUR. If the radius is a constant, unrolls all loops, so that all arrays,
 * including the array of weights, are in registers. */
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

#if N_LEVELS == 1

/* Blurs n_rows samples of a column of a tile, a multiple of DOWN, and writes them to a column of
 * the array @rows. The macro AT (i) gives sample i of the column, where sample 0 is the first of
 * the tile. The array @window contains the samples that DOWN results need. It moves down with
 * them, so that each sample is loaded only once. */
#define BLUR_STRIP(AT, b, radius, n_rows, unroll, rows) do { \
    float weights[16], window[2 * 15 + DOWN]; \
\
    _Pragma ("unroll") \
    for (int k = 0; k <= radius; k++) \
      weights[k] = b.w[k]; \
    _Pragma ("unroll") \
    for (int j = 0; j < 2 * radius; j++) \
      window[j] = AT (j - radius); \
    _Pragma (unroll) \
    for (int dy = 0; dy < n_rows; dy += DOWN) { \
      _Pragma ("unroll") \
      for (int j = 0; j < DOWN; j++) \
        window[2 * radius + j] = AT (dy + radius + j); \
      _Pragma ("unroll") \
      for (int j = 0; j < DOWN; j++) { \
        float sum = weights[0] * window[radius + j]; \
\
        _Pragma ("unroll") \
        for (int k = 1; k <= radius; k++) \
          sum = fma (weights[k], window[radius + j - k] \
              + window[radius + j + k], sum); \
        rows[(dy + j) * ROW] = sum; \
      } \
      _Pragma ("unroll") \
      for (int j = 0; j < 2 * radius; j++) \
        window[j] = window[j + DOWN]; \
    } \
  } while (0)

/* Does what blur_columns() does, for a radius that is a constant and without a margin. A
 * work-item computes a whole column of the tile. */
static inline __attribute__ ((always_inline)) void
blur_strips (const Blur b, int radius, bool needed, local float *rows)
{
  int n_columns = needed ? TILE_WIDTH + 2 * radius : 0;
  int left = b.x0 - radius;
  bool inner = b.y0 >= radius && b.y0 + TILE_HEIGHT + radius <= b.height;

  for (int dx = LOCAL_ID; dx < n_columns; dx += GROUP) {
    const global float *p = b.in + reflect (left + dx, b.width);

    if (inner) {
      p += b.y0 * b.pitch;
#define AT(i) p[(i) * b.pitch]
      BLUR_STRIP (AT, b, radius, TILE_HEIGHT, "unroll 2", (rows + dx));
#undef AT
    } else {
#define AT(i) p[reflect (b.y0 + (i), b.height) * b.pitch]
      BLUR_STRIP (AT, b, radius, min (TILE_HEIGHT, b.height - b.y0), "unroll 1",
          (rows + dx));
#undef AT
    }
  }
}

#endif

/* Blurs the level below vertically, for a tile and @margin samples around it. Writes the result
 * to the array @rows, including the columns that the horizontal blur needs. */
static inline __attribute__ ((always_inline)) void
blur_columns (const Blur b, int radius, bool is_constant, int margin,
    bool needed, local float *rows)
{
  int n_columns = TILE_WIDTH + 2 * (margin + radius);
  int n_rows = needed ? TILE_HEIGHT + 2 * margin : 0;
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

/* Blurs the columns of a tile like blur_columns(), but reads the level below from the array @level,
 * in which the tile has a margin of
 * @before samples, which is at least @margin + @radius. */
static inline __attribute__ ((always_inline)) void
blur_columns_again (const Blur b, int radius, bool is_constant, int before,
    int margin, bool needed, const local float *level, local float *rows)
{
  int n_columns = TILE_WIDTH + 2 * (margin + radius);
  int n_rows = needed ? TILE_HEIGHT + 2 * margin : 0;

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

/* Blurs the array @rows horizontally, and writes the tile and its margin to the array @level,
 * from which the next level is computed. Outside of the frame, @level then contains the mirrored
 * samples: the blur of a mirrored level equals the mirrored blur of the level, bit for bit. */
static inline __attribute__ ((always_inline)) void
blur_rows (const Blur b, int radius, bool is_constant, int margin,
    bool needed, const local float *rows, local float *level)
{
  int height = TILE_HEIGHT + 2 * margin;
  int n = needed ? (TILE_WIDTH + 2 * margin) / ALONG * height : 0;

  for (int i = LOCAL_ID; i < n; i += GROUP) {
    int dx = i / height * ALONG, dy = i % height;
    const local float *p = rows + dy * ROW + dx + radius;
    float sum[ALONG];

    if (b.x0 - margin + dx >= b.width + margin
        || b.y0 - margin + dy >= b.height + margin)
      continue;
#define AT(i) p[i]
    BLUR_FAST (ALONG, AT, b, radius, is_constant, sum);
#undef AT
#pragma unroll
    for (int j = 0; j < ALONG; j++)
      level[dy * LEVEL_ROW + dx + j] = sum[j];
  }
}

/* Copies the tile from the array @level to the level. If b.halves is set, also writes every
 * second sample of every second row to level 0 of the next octave. Neighboring work-items write
 * neighboring samples; those of blur_rows() have samples of different rows. */
static inline __attribute__ ((always_inline)) void
store_tile (const Blur b, int margin, bool needed, const local float *level)
{
  int n = needed ? TILE_WIDTH * TILE_HEIGHT : 0;

  level += margin * LEVEL_ROW + margin;
  for (int i = LOCAL_ID; i < n; i += GROUP) {
    int dx = i % TILE_WIDTH, dy = i / TILE_WIDTH;
    int x = b.x0 + dx, y = b.y0 + dy;
    float sample = level[dy * LEVEL_ROW + dx];

    if (x >= b.width || y >= b.height)
      continue;
    b.out[(size_t) y * b.pitch + x] = sample;
    if (b.halves && ((x | y) & 1) == 0 && x / 2 < b.next_width
        && y / 2 < b.next_height)
      b.next[(size_t) (y / 2) * b.next_pitch + x / 2] = sample;
  }
}

/* Calls of the functions above, for WITH_RADIUS */
#if N_LEVELS > 1
#define COLUMNS_OF(radius, is_constant) \
  blur_columns (b, radius, is_constant, margin, needed, rows)
#else
#define COLUMNS_OF(radius, is_constant) do { \
    if (is_constant) \
      blur_strips (b, radius, needed, rows); \
    else \
      blur_columns (b, radius, is_constant, margin, needed, rows); \
  } while (0)
#endif
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
  local float level[TALLEST * LEVEL_ROW];

  for (int n = 0; n < n_tiles; n++, tile += TILE) {
    bool needed = is_needed (tile, left, top, right, bottom);
    int margin = MARGIN > 0 ? tile[TILE_MARGIN] : 0;
    Blur b = find_blur (scale, plan, tile, 0, weights, weights_pitch, scales,
        n_octaves);

    WITH_RADIUS (b, COLUMNS_OF);
    SYNC
    WITH_RADIUS (b, ROWS_OF);
    SYNC
    store_tile (b, margin, needed, level);
#if N_LEVELS > 1
    for (int above = 1; above < N_LEVELS; above++) {
      int before = margin;

      needed = needed && above < tile[TILE_LEVELS];
      b = find_blur (scale, plan, tile, needed ? above : 0, weights,
          weights_pitch, scales, n_octaves);
      /* The host rounded the margin up to a multiple of 4; computes it again. */
      margin = needed ? (before - b.radius) & ~3 : 0;
      WITH_RADIUS (b, COLUMNS_AGAIN);
      SYNC
      WITH_RADIUS (b, ROWS_OF);
      SYNC
      store_tile (b, margin, needed, level);
    }
#endif
    /* Waits for all work-items, because the next tile may depend on this one, and uses the same
     * local memory. */
    if (n + 1 < n_tiles)
      barrier (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
}

#endif
