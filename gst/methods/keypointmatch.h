/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Compares the descriptors of keypoint metas: those of one with another's, or those of many,
 * which a table holds, with another's. The plugin calls the functions of the table. */
#pragma once

#include <gst/mgpu/gstmgpukeypointmeta.h>
#include <gst/mgpu/gstmgpumemory.h>
#include <gst/vision/match/match.h>

G_BEGIN_DECLS

/* Holds the descriptors of one of the two frames whose keypoints are matched, on the
 * device. */
typedef struct
{
  guint n;                      /* number of keypoints */
  gboolean is_complete;         /* whether all descriptors of the meta belong to keypoints,
                                 * in their order */
  GstMemory *memory;            /* memory of the descriptors, owned; NULL without keypoints */
} MgpuMatchSide;

/* Holds the device memories of one search: scratch has temporary data, and nearest has
 * the result, one MgpuNearest for each query. */
typedef struct
{
  GstMemory *scratch, *nearest;
} MgpuMatchSearch;

/* Waits until the device has found the keypoints of one frame, and sets their number in
 * side. FALSE: the error is set. */
gboolean mgpu_match_side_count (MgpuMatchSide * side, GstMgpuKeypointMeta * meta, GError ** error);

/* Takes a reference to the memory with the descriptors of a frame, or copies them if need
 * be. Call it after mgpu_match_side_count(). FALSE: the error is set. */
gboolean mgpu_match_side_init (MgpuMatchSide * side, GstMgpuKeypointMeta * meta, GstMgpuQueue * queue,
    GError ** error);

/* Enqueues the search of the nearest train for each query, and, if back is not NULL, of
 * the nearest query for each train; queries and trains are descriptors of two frames.
 * FALSE: the error is set. */
gboolean mgpu_match_search (GstMgpuQueue * queue, const MgpuMatchSide * queries, const MgpuMatchSide * trains,
    MgpuMatchSearch * there, MgpuMatchSearch * back, GError ** error);
void mgpu_match_search_clear (MgpuMatchSearch * search);

/* Checks n results of the device: each index of the nearest descriptor must be less than
 * m. FALSE: the error is set. */
gboolean mgpu_match_check_nearest (const GstMapInfo * map, guint n, guint m, GError ** error);

/**
 * MgpuMatchTable:
 * @all: descriptors of all metas, one meta's behind the other's
 * @sides: array of MgpuMatchSide: those of each meta
 *
 * Holds the descriptors of many metas. The struct is zeroed at first.
 */
typedef struct
{
  MgpuMatchSide all;
  GArray *sides;
} MgpuMatchTable;

/* Copies the descriptors of n metas, which are in the context of queue, to the table. Waits
 * for the device. FALSE: the error is set. */
GST_MGPU_API
gboolean mgpu_match_table_fill (MgpuMatchTable * self, GstMgpuQueue * queue, GstMgpuKeypointMeta * const *metas,
    guint n, GError ** error);
GST_MGPU_API
void mgpu_match_table_clear (MgpuMatchTable * self);

/* Finds for each meta of the table what gst_mgpu_keypoint_meta_match() finds with trains and
 * mutual=TRUE, in one launch for all. A meta that cannot have least matches gets none: fewer
 * trains than least are the nearest of its keypoints, and pass the ratio. The search for the
 * keypoint that is the nearest of a train is made for the other metas alone.
 * Returns: (transfer full): an array with a GBytes for each meta; NULL with the error set */
GST_MGPU_API
GPtrArray *mgpu_match_table_match (const MgpuMatchTable * self, GstMgpuQueue * queue, GstMgpuKeypointMeta * trains,
    gdouble ratio, guint least, GError ** error);

G_END_DECLS
