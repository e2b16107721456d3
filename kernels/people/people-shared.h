/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Constants that the host code and the kernels of people share. */
#ifndef PEOPLE_SHARED_H
#define PEOPLE_SHARED_H

/* Number of ints that describe a level (one scaled size of the frame) in the plan, and the index
 * of each of them */
#define PEOPLE_LEVEL 10
#define HEIGHT 0
#define PITCH 1
#define PLANES 2                /* index of the level's first plane in the buffer of sample
                                 * planes */
#define PLANE 3                 /* number of elements of a plane */
#define TILES 4
#define BLOCKS 5
#define LAST_BLOCK 6            /* index of the last row of blocks */
#define FIRST_SCORE 7
#define WINDOWS_PITCH 8
/* index, in the array `plan`, of the table for the bilinear scaling of the frame to this level.
 * The table contains the first of two source pixels, and the weight of the second pixel in units
 * of 1 / 256, for each column and then for each row */
#define SOURCES 9

/* Number of ints that describe a span (a part of a row of a level) in the work lists, and the
 * index of each of them */
#define PEOPLE_SPAN 4
#define SPAN_LEVEL 0
#define SPAN_ROW 1
#define SPAN_BEGIN 2            /* first column of the span */
#define SPAN_END 3              /* column after the last column of the span */

#define CELL 8                  /* width and height of a cell in pixels */
#define ALL_BINS 9
#define BLOCK_FEATURES 36
#define TOGETHER 8              /* number of tiles that a work-group computes on GPUs */
#define TILE_FEATURES (16 * ALL_BINS)  /* number of sums of a tile */

/* Number of ints of a hit (a window with a high score) in the list of hits. The head of this
 * list has the same size. */
#define PEOPLE_HIT 4

#endif
