/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Code shared by the kernels that find people by histograms of oriented gradients (HOG). The
 * algorithm is described in docs/algorithms/people.md.
 *
 * The plan is an array of ints that the host writes. It begins with PEOPLE_LEVEL numbers for
 * each level, that is, for each scaled size of the frame. The samples of a level are square
 * roots of sample values. They are stored in three planes, or in one plane if the frame is gray.
 *
 * The rows of a plane consist of 8 classes: pixel x is element 1 + x / 8 of class x % 8.
 * Adjacent elements thus belong to adjacent tiles. A class has PITCH elements, and so has each
 * row with a column for each tile. PITCH is large enough for a vector after the last tile.
 *
 * Each kernel processes a list of spans, which are parts of the rows of a level. The list
 * contains either all spans of a frame, or only those needed by the windows in some regions. If
 * a vector extends past the end of its span, the numbers after the end are not used. */
#ifndef PEOPLE_H
#define PEOPLE_H

#include "base/math.h"
#include "base/pixels.h"
#include "people/people-shared.h"

/* LOAD and STORE access a vector at any address. vload and vstore are not used, because PoCL
 * splits them into one access for each element: see base/pixels.h. */
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
