/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Lists the connected components whose sizes and shapes are in a range. */
#include "base/components.h"

/* Number of work-items that add up the counts of all rows, a power of two */
#ifndef SCAN
#define SCAN 1
#endif

/* Returns whether the component belongs to the list: its boundary must be long enough, and not too
 * long for its area. */
static bool
is_listed (int n, int area, int least_cracks, int least_area, int roughness,
    int most_cracks)
{
  return n >= least_cracks && n <= most_cracks && area >= least_area
      && (long) n * n <= (long) roughness * area;
}

/* Returns the size class of a component. */
static int
size_of (int n)
{
  int octave = 31 - clz (n);

  return min (4 * octave + (octave >= 2 ? n >> (octave - 2) & 3 : 0),
      COMPONENTS_SIZES - 1);
}

#define RULE int classes, int least_cracks, int least_area, int roughness

#define IS_LISTED(i) (labels[row.first + (i)] == row.first + (i) \
    && classes >> (row.is_white ^ ((i) & 1)) & 1 \
    && is_listed (cracks[row.first + (i)], areas[row.first + (i)], \
        least_cracks, least_area, roughness, maps[row.map].most_cracks))

/* Counts the components of each size class, and the components that begin in each row and their
 * cracks. */
kernel void
components_sizes (const global ComponentsMap * restrict maps, int n_maps,
    int n_rows, RULE, const global int *restrict rows,
    const global int *restrict labels, const global int *restrict cracks,
    const global int *restrict areas, volatile global int *state,
    global int *restrict counts)
{
  int number = GROUP_ID, n = 0, n_cracks = 0;
  bool exists = number < n_rows;
  SHARED long sums[ITEMS];
  long sum;
  Row row;

  find_row (maps, n_maps, rows, exists ? number : 0, &row);
  for (int i = LOCAL_ID; exists && i < row.n; i += ITEMS)
    if (IS_LISTED (i)) {
      int length = cracks[row.first + i];
      int at = COMPONENTS_COUNTS + 2 * size_of (length);

      atomic_add (&state[at], 1);
      atomic_add (&state[at + 1], length);
      n++;
      n_cracks += length;
    }
  sum = (long) n << 32 | n_cracks;
  SUM_BEFORE (long, sums, sum);
  if (LOCAL_ID == ITEMS - 1 && exists) {
    counts[2 * number] = (int) (sums[LOCAL_ID] >> 32);
    counts[2 * number + 1] = (int) sums[LOCAL_ID];
  }
}

#if SCAN == 1
#define SIZES global
#else
#define SIZES local
#endif

/* Returns the smallest size class for which the list has at most @most components and @most_cracks
 * cracks. @counts: for each size class, its number of components and of their cracks. *dropped: set
 * to the number of components in smaller classes */
static __attribute__ ((always_inline)) int
find_least (const SIZES int *counts, int most, int most_cracks, int *dropped)
{
  int n = 0, n_cracks = 0, least = 0, below = 0;

  for (int size = COMPONENTS_SIZES - 1; size >= 0; size--) {
    int count = counts[2 * size];

    n += count;
    n_cracks += counts[2 * size + 1];
    if (least == 0 && (n > most || n_cracks > most_cracks))
      least = size + 1;
    below += least != 0 ? count : 0;
  }
  *dropped = below;
  return least;
}

/* Counts the components of row @number whose size class is at least @least, and their cracks. */
static void
count_row (const global ComponentsMap * maps, int n_maps, int number, RULE,
    int least, const global int *rows, const global int *labels,
    const global int *cracks, const global int *areas, global int *counts)
{
  int n = 0, n_cracks = 0;
  Row row;

  find_row (maps, n_maps, rows, number, &row);
  for (int i = 0; i < row.n; i++)
    if (IS_LISTED (i) && size_of (cracks[row.first + i]) >= least) {
      n++;
      n_cracks += cracks[row.first + i];
    }
  counts[2 * number] = n;
  counts[2 * number + 1] = n_cracks;
}

/* Replaces the counts of each row by the sums over all preceding rows, in a single work-group.
 * Counts again if components are dropped, which is rare. */
