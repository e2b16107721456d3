/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Functions for the source patches and target patches of a level of the pyramid: see
 * docs/algorithms/inpaint-patchmatch.md.
 *
 * A pixel of a level is a uint with three colours and the texture, each in a byte. Its flags
 * are FLAG_SOURCE, FLAG_TARGET and the distance from the nearest known pixel. The array @field
 * has for each target (the centre of a target patch) its source (x), the centre of a source
 * patch, and the cost of this source (y). */
#ifndef INPAINT_PATCHMATCH_H
#define INPAINT_PATCHMATCH_H

#include "inpaint/inpaint.h"
#include "base/pixels.h"

/* Loops over the numbers from 0 to n - 1 that a work-item processes: on CPUs a
 * run of adjacent numbers, on graphics cards every k-th number, where k is the
 * number of work-items. */
#if LANES == 16
#define FOR_EACH(i, n) \
  for (i = (int) ((ulong) (n) * get_global_id (0) / get_global_size (0)); \
      i < (int) ((ulong) (n) * (get_global_id (0) + 1) / get_global_size (0)); \
      i++)
#else
#define FOR_EACH(i, n) \
  for (i = get_global_id (0); i < (n); i += get_global_size (0))
#endif

/* Spreads the bits of a number over all bits. */
static uint
mix_bits (uint n)
{
  n ^= n >> 16;
  n *= 0x7feb352du;
  n ^= n >> 15;
  n *= 0x846ca68bu;
  return n ^ n >> 16;
}

static uint
draw (int level, int round, int pixel, int trial)
{
  return mix_bits ((uint) pixel + mix_bits ((uint) (level << 16 | round << 8
              | trial) + 1));
}

/* Tells whether the patch around (x, y) lies inside of the level as a whole. */
static int
is_center (int width, int height, int x, int y)
{
  return (x >= MATCH_RADIUS) & (y >= MATCH_RADIUS)
      & (x < width - MATCH_RADIUS) & (y < height - MATCH_RADIUS);
}

static uint
add_squares (uint4 a, uint4 b)
{
  uint4 d = max (a, b) - min (a, b);

  d *= d;
  return d.x + d.y + d.z + d.w;
}

static uint4
unpack (uint pixel)
{
  return (uint4) (pixel & 255, pixel >> 8 & 255, pixel >> 16 & 255,
      pixel >> 24);
}

#if LANES == 16
#define ADD_ROW(sum, p, q) { \
  uchar16 a = LOAD_LOOSE (loose_uchar16, p); \
  uchar16 b = LOAD_LOOSE (loose_uchar16, q); \
  uchar16 c = LOAD_LOOSE (loose_uchar16, (p) + 4); \
  uchar16 d = LOAD_LOOSE (loose_uchar16, (q) + 4); \
  ushort16 e = convert_ushort16 (max (a, b) - min (a, b)); \
  ushort16 f = convert_ushort16 ((max (c, d) - min (c, d)) & seven); \
  sum += convert_uint16 (e * e) + convert_uint16 (f * f); \
}

static uint
add_all (uint16 v)
{
  uint8 a = v.lo + v.hi;
  uint4 b = a.lo + a.hi;
  uint2 c = b.lo + b.hi;

  return c.x + c.y;
}
#endif

/* Returns the sum of squared differences between the patches around two pixels.
 * Stops early when the sum exceeds @bound, so that such a result may be too
 * small. */
static uint
find_cost (global const uint * pixels, int width, int target, int source,
    uint bound)
{
  global const uint *p = pixels + target - MATCH_RADIUS * (width + 1);
  global const uint *q = pixels + source - MATCH_RADIUS * (width + 1);
  int row;
#if LANES == 16
  /* Sets the eighth pixel to 0: a row of a patch has 7 pixels, and is read as a
   * vector of 8. */
  const uchar16 seven = (uchar16) (255, 255, 255, 255, 255, 255, 255, 255, 255,
      255, 255, 255, 0, 0, 0, 0);
  uint16 sum = 0;
  uint so_far;

  for (row = 0; row < 3; row++, p += width, q += width)
    ADD_ROW (sum, p, q);
  so_far = add_all (sum);
  for (; row < MATCH_SIZE && so_far <= bound; row++, p += width, q += width)
    ADD_ROW (sum, p, q);
  return add_all (sum);
#else
  uint sum = 0;
  int k;

  for (row = 0; row < MATCH_SIZE && sum <= bound; row++) {
    for (k = 0; k < MATCH_SIZE; k++)
      sum += add_squares (unpack (p[k]), unpack (q[k]));
    p += width;
    q += width;
  }
  return sum;
#endif
}

/* Holds a source, its cost for a target, and its squared distance from the
 * target modulo 2^32. */
typedef struct
{
  uint cost, apart;
  int source;
} Match;

static uint
find_apart (int width, int target, int source)
{
  int dx = source % width - target % width;
  int dy = source / width - target / width;

  return (uint) (dx * dx + dy * dy);
}

/* Replaces @best by a source that costs less; at equal cost, by one that is
 * nearer to the target; at equal distance, by one with a lower index. */
static void
choose (Match * best, uint cost, uint apart, int source)
{
  int is_better = (cost < best->cost) | ((cost == best->cost)
      & ((apart < best->apart) | ((apart == best->apart)
      & (source < best->source))));

  if (is_better) {
    best->cost = cost;
    best->apart = apart;
    best->source = source;
  }
}

static void
try_source (global const uint * pixels, global const uchar * flags, int width,
    int target, int source, Match * best)
{
  if (source == best->source || !(flags[source] & FLAG_SOURCE))
    return;
  choose (best, find_cost (pixels, width, target, source, best->cost),
      find_apart (width, target, source), source);
}

#endif
