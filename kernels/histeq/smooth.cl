/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Makes tables that change slowly from frame to frame, but at once where a new
 * scene begins. The algorithm is described in docs/algorithms/histeq.md.
 *
 * The tables of the last frame are looked up as they are in the light of this
 * one, which light.cl found. The kernel smooth_compare adds up their distances
 * from the tables of this frame; smooth_blend makes the tables that are used. */
#include "histeq/light.h"

#define COMPONENTS BEFORE (4)

/* Compares one table with that of the frame before in each work-group, and adds
 * their distance to distance[slot]. */
kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1)))
void
smooth_compare (global const sample * now, global const sample * before,
    global const int *lights, global uint * distance, int slot)
{
  local uint sums[GROUP];
  int item = get_local_id (0), first = get_group_id (0) * BINS;
  global const int *light =
      lights + get_group_id (0) % COMPONENTS * LIGHT_SIZE;
  uint sum = 0;                 /* sum of differences, up to 65536 x 65535 */
  int v;

  for (v = item; v <= HI - LO; v += GROUP) {
    long at = (value_before (light, v) + (1 << 19)) >> 20;

    at = clamp (at, 0L, (long) (HI - LO));
    sum += abs_diff ((uint) now[first + LO + v], (uint) before[first + LO + at]);
  }
  sum += sum_before (sums, item, sum);
  if (item == GROUP - 1)
    atomic_add (distance + slot, sum / (HI - LO + 1));
}

/* Blends the new tables with the smoothed ones. before holds the smoothed
 * tables of the last frame, smooth those of this one, in 65536ths. share is the
 * weight of the last frame in the new tables, in 65536ths; it counts as 0 if
 * is_first is set, or if the distance is above most and no light makes this
 * frame of the last one. The distance of the other slot is set to 0 for the
 * next frame. */
kernel void
smooth_blend (global const sample * now, global const uint * before,
    global uint * smooth, global sample * table, global const int *lights,
    uint share, global uint * distance, int slot, uint most, int is_first)
{
  size_t i = get_global_id (0), first = i / BINS * BINS + LO;
  int v = clamp ((int) (i % BINS) - LO, 0, HI - LO), is_other = 1, c;
  global const int *light = lights + i / BINS % COMPONENTS * LIGHT_SIZE;
  ulong value = (ulong) now[first + v] << 16;

  for (c = 0; c < COMPONENTS && !is_first; c++)
    is_other &= lights[c * LIGHT_SIZE + LIGHT_IS_OTHER];
  if (!is_first && (!is_other || distance[slot] <= most)) {
    long at = value_before (light, v);
    long a = clamp (at >> 20, 0L, (long) (HI - LO));
    long b = clamp ((at >> 20) + 1, 0L, (long) (HI - LO));
    long old = before[first + a];

    old += (((long) before[first + b] - old) * (at >> 4 & 65535)) >> 16;
    value = ((ulong) old * share + value * (65536 - share) + 32768) >> 16;
  }
  smooth[i] = (uint) value;
  table[i] = (sample) ((value + 32768) >> 16);
  if (i == 0)
    distance[1 - slot] = 0;
}

/* Moves tables towards the one that changes nothing. strength is what stays of
 * the change, in 65536ths. */
kernel void
smooth_weaken (global sample * table, int strength)
{
  size_t i = get_global_id (0);
  int v = clamp ((int) (i % BINS) - LO, 0, HI - LO);

  table[i] = v + (((long) strength * ((int) table[i] - v) + 32768) >> 16);
}
