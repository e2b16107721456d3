/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Runs between two searches: fills target patches whose source patches are known, in the order
 * of their priorities, and chooses the target patches for the next search. A target is the
 * center of a target patch, a source the center of a source patch.
 *
 * A source that was found remains the best one as long as no pixel of the target patch is
 * filled: until then, neither the compared pixels nor the possible sources change. Therefore a
 * lane has slots for several targets, for which sources are searched for at the same time. The
 * targets are filled later, in the order of their priorities. A slot becomes free when another
 * filled patch overlaps its patch. */
#include "inpaint/fill.h"

/* ---- Choice of targets ----------------------------------------------------------- */

/* Coordinates of the targets chosen so far. A target is a pixel around which a patch is to be
 * filled. */
typedef struct
{
  int2 at[MAX_SLOTS];
  int n;
} Chosen;

/* Returns the first pixel of highest priority whose patch does not overlap the patches around
 * the targets in @others; -1 if there is none. All work-items get the result. n_segments is the
 * number of segments to process. */
static int
find_target (const Frame * f, int n_segments, global const ulong * segments,
    local Shared * shared, const Chosen * others, int item)
{
  ulong best = ~(ulong) 0;
  int i, k;

  for (i = item; i < n_segments; i += GROUP) {
    ulong key = segments[i];
    int x, y, is_free = 1;

    if (key >= best)
      continue;
    x = (int) (uint) key % f->width;
    y = (int) (uint) key / f->width;
    for (k = 0; k < MAX_SLOTS; k++)
      is_free &= (k >= others->n)
          | (abs (x - others->at[k].x) > (uint) (2 * f->radius))
          | (abs (y - others->at[k].y) > (uint) (2 * f->radius));
    best = is_free ? key : best;
  }
  best = find_least (shared->keys, best, item);
  return NO_TARGET (best) ? -1 : (int) (uint) best;
}

/* Returns the index of the slot of the target patch around pixel @target; -1 if there is none. */
static int
find_slot (local const Shared * shared, int n_slots, int target)
{
  int s, slot = -1;

  for (s = 0; s < n_slots; s++)
    slot = target >= 0
        && (int) shared->state[STATE * s + TARGET] == target ? s : slot;
  return slot;
}

/* Assigns slots to those targets in the array @wanted (centers of target patches) that do not
 * have one. Uses slots whose targets are no longer in this array. Only one work-item calls this
 * function. */
static void
assign_slots (local Shared * shared, int n_slots, global const int *object)
{
  local const int *wanted = shared->wanted;
  int todo[MAX_SLOTS], n = 0, next = 0, k, s;

  /* Lists the targets in @wanted that do not have a slot yet. */
  for (k = 0; k < n_slots; k++)
    if (wanted[k] >= 0 && find_slot (shared, n_slots, wanted[k]) < 0)
      todo[n++] = wanted[k];
  shared->n_fresh = n;
  for (s = 0; s < n_slots; s++) {
    local uint *state = shared->state + STATE * s;
    int is_wanted = 0;

    for (k = 0; k < n_slots; k++)
      is_wanted |= wanted[k] == (int) state[TARGET];
    if (is_wanted && (int) state[TARGET] >= 0)
      continue;
    state[TARGET] = (uint) -1;
    if (next == n)
      continue;
    shared->fresh[next] = s;
    state[TARGET] = (uint) todo[next++];
    state[OBJECT] = (uint) object[state[TARGET]];
    state[BOUND] = WORST;
    state[SOURCE] = (uint) -1;
    state[COUNT] = state[CONFIDENCE] = 0;
  }
}

/* SPREAD changes the order in which pixels are listed: neighbors in the list come from distant
 * rows. The comparison with a bad source then ends after few pixels. On CPUs, this costs more
 * than it saves. */
#if LANES == 16
#define SPREAD(i, size) (i)
#else
#define SPREAD(i, size) ((i) * ((size) + 2) % ((size) * (size)))
#endif

/* Lists the known pixels of the patch around each target that has just got a slot, in any order.
 * Adds up the confidence of these pixels. */
static void
list_patches (const Frame * f, local Shared * shared,
    global uint4 * entries, int item)
{
  int size = 2 * f->radius + 1, area = size * size, i;

  for (i = item; i < area * shared->n_fresh; i += GROUP) {
    int slot = shared->fresh[i / area], place = SPREAD (i % area, size);
    local uint *state = shared->state + STATE * slot;
    int target = (int) state[TARGET];
    int u = target % f->width - f->radius + place % size;
    int v = target / f->width - f->radius + place / size;
    int at = v * f->width + u;

    if (!is_known (f, u, v))
      continue;
    entries[MAX_PATCH_AREA * slot + (int) atomic_inc (&state[COUNT])] =
        make_entry (f->work, f->plane, at, at - target);
    atomic_add (&state[CONFIDENCE], f->confidence[at]);
  }
}

