/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "reference.h"

#define REF_FHOG_FEATURES 32
#define REF_FHOG_DALAL 36

/* As in docs/algorithms/fhog.md. */
typedef struct
{
  int cell_size;                /* pixels: 4, 8 or 16 */
  int interval;                 /* levels of an octave */
  int max_levels;               /* the first so many; 0: all */
  int extra_octave;             /* one more, with cells of a quarter */
  int pad_x, pad_y;             /* cells on each side that lie outside of the frame */
  int linear;                   /* 0: resized by area */
  int whole_cells;              /* no octave with smaller ones */
  int dalal;                    /* those of Dalal and Triggs, REF_FHOG_DALAL; 0: Felzenszwalb's */
} RefFhogParams;

typedef struct
{
  int columns, rows;            /* cells, padding included */
  double scale;                 /* pixels of the scaled frame for one of the frame */
  int cell_size;                /* in pixels of the scaled frame */
  float *features;              /* [row][column][feature] */
} RefFhogLevel;

typedef struct
{
  int n_levels;
  RefFhogLevel *levels;
} RefFhog;

/* What ref_fhog() does in turn. */
typedef enum
{
  REF_FHOG_RESCALE,             /* takes samples of the frame, and scales them */
  REF_FHOG_HISTOGRAMS,
  REF_FHOG_ENERGIES,
  REF_FHOG_FILL,                /* makes features of histograms and energies */
  REF_FHOG_END
} RefFhogStage;

/* Is called when a stage begins, by which a program may time the stages; or NULL. */
extern void (*ref_fhog_stage) (RefFhogStage stage);

/* The feature pyramid of a frame. rgb: 8 bit. Returns 0 when there is no memory
 * left. */
int ref_fhog (const RefPlane rgb[3], const RefFhogParams * params, RefFhog * result);

void ref_fhog_clear (RefFhog * result);
