/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* What the host code and the kernels of SIFT agree on. */
#ifndef SIFT_SHARED_H
#define SIFT_SHARED_H

/* Numbers of an octave in the plan */
#define OCTAVE 6
#define WIDTH 0
#define HEIGHT 1
#define PITCH 2
#define OFFSET 3
#define SIZE 4
#define MARKS 5                 /* its first bit, of those of all samples */

/* Numbers of a tile in the plan */
#define TILE 5

/* Samples at each edge of a level where no extrema are looked for */
#define BORDER 5

/* Samples that the refinement of a point leads away, at most */
#define REACH 10

/* Numbers of the state: points that were found, points in the list, the lowest
 * bin that is kept, and points that were dropped; then how many responses fall into
 * each bin, how many are in higher ones, and the marks, one bit for a sample. */
#define FOUND 0
#define LISTED 1
#define LOWEST 2
#define DROPPED 3
#define COUNTS 4
#define N_BINS (20 << 9)
#define STARTS (COUNTS + N_BINS)
#define MARKED (STARTS + N_BINS + 1)

/* Size of a point in words: octave, layer, row, column; then as floats the
 * distances to the extremum in layers, rows and columns, and the response. */
#define POINT 8
#define D_LAYER 4
#define D_ROW 5
#define D_COLUMN 6
#define RESPONSE 7

/* Largest number of directions of a point */
#define MAX_DIRECTIONS 8

#endif
