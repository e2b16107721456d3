/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Equalizes histograms with one look-up table for the whole frame. The algorithm is described in
 * docs/algorithms/histeq.md.
 *
 * The kernel histeq_count fills several histograms at once; histeq_table adds them up and
 * computes the table; histeq_apply looks every sample up. If several work-groups compute a
 * table, histeq_sums runs before histeq_table. The histograms are zero between frames:
 * histeq_clear zeroes them before the first frame, and histeq_table zeroes them after each
 * frame. */

#include "histeq/bins.h"

#if COUNT == COUNT_LOCAL
#define TABLE_SPACE local
#else
#define TABLE_SPACE global
#endif

/* Number of bins that each work-item of histeq_table processes. */
#define OWN (BINS / GROUP / BLOCKS)

kernel void
histeq_clear (global uint * counts)
{
  counts[get_global_id (0)] = 0;
}

/* Counts the samples of a frame, whose first row begins @offset bytes into @in. @units is the
 * number of units (see UNIT) in a row; the remaining pixels are read one by one. The array
 * @counts holds @histograms sets of TABLES * COUNTERS counters. */
kernel void
histeq_count (global const uchar * in, int offset, int stride, int width,
    int height, int units, global uint * counts, int histograms)
{
  int x, y, i;
  global uint *sum =
      counts + get_group_id (1) % histograms * TABLES * COUNTERS;
#if COUNT == COUNT_LOCAL
  local uint bins[COUNTERS];
  int item = get_local_id (1) * get_local_size (0) + get_local_id (0);
  int items = get_local_size (0) * get_local_size (1);

  for (i = item; i < COUNTERS; i += items)
    bins[i] = 0;
  barrier (CLK_LOCAL_MEM_FENCE);
#else
  global uint *bins = sum;
#endif
#if COUNT == COUNT_GLOBAL
  uint run = 0, run_length = 0;
#endif

  for (y = FIRST_ROW (height); y < END_ROW (height); y += ROW_STEP) {
    global const sample *row =
        (global const sample *) (in + offset + (size_t) y * stride);

#if COUNT == COUNT_OWN
    x = count_together (bins, row, width);
#else
    for (x = get_global_id (0); x < units; x += COLUMNS)
#pragma unroll
      for (i = 0; i < UNIT; i++)
        if (IS_EQUALIZED (i))
          COUNT_ONE (bins, i, SAMPLE_OF (row, x, i));
    x = units * UNIT / SAMPLES + get_global_id (0);
#endif
    for (; x < width; x += COLUMNS)
#pragma unroll
      for (i = 0; i < SAMPLES; i++)
        if (IS_EQUALIZED (i))
          COUNT_ONE (bins, i, row[x * SAMPLES + i]);
  }
  COUNT_REST (bins);

#if COUNT == COUNT_LOCAL
  barrier (CLK_LOCAL_MEM_FENCE);
  for (i = item; i < COUNTERS; i += items)
    if (bins[i] > 0)
      atomic_add (sum + i, bins[i]);
#endif
}

/* Adds up the histograms for the OWN bins of one work-item; @counts is the address of the first
 * of these counters. Returns the number of samples in these bins. Sets @lowest to the count of
 * the first bin that is not empty. */
static uint
add_up (global uint * counts, int histograms, uint * lowest)
{
  uint sum = 0;
  int i, j;

  for (j = 1; j < histograms; j++) {
    for (i = 0; i < OWN; i++) {
      counts[i] += counts[j * COUNTERS + i];
      counts[j * COUNTERS + i] = 0;
    }
  }
  for (i = 0; i < OWN; i++)
    sum += counts[i];
  if (sum > 0) {
    for (i = 0; counts[i] == 0; i++);
    *lowest = counts[i];
  }
  return sum;
}

#if BLOCKS > 1
/* Adds up histogram counts, with BLOCKS work-groups for each equalized sample of a pixel. Each
 * work-group writes two numbers to the array @blocks: the number of samples in its block of
 * bins, and the count of the first bin that is not empty. */
kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1)))
void
histeq_sums (global uint * counts, int histograms, global uint * blocks)
{
  local uint sums[GROUP];
  int item = get_local_id (0), block = get_group_id (0);
  uint lowest = 0;
  uint sum = add_up (counts + (block * GROUP + item) * OWN, histograms,
      &lowest);
  uint before = sum_before (sums, item, sum);

  if (before == 0 && sum > 0)
    blocks[2 * block + 1] = lowest;
  if (item == GROUP - 1)
    blocks[2 * block] = before + sum;
}
#endif

/* Computes the look-up tables of the equalization, with BLOCKS work-groups for each equalized
 * sample of a pixel. @total is the number of samples counted in all histograms together, at
 * least 1. The array @blocks was written by histeq_sums. */
kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1)))
void
histeq_table (global uint * counts, int histograms, uint total,
    global sample * table, global const uint * blocks)
{
  local uint sums[GROUP];
  local uint lowest[1];       /* count of the first bin that is not empty */
#if BLOCKS > 1
  local uint start[1];        /* number of samples in the preceding blocks of
                               * bins */
#endif
  int item = get_local_id (0);
  int first = (get_group_id (0) * GROUP + item) * OWN;
  uint sum, below, rest;
  float scale;
  int i;

#if BLOCKS > 1
  int block = get_group_id (0) % BLOCKS;

  blocks += get_group_id (0) / BLOCKS * BLOCKS * 2;
  sum = item < BLOCKS ? blocks[2 * item] : 0;
  below = sum_before (sums, item, sum);
  if (below == 0 && sum > 0)
    lowest[0] = blocks[2 * item + 1];
  if (item == block)
    start[0] = below;
  sum = 0;
  for (i = 0; i < OWN; i++)
    sum += counts[first + i];
  barrier (CLK_LOCAL_MEM_FENCE);
  below = start[0] + sum_before (sums, item, sum);
#else
  uint least = 0;

  sum = add_up (counts + first, histograms, &least);
  below = sum_before (sums, item, sum);
  if (below == 0 && sum > 0)
    lowest[0] = least;
  barrier (CLK_LOCAL_MEM_FENCE);
#endif

  rest = total - lowest[0];
  scale = quotient ((floatn) (HI - LO), convert_floatn ((uintn) (max (rest,
                  1u)))).s0;
  for (i = 0; i < OWN; i++) {
    uint above, value;

    below += counts[first + i];
    counts[first + i] = 0;
    above = max (below, lowest[0]) - lowest[0];
    value = round_to_uint ((floatn) ((float) above * scale)).s0;
    /* If all samples of the frame are equal, keeps their value. */
    value = rest == 0 ? VALUE ((uint) (first + i) % BINS << SHIFT) - LO
        : min (value, (uint) (HI - LO));
    table[first + i] = value;
  }
}

#if PERMUTE
static void
permute_row (global const uchar * in, global uchar * out, int bytes,
    global const uchar * table)
{
  global const ushort32_anywhere *t =
      (global const ushort32_anywhere *) table;
  ushort32 t0 = t[0], t1 = t[1], t2 = t[2], t3 = t[3];
  int x;

  for (x = 0; x < bytes; x += 64) {
    /* Moves the last vector back so that it ends with the row. It then overlaps the vector
     * before it, which is safe because the input is not changed. */
    int at = min (x, bytes - 64);
    ushort32 v = *(global const ushort32_anywhere *) (in + at);
    ushort32 low = v & (ushort) 255, high = v >> (ushort) 8;

#if SAMPLES == 1 || MASK == 1
    low = look_up (low, t0, t1, t2, t3) + (ushort) LO;
#endif
#if SAMPLES == 1 || MASK == 2
    high = look_up (high, t0, t1, t2, t3) + (ushort) LO;
#endif
    *(global ushort32_anywhere *) (out + at) = low | high << (ushort) 8;
  }
}
#endif

