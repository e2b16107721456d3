/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Computes look-up tables that change slowly from frame to frame, but at once when a new scene
 * begins. The algorithm is described in docs/algorithms/histeq.md.
 *
 * The tables of the last frame are first adapted to the change of light that light.cl found.
 * Then the kernel smooth_compare adds up the differences between the adapted tables and the
 * tables of this frame, and smooth_blend blends both. For CLAHE, the kernel smooth_hold then
 * corrects the blended tables. */
#include "histeq/light.h"

/* Returns 1 if a new scene begins, otherwise 0. A new scene begins with the first frame, and
 * where no change of light explains the difference of the frames and the distance of their
 * tables is above @most. */
static int
is_new_scene (global const int *lights, uint distance, uint most, int is_first)
{
  int is_other = 1, c;

  for (c = 0; c < COMPONENTS && !is_first; c++)
    is_other &= lights[c * LIGHT_SIZE + LIGHT_IS_OTHER];
  return is_first || (is_other && distance > most);
}

/* Compares one table with the same table of the last frame in each work-group, and adds the mean
 * difference of their entries to distance[slot]. Successive frames use the two elements of
 * @distance alternately. */
kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1)))
void
smooth_compare (global const sample * now, global const sample * before,
    global const int *lights, global uint * distance, int slot)
{
  local uint sums[GROUP];
  int item = get_local_id (0), first = get_group_id (0) * BINS;
  global const int *light =
      lights + get_group_id (0) % COMPONENTS * LIGHT_SIZE;
  uint sum = 0;                 /* sum of differences between table entries, at most 65536 x
                                 * 65535 */
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

/* Blends the new tables with the smoothed tables of the last frame, in the array @before. Writes
 * the result to the array @smooth; both arrays are in units of 2^-16. @share is the weight of
 * the last frame, in units of 2^-16; in a new scene, 0 is used instead. Also sets the other
 * element of @distance to 0, for the next frame. */
kernel void
smooth_blend (global const sample * now, global const uint * before,
    global uint * smooth, global sample * table, global const int *lights,
    uint share, global uint * distance, int slot, uint most, int is_first)
{
  size_t i = get_global_id (0), first = i / BINS * BINS + LO;
  int v = clamp ((int) (i % BINS) - LO, 0, HI - LO);
  global const int *light = lights + i / BINS % COMPONENTS * LIGHT_SIZE;
  ulong value = (ulong) now[first + v] << 16;

  if (!is_new_scene (lights, distance[slot], most, is_first)) {
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

/* Returns the sum of the values @n of all work-items of the work-group. The function is always
 * inlined, because of a fault of PoCL with local arrays: see add_close() in histeq/light.cl. */
static __attribute__ ((always_inline)) ulong
sum_of_all (local ulong * sums, int item, ulong n)
{
  ulong sum = 0;
  int i;

  barrier (CLK_LOCAL_MEM_FENCE);
  sums[item] = n;
  barrier (CLK_LOCAL_MEM_FENCE);
  for (i = 0; i < GROUP; i++)
    sum += sums[i];
  return sum;
}

/* Adds a constant to the smoothed table of each tile in which nothing moves, so that the mean of
 * the tile's output samples changes as slowly as the table. The new mean is a weighted sum of
 * two means:
 * - the mean of the last frame, from the array @means, with the weight @share in units of 2^-16
 * - the mean that the unsmoothed table, in the array @now, gives, with the rest of the weight
 * The array @histograms holds the histograms of the tiles, which count @area samples each. One
 * work-group processes one table. */
kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1)))
void
smooth_hold (global const sample * now, global uint * smooth,
    global sample * table, global const uint * histograms,
    global const uint * moves, global uint * means, global const int *lights,
    global const uint * distance, int slot, uint most, int is_first, uint area,
    uint share)
{
  local ulong sums[GROUP];
  size_t t = get_group_id (0), first = t * BINS;
  int item = get_local_id (0), v;
  ulong own = 0, mean = 0, held = means[t];

  for (v = LO + item; v <= HI; v += GROUP) {
    ulong n = histograms[first + v];

    own += n * now[first + v];
    mean += n * smooth[first + v];
  }
  own = (sum_of_all (sums, item, own) << 16) / area;
  mean = sum_of_all (sums, item, mean) / area;
  held = (held * share + own * (65536 - share) + 32768) >> 16;
  held = is_new_scene (lights, distance[slot], most, is_first)
      || moves[t] ? mean : held;
  for (v = item; v < BINS; v += GROUP) {
    long value = (long) smooth[first + v] + (long) held - (long) mean;

    value = clamp (value, 0L, (long) (HI - LO) << 16);
    smooth[first + v] = (uint) value;
    table[first + v] = (sample) ((value + 32768) >> 16);
  }
  if (item == 0)
    means[t] = (uint) held;
}

/* Weakens the effect of look-up tables: multiplies the difference between each entry and the
 * entry's own index by @strength / 65536. */
kernel void
smooth_weaken (global sample * table, int strength)
{
  size_t i = get_global_id (0);
  int v = clamp ((int) (i % BINS) - LO, 0, HI - LO);

  table[i] = v + (((long) strength * ((int) table[i] - v) + 32768) >> 16);
}
