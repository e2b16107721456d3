/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Computes pyramids for the local contrast filter: a pyramid of the frame, and one pyramid for
 * each remapped frame, that is, the frame after a tone curve. The algorithm is described in
 * docs/algorithms/localcontrast.md. */

/* Size of the part of a level that a work-item computes: SPAN columns (a multiple of 16) and
 * ROWS rows. */
#ifndef SPAN
#define SPAN 64
#endif
#ifndef ROWS
#define ROWS 16
#endif

#include "localcontrast/localcontrast.h"

/* Number of samples of the finer level that are loaded, in whole vectors, to compute SPAN
 * samples of the coarser level. */
#define TAPS (2 * SPAN + 16)

/* LOAD_VALUES and STORE_VALUES load and store 16 values in private memory. LOAD_WORDS loads 32
 * values as 16 words, each with two values; LOW and HIGH extract the lower and the upper values
 * of the words. */
#define LOAD_VALUES(p) (((const loose_ushort16 *) (p))->v)
#define STORE_VALUES(p, value) (((loose_ushort16 *) (p))->v = (value))
#define LOAD_WORDS(p) ((uint16) (as_uint8 (LOAD_VALUES (p)), \
    as_uint8 (LOAD_VALUES ((p) + 16))))
#define LOW(words) (as_int16 ((words) << 16u) >> 16)
#define HIGH(words) (as_int16 (words) >> 16)

/* Computes one row of horizontal sums, with the weights 1 4 6 4 1, from a row of the finer level
 * with @width samples. Writes the sums for @n samples of the coarser level, starting at column
 * x, to @sums. If @remaps is set, first replaces each sample v by h (v - @value), where h is the
 * curve of docs/algorithms/localcontrast.md. */
static void
sum_row (global const short * row, int x, int n, int width, bool remaps,
    int value, CURVE, int * sums)
{
  ushort buffer[TAPS + 16];
  bool is_empty = true;         /* true if all samples have become 0 */

  for (int i = 0; i < 2 * n + 16; i += 16) {
    int at = 2 * x - 2 + i;
    short16 v;

    if (at >= 0 && at + 16 <= width) {
      v = LOAD_PLANE (row + at);
    } else {
      short lanes[16];

      for (int j = 0; j < 16; j++)
        lanes[j] = row[reflect (clamp (at + j, -2, width + 1), width)];
      v = vload16 (0, lanes);
    }
    if (remaps && are_unchanged (v, value, CURVE_ARGS)) {
      v = 0;
    } else {
      v = remaps ? remap_samples (v, value, CURVE_ARGS) : v;
      is_empty = false;
    }
    STORE_VALUES (buffer + i, as_ushort16 (v));
  }
  if (is_empty) {
    for (int i = 0; i < n; i += 16)
      vstore16 ((int16) (0), 0, sums + i);
    return;
  }
  for (int i = 0; i < n; i += 16) {
    uint16 a = LOAD_WORDS (buffer + 2 * i), b = LOAD_WORDS (buffer + 2 * i + 2);
    int16 c = LOW (LOAD_WORDS (buffer + 2 * i + 4));

    vstore16 (LOW (a) + c + 4 * (HIGH (a) + HIGH (b)) + 6 * LOW (b), 0,
        sums + i);
  }
}

/* Computes SPAN columns of ROWS rows of a level from the next finer level, whose width and
 * height are twice as large. */
static void
make_rows (global const short * from, int from_stride, int width, int height,
    global short * to, int to_stride, bool remaps, int value, CURVE)
{
  int x = get_global_id (0) * SPAN, y = get_global_id (1) * ROWS;
  int end = min (y + ROWS, (height + 1) / 2);
  /* Strides are multiples of 64 samples. */
  int columns = SPAN > 64 ? min (SPAN, to_stride - x) : SPAN;
  int sums[5][SPAN];

  if (x >= to_stride)
    return;
  for (int j = 0; j < 3; j++)
    sum_row (from + reflect (2 * y - 2 + j, height) * from_stride, x,
        columns, width, remaps, value, CURVE_ARGS, sums[j]);
  for (int n = 0; y < end; y++, n += 2) {
    for (int j = 3; j < 5; j++)
      sum_row (from + reflect (2 * y - 2 + j, height) * from_stride, x,
          columns, width, remaps, value, CURVE_ARGS, sums[(n + j) % 5]);
    for (int i = 0; i < columns; i += 16) {
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

/* Computes SPAN columns of ROWS rows of level 1 of remapped pyramid number k, in work-item (x,
 * y, k). Reads the frame, whose samples are in units of 1/64 of an 8-bit gray level. Level 1 of
 * the next pyramid begins @step samples later. */
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

/* Computes SPAN columns of ROWS rows of a level of pyramid number k, in work-item (x, y, k),
 * from the next finer level. The same level of the next pyramid begins @step samples later. */
kernel void
localcontrast_down (global const short * from, int from_offset,
    int from_stride, int width, int height, global short * to, int to_offset,
    int to_stride, int step)
{
  size_t at = (size_t) get_global_id (2) * step;

  make_rows (from + from_offset + at, from_stride, width, height,
      to + to_offset + at, to_stride, false, 0, 1, 1, 0, 0, 0, 0, 1, 2);
}
