/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Computes samples for a vector of output columns from an input frame. Reads the tables that
 * gst/vision/convert/taps.c creates. The algorithm is described in docs/algorithms/convert.md. */
#ifndef TAPS_H
#define TAPS_H

/* IN_BYTES is the size of an input sample in bytes. IN_SHIFT is the number of unused low bits
 * of a sample. IN_MAX is the maximum value of a sample; a sample of 2 bytes with a larger value
 * is clamped. */
#ifndef IN_BYTES
#define IN_BYTES 1
#endif
#ifndef IN_SHIFT
#define IN_SHIFT 0
#endif
#ifndef IN_MAX
#define IN_MAX 255
#endif

/* SHARED is 1 in the program that all small frames share: see convert/knobs.h. */
#ifndef SHARED
#define SHARED 0
#endif

/* LIMITED clamps the value v to the maximum of a sample. */
#if SHARED
#define LIMITED(v) min (v, (uintn) (uint) (IN_MAX))
#else
#if IN_BYTES == 1
#define LIMITED(v) (v)
#else
#define LIMITED(v) min (v, (uintn) (IN_MAX))
#endif
#endif

/* TRANSPOSED is 1 if input columns become output rows. */
#ifndef TRANSPOSED
#define TRANSPOSED 0
#endif

/* AREA_WIDE is 1 if the sums of the filter AREA need 64 bits. */
#ifndef AREA_WIDE
#define AREA_WIDE 0
#endif

/* How the taps (input samples) of an output sample are combined */
#define NEAREST 0               /* copies the nearest sample, which is the only tap */
#define BILINEAR 1
#define AREA 2
#define LOBES 3                 /* weights, some of which are negative, add up to 2048 */

/* Number of low bits that are dropped from sums of rows with LOBES, so that the sum of rows fits
 * into an int */
#define LOST (IN_BYTES == 1 ? 0 : 8)

#include "base/dot.h"
#include "base/math.h"
#include "base/pixels.h"
#include "convert/convert-shared.h"

#if LANES == 16
#define REVERSED(v) (v).sfedcba9876543210
#define EACH_LANE(f) (uintn) (f (0), f (1), f (2), f (3), f (4), f (5), f (6), \
    f (7), f (8), f (9), f (10), f (11), f (12), f (13), f (14), f (15))
#else
#define REVERSED(v) (v).s3210
#define EACH_LANE(f) (uintn) (f (0), f (1), f (2), f (3))
#endif

/* Forces the compiler to inline a function. Knobs that are passed as arguments only become
 * constants in inlined functions. */
#define INLINE static __attribute__ ((always_inline))

/* Up to four samples of each of LANES pixels; the samples of pixel i are in lane (element) i of
 * the vectors. */
typedef struct
{
  uintn a, b, c, d;
} Pixels;

#if AREA_WIDE
typedef MATH_JOIN (ulong, LANES) ulongn;
typedef ulongn sumn;
#define convert_sumn MATH_JOIN (convert_ulong, LANES)
#else
typedef uintn sumn;
#define convert_sumn(v) (v)
#endif

typedef struct
{
  sumn a, b, c, d;
} Sums;

#define EACH_SAMPLE(n, statement) \
    { statement (a, 0) } \
    if ((n) > 1) { statement (b, 1) } \
    if ((n) > 2) { statement (c, 2) } \
    if ((n) > 3) { statement (d, 3) }

#define POSITION(at, i) (8 * ((at) >> 4 * (i) & 15))

LOOSE (ushort, loose_ushort);
LOOSE (uint, loose_uint);

/* Loads a word of the given number of bytes, 1 to 4, from the address @p. The remaining upper
 * bytes of the result are 0. */
INLINE uint
load_word (global const uchar * p, int bytes)
{
  if (bytes == 1)
    return p[0];
  if (bytes == 2)
    return LOAD_LOOSE (loose_ushort, p);
  if (bytes == 3)
    return LOAD_LOOSE (loose_ushort, p) | (uint) p[2] << 16;
  return LOAD_LOOSE (loose_uint, p);
}

INLINE uintn
gather (global const uchar * row, global const int *columns, int step,
    int bytes)
{
#define LOAD(lane) load_word (row + columns[lane] * step, bytes)
  return EACH_LANE (LOAD);
#undef LOAD
}

/* Loads LANES pixels that are adjacent in memory. */
INLINE uintn
load_run (global const uchar * p, int pixel)
{
#if LANES == 16
  return load_pixels (p, pixel);
#else
#define LOAD(lane) load_word (p + (lane) * pixel, pixel)
  return EACH_LANE (LOAD);
#undef LOAD
#endif
}

/* LANES or 2 * LANES adjacent pixels that contain all input columns of a vector of output
 * columns. A shuffle of registers then replaces many single reads. */
typedef struct
{
  uintn low, high;
  /* Input column of the first tap of each output column, relative to the first loaded pixel */
  intn columns;
} Near;

