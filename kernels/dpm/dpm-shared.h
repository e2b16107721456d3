/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Constants shared by the kernels of the part model search and the code on the host. */
#ifndef DPM_SHARED_H
#define DPM_SHARED_H

#define FEATURES 32             /* number of features of a cell */
#define FILTERS 16              /* number of filters of a group */
#define PCA 16                  /* largest number of reduced features of a
                                 * cascade */
/* Maximum distance, in cells along each axis, between a part and the position where the model
 * expects it */
#define REACH 4
#define DISTANCES (2 * REACH + 1)

/* Number of ints that describe a pyramid level in the plan, and the index of each of them */
#define LEVEL 6
#define COLUMNS 0
#define ROWS 1
#define FIRST 2                 /* number of the level's first cell, counting the cells of all
                                 * levels */
/* Number of the level's first cell, counting only the cells of levels in which part filters are
 * applied. The next int is the number of this cell, counting only the levels of root filters */
#define PLACE 3
#define SCORES 5                /* index of the level's first cell in the array of scores */

/* Number of ints that describe a group of filters in the plan (sizes of filters and costs of
 * distances), and the index of each of them */
#define GROUP_WORDS (5 + (2 + 2 * DISTANCES) * FILTERS)
#define GROUP_ROWS 0
#define GROUP_COLUMNS 1
#define LEAST_ROWS 2
#define LEAST_COLUMNS 3
#define WEIGHTS 4               /* index in the plan at which the filters' weights begin */
#define FILTER_ROWS 5
#define FILTER_COLUMNS (5 + FILTERS)
#define COSTS (5 + 2 * FILTERS) /* costs of distances: for each axis and each
                                 * distance, a cost for each filter */

/* Number of ints that describe, in the plan, a filter used as root or part (its number, size
 * and position), and the index of each of them */
#define USE 5
#define USE_FILTER 0
#define USE_ROWS 1
#define USE_COLUMNS 2
#define USE_X 3
#define USE_Y 4

/* Number of ints that describe a component of a model in the plan (its bias for each octave,
 * its root and its parts), and the index of each of them */
#define COMPONENT 12
#define OFFSETS 0
#define ROOT 3
#define N_PARTS 8
#define PARTS 9
/* Index in the plan of the order in which a cascade adds the scores of the parts */
#define ORDER 10
/* Index in the plan of the score limits of a cascade: one before each part, and one after the
 * last part */
#define LIMITS 11

/* Number of ints of a hit (an object that was found). In the list of hits, the first int is the
 * number of hits */
#define DPM_HIT 6

#endif
