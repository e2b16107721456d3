/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Constants that the host code and the kernels of match share. */
#ifndef MATCH_SHARED_H
#define MATCH_SHARED_H

/* Number of rows that match_search writes for each query and each part of the train descriptors.
 * The rows contain distances to the nearest train descriptor, distances to the second nearest
 * train descriptor, and indices of the nearest train descriptor. A row has one element for each
 * lane. */
#define ROWS 3

/* Number of queries, and of train descriptors, that one work-item compares with each other, if a
 * work-group has several work-items */
#define SIDE 4

/* Numbers for a work-group of edge x edge work-items: queries, train descriptors that it holds
 * at once, and lanes */
#define QUERIES_OF(edge) ((edge) == 1 ? 64 : SIDE * (edge))
#define TRAINS_OF(edge) ((edge) == 1 ? 32 : SIDE * (edge))
#define LANES_OF(edge) ((edge) == 1 ? 16 : (edge))

#endif
