/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Compares source patches with the known part of a target patch. */
#ifndef INPAINT_COMPARE_H
#define INPAINT_COMPARE_H

#include "inpaint/inpaint.h"
#include "base/pixels.h"

/* Number of pixels of a patch that are compared before the sum is checked against the cost of
 * the best source so far. Sums of 85 squared differences of three colors are exact in float. */
#define BLOCK 16

/* A match is a ulong2 that describes a source patch: x is the key, y the index of the patch's
 * center. The upper half of the key is the cost. The lower half is the squared distance between
 * source and target, modulo 2^32. The best match has the lowest key and, if several matches have
 * this key, the lowest index. */
#define KEY(cost, dx, dy) ((ulong) (cost) << 32 \
    | (uint) ((dx) * (dx) + (dy) * (dy)))
#define NO_KEY ((ulong) WORST << 32)
#define NO_MATCH ((ulong2) (NO_KEY, 0))

static int
is_better (ulong2 a, ulong2 b)
{
  return (a.x < b.x) | ((a.x == b.x) & (a.y < b.y));
}

/* Returns the part of a window whose pixels are centers of patches that lie inside the frame.
 * The window covers columns s0 to s2 - 1 and rows s1 to s3 - 1. */
static int4
limit_window (int4 window, int width, int height, int radius)
{
  return (int4) (max (window.s0, radius), max (window.s1, radius),
      min (window.s2, width - radius), min (window.s3, height - radius));
}

#if LANES == 16

LOOSE (float16, loose_float16);

/* Number of adjacent source patches that are compared at once. */
#define WIDE 64

static uint
least (uint16 v)
{
  uint8 a = min (v.lo, v.hi);
  uint4 b = min (a.lo, a.hi);
  uint2 c = min (b.lo, b.hi);

  return min (c.x, c.y);
}

/* Returns the initial costs of 16 patches, whose centers are pixel i and the next 15 pixels. The
 * cost is 0 if the pixel is the center of a source patch and among the first n pixels, otherwise
 * WORST. */
static uint16
start (global const uchar * sources, int i, int n)
{
  const int16 number = (int16) (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13,
      14, 15);
  uint16 is_none = convert_uint16 (LOAD_LOOSE (loose_uchar16, sources + i))
      - 1u;

  return (is_none | as_uint16 (number >= n)) & WORST;
}

/* Returns the ranks of 16 columns when columns are sorted by their distance from the column of
 * the target. The first of these columns is dx columns right of the target. */
static uint16
rank_columns (int dx)
{
  int16 t = (int16) (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15) + dx;

  return as_uint16 (t << 1 ^ t >> 31);
}

#define ADD(sum, at, value) { \
  float16 d = LOAD_LOOSE (loose_float16, at) - (value); \
  sum = fma (d, d, sum); \
}

/* Compares WIDE adjacent source patches with the @count known pixels of the target patch, which
 * are in the array @entries. The center of the first source patch is pixel i, which is dx
 * columns right of the target and dy rows below it. The first n source patches are in the search
 * window. Returns the best match, or NO_MATCH if its cost is above @bound. */
static ulong2
compare (global const float *work, int plane, global const uchar * sources,
    global const uint4 * entries, int count, int i, int n, uint bound, int dx,
    int dy)
{
  uint16 s0 = start (sources, i, n), s1 = start (sources, i + 16, n - 16);
  uint16 s2 = start (sources, i + 32, n - 32);
  uint16 s3 = start (sources, i + 48, n - 48);
  uint best = least (min (min (s0, s1), min (s2, s3)));
  uint16 nearest;
  uint rank;
  int e, k, x;
  ulong2 match;

  for (e = 0; e < count && best <= bound; e += BLOCK) {
    float16 a0 = 0, a1 = 0, a2 = 0, a3 = 0;

    for (k = e; k < min (e + BLOCK, count); k++) {
      uint4 entry = entries[k];
      global const float *p = work + (i + (int) entry.x);
      float red = as_float (entry.y), green = as_float (entry.z);
      float blue = as_float (entry.w);

      ADD (a0, p, red);
      ADD (a1, p + 16, red);
      ADD (a2, p + 32, red);
      ADD (a3, p + 48, red);
      ADD (a0, p + plane, green);
      ADD (a1, p + plane + 16, green);
      ADD (a2, p + plane + 32, green);
      ADD (a3, p + plane + 48, green);
      ADD (a0, p + 2 * plane, blue);
      ADD (a1, p + 2 * plane + 16, blue);
      ADD (a2, p + 2 * plane + 32, blue);
      ADD (a3, p + 2 * plane + 48, blue);
    }
    s0 += convert_uint16 (a0);
    s1 += convert_uint16 (a1);
    s2 += convert_uint16 (a2);
    s3 += convert_uint16 (a3);
    best = least (min (min (s0, s1), min (s2, s3)));
  }
  /* Computes the position of the best source patch even if it is not needed, and selects the
   * result with select(): PoCL 6 aborts if only one branch uses the sums of a loop. */
  nearest = min (min (as_uint16 (s0 != best) | rank_columns (dx),
          as_uint16 (s1 != best) | rank_columns (dx + 16)),
      min (as_uint16 (s2 != best) | rank_columns (dx + 32),
          as_uint16 (s3 != best) | rank_columns (dx + 48)));
  rank = least (nearest);
  x = (int) (rank >> 1) ^ -(int) (rank & 1);
  match = (ulong2) (KEY (best, x, dy), i + x - dx);
  return select (NO_MATCH, match, (ulong2) (-(ulong) (best <= bound)));
}

