/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Constants of the solver that removes seams, and of the kernels that set up its equation. */
#ifndef INPAINT_SEAM_H
#define INPAINT_SEAM_H

#include "inpaint/inpaint-shared.h"

/* DEPTH is the number of bits of a sample in the computation. ONE is the weight of a neighbor
 * at the distance of one cell. MAX_FLOW and MAX_LIFT limit the elements of the arrays @flow and
 * @lift; with these limits, ONE (MAX_FLOW + 4 MAX_LIFT) fits into an int. */
#define DEPTH 14
#define ONE 32
#define MAX_FLOW (1 << 25)
#define MAX_LIFT (1 << 22)

/* UNITS() converts a sample of @depth bits to the unit of shades. This unit is that of a sample
 * of DEPTH bits or, if @depth is larger, of the sample itself. MORE_BITS() is the number of bits
 * by which UNITS() shifts a sample. */
#define MORE_BITS(depth) max (DEPTH - (depth), 0)
#define UNITS(sample, depth) ((sample) << MORE_BITS (depth))

/* Converts a number in UNITS() to the unit of samples of DEPTH bits. */
#define TO_DEPTH(units, depth) ((units) >> max ((depth) - DEPTH, 0))

/* Value for pixels without a shade */
#define NO_SHADE INT_MIN

/* Offset of the neighbor on a side: 0 left, 1 above, 2 right, 3 below */
#define SIDE_X(side) ((side) == 0 ? -1 : (side) == 2)
#define SIDE_Y(side) ((side) == 1 ? -1 : (side) == 3)

#endif
