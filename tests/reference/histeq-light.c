/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Estimates how the light changes between frames: see docs/algorithms/histeq.md. */
#include "histeq-light.h"

#include <stdlib.h>
#include <string.h>

#include "samples.h"

#define PLACES 256              /* maximum number of compared pixels along an axis */
#define REACH 64                /* maximum change of light, in 8-bit gray levels */
#define WIDTH (2 * REACH + 1)
#define GROUPS 32               /* number of groups of mean values, with 8 mean values each */
#define NEAR 6                  /* maximum distance of a pair of values from a line that is tried,
                                 * in 8-bit gray levels */
#define SAME 8                  /* maximum distance of a pair of values from the fitted line, in
                                 * 8-bit gray levels */
#define ROUNDS 6
#define STEEPEST (1 << 18)      /* maximum slope of a line */

/* Counts the pairs of values of a pixel in two frames, by their mean, in 8 bits, and their
 * difference plus REACH. */
typedef struct
{
  int n[256][WIDTH];
  int far;                      /* number of pairs whose difference exceeds REACH */
} Pairs;

/* Describes a change of light by a line: the difference of a pair of values with the mean k is
 * (offset + slope (4 k + 1)) / 2^20. */
typedef struct
{
  int64_t offset, slope;
} Line;

/* Sums over the pairs of values near a line: of 1, x, d and their products, where x is 4 k + 1 for
 * the mean k, and d is the difference */
typedef struct
{
  int64_t n, x, d, xx, xd, dd;
} Sums;

static int
step_of (int n)
{
  return (n + PLACES - 1) / PLACES;
}

size_t
ref_light_places (const RefPlane * plane)
{
  int x = step_of (plane->width), y = step_of (plane->height);

  return (size_t) ((plane->width + x - 1) / x) * ((plane->height + y - 1) / y);
}

static int
up_of (const RefPlane * plane)
{
  return plane->max == 255 ? 0 : plane->max == 1023 ? 2 : 8;
}

static void
count_pair (const RefPlane * plane, int before, int now, Pairs * pairs)
{
  int most = plane->hi - plane->lo, up = up_of (plane);
  int d = (now - before + (1 << up >> 1)) >> up;

  /* Ignores values at the ends of the range, where the light may have changed by more than the
   * values show. */
  if (before == 0 || now == 0 || before == most || now == most)
    return;
  if (abs (d) > REACH)
    pairs->far++;
  else
    pairs->n[(before + now) >> 1 >> up][d + REACH]++;
}

static int
count_between (const int sums[WIDTH + 1], int first, int end)
{
  first = first < 0 ? 0 : first > WIDTH ? WIDTH : first;
  end = end < 0 ? 0 : end > WIDTH ? WIDTH : end;
  return end > first ? sums[end] - sums[first] : 0;
}

/* Returns the line with the most pairs of values near it, of the lines that are tried. If several
 * lines have the same number of pairs, prefers the line that changes values least, then the first
 * one. Returns the line without a change unless another line has more than 9/8 as many pairs. The
 * differences of the tried lines at the means 32 and 224 are multiples of 4. */
static Line
search (const Pairs * pairs)
{
  static int sums[GROUPS][WIDTH + 1];
  int best[3] = { -1, 0, 0 }, least = 0, unchanged = 0;

  for (int g = 0; g < GROUPS; g++) {
    for (int i = 0; i < WIDTH; i++) {
      sums[g][i + 1] = sums[g][i];
      for (int k = 8 * g; k < 8 * g + 8; k++)
        sums[g][i + 1] += pairs->n[k][i];
    }
  }
  for (int a = -REACH; a <= REACH; a += 4) {
    for (int b = -REACH; b <= REACH; b += 4) {
      int n = 0, change = abs (a) + abs (b);

      for (int g = 0; g < GROUPS; g++) {
        int k = 8 * g + 4, d = (a * (224 - k) + b * (k - 32)) / 192;

        n += count_between (sums[g], d - NEAR + REACH, d + NEAR + 1 + REACH);
      }
      if (change == 0)
        unchanged = n;
      if (n > best[0] || (n == best[0] && change < least)) {
        best[0] = n;
        best[1] = a;
        best[2] = b;
        least = change;
      }
    }
  }
  if (best[0] <= unchanged + unchanged / 8)
    best[1] = best[2] = 0;
  /* Computes the line from its differences at x = 128 and x = 896, where x is 4 k. */
  return (Line) {
    best[1] * (1 << 20) - (int64_t) (best[2] - best[1]) * (1 << 20) / 768 * 128,
    (int64_t) (best[2] - best[1]) * (1 << 20) / 768
  };
}

