/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Sorts the points, strongest first, and assigns positions in the table of keypoints. */

/* Size of the single work-group that processes all bins, or all points. It is a power of two. */
#ifdef ALL_GROUP
#define GROUP ALL_GROUP
#endif

#include "sift/sift.h"

/* Counts the points in higher bins for each bin of responses (see sift/sift.h), in a single
 * work-group. If there are more points than @capacity, also finds the lowest bin whose points
 * are kept. @counts is the same buffer as @state: with a second, read-only argument, the
 * compiler may move loads from it before stores to @state. */
kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1)))
void
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
  SUM_BEFORE (int, sums, sum);
#pragma unroll 8
  for (int i = 0; i < n; i++) {
    int bin = first - i, next = sum + counts[COUNTS + bin];

    state[STARTS + bin + 1] = sum;
    /* If the points do not fit, writes the result in a single work-item: the one whose bin makes
     * the number of points, in this bin and all higher bins, exceed the capacity. */
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

/* Returns true if point @a comes before point @b. Points are ordered by response, then by
 * octave, layer, row and column. */
static bool
is_before (const global int *a, const global int *b)
{
  /* Compares the bits as integers. This is correct because responses are positive floats, whose
   * order is the order of their bits. */
  if (a[RESPONSE] != b[RESPONSE])
    return a[RESPONSE] > b[RESPONSE];
  for (int i = 0; i < 3; i++)
    if (a[i] != b[i])
      return a[i] < b[i];
  return a[3] < b[3];
}

/* Copies point order[i] to its sorted position in its bin, in work-item i. */
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

/* Finds the grid cell that contains sorted point i, in work-item i; positions are rounded to
 * whole pixels of the frame. @grid is the number of cells along the longer edge of the frame,
 * which has @longer pixels. */
kernel void
sift_cells (const global int *restrict sorted,
    const global int *restrict state, int upsample, int grid, int longer,
    global int *restrict cells)
{
  int i = get_global_id (0);

  if (i < count_points (state)) {
    const global int *point = sorted + POINT * i;
    int x = (point[3] << point[0]) >> upsample;
    int y = (point[2] << point[0]) >> upsample;

    cells[i] = y * grid / longer << 8 | x * grid / longer;
  }
}

/* Computes the rank of point i, in work-item i: the number of stronger points in the same cell. */
kernel void
sift_rank (const global int *restrict cells, const global int *restrict state,
    global int *restrict ranks)
{
  int i = get_global_id (0);

  if (i < count_points (state)) {
    int cell = cells[i], rank = 0;

    for (int j = 0; j < i; j++)
      rank += cells[j] == cell;
    ranks[i] = rank;
  }
}

/* Copies point i of the array @sorted, in work-item i, to its position in the order by rank and
 * strength. */
kernel void
sift_spread (const global int *restrict sorted,
    const global int *restrict state, const global int *restrict ranks,
    global int *restrict points)
{
  int i = get_global_id (0), n = count_points (state);

  if (i < n) {
    int rank = ranks[i], to = 0;

    for (int j = 0; j < n; j++)
      to += ranks[j] < rank + (j < i);
    for (int k = 0; k < POINT; k++)
      points[POINT * to + k] = sorted[POINT * i + k];
  }
}

/* Assigns a position in the table of keypoints to each direction of each point, in a single
 * work-group.
 * @places: written; for each position, the index of the point * MAX_DIRECTIONS + the index of
 *   the direction
 * @full: 1 if directions that do not fit into the table count as dropped
 * @report: written; the number of keypoints and the number of dropped directions */
kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1)))
void
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
  SUM_BEFORE (int, sums, sum);
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
