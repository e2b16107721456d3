/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Code that the kernels share that find people by histograms of oriented gradients. The
 * algorithm is described in docs/algorithms/people.md.
 *
 * The plan, an array of ints that the host writes, begins with PEOPLE_LEVEL numbers for each size
 * of the frame (a level). The samples of a level are square roots of sample values. They are stored
 * in three planes, or in one if the frame is grey, whose rows consist of 8 classes: pixel x is
 * element 1 + x / 8 of class x % 8, so that adjacent elements belong to adjacent tiles. A class,
 * and each row with a column for each tile, has PITCH elements, enough for a vector after the last
 * tile.
 *
 * Each kernel goes through a list of spans: parts of the rows of a level. Kernels compute only
 * the spans that the lists name: all spans of a frame, or those that the windows in some
 * regions need. If a vector reaches beyond the end of its span, the numbers beyond the end are
 * not used. */
#ifndef PEOPLE_H
#define PEOPLE_H

#include "base/math.h"
#include "base/pixels.h"
#include "people/people-shared.h"

/* LOAD and STORE access a vector at any address. PoCL splits vload and vstore
 * into one access for each element: see base/pixels.h. */
#if LANES == 1
#define LOAD(p) (*(p))
#define STORE(p, value) (*(p) = (value))
#else
LOOSE (floatn, loose_floatn);
LOOSE (float4, loose_float4);
LOOSE (float8, loose_float8);
#define LOAD(p) LOAD_LOOSE (loose_floatn, p)
#define STORE(p, value) STORE_LOOSE (loose_floatn, p, value)
#endif

#endif
