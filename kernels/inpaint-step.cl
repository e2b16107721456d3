/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Between two searches: the patch that was found is copied, priorities around
 * it are made anew, and the next target is chosen. */
#include "inpaint.cl"
#include "pixels.cl"

/* A pixel that was known from the start, Q16. */
#define KNOWN 65536u

/* Of a pixel that is not on the front; others have their priority + 1. */
#define NO_PRIORITY 0u

typedef struct
{
  __global word *work;
  __global uchar *grey;
  __global uchar *unknown;      /* now */
  __global uint *confidence;    /* 0: unknown */
  __global uint *gradient;      /* squared length; 0 next to unknown pixels */
  __global uint *priority;
  __global int *origin;         /* where a filled pixel is from; others: -1 */
  int plane, width, height, radius;
} Frame;

static int
is_known (const Frame * f, int x, int y)
{
  return x >= 0 && y >= 0 && x < f->width && y < f->height
      && !f->unknown[y * f->width + x];
}

/* 0 where a neighbour is unknown. */
static int2
find_gradient (const Frame * f, int x, int y)
{
  __global const uchar *p = f->grey + (y * f->width + x);

  if (!is_known (f, x - 1, y) || !is_known (f, x + 1, y)
      || !is_known (f, x, y - 1) || !is_known (f, x, y + 1))
    return (int2) (0);
  return (int2) ((int) p[1] - (int) p[-1],
      (int) p[f->width] - (int) p[-f->width]);
}

static uint
find_length (const Frame * f, int x, int y)
{
  int2 g = find_gradient (f, x, y);

  return (uint) (g.x * g.x + g.y * g.y);
}

/* The part of the square around (x, y) that is in the frame. */
static int4
find_square (const Frame * f, int x, int y, int radius)
{
  return (int4) (max (x - radius, 0), max (y - radius, 0),
      min (x + radius + 1, f->width), min (y + radius + 1, f->height));
}

/* Of the unknown part of the frame, which ends at its edges. */
static int
is_unknown_inside (const Frame * f, int x, int y)
{
  return x >= 0 && y >= 0 && x < f->width && y < f->height
      && f->unknown[y * f->width + x];
}

static uint
find_confidence (const Frame * f, int x, int y)
{
  int4 patch = find_square (f, x, y, f->radius);
  uint sum = 0;
  int u, v;

  for (v = patch.s1; v < patch.s3; v++)
    for (u = patch.s0; u < patch.s2; u++)
      sum += f->confidence[v * f->width + u];
  return sum / (uint) ((patch.s2 - patch.s0) * (patch.s3 - patch.s1));
}

static uint
find_priority (const Frame * f, int x, int y)
{
  int4 patch = find_square (f, x, y, f->radius);
  int nx = is_unknown_inside (f, x + 1, y) - is_unknown_inside (f, x - 1, y);
  int ny = is_unknown_inside (f, x, y + 1) - is_unknown_inside (f, x, y - 1);
  uint largest = 0, data;
  int at = y * f->width + x, u, v;
  int2 g;

  for (v = patch.s1; v < patch.s3; v++) {
    for (u = patch.s0; u < patch.s2; u++) {
      uint length = f->gradient[v * f->width + u];

      if (length > largest) {
        largest = length;
        at = v * f->width + u;
      }
    }
  }
  g = find_gradient (f, at % f->width, at / f->width);
  data = abs (g.x * ny - g.y * nx) * (nx != 0 && ny != 0 ? 23170u : 32768u)
      >> 15;
  return find_confidence (f, x, y) * max (data, 1u);
}

static void
update_priority (const Frame * f, int x, int y)
{
  uint priority = NO_PRIORITY;

  if (is_unknown_inside (f, x, y)
      && (is_known (f, x - 1, y) || is_known (f, x + 1, y)
          || is_known (f, x, y - 1) || is_known (f, x, y + 1)))
    priority = find_priority (f, x, y) + 1;
  f->priority[y * f->width + x] = priority;
}

#define FRAME { work, grey, unknown, confidence, gradient, priority, origin, \
    plane, width, height, radius }
#define FRAME_ARGUMENTS __global word * work, __global uchar * grey, \
    __global uchar * unknown, __global uint * confidence, \
    __global uint * gradient, __global uint * priority, __global int *origin, \
    int plane, int width, int height, int radius

/* ---- Before the first step --------------------------------------------------
 *
 * For the pixels of box, row by row. */

__kernel void
inpaint_begin (FRAME_ARGUMENTS, __global const int *object, int is_rgb, int x0,
    int x1, int y0)
{
  int y = y0 + get_global_id (1), x;

  for (x = x0 + get_global_id (0); x < x1; x += get_global_size (0)) {
    int i = y * width + x;
    uint red = COLOUR (work, plane, i, 0), green = COLOUR (work, plane, i, 1);
    uint blue = COLOUR (work, plane, i, 2);
    int is_unknown = object[i] != 0;

    grey[i] = is_rgb ? (77 * red + 150 * green + 29 * blue + 128) >> 8 : red;
    unknown[i] = is_unknown;
    confidence[i] = is_unknown ? 0 : KNOWN;
    origin[i] = -1;
    priority[i] = NO_PRIORITY;
  }
}

