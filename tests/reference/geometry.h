/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "reference.h"

/* Kinds of motion models, ordered by the number of pairs that determine a model */
enum
{
  REF_TRANSLATION,
  REF_RIGID,
  REF_SIMILARITY,
  REF_AFFINE,
  REF_HOMOGRAPHY
};

#define REF_GEOMETRY_GROUPS 16

/* Maximum number of random samples of a draw. A draw takes samples until one of them determines a
 * model. */
#define REF_GEOMETRY_TRIES 8

/* Result of a group of draws: the 8 numbers of a model and its origin in @numbers, and its score.
 * All bits of the score are 1 if all draws are degenerate. */
typedef struct
{
  float numbers[10];
  uint64_t score;
} RefGeometryResult;

/* Describes a fit to @n pairs of points, sorted from the best pair on. A pair is x, y, x' and y',
 * in pixels. */
typedef struct
{
  int model;
  double threshold;
  uint32_t n_draws, seed;
  const float *pairs;
  uint32_t n;

  RefGeometryResult results[REF_GEOMETRY_GROUPS];
  double matrix[9];             /* matrix of the result with the lowest score; of results with equal
                                 * scores, the first */
  uint32_t n_inliers;           /* number of pairs that agree with the result; 0 if there is no
                                 * result */
} RefGeometry;

/* Computes a fit, and writes its result to the last members of @fit. */
void ref_geometry_fit (RefGeometry * fit);
