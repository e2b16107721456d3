/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* The source patch that is most like the known part of a target's patch. */
#include "inpaint-compare.cl"

/* The limit beyond which a patch cannot be the best any more; changes while all
 * work-items look, and only speeds them up. */
static uint
read_bound (volatile __global uint * state)
{
  return atomic_min (&state[BOUND], WORST);
}

/* Each work-group takes a part of the rows of the target's window, on graphics
 * cards GROUP columns of them. Slot get_group_id (1), when it has a target without a
 * source. parts: of each slot, the key of the best source of each work-group.
 * early: whether sources are given up that cannot be the best. */
__kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1))) void
inpaint_search (__global const word * work, int plane,
    __global const uchar * sources, __global const int4 * windows,
    __global const uint4 * entries, __global uint * states,
    __global ulong * parts, int width, int height, int radius, int early)
{
  int slot = get_group_id (1), part = get_group_id (0);
  int n_parts = get_num_groups (0);
  volatile __global uint *state = states + STATE * slot;
  int is_searched = (int) state[TARGET] >= 0 && (int) state[SOURCE] < 0;
  int count = (int) state[COUNT], y, end;
  int4 window = is_searched ? windows[state[OBJECT] - 1] : (int4) (0);
  ulong best = KEY (WORST, 0);
  uint bound = WORST - 1;
#if LANES != 16
  __local ulong keys[GROUP];
  __local uint limit;
  int item = get_local_id (0), columns, strips, strip, x, n;
#endif

  /* A patch has to lie in the frame. */
  window.s0 = max (window.s0, radius);
  window.s1 = max (window.s1, radius);
  window.s2 = min (window.s2, width - radius);
  window.s3 = min (window.s3, height - radius);
  entries += MAX_PATCH * slot;

#if LANES == 16
  y = window.s1 + max (window.s3 - window.s1, 0) * part / n_parts;
  end = window.s1 + max (window.s3 - window.s1, 0) * (part + 1) / n_parts;
  for (; y < end; y++) {
    int x;

    if (early)
      bound = min (bound, read_bound (state));
    for (x = window.s0; x < window.s2; x += WIDE) {
      ulong key = compare (work, plane, sources, entries, count,
          y * width + x, window.s2 - x, bound);

      if (key >= best)
        continue;
      best = key;
      if (early) {
        bound = (uint) (key >> 32);
        atomic_min (&state[BOUND], bound);
      }
    }
  }
  parts[n_parts * slot + part] = best;
#else
  columns = max (window.s2 - window.s0 + GROUP - 1, 0) / GROUP;
  strips = n_parts / max (columns, 1);
  strip = columns > 0 ? part / columns : strips;
  x = window.s0 + part % max (columns, 1) * GROUP + item;
  y = window.s1;
  end = y;
  if (strip < strips && x < window.s2) {
    y += max (window.s3 - window.s1, 0) * strip / strips;
    end += max (window.s3 - window.s1, 0) * (strip + 1) / strips;
  }
  /* One for all: atomics on the same number wait for each other. */
  if (item == 0)
    limit = early && end > y ? min (bound, read_bound (state)) : bound;
  barrier (CLK_LOCAL_MEM_FENCE);
  bound = limit;
  for (; y < end; y++) {
    int i = y * width + x;

    if (!sources[i])
      continue;
    best = min (best, compare (work, entries, count, i, bound));
    if (early)
      bound = min (bound, (uint) (best >> 32));
  }
  keys[item] = best;
  barrier (CLK_LOCAL_MEM_FENCE);
  for (n = GROUP / 2; n > 0; n /= 2) {
    if (item < n)
      keys[item] = min (keys[item], keys[item + n]);
    barrier (CLK_LOCAL_MEM_FENCE);
  }
  if (item == 0) {
    parts[n_parts * slot + part] = keys[0];
    if (early && keys[0] < KEY (WORST, 0))
      atomic_min (&state[BOUND], (uint) (keys[0] >> 32));
  }
#endif
}
