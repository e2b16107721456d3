/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Measures the noise of a video from the differences between successive frames. The algorithm
 * is described in docs/algorithms/denoise.md. */
#include "denoise/denoise.h"
#include "base/flow-at.h"

/* Size of the work-group that reads the histogram, in work-items. */
#ifndef GROUP
#define GROUP 1
#endif

/* Number of parts of the histogram of a class; a work-item adds up one part at a time */
#define PARTS (GROUP > CLASSES ? GROUP / CLASSES : 1)
#define N_PARTS (PARTS * CLASSES)

/* Number of bins of a part of a histogram */
#define CHUNK ((BINS + PARTS - 1) / PARTS)

#if LANES == 1
#define FIRST(v) (v)
#else
#define FIRST(v) ((v).x)
#endif

/* Number of adjacent blocks (of BLOCK x BLOCK samples) that a work-item measures. */
#define BLOCKS (LANES == 1 ? 1 : LANES / BLOCK)

/* Returns LANES samples of row y, starting at column x, reduced to 8 bits. */
static ushortn
load_bytes (FRAME, int x, int y)
{
  return load_values (FRAME_ARGS, x, y) >> (ushortn) (DEPTH - 8);
}

#if LANES == 16
/* Returns the sum of eight numbers. */
static uint
add_all (ushort8 v)
{
  ushort4 a = v.lo + v.hi;
  ushort2 b = a.lo + a.hi;

  return b.x + b.y;
}
#endif

/* Adds a block to the histograms @bins, each with BINS bins for a class of brightness.
 * @sum: sum of the absolute differences from the last frame; @light: sum of its samples; @clipped:
 * number of samples at the ends of the range */
static void
add_block (global int * bins, uint sum, uint light, uint clipped)
{
  uint class = light / (BLOCK * BLOCK * 256 / CLASSES);

  if (clipped < MIN_CLIPPED)
    atomic_inc (bins + class * BINS + min (sum, (uint) (BINS - 1)));
}

/* Adds the blocks of a frame to the histograms @bins. For each block, computes the sum of the
 * absolute differences from the last frame, and increases the bin of this sum. Work-item (x, y)
 * processes BLOCKS whole blocks of row y of blocks, starting at block x * BLOCKS.
 * @lo, @hi: samples of at most @lo or at least @hi are at the ends of the range, where noise is
 * clipped. A block with MIN_CLIPPED such samples or more is ignored.
 * @before: plane with the last frame, replaced by this frame. Its rows have before_stride
 * samples, a multiple of 16. If is_first is set, it holds no frame yet. */
kernel void
denoise_measure (FRAME, global uchar * before, int before_stride,
    global int * bins, int is_first, int lo, int hi)
{
  int x = get_global_id (0) * BLOCK * BLOCKS, y = get_global_id (1) * BLOCK;

  if (x + BLOCK > width || y + BLOCK > height)
    return;
#if LANES == 16
  ushort16 sums = 0, lights = 0, clipped = 0;

  for (int i = 0; i < BLOCK; i++) {
    global uchar *row = before + (size_t) (y + i) * before_stride + x;
    ushort16 v = load_bytes (FRAME_ARGS, x, y + i);

    sums += abs_diff (v, convert_ushort16 (LOAD_LOOSE (loose_uchar16, row)));
    lights += v;
    /* Counts the samples that are at most @lo or at least @hi. */
    clipped += (ushort16) (1) - min (min (sub_sat (v, (ushort16) (lo)),
            sub_sat ((ushort16) (hi), v)), (ushort16) (1));
    STORE_LOOSE (loose_uchar16, row, convert_uchar16 (v));
  }
  if (is_first)
    return;
  add_block (bins, add_all (sums.lo), add_all (lights.lo),
      add_all (clipped.lo));
  if (x + 2 * BLOCK <= width)
    add_block (bins, add_all (sums.hi), add_all (lights.hi),
        add_all (clipped.hi));
#else
  uint sum = 0, light = 0, clipped = 0;

  for (int i = 0; i < BLOCK * BLOCK; i++) {
    int column = x + i % BLOCK, row = y + i / BLOCK;
    global uchar *last = before + (size_t) row * before_stride + column;
    ushort v = load_bytes (FRAME_ARGS, column, row);

    sum += abs_diff (v, (ushort) *last);
    light += v;
    clipped += v <= lo || v >= hi;
    *last = v;
  }
  if (!is_first)
    add_block (bins, sum, light, clipped);
#endif
}

