/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Computes integral images of one component of a frame, on devices with few and fast work-items.
 * The algorithm is described in docs/algorithms/integral.md.
 *
 * The rows are divided into bands, which are all computed at the same time. A work-item first
 * adds up the columns above its band, and then processes the rows of the band from top to
 * bottom. */

#include "integral/tables.h"

LOOSE (ulong8, loose_ulong8);

/* Type squares16 can hold sums of 16 squared samples. */
#if BYTES == 1
typedef uint16 squares16;
typedef uint8 squares8;
typedef ushort8 sums8;
#define convert_squares convert_uint16
#else
typedef ulong16 squares16;
typedef ulong8 squares8;
typedef uint8 sums8;
#define convert_squares convert_ulong16
#endif

/* Number of rows that are added up together, column by column. It is the number of rows that a
 * CPU can prefetch at the same time. */
#define BLOCK 16

/* Number of adjacent vectors of a row that are added up together. They fill a
 * cache line. */
#define STRIPS 4

/* Adds the samples of n_rows rows, at most BLOCK, to the sums of their columns. There are STRIPS
 * x 16 columns; the first sample of the first column is at the address @p. */
static void
add_columns (const global uchar * p, int stride, int position, int n_rows,
    global total * columns, global ulong * column_squares)
{
  sums part[STRIPS];
#if SQUARES
  squares16 s[STRIPS];
#endif

#pragma unroll
  for (int i = 0; i < STRIPS; i++) {
    part[i] = (sums) (0);
#if SQUARES
    s[i] = (squares16) (0);
#endif
  }
  for (int y = 0; y < n_rows; y++) {
#pragma unroll
    for (int i = 0; i < STRIPS; i++) {
      sums v = load_samples (p + y * stride + i * 16 * PIXEL_STRIDE, position);

      part[i] += v;
#if SQUARES
      s[i] += convert_squares (v) * convert_squares (v);
#endif
    }
  }
#pragma unroll
  for (int i = 0; i < STRIPS; i++) {
    global total *to = columns + 16 * i;
#if SQUARES
    global ulong *to_squares = column_squares + 16 * i;
#endif

    STORE_LOOSE (loose_totals, to, LOAD_LOOSE (loose_totals, to)
        + convert_totals (part[i]));
#if SQUARES
    STORE_LOOSE (loose_ulong8, to_squares,
        LOAD_LOOSE (loose_ulong8, to_squares) + convert_ulong8 (s[i].lo));
    STORE_LOOSE (loose_ulong8, to_squares + 8,
        LOAD_LOOSE (loose_ulong8, to_squares + 8) + convert_ulong8 (s[i].hi));
#endif
  }
}

/* Adds n_rows rows, at most BLOCK, of all columns to the sums of the columns. */
static void
add_rows (const global uchar * rows, int stride, int width, int position,
    int n_rows, global total * columns, global ulong * column_squares)
{
  int x = 0;

  for (; x + 16 * STRIPS <= width; x += 16 * STRIPS)
    add_columns (rows + x * PIXEL_STRIDE - position, stride, position, n_rows,
        columns + x, column_squares + x);
  for (; x < width; x++) {
    for (int y = 0; y < n_rows; y++) {
      columns[x] += get (rows + y * stride, x);
#if SQUARES
      column_squares[x] += square (get (rows + y * stride, x));
#endif
    }
  }
}

/* The scan functions compute prefix sums in each half of a vector: an element of the result is
 * the sum of the elements of the same half up to this element. They first compute prefix sums
 * within each group of four elements, by shifts of wider integers where such types exist. Then
 * they add the sum of the preceding group. */
#define SCAN_FOURS(v, type) \
    (v + ((type) (v.s33333333, v.sbbbbbbbb) \
        & (type) (0, 0, 0, 0, -1, -1, -1, -1, 0, 0, 0, 0, -1, -1, -1, -1)))

static ushort16
scan_ushort16 (ushort16 v)
{
  v += as_ushort16 (as_ulong4 (v) << 16);
  v += as_ushort16 (as_ulong4 (v) << 32);
  return SCAN_FOURS (v, ushort16);
}

static uint16
scan_uint16 (uint16 v)
{
  v += as_uint16 (as_ulong8 (v) << 32);
  v += (uint16) (0, 0, v.s11, 0, 0, v.s55, 0, 0, v.s99, 0, 0, v.sdd);
  return SCAN_FOURS (v, uint16);
}

static ulong16
scan_ulong16 (ulong16 v)
{
  v += (ulong16) (0, v.s0, 0, v.s2, 0, v.s4, 0, v.s6, 0, v.s8, 0, v.sa, 0, v.sc,
      0, v.se);
  v += (ulong16) (0, 0, v.s11, 0, 0, v.s55, 0, 0, v.s99, 0, 0, v.sdd);
  return SCAN_FOURS (v, ulong16);
}

#if BYTES == 1
#define scan_samples scan_ushort16
#define scan_squares scan_uint16
#else
#define scan_samples scan_uint16
#define scan_squares scan_ulong16
#endif

/* Computes prefix sums along a row of a table, from left to right. */
#define ADD_UP(name, number) \
static void \
name (global number * row, int n) \
{ \
  number sum = 0; \
\
  for (int x = 0; x < n; x++) \
    row[x] = sum += row[x]; \
}

ADD_UP (add_up, total)
ADD_UP (add_up_squares, ulong)

