/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Constants shared by the kernels of geometry fits and the code on the host. */
#ifndef GEOMETRY_SHARED_H
#define GEOMETRY_SHARED_H

/* Kinds of geometric models, in the order of the enumeration GstMgpuFitModel */
#define TRANSLATION 0
#define RIGID 1
#define SIMILARITY 2
#define AFFINE 3
#define HOMOGRAPHY 4

/* Number of draws (random samples) of a stage. After each stage, a fit may end */
#define STAGE 256

/* Maximum number of samples of a draw: samples are drawn until one of them determines a model */
#define TRIES 8

/* Number of groups of draws: draw d belongs to group d % GROUPS. The best draw of each group is
 * polished: refined by Gauss-Newton steps. */
#define GROUPS 16

/* Number of partial sums of each sum over all pairs: pair i is added to partial sum i %
 * SUM_LANES */
#define SUM_LANES 16

/* Number of times that a model is scored while it is polished: before, between and
 * after the steps */
#define PASSES 9

/* Size of the description of a fit in words, and the index of each of its members.
 * N_PAIRS: number of pairs.
 * FIRST: index of its first float.
 * PITCH: distance between the four rows of its floats (x and y of all first points, x and y of
 * all second points).
 * SCALE: a float, the factor of a squared distance in the member e of the struct Moved.
 * ZOOM: a float, the zoom of a translation or a rigid model. */
#define FIT 5
#define N_PAIRS 0
#define FIRST 1
#define PITCH 2
#define SCALE 3
#define ZOOM 4

/* Size of the state of a fit in words, and the index of each of its members.
 * ENDED: whether the fit has ended.
 * STAGES: its number of stages.
 * AGREE: number of pairs that agree with the best draw.
 * DRAWS: for each group, the number of its best draw.
 * SCORES: for each group, the score of this draw, lower half first. */
#define STATE (4 + 3 * GROUPS)
#define ENDED 0
#define STAGES 1
#define AGREE 2
#define DRAWS 4
#define SCORES (DRAWS + GROUPS)

/* Size of a result in words: the 8 numbers of a model, its origin x and y (all floats), and its
 * score, lower half first */
#define RESULT 12

/* Maximum cost of a pair: the pair does not agree with the model at all */
#define FAR_OFF 65535

/* Number of sums over all pairs of points; a Gauss-Newton step is computed from them */
#define N_SUMS 27

#endif