kernel __attribute__ ((reqd_work_group_size (SCAN, 1, 1)))
void
components_scan (const global ComponentsMap * restrict maps, int n_maps,
    int n_rows, RULE, int most, int most_cracks,
    const global int *restrict rows, const global int *restrict labels,
    const global int *restrict cracks, const global int *restrict areas,
    global int *restrict counts, global int *restrict state)
{
  int id = SCAN == 1 ? 0 : get_local_id (0), each = (n_rows + SCAN - 1) / SCAN;
  int first = min (id * each, n_rows), end = min (first + each, n_rows);
#if SCAN > 1
  local int sums[2 * SCAN], sizes[2 * COMPONENTS_SIZES];
#else
  const global int *sizes = state + COMPONENTS_COUNTS;
#endif
  int n = 0, n_cracks = 0, own, own_cracks, least, dropped;

#if SCAN > 1
  for (int i = id; i < 2 * COMPONENTS_SIZES; i += SCAN)
    sizes[i] = state[COMPONENTS_COUNTS + i];
  barrier (CLK_LOCAL_MEM_FENCE);
#endif
  least = find_least (sizes, most, most_cracks, &dropped);

  for (int number = first; least > 0 && number < end; number++)
    count_row (maps, n_maps, number, classes, least_cracks, least_area,
        roughness, least, rows, labels, cracks, areas, counts);
  for (int i = first; i < end; i++) {
    n += counts[2 * i];
    n_cracks += counts[2 * i + 1];
  }
  own = n;
  own_cracks = n_cracks;
#if SCAN > 1
  sums[id] = n;
  sums[SCAN + id] = n_cracks;
  barrier (CLK_LOCAL_MEM_FENCE);
  for (int step = 1; step < SCAN; step *= 2) {
    int before = id >= step ? sums[id - step] : 0;
    int cracks_before = id >= step ? sums[SCAN + id - step] : 0;

    barrier (CLK_LOCAL_MEM_FENCE);
    sums[id] += before;
    sums[SCAN + id] += cracks_before;
    barrier (CLK_LOCAL_MEM_FENCE);
  }
  n = sums[id];
  n_cracks = sums[SCAN + id];
#endif
  if (id == SCAN - 1) {
    state[COMPONENTS_LISTED] = n;
    state[COMPONENTS_CRACKS] = n_cracks;
    state[COMPONENTS_DROPPED] = dropped;
    state[COMPONENTS_LEAST] = least;
  }
  n -= own;
  n_cracks -= own_cracks;
  for (int i = first; i < end; i++) {
    int next = counts[2 * i], next_cracks = counts[2 * i + 1];

    counts[2 * i] = n;
    counts[2 * i + 1] = n_cracks;
    n += next;
    n_cracks += next_cracks;
  }
}

/* Writes the list of components, in the order of maps, rows and columns, and for each component
 * its index in the list. */
kernel void
components_list (const global ComponentsMap * restrict maps, int n_maps,
    int n_rows, RULE, const global int *restrict rows,
    const global int *restrict labels, const global int *restrict cracks,
    const global int *restrict areas, const global int *restrict state,
    const global int *restrict counts,
    global int *restrict places, global Component * restrict list)
{
  int number = GROUP_ID, at, first, begin, end, n = 0, n_cracks = 0;
  int least = state[COMPONENTS_LEAST];
  bool exists = number < n_rows;
  SHARED long sums[ITEMS];
  long sum;
  Row row;

  find_row (maps, n_maps, rows, exists ? number : 0, &row);
  /* Gives adjacent runs to each work-item, so that the list has the order of the runs. */
  at = exists ? (row.n + ITEMS - 1) / ITEMS : 0;
  begin = min (LOCAL_ID * at, row.n);
  end = min (begin + at, row.n);
#if ITEMS > 1
  for (int i = begin; i < end; i++)
    if (IS_LISTED (i) && size_of (cracks[row.first + i]) >= least) {
      n++;
      n_cracks += cracks[row.first + i];
    }
#endif
  sum = (long) n << 32 | n_cracks;
  SUM_BEFORE (long, sums, sum);
  at = counts[exists ? 2 * number : 0] + (int) (sum >> 32);
  first = counts[exists ? 2 * number + 1 : 1] + (int) sum;
  for (int i = begin; i < end; i++)
    if (IS_LISTED (i) && size_of (cracks[row.first + i]) >= least) {
      global Component *to = list + at;

      to->map = row.map;
      to->label = row.first + i;
      to->is_white = row.is_white ^ (i & 1);
      to->row = row.y;
      to->cracks = cracks[row.first + i];
      to->area = areas[row.first + i];
      to->first = first;
      to->next = 0;
      places[row.first + i] = at++;
      first += to->cracks;
    }
}
