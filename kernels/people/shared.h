/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Constants that the host code and the kernels of people share. */
#ifndef PEOPLE_SHARED_H
#define PEOPLE_SHARED_H

/* Size of the description of a size of the frame in the plan, in ints, and the
 * index of each of its members */
#define PEOPLE_LEVEL 10
#define HEIGHT 0
#define PITCH 1
#define PLANES 2                /* index where the planes of the level begin */
#define PLANE 3                 /* number of elements of a plane */
#define TILES 4
#define BLOCKS 5
#define LAST_BLOCK 6            /* number of the last row of blocks */
#define FIRST_SCORE 7
#define WINDOWS_PITCH 8
/* index in the plan of the sources of the level's columns and rows: the first
 * of two pixels each, and the share of the second in 256 */
#define SOURCES 9

/* Size of a piece of a row in the lists, in ints, and the index of each of its
 * members */
#define PEOPLE_PIECE 4
#define PIECE_LEVEL 0
#define PIECE_ROW 1
#define PIECE_BEGIN 2           /* first column */
#define PIECE_END 3             /* column before which the piece ends */

#define CELL 8                  /* width and height of a cell in pixels */
#define ALL_BINS 9
#define BLOCK_FEATURES 36

/* Size in ints of a hit in the list, and of the head of the list */
#define PEOPLE_HIT 4

#endif
