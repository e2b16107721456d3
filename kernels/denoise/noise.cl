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

/* Number of histogram bins that a work-item reads. */
#define CHUNK ((BINS + GROUP - 1) / GROUP)

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

/* Adds the blocks of a frame to the histogram @bins. For each block, computes the sum of the
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
  ushort16 sums = 0, clipped = 0;

  for (int i = 0; i < BLOCK; i++) {
    global uchar *row = before + (size_t) (y + i) * before_stride + x;
    ushort16 v = load_bytes (FRAME_ARGS, x, y + i);

    sums += abs_diff (v, convert_ushort16 (LOAD_LOOSE (loose_uchar16, row)));
    /* Counts the samples that are at most @lo or at least @hi. */
    clipped += (ushort16) (1) - min (min (sub_sat (v, (ushort16) (lo)),
            sub_sat ((ushort16) (hi), v)), (ushort16) (1));
    STORE_LOOSE (loose_uchar16, row, convert_uchar16 (v));
  }
  if (is_first)
    return;
  if (add_all (clipped.lo) < MIN_CLIPPED)
    atomic_inc (bins + add_all (sums.lo));
  if (x + 2 * BLOCK <= width && add_all (clipped.hi) < MIN_CLIPPED)
    atomic_inc (bins + add_all (sums.hi));
#else
  uint sum = 0, clipped = 0;

  for (int i = 0; i < BLOCK * BLOCK; i++) {
    int column = x + i % BLOCK, row = y + i / BLOCK;
    global uchar *last = before + (size_t) row * before_stride + column;
    ushort v = load_bytes (FRAME_ARGS, column, row);

    sum += abs_diff (v, (ushort) *last);
    clipped += v <= lo || v >= hi;
    *last = v;
  }
  if (!is_first && clipped < MIN_CLIPPED)
    atomic_inc (bins + sum);
#endif
}

/* Returns the motion of a block whose first sample is (x, y), in whole samples: the flow of its
 * middle, or 0 if this is unknown or the block of the last frame is not inside the frame. */
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

/* Returns the sum for the histogram: @moved, the sum of differences along the flow, if it is much
 * smaller than @still, that of differences at the same position. */
static uint
choose_sum (uint still, uint moved)
{
  return 4 * moved < 3 * still ? moved : still;
}

/* Adds blocks to the histogram like denoise_measure, where the content moves along @flow, a field
 * with flow_columns x flow_rows samples of 2^flow_shift samples of the frame. Does not change the
 * plane @before. */
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
  ushort16 still = 0, moved = 0, clipped = 0;

  for (int i = 0; i < BLOCK; i++) {
    int row = i * before_stride;
    ushort16 v = load_bytes (FRAME_ARGS, x, y + i);
    ushort16 last = (ushort16) (convert_ushort8 (LOAD_LOOSE (loose_uchar8,
                left + row)), convert_ushort8 (LOAD_LOOSE (loose_uchar8,
                right + row)));

    still += abs_diff (v, convert_ushort16 (LOAD_LOOSE (loose_uchar16,
                before + row)));
    moved += abs_diff (v, last);
    clipped += (ushort16) (1) - min (min (sub_sat (v, (ushort16) (lo)),
            sub_sat ((ushort16) (hi), v)), (ushort16) (1));
  }
  if (add_all (clipped.lo) < MIN_CLIPPED)
    atomic_inc (bins + choose_sum (add_all (still.lo), add_all (moved.lo)));
  if (x + 2 * BLOCK <= width && add_all (clipped.hi) < MIN_CLIPPED)
    atomic_inc (bins + choose_sum (add_all (still.hi), add_all (moved.hi)));
#else
  uint still = 0, moved = 0, clipped = 0;

  for (int i = 0; i < BLOCK * BLOCK; i++) {
    int column = i % BLOCK, row = i / BLOCK;
    global const uchar *last = before + row * before_stride + column;
    ushort v = load_bytes (FRAME_ARGS, x + column, y + row);

    still += abs_diff (v, (ushort) *last);
    moved += abs_diff (v, (ushort) last[shift.y * before_stride + shift.x]);
    clipped += v <= lo || v >= hi;
  }
  if (clipped < MIN_CLIPPED)
    atomic_inc (bins + choose_sum (still, moved));
#endif
}

/* 256 / sqrt (i), rounded, for i from 1 to 16 */
constant int roots[] = {
  256, 181, 148, 128, 114, 105, 97, 91, 85, 81, 77, 74, 71, 68, 66, 64
};

/* Writes the noise, and the ranges that are computed from it, to the array @words for the other
 * kernels (see denoise/denoise-shared.h).
 * @base: noise in units of 1/16 of an 8-bit grey level; 0: the measured noise.
 * @strength: factor of the noise, in units of 1/256.
 * @spatial: factor of the ranges, in units of 1/16. */
static void
tell_noise (global int * words, int base, int strength, int spatial)
{
  int noise = base > 0 ? base : max (words[MEASURED], MIN_NOISE);

  noise = max ((noise * strength + 128) >> 8, 1);
  words[NOISE] = noise;
  for (int i = 0; i < 16; i++) {
    int t = clamp (spatial * noise * roots[i] >> 9, 1, 32767);

    floatn range = reciprocal ((floatn) (t));

#if LANES == 1
    words[RANGES + i] = as_int (range);
#else
    words[RANGES + i] = as_int (range.x);
#endif
  }
}

/* Computes the noise from the array @bins, the histogram of denoise_measure, and sets the bins
 * to 0. Runs as one work-group. If is_empty is set, there is no histogram; if is_first is set,
 * no noise was measured before. */
kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1)))
void
denoise_estimate (global int * bins, global int * words, int is_empty,
    int is_first, int base, int strength, int spatial)
{
  int n_bins = is_empty ? 0 : BINS;
  int i = get_local_id (0), from = min (i * CHUNK, n_bins);
  int end = min (from + CHUNK, n_bins), sum = 0;
  local int sums[GROUP];

  for (int k = from; k < end; k++)
    sum += bins[k];
  sums[i] = sum;
  barrier (CLK_LOCAL_MEM_FENCE);
  if (i == 0) {
    int n_blocks = 0, chunk = 0, limit, p, e;
    int old = is_first ? 0 : words[MEASURED];

    for (int k = 0; k < GROUP; k++)
      n_blocks += sums[k];
    limit = n_blocks / 5;
    if (n_blocks > 0) {
      for (sum = 0; sum + sums[chunk] <= limit; chunk++)
        sum += sums[chunk];
      p = chunk * CHUNK;
      end = min (p + CHUNK, BINS);
      for (int k = p; k < end; k++) {
        sum += bins[k];
        p += sum <= limit;
      }
      e = (31 * p + 64) >> 7;
      e = old > 0 ? min ((7 * old + e + 4) >> 3, old + max (old >> 4, 1)) : e;
      old = p > 0 ? clamp (e, MIN_NOISE, MAX_NOISE) : old;
    }
    words[MEASURED] = old;
    tell_noise (words, base, strength, spatial);
  }
  barrier (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  for (int k = from; k < min (from + CHUNK, n_bins); k++)
    bins[k] = 0;
}
