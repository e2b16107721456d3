/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/gstmgpudetection.h>

#include "gstmgputracker.h"

G_BEGIN_DECLS

/* Holds the data of a tracked object that metas and messages contain beside its id and
 * place. */
typedef struct
{
  const gchar *label;           /* class of the object, interned; NULL: not known */
  GstClockTime first_seen;      /* running time of the object's first frame, in ns */
  gdouble confidence, score;    /* confidence and score of the object's last region; -1:
                                 * not known */
  gint label_id;                /* number of the object's class; -1: not known */
  gboolean has_region, has_mtd; /* whether the last region was a region of interest, and a
                                 * GstAnalyticsODMtd */
  gint x, y, width, height;     /* last box of the object, in pixels */
  gpointer visits;              /* array of GstMgpuTrackVisit, for lines and zones; NULL at
                                 * first */
} GstMgpuTrackObject;

/* Copies class, confidence and box of an object from @detection, its region in
 * this frame. */
void gst_mgpu_track_object_see     (GstMgpuTrackObject * object, const GstMgpuDetection * detection);

/* Sets the box of @object to the box that @track predicts, cut at the edges of
 * the frame. Returns: whether a part of the box is inside of the frame */
gboolean gst_mgpu_track_object_guess (GstMgpuTrackObject * object, const GstMgpuTrackerTrack * track, gint width,
    gint height);

/* Writes the ids of @tracks to @buffer, which is writable: for a track with a
 * region, to the metas of this region, in place of ids of other trackers; for a
 * track whose place is predicted, to a new region. The array detections has all
 * regions of @buffer, and the array numbers, of guint, has the index there of
 * each region that the tracker got. All tracks have an id, and a
 * GstMgpuTrackObject as data. The time is the running time of @buffer, in
 * ns. */
void gst_mgpu_track_metas_write    (GstBuffer * buffer, const GPtrArray * detections, const GArray * numbers,
    const GPtrArray * tracks, GstClockTime time);

G_END_DECLS
