/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Integral images of one component of a frame, for devices with few and fast
 * work-items. The algorithm is described in docs/algorithms/integral.md.
 *
 * The rows are divided into bands, which are all computed at the same time: a
 * work-item first adds up the columns above its band, and then goes down the
 * rows of the band. */

#include "integral/tables.h"

LOOSE (ulong8, loose_ulong8);

/* The type squares16 can hold sums of 16 squared samples. */
#if BYTES == 1
typedef uint16 squares16;
#define convert_squares convert_uint16
#else
typedef ulong16 squares16;
#define convert_squares convert_ulong16
#endif

/* Number of rows whose samples are added up together, column by column: a CPU
 * prefetches as many rows at once. */
#define BLOCK 16

/* Number of adjacent vectors of a row that are added up together. They fill a
 * cache line. */
#define STRIPS 4

/* Adds the samples of n_rows rows, at most BLOCK, to the sums of their columns: STRIPS x 16
 * columns, whose first sample is at the address @p. */
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

/* The scan functions compute prefix sums: each element of the result is the sum
 * of the elements up to it. They first compute prefix sums within each group of
 * four elements, by shifts of wider integers where such types exist, and then
 * add the sums of the preceding groups. */
#define SCAN_FOURS(v, type) \
    (v += (type) (0, 0, 0, 0, v.s3333, 0, 0, 0, 0, v.sbbbb), \
    v + (type) (0, 0, 0, 0, 0, 0, 0, 0, v.s77777777))

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

/* Number of rows that are computed together, so that the row above them is read
 * once. */
#define SPAN 4

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

/* Computes a table row from column x of the frame's row on. The pointer @above is the address
 * of the table row above this row; @sum and sum_squares are the sums of the samples left of
 * column x, and of their squares. */
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

/* Computes the table rows for n rows of the frame from @row on. The pointer @table is the
 * address of the table row above these rows. */
static void
scan_rows (const global uchar * row, int stride, int width, int position,
    int n, global total * table, global ulong * squares)
{
  int columns = width + 1, x = 0;
  total8 carry[SPAN];
#if SQUARES
  ulong8 carry_squares[SPAN];
#endif

#pragma unroll
  for (int i = 0; i < SPAN; i++) {
    carry[i] = (total8) (0);
#if SQUARES
    carry_squares[i] = (ulong8) (0);
#endif
  }
  for (; n == SPAN && x + 16 <= width; x += 16) {
    global total *to = table + 1 + x;
    total8 lo = LOAD_LOOSE (loose_total8, to);
    total8 hi = LOAD_LOOSE (loose_total8, to + 8);
#if SQUARES
    global ulong *to_squares = squares + 1 + x;
    ulong8 lo_squares = LOAD_LOOSE (loose_ulong8, to_squares);
    ulong8 hi_squares = LOAD_LOOSE (loose_ulong8, to_squares + 8);
#endif

#pragma unroll
    for (int i = 0; i < SPAN; i++) {
      sums v = load_samples (row + i * stride + x * PIXEL_STRIDE - position,
          position);
      sums sum = scan_samples (v);

      lo += carry[i] + convert_total8 (sum.lo);
      hi += carry[i] + convert_total8 (sum.hi);
      carry[i] += (total8) ((total) sum.sf);
      to += columns;
      STORE_LOOSE (loose_total8, to, lo);
      STORE_LOOSE (loose_total8, to + 8, hi);
#if SQUARES
      {
        squares16 s = convert_squares (v) * convert_squares (v);

        s = scan_squares (s);
        lo_squares += carry_squares[i] + convert_ulong8 (s.lo);
        hi_squares += carry_squares[i] + convert_ulong8 (s.hi);
        carry_squares[i] += (ulong8) ((ulong) s.sf);
        to_squares += columns;
        STORE_LOOSE (loose_ulong8, to_squares, lo_squares);
        STORE_LOOSE (loose_ulong8, to_squares + 8, hi_squares);
      }
#endif
    }
  }
#pragma unroll
  for (int i = 0; i < SPAN; i++) {
    ulong sum_squares = 0;

    if (i >= n)
      break;
#if SQUARES
    sum_squares = carry_squares[i].s0;
#endif
    scan_rest (row + i * stride, width, x, carry[i].s0, sum_squares,
        table + i * columns, squares + i * columns);
  }
}

/* Work-item i computes band i. Band 0 has first_rows rows. Each other band has
 * an eighth less than the band above it, because its work-item adds up the
 * columns above it, too, which takes an eighth of the time for each row; the
 * last band has the rest. A band computes its first table row from the sums of
 * the columns, and the band above does not write this row. */
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
  while (y < end) {
    int n = end - y >= SPAN ? SPAN : 1;

    at = (size_t) y * (width + 1);
    scan_rows (in + y * stride, stride, width, position, n, table + at,
        squares + at);
    y += n;
  }
}
