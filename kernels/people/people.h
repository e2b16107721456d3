/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* What the kernels that find people by histograms of oriented gradients
 * share. What they compute: docs/algorithms/people.md.
 *
 * The plan begins with PEOPLE_LEVEL numbers for each size of the frame. Its samples are
 * square roots, in three planes of rows of 8 classes: pixel x is number 1 + x / 8
 * of class x % 8, so that pixels side by side belong to tiles side by side. A
 * class, and all that has a column for each tile, takes PITCH numbers, which
 * leaves room for a vector behind the last tile.
 *
 * Each kernel goes through a list in the plan: number of a level, and a row. */
#ifndef PEOPLE_H
#define PEOPLE_H

#include "base/math.h"
#include "base/pixels.h"
#include "people/shared.h"

/* PoCL takes vload and vstore apart into lanes: see pixels.cl. */
#if LANES == 1
#define LOAD(p) (*(p))
#define STORE(p, value) (*(p) = (value))
#else
LOOSE (floatn, loose_floatn);
#define LOAD(p) LOAD_LOOSE (loose_floatn, p)
#define STORE(p, value) STORE_LOOSE (loose_floatn, p, value)
#endif

#endif
