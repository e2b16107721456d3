/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/gstmgpudetection.h>
#include <gst/video/video.h>

#include "gstmgputracker.h"

G_BEGIN_DECLS

/* The data of a tracked object for metas and messages, in addition to its id and its predicted
 * position. */
typedef struct
{
  const gchar *label;           /* class of the object, interned; NULL: unknown */
  const gchar *tag;             /* family and id of the tag, such as tag36h11:17, if the object is a
                                 * tag; interned; NULL if it is not a tag */
  GstClockTime first_seen;      /* running time, in ns, of the first frame in which the
                                 * object was seen */
  gdouble confidence, score;    /* confidence and score of the object's last detection; -1:
                                 * unknown */
  gint label_id;                /* number of the object's class; -1: unknown */
  gboolean has_region, has_mtd; /* whether the object's last detection was a region of
                                 * interest (@has_region), and whether it was a
                                 * GstAnalyticsODMtd (@has_mtd) */
  gint x, y, width, height;     /* last known box of the object, in pixels */
  gboolean has_rotation;        /* whether @rotation is set */
  gdouble rotation[9];          /* rotation of a tag in camera coordinates, in the last frame in
                                 * which the tag had a pose */
  GstStructure *zones;          /* the zones in which the object is: see
                                 * gst_mgpu_track_places_list(); NULL if it is in no zone */
  gpointer visits;              /* array with a GstMgpuTrackVisit for each line and zone; NULL
                                 * before the first use */
} GstMgpuTrackObject;

/* Returns: if the region @roi is a tag, the quark of its family and id, such as tag36h11:17; 0
 * otherwise */
GQuark gst_mgpu_track_find_tag     (const GstVideoRegionOfInterestMeta * roi);

/* Copies the class, confidence and box of an object from @detection, the object's
 * detection in this frame. */
void gst_mgpu_track_object_see     (GstMgpuTrackObject * object, const GstMgpuDetection * detection);

/* Sets the box of @object to the box that @track predicts, clipped to the frame. Returns: whether
 * the predicted box overlaps the frame */
gboolean gst_mgpu_track_object_guess (GstMgpuTrackObject * object, const GstMgpuTrackerTrack * track, gint width,
    gint height);

/* Writes the ids of @tracks to the writable buffer @buffer. If a detection of this frame is
 * assigned to a track, writes the id to the metas of the detection, and removes ids of other
 * trackers. If the position of the track is predicted, adds a new region of interest with the id.
 * @tracks: tracks with an id, and with a GstMgpuTrackObject as data. @detections: all detections
 * of @buffer. @numbers: array of guint, for each region that was passed to the tracker its index
 * in @detections. @time: running time of @buffer, in ns. */
void gst_mgpu_track_metas_write    (GstElement * element, GstBuffer * buffer, const GPtrArray * detections, const GArray * numbers,
    const GPtrArray * tracks, GstClockTime time);

G_END_DECLS
