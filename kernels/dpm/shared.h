/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Constants that the host code and the kernels of dpm share. */
#ifndef DPM_SHARED_H
#define DPM_SHARED_H

#define FEATURES 32             /* number of features of a cell */
#define FILTERS 16              /* number of filters of a group */
#define PCA 16                  /* most features that a cascade works with */
/* distance in cells that a part may move from its place */
#define REACH 4
#define DISTANCES (2 * REACH + 1)

/* Size of the description of a level in the plan, in ints, and the index of
 * each of its members */
#define LEVEL 6
#define COLUMNS 0
#define ROWS 1
#define FIRST 2                 /* number of the level's first cell */
/* number of the level's first cell among the cells that are processed: for
 * parts, then for roots */
#define PLACE 3
#define SCORES 5                /* number of the level's first score */

/* Description of a group: the size of each of its filters, and the cost of each
 * distance */
#define GROUP_WORDS (5 + (2 + 2 * DISTANCES) * FILTERS)
#define GROUP_ROWS 0
#define GROUP_COLUMNS 1
#define LEAST_ROWS 2
#define LEAST_COLUMNS 3
#define WEIGHTS 4               /* index in the plan where the weights begin */
#define FILTER_ROWS 5
#define FILTER_COLUMNS (5 + FILTERS)
#define COSTS (5 + 2 * FILTERS) /* index of the costs: [axis][distance][filter] */

/* Description of a filter in use: its number, its size, and its place */
#define USE 5
#define USE_FILTER 0
#define USE_ROWS 1
#define USE_COLUMNS 2
#define USE_X 3
#define USE_Y 4

/* Description of a component: scores without filters for each octave, its root
 * and its parts */
#define COMPONENT 12
#define OFFSETS 0
#define ROOT 3
#define N_PARTS 8
#define PARTS 9
/* index in the plan of the order in which a cascade takes the parts */
#define ORDER 10
/* index in the plan of the limits of scores of a cascade, one more than parts */
#define LIMITS 11

/* Size in ints of a hit in the list of hits, which begins with the number of
 * hits */
#define DPM_HIT 6

#endif
