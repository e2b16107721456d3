/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* What the host code and the kernels of people agree on. */
#ifndef PEOPLE_SHARED_H
#define PEOPLE_SHARED_H

/* Numbers that the plan has for each size of the frame, and what they are */
#define PEOPLE_LEVEL 12
#define HEIGHT 0
#define TILES_X 1
#define PITCH 2
#define PLANES 3                /* where they begin */
#define PLANE 4                 /* numbers of a plane */
#define TILES 5
#define BLOCKS 6
#define LAST_BLOCK 7            /* the last row of them */
#define FIRST_SCORE 8
#define WINDOWS_X 9
#define WINDOWS_PITCH 10
#define SOURCES 11              /* of its columns and rows, in the plan: two pixels
                                 * each, and the share of the second in 256 */

#define CELL 8                  /* pixels that a cell is wide and high */
#define ALL_BINS 9
#define BLOCK_FEATURES 36
#define BLOCK_COLUMNS 7         /* of a window */
#define BLOCK_ROWS 15

/* Numbers of a hit in the list, and of what comes before the first */
#define PEOPLE_HIT 4

#endif