#else

/* Address space of the entries. Entries describe the known pixels of the target patch. */
#ifndef ENTRY_SPACE
#define ENTRY_SPACE global
#endif

/* Compares known pixel k of the target patch (element k of @entries) with the pixel at the same
 * position in the source patch around pixel i. Adds the squared differences in red, green and
 * blue to the sums @red, @green and @blue. */
#define ADD(k) { \
  uint4 entry = entries[k]; \
  uint pixel = work[i + (int) entry.x]; \
  float r = as_float (BYTE_FLOAT | (pixel & 255)) - as_float (entry.y); \
  float g = as_float (BYTE_FLOAT | (pixel >> 8 & 255)) - as_float (entry.z); \
  float b = as_float (BYTE_FLOAT | (pixel >> 16 & 255)) - as_float (entry.w); \
  red = fma (r, r, red); \
  green = fma (g, g, green); \
  blue = fma (b, b, blue); \
}
#define ADD_4(k) ADD (k) ADD ((k) + 1) ADD ((k) + 2) ADD ((k) + 3)

/* Returns the cost of the source patch around pixel i: the sum of squared differences from the
 * @count known pixels of the target patch in @entries. Returns WORST if the cost is above
 * @bound. */
static uint
compare (global const uint * work, ENTRY_SPACE const uint4 * entries,
    int count, int i, uint bound)
{
  uint sum = 0;
  int e = 0;

  /* Unrolls the loop manually, because the reads of several pixels then run in parallel. */
  for (; e <= count - BLOCK && sum <= bound; e += BLOCK) {
    float red = 0, green = 0, blue = 0;

    ADD_4 (e);
    ADD_4 (e + 4);
    ADD_4 (e + 8);
    ADD_4 (e + 12);
    sum += (uint) (red + green + blue);
  }
  if (sum <= bound) {
    float red = 0, green = 0, blue = 0;

    for (; e <= count - 4; e += 4) {
      ADD_4 (e);
    }
    for (; e < count; e++)
      ADD (e);
    sum += (uint) (red + green + blue);
  }
  return sum <= bound ? sum : WORST;
}

/* Searches every step-th pixel of a window, starting at pixel i, for the source patch that is
 * most similar to the target patch and costs at most @bound. If @early is set, lowers the bound
 * with each better patch. */
static ulong2
search_pixels (global const word * work, global const uchar * sources,
    int4 window, ENTRY_SPACE const uint4 * entries, int count, int2 target,
    int width, int early, uint bound, int i, int step)
{
  int columns = max (window.s2 - window.s0, 0);
  int n = columns * max (window.s3 - window.s1, 0);
  ulong2 best = NO_MATCH;

  for (; i < n; i += step) {
    int x = window.s0 + i % columns, y = window.s1 + i / columns;
    uint cost;
    ulong2 match;

    if (!sources[y * width + x])
      continue;
    cost = compare (work, entries, count, y * width + x, bound);
    match = (ulong2) (KEY (cost, x - target.x, y - target.y), y * width + x);
    best = cost < WORST && is_better (match, best) ? match : best;
    if (early)
      bound = min (bound, (uint) (best.x >> 32));
  }
  return best;
}

#endif

#endif
