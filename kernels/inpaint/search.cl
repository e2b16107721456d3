/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Finds the source patch that is most like the known part of a target patch. */
#define ENTRY_SPACE local
#define GROUP SEARCH_GROUP
#include "inpaint/compare.h"

/* Returns the cost above which a source patch cannot be the best any more. The
 * value falls while work-items search; a work-item that reads an outdated value
 * takes longer, but gets the same result. */
static uint
read_bound (volatile global uint * state)
{
  return atomic_min (&state[BOUND], WORST);
}

/* Tells whether a slot has a target patch whose source patch is not found
 * yet. */
static int
is_searched (global const uint * states, int slot)
{
  return ((int) states[STATE * slot + TARGET] >= 0)
      & ((int) states[STATE * slot + SOURCE] < 0);
}

/* Searches source patches for the target patches in all slots that need one;
 * the work-groups are distributed over these slots. The array parts has room
 * for max_parts matches of each slot, and gets the best match that each
 * work-group of the slot found; the state of the slot gets the number of its
 * work-groups. The parameter early tells whether to stop the comparison of
 * source patches that cannot be the best any more. The array copy has room for
 * a patch on graphics cards. */
kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1))) void
inpaint_search (global const word * work, int plane,
    global const uchar * sources, global const int4 * windows,
    global const uint4 * entries, global uint * states, int n_slots,
    global ulong2 * parts, int max_parts, int width, int height, int radius,
    int early, local uint4 * copy)
{
  int group = get_group_id (0), n_groups = get_num_groups (0);
  int n_searched = 0, turn, slot = 0, part, n_parts, count, i, n;
  int4 window = (int4) (0);
  volatile global uint *state;
  ulong2 best = NO_MATCH;
  int2 target = (int2) (0);
  uint bound = WORST - 1;
#if LANES != 16
  local ulong keys[GROUP];
  local uint limit, first;
  int item = get_local_id (0), columns;
#else
  int y, end;
#endif

  for (i = 0; i < n_slots; i++)
    n_searched += is_searched (states, i);
  turn = group % max (n_searched, 1);
  part = group / max (n_searched, 1);
  n_parts = (n_groups - turn + n_searched - 1) / max (n_searched, 1);
  for (i = n_slots - 1, n = n_searched; i >= 0; i--) {
    n -= is_searched (states, i);
    slot = n == turn && is_searched (states, i) ? i : slot;
  }
  state = states + STATE * slot;
  count = n_searched > 0 ? (int) state[COUNT] : 0;
  if (n_searched > 0) {
    window = windows[state[OBJECT] - 1];
    target = (int2) ((int) state[TARGET] % width, (int) state[TARGET] / width);
  }
  /* Limits the window to centres of patches that lie in the frame. */
  window.s0 = max (window.s0, radius);
  window.s1 = max (window.s1, radius);
  window.s2 = min (window.s2, width - radius);
  window.s3 = min (window.s3, height - radius);
  entries += MAX_PATCH_AREA * slot;
  parts += max_parts * slot;

#if LANES == 16
  y = window.s1 + max (window.s3 - window.s1, 0) * part / n_parts;
  end = window.s1 + max (window.s3 - window.s1, 0) * (part + 1) / n_parts;
  for (; y < end; y++) {
    int x;

    if (early)
      bound = min (bound, read_bound (state));
    for (x = window.s0; x < window.s2; x += WIDE) {
      ulong2 match = compare (work, plane, sources, entries, count,
          y * width + x, window.s2 - x, bound, x - target.x, y - target.y);

      if (!is_better (match, best))
        continue;
      best = match;
      if (early) {
        bound = (uint) (match.x >> 32);
        atomic_min (&state[BOUND], bound);
      }
    }
  }
  parts[part] = best;
  if (part == 0)
    state[PARTS] = (uint) n_parts;
#else
  for (i = item; i < count; i += GROUP)
    copy[i] = entries[i];
  columns = max (window.s2 - window.s0, 0);
  n = columns * max (window.s3 - window.s1, 0);
  i = part * GROUP + item;
  /* One work-item reads the bound for its work-group: atomics on the same word
   * wait for each other. */
  if (item == 0)
    limit = early && i < n ? min (bound, read_bound (state)) : bound;
  barrier (CLK_LOCAL_MEM_FENCE);
  bound = limit;
  for (; i < n; i += n_parts * GROUP) {
    int x = window.s0 + i % columns, y = window.s1 + i / columns;
    uint cost;
    ulong2 match;

    if (!sources[y * width + x])
      continue;
    cost = compare (work, copy, count, y * width + x, bound);
    match = (ulong2) (KEY (cost, x - target.x, y - target.y), y * width + x);
    best = cost < WORST && is_better (match, best) ? match : best;
    if (early)
      bound = min (bound, (uint) (best.x >> 32));
  }
  keys[item] = best.x;
  if (item == 0)
    first = ~0u;
  barrier (CLK_LOCAL_MEM_FENCE);
  FIND_FINALISTS (keys, item);
  if (best.x == LEAST_FINALIST (keys))
    atomic_min (&first, (uint) best.y);
  barrier (CLK_LOCAL_MEM_FENCE);
  if (item == 0) {
    best = (ulong2) (LEAST_FINALIST (keys), first);
    parts[part] = best;
    if (part == 0)
      state[PARTS] = (uint) n_parts;
    if (early && best.x < NO_KEY)
      atomic_min (&state[BOUND], (uint) (best.x >> 32));
  }
#endif
}
