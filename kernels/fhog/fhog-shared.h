/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Constants that the host code and the kernels of fhog share. */
#ifndef FHOG_SHARED_H
#define FHOG_SHARED_H

/* Number of ints by which the plan describes a picture (the frame scaled to one
 * size), and the index of each of them */
#define PICTURE 16
#define WIDTH 0
#define HEIGHT 1
#define PITCH 2
#define PLANES 3                /* index in the buffer of planes where the picture's colour planes
                                 * begin */
#define PLANE 4                 /* number of elements of a colour plane */
#define GRADIENTS 5
#define SOURCE_WIDTH 6
/* index, in the buffer of samples, of the first sample of the picture from which this picture is
 * scaled; -1 if it is scaled from the frame */
#define SOURCE 7
/* index, in the buffer of samples, of the first sample of this picture; -1 if no other picture is
 * scaled from this one */
#define SAMPLES 8
#define TALL 9                  /* index, in the buffer of vertically scaled samples, of the first
                                 * sample of the picture */
#define ROW_TAPS 10
/* index in the plan of the table for vertical scaling: for each row the source
 * rows, then their weights in units of 1 / 32768 */
#define ROW_TABLE 11
#define COLUMN_TAPS 12
/* index in the plan of the table for horizontal scaling. Its first part holds a row of source
 * columns (one for each output column) for each tap; its second part holds the weights in the
 * same order, each 4 times, for the 4 samples of a pixel */
#define COLUMN_TABLE 13

/* Number of ints by which the plan describes a level of the pyramid, and the
 * index of each of them */
#define LEVEL 12
#define OF_PICTURE 0
#define CELLS_X 1
#define CELLS_Y 2
#define CELL_PITCH 3
#define SUMS 4
#define ENERGIES 5
#define FIRST_CELL 6            /* number of the level's first cell among the
                                 * features of all levels */
/* number of cells in a row of features, padding included */
#define COLUMNS_OUT 7
#define PAD_X 8
#define PAD_Y 9

/* Number of ints of an entry of a list. The first is the number of a picture or
 * of a level, the second a row of it. Kernels that work on cells compute elements
 * BEGIN to END - 1 of each part of a row of cells (see cells.cl); fhog_strips()
 * computes the gradients of rows BEGIN to END - 1. */
#define ENTRY 4
#define BEGIN 2
#define END 3

#define ALL_BINS 18             /* number of directions in a histogram */

#endif
