/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests the borders of quads, and lists those that pass, and later the tags. */
#include "tags/tags.h"

/* Number of work-items that make a list, a power of two */
#ifndef SCAN
#define SCAN 1
#endif

/* Returns whether the cells inside of the border of a quad differ from those outside. @n: cells
 * from edge to edge of the border; @sign: 1 if the cells outside are brighter, -1 if they are darker */
static bool
has_border (Frame frame, const Homography * h, int ox, int oy, int n, int sign)
{
  float step = reciprocal (convert_float_rte (n));
  int differences[4 * TAGS_MAX_WIDTH], mean = 0, good = 0;

  for (int i = 0; i < 4 * n; i++) {
    int side = i / n;
    float along = (convert_float_rte (i % n) + 0.5f) * step - 0.5f;
    int values[2];

    for (int k = 0; k < 2; k++) {
      float across = k == 0 ? 0.5f - 0.5f * step : 0.5f + 0.5f * step;
      float u = side == 0 || side == 2 ? along : side == 1 ? across : -across;
      float v = side == 1 || side == 3 ? along : side == 2 ? across : -across;
      float2 p = project (h, u, v);

      values[k] = sample_at (frame, place_sample (p.x, ox),
          place_sample (p.y, oy));
    }
    differences[i] = (values[1] - values[0]) * sign;
    mean += differences[i];
  }
  /* A pair counts from a quarter of the mean difference on. */
  for (int i = 0; i < 4 * n; i++)
    good += differences[i] > 0 && 16L * n * differences[i] >= mean;
  return mean > 0 && 10 * good >= 7 * 4 * n;
}

/* Tests the quad of each candidate. @borders: for each width, its cells and for black and for white
 * borders whether a family has it */
kernel void
tags_border (const global uchar * restrict pixels, int offset, int stride,
    int width, int height, const global int *restrict borders, int n_borders,
    const global int *restrict listed, global TagsQuad * restrict quads)
{
  const Frame frame = { pixels + offset, stride, width, height };
  int i = get_global_id (0), ox, oy;
  bool ok = false;
  float2 q[4];
  Homography h;

  if (i >= listed[COMPONENTS_LISTED] || quads[i].is_quad == 0)
    return;
  load_corners (quads[i].corners, q, &ox, &oy);
  h = find_homography (q);
  for (int k = 0; k < n_borders; k++)
    if (!ok && borders[3 * k + 1 + quads[i].is_white])
      ok = has_border (frame, &h, ox, oy, borders[3 * k],
          quads[i].is_white ? -1 : 1);
  quads[i].is_quad = ok ? 2 : 1;
}

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