/* Returns the flow at the center of the block whose first sample is (x, y), in whole samples; 0 if
 * the flow is unknown, or if it leads to a block that is partly outside the previous frame. */
static int2
find_shift (global const short2 * flow, int flow_columns, int flow_rows,
    int flow_shift, int x, int y, int width, int height)
{
  int is_known, i, j;
  int2 motion;

  is_known = find_flow (flow, flow_columns, flow_rows, flow_shift,
      x + BLOCK / 2, y + BLOCK / 2, &motion);
  motion = (motion + (int2) (16)) >> (int2) (5);
  i = x + motion.x;
  j = y + motion.y;
  return is_known && i >= 0 && i + BLOCK <= width && j >= 0
      && j + BLOCK <= height ? motion : (int2) (0);
}

/* Returns the sum for the histograms: @moved, the sum of differences along the flow, if it is much
 * smaller than @still, that of differences at the same position. */
static uint
choose_sum (uint still, uint moved)
{
  return 4 * moved < 3 * still ? moved : still;
}

/* Adds blocks to the histograms like denoise_measure, but compares them with the last frame along
 * @flow, a field with flow_columns x flow_rows samples of 2^flow_shift samples of the frame. Does
 * not change the plane @before. */
kernel void
denoise_measure_along (FRAME, global const uchar * before, int before_stride,
    global int * bins, int lo, int hi, global const short2 * flow,
    int flow_columns, int flow_rows, int flow_shift)
{
  int x = get_global_id (0) * BLOCK * BLOCKS, y = get_global_id (1) * BLOCK;
  int2 shift;

  if (x + BLOCK > width || y + BLOCK > height)
    return;
  shift = find_shift (flow, flow_columns, flow_rows, flow_shift, x, y, width,
      height);
  before += (size_t) y * before_stride + x;
#if LANES == 16
  int2 second = find_shift (flow, flow_columns, flow_rows, flow_shift,
      x + BLOCK, y, width, height);
  global const uchar *left = before + shift.y * before_stride + shift.x;
  global const uchar *right = before + second.y * before_stride + second.x
      + BLOCK;
  ushort16 still = 0, moved = 0, lights = 0, clipped = 0;

  for (int i = 0; i < BLOCK; i++) {
    int row = i * before_stride;
    ushort16 v = load_bytes (FRAME_ARGS, x, y + i);
    ushort16 last = (ushort16) (convert_ushort8 (LOAD_LOOSE (loose_uchar8,
                left + row)), convert_ushort8 (LOAD_LOOSE (loose_uchar8,
                right + row)));

    still += abs_diff (v, convert_ushort16 (LOAD_LOOSE (loose_uchar16,
                before + row)));
    moved += abs_diff (v, last);
    lights += v;
    clipped += (ushort16) (1) - min (min (sub_sat (v, (ushort16) (lo)),
            sub_sat ((ushort16) (hi), v)), (ushort16) (1));
  }
  add_block (bins, choose_sum (add_all (still.lo), add_all (moved.lo)),
      add_all (lights.lo), add_all (clipped.lo));
  if (x + 2 * BLOCK <= width)
    add_block (bins, choose_sum (add_all (still.hi), add_all (moved.hi)),
        add_all (lights.hi), add_all (clipped.hi));
#else
  uint still = 0, moved = 0, light = 0, clipped = 0;

  for (int i = 0; i < BLOCK * BLOCK; i++) {
    int column = i % BLOCK, row = i / BLOCK;
    global const uchar *last = before + row * before_stride + column;
    ushort v = load_bytes (FRAME_ARGS, x + column, y + row);

    still += abs_diff (v, (ushort) *last);
    moved += abs_diff (v, (ushort) last[shift.y * before_stride + shift.x]);
    light += v;
    clipped += v <= lo || v >= hi;
  }
  add_block (bins, choose_sum (still, moved), light, clipped);
#endif
}

