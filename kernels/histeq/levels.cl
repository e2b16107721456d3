/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Computes the table that maps samples by a straight line: a dark value becomes black, and a
 * bright value becomes white. The algorithm is described in docs/algorithms/histeq.md.
 *
 * The kernel levels_find adds up the histograms that histeq_count filled, sets them to zero, and
 * finds the dark and the bright value; levels_table computes the table. */
#include "histeq/bins.h"

/* Number of bins that each work-item of levels_find processes. */
#define OWN (BINS / GROUP)

/* Finds the ends of the straight line that maps samples, with one work-group for each equalized
 * sample of a pixel. Writes two values, relative to LO, to the array @ends:
 * - the smallest value for which more than @low samples are equal to it or below
 * - the largest value for which more than @high samples are equal to it or above
 * If their distance is below @least, moves them apart. @total is the number of samples. */
kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1)))
void
levels_find (global uint * counts, int histograms, uint total, uint low,
    uint high, int least, global int *ends)
{
  local uint sums[GROUP];
  local int found[2];
  int item = get_local_id (0), i, j, a, b;
  uint sum = 0, below;

  counts += get_group_id (0) * BINS + item * OWN;
  for (i = 0; i < OWN; i++) {
    for (j = 0; j < histograms; j++)
      sum += counts[j * COUNTERS + i];
  }
  below = sum_before (sums, item, sum);
  for (i = 0; i < OWN; i++) {
    uint n = 0;

    for (j = 0; j < histograms; j++) {
      n += counts[j * COUNTERS + i];
      counts[j * COUNTERS + i] = 0;
    }
    if (below <= low && below + n > low)
      found[0] = item * OWN + i - LO;
    if (total - below > high && total - below - n <= high)
      found[1] = item * OWN + i - LO;
    below += n;
  }
  barrier (CLK_LOCAL_MEM_FENCE);

  a = found[0];
  b = found[1];
  if (a > b)
    a = b = (a + b) / 2;
  if (b - a < least) {
    a = clamp ((a + b) / 2 - least / 2, 0, HI - LO - least);
    b = a + least;
  }
  if (item == 0) {
    ends[2 * get_group_id (0)] = a;
    ends[2 * get_group_id (0) + 1] = b;
  }
}

/* Computes entry i of each table in work-item i. */
kernel void
levels_table (global const int *ends, global sample * table)
{
  int i = get_global_id (0), a = ends[i / BINS * 2], b = ends[i / BINS * 2 + 1];
  int v = clamp (i % BINS, LO, HI) - LO;
  ulong above = (ulong) (2 * (long) max (v - a, 0) * (HI - LO) + b - a);

  table[i] = min (above / (uint) (2 * (b - a)), (ulong) (HI - LO));
}
