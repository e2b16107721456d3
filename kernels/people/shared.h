/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Constants that the host code and the kernels of people share. */
#ifndef PEOPLE_SHARED_H
#define PEOPLE_SHARED_H

/* Size of the description of a size of the frame in the plan, in ints, and the
 * index of each of its members */
#define PEOPLE_LEVEL 12
#define HEIGHT 0
#define TILES_X 1
#define PITCH 2
#define PLANES 3                /* index where the planes of the level begin */
#define PLANE 4                 /* number of elements of a plane */
#define TILES 5
#define BLOCKS 6
#define LAST_BLOCK 7            /* number of the last row of blocks */
#define FIRST_SCORE 8
#define WINDOWS_X 9
#define WINDOWS_PITCH 10
/* index in the plan of the sources of the level's columns and rows: the first
 * of two pixels each, and the share of the second in 256 */
#define SOURCES 11

#define CELL 8                  /* width and height of a cell in pixels */
#define ALL_BINS 9
#define BLOCK_FEATURES 36
#define BLOCK_COLUMNS 7         /* width of a window in blocks */
#define BLOCK_ROWS 15

/* Size in ints of a hit in the list, and of the head of the list */
#define PEOPLE_HIT 4

#endif
