/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Loads the frame for the local contrast filter, computes the output pyramid (@answer), and
 * collapses it level by level, starting with the coarsest one. The algorithm is described in
 * docs/algorithms/localcontrast.md. */

/* Number of bits of a sample */
#ifndef DEPTH
#define DEPTH 8
#endif

#include "base/samples.h"
#include "localcontrast/localcontrast.h"

#define UP (DEPTH - 8)

/* Loads 16 samples of a row of the frame, in work-item (x, y), and converts them to units of
 * 1/64 of an 8-bit gray level. @offset is the offset of the first sample of the component in the
 * frame; @position is its offset in its pixel. Both are in bytes. */
kernel void
localcontrast_load (global const uchar * frame, int offset, int stride,
    int position, int width, int height, global short * to, int to_stride)
{
  int x = 16 * get_global_id (0), y = get_global_id (1);
  global const uchar *row = frame + offset + (size_t) y * stride;

  if (x >= width || y >= height)
    return;
  to += y * to_stride + x;
  if (x + 16 <= width) {
    uint16 v = convert_uint16 (load_samples (row + x * PIXEL_STRIDE - position,
            position));

    STORE_PLANE (to, convert_short16 (v << 6u >> (uint) UP));
  } else {
    for (int i = 0; i < width - x; i++)
      to[i] = (uint) get (row, x + i) << 6 >> UP;
  }
}

/* Loads 16 samples of a row of n samples, starting at index x. At the edges, index n and above
 * gives the last sample; index -1 gives the sample at index 1. */
static int16
load_coarse (global const short * row, int x, int n)
{
  int lanes[16];

  if (x >= 0 && x + 16 <= n)
    return convert_int16 (LOAD_PLANE (row + x));
  for (int i = 0; i < 16; i++)
    lanes[i] = row[min ((int) abs (x + i), n - 1)];
  return vload16 (0, lanes);
}

/* Holds 32 columns of two adjacent rows. v[0] is the upper row and v[1] the lower one; v[][0]
 * has the even columns and v[][1] the odd ones. */
typedef struct
{
  int16 v[2][2];
} Quads;

/* Upsamples 16 samples of row @y of a level, starting at column @x, by 2 in both directions. The
 * level has @width x @height samples. Sets @q to the result, 32 columns of two rows. */
static void
double_samples (global const short * level, int stride, int x, int y,
    int width, int height, Quads * q)
{
  global const short *above = level + min ((int) abs (y - 1), height - 1) * stride;
  global const short *row = level + y * stride;
  global const short *below = level + min (y + 1, height - 1) * stride;
  int16 even[3], odd[3];

  for (int i = 0; i < 3; i++) {
    int16 b = load_coarse (row, x - 1 + i, width);
    int16 c = load_coarse (below, x - 1 + i, width);

    even[i] = load_coarse (above, x - 1 + i, width) + 6 * b + c;
    odd[i] = 4 * (b + c);
  }
  q->v[0][0] = (even[0] + 6 * even[1] + even[2] + 32) >> 6;
  q->v[0][1] = (4 * (even[1] + even[2]) + 32) >> 6;
  q->v[1][0] = (odd[0] + 6 * odd[1] + odd[2] + 32) >> 6;
  q->v[1][1] = (4 * (odd[1] + odd[2]) + 32) >> 6;
}

/* Loads 32 samples of rows 2 * y and 2 * y + 1, starting at column 2 * x. All loads are allowed,
 * because the memory of a level extends past its last column and row. */
static void
load_quads (global const short * level, int stride, int x, int y, Quads * q)
{
  for (int j = 0; j < 2; j++) {
    global const short *row = level + (2 * y + j) * stride + 2 * x;
    short16 a = LOAD_PLANE (row), b = LOAD_PLANE (row + 16);

    q->v[j][0] = convert_int16 ((short16) (a.even, b.even));
    q->v[j][1] = convert_int16 ((short16) (a.odd, b.odd));
  }
}

/* Returns the minimum of the 16 elements of @low and the maximum of the 16 elements of @high.
 * Uses a loop over the elements because of a fault of NVIDIA's driver 580: with minima of halves
 * (min (v.lo, v.hi) and so on), it left out element 8. */
static int2
find_range (int16 low, int16 high)
{
  int lows[16], highs[16];
  int2 range;

  vstore16 (low, 0, lows);
  vstore16 (high, 0, highs);
  range = (int2) (lows[0], highs[0]);
  for (int i = 1; i < 16; i++) {
    range.x = min (range.x, lows[i]);
    range.y = max (range.y, highs[i]);
  }
  return range;
}

/* Parameters that describe the memory layout of levels. Remapped pyramid number k begins k *
 * @step samples after the first one. A level has @width x @height samples; the next coarser
 * level has half as many columns and rows. The array @answer is the output pyramid. */
#define LEVELS \
    global const short * frame, int frame_offset, int stride, int width, \
    int height, global const short * remapped, int fine_offset, \
    int coarse_offset, int coarse_stride, int step, \
    global const short * answer, int answer_offset
#define LEVELS_ARGS \
    frame, frame_offset, stride, width, height, remapped, fine_offset, \
    coarse_offset, coarse_stride, step, answer, answer_offset

/* Computes samples of a level of the output pyramid, in rows 2 * @y and 2 * @y + 1, starting at
 * column 2 * @x.
 * @is_first: 1 if the level has the size of the frame; the function then itself remaps the
 *   samples of the frame
 * @has_next: 1 if the next coarser level of the output pyramid is added
 * @q: written, the samples */
