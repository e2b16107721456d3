/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Computes the look-up tables of contrast-limited adaptive histogram equalization (CLAHE): one
 * table for each tile of the frame. The algorithm is described in docs/algorithms/histeq.md.
 *
 * Either the kernels clahe_count and clahe_table or the kernel clahe_tiles compute the tables;
 * clahe-apply.cl applies them. If several work-groups compute a table, clahe_sums runs before
 * clahe_table. The histograms are zero between frames: clahe_clear zeroes them before the first
 * frame, and the kernel that computes a table zeroes its histogram afterwards. */

/* Number of histograms of a work-group in local memory: see bins.h. */
#define COPIES 4

#include "base/reflect.h"
#include "histeq/bins.h"

/* Number of histogram bins that each work-item processes to compute a look-up table. It is a
 * multiple of 4 if BLOCKS is above 1. */
#define OWN (BINS / GROUP / BLOCKS)

/* Number of pixels that a work-item loads before it counts them. */
#define BATCH (SAMPLES == 1 ? 8 : SAMPLES == 2 ? 4 : 2)

kernel void
clahe_clear (global uint * counts)
{
  counts[get_global_id (0)] = 0;
}

#if COUNT == COUNT_OWN
/* Returns the inclusive prefix sums of the vector @v: element i is the sum of elements 0 to i. */
static uint16
sums_to (uint16 v)
{
  v += (uint16) (0, v.s0, v.s1, v.s2, v.s3, v.s4, v.s5, v.s6, v.s7, v.s8, v.s9,
      v.sa, v.sb, v.sc, v.sd, v.se);
  v += (uint16) (0, 0, v.s01, v.s23, v.s45, v.s67, v.s89, v.sab, v.scd);
  v += (uint16) ((uint4) (0), v.s0123, v.s4567, v.s89ab);
  return v + (uint16) ((uint8) (0), v.lo);
}
#endif

/* Describes how the excess of a histogram is spread evenly over all bins. The excess is the sum
 * of the counts above the limit. @batch is added to the count of each bin. In addition, 1 is
 * added to the counts of @rest bins: every @step-th bin, starting at bin LO. */
typedef struct
{
  uint batch, rest, step;
} Excess;

static Excess
spread (uint excess)
{
  uint rest = excess % (HI + 1 - LO);
  const Excess e = { excess / (HI + 1 - LO), rest,
    (HI + 1 - LO) / max (rest, 1u)
  };

  return e;
}

/* Returns how many of the @bins bins starting at bin LO have a count that is raised by @batch +
 * 1 (see Excess). */
static uint
hits_before (const Excess * e, uint bins)
{
  return min ((bins + e->step - 1) / e->step, e->rest);
}

/* Returns the table entry for a sample value. @below is the sum of the counts of its bin and of
 * all lower bins, after the excess was spread. */
static uint
entry (uint below, float scale)
{
  return min (round_to_uint ((floatn) ((float) below * scale)).s0,
      (uint) (HI - LO));
}

#if BLOCKS == 1
/* Adds up the TABLES histograms of a tile, for the OWN bins starting at bin @first. Writes the
 * sums, limited to @clip, to the first histogram, and 0 to these bins of the other histograms.
 * If @keeps is set, writes the unlimited sums to the array @kept. Returns the total of the
 * limited sums. */
static uint
limit_counts (global uint * counts, int first, uint clip, global uint * kept,
    int keeps)
{
  uint total = 0;
  int i, j;

  for (i = first; i < first + OWN; i++) {
    uint n = counts[i];

    for (j = 1; j < TABLES; j++) {
      n += counts[j * COUNTERS + i];
      counts[j * COUNTERS + i] = 0;
    }
    if (keeps)
      kept[i] = n;
    n = min (n, clip);
    counts[i] = n;
    total += n;
  }
  return total;
}

/* Computes the table of a tile from its histogram, which counts @area samples. Limits each count
 * to @clip and spreads the excess evenly over all bins. If @keeps is set, first copies the
 * histogram to the array @kept. */
