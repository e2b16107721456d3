/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Copies patches into the hole, and updates the values that depend on the copied pixels. */
#include "inpaint/front.h"

/* CROWD is the largest number of pixels on the fill front (the border of the hole) for which a
 * team of TEAM work-items computes the priority of each pixel after a patch was filled. It is 0
 * on CPUs. */
#if GROUP > 1
#define CROWD GROUP
#else
#define CROWD 0
#endif
#define TEAM 8

/* Data shared by the work-items of a work-group. */
typedef struct
{
  ulong keys[MAX_SLOTS * GROUP];
  uint state[MAX_SLOTS * STATE];        /* states of the slots, which contain the targets of the
                                         * work-group's lane for which sources are searched for */
  uint crowd[CROWD + 1], sums[CROWD + 1], steepest[CROWD + 1];
  uint n_crowd;
  int wanted[MAX_SLOTS];        /* targets for which source patches are searched for next, at
                                 * most one for each slot; -1 if there is none */
  int fresh[MAX_SLOTS];         /* indices of the slots whose targets need a search */
  int n_fresh;
  uint fits[8 * MAX_SLOTS];     /* costs of the source patches derived from neighboring pixels */
} Shared;

/* The functions get the index of their work-item as a parameter. PoCL 3.1 stores the result of a
 * get_local_id() inside a function in one variable, which all its threads share. */

/* Returns the smallest key of a work-group to all its work-items. */
static ulong
find_least (local ulong * keys, ulong key, int item)
{
  keys[item] = key;
  barrier (CLK_LOCAL_MEM_FENCE);
  FIND_FINALISTS (keys, item);
  key = LEAST_FINALIST (keys);
  barrier (CLK_LOCAL_MEM_FENCE);
  return key;
}

/* ---- Copies of patches, and updates of priorities ---------------------------- */

/* Fills the unknown pixels of the target patch around @target with copies from the source patch
 * around @source. The target patches in other slots do not overlap this target patch. */
static void
copy_patch (const Frame * f, int target, int source, uint confidence,
    local uint * filled, int item)
{
  int size = 2 * f->radius + 1, n = 0, i;
  int x = target % f->width - f->radius, y = target / f->width - f->radius;

  for (i = item; i < size * size; i += GROUP) {
    int u = x + i % size, v = y + i / size;
    int to = v * f->width + u, from = to - target + source;

    if (u < 0 || v < 0 || u >= f->width || v >= f->height || !f->unknown[to])
      continue;
    f->work[to] = f->work[from];
#if LANES == 16
    f->work[f->plane + to] = f->work[f->plane + from];
    f->work[2 * f->plane + to] = f->work[2 * f->plane + from];
#endif
    f->grey[to] = f->grey[from];
    f->confidence[to] = confidence;
    f->origin[to] = from;
    f->filler[to] = target;
    f->unknown[to] = 0;
    n++;
  }
  if (n > 0)
    atomic_add (filled, (uint) n);
}

/* Computes the priority of pixel (x, y). Alternatively appends the pixel to the list @crowd, for
 * which teams of work-items compute the priorities. */
static void
renew_priority (const Frame * f, int x, int y, local Shared * shared)
{
#if CROWD > 0
  uint place;

  if (is_front (f, x, y)) {
    place = atomic_inc (&shared->n_crowd);
    if (place < CROWD) {
      shared->crowd[place] = (uint) (y * f->width + x);
      shared->sums[place] = 0;
      shared->steepest[place] = 0;
      return;
    }
  }
#endif
  update_priority (f, x, y);
}

/* Updates the values that change when the patch around @target is filled:
 * - the gradients next to the patch
 * - the priorities of pixels whose patches contain these gradients
 * - the keys of the segments of these pixels (see inpaint/front.h) */
static void
renew (const Frame * f, int target, int4 lane, global ulong * segments,
    local Shared * shared, int item)
{
  int x = target % f->width, y = target / f->width, i, columns, n;
  int4 around = find_square (f, x, y, f->radius + 1);

  columns = around.s2 - around.s0;
  n = target < 0 ? 0 : columns * (around.s3 - around.s1);
  for (i = item; i < n; i += GROUP) {
    int u = around.s0 + i % columns, v = around.s1 + i / columns;

    f->gradient[v * f->width + u] = find_length (f, u, v);
  }
  if (item == 0)
    shared->n_crowd = 0;
  barrier (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);

  around = find_square (f, x, y, 2 * f->radius + 1);
  around.s01 = max (around.s01, lane.s01);
  around.s23 = min (around.s23, lane.s23);
  columns = around.s2 - around.s0;
  n = target < 0 ? 0 : columns * (around.s3 - around.s1);
  for (i = item; i < n; i += GROUP)
    renew_priority (f, around.s0 + i % columns, around.s1 + i / columns,
        shared);
  barrier (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
#if CROWD > 0
  n = (int) min (shared->n_crowd, (uint) CROWD);
  for (i = item; i < n * TEAM; i += GROUP) {
    int place = i / TEAM, at = (int) shared->crowd[place];
    uint confidence, steepest;

    look_at_rows (f, at % f->width, at / f->width, i % TEAM, TEAM, &confidence,
        &steepest);
    atomic_add (&shared->sums[place], confidence);
    atomic_max (&shared->steepest[place], steepest);
  }
  barrier (CLK_LOCAL_MEM_FENCE);
  if (item < n) {
    int at = (int) shared->crowd[item];

    x = at % f->width;
    y = at / f->width;
    f->priority[at] = find_priority (f, x, y, shared->sums[item],
        find_area (f, x, y), shared->steepest[item]);
  }
  barrier (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
#endif

  columns = (around.s2 - lane.s0 + SEGMENT - 1) / SEGMENT;
  columns -= (around.s0 - lane.s0) / SEGMENT;
  n = target < 0 ? 0 : columns * (around.s3 - around.s1);
  for (i = item; i < n; i += GROUP)
    update_segment (f, lane, segments, (around.s0 - lane.s0) / SEGMENT
        + i % columns, around.s1 + i / columns);
  barrier (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}
