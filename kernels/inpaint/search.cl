/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Finds the source patch that is most similar to the known part of a target patch. */
#define ENTRY_SPACE local
#define GROUP SEARCH_GROUP
#include "inpaint/compare.h"

/* Returns the cost above which a source patch can no longer be the best. The value decreases
 * while work-items search. A work-item that reads an outdated value takes longer, but gets the
 * same result. */
static uint
read_bound (volatile global uint * state)
{
  return atomic_min (&state[BOUND], WORST);
}

/* Returns 1 if a slot has a target patch whose source patch has not been found yet. */
static int
is_searched (global const uint * states, int slot)
{
  return ((int) states[STATE * slot + TARGET] >= 0)
      & ((int) states[STATE * slot + SOURCE] < 0);
}

/* Returns slot number @turn, starting at 0, of the slots with a target patch whose source patch
 * has not been found yet; 0 if there is none. */
static int
find_slot (global const uint * states, int n_slots, int n_searched, int turn)
{
  int slot = 0;

  for (int i = n_slots - 1; i >= 0; i--) {
    n_searched -= is_searched (states, i);
    slot = n_searched == turn && is_searched (states, i) ? i : slot;
  }
  return slot;
}

/* Determines the work of a work-group. The work-groups are distributed over the slots that are
 * searched. Returns the number of these slots.
 * @slot: written, the slot that this work-group searches
 * @part: written, the index of the part of the search for this work-group
 * @n_parts: written, the number of parts into which the search of this slot is divided */
static int
find_part (global const uint * states, int n_slots, int *slot, int *part,
    int *n_parts)
{
  int group = get_group_id (0), n_searched = 0, turn;

  for (int i = 0; i < n_slots; i++)
    n_searched += is_searched (states, i);
  turn = group % max (n_searched, 1);
  *part = group / max (n_searched, 1);
  *n_parts = ((int) get_num_groups (0) - turn + n_searched - 1)
      / max (n_searched, 1);
  *slot = find_slot (states, n_slots, n_searched, turn);
  return n_searched;
}

#if LANES == 16
/* Searches all rows of a window for the source patch that is most similar to the target patch.
 * If @early is set, all work-items share the cost of the best patch so far, in @state, and stop
 * comparing a patch as soon as its cost is higher. */
static ulong2
search_rows (global const word * work, int plane,
    global const uchar * sources, int4 window, global const uint4 * entries,
    int count, int2 target, int width, int early, volatile global uint * state)
{
  ulong2 best = NO_MATCH;
  uint bound = WORST - 1;

  for (int y = window.s1; y < window.s3; y++) {
    if (early)
      bound = min (bound, read_bound (state));
    for (int x = window.s0; x < window.s2; x += WIDE) {
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
  return best;
}
#endif

/* Searches for the source patches of the target patches in all slots that need one. The work-groups
 * are distributed over these slots.
 * @early: 1 if the comparison of a source patch stops as soon as it can no longer be the best
 * @states: the state of a slot is read, and the number of its work-groups is written to it
 * @parts: written, max_parts elements for each slot: the best match of each of its work-groups
 * @copy: scratch memory for a patch on GPUs */
kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1))) void
inpaint_search (global const word * work, int plane,
    global const uchar * sources, global const int4 * windows,
    global const uint4 * entries, global uint * states, int n_slots,
    global ulong2 * parts, int max_parts, int width, int height, int radius,
    int early, local uint4 * copy)
{
  int slot, part, n_parts, count;
  int n_searched = find_part (states, n_slots, &slot, &part, &n_parts);
  int4 window = (int4) (0);
  volatile global uint *state;
  int2 target = (int2) (0);
#if LANES == 16
  int n_rows;
#else
  ulong2 best;
  uint bound = WORST - 1;
  local ulong keys[GROUP];
  local uint limit, index;
  int item = get_local_id (0), i, n;
#endif

  state = states + STATE * slot;
  count = n_searched > 0 ? (int) state[COUNT] : 0;
  if (n_searched > 0) {
    window = windows[state[OBJECT] - 1];
    target = (int2) ((int) state[TARGET] % width, (int) state[TARGET] / width);
  }
  window = limit_window (window, width, height, radius);
  entries += MAX_PATCH_AREA * slot;
  parts += max_parts * slot;

#if LANES == 16
  n_rows = max (window.s3 - window.s1, 0);
  window.s3 = window.s1 + n_rows * (part + 1) / n_parts;
  window.s1 += n_rows * part / n_parts;
  parts[part] = search_rows (work, plane, sources, window, entries, count,
      target, width, early, state);
  if (part == 0)
    state[PARTS] = (uint) n_parts;
#else
  for (i = item; i < count; i += GROUP)
    copy[i] = entries[i];
  n = max (window.s2 - window.s0, 0) * max (window.s3 - window.s1, 0);
  i = part * GROUP + item;
  /* Only one work-item reads the bound for its work-group, because atomic operations on the same
   * word wait for each other. */
  if (item == 0)
    limit = early && i < n ? min (bound, read_bound (state)) : bound;
  barrier (CLK_LOCAL_MEM_FENCE);
  best = search_pixels (work, sources, window, copy, count, target, width,
      early, limit, i, n_parts * GROUP);
  best = find_best (best, keys, &index, item);
  if (item == 0) {
    parts[part] = best;
    if (part == 0)
      state[PARTS] = (uint) n_parts;
    if (early && best.x < NO_KEY)
      atomic_min (&state[BOUND], (uint) (best.x >> 32));
  }
#endif
}
