/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/object.h>

G_BEGIN_DECLS

/**
 * MgpuNearest:
 * @train: index of the train nearest to a query; the lowest index if several trains are equally
 *   near
 * @distance: square of the Euclidean distance between query and train
 * @second: square of the distance of the second nearest train; %G_MAXUINT32 if
 *   there is none
 *
 * Result of the search for one query. Queries and trains are descriptors.
 */
typedef struct
{
  guint32 train;
  guint32 distance;
  guint32 second;
} MgpuNearest;

/* Finds the nearest descriptor of one list (the trains) for each descriptor of another list (the
 * queries). Objects of this algorithm are created without a video format. */
extern const MgpuAlgorithm mgpu_match;

/* Returns: the size, in bytes, of the temporary memory for a search of @m train descriptors for
 * @n queries */
gsize mgpu_match_get_scratch_size (MgpuObject * self, guint n, guint m);

/* Enqueues kernels that find the nearest train descriptor for each query. Only one thread at a time
 * may call this function for @self. Errors stay in @job.
 * @queries, @n: memory with @n or more descriptors; the first @n (1 or more) are read
 * @trains, @m: memory with @m or more descriptors; the first @m (1 or more) are read
 * @scratch: temporary memory of the size that mgpu_match_get_scratch_size() returns
 * @nearest: written, @n elements of type MgpuNearest */
void mgpu_match_enqueue (MgpuObject * self, GstMgpuJob * job, GstMgpuMemory * queries, guint n,
    GstMgpuMemory * trains, guint m, GstMgpuMemory * scratch, GstMgpuMemory * nearest);

/* Selects matches from the results of a search. A query matches its nearest train descriptor if
 * their distance is less than @ratio times the distance of the second nearest train descriptor.
 * @nearest, @n: the nearest train descriptor of each of @n queries @back, @m: the nearest query of
 * each of @m train descriptors; query and train descriptor then match only if each is the nearest
 * of the other; NULL if this is not checked
 * @ratio: limit of the ratio test; with 1, all queries match
 * @matches: written, the matches
 * Returns: the number of matches, at most @n */
guint mgpu_match_select (const MgpuNearest * nearest, guint n, const MgpuNearest * back, guint m,
    gdouble ratio, GstMgpuKeypointMatch * matches);

G_END_DECLS