/* 256 / sqrt (i), rounded, for i from 1 to 16 */
constant int roots[] = {
  256, 181, 148, 128, 114, 105, 97, 91, 85, 81, 77, 74, 71, 68, 66, 64
};

/* Writes the noise and the ranges to the array @words (see denoise/denoise-shared.h).
 * @low, @high: variances of the noise at the ends of the range of 8-bit values, @lo and @hi;
 * @least: the smallest variance.
 * @strength: factor of the noise, in units of 1/256.
 * @spatial: factor of the ranges, in units of 1/16. */
static void
tell_noise (global int * words, int low, int high, int least, int lo, int hi,
    int strength, int spatial)
{
  float square = strength * strength * 0x1p-16f;
  float slope = (high - low) * square
      * FIRST (reciprocal ((floatn) (128 * (hi - lo))));

  words[SLOPE] = as_int (slope);
  words[MINIMUM] = as_int (max (least * square, 1.0f));
  words[OFFSET] = as_int (fma (slope, (float) (-128 * lo), low * square));
  for (int i = 0; i < 16; i++)
    words[RANGES + i] = as_int (512
        * FIRST (reciprocal ((floatn) (max (spatial, 1) * roots[i]))));
}

/* Returns the value at @x of the line through (x0, v0) and (x1, v1), limited to @least and above. */
static int
find_on_line (int x0, int v0, int x1, int v1, int x, int least)
{
  return clamp (v0 + (v1 - v0) * (x - x0) / (x1 - x0), least, MAX_VARIANCE);
}

/* Returns the brightness at the center of a class. */
static int
find_middle (int class)
{
  return (2 * class + 1) * 128 / CLASSES;
}

/* Returns the variances, at the brightness @lo and @hi, of the line through the variances of two
 * classes. If both are the same class, the line is constant. */
static int2
find_line (local const int * variances, int i, int j, int lo, int hi)
{
  int x0 = find_middle (i), x1 = i == j ? x0 + 1 : find_middle (j);

  return (int2) (find_on_line (x0, variances[i], x1, variances[j], lo,
          -MAX_VARIANCE), find_on_line (x0, variances[i], x1, variances[j], hi,
          -MAX_VARIANCE));
}

/* Returns the cost of a line that has the variances @line at the brightness @lo and @hi: the sum of
 * its relative differences from the variances of classes, each at most 1 and multiplied by the
 * weight of the class, and counted twice where the line is above the variance. Motion makes
 * variances larger, never smaller. Steep lines cost more. */
static int
find_cost (local const int * variances, local const int * weights, int2 line,
    int lo, int hi)
{
  int sum = 0, total = 0;

  for (int i = 0; i < CLASSES; i++) {
    int v = variances[i], w = weights[i];
    int expected, d;

    if (w == 0)
      continue;
    expected = find_on_line (lo, line.x, hi, line.y, find_middle (i),
        MIN_VARIANCE);
    d = min ((int) (abs (expected - v)) * 256 / v, 256);
    sum += w * (expected > v ? 2 * d : d);
    total += w;
  }
  return sum + total * ((int) (abs (line.y - line.x)) * 256
      / (int) (abs (line.x) + abs (line.y))) / STEEPNESS;
}

/* Returns the variance of the noise in a class, or 0 if a fifth of its blocks have no differences.
 * @bins: histogram of the class; @sums: sums of its parts; @count: set to the number of blocks */
static int
find_variance (global const int * bins, local const int * sums,
    local int * count)
{
  int n = 0, part = 0, sum = 0, limit, p, end, e;

  for (int k = 0; k < PARTS; k++)
    n += sums[k];
  *count = n;
  if (n == 0)
    return 0;
  limit = n / 5;
  for (; sum + sums[part] <= limit; part++)
    sum += sums[part];
  p = part * CHUNK;
  end = min (p + CHUNK, BINS);
  for (int k = p; k < end; k++) {
    sum += bins[k];
    p += sum <= limit;
  }
  e = min ((31 * p + 16) >> 5, 2048);
  return p > 0 ? max ((e * e + 8) >> 4, MIN_VARIANCE) : 0;
}

