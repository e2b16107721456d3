/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/object.h>

G_BEGIN_DECLS

/**
 * MgpuNearest:
 * @train: the descriptor that is nearest to a query, the first of those that are
 *   as near
 * @distance: the square of its Euclidean distance
 * @second: that of the second nearest; %G_MAXUINT32: there is none
 *
 * What a search writes for each query.
 */
typedef struct
{
  guint32 train;
  guint32 distance;
  guint32 second;
} MgpuNearest;

/* Compares lists of descriptors. Its objects have no images. */
extern const MgpuAlgorithm mgpu_match;

/* Bytes that a search for n queries among m trains needs for its work. */
gsize mgpu_match_get_scratch_size (MgpuObject * self, guint n, guint m);

/* Finds for each of the first n descriptors of queries the nearest of the first m of
 * trains; both numbers are 1 at least. scratch: as many bytes as
 * mgpu_match_get_scratch_size() says. nearest: room for n MgpuNearest. One thread at a
 * time. Errors stay in job. */
void mgpu_match_enqueue (MgpuObject * self, GstMgpuJob * job, GstMgpuMemory * queries, guint n,
    GstMgpuMemory * trains, guint m, GstMgpuMemory * scratch, GstMgpuMemory * nearest);

/* Which of the n queries match: those whose train, one of m, is nearer than ratio
 * times the second nearest; with a ratio of 1, all. back: (nullable): for each train
 * the nearest query, which has to be the same one then. Writes at most n matches;
 * returns how many. */
guint mgpu_match_select (const MgpuNearest * nearest, guint n, const MgpuNearest * back, guint m,
    gdouble ratio, GstMgpuKeypointMatch * matches);

G_END_DECLS
