/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

/* Number of HOG features of a cell */
#define REF_DPM_FEATURES 32

/* Value that replaces the score where a cell has no score */
#define REF_DPM_NONE -1e30f

typedef struct
{
  int rows, columns;
  const float *weights;         /* weights, ordered as [row][column][feature] */
} RefDpmFilter;

typedef struct
{
  RefDpmFilter filter, pca;
  int x, y;                     /* expected position of the part in the window of the root, in cells
                                 * of half the size */
  float deformation[4];         /* factors of dx * dx, dx, dy * dy and dy in the deformation cost */
} RefDpmPart;

typedef struct
{
  RefDpmFilter root, root_pca;
  int n_parts;
  const RefDpmPart *parts;
  float offset, location[3];

  /* The cascade: the parts, in the order in which their scores are added, and n_parts + 1 limits.
   * Limit i is the minimum score of the root and the first i parts. */
  const unsigned *order;
  const float *limits;
} RefDpmComponent;

/* Describes a cascade, a search that first uses only a few (reduced) features. */
typedef struct
{
  int n_pca;
  const float *pca;             /* factors, ordered as [REF_DPM_FEATURES][n_pca] */
  float shift;                  /* added to all limits */
} RefDpmCascade;

/* Features of one size of a frame, ordered as [row][column][REF_DPM_FEATURES] */
typedef struct
{
  int columns, rows;
  const float *features;
} RefDpmLevel;

/* Computes the score of the model with its root at each cell of the level @coarse. Returns 0 if
 * there is not enough memory.
 * @cascade: NULL to compute the scores of all positions
 * @fine: level with cells of half the size
 * @octave: 0 to 2, selects the location weights
 * @margin_x, @margin_y: number of cells of padding at each edge of both levels
 * @scores: written, the score of each cell; REF_DPM_NONE if no component fits
 * @best: written, the index of the best component at each cell; -1 if no component fits */
int ref_dpm (const RefDpmComponent * components, int n_components,
    const RefDpmCascade * cascade, const RefDpmLevel * fine,
    const RefDpmLevel * coarse, int octave,
    int margin_x, int margin_y, float *scores, int *best);
