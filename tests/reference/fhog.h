/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "reference.h"

#define REF_FHOG_FEATURES 32
#define REF_FHOG_DALAL 36

/* Parameters of the feature pyramid of docs/algorithms/fhog.md. */
typedef struct
{
  int cell_size;                /* width and height of a cell in pixels: 4, 8 or 16 */
  int interval;                 /* number of pyramid levels per octave */
  int max_levels;               /* number of levels to compute, starting with the first; 0 for all
                                 * levels */
  int extra_octave;             /* whether there is an additional octave, whose cells have a quarter
                                 * of the size */
  int pad_x, pad_y;             /* number of cells of padding on each side of the frame */
  int linear;                   /* 1 to resize frames by linear interpolation; 0 to resize by
                                 * area */
  int whole_cells;              /* 1 if there is no octave with smaller cells */
  int dalal;                    /* REF_FHOG_DALAL for the features of Dalal and Triggs, 0 for
                                 * Felzenszwalb's */
} RefFhogParams;

typedef struct
{
  int columns, rows;            /* size of the level in cells, including padding */
  double scale;                 /* width of the scaled frame divided by the width of the frame */
  int cell_size;                /* width and height of a cell in pixels of the scaled frame */
  float *features;              /* features, ordered as [row][column][feature] */
} RefFhogLevel;

typedef struct
{
  int n_levels;
  RefFhogLevel *levels;
} RefFhog;

/* Stages of ref_fhog(), in the order in which they run. */
typedef enum
{
  REF_FHOG_RESCALE,             /* reads samples of the frame, and scales them */
  REF_FHOG_HISTOGRAMS,
  REF_FHOG_ENERGIES,
  REF_FHOG_FILL,                /* computes features from histograms and energies */
  REF_FHOG_END
} RefFhogStage;

/* Function that ref_fhog() calls at the beginning of each stage, to let a program measure the
 * time of stages. May be NULL. */
extern void (*ref_fhog_stage) (RefFhogStage stage);

/* Computes the feature pyramid of a frame of red, green and blue with 8 bits. Returns 0 if
 * there is not enough memory. */
int ref_fhog (const RefPlane rgb[3], const RefFhogParams * params, RefFhog * result);

void ref_fhog_clear (RefFhog * result);
