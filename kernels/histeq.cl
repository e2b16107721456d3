/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Histogram equalization. What it computes: docs/algorithms/histeq.md.
 *
 * histeq_count fills several histograms at once, histeq_table adds them up and
 * makes the table, histeq_apply looks every sample up. The histograms are zero
 * between frames: histeq_clear before the first one, histeq_table afterwards.
 *
 * Loops over the samples of a pixel ask to be unrolled: PoCL does not do it by
 * itself, and the histogram took 1.7 times as long. */

/* Bytes of a sample: 1 or 2. */
#ifndef BYTES
#define BYTES 1
#endif

/* Samples side by side that make a pixel: 1 in a plane, 2 in YUY2, 3 in RGB. */
#ifndef SAMPLES
#define SAMPLES 1
#endif

/* Bit i: sample i of a pixel is equalized; the others are copied. */
#ifndef MASK
#define MASK 1
#endif

/* Values that a sample can have: its word >> SHIFT is below BINS. */
#ifndef BINS
#define BINS 256
#endif
#ifndef SHIFT
#define SHIFT 0
#endif

/* Work-items that share a row. */
#ifndef COLUMNS
#define COLUMNS 1
#endif

/* What a work-item counts in: COUNT_OWN histograms of its own, TABLES of them
 * taken in turns, so that equal neighbours do not wait for each other;
 * COUNT_LOCAL one in local memory for the work-group; COUNT_GLOBAL one in
 * global memory. */
#define COUNT_OWN 0
#define COUNT_LOCAL 1
#define COUNT_GLOBAL 2
#ifndef COUNT
#define COUNT COUNT_OWN
#endif
#ifndef TABLES
#define TABLES 1
#endif

/* Work-items of the work-group that makes a table: a power of 2 up to BINS. */
#ifndef GROUP
#define GROUP 1
#endif

/* Looks bytes up in vector registers, where the processor can permute the
 * words of a register. */
#ifndef PERMUTE
#if defined (__AVX512BW__) && BYTES == 1 && SAMPLES <= 2 && COLUMNS == 1
#define PERMUTE 1
#else
#define PERMUTE 0
#endif
#endif

#include "math.cl"

#if BYTES == 1
typedef uchar sample;
#else
typedef ushort sample;
#endif

/* Equalized samples before sample i of a pixel: each has a histogram. */
#define BEFORE(i) ((MASK & 1 && (i) > 0) + (MASK >> 1 & 1 && (i) > 1) \
    + (MASK >> 2 & 1 && (i) > 2) + (MASK >> 3 & 1 && (i) > 3))
#define COUNTERS (BEFORE (4) * BINS)

/* Bins that a work-item of histeq_table is in charge of. */
#define OWN (BINS / GROUP)

#define IS_EQUALIZED(i) (MASK >> (i) % SAMPLES & 1)
#define BIN(i, word) \
    (BEFORE ((i) % SAMPLES) * BINS + min ((uint) (word) >> SHIFT, BINS - 1u))

/* Samples that go together: 32 bits of a plane whose rows lie at multiples of
 * 4 bytes, or 4 pixels wherever they lie. */
#if COUNT == COUNT_LOCAL
#define TABLE_SPACE __local
#else
#define TABLE_SPACE __global
#endif
#if COUNT == COUNT_OWN
#define UNIT (4 * SAMPLES)
#define SAMPLE_OF(row, unit, i) ((row)[(unit) * UNIT + (i)])
#define COUNT_ONE(counts, i, word) \
    (counts)[(i) / SAMPLES % TABLES * COUNTERS + BIN (i, word)]++
#else
#define UNIT (4 / BYTES)
#define SAMPLE_OF(row, unit, i) \
    ((sample) (((__global const uint *) (row))[unit] >> 8 * BYTES * (i)))
#define COUNT_ONE(counts, i, word) atomic_inc ((counts) + BIN (i, word))
#endif

__kernel void
histeq_clear (__global uint * counts)
{
  counts[get_global_id (0)] = 0;
}

/* in: rows from byte offset. units: of each row; the pixels behind them are
 * read one by one. counts: histograms groups of COUNTERS. */
