/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Kernels of Laplacian pyramids. They process one component of a frame at a time. The algorithm
 * is described in docs/algorithms/pyramid.md. */

/* BANDS is 1 if each work-item computes a band of rows, and 0 if each computes one sample. */
#ifndef BANDS
#define BANDS 1
#endif

#include "base/samples.h"

/* Types for differences between samples: @diff is one difference, @diffs is a vector of 16, and
 * diff_pair is a word with two. */
#if BYTES == 1
typedef short diff;
typedef short16 diffs;
typedef uint diff_pair;
#define loose_diffs loose_uint16
#define as_diffs as_short16
#define convert_diff_pairs convert_uint16
#define DIFF_BITS ((diff_pair) 16)
#else
typedef int diff;
typedef int16 diffs;
typedef ulong diff_pair;
LOOSE (ulong16, loose_diffs);
#define as_diffs as_int16
#define convert_diff_pairs convert_ulong16
#define DIFF_BITS ((diff_pair) 32)
#endif

/* Sample value of mid-gray, which shows a difference of 0. */
#define MIDDLE ((MAX + 1) / 2)

/* Operation on two samples: @in, the input sample, and @up, the sample at the same position of
 * the magnified coarser level. DETAIL computes in - up. SHOW computes in - up as an image, where
 * mid-gray is 0. COLLAPSE computes in + up, where @in is a detail. */
typedef enum
{ DETAIL, SHOW, COLLAPSE } Step;

typedef struct
{
  const global uchar *in;
  const global uchar *coarse;
  global uchar *out;
  int in_stride, coarse_stride, out_stride;
  int width, height;            /* size of the input and of the output, in samples */
  int coarse_width, coarse_height;
  /* offset of the color component from the beginning of its pixel, in bytes */
  int position;
} Levels;

/* place_before() and place_behind() return the neighbors of coordinate i on an axis of n
 * samples. At the edges, the neighbor before the first sample is the second sample (mirrored),
 * and the neighbor after the last sample is the last sample. */
static int
place_before (int i, int n)
{
  return i > 0 ? i - 1 : min (1, n - 1);
}

static int
place_behind (int i, int n)
{
  return min (i + 1, n - 1);
}

/* UP_EVEN and UP_ODD double the number of samples along one axis, and return 8 times the new
 * value. UP_EVEN computes the value at sample b, whose neighbors are a and c. UP_ODD computes
 * the value halfway between b and c. */
#define UP_EVEN(a, b, c) ((a) + (b) * (sum) 6 + (c))
#define UP_ODD(b, c) (((b) + (c)) << (sum) 2)

static int
step_sample (Step step, int in, int up)
{
  if (step == DETAIL)
    return in - up;
  if (step == SHOW)
    return clamp (in - up + MIDDLE, 0, MAX);
  return clamp (add_sat (in, up), 0, MAX);
}

static void
step_one (Step step, const Levels * l, int x, int y)
{
  int cx = x / 2, cy = y / 2;
  int before = place_before (cx, l->coarse_width);
  int behind = place_behind (cx, l->coarse_width);
  int place[3] = {
    place_before (cy, l->coarse_height), cy, place_behind (cy, l->coarse_height)
  };
  const global uchar *in = l->in + y * l->in_stride;
  global uchar *out = l->out + y * l->out_stride;
  uint v[3];
  int value;

  for (int j = 0; j < 3; j++) {
    const global uchar *row = l->coarse + place[j] * l->coarse_stride;
    uint b = get (row, cx), c = get (row, behind);

    v[j] = x % 2 ? UP_ODD (b, c) : UP_EVEN (get (row, before), b, c);
  }
  v[0] = y % 2 ? UP_ODD (v[1], v[2]) : UP_EVEN (v[0], v[1], v[2]);
  value = step_sample (step,
      step == COLLAPSE ? ((const global diff *) in)[x] : get (in, x),
      (v[0] + 32) >> 6);
  if (step == DETAIL)
    ((global diff *) out)[x] = (diff) value;
  else
    put (out, x, value);
}

/* Computes 32 output samples of row y, starting at column x. The vectors up_even and up_odd
 * contain 64 times the expanded coarser level, at the even and at the odd columns. */
