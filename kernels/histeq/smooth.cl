/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Makes tables that change slowly from frame to frame, but at once where a new
 * scene begins. The algorithm is described in docs/algorithms/histeq.md.
 *
 * The kernel smooth_compare adds up the distances of the tables from those of
 * the frame before; smooth_blend makes the tables that are used. */
#include "histeq/bins.h"

/* Compares one table in each work-group, and adds its distance to
 * distance[slot]. */
kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1)))
void
smooth_compare (global const sample * now, global const sample * before,
    global uint * distance, int slot)
{
  local uint sums[GROUP];
  int item = get_local_id (0), first = get_group_id (0) * BINS;
  uint sum = 0;                 /* sum of differences, up to 65536 x 65535 */
  int i;

  for (i = first + item; i < first + BINS; i += GROUP)
    sum += abs_diff ((uint) now[i], (uint) before[i]);
  sum += sum_before (sums, item, sum);
  if (item == GROUP - 1)
    atomic_add (distance + slot, sum / BINS);
}

/* Blends the new tables with the smoothed ones. smooth holds the tables of the
 * frame before, in 65536ths. share is the weight of these in the new tables, in
 * 65536ths; it counts as 0 if the distance is above most or if is_first is set.
 * The distance of the other slot is set to 0 for the next frame. */
kernel void
smooth_blend (global const sample * now, global uint * smooth,
    global sample * table, uint share, global uint * distance, int slot,
    uint most, int is_first)
{
  int i = get_global_id (0);
  ulong value = (ulong) now[i] << 16;

  if (!is_first && distance[slot] <= most)
    value = (smooth[i] * (ulong) share + value * (65536 - share) + 32768) >> 16;
  smooth[i] = (uint) value;
  table[i] = (sample) ((value + 32768) >> 16);
  if (i == 0)
    distance[1 - slot] = 0;
}
