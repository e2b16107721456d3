/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Computes a smooth field of the change of brightness from the changes that were measured in
 * blocks. The algorithm is described in docs/algorithms/moving.md. */
#include "moving/moving.h"
#include "moving/light.h"
#include "moving/parts.h"

#define LABELS_SPACE local
#include "base/labels.h"

/* Maximum difference between the changes of brightness of two neighboring blocks that are
 * connected */
#define NEAR 160

#define N_BLOCKS (MOVING_MAX_BLOCKS * MOVING_MAX_BLOCKS)

/* Returns the center of the bin with the median of @n pixels; sets the bins to 0. All work-items
 * call this. */
static inline __attribute__ ((always_inline)) int
find_middle (global int *bins, int n, local int *counts, local int *tops, local int *middle)
{
  int id = get_local_id (0);

  for (int i = id; i < MOVING_BLOCK_BINS; i += WIDE)
    counts[i] = bins[i];
  SYNC (CLK_GLOBAL_MEM_FENCE);
  for (int i = id; i < MOVING_BLOCK_BINS; i += WIDE)
    bins[i] = 0;
  sum_parts (counts, MOVING_BLOCK_BINS, tops);
  if (id == 0) {
    int before = 0, part = 0, k;

    while (part < MOVING_BLOCK_BINS / PART - 1 && before + tops[part] <= n / 2)
      before += tops[part++];
    for (k = part * PART; k < MOVING_BLOCK_BINS - 1; k++) {
      if (before + counts[k] > n / 2)
        break;
      before += counts[k];
    }
    *middle = (k << 5) - 8192 + 16;
  }
  SYNC (CLK_LOCAL_MEM_FENCE);
  return *middle;
}

/* Marks in @known the blocks whose change is near @middle, and those connected with them through
 * neighbors of similar change. All work-items call this. Two neighbors that are both near @middle
 * are already known and need not be merged; in most frames only few blocks are merged. */
static inline __attribute__ ((always_inline)) void
trust (volatile local int *parents, local const int *changes, global const int *agrees,
    volatile local int *trusted, local uchar * known, int columns, int rows, int middle)
{
  int id = get_local_id (0), n = columns * rows;

  /* state of each block: 0: its pixels disagree; 1: they agree; 2: they agree, and their change is
   * near @middle */
  for (int b = id; b < n; b += WIDE) {
    parents[b] = b;
    trusted[b] = 0;
    known[b] = !agrees[b] ? 0 : abs (changes[b] - middle) <= NEAR ? 2 : 1;
  }
  SYNC (CLK_LOCAL_MEM_FENCE);
  for (int b = id; b < n; b += WIDE) {
    bool has_right = b % columns < columns - 1, has_down = b + columns < n;
    int right = has_right ? b + 1 : b, down = has_down ? b + columns : b;

    if (known[b] * known[right] % 4 != 0 && abs (changes[b] - changes[right]) <= NEAR)
      labels_merge (parents, b, right);
    if (known[b] * known[down] % 4 != 0 && abs (changes[b] - changes[down]) <= NEAR)
      labels_merge (parents, b, down);
  }
  SYNC (CLK_LOCAL_MEM_FENCE);
  for (int b = id; b < n; b += WIDE)
    if (known[b] == 2)
      atomic_or (&trusted[labels_find (parents, b)], 1);
  SYNC (CLK_LOCAL_MEM_FENCE);
  for (int b = id; b < n; b += WIDE)
    known[b] = known[b] == 2 || (known[b] == 1 && trusted[labels_find (parents, b)] != 0);
}

/* Returns the sum of the known changes around a block, and adds their number to *n. */
static int
add_known (local const int *changes, local const uchar * known, int columns, int rows, int b,
    int *n)
{
  int x0 = max (b % columns - 1, 0), x1 = min (b % columns + 1, columns - 1);
  int y0 = max (b / columns - 1, 0), y1 = min (b / columns + 1, rows - 1), sum = 0;

  for (int y = y0; y <= y1; y++)
    for (int x = x0; x <= x1; x++) {
      int at = y * columns + x;

      sum += known[at] ? changes[at] : 0;
      *n += known[at] ? 1 : 0;
    }
  return sum;
}

