/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Constants shared by the kernels of HOG features and the code on the host. */
#ifndef FHOG_SHARED_H
#define FHOG_SHARED_H

/* Number of ints that describe a picture (the frame scaled to one size) in the plan, and the
 * index of each of them */
#define PICTURE 16
#define WIDTH 0
#define HEIGHT 1
#define PITCH 2
#define PLANES 3                /* index, in the buffer of planes, at which the picture's color
                                 * planes begin */
#define PLANE 4                 /* number of elements of a color plane */
#define GRADIENTS 5
#define SOURCE_WIDTH 6
/* Index of the first sample of the picture from which this picture is scaled, in the buffer of
 * samples; -1 if it is scaled from the frame */
#define SOURCE 7
/* Index of the first sample of this picture, in the buffer of samples; -1 if no other picture
 * is scaled from this one */
#define SAMPLES 8
#define TALL 9                  /* index of the first sample of the picture, in the buffer of
                                 * vertically scaled samples */
#define ROW_TAPS 10
/* Index in the plan of the table for vertical scaling. For each row, the table has the source
 * rows, then their weights in units of 1 / 32768 */
#define ROW_TABLE 11
#define COLUMN_TAPS 12
/* Index in the plan of the table for horizontal scaling. Its first part has a row for each tap,
 * with the source column of each output column. Its second part has the weights in the same
 * order, each 4 times, for the 4 samples of a pixel */
#define COLUMN_TABLE 13

/* Number of ints that describe a level of the pyramid in the plan, and the index of each of
 * them */
#define LEVEL 12
#define OF_PICTURE 0
#define CELLS_X 1
#define CELLS_Y 2
#define CELL_PITCH 3
#define SUMS 4
#define ENERGIES 5
#define FIRST_CELL 6            /* number of the level's first cell; counted over the features
                                 * of all levels */
/* Number of cells in a row of features, including padding */
#define COLUMNS_OUT 7
#define PAD_X 8
#define PAD_Y 9

/* Number of ints of an entry of a list. The first int is the number of a picture or a level,
 * the second the number of a row in it. BEGIN and END are indices of the other two. Kernels
 * that work on cells compute elements entry[BEGIN] to entry[END] - 1 of each part of a row of
 * cells (see cells.cl). fhog_strips() computes the gradients of rows entry[BEGIN] to entry[END]
 * - 1. */
#define ENTRY 4
#define BEGIN 2
#define END 3

#define ALL_BINS 18             /* number of directions in a histogram */

#endif
