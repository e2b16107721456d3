/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Between two searches: patches whose sources are known are filled in the order
 * of their priorities, and the next ones to look for are chosen.
 *
 * A source that was found stays the best one as long as no pixel of its target's
 * patch is filled: what it is compared with, and the sources, stay as they are.
 * So a lane has slots for several targets, which are searched at the same time
 * and filled when it is their turn; a slot is given up when a fill touches its
 * patch. */
#include "inpaint-fill.cl"

/* ---- Targets ------------------------------------------------------------------- */

/* The first pixel of highest priority whose patch meets none of those around n
 * others, or -1. All work-items get it. */
static int
find_target (const Frame * f, int4 lane, __global const ulong * segments,
    __local Shared * shared, int n, int item)
{
  int n_segments = count_segments (lane) * (lane.s3 - lane.s1), i, k;
  ulong best = ~(ulong) 0;

  for (i = item; i < n_segments; i += GROUP) {
    ulong key = segments[i];

    if (key >= best)
      continue;
    for (k = 0; k < n; k++)
      if (shared->wanted[k] >= 0
          && is_near (f, (int) (uint) key, shared->wanted[k], 2 * f->radius))
        break;
    best = k == n ? key : best;
  }
  best = find_least (shared->keys, best, item);
  return NO_TARGET (best) ? -1 : (int) (uint) best;
}

static int
find_slot (__local const Shared * shared, int n_slots, int target)
{
  int s, slot = -1;

  for (s = 0; s < n_slots; s++)
    slot = target >= 0 && shared->targets[s] == target ? s : slot;
  return slot;
}

/* Slots of targets that are not wanted become those of others that are; one
 * work-item. */
static void
assign_slots (__local Shared * shared, int n_slots, volatile __global uint * state,
    __global const int *object)
{
  int s, k;

  for (s = 0; s < n_slots; s++) {
    for (k = 0; k < n_slots; k++)
      if (shared->wanted[k] == shared->targets[s])
        break;
    if (k < n_slots)
      shared->wanted[k] = -1;
    else
      shared->targets[s] = -1;
    shared->fresh[s] = 0;
  }
  for (s = 0; s < n_slots; s++) {
    for (k = 0; k < n_slots && shared->targets[s] < 0; k++) {
      shared->targets[s] = shared->wanted[k];
      shared->fresh[s] = shared->wanted[k] >= 0;
      shared->wanted[k] = -1;
    }
    shared->counts[s] = shared->confidences[s] = 0;
    state[STATE * s + TARGET] = (uint) shared->targets[s];
    if (shared->fresh[s]) {
      state[STATE * s + OBJECT] = object[shared->targets[s]];
      state[STATE * s + BOUND] = WORST;
      state[STATE * s + SOURCE] = (uint) -1;
    }
  }
}

/* Lists the known pixels of the patch of a slot. Their order is of no account. */
static void
list_patch (const Frame * f, __local Shared * shared, int slot,
    __global uint4 * entries, int item)
{
  int size = 2 * f->radius + 1, i, target = shared->targets[slot];
  int x = target % f->width - f->radius, y = target / f->width - f->radius;
  int n = shared->fresh[slot] ? size * size : 0;

  entries += MAX_PATCH * slot;
  for (i = item; i < n; i += GROUP) {
    int u = x + i % size, v = y + i / size, at = v * f->width + u;
    uint4 entry;

    if (!is_known (f, u, v))
      continue;
    entry.x = (uint) (at - target);
#if LANES == 16
    entry.y = as_uint (f->work[at]);
    entry.z = as_uint (f->work[f->plane + at]);
    entry.w = as_uint (f->work[2 * f->plane + at]);
#else
    entry.y = entry.z = entry.w = f->work[at];
#endif
    entries[atomic_inc (&shared->counts[slot])] = entry;
    atomic_add (&shared->confidences[slot], f->confidence[at]);
  }
}

/* How well the source fits that lies where the neighbour's is from: a part of
 * the sum, of every stepth pixel from first on. WORST from first 0 when there is
 * none. */
static uint
try_neighbour (const Frame * f, int target, int dx, int dy,
    __global const uchar * sources, int4 window, __global const uint4 * entries,
    int count, int first, int step)
{
  int u = target % f->width + dx, v = target / f->width + dy;
  int from = u >= 0 && v >= 0 && u < f->width && v < f->height
      ? f->origin[v * f->width + u] : -1;
  int x = from % f->width - dx, y = from / f->width - dy;
  int source = y * f->width + x, k;
  uint sum = 0;

  if (from < 0 || x < window.s0 || x >= window.s2 || y < window.s1
      || y >= window.s3 || !sources[source])
    return first == 0 ? WORST : 0;
  for (k = first; k < count; k += step) {
    int at = source + (int) entries[k].x, to = target + (int) entries[k].x, c;

    for (c = 0; c < 3; c++) {
      int d = (int) COLOUR (f->work, f->plane, at, c)
          - (int) COLOUR (f->work, f->plane, to, c);

      sum += (uint) (d * d);
    }
  }
  return sum;
}

