/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/gstmgpudetection.h>

#include "gstmgputracker.h"

G_BEGIN_DECLS

/* Holds what metas and messages tell of a tracked object beside its place. */
typedef struct
{
  const gchar *label;           /* interned; NULL: not known */
  GstClockTime first_seen;      /* running time of its first frame, in ns */
  gdouble confidence;           /* of its last region; -1: not known */
  gint label_id;                /* of its last region; -1: not known */
  gboolean has_region, has_mtd; /* whether its last region was a region of interest, and a
                                 * GstAnalyticsODMtd */
  gint x, y, width, height;     /* last box, in pixels */
  gpointer visits;              /* of lines and zones; NULL: none yet */
} GstMgpuTrackObject;

/* Notes in the object of track what detection, its region in this frame, says. */
void gst_mgpu_track_object_see     (GstMgpuTrackObject * object, const GstMgpuDetection * detection);

/* Sets the box of object to the one that track predicts, cut at the sides of the frame.
 * Returns: whether there is anything left of it */
gboolean gst_mgpu_track_object_guess (GstMgpuTrackObject * object, const GstMgpuTrackerTrack * track, gint width,
    gint height);

/* Writes the ids of tracks to buffer, which is writable: to the metas of the regions that
 * they have, in place of ids of other trackers, and in a new region for each track that
 * is predicted. The array detections has all regions of buffer, and numbers, of guint, the
 * position there of each region that the tracker got. All tracks have an id, and a
 * GstMgpuTrackObject as data. The time is the running time of buffer, in ns. */
void gst_mgpu_track_metas_write    (GstBuffer * buffer, const GPtrArray * detections, const GArray * numbers,
    const GPtrArray * tracks, GstClockTime time);

G_END_DECLS
