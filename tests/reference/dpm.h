/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

/* Features of a cell. */
#define REF_DPM_FEATURES 32

/* Stands where there is no score. */
#define REF_DPM_NONE -1e30f

typedef struct
{
  int rows, columns;
  const float *weights;         /* [row][column][feature] */
} RefDpmFilter;

typedef struct
{
  RefDpmFilter filter, pca;
  int x, y;                     /* in the root's window, in cells of half the size */
  float deformation[4];         /* of dx * dx, dx, dy * dy, dy */
} RefDpmPart;

typedef struct
{
  RefDpmFilter root, root_pca;
  int n_parts;
  const RefDpmPart *parts;
  float offset, location[3];

  /* The cascade: parts in the order in which they are added, and the least
   * score with the root and the first i of them: n_parts + 1 */
  const unsigned *order;
  const float *limits;
} RefDpmComponent;

/* A search with few features first. */
typedef struct
{
  int n_pca;
  const float *pca;             /* [REF_DPM_FEATURES][n_pca] */
  float shift;                  /* added to all limits */
} RefDpmCascade;

/* Features of one size of a frame: [row][column][REF_DPM_FEATURES]. */
typedef struct
{
  int columns, rows;
  const float *features;
} RefDpmLevel;

/* Scores of the model with its root at each cell of a level, and the best
 * component there; REF_DPM_NONE and -1 where none has place. fine: the level with
 * cells of half the size; cascade: NULL for all places; octave: 0 to 2, whose location weights count; margin_x,
 * margin_y: cells of padding at each edge of both levels. Returns 0 when memory
 * runs out. */
int ref_dpm (const RefDpmComponent * components, int n_components,
    const RefDpmCascade * cascade, const RefDpmLevel * fine,
    const RefDpmLevel * coarse, int octave,
    int margin_x, int margin_y, float *scores, int *best);
