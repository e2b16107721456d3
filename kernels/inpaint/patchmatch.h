/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Functions for the source patches and target patches of a level of the pyramid: see
 * docs/algorithms/inpaint-patchmatch.md.
 *
 * A pixel of a level is a uint with three colors and the texture, each in a byte. Its flags are
 * FLAG_SOURCE, FLAG_TARGET and the distance from the nearest known pixel. For each target (the
 * center of a target patch), the array @field contains its source (x), which is the center of a
 * source patch, and the cost of this source (y). */
#ifndef INPAINT_PATCHMATCH_H
#define INPAINT_PATCHMATCH_H

#include "inpaint/inpaint.h"
#include "base/pixels.h"

/* Loop over the indices from 0 to n - 1 that a work-item processes. On CPUs, these are adjacent
 * indices. On GPUs, they are every k-th index, where k is the number of work-items. */
#if LANES == 16
#define FOR_EACH(i, n) \
  for (i = (int) ((ulong) (n) * get_global_id (0) / get_global_size (0)); \
      i < (int) ((ulong) (n) * (get_global_id (0) + 1) / get_global_size (0)); \
      i++)
#else
#define FOR_EACH(i, n) \
  for (i = get_global_id (0); i < (n); i += get_global_size (0))
#endif

/* Mixes the bits of a number: each bit affects all bits of the result. */
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

/* Returns 1 if the whole patch around (x, y) lies inside the level. */
static int
is_center (int width, int height, int x, int y)
{
  return (x >= MATCH_RADIUS) & (y >= MATCH_RADIUS)
      & (x < width - MATCH_RADIUS) & (y < height - MATCH_RADIUS);
}

static uint
add_squares (uint4 a, uint4 b)
{
  uint4 d = a - b;

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
/* Loads a row of a patch, whose first pixel is @p: its 7 pixels, the fourth of them twice. Does
 * not load the pixel after the row, which another work-item may be writing. */
#define LOAD_ROW(p) as_ushort16 ((uint8) (as_uint4 (LOAD_LOOSE (loose_uchar16, \
    p)), as_uint4 (LOAD_LOOSE (loose_uchar16, (p) + MATCH_RADIUS))))

/* Returns the sums of the squares of pairs of neighbors, as floats, which are exact below 2^24.
 * Compilers turn this code into one instruction on most CPUs. */
static float8
add_pairs (ushort16 v)
{
  short16 d = as_short16 (v);
  int8 even = (int8) (d.s0, d.s2, d.s4, d.s6, d.s8, d.sa, d.sc, d.se);
  int8 odd = (int8) (d.s1, d.s3, d.s5, d.s7, d.s9, d.sb, d.sd, d.sf);

  return convert_float8 (even * even + odd * odd);
}

/* Returns the squared difference of each pixel of two rows of patches. */
static float8
compare_rows (ushort16 a, ushort16 b)
{
  return add_pairs ((a & (ushort) 255) - (b & (ushort) 255))
      + add_pairs ((a >> (ushort) 8) - (b >> (ushort) 8));
}

/* Returns the sum of the squared differences of the 7 pixels of rows. */
static uint
add_all (float8 v)
{
  float4 a = v.lo + (float4) (0, v.s567);
  float2 b = a.lo + a.hi;

  return (uint) (b.x + b.y);
}
#endif

/* Returns the sum of squared differences between the patches around two pixels. Stops early when
 * the sum exceeds @bound; the result may be too small then. */
static uint
find_cost (global const uint * pixels, int width, int target, int source,
    uint bound)
{
  global const uint *p = pixels + target - MATCH_RADIUS * (width + 1);
  global const uint *q = pixels + source - MATCH_RADIUS * (width + 1);
  int row;
#if LANES == 16
  float8 sum = 0;
  uint so_far;

  for (row = 0; row < 3; row++, p += width, q += width)
    sum += compare_rows (LOAD_ROW (p), LOAD_ROW (q));
  so_far = add_all (sum);
  if (so_far > bound)
    return so_far;
  for (; row < MATCH_SIZE; row++, p += width, q += width)
    sum += compare_rows (LOAD_ROW (p), LOAD_ROW (q));
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

/* A source, or -1, and its cost for a target. */
typedef struct
{
  uint cost;
  int source;
} Match;

/* Returns the squared distance between two pixels modulo 2^32. */
static uint
find_apart (int width, int target, int source)
{
  int dx = source % width - target % width;
  int dy = source / width - target / width;

  return (uint) (dx * dx + dy * dy);
}

/* Replaces @best by a source with a lower cost. If the costs are equal, prefers the source
 * nearer to the target; if the distances are also equal, the source with the lower index. */
static void
choose (Match * best, int width, int target, uint cost, int source)
{
  if (cost == best->cost) {
    uint apart = find_apart (width, target, source);
    uint least = find_apart (width, target, best->source);

    if (apart < least || (apart == least && source < best->source))
      best->source = source;
  } else if (cost < best->cost) {
    best->cost = cost;
    best->source = source;
  }
}

static void
try_source (global const uint * pixels, global const uchar * flags, int width,
    int target, int source, Match * best)
{
  if (source == best->source || !(flags[source] & FLAG_SOURCE))
    return;
  choose (best, width, target, find_cost (pixels, width, target, source,
          best->cost), source);
}

#endif
