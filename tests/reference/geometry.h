/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "reference.h"

/* Kinds of models, ordered by the number of pairs that determine one */
enum
{
  REF_TRANSLATION,
  REF_RIGID,
  REF_SIMILARITY,
  REF_AFFINE,
  REF_HOMOGRAPHY
};

#define REF_GEOMETRY_GROUPS 16

/* Largest number of samples that a draw takes until one of them determines a model */
#define REF_GEOMETRY_TRIES 8

/* Holds the result of a group of draws: in @numbers the 8 numbers of a model and its origin,
 * and its score, of which all bits are 1 if all draws are degenerate */
typedef struct
{
  float numbers[10];
  uint64_t score;
} RefGeometryResult;

/* Describes a fit of n pairs of points, x, y, x' and y' each, in pixels, the best pairs first */
typedef struct
{
  int model;
  double threshold;
  uint32_t n_draws, seed;
  const float *pairs;
  uint32_t n;

  RefGeometryResult results[REF_GEOMETRY_GROUPS];
  double matrix[9];             /* matrix of the result with the lowest score, the first one of
                                 * several */
  uint32_t n_inliers;           /* number of pairs that agree with the result; 0 if there is no
                                 * result */
} RefGeometry;

/* Computes a fit: sets the last members of @fit. */
void ref_geometry_fit (RefGeometry * fit);
