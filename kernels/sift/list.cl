/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Part of sift-points.cl: sorts the points that were found, strongest first. */

#include "sift/sift.h"

/* The bin of a response: the bits of the float, without the last ones. */
#define BIN_SHIFT 14
#define FIRST_BIN (111 << 9)

static int
bin_of (float response)
{
  return clamp ((as_int (response) >> BIN_SHIFT) - FIRST_BIN, 0, N_BINS - 1);
}

/* One work-group: counts how many points are in higher bins than each, and, if
 * there are more than capacity, which bin is the lowest to keep. counts is the
 * state, too: loads of it need not wait for stores to others. */
kernel void
sift_starts (int capacity, const global int *restrict counts,
    global int *restrict state)
{
  const int n = N_BINS / ALL_GROUP;
  int first = N_BINS - 1 - LOCAL_ID * n, found = counts[FOUND];
  SHARED int sums[ALL_GROUP];
  int sum = 0;

#pragma unroll 8
  for (int i = 0; i < n; i++)
    sum += counts[COUNTS + first - i];
  SUM_BEFORE (sums, sum);
#pragma unroll 8
  for (int i = 0; i < n; i++) {
    int bin = first - i, next = sum + counts[COUNTS + bin];

    state[STARTS + bin + 1] = sum;
    /* Only one bin is the first that does not fit. */
    if (sum <= capacity && next > capacity) {
      state[LOWEST] = bin + 1;
      state[DROPPED] = found - sum;
      state[LISTED] = 0;
    }
    sum = next;
  }
  if (LOCAL_ID == ALL_GROUP - 1)
    state[STARTS] = sum;
}

/* How many points are in the list now. */
static int
count_points (const global int *state)
{
  return state[FOUND] - state[DROPPED];
}

/* Work-item i puts point i into its bin: order gets its number. */
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

/* Whether point a comes before b: by response, then by place. */
static bool
is_before (const global int *a, const global int *b)
{
  /* Floats above 0 are in the order of their bits. */
  if (a[RESPONSE] != b[RESPONSE])
    return a[RESPONSE] > b[RESPONSE];
  for (int i = 0; i < 3; i++)
    if (a[i] != b[i])
      return a[i] < b[i];
  return a[3] < b[3];
}

/* Work-item i puts the point with number order[i] where it belongs among those
 * of its bin. */
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
