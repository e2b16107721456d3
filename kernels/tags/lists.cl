/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Lists the quads that pass the test of the border, and later the tags. */
#include "tags/tags.h"

/* Number of work-items that make a list, a power of two */
#ifndef SCAN
#define SCAN 1
#endif

/* Replaces @sum by its total in all preceding work-items of the group. Returns: the total of all */
static __attribute__ ((always_inline)) int
sum_before (local int *sums, int *sum)
{
#if SCAN == 1
  int all = *sum;

  *sum = 0;
  return all;
#else
  int id = get_local_id (0), own = *sum;

  sums[id] = own;
  barrier (CLK_LOCAL_MEM_FENCE);
  for (int step = 1; step < SCAN; step *= 2) {
    int before = id >= step ? sums[id - step] : 0;

    barrier (CLK_LOCAL_MEM_FENCE);
    sums[id] += before;
    barrier (CLK_LOCAL_MEM_FENCE);
  }
  *sum = sums[id] - own;
  return sums[SCAN - 1];
#endif
}

/* Lists the quads that pass, in the order of candidates, in a single work-group. */
kernel __attribute__ ((reqd_work_group_size (SCAN, 1, 1)))
void
tags_list (int most, const global int *restrict listed,
    const global TagsQuad * restrict quads, global int *restrict list,
    global int *restrict state)
{
  int n = listed[COMPONENTS_LISTED], each = (n + SCAN - 1) / SCAN;
  int id = SCAN == 1 ? 0 : get_local_id (0);
  int first = min (id * each, n), end = min (first + each, n), at = 0, all;
  local int sums[SCAN];

  for (int i = first; i < end; i++)
    at += quads[i].is_quad == 2;
  all = sum_before (sums, &at);
  for (int i = first; i < end; i++)
    if (quads[i].is_quad == 2) {
      if (at < most)
        list[at] = i;
      at++;
    }
  if (id == 0) {
    state[TAGS_N_QUADS] = min (all, most);
    state[TAGS_DROPPED_QUADS] = max (all - most, 0);
  }
}

/* Lists the quads in which a tag was read, and writes the header of the results. */
kernel __attribute__ ((reqd_work_group_size (SCAN, 1, 1)))
void
tags_pick (const global int *restrict listed,
    const global TagsRead * restrict reads, global int *restrict list,
    global int *restrict state, global uchar * restrict result)
{
  int n = state[TAGS_N_QUADS], each = (n + SCAN - 1) / SCAN;
  int id = SCAN == 1 ? 0 : get_local_id (0);
  int first = min (id * each, n), end = min (first + each, n), at = 0, all;
  local int sums[SCAN];

  for (int i = first; i < end; i++)
    at += reads[i].family >= 0;
  all = sum_before (sums, &at);
  for (int i = first; i < end; i++)
    if (reads[i].family >= 0) {
      if (at < TAGS_MAX_TAGS)
        list[at] = i;
      at++;
    }
  if (id == 0) {
    global TagsHeader *header = (global TagsHeader *) result;

    state[TAGS_N_TAGS] = min (all, TAGS_MAX_TAGS);
    header->n_tags = min (all, TAGS_MAX_TAGS);
    header->n_quads = n;
    header->n_candidates = listed[COMPONENTS_LISTED];
    header->n_points = listed[COMPONENTS_CRACKS];
    header->dropped_candidates = listed[COMPONENTS_DROPPED];
    header->dropped_quads = state[TAGS_DROPPED_QUADS];
    header->dropped_tags = max (all - TAGS_MAX_TAGS, 0);
    header->reserved = 0;
  }
}
