/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Constants of optical flow that kernels and host share. */
#ifndef FLOW_SHARED_H
#define FLOW_SHARED_H

/* Number of pixels around a level that repeat its edges */
#define LEVEL_PAD 16

/* Distance between patches that overlap, in pixels */
#define PATCH_STRIDE 4

/* Number of floats in front of each row of a plane of the refinement. There is also a row above
 * and one below. These floats are finite, and their values have no effect. */
#define PLANE_PAD 16

/* Planes of a step of the refinement */
#define RIGHT 0                 /* weight of the difference to the right neighbor */
#define DOWN 1
#define A12 2                   /* the rest: the equations of docs/algorithms/flow.md */
#define C1 3
#define C2 4
#define R1 5
#define R2 6
#define N_STEP_PLANES 7

/* Width and height of the part of a field for which a work-group makes equations */
#define SYSTEM_X 32
#define SYSTEM_Y 8

/* Planes of a field: the horizontal and the vertical motion */
#define U 0
#define V 1
#define N_FIELD_PLANES 2

/* A step of the refinement in rows. Halves of its sweeps: */
#define N_SWEEPS 5
#define N_HALVES (2 * N_SWEEPS)

/* Number of rows above and below a part of the field that are moved: sweeps and equations need
 * them. */
#define STEP_MARGIN (N_HALVES + 1)

/* Number of columns beside a part, on each side. The values of the outermost ones are wrong, and so
 * are those of one more column on each side with each half of a sweep. */
#define STEP_SIDE 16

/* Elements in front of rows in local memory, and behind them */
#define ROW_PAD 16

/* A row of a part of at most n columns, and one whose even columns and odd columns are apart */
#define PLAIN_ROW(n) ((n) + 2 * STEP_SIDE + 2 * ROW_PAD)
#define SPLIT_ROW(n) ((n) + 2 * STEP_SIDE + ROW_PAD)

/* Number of kinds of rows that flow/rows.cl stores, and number of rows of each kind that are kept */
#define N_PLAIN_KINDS 8
#define N_PLAIN 4
#define N_SPLIT_KINDS (N_STEP_PLANES - RIGHT + N_FIELD_PLANES)
#define N_SPLIT (N_HALVES + 3)

/* Bytes of local memory for parts of at most n columns */
#define STEP_BYTES(n) (4 * ((N_PLAIN_KINDS * N_PLAIN + 1) * PLAIN_ROW (n) \
    + N_SPLIT_KINDS * N_SPLIT * SPLIT_ROW (n)))

#endif
