/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Local contrast: pyramids of the frame and of what the curve makes of it. The
 * algorithm is described in docs/algorithms/localcontrast.md. */

/* Number of samples, a multiple of 16, and of rows that a work-item makes. */
#ifndef SPAN
#define SPAN 64
#endif
#ifndef ROWS
#define ROWS 16
#endif

#include "localcontrast/localcontrast.h"

/* Number of samples of the finer level that are loaded, in whole vectors, for
 * SPAN samples. */
#define TAPS (2 * SPAN + 16)

/* Loads 16 values in private memory, and 16 words of two. */
#define LOAD_VALUES(p) (((const loose_ushort16 *) (p))->v)
#define STORE_VALUES(p, value) (((loose_ushort16 *) (p))->v = (value))
#define LOAD_WORDS(p) ((uint16) (as_uint8 (LOAD_VALUES (p)), \
    as_uint8 (LOAD_VALUES ((p) + 16))))
#define LOW(words) (as_int16 ((words) << 16u) >> 16)
#define HIGH(words) (as_int16 (words) >> 16)

/* Sets sums to the horizontal sums of SPAN samples from column x on of a row
 * with width samples of the finer level. With remaps, the samples are changed
 * by the curve first, for a level of this value. */
static void
sum_row (global const short * row, int x, int width, bool remaps, int value,
    CURVE, int * sums)
{
  ushort buffer[TAPS + 16];

  for (int i = 0; i < TAPS; i += 16) {
    int at = 2 * x - 2 + i;
    int16 v;

    if (at >= 0 && at + 16 <= width) {
      v = convert_int16 (LOAD_PLANE (row + at));
    } else {
      int lanes[16];

      for (int j = 0; j < 16; j++)
        lanes[j] = row[reflect (clamp (at + j, -2, width + 1), width)];
      v = vload16 (0, lanes);
    }
    if (remaps)
      v = remap (v - value, CURVE_ARGS);
    STORE_VALUES (buffer + i, as_ushort16 (convert_short16 (v)));
  }
  for (int i = 0; i < SPAN; i += 16) {
    uint16 a = LOAD_WORDS (buffer + 2 * i), b = LOAD_WORDS (buffer + 2 * i + 2);
    int16 c = LOW (LOAD_WORDS (buffer + 2 * i + 4));

    vstore16 (LOW (a) + c + 4 * (HIGH (a) + HIGH (b)) + 6 * LOW (b), 0,
        sums + i);
  }
}

/* Makes SPAN columns of ROWS rows of a level that has half the size. */
static void
make_rows (global const short * from, int from_stride, int width, int height,
    global short * to, int to_stride, bool remaps, int value, CURVE)
{
  int x = get_global_id (0) * SPAN, y = get_global_id (1) * ROWS;
  int end = min (y + ROWS, (height + 1) / 2);
  int sums[5][SPAN];

  if (x >= to_stride)
    return;
  for (int j = 0; j < 3; j++)
    sum_row (from + reflect (2 * y - 2 + j, height) * from_stride, x, width,
        remaps, value, CURVE_ARGS, sums[j]);
  for (int n = 0; y < end; y++, n += 2) {
    for (int j = 3; j < 5; j++)
      sum_row (from + reflect (2 * y - 2 + j, height) * from_stride, x, width,
          remaps, value, CURVE_ARGS, sums[(n + j) % 5]);
    for (int i = 0; i < SPAN && x + i < to_stride; i += 16) {
      int16 v = vload16 (0, sums[n % 5] + i)
          + vload16 (0, sums[(n + 4) % 5] + i)
          + 4 * (vload16 (0, sums[(n + 1) % 5] + i)
          + vload16 (0, sums[(n + 3) % 5] + i))
          + 6 * vload16 (0, sums[(n + 2) % 5] + i);

      STORE_PLANE (to + y * to_stride + x + i,
          convert_short16 ((v + 128) >> 8));
    }
  }
}

/* Work-item (x, y, k) makes SPAN columns of ROWS rows of level 1 of the k-th
 * pyramid, from the frame in 1/64 of an 8-bit step. Level 1 of the next pyramid
 * lies step samples further. */
kernel void
localcontrast_remap (global const short * restrict from, int from_stride,
    int width, int height, global short * restrict to, int to_offset,
    int to_stride, int step, CURVE)
{
  int k = get_global_id (2);

  make_rows (from, from_stride, width, height,
      to + to_offset + (size_t) k * step, to_stride, true,
      level_value (k, black, white, n_levels), CURVE_ARGS);
}

/* Work-item (x, y, k) makes SPAN columns of ROWS rows of a level of the k-th
 * pyramid from the finer level. Both are in pyramids; the next pyramid lies step
 * samples further. */
kernel void
localcontrast_down (global const short * from, int from_offset,
    int from_stride, int width, int height, global short * to, int to_offset,
    int to_stride, int step)
{
  size_t at = (size_t) get_global_id (2) * step;

  make_rows (from + from_offset + at, from_stride, width, height,
      to + to_offset + at, to_stride, false, 0, 1, 1, 0, 0, 0, 0, 1, 2);
}
