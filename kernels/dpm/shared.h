/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* What the host code and the kernels of dpm agree on. */
#ifndef DPM_SHARED_H
#define DPM_SHARED_H

#define FEATURES 32             /* of a cell */
#define FILTERS 16              /* of a group */
#define PCA 16                  /* features that are left for a cascade, at most */
#define REACH 4                 /* cells that a part may be away from its place */
#define DISTANCES (2 * REACH + 1)

/* Numbers that the plan has for a level, and what they are */
#define LEVEL 6
#define COLUMNS 0
#define ROWS 1
#define FIRST 2                 /* its first cell */
#define PLACE 3                 /* and where that comes among those that are worked on: for parts, for roots */
#define SCORES 5                /* number of its first score */

/* For a group: how large its filters are, one by one, and what distances cost */
#define GROUP_WORDS (5 + (2 + 2 * DISTANCES) * FILTERS)
#define GROUP_ROWS 0
#define GROUP_COLUMNS 1
#define LEAST_ROWS 2
#define LEAST_COLUMNS 3
#define WEIGHTS 4               /* where they begin */
#define FILTER_ROWS 5
#define FILTER_COLUMNS (5 + FILTERS)
#define COSTS (5 + 2 * FILTERS) /* [axis][distance][filter] */

/* For a filter in use: which it is, how large, and where it goes */
#define USE 5
#define USE_FILTER 0
#define USE_ROWS 1
#define USE_COLUMNS 2
#define USE_X 3
#define USE_Y 4

/* For a component: score without filters in the octaves, root, parts */
#define COMPONENT 12
#define OFFSETS 0
#define ROOT 3
#define N_PARTS 8
#define PARTS 9
#define ORDER 10                /* where a cascade's order of parts is */
#define LIMITS 11               /* and its limits of scores: one more */

/* Numbers of a hit in the list, which begins with how many there are */
#define DPM_HIT 6

#endif