__kernel void
histeq_count (__global const uchar * in, int offset, int stride, int width,
    int height, int units, __global uint * counts, int histograms)
{
  int column = get_global_id (0);
  int x, y, i;
  __global uint *sum =
      counts + get_group_id (1) % histograms * TABLES * COUNTERS;
#if COUNT == COUNT_LOCAL
  __local uint bins[COUNTERS];
  int item = get_local_id (1) * get_local_size (0) + get_local_id (0);
  int items = get_local_size (0) * get_local_size (1);

  for (i = item; i < COUNTERS; i += items)
    bins[i] = 0;
  barrier (CLK_LOCAL_MEM_FENCE);
#else
  __global uint *bins = sum;
#endif

  for (y = get_global_id (1); y < height; y += get_global_size (1)) {
    __global const sample *row =
        (__global const sample *) (in + offset + (size_t) y * stride);

    for (x = column; x < units; x += COLUMNS)
#pragma unroll
      for (i = 0; i < UNIT; i++)
        if (IS_EQUALIZED (i))
          COUNT_ONE (bins, i, SAMPLE_OF (row, x, i));
    for (x = units * UNIT / SAMPLES + column; x < width; x += COLUMNS)
#pragma unroll
      for (i = 0; i < SAMPLES; i++)
        if (IS_EQUALIZED (i))
          COUNT_ONE (bins, i, row[x * SAMPLES + i]);
  }

#if COUNT == COUNT_LOCAL
  barrier (CLK_LOCAL_MEM_FENCE);
  for (i = item; i < COUNTERS; i += items)
    if (bins[i] > 0)
      atomic_add (sum + i, bins[i]);
#endif
}

/* One work-group for each equalized sample of a pixel. total: samples that
 * were counted in its histograms together, at least 1. */
__kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1)))
void
histeq_table (__global uint * counts, int histograms, uint total,
    __global sample * table)
{
  __local uint sums[GROUP];
  __local uint lowest[1];       /* count of the first bin that is not empty */
  int item = get_local_id (0);
  int first = get_group_id (0) * BINS + item * OWN;
  uint sum = 0, below, rest;
  float scale;
  int i, j;

  counts += first;
  table += first;
  for (j = 1; j < histograms; j++) {
    for (i = 0; i < OWN; i++) {
      counts[i] += counts[j * COUNTERS + i];
      counts[j * COUNTERS + i] = 0;
    }
  }
  for (i = 0; i < OWN; i++)
    sum += counts[i];

  sums[item] = sum;
  barrier (CLK_LOCAL_MEM_FENCE);
  for (i = 1; i < GROUP; i *= 2) {
    uint more = item >= i ? sums[item - i] : 0;

    barrier (CLK_LOCAL_MEM_FENCE);
    sums[item] += more;
    barrier (CLK_LOCAL_MEM_FENCE);
  }
  below = sums[item] - sum;
  if (below == 0 && sum > 0) {
    for (i = 0; counts[i] == 0; i++);
    lowest[0] = counts[i];
  }
  barrier (CLK_LOCAL_MEM_FENCE);

  rest = total - lowest[0];
  scale = quotient ((floatn) (BINS - 1), convert_floatn ((uintn) (max (rest,
                  1u)))).s0;
  for (i = 0; i < OWN; i++) {
    uint above, value;

    below += counts[i];
    counts[i] = 0;
    above = max (below, lowest[0]) - lowest[0];
    value = round_to_uint ((floatn) ((float) above * scale)).s0;
    /* One value alone stays what it is. */
    value = rest == 0 ? item * OWN + i : min (value, BINS - 1u);
    table[i] = value << SHIFT;
  }
}

#if PERMUTE
/* A table of 256 bytes in four registers of 32 words. */
typedef ushort ushort32 __attribute__ ((ext_vector_type (32)));
typedef short short32 __attribute__ ((ext_vector_type (32)));
typedef ushort ushort32_anywhere
    __attribute__ ((ext_vector_type (32), aligned (1)));

#define ELEMENTS_4(t, k, i) t[k[i]], t[k[i + 1]], t[k[i + 2]], t[k[i + 3]]
#define PERMUTED(t, k) ((ushort32) (ELEMENTS_4 (t, k, 0), \
    ELEMENTS_4 (t, k, 4), ELEMENTS_4 (t, k, 8), ELEMENTS_4 (t, k, 12), \
    ELEMENTS_4 (t, k, 16), ELEMENTS_4 (t, k, 20), ELEMENTS_4 (t, k, 24), \
    ELEMENTS_4 (t, k, 28)))