/* Returns a vector whose element i is element columns[i] modulo LANES of the vector @v. */
INLINE uintn
permuted (uintn v, intn columns)
{
#if LANES == 16
  int16 k = columns & 15;

  /* Names every element: PoCL compiles this form to a single shuffle instruction, if the
   * processor has one. */
#define ELEMENT(lane) v[k[lane]]
  return EACH_LANE (ELEMENT);
#undef ELEMENT
#else
  return shuffle (v, as_uint4 (columns));
#endif
}

INLINE void
load_near (global const uchar * row, global const int *columns, int begin,
    int how, int pixel, Near * near)
{
  near->columns = vloadn (0, columns) - begin;
  near->low = load_run (row + begin * pixel, pixel);
  near->high = near->low;
  if (how == NEAR2)
    near->high = load_run (row + (begin + LANES) * pixel, pixel);
}

INLINE uintn
near_pixels (const Near * near, int how, int tap)
{
  intn columns = near->columns + tap;
  uintn low = permuted (near->low, columns);

  if (how == NEAR)
    return low;
  return select (low, permuted (near->high, columns), columns >= LANES);
}

/* Returns the input pixels of LANES output columns. @how is UNIT, REVERSE or GATHER: see
 * convert/convert-shared.h. */
INLINE uintn
read_pixels (global const uchar * row, global const int *columns, int how,
    int step, int pixel)
{
  if (how == UNIT)
    return load_run (row + columns[0] * step, pixel);
  if (how == REVERSE)
    return REVERSED (load_run (row + columns[LANES - 1] * step, pixel));
  return gather (row, columns, step, pixel);
}

/* Reads LANES pairs of adjacent pixels with as few loads as possible. If a pixel has less than
 * 4 bytes, the upper bytes of the results are undefined. */
INLINE void
read_pairs (global const uchar * row, global const int *columns, int pixel,
    uintn * first, uintn * second)
{
  *first = gather (row, columns, pixel, min (2 * pixel, 4));
  if (pixel < 3)
    *second = *first >> (uintn) (8 * pixel);
  else if (pixel == 3)
    *second = gather (row + 2, columns, pixel, 4) >> 8;
  else
    *second = gather (row + 4, columns, pixel, 4);
}

INLINE uintn
sample_of (uintn pixels, global const int *table, int at, int i)
{
  return LIMITED ((pixels >> (uintn) (POSITION (at, i))
      & (IN_BYTES == 1 ? 0xffu : 0xffffu)) >> IN_SHIFT);
}

/* Sets @sum to the weighted sums of the taps in one row. @taps is the number of taps; 0: the
 * number is read from the table. @begin is used only if @how is NEAR or NEAR2: the input column
 * of the first loaded pixel. */
INLINE void
filter_row (global const uchar * row, global const int *columns,
    global const int *weights, global const int *table, int begin, int how,
    int taps, int filter, int pixel, int at, int n, int step, Sums * sum)
{
  int pitch = table[TABLE_PITCH], n_taps = taps ? taps : table[TABLE_X_TAPS];
  bool pairs = TRANSPOSED ? false : how == GATHER && taps == 2;
  bool is_near = how == NEAR || how == NEAR2;
  uintn pixels, second = 0;
  Near near;

  if (is_near)
    load_near (row, columns, begin, how, pixel, &near);
  sum->a = sum->b = sum->c = sum->d = 0;
  for (int tap = 0; tap < n_taps; tap++) {
    uintn weight = as_uintn (vloadn (0, weights + tap * pitch));

    if (is_near)
      pixels = near_pixels (&near, how, tap);
    else if (pairs && tap > 0)
      pixels = second;
    else if (pairs)
      read_pairs (row, columns, pixel, &pixels, &second);
    else
      pixels = read_pixels (row + tap * step, columns, how, step, pixel);
#define TAP(f, i) sum->f += convert_sumn (sample_of (pixels, table, at, i) * weight);
    EACH_SAMPLE (n, TAP)
#undef TAP
  }
  if (filter == BILINEAR) {
#define ROUND(f, i) sum->f = IN_BYTES == 1 ? sum->f >> 4 : (sum->f + 64) >> 7;
    EACH_SAMPLE (n, ROUND)
#undef ROUND
  }
  if (!SHARED && filter == LOBES) {
#define DROP(f, i) sum->f = convert_sumn (as_uintn ((as_intn ( \
              convert_uintn (sum->f)) + (1 << LOST >> 1)) >> LOST));
    EACH_SAMPLE (n, DROP)
#undef DROP
  }
}

