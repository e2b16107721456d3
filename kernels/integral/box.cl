/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Computes the mean of the square around each sample from an integral image.
 * The algorithm is described in docs/algorithms/integral.md. */

/* BANDS tells what a work-item computes: 1 for a band of rows, 0 for a sample. */
#ifndef BANDS
#define BANDS 1
#endif

#define LANES 16
#include "base/math.h"
#include "integral/tables.h"

/* Returns s / n, rounded half up. */
static uint
mean (total s, uint n)
{
  uint quotient = (uint) (s / n), rest = (uint) (s - (total) quotient * n);

  return quotient + (2 * rest >= n);
}

/* Returns s / n, rounded half up, for 16 numbers. The quotient by the
 * reciprocal is at most one too large or too small; the exact remainder
 * corrects it. */
static uint16
mean16 (totals s, uint16 n)
{
  int16 quotient = convert_int16_rtz (convert_float16 (s)
      * reciprocal (convert_float16 (n)));
  int16 divisor = as_int16 (n);
  int16 rest = convert_int16 (s - convert_totals (quotient)
      * convert_totals (n));
  /* wrong is -1 in lanes that must be corrected, otherwise 0. */
  int16 wrong = rest >> 31;

  quotient += wrong;
  rest += wrong & divisor;
  wrong = (divisor - 1 - rest) >> 31;
  quotient -= wrong;
  rest -= wrong & divisor;
  return as_uint16 (quotient - ((divisor - 1 - 2 * rest) >> 31));
}

/* Describes the squares around the samples of a row: the rows of the table
 * above and below the squares, which are height rows apart. */
typedef struct
{
  const global total *top, *bottom;
  int height;
  int width;                    /* width of the frame, in pixels */
  int radius;
} Square;

static uint
box (const Square * q, int x)
{
  int left = max (x - q->radius, 0);
  int right = min (x + q->radius + 1, q->width);

  return mean (q->bottom[right] - q->bottom[left] - q->top[right]
      + q->top[left], (uint) ((right - left) * q->height));
}

/* Writes samples x to x + 15. Returns 0, and writes nothing, if the squares of
 * some of them reach the first column and those of others do not, or likewise
 * for the last column. */
static int
box16 (const Square * q, int x, global uchar * row)
{
  const int16 steps = (int16) (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14,
      15);
  int left = x - q->radius, right = x + q->radius + 1;
  int16 n = min (right + steps, (int16) (q->width))
      - max (left + steps, (int16) (0));
  totals s;

  if ((left < 0 && left + 15 > 0)
      || (right < q->width && right + 15 > q->width))
    return 0;
  if (right < q->width)
    s = LOAD_LOOSE (loose_totals, q->bottom + right)
        - LOAD_LOOSE (loose_totals, q->top + right);
  else
    s = (totals) (q->bottom[q->width] - q->top[q->width]);
  /* Subtracts the left column, unless it is column 0 of the table, which is 0. */
  if (left >= 0)
    s -= LOAD_LOOSE (loose_totals, q->bottom + left)
        - LOAD_LOOSE (loose_totals, q->top + left);
  store_samples (row + x * PIXEL_STRIDE,
      convert_sums (mean16 (s, as_uint16 (n * q->height))));
  return 1;
}

/* Work-item y writes rows y * n_rows to (y + 1) * n_rows - 1 of the frame;
 * without BANDS, work-item (x, y) writes sample x of row y. */
kernel void
box_mean (const global total * restrict table, int width, int height,
    int radius, global uchar * restrict out, int offset, int stride, int n_rows)
{
#if BANDS
  int begin = get_global_id (0) * n_rows, end = min (begin + n_rows, height);
#else
  int begin = get_global_id (1), end = min (begin + 1, height);
#endif

  for (int y = begin; y < end; y++) {
    int top = max (y - radius, 0), bottom = min (y + radius + 1, height);
    const Square square = {
      table + (size_t) top * (width + 1), table + (size_t) bottom * (width + 1),
      bottom - top, width, radius
    };
    global uchar *row = out + offset + y * stride;

#if BANDS
    int x = 0;

    while (x + 16 <= width) {
      int stop = x + 16;

      if (!box16 (&square, x, row))
        for (int i = x; i < stop; i++)
          put (row, i, box (&square, i));
      x = stop;
    }
    for (; x < width; x++)
      put (row, x, box (&square, x));
#else
    int x = get_global_id (0);

    if (x < width)
      put (row, x, box (&square, x));
#endif
  }
}
