/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Finds how the light changed since the last frame. The algorithm is described in
 * docs/algorithms/histeq.md.
 *
 * The kernel light_count compares the frame with the last frame at some pixels, and counts
 * pairs: the two values of a pixel in both frames. The kernel light_fit fits a straight line to
 * these pairs, which gives the difference of the two values as a function of their mean. The
 * kernel light_moves finds the tiles of CLAHE in which something moves. */
#include "histeq/light.h"

/* The counters of pairs form a table with one row for each mean of the two values of a pair. The
 * search for a line through the pairs first adds each GROUP_ROWS adjacent rows of the table, to
 * get one row of sums. GROUPS is the number of rows of sums. */
#define GROUP_ROWS 8
#define GROUPS (LIGHT_ROWS / GROUP_ROWS)

/* Inlier thresholds, in 8-bit gray levels. A pair of values (of one pixel in both frames) agrees
 * with a Line if its difference is at most this far from the difference that the Line gives.
 * NEAR is for the lines that the search tries, SAME for the fitted line. */
#define NEAR 6
#define SAME 8

/* Limits of the spread, in 8-bit gray levels. The spread is the distance from the fitted line
 * within which half of all pairs lie. */
#define LEAST_REACH 4
#define MOST_REACH 32

/* Number of times that the line is fitted again, each time to the pairs near the previous line. */
#define ROUNDS 6

/* Largest slope of a line that is fitted (STEEPEST), and of a line that is accepted as a change
 * of light (STEEPEST_LIGHT). The unit is a difference of 2^-20 gray levels for each quarter of a
 * gray level of the mean. */
#define STEEPEST (1 << 18)
#define STEEPEST_LIGHT (1 << 17)

/* Number of differences that the search for a line tries at a dark mean. It tries the same
 * differences at a bright mean: TRIES * TRIES lines in all. */
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

/* Reads n pixels of the frame: every step_x-th pixel of every step_y-th row, @columns of them in
 * a row. The array @codes has a word for each of these pixels, whose low 16 bits hold the value
 * in the last frame. The kernel moves this value to the high 16 bits, and writes the value in
 * this frame to the low 16 bits. It counts the pairs only if @counts is set. */