/* Computes the rest of a table row, starting at column x of the row of the frame.
 * @above: address of the table row above this row
 * @sum, @sum_squares: sums of the samples left of column x, and of their squares */
static void
scan_rest (const global uchar * row, int width, int x, total sum,
    ulong sum_squares, global total * above, global ulong * above_squares)
{
  int columns = width + 1;

  above[columns] = 0;
#if SQUARES
  above_squares[columns] = 0;
#endif
  for (int k = x; k < width; k++) {
    uint v = get (row, k);

    sum += v;
    above[columns + k + 1] = above[k + 1] + sum;
#if SQUARES
    sum_squares += square (v);
    above_squares[columns + k + 1] = above_squares[k + 1] + sum_squares;
#endif
  }
}

/* Makes a CPU fetch the cache line that lies AHEAD bytes after the address @p, in order to write
 * to it. This saves time for tables that do not fit into the caches. */
#define AHEAD 4096
#ifdef __x86_64__
#define FETCH_AHEAD(p) \
    __builtin_prefetch ((const void *) ((size_t) (p) + AHEAD), 1)
#else
#define FETCH_AHEAD(p)
#endif

/* Computes 32 numbers of a table row from 32 samples. It computes prefix sums of pairs of
 * samples, which takes half as many instructions as prefix sums of single samples. Returns a
 * vector whose elements are all equal to the sum of the samples up to the last one.
 * @even, @odd: samples with even and with odd indices
 * @left: in each element, the sum of the samples left of these 32
 * @above: address of the numbers in the row above */
#define SCAN_PAIRS(name, values16, values8, scan, number, number8, loose, convert) \
static number8 \
name (values16 even, values16 odd, number8 left, global number * above, \
    int columns) \
{ \
  values16 second = scan (even + odd), first = second - odd; \
  number8 sum; \
\
  EIGHT (0, lo.lo, values8, loose, convert) \
  EIGHT (8, lo.hi, values8, loose, convert) \
  left = (number8) (sum.s7); \
  EIGHT (16, hi.lo, values8, loose, convert) \
  EIGHT (24, hi.hi, values8, loose, convert) \
  return (number8) (sum.s7); \
}
#define EIGHT(i, part, values8, loose, convert) \
  if (i * sizeof (*above) % 64 == 0) \
    FETCH_AHEAD (above + columns + i); \
  sum = left + convert ((values8) (first.part.s0, second.part.s0, \
          first.part.s1, second.part.s1, first.part.s2, second.part.s2, \
          first.part.s3, second.part.s3)); \
  STORE_LOOSE (loose, above + columns + i, LOAD_LOOSE (loose, above + i) + sum);

SCAN_PAIRS (scan_sample_pairs, sums, sums8, scan_samples, total, total8,
    loose_total8, convert_total8)
SCAN_PAIRS (scan_square_pairs, squares16, squares8, scan_squares, ulong,
    ulong8, loose_ulong8, convert_ulong8)

/* Computes the table row for a row of the frame. @table is the address of the table row above
 * it. The caller computes the rows one after the other, because storing to several rows
 * alternately takes twice the time. */
static void
scan_row (const global uchar * row, int width, int position,
    global total * table, global ulong * squares)
{
  int x = 0;
  total8 left = (total8) (0);
  ulong8 left_squares = (ulong8) (0);

  for (; x + 32 <= width; x += 32) {
    sums even, odd;

    load_pairs (row + x * PIXEL_STRIDE - position, position, &even, &odd);
    left = scan_sample_pairs (even, odd, left, table + 1 + x, width + 1);
#if SQUARES
    left_squares = scan_square_pairs (convert_squares (even) * convert_squares
        (even), convert_squares (odd) * convert_squares (odd), left_squares,
        squares + 1 + x, width + 1);
#endif
  }
  scan_rest (row, width, x, left.s0, left_squares.s0, table, squares);
}

/* Computes band i in work-item i. Band 0 has first_rows rows. Each other band has an eighth
 * fewer rows than the band above it, because its work-item also adds up the columns above the
 * band. Adding up takes an eighth of the time that computing takes, for each row. The last band
 * has the remaining rows. A work-item computes the first table row of its band from the sums of
 * the columns, and the work-item of the band above does not write this row. */
kernel void
integral_bands (const global uchar * restrict in, int offset, int stride,
    int width, int height, int position, int first_rows,
    global total * restrict table, global ulong * restrict squares)
{
  int y = 0, end = first_rows;
  size_t at;

  for (int i = get_global_id (0); i > 0; i--) {
    int rows = end - y;

    y = end;
    end += rows - rows / 8;
  }
  end = get_global_id (0) + 1 < get_global_size (0) ? end - 1 : height;
  in += offset;

  at = (size_t) y * (width + 1);
  for (int x = 0; x <= width; x++) {
    table[at + x] = 0;
#if SQUARES
    squares[at + x] = 0;
#endif
  }
  for (int i = 0; i < y; i += BLOCK)
    add_rows (in + i * stride, stride, width, position, min (BLOCK, y - i),
        table + at + 1, squares + at + 1);
  add_up (table + at, width + 1);
#if SQUARES
  add_up_squares (squares + at, width + 1);
#endif
  for (; y < end; y++) {
    at = (size_t) y * (width + 1);
    scan_row (in + y * stride, width, position, table + at, squares + at);
  }
}
