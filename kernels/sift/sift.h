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

/* Work-items of a work-group: files with work-groups name one of the knobs. */
#ifndef GROUP
#define GROUP 1
#endif

/* Samples that a work-item takes at once: 1 or 16. */
#ifndef LANES
#define LANES 16
#endif

#include "base/math.h"
#include "base/pixels.h"
#include "sift/shared.h"

/* PoCL takes vload and vstore apart into lanes: see base/pixels.h. NEAR: in private
 * memory, or in that of the work-group where it has one. */
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

/* Returns: how many points are in the list now */
static int
count_points (const global int *state)
{
  return state[FOUND] - state[DROPPED];
}

/* The bin of a response: the bits of the float, without the last ones. */
#define BIN_SHIFT 14
#define FIRST_BIN (111 << 9)

static int
bin_of (float response)
{
  return clamp ((as_int (response) >> BIN_SHIFT) - FIRST_BIN, 0, N_BINS - 1);
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