/* Returns the cost of a source derived from a neighbor of the target: the origin of the pixel
 * at the distance (dx, dy) from the target, shifted back by (dx, dy). Adds up the cost over
 * every step-th entry only, starting at entry @first. If there is no such source, returns WORST
 * if @first is 0, otherwise 0. */
static uint
try_neighbour (const Frame * f, int target, int dx, int dy,
    global const uchar * sources, int4 window, global const uint4 * entries,
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
  for (k = first; k < count; k += step)
    sum += square (f->work, f->plane, source + (int) entries[k].x, entries[k]);
  return sum;
}

/* Sets the cost limits for the searches of new targets. The limit is the best cost among the
 * sources derived from neighboring pixels. */
static void
find_bounds (const Frame * f, local Shared * shared,
    global const uchar * sources, global const int4 * windows,
    global const uint4 * entries, int item)
{
  int n = 8 * shared->n_fresh, team = max (GROUP / max (n, 1), 1), i;

  for (i = item; i < n; i += GROUP)
    shared->fits[i] = 0;
  barrier (CLK_LOCAL_MEM_FENCE);
  for (i = item; i < n * team; i += GROUP) {
    int pair = i / team, slot = shared->fresh[pair / 8];
    int place = pair % 8 < 4 ? pair % 8 : pair % 8 + 1;
    local uint *state = shared->state + STATE * slot;

    atomic_add (&shared->fits[pair], try_neighbour (f, (int) state[TARGET],
            place % 3 - 1, place / 3 - 1, sources, windows[state[OBJECT] - 1],
            entries + MAX_PATCH_AREA * slot, (int) state[COUNT], i % team, team));
  }
  barrier (CLK_LOCAL_MEM_FENCE);
  for (i = item; i < n; i += GROUP)
    atomic_min (&shared->state[STATE * shared->fresh[i / 8] + BOUND],
        shared->fits[i]);
  barrier (CLK_LOCAL_MEM_FENCE);
}

/* ---- Results of searches --------------------------------------------------------- */

/* Stores the best source found by the work-groups of a search, for each slot that was searched. */
static void
find_sources (local Shared * shared, int n_slots, global const ulong2 * parts,
    int max_parts, int item)
{
  int s, i, is_searched = 0;

  for (s = 0; s < n_slots; s++) {
    local const uint *state = shared->state + STATE * s;
    int n = (int) state[TARGET] >= 0 && (int) state[SOURCE] < 0
        ? (int) state[PARTS] : 0;
    ulong key = ~(ulong) 0;

    is_searched |= n > 0 ? 1 << s : 0;
    for (i = item; i < n; i += GROUP)
      key = min (key, parts[max_parts * s + i].x);
    shared->keys[GROUP * s + item] = key;
  }
  barrier (CLK_LOCAL_MEM_FENCE);
#if FINALISTS < GROUP
  for (i = item; i < FINALISTS * n_slots; i += GROUP) {
    local ulong *keys = shared->keys + i / FINALISTS * GROUP;

    keys[i % FINALISTS] = LEAST_16 (keys, i % FINALISTS, FINALISTS);
  }
  barrier (CLK_LOCAL_MEM_FENCE);
#endif
  /* Finds the smallest index of a source by atomic_min(). During a search, SOURCE is -1, which
   * is larger than all indices as an unsigned number. */
  for (s = 0; s < n_slots; s++) {
    local uint *state = shared->state + STATE * s;
    int n = is_searched >> s & 1 ? (int) state[PARTS] : 0;
    ulong key = LEAST_FINALIST (shared->keys + GROUP * s);

    for (i = item; i < n; i += GROUP)
      if (parts[max_parts * s + i].x == key)
        atomic_min (&state[SOURCE], (uint) parts[max_parts * s + i].y);
  }
  barrier (CLK_LOCAL_MEM_FENCE);
}

/* ---- A step of a lane -------------------------------------------------------------- */

/* Fills target patches in the order of their priorities, as long as the next target has a slot,
 * that is, as long as its source is known. Returns the next target, which has no slot, or -1, to
 * all work-items. @box is the lane. */