/* Returns the weight of class i: its fraction of all blocks, in units of 1/256. It is 0 if the
 * class has no variance, or a fifth of all blocks have no differences: the last frame was then
 * repeated. */
static int
find_weight (global const int * bins, local const int * counts,
    local const int * variances, int i)
{
  int n = 0, zeros = 0;

  if (variances[i] == 0)
    return 0;
  for (int k = 0; k < CLASSES; k++) {
    n += counts[k];
    zeros += bins[k * BINS];
  }
  return zeros > n / 5 ? 0 : (int) (256L * counts[i] / n);
}

/* Averages the noise that was measured in a frame with the noise measured before, in @words. If
 * is_first is set, no noise was measured before. @line: variances at the ends of the range */
static void
remember (global int * words, int2 line, local const int * variances,
    local const int * weights, int is_first)
{
  int4 old = (int4) (words[LOW], words[HIGH], words[LEAST], 0);
  int4 new = (int4) (line, MAX_VARIANCE, 0);
  int step = max ((int) (max (abs (old.x), abs (old.y)) >> 3), 1);

  for (int i = 0; i < CLASSES; i++)
    new.z = weights[i] > 0 ? min (new.z, variances[i]) : new.z;
  if (!is_first && old.z > 0)
    new = min ((7 * old + new + 4) >> 3, old + step);
  words[LOW] = new.x;
  words[HIGH] = new.y;
  words[LEAST] = new.z;
}

/* Computes the noise from the histograms @bins of denoise_measure, and sets the bins to 0. Runs as
 * one work-group. Finds the variance of each class of brightness, and tries the lines through any
 * two of these variances. If is_empty is set, there are no histograms; if is_first is set, no noise
 * was measured before. @base: noise in units of 1/16 of an 8-bit gray level; 0: the measured noise.
 * @lo, @hi: ends of the range of 8-bit values */
kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1)))
void
denoise_estimate (global int * bins, global int * words, int is_empty,
    int is_first, int base, int strength, int spatial, int lo, int hi)
{
  local int sums[N_PARTS], counts[CLASSES], variances[CLASSES],
      weights[CLASSES];
  local uint best[1];
  int i = get_local_id (0);

  for (int k = i; k < N_PARTS; k += GROUP) {
    int from = k / PARTS * BINS + k % PARTS * CHUNK, sum = 0;
    int end = is_empty ? from : min (from + CHUNK, (k / PARTS + 1) * BINS);

    for (int j = from; j < end; j++)
      sum += bins[j];
    sums[k] = sum;
  }
  if (i == 0)
    best[0] = UINT_MAX;
  barrier (CLK_LOCAL_MEM_FENCE);
  for (int k = i; k < CLASSES; k += GROUP)
    variances[k] = find_variance (bins + k * BINS, sums + k * PARTS,
        &counts[k]);
  barrier (CLK_LOCAL_MEM_FENCE);
  for (int k = i; k < CLASSES; k += GROUP)
    weights[k] = find_weight (bins, counts, variances, k);
  barrier (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  for (int k = i; k < CLASSES * CLASSES; k += GROUP) {
    int a = k / CLASSES, b = k % CLASSES;

    if (a <= b && weights[a] > 0 && weights[b] > 0)
      atomic_min (best, (uint) (find_cost (variances, weights,
                  find_line (variances, a, b, lo, hi), lo, hi)) << 8 | k);
  }
  for (int k = i; k < (is_empty ? 0 : CLASSES * BINS); k += GROUP)
    bins[k] = 0;
  barrier (CLK_LOCAL_MEM_FENCE);
  if (i == 0) {
    int k = best[0] & 255, v = base > 0 ? base * base : MIN_VARIANCE;

    if (best[0] != UINT_MAX)
      remember (words, find_line (variances, k / CLASSES, k % CLASSES, lo, hi),
          variances, weights, is_first);
    else if (is_first)
      words[LEAST] = 0;
    if (base > 0 || words[LEAST] == 0)
      tell_noise (words, v, v, v, lo, hi, strength, spatial);
    else
      tell_noise (words, words[LOW], words[HIGH], words[LEAST], lo, hi,
          strength, spatial);
  }
}
