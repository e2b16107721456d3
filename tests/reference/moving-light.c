/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reference implementation of motion detection: the change of light between a frame and the
 * background, see docs/algorithms/moving.md. */
#include "moving-private.h"

#include <stdlib.h>
#include <string.h>

#define TONES 64

#define TONE_BINS 256

#define BLOCK_BINS 512

#define NEAR 160

/* Returns the histogram bin with the median of @c values, and sets *@median to this median. Bin 0
 * begins at -@origin, and each bin is 32 wide. */
static int
get_median (const int *bins, int c, int origin, int *median)
{
  int k = 0, sum = 0;

  while (sum + bins[k] <= c / 2)
    sum += bins[k++];
  *median = (k << 5) - origin + ((c / 2 - sum) * 32 + 16) / bins[k];
  return k;
}

static int
count_near (const int *bins, int n, int k, int reach)
{
  int sum = 0;

  for (int i = k - reach; i <= k + reach; i++)
    sum += i >= 0 && i < n ? bins[i] : 0;
  return sum;
}

/* ---- Tone ----------------------------------------------------------------------- */

static int
get_tone (const RefMoving * self, int m)
{
  int bin = (m - 64) >> 7, part = (m - 64) & 127;

  if (bin < 0)
    return self->tone[0];
  if (bin >= TONES - 1)
    return self->tone[TONES - 1];
  return (self->tone[bin] * (128 - part) + self->tone[bin + 1] * part
      + 64) >> 7;
}

/* Interpolates the tone of bins with too few values between the bins that count. */
static void
spread_tone (RefMoving * self, const int *value, const int *counts)
{
  for (int i = 0; i < TONES; i++) {
    int left = i, right = i;

    while (left >= 0 && !counts[left])
      left--;
    while (right < TONES && !counts[right])
      right++;
    if (left < 0)
      self->tone[i] = value[right];
    else if (right == TONES || left == right)
      self->tone[i] = value[left];
    else
      self->tone[i] = value[left]
          + (value[right] - value[left]) * (i - left) / (right - left);
  }
}

static void
find_tone (RefMoving * self)
{
  static int bins[TONES][TONE_BINS];
  int n = self->width * self->height, value[TONES], counts[TONES], agree = 0;
  int least = n / 1024 > 16 ? n / 1024 : 16;

  memset (bins, 0, sizeof (bins));
  memset (self->tone, 0, sizeof (self->tone));
  for (int i = 0; i < n; i++) {
    int m = self->m[0][i], d = self->value[i] - m;

    bins[moving_clamp (m >> 7, 0, TONES - 1)]
        [moving_clamp ((d + 4096) >> 5, 0, TONE_BINS - 1)]++;
  }
  for (int i = 0; i < TONES; i++) {
    int c = 0, near;

    for (int k = 0; k < TONE_BINS; k++)
      c += bins[i][k];
    counts[i] = c >= least;
    if (!counts[i])
      continue;
    near = count_near (bins[i], TONE_BINS,
        get_median (bins[i], c, 4096, &value[i]), 4);
    counts[i] = 2 * near >= c;
    agree += counts[i] ? near : 0;
  }
  self->has_tone = 10 * (int64_t) agree >= 9 * (int64_t) n;
  self->is_even = 4 * (int64_t) agree >= 3 * (int64_t) n;
  if (self->has_tone)
    spread_tone (self, value, counts);
}

static int
divide_rounded (int64_t a, int64_t n)
{
  return a >= 0 ? (a + n / 2) / n : -((-a + n / 2) / n);
}

/* Returns the mean of the tone (change of light by brightness) over all pixels; a pixel has the
 * tone of its brightness bin. */
static int
get_tone_mean (const RefMoving * self)
{
  int n = self->width * self->height;
  int64_t sum = 0;

  for (int i = 0; i < n; i++)
    sum += self->tone[moving_clamp (self->m[0][i] >> 7, 0, TONES - 1)];
  return divide_rounded (sum, n);
}

/* ---- Blocks --------------------------------------------------------------------- */

typedef struct
{
  int *offset;
  uint8_t *agrees, *is_trusted, *before;
  int middle;                   /* of all pixels */
} Blocks;

static void
measure_blocks (RefMoving * self, Blocks * blocks)
{
  int all[BLOCK_BINS] = { 0 }, b = 0, n = self->width * self->height, ignored;

  for (int by = 0; by < self->block_rows; by++)
    for (int bx = 0; bx < self->block_columns; bx++, b++) {
      int bins[BLOCK_BINS] = { 0 }, c = 0, k;

      for (int y = by * self->block; y < (by + 1) * self->block; y++)
        for (int x = bx * self->block; x < (bx + 1) * self->block; x++)
          if (x < self->width && y < self->height) {
            int m = self->m[0][y * self->width + x];
            int d = self->value[y * self->width + x] - m - get_tone (self, m);

            k = moving_clamp ((d + 8192) >> 5, 0, BLOCK_BINS - 1);
            bins[k]++;
            all[k]++;
            c++;
          }
      k = get_median (bins, c, 8192, &blocks->offset[b]);
      blocks->agrees[b] = 2 * count_near (bins, BLOCK_BINS, k, 3) >= c;
    }
  blocks->middle = (get_median (all, n, 8192, &ignored) << 5) - 8192 + 16;
}

