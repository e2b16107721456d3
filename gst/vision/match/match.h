/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/object.h>

G_BEGIN_DECLS

/**
 * MgpuNearest:
 * @train: number of the train that is nearest to a query; the lowest number
 *   where several are equally near
 * @distance: square of the Euclidean distance of query and train
 * @second: square of the distance of the second nearest train; %G_MAXUINT32 if
 *   there is none
 *
 * Holds the result of a search for one query. Queries and trains are
 * descriptors.
 */
typedef struct
{
  guint32 train;
  guint32 distance;
  guint32 second;
} MgpuNearest;

/* Finds, for each descriptor of one list (the queries), the nearest descriptor of another
 * list (the trains). Objects of this algorithm are made without a video format. */
extern const MgpuAlgorithm mgpu_match;

/* Returns: the size in bytes of the temporary memory for a search of @n queries among @m
 * trains */
gsize mgpu_match_get_scratch_size (MgpuObject * self, guint n, guint m);

/* Enqueues kernels that find, for each of the first @n descriptors of the memory
 * @queries, the nearest of the first @m descriptors of the memory @trains; @n and @m are
 * 1 or more. The memory @scratch, for temporary data, has the size that
 * mgpu_match_get_scratch_size() returns; @nearest, for the results, has room for @n
 * MgpuNearest. Only one thread may call this function for @self at a time. Errors stay in
 * @job. */
void mgpu_match_enqueue (MgpuObject * self, GstMgpuJob * job, GstMgpuMemory * queries, guint n,
    GstMgpuMemory * trains, guint m, GstMgpuMemory * scratch, GstMgpuMemory * nearest);

/* Selects the matches from the results of a search, and writes them to the array
 * @matches: each of @n queries matches its nearest train, one of @m trains, if its
 * distance is less than @ratio times the distance of the second nearest train; with a
 * ratio of 1, all queries match. If @back is other than NULL, this array holds the
 * nearest query of each train, and a query and a train match only if each is the nearest
 * one to the other. Returns: the number of matches, at most @n */
guint mgpu_match_select (const MgpuNearest * nearest, guint n, const MgpuNearest * back, guint m,
    gdouble ratio, GstMgpuKeypointMatch * matches);

G_END_DECLS
