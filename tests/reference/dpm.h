/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

/* Number of features of a cell. */
#define REF_DPM_FEATURES 32

/* Score of a cell at which there is no score. */
#define REF_DPM_NONE -1e30f

typedef struct
{
  int rows, columns;
  const float *weights;         /* weights, ordered as [row][column][feature] */
} RefDpmFilter;

typedef struct
{
  RefDpmFilter filter, pca;
  int x, y;                     /* expected position in the window of the root, in cells of half the
                                 * size */
  float deformation[4];         /* factors of dx * dx, dx, dy * dy and dy in the cost */
} RefDpmPart;

typedef struct
{
  RefDpmFilter root, root_pca;
  int n_parts;
  const RefDpmPart *parts;
  float offset, location[3];

  /* The cascade: the parts in the order in which their scores are added, and n_parts + 1
   * limits; limit i is the least score of the root and the first i parts. */
  const unsigned *order;
  const float *limits;
} RefDpmComponent;

/* Describes a cascade: a search with few features first. */
typedef struct
{
  int n_pca;
  const float *pca;             /* factors, ordered as [REF_DPM_FEATURES][n_pca] */
  float shift;                  /* added to all limits */
} RefDpmCascade;

/* Holds the features of one size of a frame, ordered as [row][column][REF_DPM_FEATURES]. */
typedef struct
{
  int columns, rows;
  const float *features;
} RefDpmLevel;

/* Computes the score of the model with its root at each cell of the level @coarse, and the
 * number of the best component there; REF_DPM_NONE and -1 if no component fits. The level @fine
 * has cells of half the size; @cascade is NULL to score all positions; @octave, 0 to 2, selects
 * the location weights; margin_x and margin_y are the cells of padding at each edge of both
 * levels. Returns 0 if there is not enough memory. */
int ref_dpm (const RefDpmComponent * components, int n_components,
    const RefDpmCascade * cascade, const RefDpmLevel * fine,
    const RefDpmLevel * coarse, int octave,
    int margin_x, int margin_y, float *scores, int *best);