/* Gives the searches of new slots a limit. */
static void
find_bounds (const Frame * f, __local Shared * shared, int n_slots,
    volatile __global uint * state, __global const uchar * sources,
    __global const int4 * windows, __global const uint4 * entries, int item)
{
  int team = max (GROUP / (8 * n_slots), 1), i;

  for (i = item; i < 8 * n_slots; i += GROUP)
    shared->fits[i] = 0;
  barrier (CLK_LOCAL_MEM_FENCE);
  for (i = item; i < 8 * n_slots * team; i += GROUP) {
    int pair = i / team, slot = pair / 8;
    int place = pair % 8 < 4 ? pair % 8 : pair % 8 + 1;

    if (shared->fresh[slot])
      atomic_add (&shared->fits[pair], try_neighbour (f, shared->targets[slot],
              place % 3 - 1, place / 3 - 1, sources,
              windows[state[STATE * slot + OBJECT] - 1],
              entries + MAX_PATCH * slot, (int) shared->counts[slot], i % team,
              team));
  }
  barrier (CLK_LOCAL_MEM_FENCE);
  for (i = item; i < 8 * n_slots; i += GROUP)
    if (shared->fresh[i / 8])
      atomic_min (&state[STATE * (i / 8) + BOUND], shared->fits[i]);
}

/* ---- Kernels --------------------------------------------------------------------- */

/* A work-group for each lane. parts: of each slot, the keys of the best sources
 * that its n_parts work-groups found. seeded: whether searches begin with a
 * limit. */
__kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1))) void
inpaint_step (FRAME_ARGUMENTS, __global const uchar * sources,
    __global const int *object, __global const int4 * lanes,
    __global const int4 * windows, __global uint4 * entries,
    __global uint * states, __global const ulong * parts, int n_parts,
    int n_slots, int seeded, __global ulong * segments)
{
  Frame f = FRAME;
  __local Shared place[1];
  /* As far as compilers know it is somewhere. When PoCL 3.1 sees which variable a
   * function gets that it does not inline, all of its threads get the same. */
  __local Shared *shared = place + (n_slots > MAX_SLOTS);
  int lane = get_group_id (0), item = get_local_id (0), i, s, n;
  volatile __global uint *state = states + STATE * n_slots * lane;
  int4 box = lanes[lane];

  segments += state[SEGMENTS];
  entries += MAX_PATCH * n_slots * lane;
  parts += n_parts * n_slots * lane;

  for (s = 0; s < n_slots; s++) {
    int target = (int) state[STATE * s + TARGET];
    int is_searched = target >= 0 && (int) state[STATE * s + SOURCE] < 0;
    ulong key = ~(ulong) 0;

    for (i = item; i < n_parts && is_searched; i += GROUP)
      key = min (key, parts[n_parts * s + i]);
    key = find_least (shared->keys, key, item);
    if (item == 0 && is_searched)
      state[STATE * s + SOURCE] = (uint) key;
    if (item == 0)
      shared->targets[s] = target;
  }
  barrier (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);

  for (n = 0; n < n_slots; n++) {
    int target = find_target (&f, box, segments, shared, 0, item);
    int slot = find_slot (shared, n_slots, target);

    barrier (CLK_LOCAL_MEM_FENCE);
    target = slot < 0 ? -1 : target;
    if (slot >= 0)
      copy_patch (&f, target, (int) state[STATE * slot + SOURCE],
          state[STATE * slot + CONFIDENCE], shared->targets, n_slots,
          &state[FILLED], item);
    barrier (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    renew (&f, target, box, segments, shared, item);
  }

  for (n = 0; n < n_slots; n++) {
    int target = find_target (&f, box, segments, shared, n, item);

    if (item == 0)
      shared->wanted[n] = target;
    barrier (CLK_LOCAL_MEM_FENCE);
  }
  if (item == 0)
    assign_slots (shared, n_slots, state, object);
  barrier (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  for (s = 0; s < n_slots; s++)
    list_patch (&f, shared, s, entries, item);
  barrier (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  for (s = item; s < n_slots; s += GROUP) {
    if (!shared->fresh[s])
      continue;
    state[STATE * s + COUNT] = shared->counts[s];
    state[STATE * s + CONFIDENCE] = shared->confidences[s]
        / find_area (&f, shared->targets[s] % width, shared->targets[s] / width);
  }
  if (seeded)
    find_bounds (&f, shared, n_slots, state, sources, windows, entries, item);
}

/* How many lanes have something left to do, and pixels that are filled. */
__kernel void
inpaint_report (__global const uint * states, int n_lanes, int n_slots,
    __global uint * left)
{
  uint n = 0, filled = 0;
  int i, s;

  for (i = 0; i < n_lanes; i++) {
    __global const uint *state = states + STATE * n_slots * i;
    int goes_on = 0;

    for (s = 0; s < n_slots; s++)
      goes_on |= (int) state[STATE * s + TARGET] >= 0;
    n += goes_on;
    filled += state[FILLED];
  }
  left[0] = n;
  left[1] = filled;
}