static Sums
add_close (const Pairs * pairs, const Line * line, int reach)
{
  Sums sums = { 0 };

  for (int k = 0; k < 256; k++) {
    int64_t x = 4 * k + 1;
    int64_t middle = (line->offset + line->slope * x + (1 << 19)) >> 20;

    for (int64_t d = middle - reach; d <= middle + reach; d++) {
      int64_t n = d < -REACH || d > REACH ? 0 : pairs->n[k][d + REACH];

      sums.n += n;
      sums.x += n * x;
      sums.d += n * d;
      sums.xx += n * x * x;
      sums.xd += n * x * d;
      sums.dd += n * d * d;
    }
  }
  return sums;
}

/* Returns the distance from a line within which half of all pairs of values lie, as a power of
 * 2. */
static int
reach_of (const Pairs * pairs, const Line * line, int64_t all)
{
  int reach = 4;

  while (reach < 32 && 2 * add_close (pairs, line, reach).n < all)
    reach *= 2;
  return reach;
}

/* Returns the line with the smallest sum of squared distances from the pairs of values. */
static Line
fit (const Sums * s)
{
  int64_t n = s->n > 0 ? s->n : 1;
  int64_t below = (s->n * s->xx - s->x * s->x) >> 16;
  int64_t above = s->n * s->xd - s->x * s->d;
  Line line;

  line.slope = below > 0 ? above * 16 / below : 0;
  line.slope = line.slope < -STEEPEST ? -STEEPEST
      : line.slope > STEEPEST ? STEEPEST : line.slope;
  line.offset = (s->d * (1 << 20) - line.slope * s->x) / n;
  return line;
}

RefLight
ref_light_find (const RefPlane * plane, uint16_t * codes, int is_first)
{
  static Pairs pairs;
  RefLight light = {.up = up_of (plane) };
  int64_t explained, rest, all, below;
  size_t place = 0;
  int reach;
  Line line;
  Sums sums;

  memset (&pairs, 0, sizeof (pairs));
  for (int y = 0; y < plane->height; y += step_of (plane->height)) {
    for (int x = 0; x < plane->width; x += step_of (plane->width)) {
      int now = ref_limit (plane, ref_get (plane, x, y), plane->lo) - plane->lo;

      if (!is_first)
        count_pair (plane, codes[place], now, &pairs);
      codes[place++] = (uint16_t) now;
    }
  }
  if (is_first)
    return light;

  all = pairs.far;
  for (int k = 0; k < 256; k++)
    for (int i = 0; i < WIDTH; i++)
      all += pairs.n[k][i];
  line = search (&pairs);
  light.reach = reach_of (&pairs, &line, all);
  reach = 2 * light.reach + 8;
  for (int i = 0; i < ROUNDS; i++) {
    sums = add_close (&pairs, &line, reach);
    line = fit (&sums);
  }
  sums = add_close (&pairs, &line, reach);
  light.is_other =
      add_close (&pairs, &line, SAME).n * 256 <= all * 90 || line.slope > 1 << 17
      || line.slope < -(1 << 17);
  /* Accepts a change of light only if the sum of squares that the line explains exceeds 32 times
   * the mean square of the rest, and if the line changes values by more than 1/16 of a gray level
   * (root mean square). Otherwise noise alone would count as a change of light. */
  explained = (line.offset * sums.d + line.slope * sums.xd) >> 20;
  rest = sums.dd - explained > 0 ? sums.dd - explained : 0;
  if (light.is_other || explained * sums.n <= 32 * rest
      || explained * 256 <= sums.n)
    return light;
  below = (1 << 20) + 2 * line.slope;
  light.offset = (int) (line.offset * (1 << 20) / below);
  light.slope = (int) (4 * line.slope * (1 << 20) / below);
  return light;
}

int64_t
ref_light_before (const RefLight * light, int v)
{
  return (int64_t) v * (1 << 20) - ((int64_t) light->offset * (1 << light->up)
      + (int64_t) light->slope * v);
}

int
ref_light_is_still (const RefPlane * plane, const RefLight * light,
    const uint16_t * before, const uint16_t * now, int left, int top,
    int tile_width, int tile_height)
{
  int step_x = step_of (plane->width), step_y = step_of (plane->height);
  int64_t most = (int64_t) 4 * light->reach * (1 << light->up) * (1 << 20);
  int n = 0, far = 0;
  size_t place = 0;

  for (int y = 0; y < plane->height; y += step_y) {
    for (int x = 0; x < plane->width; x += step_x, place++) {
      if (x < left || x >= left + tile_width || y < top
          || y >= top + tile_height)
        continue;
      n++;
      far += llabs (before[place] * ((int64_t) 1 << 20)
          - ref_light_before (light, now[place])) > most;
    }
  }
  return 128 * far <= n;
}
