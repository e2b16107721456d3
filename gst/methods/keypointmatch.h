/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Matches the descriptors of keypoint metas (one meta for each frame). The descriptors of one
 * meta, or of many metas in a MgpuMatchTable, are the queries. The descriptors of another meta
 * are the train descriptors. For each query, the nearest train descriptor is searched for.
 * Functions that return a gboolean return FALSE with the error set on failure. The plugin calls
 * the functions of MgpuMatchTable. */
#pragma once

#include <gst/mgpu/gstmgpukeypointmeta.h>
#include <gst/mgpu/gstmgpumemory.h>
#include <gst/vision/match/match.h>

G_BEGIN_DECLS

/* The descriptors, on the device, of one of the two frames whose keypoints are matched. */
typedef struct
{
  guint n;                      /* number of keypoints of the frame */
  gboolean is_complete;         /* whether the descriptor memory of the meta can be used without a
                                 * copy, because it contains exactly the descriptors of the
                                 * keypoints, in order */
  GstMemory *memory;            /* device memory with the descriptors, owned; NULL if there are no
                                 * keypoints */
} MgpuMatchSide;

/* The device memories of one search for the nearest descriptors. @scratch is a scratch buffer.
 * @nearest has the result, one MgpuNearest for each query. */
typedef struct
{
  GstMemory *scratch, *nearest;
} MgpuMatchSearch;

/* Waits until the device has found the keypoints of one frame, and writes their number to
 * @side. */
gboolean mgpu_match_side_count (MgpuMatchSide * side, GstMgpuKeypointMeta * meta, GError ** error);

/* Sets the memory of @side to the descriptors of @meta. Takes a reference to the memory of the
 * meta if that is on the device of @queue and contains exactly these descriptors; otherwise
 * copies them. Call it after mgpu_match_side_count(). */
gboolean mgpu_match_side_init (MgpuMatchSide * side, GstMgpuKeypointMeta * meta, GstMgpuQueue * queue,
    GError ** error);

/* Enqueues the search @there, which finds the nearest train descriptor for each query descriptor.
 * If @back is not NULL, also enqueues the search @back, which finds the nearest query descriptor
 * for each train descriptor. @queries and @trains are the descriptors of two frames. */
gboolean mgpu_match_search (GstMgpuQueue * queue, const MgpuMatchSide * queries, const MgpuMatchSide * trains,
    MgpuMatchSearch * there, MgpuMatchSearch * back, GError ** error);
void mgpu_match_search_clear (MgpuMatchSearch * search);

/* Checks @n results (MgpuNearest) of the device in the mapped memory @map. Each index of a
 * nearest descriptor must be less than @m. */
gboolean mgpu_match_check_nearest (const GstMapInfo * map, guint n, guint m, GError ** error);

/**
 * MgpuMatchTable:
 * @all: descriptors of all metas, concatenated
 * @sides: array of MgpuMatchSide: for each meta, its descriptors
 *
 * The descriptors of many metas. Zero the struct before its first use.
 */
typedef struct
{
  MgpuMatchSide all;
  GArray *sides;
} MgpuMatchTable;

/* Copies the descriptors of @n metas to the table @self, in memory of the device of
 * @queue. Waits for the device. */
GST_MGPU_API
gboolean mgpu_match_table_fill (MgpuMatchTable * self, GstMgpuQueue * queue, GstMgpuKeypointMeta * const *metas,
    guint n, GError ** error);
GST_MGPU_API
void mgpu_match_table_clear (MgpuMatchTable * self);

/* Matches the keypoints of each meta of the table with those of @trains (the train descriptors).
 * Does the same as gst_mgpu_keypoint_meta_match() with mutual=TRUE, but finds the nearest train
 * descriptors for all metas in one kernel launch. If the keypoints of a meta have fewer than
 * @least different nearest train descriptors that pass the test with @ratio, the meta cannot
 * have @least matches. Such a meta gets no matches; the nearest keypoint of each train
 * descriptor is searched for in the other metas only. Returns: (transfer full): an array with a
 * GBytes for each meta; NULL with the error set on failure */
GST_MGPU_API
GPtrArray *mgpu_match_table_match (const MgpuMatchTable * self, GstMgpuQueue * queue, GstMgpuKeypointMeta * trains,
    gdouble ratio, guint least, GError ** error);

G_END_DECLS
