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

/* The people detector of docs/algorithms/people.md, without grouping. rgb: 8
 * bit. weights: 15 rows of 36 features of 7 columns of blocks, and the bias.
 * Returns 0 when there is no memory left. */
int ref_people (const RefPlane rgb[3], const float *weights, RefPeople * people);

void ref_people_clear (RefPeople * people);