static void
make_table (global uint * counts, uint area, uint clip, float scale,
    global sample * table, global uint * kept, int keeps, local uint * sums,
    local uint * total)
{
  int item = get_local_id (0), first = item * OWN;
  int begin = max (first, LO), end = min (first + OWN, HI + 1);
  int bins_before = clamp (first - LO, 0, HI + 1 - LO);
  uint sum = limit_counts (counts, first, clip, kept, keeps), below, hits;
  Excess excess;
  int i;

  below = sum_before (sums, item, sum);
#if GROUP == 1
  excess = spread (area - sum);
#else
  if (item == GROUP - 1)
    total[0] = below + sum;
  barrier (CLK_LOCAL_MEM_FENCE);
  excess = spread (area - total[0]);
#endif

  hits = hits_before (&excess, bins_before);
  below += bins_before * excess.batch + hits;
  for (; hits < excess.rest && (i = LO + hits * excess.step) < first + OWN;
      hits++)
    counts[i]++;

  i = begin;
#if COUNT == COUNT_OWN
  for (; i + 16 <= end; i += 16) {
    uint16 sum_to = sums_to (vload16 (0, counts + i) + excess.batch) + below;

    vstore16 ((uint16) (0), 0, counts + i);
    below = sum_to.sf;
    sum_to = round_to_uint (convert_float16 (sum_to) * scale);
    vstore16 (convert_sample16 (min (sum_to, (uint16) (HI - LO))), 0,
        table + i);
  }
#endif
  for (; i < end; i++) {
    below += counts[i] + excess.batch;
    counts[i] = 0;
    table[i] = entry (below, scale);
  }
#if COUNT == COUNT_OWN
  /* Also fills the table entries below LO and above HI, because vectors look up samples before
   * these are clamped. */
  for (i = 0; i < LO; i++)
    table[i] = table[LO];
  for (i = HI + 1; i < BINS; i++)
    table[i] = table[HI];
#endif
}
#endif

#if COUNT == COUNT_OWN
/* Computes the tables of all tiles. If @keeps is set, also copies the histograms to the array
 * @kept. Work-item n processes every get_global_size (0)-th tile, starting at tile n. The array
 * @counts holds TABLES histograms for each work-item. */
kernel void
clahe_tiles (global const uchar * in, int offset, int stride, int width,
    int height, int tiles_x, int tiles, int tile_width, int tile_height,
    global uint * counts, uint clip, float scale, global sample * table,
    global uint * kept, int keeps)
{
  int tile, x, y, i;

  counts += get_global_id (0) * TABLES * COUNTERS;
  for (tile = get_global_id (0); tile < tiles; tile += get_global_size (0)) {
    int left = tile % tiles_x * tile_width;
    int top = tile / tiles_x * tile_height;
    int inside = clamp (width - left, 0, tile_width);

    for (y = top; y < top + tile_height; y++) {
      global const sample *line = (global const sample *)
          (in + offset + (size_t) reflect (y, height) * stride);
      global const sample *row = line + left * SAMPLES;

      for (x = count_together (counts, row, inside); x < tile_width; x++) {
        int at = reflect (left + x, width) * SAMPLES;

#pragma unroll
        for (i = 0; i < SAMPLES; i++)
          if (IS_EQUALIZED (i))
            COUNT_ONE (counts, i, line[at + i]);
      }
    }
    for (i = 0; i < COUNTERS; i += BINS)
      make_table (counts + i, tile_width * tile_height, clip, scale,
          table + tile * COUNTERS + i, kept + tile * COUNTERS + i, keeps, 0, 0);
  }
}
#else
/* Counts the pixels of tile y in work-group (x, y): every get_num_groups (0)-th block of GROUP
 * pixels. The array @counts contains a histogram for each tile. */
kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1)))
void
clahe_count (global const uchar * in, int offset, int stride, int width,
    int height, int tiles_x, int tile_width, int tile_height,
    global uint * counts)
{
  int tile = get_global_id (1);
  int left = tile % tiles_x * tile_width, top = tile / tiles_x * tile_height;
  int pixel = get_global_id (0), pixels = get_global_size (0);
  int x = pixel % tile_width, y = pixel / tile_width;
  int more_x = pixels % tile_width, more_y = pixels / tile_width;
  int i, j;
#if COUNT == COUNT_LOCAL
  local uint all[COUNTERS * COPIES];
  local uint *bins = all + get_local_id (0) % COPIES;

  for (i = get_local_id (0); i < COUNTERS * COPIES; i += GROUP)
    all[i] = 0;
  barrier (CLK_LOCAL_MEM_FENCE);
#else
  global uint *bins = counts + tile * COUNTERS;
  uint run = 0, run_length = 0;
#endif

  while (y < tile_height) {
    sample words[BATCH * SAMPLES];
    int n = 0;

#pragma unroll
    for (i = 0; i < BATCH; i++) {
      if (y < tile_height) {
        global const sample *at = (global const sample *) (in + offset
            + (size_t) reflect (top + y, height) * stride)
            + reflect (left + x, width) * SAMPLES;

#pragma unroll
        for (j = 0; j < SAMPLES; j++)
          words[i * SAMPLES + j] = at[j];
        n++;
      }
      x += more_x;
      y += more_y;
      if (x >= tile_width) {
        x -= tile_width;
        y++;
      }
    }
#pragma unroll
    for (i = 0; i < BATCH * SAMPLES; i++)
      if (IS_EQUALIZED (i) && i < n * SAMPLES)
        COUNT_ONE (bins, i, words[i]);
  }
  COUNT_REST (bins);

#if COUNT == COUNT_LOCAL
  barrier (CLK_LOCAL_MEM_FENCE);
  for (i = get_local_id (0); i < COUNTERS; i += GROUP) {
    uint n = 0;

    for (j = 0; j < COPIES; j++)
      n += all[i * COPIES + j];
    if (n > 0)
      atomic_add (counts + tile * COUNTERS + i, n);
  }
#endif
}

