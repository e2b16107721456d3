/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Structs for the state of cells of 8x8 pixels, and for the candidates that a cell keeps. */
#ifndef CELLS_H
#define CELLS_H

#include "layers/layers.h"

/* Cost of a candidate that does not exist */
#define NEVER 65535

/* A candidate: pixel q of this frame looks like pixel q + d of the frame that is @age frames older.
 * d is in 1/8 pixel, @v is the motion from the previous frame, in 1/256 pixel per frame; @cost is
 * in 1/64 level; @alpha is the mean opacity near the center. @age is 0 if there is no candidate. */
typedef struct
{
  short2 d, v;
  short age;
  ushort cost, alpha, is_continued;
} Candidate;

/* @plate_cost: cost of the plate alone; @alpha: opacity with which the cell was filled; @is_active:
 * 0 for cells without hidden pixels, 1 if nothing moves near the cell, otherwise 2 */
typedef struct                  /* The size of the struct is 56 bytes. */
{
  Candidate best[LAYERS_BEST];
  ushort plate_cost, alpha, is_active;
} Cell;

#endif
