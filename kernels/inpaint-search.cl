/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* The source patch that is most like the known part of a target's patch. */
#include "inpaint.cl"
#include "pixels.cl"

/* Pixels of a patch after which it is looked whether any source is still as good
 * as the best one. 85 squared differences of three colours are exact in float. */
#ifndef BLOCK
#define BLOCK 16
#endif

#pragma OPENCL FP_CONTRACT OFF

#define KEY(ssd, pixel) ((ulong) (ssd) << 32 | (uint) (pixel))

/* The limit beyond which a patch cannot be the best any more; changes while all
 * work-items look, and only speeds them up. */
static uint
read_bound (volatile __global uint * state)
{
  return atomic_min (&state[BOUND], WORST);
}

#if LANES == 16

LOOSE (float16, loose_float16);

/* Source patches side by side that are compared at once. */
#define WIDE 64

static uint
least (uint16 v)
{
  uint8 a = min (v.lo, v.hi);
  uint4 b = min (a.lo, a.hi);
  uint2 c = min (b.lo, b.hi);

  return min (c.x, c.y);
}

/* WORST where 16 pixels from i on have no source, or are not among the next n. */
static uint16
start (__global const uchar * sources, int i, int n)
{
  const int16 number = (int16) (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13,
      14, 15);
  uint16 is_none = convert_uint16 (LOAD_LOOSE (loose_uchar16, sources + i))
      - 1u;

  return (is_none | as_uint16 (number >= n)) & WORST;
}

#define ADD(sum, at, value) { \
  float16 d = LOAD_LOOSE (loose_float16, at) - (value); \
  sum = fma (d, d, sum); \
}

/* Compares WIDE patches from the one around pixel i on, of which n are in the
 * window; returns the key of the best one. */
static ulong
compare (__global const float *work, int plane, __global const uchar * sources,
    __global const uint4 * entries, int count, int i, int n, uint bound)
{
  const uint16 number = (uint16) (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13,
      14, 15);
  uint16 s0 = start (sources, i, n), s1 = start (sources, i + 16, n - 16);
  uint16 s2 = start (sources, i + 32, n - 32);
  uint16 s3 = start (sources, i + 48, n - 48);
  uint best = least (min (min (s0, s1), min (s2, s3)));
  uint16 first;
  int e, k;

  for (e = 0; e < count && best <= bound; e += BLOCK) {
    float16 a0 = 0, a1 = 0, a2 = 0, a3 = 0;

    for (k = e; k < min (e + BLOCK, count); k++) {
      uint4 entry = entries[k];
      __global const float *p = work + (i + (int) entry.x);
      float red = as_float (entry.y), green = as_float (entry.z);
      float blue = as_float (entry.w);

      ADD (a0, p, red);
      ADD (a1, p + 16, red);
      ADD (a2, p + 32, red);
      ADD (a3, p + 48, red);
      ADD (a0, p + plane, green);
      ADD (a1, p + plane + 16, green);
      ADD (a2, p + plane + 32, green);
      ADD (a3, p + plane + 48, green);
      ADD (a0, p + 2 * plane, blue);
      ADD (a1, p + 2 * plane + 16, blue);
      ADD (a2, p + 2 * plane + 32, blue);
      ADD (a3, p + 2 * plane + 48, blue);
    }
    s0 += convert_uint16 (a0);
    s1 += convert_uint16 (a1);
    s2 += convert_uint16 (a2);
    s3 += convert_uint16 (a3);
    best = least (min (min (s0, s1), min (s2, s3)));
  }
  if (best > bound)
    return KEY (WORST, 0);
  first = min (min (as_uint16 (s0 != best) | number,
          as_uint16 (s1 != best) | (number + 16u)),
      min (as_uint16 (s2 != best) | (number + 32u),
          as_uint16 (s3 != best) | (number + 48u)));
  return KEY (best, i + (int) least (first));
}

#else

static ulong
compare (__global const uint * work, __global const uint4 * entries, int count,
    int i, uint bound)
{
  uint sum = 0;
  int e, k;

  for (e = 0; e < count && sum <= bound; e += BLOCK) {
    for (k = e; k < min (e + BLOCK, count); k++) {
      uint4 entry = entries[k];
      uint pixel = work[i + (int) entry.x];
      int red = (int) (pixel & 255) - (int) (entry.y & 255);
      int green = (int) (pixel >> 8 & 255) - (int) (entry.y >> 8 & 255);
      int blue = (int) (pixel >> 16 & 255) - (int) (entry.y >> 16 & 255);

      sum += (uint) (red * red + green * green + blue * blue);
    }
  }
  return sum <= bound ? KEY (sum, i) : KEY (WORST, 0);
}

#endif

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
