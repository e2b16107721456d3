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
#define MEAN_IMAGE 0            /* mean of the image and of the other one, moved */
#define DIFFERENCE 1            /* the other image, moved, less the image */
#define RIGHT 2                 /* weight of the difference to the right neighbour */
#define DOWN 3
#define A12 4                   /* the rest: the equations of docs/algorithms/flow.md */
#define C1 5
#define C2 6
#define R1 7
#define R2 8
#define N_STEP_PLANES 9

/* Planes of a field: the horizontal and the vertical motion */
#define U 0
#define V 1
#define N_FIELD_PLANES 2

#endif