static void
step_block (Step step, const Levels * l, int x, int y, sums up_even,
    sums up_odd)
{
  const global uchar *in = l->in + y * l->in_stride;
  global uchar *out = l->out + y * l->out_stride;
  sums even, odd;

  up_even = (up_even + (sum) 32) >> (sum) 6;
  up_odd = (up_odd + (sum) 32) >> (sum) 6;
  if (step == COLLAPSE) {
    const global uchar *p = in + x * sizeof (diff);

    even = convert_sums (LOAD_LOOSE (loose_diffs, p));
    odd = convert_sums (LOAD_LOOSE (loose_diffs, p) >> DIFF_BITS);
    even = convert_sums (clamp (add_sat (as_diffs (even), as_diffs (up_even)),
            (diffs) (0), (diffs) (MAX)));
    odd = convert_sums (clamp (add_sat (as_diffs (odd), as_diffs (up_odd)),
            (diffs) (0), (diffs) (MAX)));
    store_pairs (out + x * PIXEL_STRIDE, even, odd);
    return;
  }

  load_pairs (in + x * PIXEL_STRIDE - l->position, l->position, &even, &odd);
  even -= up_even;
  odd -= up_odd;
  if (step == DETAIL) {
    STORE_LOOSE (loose_diffs, out + x * sizeof (diff), convert_diff_pairs (even)
        | convert_diff_pairs (odd) << DIFF_BITS);
  } else {
    even = convert_sums (clamp (as_diffs (even) + (diff) MIDDLE,
            (diffs) (0), (diffs) (MAX)));
    odd = convert_sums (clamp (as_diffs (odd) + (diff) MIDDLE,
            (diffs) (0), (diffs) (MAX)));
    store_pairs (out + x * PIXEL_STRIDE, even, odd);
  }
}

/* Computes rows 2 * y and 2 * y + 1 of the finer level. */
static void
step_rows (Step step, const Levels * l, int y)
{
  int n = l->coarse_width;
  int blocks = l->width / 32;
  int n_rows = min (2, l->height - 2 * y);
  const global uchar *a = l->coarse
      + place_before (y, l->coarse_height) * l->coarse_stride;
  const global uchar *b = l->coarse + y * l->coarse_stride;
  const global uchar *c = l->coarse
      + place_behind (y, l->coarse_height) * l->coarse_stride;
  /* Vertical sums for the even output row (element 0) and for the odd one (element 1). The array
   * @here is for a block of 16 columns of the coarser level, and the arrays @last and @next are
   * for the blocks left and right of it. */
  sums here[2] = { (sums) (0), (sums) (0) }, last[2] = { here[0], here[1] };

  for (int k = 0; k <= blocks; k++) {
    sums next[2], vb, vc;

    if (k < blocks) {
      int at = k * 16 * PIXEL_STRIDE - l->position;

      vb = load_samples (b + at, l->position);
      vc = load_samples (c + at, l->position);
      next[0] = UP_EVEN (load_samples (a + at, l->position), vb, vc);
    } else {
      int at = min (16 * k, n - 1);

      vb = (sums) ((sum) get (b, at));
      vc = (sums) ((sum) get (c, at));
      next[0] = UP_EVEN ((sums) ((sum) get (a, at)), vb, vc);
    }
    next[1] = UP_ODD (vb, vc);
#pragma unroll
    for (int i = 0; i < 2; i++) {
      if (k > 0 && i < n_rows) {
        sums behind = shift_in_behind (here[i], next[i]);

        step_block (step, l, 32 * (k - 1), 2 * y + i,
            UP_EVEN (shift_in_before (last[i], here[i]), here[i], behind),
            UP_ODD (here[i], behind));
      }
      last[i] = k > 0 ? here[i] : (sums) (next[i].s1);
      here[i] = next[i];
    }
  }
  for (int i = 0; i < n_rows; i++) {
    for (int x = 32 * blocks; x < l->width; x++)
      step_one (step, l, x, 2 * y + i);
  }
}

/* Computes rows of the finer level. If BANDS is 1, work-item y processes n_rows rows of the
 * coarser level, starting at row y * n_rows, and computes two rows of the finer level for each.
 * If BANDS is 0, work-item (x, y) computes one sample of the finer level. */
static void
run_step (Step step, const Levels * l, int n_rows)
{
#if BANDS
  int begin = get_global_id (0) * n_rows;
  int end = min (begin + n_rows, l->coarse_height);

  for (int y = begin; y < end; y++)
    step_rows (step, l, y);
#else
  int x = get_global_id (0), y = get_global_id (1);

  if (x < l->width && y < l->height)
    step_one (step, l, x, y);
#endif
}

#define STEP(name, step) \
kernel void \
name (const global uchar * restrict in, int in_offset, int in_stride, \
    int width, int height, const global uchar * restrict coarse, \
    int coarse_offset, int coarse_stride, global uchar * restrict out, \
    int out_offset, int out_stride, int position, int n_rows) \
{ \
  const Levels levels = { \
    in + in_offset, coarse + coarse_offset, out + out_offset, \
    in_stride, coarse_stride, out_stride, \
    width, height, (width + 1) / 2, (height + 1) / 2, position \
  }; \
\
  run_step (step, &levels, n_rows); \
}

STEP (laplacian_detail, DETAIL)
STEP (laplacian_show, SHOW)
STEP (laplacian_collapse, COLLAPSE)
