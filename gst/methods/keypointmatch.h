/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Matches the descriptors of keypoint metas (one for each frame): those of one meta, or of
 * many metas in a MgpuMatchTable, are the queries; those of another meta are the trains, in
 * which the nearest one to each query is searched. Functions that return a gboolean return
 * FALSE with the error set on failure. The plugin calls the functions of MgpuMatchTable. */
#pragma once

#include <gst/mgpu/gstmgpukeypointmeta.h>
#include <gst/mgpu/gstmgpumemory.h>
#include <gst/vision/match/match.h>

G_BEGIN_DECLS

/* Holds the descriptors of one of the two frames whose keypoints are matched, on the
 * device. */
typedef struct
{
  guint n;                      /* number of keypoints of the frame */
  gboolean is_complete;         /* whether the descriptor memory of the meta can be used as it is:
                                 * it has just the descriptors of the keypoints, in order */
  GstMemory *memory;            /* device memory with the descriptors, owned; NULL if there are no
                                 * keypoints */
} MgpuMatchSide;

/* Holds the device memories of one search for the nearest descriptors: @scratch is a
 * scratch buffer, and @nearest has the result, one MgpuNearest for each query. */
typedef struct
{
  GstMemory *scratch, *nearest;
} MgpuMatchSearch;

/* Waits until the device has found the keypoints of one frame, and writes their number to
 * @side. */
gboolean mgpu_match_side_count (MgpuMatchSide * side, GstMgpuKeypointMeta * meta, GError ** error);

/* Sets the memory of @side to the descriptors of @meta: takes a reference to the memory
 * that has them, or copies them if this memory is not on the device of @queue or has
 * other descriptors. Call it after mgpu_match_side_count(). */
gboolean mgpu_match_side_init (MgpuMatchSide * side, GstMgpuKeypointMeta * meta, GstMgpuQueue * queue,
    GError ** error);

/* Enqueues the search @there, which finds for each query descriptor the nearest train
 * descriptor, and, if @back is not NULL, the search @back, which finds for each train
 * descriptor the nearest query descriptor. @queries and @trains are the descriptors of two
 * frames. */
gboolean mgpu_match_search (GstMgpuQueue * queue, const MgpuMatchSide * queries, const MgpuMatchSide * trains,
    MgpuMatchSearch * there, MgpuMatchSearch * back, GError ** error);
void mgpu_match_search_clear (MgpuMatchSearch * search);

/* Checks @n results (MgpuNearest) of the device in the mapped memory @map: each index of
 * a nearest descriptor must be less than @m. */
gboolean mgpu_match_check_nearest (const GstMapInfo * map, guint n, guint m, GError ** error);

/**
 * MgpuMatchTable:
 * @all: descriptors of all metas, concatenated
 * @sides: array of MgpuMatchSide: for each meta, its descriptors
 *
 * Holds the descriptors of many metas. The struct is zeroed at first.
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

/* Matches the keypoints of each meta of the table with those of @trains (the trains), as
 * gst_mgpu_keypoint_meta_match() with mutual=TRUE does, but searches the nearest trains of
 * all metas in one kernel launch. Skips a meta whose keypoints have fewer than @least
 * different nearest trains that pass the test with @ratio: it cannot have @least matches,
 * and gets none. Searches the nearest keypoint of each train for the other metas alone.
 * Returns: (transfer full): an array with a GBytes for each meta; NULL with the error set */
GST_MGPU_API
GPtrArray *mgpu_match_table_match (const MgpuMatchTable * self, GstMgpuQueue * queue, GstMgpuKeypointMeta * trains,
    gdouble ratio, guint least, GError ** error);

G_END_DECLS