static void
answer_quads (LEVELS, int places, int is_first, int has_next, CURVE, int x,
    int y, Quads * q)
{
  int coarse_width = (width + 1) / 2, coarse_height = (height + 1) / 2;
  int16 low_place = (int16) (1 << 20), high_place = (int16) (0);
  int2 range;
  int first, last;
  Quads g, next, place, sum;

  load_quads (frame + frame_offset, stride, x, y, &g);
  for (int j = 0; j < 4; j++) {
    int16 t = clamp (g.v[j / 2][j % 2], (int16) (black), (int16) (white));

    t = ((t - black) * places + 32768) >> 16;
    place.v[j / 2][j % 2] = t;
    sum.v[j / 2][j % 2] = 128;
    low_place = min (low_place, t);
    high_place = max (high_place, t);
  }
  range = find_range (low_place, high_place);
  first = min (range.x >> 8, n_levels - 2);
  last = min (range.y >> 8, n_levels - 2) + 1;
  for (int k = first; k <= last; k++) {
    global const short *pyramid = remapped + (size_t) k * step;
    int value = level_value (k, black, white, n_levels);
    Quads h, low;

    double_samples (pyramid + coarse_offset, coarse_stride, x, y,
        coarse_width, coarse_height, &low);
    if (!is_first)
      load_quads (pyramid + fine_offset, stride, x, y, &h);
    for (int j = 0; j < 4; j++) {
      int16 weight = 256 - convert_int16 (abs (place.v[j / 2][j % 2]
              - 256 * k));
      int16 fine = is_first ? remap (g.v[j / 2][j % 2] - value, CURVE_ARGS)
          : h.v[j / 2][j % 2];

      sum.v[j / 2][j % 2] += max (weight, (int16) (0))
          * (fine - low.v[j / 2][j % 2]);
    }
  }
  if (has_next)
    double_samples (answer + answer_offset, coarse_stride, x, y, coarse_width,
        coarse_height, &next);
  for (int j = 0; j < 4; j++) {
    int16 v = sum.v[j / 2][j % 2] >> 8;

    if (has_next)
      v += next.v[j / 2][j % 2];
    q->v[j / 2][j % 2] = clamp (v, (int16) (-32768), (int16) (32767));
  }
}

/* Computes 32 columns of two rows of a level of the output pyramid, in work-item (x, y). */
kernel void
localcontrast_collapse (LEVELS, int places, int has_next, CURVE,
    global short * out, int out_offset)
{
  int x = 16 * get_global_id (0), y = get_global_id (1);
  Quads q;

  if (2 * x >= width || 2 * y >= height)
    return;
  answer_quads (LEVELS_ARGS, places, 0, has_next, CURVE_ARGS, x, y, &q);
  for (int j = 0; j < 2; j++) {
    global short *row = out + out_offset + (2 * y + j) * stride + 2 * x;
    short16 even = convert_short16 (q.v[j][0]);
    short16 odd = convert_short16 (q.v[j][1]);
    short16 a, b;

    a.even = even.lo;
    a.odd = odd.lo;
    b.even = even.hi;
    b.odd = odd.hi;
    STORE_PLANE (row, a);
    STORE_PLANE (row + 16, b);
  }
}

/* Adds a change, in 1/64 of an 8-bit gray level, to samples with the values @v. The new value is
 * clamped to the range from @low to @high. If v itself is outside this range, the range is
 * extended to include v. */
static int16
change_samples (int16 v, int16 change, int low, int high)
{
  int16 moved = v + ((change * (1 << UP) + 32) >> 6);

  return clamp (moved, min (v, (int16) (low)), max (v, (int16) (high)));
}

/* Adds the output pyramid to 32 columns of two rows of a part of the frame, in work-item (x, y).
 * Reads @in and writes @out. The part has the columns @left, an even number, to @right - 1, and
 * the rows @top, also an even number, to @bottom - 1. The nominal range of samples is @low to
 * @high. */
kernel void
localcontrast_store (LEVELS, int places, int has_next, CURVE,
    global const uchar * in, int in_offset, int in_stride,
    global uchar * out, int out_offset, int out_stride, int position, int low,
    int high, int left, int top, int right, int bottom)
{
  int x = left / 2 + 16 * get_global_id (0), y = top / 2 + get_global_id (1);
  Quads q;

  if (2 * x >= right || 2 * y >= bottom)
    return;
  answer_quads (LEVELS_ARGS, places, 1, has_next, CURVE_ARGS, x, y, &q);
  for (int j = 0; j < min (2, bottom - 2 * y); j++) {
    global const uchar *from = in + in_offset + (2 * x - left) * PIXEL_STRIDE
        + (size_t) (2 * y + j - top) * in_stride;
    global uchar *to = out + out_offset + (2 * x - left) * PIXEL_STRIDE
        + (size_t) (2 * y + j - top) * out_stride;
    int changes[2][16];

    if (2 * x + 32 <= right) {
      sums even, odd;

      load_pairs (from - position, position, &even, &odd);
      even = convert_sums (change_samples (convert_int16 (even), q.v[j][0],
              low, high));
      odd = convert_sums (change_samples (convert_int16 (odd), q.v[j][1],
              low, high));
      store_pairs (to, even, odd);
      continue;
    }
    vstore16 (q.v[j][0], 0, changes[0]);
    vstore16 (q.v[j][1], 0, changes[1]);
    for (int i = 0; i < min (32, right - 2 * x); i++) {
      int v = get (from, i);
      int moved = v + ((changes[i % 2][i / 2] * (1 << UP) + 32) >> 6);

      put (to, i, clamp (moved, min (v, low), max (v, high)));
    }
  }
}
