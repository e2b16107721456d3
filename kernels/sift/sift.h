/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Code that the kernels of SIFT share. The algorithm is described in docs/algorithms/sift.md.
 *
 * All levels of all octaves are in one buffer of floats. The plan is an array of ints that the host
 * writes. It contains:
 * - for each octave, OCTAVE numbers. The first sample of level l is at OFFSET + l * SIZE. Rows are
 *   PITCH floats apart, a multiple of 16.
 * - the weights of the blurs
 * - lists of tiles. A tile has these numbers: octave, level, column and row of its first corner,
 *   and the distance from the region within which its level is needed. Tiles of blurs also have the
 *   number of levels to compute, and a margin. A work-group processes a tile.
 *
 * The region is the part of the frame where points are accepted: @left, @top, @right and
 * @bottom, in samples of the first octave. @right and @bottom are the first column and row
 * outside. */
#ifndef SIFT_H
#define SIFT_H

/* Number of samples that a work-item processes at once, each in one lane (element) of a vector:
 * 1 or 16. */
#ifndef LANES
#define LANES 16
#endif

#include "base/group.h"
#include "base/math.h"
#include "base/pixels.h"
#include "sift/sift-shared.h"

/* Loads and stores vectors at any address. vload and vstore are not used, because PoCL splits
 * them into one access for each element: see base/pixels.h. The macros with NEAR access private
 * memory or, if work-groups share local memory, local memory. */
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

#if LANES != 1
/* Returns true if any lane of a comparison is true. */
static bool
any_of (intn m)
{
  ulong2 bits = as_ulong2 (convert_char16 (m));

  return (bits.x | bits.y) != 0;
}
#endif

/* Range of rows (or columns) of an octave that a search for points needs. Points are searched
 * for from row @begin to row @end, in samples of the first octave, and the search depends on
 * samples up to @reach away. first_needed() returns the first needed row, end_needed() the row
 * after the last needed row. */
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

/* Returns the number of found points that were not dropped. */
static int
count_points (const global int *state)
{
  return state[FOUND] - state[DROPPED];
}

/* Points are sorted into bins by their response. The index of a bin is computed from the upper
 * bits of the response as a float. */
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

/* Returns the integer nearest to x, ties to even, for |x| up to 2^22. */
static int
round_to_int (float x)
{
  return as_int (x + ROUND_BIAS) - as_int (ROUND_BIAS);
}

#endif
