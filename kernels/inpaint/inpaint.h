/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Code that the kernels of inpainting share. The algorithm is described in
 * docs/algorithms/inpaint.md.
 *
 * A pixel's index counts row by row through the frame. The working copy of the
 * frame has 8 bits of each of three colours for each pixel. On CPUs it has a
 * plane of floats for each colour, and the planes are @plane words apart;
 * differences and squares of these floats are exact. On graphics cards it has
 * one uint for each pixel. */
#ifndef INPAINT_H
#define INPAINT_H

#include "inpaint/inpaint-shared.h"

/* Size of a work-group: SEARCH_GROUP in a search, MATCH_GROUP where all patches are found at once,
 * STEP_GROUP in other kernels with groups. */
#ifndef SEARCH_GROUP
#define SEARCH_GROUP 1
#endif
#ifndef STEP_GROUP
#define STEP_GROUP 1
#endif
#ifndef MATCH_GROUP
#define MATCH_GROUP 1
#endif
#ifndef GROUP
#define GROUP STEP_GROUP
#endif

/* Number of source patches in a vector that a work-item compares at once: 16 on
 * CPUs, otherwise 1. */
#ifndef LANES
#define LANES 16
#endif

#if LANES == 16
typedef float word;
#define COLOUR(work, plane, i, c) ((uint) (work)[(c) * (plane) + (i)])
#else
typedef uint word;
#define COLOUR(work, plane, i, c) ((work)[i] >> 8 * (c) & 255)
#endif

/* Indices in the state of a slot, which holds a target patch while its source
 * patch is searched. TARGET: the centre of the target patch, or -1. OBJECT: the
 * object that contains this pixel. COUNT: the number of known pixels of the
 * target patch. BOUND: the largest cost of an acceptable source patch.
 * CONFIDENCE: the confidence that filled pixels of the patch get. SOURCE: the
 * centre of the source patch, or -1 during the search. PARTS: the number of
 * work-groups that search. The state of the first slot of a lane (a box that
 * one work-group fills) also has FILLED, the number of filled pixels, and
 * SEGMENTS, the index of the lane's first segment. */
#define TARGET 0
#define OBJECT 1
#define COUNT 2
#define BOUND 3
#define CONFIDENCE 4
#define SOURCE 5
#define FILLED 6
#define SEGMENTS 7
#define PARTS 8

/* ---- Minimum of the keys of a work-group ------------------------------------
 *
 * Each work-item has one key in local memory. FINALISTS of the work-items each
 * find the least of 16 keys; each work-item that needs the result then finds
 * the least key of the finalists. This takes one barrier in place of one for
 * each halving of the number of keys. */
#if GROUP >= 16
#define FINALISTS (GROUP / 16)
#else
#define FINALISTS GROUP
#endif

static ulong
least_key (ulong4 a, ulong4 b, ulong4 c, ulong4 d)
{
  ulong4 v = min (min (a, b), min (c, d));
  ulong2 w = min (v.lo, v.hi);

  return min (w.x, w.y);
}

#define KEYS_4(keys, i, step) (ulong4) ((keys)[i], (keys)[(i) + (step)], \
    (keys)[(i) + 2 * (step)], (keys)[(i) + 3 * (step)])
#define LEAST_16(keys, i, step) least_key (KEYS_4 (keys, i, step), \
    KEYS_4 (keys, (i) + 4 * (step), step), KEYS_4 (keys, (i) + 8 * (step), step), \
    KEYS_4 (keys, (i) + 12 * (step), step))

/* FIND_FINALISTS replaces each of the first FINALISTS keys by the least of 16 keys. It must run
 * after a barrier, and ends with a barrier. */
#if GROUP >= 16
#define FIND_FINALISTS(keys, item) { \
  if ((item) < FINALISTS) \
    (keys)[item] = LEAST_16 (keys, item, FINALISTS); \
  barrier (CLK_LOCAL_MEM_FENCE); \
}
#else
#define FIND_FINALISTS(keys, item)
#endif

#if FINALISTS == 16
#define LEAST_FINALIST(keys) LEAST_16 (keys, 0, 1)
#elif FINALISTS == 8
#define LEAST_FINALIST(keys) least_key (KEYS_4 (keys, 0, 1), \
    KEYS_4 (keys, 4, 1), KEYS_4 (keys, 0, 1), KEYS_4 (keys, 4, 1))
#elif FINALISTS == 4
#define LEAST_FINALIST(keys) least_key (KEYS_4 (keys, 0, 1), \
    KEYS_4 (keys, 0, 1), KEYS_4 (keys, 0, 1), KEYS_4 (keys, 0, 1))
#elif FINALISTS == 2
#define LEAST_FINALIST(keys) min ((keys)[0], (keys)[1])
#else
#define LEAST_FINALIST(keys) ((keys)[0])
#endif

/* Returns, to all work-items of a work-group, the best of their matches. The array @keys and
 * the variable @index are scratch memory. */
static ulong2
find_best (ulong2 match, local ulong * keys, local uint * index, int item)
{
  keys[item] = match.x;
  if (item == 0)
    *index = ~0u;
  barrier (CLK_LOCAL_MEM_FENCE);
  FIND_FINALISTS (keys, item);
  if (match.x == LEAST_FINALIST (keys))
    atomic_min (index, (uint) match.y);
  barrier (CLK_LOCAL_MEM_FENCE);
  match = (ulong2) (LEAST_FINALIST (keys), *index);
  barrier (CLK_LOCAL_MEM_FENCE);
  return match;
}

/* Cost that is larger than the cost of any patch, because no sum of squared
 * differences reaches it. */
#define WORST 0xe0000000u

/* An entry is a uint4 that describes a known pixel of a target patch: the index
 * of the pixel less the index of the target, and the colours as floats. On
 * graphics cards the floats are larger by 2^23, so that a byte is converted to
 * float by adding the bits of BYTE_FLOAT. */
#define BYTE_FLOAT 0x4b000000u

#pragma OPENCL FP_CONTRACT OFF

static uint4
make_entry (global const word * work, int plane, int at, int distance)
{
#if LANES == 16
  return (uint4) ((uint) distance, as_uint (work[at]),
      as_uint (work[plane + at]), as_uint (work[2 * plane + at]));
#else
  uint pixel = work[at];

  return (uint4) ((uint) distance, BYTE_FLOAT | (pixel & 255),
      BYTE_FLOAT | (pixel >> 8 & 255), BYTE_FLOAT | (pixel >> 16 & 255));
#endif
}

/* Returns the squared difference between the colours of a pixel and those of an entry (see
 * BYTE_FLOAT). */
static uint
square (global const word * work, int plane, int at, uint4 entry)
{
  uint4 other = make_entry (work, plane, at, 0);
  float red = as_float (other.y) - as_float (entry.y);
  float green = as_float (other.z) - as_float (entry.z);
  float blue = as_float (other.w) - as_float (entry.w);

  return (uint) (red * red) + (uint) (green * green) + (uint) (blue * blue);
}

#endif
