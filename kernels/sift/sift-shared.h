/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Constants that the host code and the kernels of SIFT share. */
#ifndef SIFT_SHARED_H
#define SIFT_SHARED_H

/* Number of ints by which the plan describes an octave, and the index of each
 * of them */
#define OCTAVE 6
#define WIDTH 0
#define HEIGHT 1
#define PITCH 2
#define OFFSET 3
#define SIZE 4
/* number of the octave's first bit among the marks, one bit for each sample of
 * all octaves */
#define MARKS 5

/* Size of the description of a tile in the plan, in ints: see sift/sift.h */
#define TILE 7

/* Indices in the description of a tile of a blur: the number of levels that a work-group computes
 * one from the other, and the number of samples around the tile that it computes of the first of
 * them, a multiple of 4 */
#define TILE_LEVELS 5
#define TILE_MARGIN 6

/* Width of the border of a level where no extrema are searched, in samples */
#define BORDER 5

/* Largest distance by which the refinement moves a point, in samples */
#define REACH 10

/* Indices in the array @state: the number of found points, the number of points in the list,
 * the lowest bin of responses that is kept, and the number of dropped points; then for each bin
 * the number of points in it (COUNTS) and the number of points in higher bins (STARTS), and the
 * marks (MARKED), one bit for each sample. */
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

/* Words of a point that the caller gives, in place of distances: the standard
 * deviation of the blur of its layer, in samples of its octave, and its angle in
 * degrees, below 0 if it is to be found */
#define GIVEN_SCALE 4
#define GIVEN_ANGLE 5

/* Largest number of directions of a point */
#define MAX_DIRECTIONS 8

#endif
