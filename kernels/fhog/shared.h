/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* What the host code and the kernels of fhog agree on. */
#ifndef FHOG_SHARED_H
#define FHOG_SHARED_H

/* Numbers that the plan has for each size of the frame, and what they are */
#define PICTURE 16
#define WIDTH 0
#define HEIGHT 1
#define PITCH 2
#define PLANES 3                /* where they begin */
#define PLANE 4                 /* numbers of a plane */
#define GRADIENTS 5
#define SOURCE_WIDTH 6
#define SOURCE 7                /* the picture that it is made of, -1: the frame */
#define SAMPLES 8               /* what others are made of, -1: nothing */
#define TALL 9                  /* scaled in one direction */
#define ROW_TAPS 10
#define ROW_TABLE 11            /* in the plan: for each row, those it is made of,
                                 * then the shares in 32768 */
#define COLUMN_TAPS 12
#define COLUMN_TABLE 13         /* numbers of all columns for each tap, then the
                                 * shares, 4 times each */

/* For a level of the pyramid */
#define LEVEL 12
#define OF_PICTURE 0
#define CELLS_X 1
#define CELLS_Y 2
#define CELL_PITCH 3
#define SUMS 4
#define ENERGIES 5
#define FIRST_CELL 6            /* of the features */
#define COLUMNS_OUT 7           /* padding included */
#define PAD_X 8
#define PAD_Y 9

#define ALL_BINS 18             /* directions of a histogram */

#endif
