/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* What the kernels of SIFT share. What they compute: docs/algorithms/sift.md.
 *
 * All levels of all octaves are in one buffer of floats. The plan says where:
 * it begins with OCTAVE numbers for each octave, of which level l has its first
 * sample at OFFSET + l * SIZE, and rows are PITCH apart, a multiple of 16. Then
 * come the kernels of the blurs, and lists of tiles: octave, level, the column
 * and row of a corner, and how far around the region its level is needed. A
 * work-group makes a tile.
 *
 * The region is what points count in: left, top, right and bottom, in samples of
 * the first octave; the last two are not in it. */
#ifndef SIFT_H
#define SIFT_H

/* Work-items of a work-group. */
#ifndef GROUP
#define GROUP 1
#endif

/* Work-items of the one work-group that takes all bins, or all points: a power
 * of two, 1 where GROUP is. */
#ifndef ALL_GROUP
#define ALL_GROUP GROUP
#endif

/* Samples that a work-item takes at once: 1 or 16. */
#ifndef LANES
#define LANES 16
#endif

#include "base/math.h"
#include "base/pixels.h"

#define OCTAVE 6
#define WIDTH 0
#define HEIGHT 1
#define PITCH 2
#define OFFSET 3
#define SIZE 4
#define MARKS 5                 /* its first bit, of those of all samples */

#define TILE 5

/* Pixels without extrema. */
#define BORDER 5

/* Numbers of the state: points that were found, points in the list, the lowest
 * bin that is kept, those that were dropped; then how many responses fall into
 * each bin, how many are in higher ones, and the marks, one bit for a sample. */
#define FOUND 0
#define LISTED 1
#define LOWEST 2
#define DROPPED 3
#define COUNTS 4
#define N_BINS (20 << 9)
#define STARTS (COUNTS + N_BINS)
#define MARKED (STARTS + N_BINS + 1)

/* A point: octave, layer, row, column, then as floats what is missing to the
 * extremum in layers, rows and columns, and the response. */
#define POINT 8
#define D_LAYER 4
#define D_ROW 5
#define D_COLUMN 6
#define RESPONSE 7

/* PoCL takes vload and vstore apart into lanes: see pixels.cl. NEAR: in private memory, or in that
 * of the work-group where it has one. */
#if LANES == 1
#define FIRST(v) (v)
#define ANY(m) ((m) != 0)
#define LOAD(p) (*(p))
#define STORE(p, value) (*(p) = (value))
#define LOAD_NEAR(p) (*(p))
#define STORE_NEAR(p, value) (*(p) = (value))
#define STORE_INTS(p, value) (*(p) = (value))
#define LANE_NUMBERS 0
#else
LOOSE (floatn, loose_floatn);
LOOSE (intn, loose_intn);
#define FIRST(v) ((v).s0)
#define ANY(m) any_of (m)
#define LOAD(p) LOAD_LOOSE (loose_floatn, p)
#define STORE(p, value) STORE_LOOSE (loose_floatn, p, value)
#define LOAD_NEAR(p) (((SHARED const loose_floatn *) (p))->v)
#define STORE_NEAR(p, value) (((SHARED loose_floatn *) (p))->v = (value))
#define STORE_INTS(p, value) (((loose_intn *) (p))->v = (value))
#define LANE_NUMBERS \
    ((intn) (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
#endif

/* Group number, and number within it. */
#if GROUP == 1
#define GROUP_ID ((int) get_global_id (0))
#define LOCAL_ID 0
#define SYNC
#define SHARED
#else
#define GROUP_ID ((int) get_group_id (0))
#define LOCAL_ID ((int) get_local_id (0))
#define SYNC barrier (CLK_LOCAL_MEM_FENCE);
#define SHARED local
#endif

/* Makes sum what those of the work-items before have together; sums: room for
 * ALL_GROUP of them. */
#define SUM_BEFORE(sums, sum) do { \
    (sums)[LOCAL_ID] = sum; \
    SYNC \
    for (int step = 1; step < ALL_GROUP; step *= 2) { \
      int before = LOCAL_ID >= step ? (sums)[LOCAL_ID - step] : 0; \
\
      SYNC \
      (sums)[LOCAL_ID] += before; \
      SYNC \
    } \
    sum = (sums)[LOCAL_ID] - sum; \
  } while (0)

#if LANES != 1
/* Whether any lane of a comparison is true. */
static bool
any_of (intn m)
{
  ulong2 bits = as_ulong2 (convert_char16 (m));

  return (bits.x | bits.y) != 0;
}
#endif

/* The first sample of an octave that counts when those from begin to end of the
 * first octave do, and reach others on both sides; and the one behind the last. */
static int
first_needed (int begin, int octave, int reach)
{
  return (begin >> octave) - reach;
}

static int
end_needed (int end, int octave, int reach)
{
  return (end >> octave) + 1 + reach;
}

static float
reciprocal1 (float x)
{
  return FIRST (reciprocal ((floatn) (x)));
}

/* To the nearest integer, ties to even, for |x| up to 2^22. */
static int
round_to_int (float x)
{
  return as_int (x + ROUND_BIAS) - as_int (ROUND_BIAS);
}

#endif
