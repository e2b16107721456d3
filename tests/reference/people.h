/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "reference.h"

/* One size of the frame. Window (column, row) begins at pixel (8 column, 8 row)
 * of it and has score scores[row * columns + column]. */
typedef struct
{
  double scale;                 /* pixels of the frame for one of the level */
  int width, height;
  int columns, rows;            /* windows */
  float *scores;
} RefPeopleLevel;

typedef struct
{
  int n_levels;
  RefPeopleLevel *levels;
} RefPeople;

/* The window of a detector. */
typedef struct
{
  int columns, rows;            /* size in blocks; a cell less than in cells of 8 pixels */
  int has_roots;                /* whether square roots of samples count */
  int max_levels;
  const float *weights;         /* rows of 36 features of columns of blocks, and the bias */
} RefPeopleWindow;

/* The people detector of docs/algorithms/people.md, without grouping. rgb: 8
 * bit. Returns 0 when there is no memory left. */
int ref_people (const RefPlane rgb[3], const RefPeopleWindow * window, RefPeople * people);

void ref_people_clear (RefPeople * people);
