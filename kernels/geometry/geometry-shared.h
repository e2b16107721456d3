/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Constants that the host code and the kernels of geometry share. */
#ifndef GEOMETRY_SHARED_H
#define GEOMETRY_SHARED_H

/* Kinds of geometric models, in the order of the enumeration GstMgpuFitModel */
#define TRANSLATION 0
#define RIGID 1
#define SIMILARITY 2
#define AFFINE 3
#define HOMOGRAPHY 4

/* Number of draws (random samples) of a stage; a fit may end after each
 * stage */
#define STAGE 256

/* Largest number of samples that a draw takes until one of them determines a
 * model */
#define TRIES 8

/* Number of groups of draws: draw d belongs to group d % GROUPS. The best draw
 * of each group is polished, that is, refined by Gauss-Newton steps. */
#define GROUPS 16

/* Number of partial sums into which each sum over all pairs is divided: pair i
 * is added to partial sum i % SUM_LANES */
#define SUM_LANES 16

/* Number of times that a model is scored while it is polished: before, between and
 * after the steps */
#define PASSES 9

/* Size of the description of a fit in words, and the index of each of its
 * members: number of pairs, index of its first float, distance between the four
 * rows of its floats (x and y of all first points, x and y of all second
 * points), the factor (a float) by which a squared distance is multiplied to
 * get the member e of the struct Moved, and the zoom of a translation or a
 * rigid model (a float) */
#define FIT 5
#define N_PAIRS 0
#define FIRST 1
#define PITCH 2
#define SCALE 3
#define ZOOM 4

/* Size of the state of a fit in words, and the index of each of its members: whether it has
 * ended, its number of stages, the number of pairs that agree with the best draw, and for each
 * group the number of its best draw; then for each group its score, lower half first */
#define STATE (4 + 3 * GROUPS)
#define ENDED 0
#define STAGES 1
#define AGREE 2
#define DRAWS 4
#define SCORES (DRAWS + GROUPS)

/* Size of a result in words: 8 numbers of a model, its origin x and y (all floats),
 * and its score, lower half first */
#define RESULT 12

/* Cost of a pair that does not agree with a model at all: the largest cost */
#define FAR_OFF 65535

/* Number of sums over all pairs from which a Gauss-Newton step is computed */
#define N_SUMS 27

#endif
