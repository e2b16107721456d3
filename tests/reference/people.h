/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "reference.h"

/* Scores of the detection windows in one size of the frame. Window (column, row) begins at pixel (8
 * column, 8 row) and has the score scores[row * columns + column]. */
typedef struct
{
  double scale;                 /* width of the frame divided by the width of the level */
  int width, height;
  int columns, rows;            /* numbers of detection windows along each axis */
  float *scores;
} RefPeopleLevel;

typedef struct
{
  int n_levels;
  RefPeopleLevel *levels;
} RefPeople;

/* Describes a detector by its detection window. */
typedef struct
{
  int columns, rows;            /* size of the detection window in blocks, which is one less than
                                 * its size in cells of 8 pixels */
  int has_roots;                /* whether gradients are computed from square roots of samples */
  int max_levels;
  const float *weights;         /* weights of 36 features for each column of blocks, row by row,
                                 * followed by the bias */
} RefPeopleWindow;

/* Runs the people detector of docs/algorithms/people.md without grouping, on red, green and
 * blue of 8 bits. Returns 0 if there is not enough memory. */
int ref_people (const RefPlane rgb[3], const RefPeopleWindow * window, RefPeople * people);

void ref_people_clear (RefPeople * people);
