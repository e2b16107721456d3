/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Constants that the host code and the kernels of SIFT share. */
#ifndef SIFT_SHARED_H
#define SIFT_SHARED_H

/* Number of ints that describe an octave in the plan, and the index of each of them */
#define OCTAVE 6
#define WIDTH 0
#define HEIGHT 1
#define PITCH 2
#define OFFSET 3
#define SIZE 4
/* index of the octave's first bit among the marks; the marks have one bit for each sample of all
 * octaves */
#define MARKS 5

/* Size of the description of a tile in the plan, in ints: see sift/sift.h */
#define TILE 7

/* Indices into the description of a tile of a blur. TILE_LEVELS is the number of levels that a
 * work-group computes, each from the level before. TILE_MARGIN is the number of samples around
 * the tile that are also computed in the first of these levels, a multiple of 4. */
#define TILE_LEVELS 5
#define TILE_MARGIN 6

/* Size of a tile in samples, if a work-group computes several levels of it */
#define LEVELS_X 32
#define LEVELS_Y 32

/* Width, in samples, of the border of a level where extrema are not searched for */
#define BORDER 5

/* Largest distance by which the refinement moves a point, in samples */
#define REACH 10

/* Indices into the array @state:
 * FOUND: number of points found
 * LISTED: number of points in the list
 * LOWEST: lowest bin of responses that is kept
 * DROPPED: number of dropped points
 * COUNTS: for each bin, the number of points in it
 * STARTS: for each bin, the number of points in higher bins
 * MARKED: marks, one bit for each sample */
#define FOUND 0
#define LISTED 1
#define LOWEST 2
#define DROPPED 3
#define COUNTS 4
#define N_BINS (20 << 9)
#define STARTS (COUNTS + N_BINS)
#define MARKED (STARTS + N_BINS + 1)

/* Size of a point in words. The first four words are octave, layer, row and column as ints. The
 * others are floats: the distances to the extremum in layers, rows and columns, and the
 * response. */
#define POINT 8
#define D_LAYER 4
#define D_ROW 5
#define D_COLUMN 6
#define RESPONSE 7

/* Words of a point given by the caller, which replace the distances: the standard deviation of
 * the blur of its layer, in samples of its octave, and its angle in degrees. A negative angle
 * has to be computed. */
#define GIVEN_SCALE 4
#define GIVEN_ANGLE 5

/* Largest number of directions of a point */
#define MAX_DIRECTIONS 8

#endif