static int
smooth (local const int *changes, int columns, int rows, int b)
{
  int sum = 8;

  for (int j = -1; j <= 1; j++)
    for (int i = -1; i <= 1; i++) {
      int x = clamp (b % columns + i, 0, columns - 1), y = clamp (b / columns + j, 0, rows - 1);

      sum += (2 - (int) abs (i)) * (2 - (int) abs (j)) * changes[y * columns + x];
    }
  return sum >> 4;
}

/* Computes the field of changes of brightness, of @columns x @rows blocks. @n: number of pixels
 * of the reduced frame. Runs in one work-group. */
kernel void __attribute__ ((reqd_work_group_size (WIDE, 1, 1)))
moving_field (global int *light, int columns, int rows, int n, global uint *sums)
{
  local int changes[N_BLOCKS], place[N_BLOCKS], trusted[N_BLOCKS];
  local int counts[MOVING_BLOCK_BINS], tops[MOVING_BLOCK_BINS / PART], middle_of_all, all;
  local uchar known[N_BLOCKS], is_new[N_BLOCKS];
  local int n_unknown;
  int id = get_local_id (0), n_blocks = columns * rows, sum = 0, rings = max (columns, rows);
  int middle, unknown = 0;
  /* Hides from the compiler that this pointer is the address of the array @place, because PoCL
   * 3.1 would pass another variable to functions that it does not inline. */
  local int *parents = place + (columns > MOVING_MAX_BLOCKS);

  for (int b = id; b < n_blocks; b += WIDE) {
    changes[b] = light[MOVING_BLOCKS_AT + b];
    is_new[b] = 0;
  }
  if (id == 0)
    all = n_unknown = 0;
  middle = find_middle (light + MOVING_ALL_AT, n, counts, tops, &middle_of_all);
  trust (parents, changes, light + MOVING_AGREES_AT, trusted, known, columns, rows, middle);
  for (int b = id; b < n_blocks; b += WIDE)
    unknown += !known[b];
  atomic_add (&n_unknown, unknown);
  SYNC (CLK_LOCAL_MEM_FENCE);
  unknown = n_unknown;
  /* Sets unknown blocks to the mean of the known blocks around them, repeatedly, until all blocks
   * are known. */
  for (int ring = 0; ring < rings && unknown > 0; ring++) {
    int found = 0;

    SYNC (CLK_LOCAL_MEM_FENCE);
    for (int b = id; b < n_blocks; b += WIDE) {
      int around = 0, change;

      if (known[b])
        continue;
      change = add_known (changes, known, columns, rows, b, &around);
      if (around > 0) {
        changes[b] = divide_rounded (change, around);
        is_new[b] = 1;
        found++;
      }
    }
    if (found > 0)
      atomic_sub (&n_unknown, found);
    SYNC (CLK_LOCAL_MEM_FENCE);
    for (int b = id; b < n_blocks; b += WIDE)
      known[b] |= is_new[b];
    unknown = n_unknown;
  }
  SYNC (CLK_LOCAL_MEM_FENCE);
  for (int b = id; b < n_blocks; b += WIDE)
    changes[b] = known[b] ? changes[b] : middle;
  SYNC (CLK_LOCAL_MEM_FENCE);
  for (int b = id; b < n_blocks; b += WIDE) {
    int f = smooth (changes, columns, rows, b);

    light[MOVING_FIELD_AT + b] = f;
    sum += f;
  }
  atomic_add (&all, sum);
  SYNC (CLK_LOCAL_MEM_FENCE);
  if (id == 0)
    sums[MOVING_SUM_LIGHT] += (uint) divide_rounded (all, n_blocks);
}