__kernel void
inpaint_gradients (FRAME_ARGUMENTS, int x0, int x1, int y0)
{
  Frame f = FRAME;
  int y = y0 + get_global_id (1), x;

  for (x = x0 + get_global_id (0); x < x1; x += get_global_size (0))
    gradient[y * width + x] = find_length (&f, x, y);
}

/* Also makes the lanes ready for their first step. */
__kernel void
inpaint_priorities (FRAME_ARGUMENTS, __global int *states, int n_lanes, int x0,
    int x1, int y0)
{
  Frame f = FRAME;
  int row = get_global_id (1), x;

  for (x = x0 + get_global_id (0); x < x1; x += get_global_size (0))
    update_priority (&f, x, y0 + row);
  if (row == 0 && get_global_id (0) == 0)
    for (x = 0; x < n_lanes; x++) {
      states[STATE * x + TARGET] = -1;
      states[STATE * x + FILLED] = 0;
    }
}

/* ---- A step ------------------------------------------------------------------ */

/* The functions get their work-item from the kernel: PoCL 3.1 keeps what
 * get_local_id() gives in a function in one place for all its threads. */

/* All work-items of the group get the least of their keys. */
static ulong
find_least (__local ulong * keys, ulong key, int item)
{
  int n;

  keys[item] = key;
  barrier (CLK_LOCAL_MEM_FENCE);
  for (n = GROUP / 2; n > 0; n /= 2) {
    if (item < n)
      keys[item] = min (keys[item], keys[item + n]);
    barrier (CLK_LOCAL_MEM_FENCE);
  }
  key = keys[0];
  barrier (CLK_LOCAL_MEM_FENCE);
  return key;
}

/* Fills what is unknown in the patch around target. */
static void
copy_patch (const Frame * f, int target, int source,
    volatile __global uint * state, int item)
{
  uint confidence = state[CONFIDENCE], filled = 0;
  int size = 2 * f->radius + 1, i;
  int x = target % f->width - f->radius, y = target / f->width - f->radius;

  for (i = item; i < size * size; i += GROUP) {
    int u = x + i % size, v = y + i / size;
    int to = v * f->width + u, from = to - target + source;

    if (!is_unknown_inside (f, u, v))
      continue;
    f->work[to] = f->work[from];
#if LANES == 16
    f->work[f->plane + to] = f->work[f->plane + from];
    f->work[2 * f->plane + to] = f->work[2 * f->plane + from];
#endif
    f->grey[to] = f->grey[from];
    f->confidence[to] = confidence;
    f->origin[to] = from;
    f->unknown[to] = 0;
    filled++;
  }
  if (filled > 0)
    atomic_add (&state[FILLED], filled);
}

/* The first pixel of highest priority in the lane, of those that this work-item
 * looks at: the higher half of a key is the less the higher the priority. */
static ulong
find_target (const Frame * f, int4 lane, int item)
{
  ulong best = ~(ulong) 0;
  int y;

#if LANES == 16
  for (y = lane.s1; y < lane.s3; y++) {
    __global const uint *row = f->priority + y * f->width;
    uint highest = 0, before = ~(uint) (best >> 32);
    uint16 most = 0;
    int x = lane.s0;

    for (; x + 16 <= lane.s2; x += 16)
      most = max (most, LOAD_LOOSE (loose_uint16, row + x));
    for (; x < lane.s2; x++)
      highest = max (highest, row[x]);
    {
      uint8 a = max (most.lo, most.hi);
      uint4 b = max (a.lo, a.hi);

      highest = max (max (max (b.x, b.y), max (b.z, b.w)), highest);
    }
    if (highest <= before)
      continue;
    for (x = lane.s0; row[x] != highest; x++);
    best = (ulong) ~highest << 32 | (uint) (y * f->width + x);
  }
#else
  int columns = lane.s2 - lane.s0, n = columns * (lane.s3 - lane.s1), i;

  for (i = item; i < n; i += GROUP) {
    int at;

    y = lane.s1 + i / columns;
    at = y * f->width + lane.s0 + i % columns;
    best = min (best, (ulong) ~f->priority[at] << 32 | (uint) at);
  }
#endif
  return best;
}

/* Lists the known pixels of the patch around target. Their order is of no
 * account. */
static void
list_patch (const Frame * f, int target, __global uint4 * entries,
    volatile __global uint * state, int item)
{
  int size = 2 * f->radius + 1, i;
  int x = target % f->width - f->radius, y = target / f->width - f->radius;

  for (i = item; i < size * size; i += GROUP) {
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
    entries[atomic_inc (&state[COUNT])] = entry;
  }
}

