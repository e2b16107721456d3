/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Finds how the light changed since the last frame. The algorithm is described
 * in docs/algorithms/histeq.md.
 *
 * The kernel light_count compares the frame with the last one at some places;
 * light_fit looks for the line in the pairs of values. */
#include "histeq/light.h"

/* Number of rows of pairs that one row of the search adds up, and their number. */
#define GROUP_ROWS 8
#define GROUPS (LIGHT_ROWS / GROUP_ROWS)

/* Distances in 8-bit steps, up to which pairs count for a line: for one that is
 * tried, and for the one that was fitted. */
#define NEAR 6
#define SAME 8

/* Least and largest distance that half of all pairs have from the line that is
 * fitted. */
#define LEAST_REACH 4
#define MOST_REACH 32

/* Number of times that a line is fitted. */
#define ROUNDS 6

/* Largest slope of a line that is fitted, and of one that light makes, in 2^-20
 * of a difference for a quarter of a mean. */
#define STEEPEST (1 << 18)
#define STEEPEST_LIGHT (1 << 17)

/* Number of lines that are tried: TRIES differences at each of two means. */
#define TRIES (2 * LIGHT_REACH / 4 + 1)

kernel void
light_clear (global uint * pairs)
{
  pairs[get_global_id (0)] = 0;
}

#if COUNT == COUNT_OWN
#define COUNT_PAIR(p) (*(p))++
#else
#define COUNT_PAIR(p) atomic_inc (p)
#endif

/* Looks at every step_x-th pixel of every step_y-th row, columns of them in a
 * row and n in all. codes has the values of the last frame, which those of this
 * one replace. Without counts, pairs are not counted. */
kernel void
light_count (global const uchar * in, int offset, int stride, int step_x,
    int step_y, int columns, int n, global ushort * codes,
    global uint * pairs, int counts)
{
  int place, i;

  for (place = get_global_id (0); place < n; place += get_global_size (0)) {
    global const sample *at = (global const sample *) (in + offset
        + (size_t) (place / columns * step_y) * stride)
        + place % columns * step_x * SAMPLES;

    for (i = 0; i < SAMPLES; i++) {
      global ushort *code = codes + BEFORE (i) * n + place;
      global uint *own = pairs + BEFORE (i) * LIGHT_PAIRS;
      int before, now, d;

      if (!IS_EQUALIZED (i))
        continue;
      before = *code;
      now = VALUE (at[i]) - LO;
      *code = now;
      if (!counts || before == 0 || now == 0 || before == HI - LO
          || now == HI - LO)
        continue;
      d = (now - before + (1 << UP >> 1)) >> UP;
      own += abs (d) > LIGHT_REACH ? LIGHT_ROWS * LIGHT_WIDTH
          : ((before + now) >> 1 >> UP) * LIGHT_WIDTH + d + LIGHT_REACH;
      COUNT_PAIR (own);
    }
  }
}

/* Describes a line: the difference of pairs whose mean is k is (offset + slope
 * * (4 k + 1)) / 2^20. */
typedef struct
{
  long offset, slope;
} Line;

/* Sums over pairs close to a line. x is 4 k + 1, d the difference. */
typedef struct
{
  long n, x, d, xx, xd, dd;
} Sums;

/* Adds up the pairs whose difference from line is at most reach. Each work-item
 * adds some rows, and returns the sums of all.
 *
 * Is always inlined: where PoCL's compiler calls a function, and all calls pass
 * the same local array, it makes that array one for all work-groups, and those
 * that run at the same time overwrite each other's sums. */
static __attribute__ ((always_inline)) Sums
add_close (global const uint * pairs, const Line * line, int reach,
    local Sums * parts, int item)
{
  Sums sums = { 0, 0, 0, 0, 0, 0 };
  int k, i;

  for (k = item; k < LIGHT_ROWS; k += GROUP) {
    long x = 4 * k + 1;
    long middle = (line->offset + line->slope * x + (1 << 19)) >> 20;
    int first = (int) clamp (middle - reach, (long) -LIGHT_REACH,
        (long) LIGHT_REACH + 1);
    int end = (int) clamp (middle + reach + 1, (long) -LIGHT_REACH,
        (long) LIGHT_REACH + 1);
    long n = 0, sum = 0, squares = 0;

    for (i = first; i < end; i++) {
      long one = pairs[k * LIGHT_WIDTH + i + LIGHT_REACH];

      n += one;
      sum += one * i;
      squares += one * i * i;
    }
    sums.n += n;
    sums.x += n * x;
    sums.d += sum;
    sums.xx += n * x * x;
    sums.xd += sum * x;
    sums.dd += squares;
  }
  barrier (CLK_LOCAL_MEM_FENCE);
  parts[item] = sums;
  barrier (CLK_LOCAL_MEM_FENCE);
  sums = parts[0];
  for (i = 1; i < GROUP; i++) {
    sums.n += parts[i].n;
    sums.x += parts[i].x;
    sums.d += parts[i].d;
    sums.xx += parts[i].xx;
    sums.xd += parts[i].xd;
    sums.dd += parts[i].dd;
  }
  return sums;
}

/* Returns the line with the least squares. */
static Line
fit (const Sums * s)
{
  long below = (s->n * s->xx - s->x * s->x) >> 16;
  long above = s->n * s->xd - s->x * s->d;
  Line line;

  line.slope = above * 16 / max (below, 1L);
  line.slope = below > 0 ? clamp (line.slope, (long) -STEEPEST,
      (long) STEEPEST) : 0;
  line.offset = ((s->d << 20) - line.slope * s->x) / max (s->n, 1L);
  return line;
}