static int
fill_patches (const Frame * f, int4 box, int n_segments,
    global ulong * segments, local Shared * shared, int n_slots, int item)
{
  Chosen none;
  int n, target, next;

  for (n = 0; n < MAX_SLOTS; n++)
    none.at[n] = (int2) (0);
  none.n = 0;
  target = find_target (f, n_segments, segments, shared, &none, item);
  for (n = 0; n < n_slots; n++) {
    int slot = find_slot (shared, n_slots, target);

    barrier (CLK_LOCAL_MEM_FENCE);
    if (slot >= 0)
      copy_patch (f, target, (int) shared->state[STATE * slot + SOURCE],
          shared->state[STATE * slot + CONFIDENCE], &shared->state[FILLED],
          item);
    barrier (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (slot >= 0 && item == 0)
      shared->state[STATE * slot + TARGET] = (uint) -1;
    renew (f, slot < 0 ? -1 : target, box, segments, shared, item);
    /* Searches for a new target only after a patch was filled. */
    next = find_target (f, slot < 0 ? 0 : n_segments, segments, shared, &none,
        item);
    target = slot < 0 ? target : next;
  }
  return target;
}

/* Chooses the targets for the slots: @target first, then pixels of high priority whose patches
 * do not overlap the patch of a chosen target. Writes a target or -1 for each slot to the array
 * @wanted. */
static void
choose_targets (const Frame * f, int target, int n_segments,
    global const ulong * segments, local Shared * shared, int n_slots, int item)
{
  Chosen chosen;
  int n;

  for (n = 0; n < MAX_SLOTS; n++)
    chosen.at[n] = (int2) (0);
  chosen.n = 0;
  for (n = 0; n < n_slots; n++) {
    /* Keeps the array @wanted in local memory. If this loop, which contains barriers, writes a
     * private array instead, PoCL 7.1 fills wrong patches. */
    if (item == 0)
      shared->wanted[n] = target;
    chosen.at[n] = (int2) (target % f->width, target / f->width);
    chosen.n = target < 0 ? n : n + 1;
    target = find_target (f, target < 0 || n + 1 == n_slots ? 0 : n_segments,
        segments, shared, &chosen, item);
  }
}

/* Assigns slots to the chosen targets that do not have one. For the searches of these targets,
 * lists the known pixels of each target patch, and computes the confidence for its filled
 * pixels. */
static void
begin_searches (const Frame * f, local Shared * shared, int n_slots,
    global const int *object, global uint4 * entries, int item)
{
  int i;

  if (item == 0)
    assign_slots (shared, n_slots, object);
  barrier (CLK_LOCAL_MEM_FENCE);
  list_patches (f, shared, entries, item);
  barrier (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  for (i = item; i < shared->n_fresh; i += GROUP) {
    local uint *state = shared->state + STATE * shared->fresh[i];

    state[CONFIDENCE] /= find_area (f, (int) state[TARGET] % f->width,
        (int) state[TARGET] / f->width);
  }
}

/* Runs a step of a lane (a box of the frame) in each work-group. For each slot, the array @parts
 * contains the best matches found by the work-groups of its search, at most max_parts. If
 * @seeded is set, searches start with a limit computed by find_bounds(). */
kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1))) void
inpaint_step (FRAME_ARGUMENTS, global const uchar * sources,
    global const int *object, global const int4 * lanes,
    global const int4 * windows, global uint4 * entries,
    global uint * states, global const ulong2 * parts, int max_parts,
    int n_slots, int seeded, global ulong * segments)
{
  Frame f = FRAME;
  local Shared place[1];
  /* Hides from the compiler that this pointer is the address of the array @place. If PoCL 3.1
   * can see which variable is passed to a function that it does not inline, all its threads use
   * the same variable. */
  local Shared *shared = place + (n_slots > MAX_SLOTS);
  int lane = get_group_id (0), item = get_local_id (0), i;
  int target, n_segments;
  int4 box = lanes[lane];

  states += STATE * n_slots * lane;
  entries += MAX_PATCH_AREA * n_slots * lane;
  parts += max_parts * n_slots * lane;
  for (i = item; i < STATE * n_slots; i += GROUP)
    shared->state[i] = states[i];
  barrier (CLK_LOCAL_MEM_FENCE);
  segments += shared->state[SEGMENTS];
  n_segments = count_segments (box) * (box.s3 - box.s1);
  find_sources (shared, n_slots, parts, max_parts, item);
  target = fill_patches (&f, box, n_segments, segments, shared, n_slots, item);
  choose_targets (&f, target, n_segments, segments, shared, n_slots, item);
  begin_searches (&f, shared, n_slots, object, entries, item);
  if (seeded)
    find_bounds (&f, shared, sources, windows, entries, item);
  barrier (CLK_LOCAL_MEM_FENCE);
  for (i = item; i < STATE * n_slots; i += GROUP)
    states[i] = shared->state[i];
}

/* ---- Count of the filled pixels ------------------------------------------------- */

/* Counts the filled pixels, and the lanes (boxes of the frame) that still have targets. */
kernel void
inpaint_report (global const uint * states, int n_lanes, int n_slots,
    global uint * left)
{
  uint n = 0, filled = 0;
  int i, s;

  for (i = 0; i < n_lanes; i++) {
    global const uint *state = states + STATE * n_slots * i;
    int goes_on = 0;

    for (s = 0; s < n_slots; s++)
      goes_on |= (int) state[STATE * s + TARGET] >= 0;
    n += goes_on;
    filled += state[FILLED];
  }
  left[0] = n;
  left[1] = filled;
}