#if SHUFFLE
typedef char char32 __attribute__ ((ext_vector_type (32)));
typedef char char32_anywhere
    __attribute__ ((ext_vector_type (32), aligned (1)));

/* Returns a vector that holds the 16 bytes at @p twice, because a shuffle looks up the bytes of
 * each half of a register in the same half of the table. */
static __attribute__ ((always_inline)) char32
load_twice (global const uchar * p)
{
  char16 v = vload16 (0, (global const char *) p);

  return __builtin_shufflevector (v, v, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
      12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
}

/* Looks up the bytes of a row, at least 32, in a table of 256 bytes, by shuffles of 16 table
 * entries each. A shuffle gives 0 for a negative index. Each block of 16 entries is therefore
 * stored as the exclusive or of itself and the block before it. The exclusive or of the shuffles
 * of all blocks, up to the block of a value, is the table entry of that value. */
static void
shuffle_row (global const uchar * in, global uchar * out, int bytes,
    global const uchar * table)
{
  char32 t[16];
  int x, i;

#pragma unroll
  for (i = 0; i < 16; i++)
    t[i] = load_twice (table + 16 * i);
#pragma unroll
  for (i = 15; i > 0; i--)
    if (i != 8)
      t[i] ^= t[i - 1];
  for (x = 0; x < bytes; x += 32) {
    /* Moves the last vector back so that it ends with the row. It then overlaps the vector
     * before it, which is safe because the input is not changed. */
    int at = min (x, bytes - 32);
    char32 v = *(global const char32_anywhere *) (in + at);
    char32 index = v & (char) 127, low = (char32) (0), high = (char32) (0);

#pragma unroll
    for (i = 0; i < 8; i++) {
      low ^= __builtin_ia32_pshufb256 (t[i], index);
      high ^= __builtin_ia32_pshufb256 (t[i + 8], index);
      index -= (char) 16;
    }
    *(global char32_anywhere *) (out + at) =
        (v < (char) 0 ? high : low) + (char) LO;
  }
}
#endif

#define LOOK
typedef struct
{
  TABLE_SPACE const sample *table;
} Look;

static sample
looked_up (const Look * look, int x, int i, sample s)
{
  return IS_EQUALIZED (i) ? (look->table[BIN (i, s)] + LO) << SHIFT : s;
}

#include "histeq/row.h"

/* Replaces every sample of a frame by its entry in the look-up table. @units is described at
 * histeq_count. @pixels is the number of pixels of a row in memory; those starting at column
 * @width are copied. */
kernel void
histeq_apply (global const uchar * in, int in_offset, int in_stride,
    global uchar * out, int out_offset, int out_stride, int width,
    int height, int units, int pixels, global const sample * table)
{
  int column = get_global_id (0);
  int y;
#if COUNT == COUNT_LOCAL
  local sample lut[COUNTERS];
  int i, item = get_local_id (1) * get_local_size (0) + get_local_id (0);

  for (i = item; i < COUNTERS; i += get_local_size (0) * get_local_size (1))
    lut[i] = table[i];
  barrier (CLK_LOCAL_MEM_FENCE);
#else
  global const sample *lut = table;
#endif

  for (y = FIRST_ROW (height); y < END_ROW (height); y += ROW_STEP) {
    const Look look = { lut };
    global const sample *from =
        (global const sample *) (in + in_offset + (size_t) y * in_stride);
    global sample *to =
        (global sample *) (out + out_offset + (size_t) y * out_stride);

#if PERMUTE
    if (units * UNIT >= 64) {
      permute_row (from, to, width * SAMPLES, table);
      copy_rest (from, to, width, pixels, column);
      continue;
    }
#endif
#if SHUFFLE
    if (width >= 32) {
      shuffle_row (from, to, width, table);
      copy_rest (from, to, width, pixels, column);
      continue;
    }
#endif
    look_up_row (from, to, width, units, pixels, column, &look);
  }
}
