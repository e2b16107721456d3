/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* What the kernels of inpainting share. What they compute:
 * docs/algorithms/inpaint.md.
 *
 * Pixels are counted row by row through the frame. The working copy has 8 bits
 * of three colours for each: on processors one plane of floats for each colour,
 * plane words after the other, whose differences and squares are exact; on
 * graphics cards one uint for all. */
#ifndef INPAINT_H
#define INPAINT_H

#include "inpaint/shared.h"

/* Work-items of a work-group: of a search, and of what else has groups. */
#ifndef SEARCH_GROUP
#define SEARCH_GROUP 1
#endif
#ifndef STEP_GROUP
#define STEP_GROUP 1
#endif
#ifndef GROUP
#define GROUP STEP_GROUP
#endif

/* Source patches that a work-item compares at once, in vectors of 16: 16 for
 * processors, otherwise 1. */
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

/* Numbers of the state of a slot: the pixel whose patch is next, or -1; its
 * object; known pixels of the patch; no match is worse than this; confidence
 * that the patch will have; its source, or -1 while that is looked for; how many
 * work-groups look. Of a lane, with its first slot: pixels that were filled;
 * where its segments begin. */
#define TARGET 0
#define OBJECT 1
#define COUNT 2
#define BOUND 3
#define CONFIDENCE 4
#define SOURCE 5
#define FILLED 6
#define SEGMENTS 7
#define PARTS 8

/* ---- The least key of a work-group ----------------------------------------------
 *
 * One key of each work-item is in local memory; FINALISTS of them each take the
 * least of 16, and whoever wants to know the least of those. That takes one barrier,
 * and not one for each halving. */
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

/* Between two barriers, of which it brings the second. */
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

/* No sum of squared differences is as large. */
#define WORST 0xe0000000u

/* Known pixels of a target's patch, one uint4 for each: where it is, as far as
 * it is from the target, and its colours as floats. On graphics cards these are
 * larger by 2^23: then the bits of a byte are those of its float but for the
 * exponent. */
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

/* What the pixel differs from that of an entry, squared. */
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
