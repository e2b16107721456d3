/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Constants that the kernels of both layers (background and moving objects) share with the host. */
#ifndef LAYERS_SHARED_H
#define LAYERS_SHARED_H

/* Maximum and minimum number of earlier frames that the ring buffer keeps */
#define LAYERS_FRAMES 30
#define LAYERS_MIN_FRAMES 8

/* Distance, in frames, of the two frames that are compared to find pixels that stand still */
#define LAYERS_LAG 6

/* Width and height of a cell, in pixels, and number of candidates that a cell keeps */
#define LAYERS_CELL 8
#define LAYERS_BEST 3

/* Padding of the 8-bit pictures: number of columns on the left and on the right, and number of rows
 * above and below. Pixels in the padding count as hidden; this includes all columns from LAYERS_PAD
 * + width up to the stride. */
#define LAYERS_PAD 32
#define LAYERS_PAD_ROWS 3

/* Opacity of a pixel that shows only a moving object, and value for a hidden pixel */
#define LAYERS_OPAQUE 128
#define LAYERS_HIDDEN 255

/* Number of weights in the table of 4096 2^(-i / 45) */
#define LAYERS_WEIGHTS 540

/* Indices of the entries of the state, an array of ints. Entries that come in pairs have a value
 * for scenes with even numbers and a value for scenes with odd numbers. SCENE: number of the scene
 * of the newest frame, from 0 on
 * FIRST, LAST: number of the first frame and of the newest frame of a scene
 * NOISE: measured noise, in 1/8 gray level FILLED: scene of the last frame that was filled; -1:
 * none
 * SCENES: scene of each frame of the ring */
#define LAYERS_SCENE 0
#define LAYERS_FIRST 1
#define LAYERS_LAST 3
#define LAYERS_NOISE 5
#define LAYERS_FILLED 7
#define LAYERS_SCENES 8

/* A scene begins when more than 1 / CUT_PART of the visible pixels differ from the previous frame
 * by more than CUT_LEVEL gray levels. */
#define LAYERS_CUT_PART 4
#define LAYERS_CUT_LEVEL 32

/* Number of bins of the histogram from which the noise is found */
#define LAYERS_BINS 128

/* Indices of the entries of the sums, an array of uints: the histogram of the noise, the number
 * of visible pixels, the number of those that have changed, and the counts of the frame that is
 * filled */
#define LAYERS_VISIBLE LAYERS_BINS
#define LAYERS_CHANGED (LAYERS_BINS + 1)
#define LAYERS_COUNTS (LAYERS_BINS + 2)
#define LAYERS_N_SUMS (LAYERS_COUNTS + LAYERS_N_COUNTS)

/* Indices of the counts: numbers of filled pixels that show mostly other frames, the background, or
 * the spatial filling; sum of the costs of the best candidates, in 1/64 gray level; and number of
 * these candidates */
#define LAYERS_VIDEO_PIXELS 0
#define LAYERS_PLATE_PIXELS 1
#define LAYERS_SPATIAL_PIXELS 2
#define LAYERS_COST 3
#define LAYERS_COSTS 4
#define LAYERS_N_COUNTS 5

#endif
