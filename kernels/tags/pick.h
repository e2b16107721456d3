/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Finds the quads (quadrilaterals) in which tags were read, and writes the header of the
 * results. */
#ifndef PICK_H
#define PICK_H

#include "tags/tags.h"

/* Data that the work-items of a group share while they search for a tag */
typedef struct
{
  int sums[GROUP];
  int picked;
} Pick;

#if GROUP > 1
/* Finds tag number @number, in the order of the quads. Returns: the number of all tags */
static __attribute__ ((always_inline)) int
pick_tag (const global TagsRead * reads, int n, int number, SHARED Pick * pick)
{
  int each = (n + GROUP - 1) / GROUP, first = min (LOCAL_ID * each, n);
  int end = min (first + each, n), at = 0, all;

  for (int i = first; i < end; i++)
    at += reads[i].family >= 0;
  if (LOCAL_ID == 0)
    pick->picked = 0;
  all = sum_before (pick->sums, &at);
  for (int i = first; i < end; i++)
    if (reads[i].family >= 0) {
      if (at == number)
        pick->picked = i;
      at++;
    }
  SYNC
  return all;
}
#endif

static void
write_header (global TagsHeader * header, const global int *listed,
    const global int *state, int n_tags)
{
  header->n_tags = min (n_tags, TAGS_MAX_TAGS);
  header->n_quads = state[TAGS_N_QUADS];
  header->n_candidates = listed[COMPONENTS_LISTED];
  header->n_points = listed[COMPONENTS_CRACKS];
  header->dropped_candidates = listed[COMPONENTS_DROPPED];
  header->dropped_quads = state[TAGS_DROPPED_QUADS];
  header->dropped_tags = max (n_tags - TAGS_MAX_TAGS, 0);
  header->reserved = 0;
}

#endif
