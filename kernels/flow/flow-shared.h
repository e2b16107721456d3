/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Constants that the host code and the kernels of optical flow share. */
#ifndef FLOW_SHARED_H
#define FLOW_SHARED_H

/* Width, in pixels, of the padding on each side of a level, which repeats the edges of the level */
#define LEVEL_PAD 16

/* Distance, in pixels, from one patch to the next one; patches are wider and overlap */
#define PATCH_STRIDE 4

/* Number of floats before each row of a plane of the refinement. A plane also has a row above
 * its first row, and a row below its last row. The values of all these floats are finite, and
 * have no effect on results. */
#define PLANE_PAD 16

/* Indices of the planes that hold the linear equations of a step of the refinement */
#define RIGHT 0                 /* link (smoothness weight) to the right neighbor */
#define DOWN 1
#define A12 2                   /* A12 to R2: coefficients, see docs/algorithms/flow.md */
#define C1 3
#define C2 4
#define R1 5
#define R2 6
#define N_STEP_PLANES 7

/* Width and height, in pixels, of the part of a field for which a work-group computes equations */
#define SYSTEM_X 32
#define SYSTEM_Y 8

/* Indices of the planes of a field: horizontal and vertical motion */
#define U 0
#define V 1
#define N_FIELD_PLANES 2

/* Number of sweeps of a step of the refinement, and number of half-sweeps. A half-sweep relaxes the
 * pixels of one color of a chessboard. */
#define N_SWEEPS 5
#define N_HALVES (2 * N_SWEEPS)

/* Number of rows above and below a part of the field in which the other image is also warped,
 * because the sweeps and the equations of the part depend on these rows */
#define STEP_MARGIN (N_HALVES + 1)

/* Number of additional columns that are computed on each side of a part. The values of the
 * outermost columns are wrong, because they lack neighbors; each half-sweep makes the values of one
 * more column on each side wrong. */
#define STEP_SIDE 16

/* Number of elements before and after each row in local memory */
#define ROW_PAD 16

/* Sizes, in floats, of a row in local memory for a part of at most n columns. In a plain row, the
 * columns are in order; in a split row, even and odd columns are stored separately. */
#define PLAIN_ROW(n) ((n) + 2 * STEP_SIDE + 2 * ROW_PAD)
#define SPLIT_ROW(n) ((n) + 2 * STEP_SIDE + ROW_PAD)

/* Numbers of kinds of plain and of split rows that flow/rows.cl stores, and of rows of each kind
 * that are kept at the same time */
#define N_PLAIN_KINDS 8
#define N_PLAIN 4
#define N_SPLIT_KINDS (N_STEP_PLANES - RIGHT + N_FIELD_PLANES)
#define N_SPLIT (N_HALVES + 3)

/* Size, in bytes, of the local memory of flow_step for parts of at most n columns */
#define STEP_BYTES(n) (4 * ((N_PLAIN_KINDS * N_PLAIN + 1) * PLAIN_ROW (n) \
    + N_SPLIT_KINDS * N_SPLIT * SPLIT_ROW (n)))

#endif