/* v: 0 to 255 in each element */
static __attribute__ ((always_inline)) ushort32
look_up (ushort32 v, ushort32 t0, ushort32 t1, ushort32 t2, ushort32 t3)
{
  ushort32 word = v >> (ushort) 1 & (ushort) 31;
  short32 is_odd = (v & (ushort) 64) != (ushort) 0;
  short32 is_high = (v & (ushort) 128) != (ushort) 0;
  ushort32 low = is_odd ? PERMUTED (t1, word) : PERMUTED (t0, word);
  ushort32 high = is_odd ? PERMUTED (t3, word) : PERMUTED (t2, word);
  ushort32 pair = is_high ? high : low;

  return pair >> (v << (ushort) 3 & (ushort) 8) & (ushort) 255;
}

static void
apply_row (__global const uchar * in, __global uchar * out, int bytes,
    __global const uchar * table)
{
  __global const ushort32_anywhere *t =
      (__global const ushort32_anywhere *) table;
  ushort32 t0 = t[0], t1 = t[1], t2 = t[2], t3 = t[3];
  int x;

  for (x = 0; x < bytes; x += 64) {
    /* The last vector overlaps the one before it: the input stays. */
    int at = min (x, bytes - 64);
    ushort32 v = *(__global const ushort32_anywhere *) (in + at);
    ushort32 low = v & (ushort) 255, high = v >> (ushort) 8;

#if SAMPLES == 1 || MASK == 1
    low = look_up (low, t0, t1, t2, t3);
#endif
#if SAMPLES == 1 || MASK == 2
    high = look_up (high, t0, t1, t2, t3);
#endif
    *(__global ushort32_anywhere *) (out + at) = low | high << (ushort) 8;
  }
}
#endif

static sample
looked_up (TABLE_SPACE const sample * lut, int i, sample s)
{
  return IS_EQUALIZED (i) ? lut[BIN (i, s)] : s;
}

/* units: as in histeq_count. pixels: of a row in memory, from width on they
 * are copied. */
__kernel void
histeq_apply (__global const uchar * in, int in_offset, int in_stride,
    __global uchar * out, int out_offset, int out_stride, int width,
    int height, int units, int pixels, __global const sample * table)
{
  int column = get_global_id (0);
  int x, y, i;
#if COUNT == COUNT_LOCAL
  __local sample lut[COUNTERS];
  int item = get_local_id (1) * get_local_size (0) + get_local_id (0);

  for (i = item; i < COUNTERS; i += get_local_size (0) * get_local_size (1))
    lut[i] = table[i];
  barrier (CLK_LOCAL_MEM_FENCE);
#else
  TABLE_SPACE const sample *lut = table;
#endif

  for (y = get_global_id (1); y < height; y += get_global_size (1)) {
    __global const sample *from =
        (__global const sample *) (in + in_offset + (size_t) y * in_stride);
    __global sample *to =
        (__global sample *) (out + out_offset + (size_t) y * out_stride);

#if PERMUTE
    x = column;
    if (units * UNIT >= 64) {
      apply_row (from, to, width * SAMPLES, table);
      x = width;
    }
#else
    for (x = column; x < units; x += COLUMNS) {
#if COUNT == COUNT_OWN
#pragma unroll
      for (i = 0; i < UNIT; i++)
        to[x * UNIT + i] = looked_up (lut, i, SAMPLE_OF (from, x, i));
#else
      uint word = 0;

#pragma unroll
      for (i = 0; i < UNIT; i++)
        word |= (uint) looked_up (lut, i, SAMPLE_OF (from, x, i))
            << 8 * BYTES * i;
      ((__global uint *) to)[x] = word;
#endif
    }
    x = units * UNIT / SAMPLES + column;
#endif
    for (; x < pixels; x += COLUMNS) {
#pragma unroll
      for (i = 0; i < SAMPLES; i++) {
        sample s = from[x * SAMPLES + i];

        to[x * SAMPLES + i] =
            x < width ? looked_up (lut, i, s) : s;
      }
    }
  }
}
