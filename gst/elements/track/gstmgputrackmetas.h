/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/gstmgpudetection.h>

#include "gstmgputracker.h"

G_BEGIN_DECLS

/* Holds the data of a tracked object that metas and messages contain, besides its id and
 * its predicted position. */
typedef struct
{
  const gchar *label;           /* class of the object, interned; NULL: not known */
  GstClockTime first_seen;      /* running time, in ns, of the first frame in which the
                                 * object was seen */
  gdouble confidence, score;    /* confidence and score of the object's last detection;
                                 * -1: not known */
  gint label_id;                /* number of the object's class; -1: not known */
  gboolean has_region, has_mtd; /* whether the object's last detection was a region of
                                 * interest (@has_region), and whether it was a
                                 * GstAnalyticsODMtd (@has_mtd) */
  gint x, y, width, height;     /* last known box of the object, in pixels */
  gpointer visits;              /* array with a GstMgpuTrackVisit for each line and zone;
                                 * NULL at first */
} GstMgpuTrackObject;

/* Copies the class, confidence and box of an object from @detection, the object's
 * detection in this frame. */
void gst_mgpu_track_object_see     (GstMgpuTrackObject * object, const GstMgpuDetection * detection);

/* Sets the box of @object to the box that @track predicts, clipped to the frame. Returns: whether
 * the predicted box overlaps the frame */
gboolean gst_mgpu_track_object_guess (GstMgpuTrackObject * object, const GstMgpuTrackerTrack * track, gint width,
    gint height);

/* Writes the ids of @tracks to the writable buffer @buffer: if a track got a detection in
 * this frame, to the metas of the detection, in place of ids of other trackers; if the
 * position of the track is predicted, to a new region of interest. The array @detections
 * has all detections of @buffer, and the array @numbers, of guint, has the index in
 * @detections of each region that the tracker was given. All tracks have an id, and a
 * GstMgpuTrackObject as data. @time is the running time of @buffer, in ns. */
void gst_mgpu_track_metas_write    (GstElement * element, GstBuffer * buffer, const GPtrArray * detections, const GArray * numbers,
    const GPtrArray * tracks, GstClockTime time);

G_END_DECLS