#if BLOCKS == 1
/* Computes one table in each work-group. If @keeps is set, also copies its histogram to the
 * array @kept. The array @blocks is not used. */
kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1)))
void
clahe_table (global uint * counts, uint area, uint clip, float scale,
    global sample * table, global uint * kept, int keeps,
    global const uint * blocks)
{
  local uint sums[GROUP];
  local uint total[1];
  size_t first = get_group_id (0) * BINS;

  make_table (counts + first, area, clip, scale, table + first, kept + first,
      keeps, sums, total);
}

#else

/* Returns the sum of the counts of the bins of this work-item, each count limited to @clip. */
static uint
sum_of_own (global const uint * counts, uint clip)
{
  uint sum = 0;
  int i;

  for (i = 0; i < OWN; i += 4) {
    uint4 n = min (vload4 (0, counts + i), clip);

    sum += n.s0 + n.s1 + n.s2 + n.s3;
  }
  return sum;
}

/* Adds up histogram counts, with BLOCKS work-groups for each table. Each work-group writes the
 * sum of the counts of its block of bins, each count limited to @clip, to the array @blocks. */
kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1)))
void
clahe_sums (global const uint * counts, uint clip, global uint * blocks)
{
  local uint sums[GROUP];
  int item = get_local_id (0);
  uint sum = sum_of_own (counts + get_global_id (0) * OWN, clip);
  uint before = sum_before (sums, item, sum);

  if (item == GROUP - 1)
    blocks[get_group_id (0)] = before + sum;
}

/* Returns the count of bin LO + @v after the excess of the histogram was spread; @n is the count
 * before that. @hits is the number of lower bins whose count was raised by @batch + 1 (see
 * Excess); the function adds 1 to it if this bin is also such a bin. */
static uint
next_bin (const Excess * e, int v, uint n, uint * hits)
{
  uint hit = *hits < e->rest && v == (int) (*hits * e->step);

  *hits += hit;
  return v >= 0 && v <= HI - LO ? n + e->batch + hit : 0;
}

/* Computes one of the BLOCKS parts of a table in each work-group. The histogram of the tile
 * counts @area samples. Limits each count to @clip and spreads the excess evenly over all bins.
 * If @keeps is set, also copies this part of the histogram to the array @kept. The array @blocks
 * was written by clahe_sums. */
kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1)))
void
clahe_table (global uint * counts, uint area, uint clip, float scale,
    global sample * table, global uint * kept, int keeps,
    global const uint * blocks)
{
  local uint sums[GROUP];
  local uint start[1], total[1];
  int item = get_local_id (0), block = get_group_id (0) % BLOCKS;
  size_t at = get_global_id (0) * OWN;
  int bin = (block * GROUP + item) * OWN, i;
  uint sum = item < BLOCKS ? blocks[get_group_id (0) - block + item] : 0;
  uint below = sum_before (sums, item, sum), bins_before, hits;
  Excess excess;

  if (item == block)
    start[0] = below;
  if (item == GROUP - 1)
    total[0] = below + sum;
  sum = sum_of_own (counts + at, clip);
  barrier (CLK_LOCAL_MEM_FENCE);
  excess = spread (area - total[0]);
  bins_before = clamp (bin - LO, 0, HI + 1 - LO);
  hits = hits_before (&excess, bins_before);
  below = start[0] + sum_before (sums, item, sum) + bins_before * excess.batch
      + hits;

  for (i = 0; i < OWN; i += 4) {
    uint4 all = vload4 (0, counts + at + i), n = min (all, clip), entries;

    if (keeps)
      vstore4 (all, 0, kept + at + i);
#define NEXT(k) \
    below += next_bin (&excess, bin + i + k - LO, n.s ## k, &hits); \
    entries.s ## k = entry (below, scale);
    NEXT (0)
    NEXT (1)
    NEXT (2)
    NEXT (3)
    vstore4 (convert_sample4 (entries), 0, table + at + i);
    vstore4 ((uint4) (0), 0, counts + at + i);
  }
}
#endif
#endif
