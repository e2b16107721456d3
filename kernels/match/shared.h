/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Constants that the host code and the kernels of match share. */
#ifndef MATCH_SHARED_H
#define MATCH_SHARED_H

/* Number of rows of results of a part for a query: distances to the nearest and
 * to the second nearest train, and numbers of the nearest; each row has an
 * element for each lane */
#define ROWS 3

/* Number of queries, and of trains, of a work-item in a group of several; it
 * multiplies each query with each train */
#define SIDE 4

/* Numbers of queries of a work-group, of trains that it holds at once, and of
 * lanes, for a group with edge work-items along an edge */
#define QUERIES_OF(edge) ((edge) == 1 ? 64 : SIDE * (edge))
#define TRAINS_OF(edge) ((edge) == 1 ? 32 : SIDE * (edge))
#define LANES_OF(edge) ((edge) == 1 ? 16 : (edge))

#endif