/* Returns the mean of all taps of a sample, computed from their weighted sum @sum. */
INLINE uintn
mean_of (sumn sum, global const int *table, int filter)
{
  if (filter == BILINEAR)
    return convert_uintn (IN_BYTES == 1 ? (sum + 2) >> 2 : (sum + 16384) >> 15);
  if (!SHARED && filter == LOBES)
    return as_uintn (clamp ((as_intn (convert_uintn (sum))
                + (1 << (21 - LOST))) >> (22 - LOST), (intn) (0),
            (intn) (IN_MAX)));
#if AREA_WIDE
  return convert_uintn ((sum + (uint) table[TABLE_TOTAL] / 2)
      / (ulongn) (uint) table[TABLE_TOTAL]);
#else
  return mul_hi (sum + (uint) table[TABLE_TOTAL] / 2,
      (uintn) (uint) table[TABLE_MAGIC]) >> (uintn) table[TABLE_SHIFT];
#endif
}

/* Computes interpolated samples for LANES output columns. Replaces sample() if pixels have one
 * 8-bit sample, and the interpolation is bilinear with two rows and two adjacent columns. The
 * samples of both rows are packed into the two halves of a word: one shuffle moves both. The
 * array @rows holds the numbers of the two rows, each followed by its weight. */
INLINE uintn
near_mean (global const uchar * plane, int stride, global const int *rows,
    global const int *columns, global const int *weights,
    global const int *table, int begin, int how, int pixel, int at)
{
  uintn factors = as_uintn (vloadn (0, weights))
      | as_uintn (vloadn (0, weights + table[TABLE_PITCH])) << 16, left, right,
      sum[2];
  Near near, below;

  load_near (plane + rows[0] * stride, columns, begin, how, pixel, &near);
  load_near (plane + rows[2] * stride, columns, begin, how, pixel, &below);
  near.low = sample_of (near.low, table, at, 0)
      | sample_of (below.low, table, at, 0) << 16;
  near.high = sample_of (near.high, table, at, 0)
      | sample_of (below.high, table, at, 0) << 16;
  left = near_pixels (&near, how, 0);
  right = near_pixels (&near, how, 1);
  sum[0] = add_dots (0, (left & 0xffffu) | right << 16, factors) >> 4;
  sum[1] = add_dots (0, left >> 16 | (right & 0xffff0000u), factors) >> 4;
  return ((sum[0] * (uint) rows[1] >> 16) + (sum[1] * (uint) rows[3] >> 16) + 2)
      >> 2;
}

/* Sets @result to the samples for output columns x to x + LANES - 1 of output row y.
 * @plane: the image, with @stride bytes from row to row and n samples in a pixel.
 * @taps, n_rows: numbers of taps and rows; 0: the number is read from the table.
 * @whole: set if no column of the vector lies in the border. */
INLINE void
sample (global const uchar * plane, int stride, global const int *plan,
    global const int *table, int how, int taps, int n_rows, int filter,
    int pixel, int at, int n, int x, int y, bool whole, Pixels * result)
{
  global const int *columns = plan + table[TABLE_X] + x;
  global const int *weights = plan + table[TABLE_WEIGHTS] + x;
  int begin = plan[table[TABLE_NEAR] + (uint) x / LANES];
  int step = TRANSPOSED ? stride : pixel;
  int row_step = TRANSPOSED ? pixel : stride;
  int rows_end = n_rows ? n_rows : table[TABLE_Y_TAPS];
  global const int *rows = plan + table[TABLE_Y] + 2 * y * rows_end;
  bool at_once = IN_BYTES > 1 ? false : filter == BILINEAR && how >= NEAR
      && taps == 2 && n_rows == 2 && n == 1;
  Sums row, sum = { 0, 0, 0, 0 };
  uintn pixels;
  Near near;

  /* If the vector overlaps the border, its input pixels are not adjacent in memory: reads them
   * one by one. */
  if (how < GATHER && !whole)
    how = GATHER;
  if (filter == NEAREST) {
    if (how >= NEAR) {
      load_near (plane + rows[0] * row_step, columns, begin, how, pixel, &near);
      pixels = near_pixels (&near, how, 0);
    } else {
      pixels = read_pixels (plane + rows[0] * row_step, columns, how, step,
          pixel);
    }
#define SPLIT(f, i) result->f = sample_of (pixels, table, at, i);
    EACH_SAMPLE (n, SPLIT)
#undef SPLIT
    return;
  }
  if (at_once) {
    result->a = near_mean (plane, row_step, rows, columns, weights,
        table, begin, how, pixel, at);
    return;
  }
  for (int i = 0; i < rows_end; i++) {
    uint weight = rows[2 * i + 1];

    filter_row (plane + rows[2 * i] * row_step, columns, weights, table, begin,
        how, taps, filter, pixel, at, n, step, &row);
#define ADD(f, i) sum.f += filter == BILINEAR && IN_BYTES == 1 \
    ? row.f * weight >> 16 : row.f * weight;
    EACH_SAMPLE (n, ADD)
#undef ADD
  }
#define MEAN(f, i) result->f = mean_of (sum.f, table, filter);
  EACH_SAMPLE (n, MEAN)
#undef MEAN
}

#endif
