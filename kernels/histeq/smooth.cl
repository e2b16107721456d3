/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tables that change slowly from frame to frame, but at once where a new scene
 * begins. What it computes: docs/algorithms/histeq.md.
 *
 * smooth_compare adds up how far the tables are from those of the frame before,
 * smooth_blend makes the tables that are used. */
#include "histeq/bins.h"

/* One work-group for each table. distance: is added to. */
kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1)))
void
smooth_compare (global const sample * now, global const sample * before,
    global uint * distance, int slot)
{
  local uint sums[GROUP];
  int item = get_local_id (0), first = get_group_id (0) * BINS;
  uint sum = 0;                 /* up to 65536 x 65535 */
  int i;

  for (i = first + item; i < first + BINS; i += GROUP)
    sum += abs_diff ((uint) now[i], (uint) before[i]);
  sum += sum_before (sums, item, sum);
  if (item == GROUP - 1)
    atomic_add (distance + slot, sum / BINS);
}

/* smooth: the tables of the frame before, in 65536ths. share: of them in the
 * new ones, in 65536ths. most: the distance from which on it is 0, as it is if
 * is_first. The other slot is made ready for the next frame. */
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
