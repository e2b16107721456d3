/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Code that the kernels of histeq share: samples of a pixel, histogram bins and look-up tables.
 *
 * Loops over the samples of a pixel have #pragma unroll, because PoCL does not unroll them by
 * itself. Without unrolling, the histogram takes 1.7 times as long. */
#ifndef BINS_H
#define BINS_H

/* Size of a sample in bytes: 1 or 2. */
#ifndef BYTES
#define BYTES 1
#endif

/* Number of adjacent samples that make a pixel: 1 in a plane, 2 in YUY2, 3 in
 * RGB. */
#ifndef SAMPLES
#define SAMPLES 1
#endif

/* Bit i is set if sample i of a pixel is equalized. Other samples are copied. */
#ifndef MASK
#define MASK 1
#endif

/* BINS is the number of bins of a histogram, and of entries of a table. The value of a sample is
 * its word >> SHIFT, which is below BINS, clamped to LO ... HI. Bins and entries outside of LO
 * ... HI are not used. An entry of a table is a new value minus LO. */
#ifndef BINS
#define BINS 256
#endif
#ifndef SHIFT
#define SHIFT 0
#endif
#ifndef LO
#define LO 0
#endif
#ifndef HI
#define HI (BINS - 1)
#endif

#include "histeq/histeq-shared.h"

/* Number of work-groups that compute one table together, at most GROUP. */
#ifndef BLOCKS
#define BLOCKS 1
#endif

/* COUNT selects the memory in which a work-item counts samples (see histeq-shared.h). TABLES is
 * the number of private histograms of a work-item, which counts in them alternately. */
#ifndef COUNT
#define COUNT COUNT_OWN
#endif
#ifndef TABLES
#define TABLES 1
#endif

/* Number of histograms of a work-group in local memory. They are interleaved bin by bin:
 * work-items with equal neighboring samples then add atomically to different addresses. */
#ifndef COPIES
#define COPIES 1
#endif

/* Number of work-items of the work-group that computes a look-up table: a power of 2, at most
 * BINS. */
#ifndef GROUP
#define GROUP 1
#endif

/* PERMUTE is 1 if a table of bytes is kept in vector registers. This needs a processor that can
 * permute the words of a register. */
#ifndef PERMUTE
#if defined (__AVX512BW__) && BYTES == 1 && SAMPLES <= 2 && COUNT == COUNT_OWN
#define PERMUTE 1
#else
#define PERMUTE 0
#endif
#endif

/* SHUFFLE is 1 on processors that can look up bytes in a register (as AVX2 does) but cannot
 * permute words (see PERMUTE). The table of bytes is then kept in vectors of 32 bytes. */
#ifndef SHUFFLE
#if defined (__AVX2__) && !PERMUTE && BYTES == 1 && SAMPLES == 1 \
    && COUNT == COUNT_OWN
#define SHUFFLE 1
#else
#define SHUFFLE 0
#endif
#endif

#if COUNT == COUNT_OWN
#define LANES 16
#endif
#include "base/math.h"
#include "base/rows.h"

#if BYTES == 1
typedef uchar sample;
#define convert_sample4 convert_uchar4
#define convert_sample16 convert_uchar16
#else
typedef ushort sample;
#define convert_sample4 convert_ushort4
#define convert_sample16 convert_ushort16
#endif

/* Number of equalized samples before sample i of a pixel. Each equalized sample
 * has a histogram. */
#define BEFORE(i) ((MASK & 1 && (i) > 0) + (MASK >> 1 & 1 && (i) > 1) \
    + (MASK >> 2 & 1 && (i) > 2) + (MASK >> 3 & 1 && (i) > 3))
#define COUNTERS (BEFORE (4) * BINS)

#define IS_EQUALIZED(i) (MASK >> (i) % SAMPLES & 1)
#define VALUE(word) clamp ((uint) (word) >> SHIFT, (uint) LO, (uint) HI)
#define BIN(i, word) (BEFORE ((i) % SAMPLES) * BINS + VALUE (word))

/* A unit is a number of samples that are processed together. With COUNT_OWN, it is 4 pixels at
 * any address. Otherwise it is 32 bits of a plane whose rows begin at multiples of 4 bytes. */
