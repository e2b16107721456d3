/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Numbers that the host code and the kernels of match agree on. */
#ifndef MATCH_SHARED_H
#define MATCH_SHARED_H

/* What the lanes of a part leave for a query: a row of each of the three. */
#define ROWS 3

/* Queries and trains of a work-item in a group of several, which multiplies each
 * query with each train */
#define SIDE 4

/* Queries of a work-group, trains that it holds at once, and lanes, with edge
 * work-items along an edge of the group */
#define QUERIES_OF(edge) ((edge) == 1 ? 64 : SIDE * (edge))
#define TRAINS_OF(edge) ((edge) == 1 ? 32 : SIDE * (edge))
#define LANES_OF(edge) ((edge) == 1 ? 16 : (edge))

#endif