/* Trusts light blocks near the median of all, then blocks that are connected to them through
 * neighbors. */
static void
trust_blocks (RefMoving * self, Blocks * blocks)
{
  static const int around[4][2] = { {-1, 0}, {1, 0}, {0, -1}, {0, 1} };
  int columns = self->block_columns, rows = self->block_rows, changed;

  for (int b = 0; b < columns * rows; b++)
    blocks->is_trusted[b] = blocks->agrees[b]
        && abs (blocks->offset[b] - blocks->middle) <= NEAR;
  do {
    changed = 0;
    for (int b = 0; b < columns * rows; b++)
      for (int i = 0; i < 4; i++) {
        int x = b % columns + around[i][0], y = b / columns + around[i][1];
        int other = y * columns + x;

        if (x < 0 || y < 0 || x >= columns || y >= rows
            || !blocks->agrees[b] || blocks->is_trusted[b]
            || !blocks->is_trusted[other]
            || abs (blocks->offset[b] - blocks->offset[other]) > NEAR)
          continue;
        blocks->is_trusted[b] = changed = 1;
      }
  } while (changed);
}

static void
fill_blocks (RefMoving * self, Blocks * blocks)
{
  int columns = self->block_columns, rows = self->block_rows, filled;

  do {
    filled = 0;
    memcpy (blocks->before, blocks->is_trusted, columns * rows);
    for (int b = 0; b < columns * rows; b++) {
      int sum = 0, n = 0;

      if (blocks->before[b])
        continue;
      for (int y = b / columns - 1; y <= b / columns + 1; y++)
        for (int x = b % columns - 1; x <= b % columns + 1; x++)
          if (x >= 0 && y >= 0 && x < columns && y < rows
              && blocks->before[y * columns + x]) {
            sum += blocks->offset[y * columns + x];
            n++;
          }
      if (n == 0)
        continue;
      blocks->offset[b] = divide_rounded (sum, n);
      blocks->is_trusted[b] = filled = 1;
    }
  } while (filled);
  for (int b = 0; b < columns * rows; b++)
    if (!blocks->is_trusted[b])
      blocks->offset[b] = blocks->middle;
}

static void
smooth_blocks (RefMoving * self, const Blocks * blocks)
{
  int columns = self->block_columns, rows = self->block_rows;
  int64_t sum = 0;

  for (int b = 0; b < columns * rows; b++) {
    int f = 0;

    for (int j = -1; j <= 1; j++)
      for (int i = -1; i <= 1; i++) {
        int x = moving_clamp (b % columns + i, 0, columns - 1);
        int y = moving_clamp (b / columns + j, 0, rows - 1);

        f += (2 - abs (i)) * (2 - abs (j)) * blocks->offset[y * columns + x];
      }
    self->field[b] = (f + 8) >> 4;
    sum += self->field[b];
  }
  self->light_mean += divide_rounded (sum, columns * rows);
}

/* Returns the light field at pixel (@x, @y), interpolated between the middles of blocks. */
static int
get_field (const RefMoving * self, int x, int y)
{
  int columns = self->block_columns, rows = self->block_rows;
  int fx = (2 * x + 1) * 256 / (2 * self->block) - 128;
  int fy = (2 * y + 1) * 256 / (2 * self->block) - 128;
  int ax = fx & 255, ay = fy & 255;
  int left = moving_clamp (fx >> 8, 0, columns - 1);
  int right = moving_clamp ((fx >> 8) + 1, 0, columns - 1);
  const int *up = self->field + moving_clamp (fy >> 8, 0, rows - 1) * columns;
  const int *down = self->field
      + moving_clamp ((fy >> 8) + 1, 0, rows - 1) * columns;

  return (((256 - ax) * up[left] + ax * up[right]) * (256 - ay)
      + ((256 - ax) * down[left] + ax * down[right]) * ay + 32768) >> 16;
}

static int
find_field (RefMoving * self)
{
  int n = self->block_columns * self->block_rows;
  int *ints = malloc (n * sizeof (int));
  uint8_t *bytes = malloc (3 * n);
  Blocks blocks = {.offset = ints,.agrees = bytes,.is_trusted = bytes + n,
    .before = bytes + 2 * n
  };

  if (ints != NULL && bytes != NULL) {
    measure_blocks (self, &blocks);
    trust_blocks (self, &blocks);
    fill_blocks (self, &blocks);
    smooth_blocks (self, &blocks);
  }
  free (ints);
  free (bytes);
  return ints != NULL && bytes != NULL;
}

int
ref_moving_light (RefMoving * self, RefMovingLight light)
{
  int has_field = light == REF_MOVING_FIELD
      && self->width >= 16 && self->height >= 16;

  self->has_tone = self->is_even = self->light_mean = 0;
  memset (self->tone, 0, sizeof (self->tone));
  if (light != REF_MOVING_OFF)
    find_tone (self);
  self->light_mean = get_tone_mean (self);
  if (has_field && !find_field (self))
    return 0;
  for (int y = 0, i = 0; y < self->height; y++)
    for (int x = 0; x < self->width; x++, i++)
      self->offset[i] = get_tone (self, self->m[0][i])
          + (has_field ? get_field (self, x, y) : 0);
  return 1;
}
