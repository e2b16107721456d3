/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Code that the kernels of inpainting share. The algorithm is described in
 * docs/algorithms/inpaint.md.
 *
 * The index of a pixel counts pixels row by row through the frame. The working copy of the frame
 * has 8 bits for each of three colors of each pixel. On CPUs, it has a plane of floats for each
 * color; the planes are @plane words apart. Differences and squares of these floats are exact.
 * On GPUs, it has one uint for each pixel. */
#ifndef INPAINT_H
#define INPAINT_H

#include "inpaint/inpaint-shared.h"

/* Size of a work-group: SEARCH_GROUP for searches, MATCH_GROUP for finding all patches at once,
 * and STEP_GROUP for other kernels with work-groups. */
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

/* Number of source patches that a work-item compares at once, as elements of a vector: 16 on
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

/* Indices into the state of a slot. A slot contains a target patch while its source patch is
 * searched for.
 * TARGET: center of the target patch, or -1
 * OBJECT: object that contains this pixel
 * COUNT: number of known pixels of the target patch
 * BOUND: largest cost of an acceptable source patch
 * CONFIDENCE: confidence for the filled pixels of the patch
 * SOURCE: center of the source patch; -1 during the search
 * FILLED: only in the first slot of a lane (a box that one work-group fills): number of filled
 *   pixels
 * SEGMENTS: only in the first slot of a lane: index of the lane's first segment
 * PARTS: number of work-groups that search */
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
 * Each work-item has one key in local memory. FINALISTS of the work-items each find the smallest
 * of 16 keys. Each work-item that needs the result then finds the smallest key of the finalists.
 * This needs only one barrier, instead of one for each halving of the number of keys. */
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

/* FIND_FINALISTS replaces each of the first FINALISTS keys by the smallest of 16 keys. It must
 * run after a barrier, and ends with a barrier. */
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

/* Returns the best match of a work-group to all its work-items. The array @keys and the variable
 * @index are scratch memory. */
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

/* Cost that is larger than the cost of all patches: no sum of squared differences reaches it. */
#define WORST 0xe0000000u

/* An entry is a uint4 that describes a known pixel of a target patch: the index of the pixel
 * minus the index of the target, and the colors as floats. On GPUs, 2^23 is added to the
 * floats. A byte is then converted to float by adding the bits of BYTE_FLOAT. */
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

/* Returns the squared difference between the colors of a pixel and the colors of an entry (see
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