#if COUNT == COUNT_OWN
#define UNIT (4 * SAMPLES)
#define SAMPLE_OF(row, unit, i) ((row)[(unit) * UNIT + (i)])
#else
#define UNIT (4 / BYTES)
#define SAMPLE_OF(row, unit, i) \
    ((sample) (((global const uint *) (row))[unit] >> 8 * BYTES * (i)))
#endif

/* Counts one sample value in its histogram bin. With a histogram in global memory, a work-item
 * counts a run of equal values privately and adds its length at the end of the run. Otherwise
 * the atomic additions of many work-items to one bin would be serialized in flat areas. */
#if COUNT == COUNT_OWN
#define COUNT_ONE(counts, i, word) \
    (counts)[(i) / SAMPLES % TABLES * COUNTERS + BIN (i, word)]++
#define COUNT_REST(counts)
#elif COUNT == COUNT_LOCAL
#define COUNT_ONE(counts, i, word) \
    atomic_inc ((counts) + BIN (i, word) * COPIES)
#define COUNT_REST(counts)
#else
#define COUNT_ONE(counts, i, word) \
    count_run (counts, BIN (i, word), &run, &run_length)
#define COUNT_REST(counts) count_run (counts, COUNTERS, &run, &run_length)

static void
count_run (global uint * counts, uint bin, uint * run, uint * run_length)
{
  if (bin != *run && *run_length > 0) {
    atomic_add (counts + *run, *run_length);
    *run_length = 0;
  }
  *run = bin;
  *run_length += 1;
}
#endif

#if COUNT == COUNT_OWN
/* Number of pixels that are loaded and counted together. */
#define TOGETHER (SAMPLES == 1 ? 16 / BYTES : SAMPLES == 2 ? 8 / BYTES : 4)
#define WORDS (TOGETHER * SAMPLES * BYTES / 4)

typedef struct __attribute__ ((packed))
{
  uint v[WORDS];
} Words;

/* Counts the pixels of a row in groups of TOGETHER. Returns the number of pixels counted. Loads
 * all samples of a group before it counts any: after a store to a counter, the processor would
 * delay the next load until it knows that the store did not change the row. Loads whole words,
 * because loading single bytes costs as much as counting. */
static int
count_together (global uint * counts, global const sample * row, int pixels)
{
  int x, i;

  for (x = 0; x <= pixels - TOGETHER; x += TOGETHER) {
    const Words words = *(global const Words *) (row + x * SAMPLES);

#pragma unroll
    for (i = 0; i < TOGETHER * SAMPLES; i++)
      if (IS_EQUALIZED (i))
        COUNT_ONE (counts, i, (sample) (words.v[i * BYTES / 4]
                >> i * BYTES % 4 * 8));
  }
  return x;
}
#endif

/* Returns the sum of the values @n of the work-items before this one in the work-group (an
 * exclusive prefix sum). The array @sums is scratch memory. */
static uint
sum_before (local uint * sums, int item, uint n)
{
#if GROUP == 1
  return 0;
#else
  int i;

  sums[item] = n;
  barrier (CLK_LOCAL_MEM_FENCE);
  for (i = 1; i < GROUP; i *= 2) {
    uint more = item >= i ? sums[item - i] : 0;

    barrier (CLK_LOCAL_MEM_FENCE);
    sums[item] += more;
    barrier (CLK_LOCAL_MEM_FENCE);
  }
  return sums[item] - n;
#endif
}

#if PERMUTE
/* Types for a table of 256 bytes in four vectors of 32 words. */
typedef ushort ushort32 __attribute__ ((ext_vector_type (32)));
typedef short short32 __attribute__ ((ext_vector_type (32)));
typedef ushort ushort32_anywhere
    __attribute__ ((ext_vector_type (32), aligned (1)));

#define ELEMENTS_4(t, k, i) t[k[i]], t[k[i + 1]], t[k[i + 2]], t[k[i + 3]]
#define PERMUTED(t, k) ((ushort32) (ELEMENTS_4 (t, k, 0), \
    ELEMENTS_4 (t, k, 4), ELEMENTS_4 (t, k, 8), ELEMENTS_4 (t, k, 12), \
    ELEMENTS_4 (t, k, 16), ELEMENTS_4 (t, k, 20), ELEMENTS_4 (t, k, 24), \
    ELEMENTS_4 (t, k, 28)))

/* Looks up the elements of @v, each from 0 to 255, in a table of 256 bytes. The vectors t0 to t3
 * hold the table. */
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

#endif

#endif