/* Returns how many pairs of a group of rows have differences from first to
 * before end. below holds, for each difference, the number of pairs below it. */
static uint
count_between (local const uint * below, int first, int end)
{
  first = clamp (first + LIGHT_REACH, 0, LIGHT_WIDTH);
  end = clamp (end + LIGHT_REACH, 0, LIGHT_WIDTH);
  return below[max (first, end)] - below[first];
}

/* Returns the number of pairs near line number i. */
static uint
count_near (local const uint * below, int i)
{
  int a = i / TRIES * 4 - LIGHT_REACH, b = i % TRIES * 4 - LIGHT_REACH, g;
  uint n = 0;

  for (g = 0; g < GROUPS; g++) {
    int k = GROUP_ROWS * g + 4, d = (a * (224 - k) + b * (k - 32)) / 192;

    n += count_between (below + g * (LIGHT_WIDTH + 1), d - NEAR, d + NEAR + 1);
  }
  return n;
}

/* Returns the line, of those that are tried, that has most pairs near it; of
 * several the one that changes values least, then the first. */
static Line
search (global const uint * pairs, local uint * below, local ulong * keys,
    int item)
{
  const int unchanged = TRIES / 2 * (TRIES + 1);
  ulong best = 0;
  Line line;
  int a, b, i, j, k;

  for (i = item; i < GROUPS; i += GROUP) {
    uint sum = 0;

    below[i * (LIGHT_WIDTH + 1)] = 0;
    for (j = 0; j < LIGHT_WIDTH; j++) {
      for (k = 0; k < GROUP_ROWS; k++)
        sum += pairs[(i * GROUP_ROWS + k) * LIGHT_WIDTH + j];
      below[i * (LIGHT_WIDTH + 1) + j + 1] = sum;
    }
  }
  barrier (CLK_LOCAL_MEM_FENCE);
  for (i = item; i < TRIES * TRIES; i += GROUP) {
    int change = abs (i / TRIES - TRIES / 2) + abs (i % TRIES - TRIES / 2);

    best = max (best, (ulong) count_near (below, i) << 32
        | (uint) (TRIES - change) << 16 | (uint) (65535 - i));
  }
  keys[item] = best;
  barrier (CLK_LOCAL_MEM_FENCE);
  for (i = 0; i < GROUP; i++)
    best = max (best, keys[i]);
  i = 65535 - (int) (best & 65535);
  j = (int) count_near (below, unchanged);
  if ((uint) (best >> 32) <= (uint) (j + j / 8))
    i = unchanged;
  a = i / TRIES * 4 - LIGHT_REACH;
  b = i % TRIES * 4 - LIGHT_REACH;
  line.slope = ((long) (b - a) << 20) / 768;
  line.offset = ((long) a << 20) - line.slope * 128;
  return line;
}

/* Runs one work-group for each equalized sample of a pixel. Writes the light to
 * lights, and sets the counters to 0. */
kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1)))
void
light_fit (global uint * pairs, global int *lights)
{
  local uint below[GROUPS * (LIGHT_WIDTH + 1)];
  local ulong keys[GROUP];
  local Sums parts[GROUP];
  int item = get_local_id (0), reach = LEAST_REACH, is_other, has_light, i;
  long explained, rest, all, divisor;
  Sums sums, same;
  Line line;

  pairs += get_group_id (0) * LIGHT_PAIRS;
  lights += get_group_id (0) * LIGHT_SIZE;
  line = search (pairs, below, keys, item);
  all = pairs[LIGHT_ROWS * LIGHT_WIDTH];
  for (i = 0; i < GROUPS; i++)
    all += below[i * (LIGHT_WIDTH + 1) + LIGHT_WIDTH];
  /* Takes the least distance from the line that holds half of all pairs,
   * doubled from step to step. The loop does not end when it is found, because
   * it has barriers. */
  for (i = LEAST_REACH; i < MOST_REACH; i *= 2) {
    same = add_close (pairs, &line, i, parts, item);
    reach = 2 * same.n < all && reach == i ? 2 * i : reach;
  }
  reach = 2 * reach + 8;
  for (i = 0; i < ROUNDS; i++) {
    sums = add_close (pairs, &line, reach, parts, item);
    line = fit (&sums);
  }
  sums = add_close (pairs, &line, reach, parts, item);
  same = add_close (pairs, &line, SAME, parts, item);

  is_other = same.n * 256 <= all * 90 || line.slope > STEEPEST_LIGHT
      || line.slope < -STEEPEST_LIGHT;
  explained = (line.offset * sums.d + line.slope * sums.xd) >> 20;
  rest = max (sums.dd - explained, 0L);
  has_light = !is_other && explained * sums.n > 32 * rest
      && explained * 256 > sums.n;
  divisor = max ((1L << 20) + 2 * line.slope, 1L);
  barrier (CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);

  for (i = item; i < LIGHT_PAIRS; i += GROUP)
    pairs[i] = 0;
  if (item == 0) {
    lights[LIGHT_OFFSET] = has_light ? (int) ((line.offset << 20) / divisor) : 0;
    lights[LIGHT_SLOPE] =
        has_light ? (int) ((4 * line.slope << 20) / divisor) : 0;
    lights[LIGHT_IS_OTHER] = is_other;
  }
}
