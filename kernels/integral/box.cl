/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Computes the mean of the square around each sample from an integral image.
 * The algorithm is described in docs/algorithms/integral.md. */

/* BANDS is 1 if each work-item computes a band of rows, and 0 if each computes one sample. */
#ifndef BANDS
#define BANDS 1
#endif

/* ROUNDS is 1 if means are rounded to the nearest integer (halves upwards), and 0 if they are
 * rounded down. */
#ifndef ROUNDS
#define ROUNDS 1
#endif

#define LANES 16
#include "base/math.h"
#include "integral/tables.h"

/* Returns s / n, rounded as set by ROUNDS. */
static uint
mean (total s, uint n)
{
  uint quotient = (uint) (s / n), rest = (uint) (s - (total) quotient * n);

  return quotient + (ROUNDS && 2 * rest >= n);
}

/* Returns s / n for 16 numbers, rounded as set by ROUNDS. The first quotient, computed with the
 * reciprocal, may be one too large or too small; the exact remainder corrects it. */
static uint16
mean16 (totals s, uint16 n)
{
  int16 quotient = convert_int16_rtz (convert_float16 (s)
      * reciprocal (convert_float16 (n)));
  int16 divisor = as_int16 (n);
  int16 rest = convert_int16 (s - convert_totals (quotient)
      * convert_totals (n));
  /* Each element of @wrong is -1 if the quotient of this element must be corrected, otherwise 0. */
  int16 wrong = rest >> 31;

  quotient += wrong;
  rest += wrong & divisor;
  wrong = (divisor - 1 - rest) >> 31;
  quotient -= wrong;
  rest -= wrong & divisor;
  if (ROUNDS)
    quotient -= (divisor - 1 - 2 * rest) >> 31;
  return as_uint16 (quotient);
}

/* Describes the squares around the samples of a row. @top and @bottom are the rows of the
 * integral image at the upper and lower edges of the squares; they are @height rows apart. */
typedef struct
{
  const global total *top, *bottom;
  int height;
  int width;                    /* width of the frame in pixels */
  int radius;                   /* radius of the squares along the row, in
                                 * samples */
} Square;

static uint
box (const Square * q, int x)
{
  int left = max (x - q->radius, 0);
  int right = min (x + q->radius + 1, q->width);

  return mean (q->bottom[right] - q->bottom[left] - q->top[right]
      + q->top[left], (uint) ((right - left) * q->height));
}

/* Writes the means of the squares around samples x to x + 15 to the address @to, and returns 1.
 * If an edge of the frame cuts off some of these squares, but not all of them, writes nothing
 * and returns 0. */
static int
box16 (const Square * q, int x, global uchar * to)
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
  /* Subtracts the values at the left edges of the squares, unless this is column 0 of the
   * table, whose values are 0. */
  if (left >= 0)
    s -= LOAD_LOOSE (loose_totals, q->bottom + left)
        - LOAD_LOOSE (loose_totals, q->top + left);
  store_samples (to,
      convert_sums (mean16 (s, as_uint16 (n * q->height))));
  return 1;
}

/* Writes columns @left to @right - 1 of rows @top to @bottom - 1 of the frame. If BANDS is 1,
 * work-item y writes n_rows rows, starting at row @top + y * n_rows. If BANDS is 0, work-item
 * (x, y) writes sample x of each of its rows. */
kernel void
box_mean (const global total * restrict table, int width, int height,
    int radius_x, int radius_y, global uchar * restrict out, int offset,
    int stride, int n_rows, int left, int top, int right, int bottom)
{
#if BANDS
  int begin = top + get_global_id (0) * n_rows;
  int end = min (begin + n_rows, bottom);
#else
  int begin = top + get_global_id (1), end = min (begin + 1, bottom);
#endif

  for (int y = begin; y < end; y++) {
    int above = max (y - radius_y, 0), below = min (y + radius_y + 1, height);
    const Square square = {
      table + (size_t) above * (width + 1),
      table + (size_t) below * (width + 1), below - above, width, radius_x
    };
    global uchar *row = out + offset + (y - top) * stride;

#if BANDS
    int x = left;

    while (x + 16 <= right) {
      int stop = x + 16;

      if (!box16 (&square, x, row + (x - left) * PIXEL_STRIDE))
        for (int i = x; i < stop; i++)
          put (row, i - left, box (&square, i));
      x = stop;
    }
    for (; x < right; x++)
      put (row, x - left, box (&square, x));
#else
    int x = left + get_global_id (0);

    if (x < right)
      put (row, x - left, box (&square, x));
#endif
  }
}
