/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Lists the quads (quadrilaterals that may be borders of tags) that pass the border test. */

/* Number of work-items that make a list, a power of two */
#ifndef SCAN
#define SCAN 1
#endif
#undef GROUP
#define GROUP SCAN

#include "tags/tags.h"

/* Lists the quads that pass the test of the border, in the order of candidates, in a single
 * work-group. */
kernel __attribute__ ((reqd_work_group_size (SCAN, 1, 1)))
void
tags_list (int most, const global int *restrict listed,
    const global TagsQuad * restrict quads, global int *restrict list,
    global int *restrict state)
{
  int n = listed[COMPONENTS_LISTED], each = (n + SCAN - 1) / SCAN;
  int first = min (LOCAL_ID * each, n), end = min (first + each, n);
  int at = 0, all;
  SHARED int sums[SCAN];

  for (int i = first; i < end; i++)
    at += quads[i].is_quad == 2;
  all = sum_before (sums, &at);
  for (int i = first; i < end; i++)
    if (quads[i].is_quad == 2) {
      if (at < most)
        list[at] = i;
      at++;
    }
  if (LOCAL_ID == 0) {
    state[TAGS_N_QUADS] = min (all, most);
    state[TAGS_DROPPED_QUADS] = max (all - most, 0);
  }
}