kernel void
light_count (global const uchar * in, int offset, int stride, int step_x,
    int step_y, int columns, int n, global uint * codes,
    global uint * pairs, int counts)
{
  int place, i;

  for (place = get_global_id (0); place < n; place += get_global_size (0)) {
    global const sample *at = (global const sample *) (in + offset
        + (size_t) (place / columns * step_y) * stride)
        + place % columns * step_x * SAMPLES;

    for (i = 0; i < SAMPLES; i++) {
      global uint *code = codes + BEFORE (i) * n + place;
      global uint *own = pairs + BEFORE (i) * LIGHT_PAIRS;
      int before, now, d;

      if (!IS_EQUALIZED (i))
        continue;
      before = *code & 65535;
      now = VALUE (at[i]) - LO;
      *code = (uint) before << 16 | now;
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

/* Describes a line. For pairs of values (of one pixel in both frames) with the mean k, the
 * difference of the two values is (offset + slope * (4 k + 1)) / 2^20. */
typedef struct
{
  long offset, slope;
} Line;

/* Sums for a least-squares fit of a Line, over the pairs of values that are near an earlier
 * Line: the number n of pairs, and the sums of x, d and their products. For each pair, d is the
 * difference of the two values, and x is 4 k + 1, where k is their mean. */
typedef struct
{
  long n, x, d, xx, xd, dd;
} Sums;

/* Adds up the pairs whose difference is at most @reach away from the line. Each work-item adds
 * up some rows of counters; the function returns the sums of all work-items.
 *
 * The function is always inlined, because of a fault of PoCL. If PoCL compiles the function as a
 * call, and all calls pass the same local array, all work-groups share one array, and
 * work-groups that run at the same time overwrite each other's sums. */
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

/* Returns the line that fits the pairs best, by least squares. */
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

/* Returns the number of pairs in a group of rows whose difference is from @first to @end - 1.
 * For each difference, the array @below holds the number of pairs with a smaller difference. */
static uint
count_between (local const uint * below, int first, int end)
{
  first = clamp (first + LIGHT_REACH, 0, LIGHT_WIDTH);
  end = clamp (end + LIGHT_REACH, 0, LIGHT_WIDTH);
  return below[max (first, end)] - below[first];
}

/* Returns the number of pairs near line @i of the lines that the search tries. */
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

/* Tries TRIES * TRIES lines and returns the line with most pairs near it. Of several lines with the
 * same number of pairs, returns the one that changes values least; if that is also equal, the first
 * one. Returns the line without a change unless another line has more than 9/8 as many pairs. */
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

/* Finds the change of light, with one work-group for each equalized sample of a pixel. Writes
 * the change to the array @lights, and sets the counters to 0. */
kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1)))
void
light_fit (global uint * pairs, global int *lights)
{
  local uint below[GROUPS * (LIGHT_WIDTH + 1)];
  local ulong keys[GROUP];
  local Sums parts[GROUP];
  int item = get_local_id (0), spread = LEAST_REACH, reach, is_other, has_light;
  int i;
  long explained, rest, all, divisor;
  Sums sums, same;
  Line line;

  pairs += get_group_id (0) * LIGHT_PAIRS;
  lights += get_group_id (0) * LIGHT_SIZE;
  line = search (pairs, below, keys, item);
  all = pairs[LIGHT_ROWS * LIGHT_WIDTH];
  for (i = 0; i < GROUPS; i++)
    all += below[i * (LIGHT_WIDTH + 1) + LIGHT_WIDTH];
  /* Finds the distance from the line within which half of all pairs lie, by doubling it until it
   * is large enough. The loop never ends early, because it contains barriers. */
  for (i = LEAST_REACH; i < MOST_REACH; i *= 2) {
    same = add_close (pairs, &line, i, parts, item);
    spread = 2 * same.n < all && spread == i ? 2 * i : spread;
  }
  reach = 2 * spread + 8;
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
    lights[LIGHT_SPREAD] = spread;
  }
}

/* Writes to moves[t], for the tile of each table t, 1 if something moves in the tile, otherwise
 * 0. Also writes 1 if no change of light turns one frame into the other.
 *
 * light_count compares some pixels of each tile. The change of light predicts their values.
 * Something moves if more than 1 / 128 of these pixels differ from the prediction by more than
 * four times LIGHT_SPREAD, the distance from the fitted line within which half of all pairs lie.
 * One work-group processes one tile. */
kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1)))
void
light_moves (global const uint * codes, global const int *lights, int step_x,
    int step_y, int columns, int n, int tiles_x, int tile_width,
    int tile_height, global uint * moves)
{
  local uint sums[GROUP];
  int item = get_local_id (0), c = get_group_id (0) % COMPONENTS;
  int tile_x = get_group_id (0) / COMPONENTS % tiles_x;
  int tile_y = get_group_id (0) / COMPONENTS / tiles_x;
  int left = (tile_x * tile_width + step_x - 1) / step_x;
  int top = (tile_y * tile_height + step_y - 1) / step_y;
  int right = ((tile_x + 1) * tile_width + step_x - 1) / step_x;
  int bottom = ((tile_y + 1) * tile_height + step_y - 1) / step_y;
  int wide = max (min (right, columns) - left, 0);
  int places = wide * max (min (bottom, n / columns) - top, 0), i;
  global const int *light = lights + c * LIGHT_SIZE;
  long most = (long) light[LIGHT_SPREAD] << (UP + 22);
  uint far = 0;

  for (i = item; i < places; i += GROUP) {
    uint code = codes[c * n + (top + i / wide) * columns + left + i % wide];
    long change = ((long) (code >> 16) << 20)
        - value_before (light, code & 65535);

    far += change > most || change < -most;
  }
  far += sum_before (sums, item, far);
  if (item == GROUP - 1)
    moves[get_group_id (0)] = light[LIGHT_IS_OTHER] != 0
        || 128 * far > (uint) places;
}
