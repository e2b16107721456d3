/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Sorts the found points, strongest first, and gives them places in the table. */

/* Number of work-items of the single work-group that processes all bins, or all
 * points: a power of two */
#ifdef ALL_GROUP
#define GROUP ALL_GROUP
#endif

#include "sift/sift.h"

/* Sets sum to the total of sum over the work-items before this one. The
 * parameter sums has room for GROUP numbers. */
#define SUM_BEFORE(sums, sum) do { \
    (sums)[LOCAL_ID] = sum; \
    SYNC \
    for (int step = 1; step < GROUP; step *= 2) { \
      int before = LOCAL_ID >= step ? (sums)[LOCAL_ID - step] : 0; \
\
      SYNC \
      (sums)[LOCAL_ID] += before; \
      SYNC \
    } \
    sum = (sums)[LOCAL_ID] - sum; \
  } while (0)

/* Counts, in one work-group, for each bin the points in higher bins and, if
 * there are more points than capacity, finds the lowest bin to keep. counts is
 * the same buffer as state, so that loads from it need not wait for stores to
 * state. */
kernel void
sift_starts (int capacity, const global int *restrict counts,
    global int *restrict state)
{
  const int n = N_BINS / GROUP;
  int first = N_BINS - 1 - LOCAL_ID * n, found = counts[FOUND];
  SHARED int sums[GROUP];
  int sum = 0;

#pragma unroll 8
  for (int i = 0; i < n; i++)
    sum += counts[COUNTS + first - i];
  SUM_BEFORE (sums, sum);
#pragma unroll 8
  for (int i = 0; i < n; i++) {
    int bin = first - i, next = sum + counts[COUNTS + bin];

    state[STARTS + bin + 1] = sum;
    /* This is true for at most one bin: the first one that does not fit. */
    if (sum <= capacity && next > capacity) {
      state[LOWEST] = bin + 1;
      state[DROPPED] = found - sum;
      state[LISTED] = 0;
    }
    sum = next;
  }
  if (LOCAL_ID == GROUP - 1)
    state[STARTS] = sum;
}

/* Work-item i puts point i into its bin: it writes its number to order. */
kernel void
sift_bin (const global int *restrict points, global int *restrict state,
    global int *restrict order)
{
  int i = get_global_id (0);

  if (i < count_points (state)) {
    int bin = bin_of (as_float (points[POINT * i + RESPONSE]));

    order[state[STARTS + bin + 1] + atomic_dec (state + COUNTS + bin) - 1] = i;
  }
}

/* Tells whether point a comes before b: by response, then by place. */
static bool
is_before (const global int *a, const global int *b)
{
  /* Positive floats have the order of their bits. */
  if (a[RESPONSE] != b[RESPONSE])
    return a[RESPONSE] > b[RESPONSE];
  for (int i = 0; i < 3; i++)
    if (a[i] != b[i])
      return a[i] < b[i];
  return a[3] < b[3];
}

/* Work-item i copies the point with number order[i] to its sorted place in its
 * bin. */
kernel void
sift_sort (const global int *restrict points, const global int *restrict state,
    const global int *restrict order, global int *restrict sorted)
{
  int i = get_global_id (0);

  if (i < count_points (state)) {
    const global int *point = points + POINT * order[i];
    int bin = bin_of (as_float (point[RESPONSE]));
    int to = state[STARTS + bin + 1], end = state[STARTS + bin];

    for (int j = to; j < end; j++) {
      const global int *other = points + POINT * order[j];

      if (j != i && is_before (other, point))
        to++;
    }
    for (int k = 0; k < POINT; k++)
      sorted[POINT * to + k] = point[k];
  }
}

/* Gives each direction of each point its place in the table, in one work-group:
 * places gets the number of the point * MAX_DIRECTIONS + that of the direction.
 * Directions beyond room are counted as dropped if full is not 0. report gets a
 * copy of the two counts. */
kernel void
sift_place (const global int *restrict state,
    const global int *restrict n_angles, int room, int full,
    global int *restrict places, global int *table, global int *report)
{
  int n = min (count_points (state), room);
  int part = (n + GROUP - 1) / GROUP;
  int first = LOCAL_ID * part, end = min (first + part, n);
  SHARED int sums[GROUP];
  int sum = 0;

  for (int i = first; i < end; i++)
    sum += n_angles[i];
  SUM_BEFORE (sums, sum);
  for (int i = first; i < end; i++) {
    int n_here = n_angles[i];

    for (int k = 0; k < n_here; k++, sum++)
      if (sum < room)
        places[sum] = i * MAX_DIRECTIONS + k;
  }
  if (LOCAL_ID == GROUP - 1) {
    table[0] = min (sum, room);
    table[1] = state[DROPPED] + (full ? sum - min (sum, room) : 0);
    table[2] = table[3] = 0;
    report[0] = table[0];
    report[1] = table[1];
  }
}
