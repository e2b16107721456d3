/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "reference.h"

/* Kinds of models, by the pairs of a sample and what they keep */
enum
{
  REF_TRANSLATION,
  REF_RIGID,
  REF_SIMILARITY,
  REF_AFFINE,
  REF_HOMOGRAPHY
};

#define REF_GEOMETRY_GROUPS 16

/* What is found in a group of draws. numbers: the model of 8 numbers, and its origin;
 * score: all bits are 1 when all draws are degenerate */
typedef struct
{
  float numbers[10];
  uint64_t score;
} RefGeometryResult;

/* A fit of n pairs: x, y, x', y' each, in pixels, best first */
typedef struct
{
  int model;
  double threshold;
  uint32_t n_draws, seed;
  const float *pairs;
  uint32_t n;

  RefGeometryResult results[REF_GEOMETRY_GROUPS];
  double matrix[9];             /* of the result with the lowest score, the first of them */
  uint32_t n_inliers;           /* 0 when there is no result */
} RefGeometry;

/* Fills the last members of fit. */
void ref_geometry_fit (RefGeometry * fit);
