/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Constants that the host code and the kernels of people share. */
#ifndef PEOPLE_SHARED_H
#define PEOPLE_SHARED_H

/* Number of ints by which the plan describes a level (the frame in one of its
 * sizes), and the index of each of them */
#define PEOPLE_LEVEL 10
#define HEIGHT 0
#define PITCH 1
#define PLANES 2                /* index in the buffer of planes where the sample planes of the
                                 * level begin */
#define PLANE 3                 /* number of elements of a plane of the level */
#define TILES 4
#define BLOCKS 5
#define LAST_BLOCK 6            /* number of the last row of blocks of the level */
#define FIRST_SCORE 7
#define WINDOWS_PITCH 8
/* index in the plan of a table for the bilinear scaling of the frame to this
 * level: for each column, then each row, the first of two source pixels and the
 * weight of the second in units of 1 / 256 */
#define SOURCES 9

/* Number of ints that describe a span (a part of a row of a level) in the
 * lists of work, and the index of each of them */
#define PEOPLE_SPAN 4
#define SPAN_LEVEL 0
#define SPAN_ROW 1
#define SPAN_BEGIN 2            /* first column of the span */
#define SPAN_END 3              /* column behind the last column of the span */

#define CELL 8                  /* width and height of a cell in pixels */
#define ALL_BINS 9
#define BLOCK_FEATURES 36
#define TOGETHER 8              /* number of tiles of a work-group on graphics cards */
#define TILE_FEATURES (16 * ALL_BINS)  /* number of sums of a tile */

/* Number of ints of a hit (a window with a high score) in the list of hits. The head of this
 * list has the same size */
#define PEOPLE_HIT 4

#endif