/* How well the source fits that lies where the neighbour's is from, or WORST. */
static uint
try_neighbour (const Frame * f, int target, int dx, int dy,
    __global const uchar * sources, int4 window, __global const uint4 * entries,
    int count)
{
  int u = target % f->width + dx, v = target / f->width + dy;
  int from = u >= 0 && v >= 0 && u < f->width && v < f->height
      ? f->origin[v * f->width + u] : -1;
  int x = from % f->width - dx, y = from / f->width - dy;
  int source = y * f->width + x, k;
  uint sum = 0;

  if (from < 0 || x < window.s0 || x >= window.s2 || y < window.s1
      || y >= window.s3 || !sources[source])
    return WORST;
  for (k = 0; k < count; k++) {
    int at = source + (int) entries[k].x, to = target + (int) entries[k].x, c;

    for (c = 0; c < 3; c++) {
      int d = (int) COLOUR (f->work, f->plane, at, c)
          - (int) COLOUR (f->work, f->plane, to, c);

      sum += (uint) (d * d);
    }
  }
  return sum;
}

/* A work-group for each lane, with the keys of the best sources that its n_parts
 * work-groups found; without a target it only chooses one. seeded: whether the
 * search begins with a limit. */
__kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1))) void
inpaint_step (FRAME_ARGUMENTS, __global const uchar * sources,
    __global const int *object, __global const int4 * lanes,
    __global const int4 * windows, __global uint4 * entries,
    __global uint * states, __global const ulong * parts, int n_parts,
    int seeded)
{
  Frame f = FRAME;
  __local ulong keys[GROUP];
  int lane = get_group_id (0), item = get_local_id (0), i, target, x, y;
  volatile __global uint *state = states + STATE * lane;
  int4 box = lanes[lane], around;
  ulong key = ~(ulong) 0;

  entries += MAX_PATCH * lane;
  target = (int) state[TARGET];
  for (i = item; i < n_parts && target >= 0; i += GROUP)
    key = min (key, parts[n_parts * lane + i]);
  key = find_least (keys, key, item);
  if (target >= 0)
    copy_patch (&f, target, (int) (uint) key, state, item);
  barrier (CLK_GLOBAL_MEM_FENCE);

  /* A fill changes gradients next to it, and the priority of patches that these
   * are in. */
  x = target % width;
  y = target / width;
  around = find_square (&f, x, y, radius + 1);
  for (i = item; target >= 0
      && i < (around.s2 - around.s0) * (around.s3 - around.s1); i += GROUP) {
    int u = around.s0 + i % (around.s2 - around.s0);
    int v = around.s1 + i / (around.s2 - around.s0);

    gradient[v * width + u] = find_length (&f, u, v);
  }
  barrier (CLK_GLOBAL_MEM_FENCE);
  around = find_square (&f, x, y, 2 * radius + 1);
  around.s01 = max (around.s01, box.s01);
  around.s23 = min (around.s23, box.s23);
  for (i = item; target >= 0
      && i < (around.s2 - around.s0) * (around.s3 - around.s1); i += GROUP)
    update_priority (&f, around.s0 + i % (around.s2 - around.s0),
        around.s1 + i / (around.s2 - around.s0));
  barrier (CLK_GLOBAL_MEM_FENCE);

  key = find_least (keys, find_target (&f, box, item), item);
  target = (uint) (key >> 32) == ~NO_PRIORITY ? -1 : (int) (uint) key;
  if (item == 0) {
    state[TARGET] = (uint) target;
    state[COUNT] = 0;
    state[BOUND] = WORST;
    if (target >= 0) {
      state[OBJECT] = object[target];
      state[CONFIDENCE] = find_confidence (&f, target % width, target / width);
    }
  }
  barrier (CLK_GLOBAL_MEM_FENCE);
  if (target >= 0)
    list_patch (&f, target, entries, state, item);
  barrier (CLK_GLOBAL_MEM_FENCE);
  for (i = item; i < 8 && target >= 0 && seeded; i += GROUP) {
    int place = i < 4 ? i : i + 1;

    atomic_min (&state[BOUND], try_neighbour (&f, target, place % 3 - 1,
            place / 3 - 1, sources, windows[object[target] - 1], entries,
            (int) state[COUNT]));
  }
}

/* How many lanes have something left to do, and pixels that are filled. */
__kernel void
inpaint_report (__global const uint * states, int n_lanes, __global uint * left)
{
  uint n = 0, filled = 0;
  int i;

  for (i = 0; i < n_lanes; i++) {
    n += (int) states[STATE * i + TARGET] >= 0;
    filled += states[STATE * i + FILLED];
  }
  left[0] = n;
  left[1] = filled;
}
