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
#ifndef INPAINT_CL
#define INPAINT_CL

/* Work-items of a work-group. */
#ifndef GROUP
#define GROUP 1
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
 * that the patch will have; its source, or -1 while that is looked for. Of a
 * lane, with its first slot: pixels that were filled; where its segments
 * begin. */
#define STATE 8
#define TARGET 0
#define OBJECT 1
#define COUNT 2
#define BOUND 3
#define CONFIDENCE 4
#define SOURCE 5
#define FILLED 6
#define SEGMENTS 7

/* No sum of squared differences is as large. */
#define WORST 0xe0000000u

/* Known pixels of a target's patch, one uint4 for each: where it is, as far as
 * it is from the target, and its colours as they are in a word, or one of them. */
#define MAX_PATCH (33 * 33)

#endif
