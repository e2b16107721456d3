/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Follows objects from frame to frame, after ByteTrack (Zhang 2022). The same regions give
 * the same tracks on every machine: all numbers are computed by + - * / in a fixed order,
 * or are integers. */

/* Holds the parameters of the tracker. */
typedef struct
{
  gdouble high, low, fresh;     /* least confidences of regions: in the first association,
                                 * in the second one, and to begin a track */
  gdouble min_overlap;          /* least IoU of a track and a region, 0 to 1 */
  guint min_frames;             /* frames with a region that a track needs to get an id */
  guint max_lost;               /* frames after which a track without a region ends */
  guint coast;                  /* frames for which a track without region is predicted */
  guint interval;               /* frames from one run of the detector to the next */
} GstMgpuTrackerParams;

/* Describes a region of a frame in which a detector found an object. */
typedef struct
{
  guint type;                   /* class of the object; all regions of a track
                                 * have the same class */
  gdouble x, y, width, height;  /* box, in pixels; width and height above 0 */
  gdouble confidence;
} GstMgpuTrackerRegion;

/* Describes a track: an object that is followed from frame to frame. */
typedef struct
{
  guint64 id;                   /* id of the object; 0: not confirmed yet */
  guint type;
  gdouble at[4], speed[4];      /* middle x and y, width and height in pixels; their change
                                 * per frame */
  gdouble p00, p01, p11;        /* covariance matrix of a value of the member at
                                 * and of its speed, the same for all four
                                 * values */
  guint age;                    /* frames since the one in which the track began */
  guint n_seen;                 /* frames with a region, counted until the track gets an
                                 * id */
  guint unseen;                 /* frames since the last region; 0: this one has a region */
  gboolean missed;              /* whether it got no region when the detector
                                 * ran last */
  gint region;                  /* index of the track's region in this frame; -1: none */
  gboolean is_predicted;        /* whether the member at is a predicted place,
                                 * because the object has no region in this
                                 * frame */
  gpointer data;                /* data of the caller, which the caller frees
                                 * when the track ends */
} GstMgpuTrackerTrack;

typedef struct _GstMgpuTracker GstMgpuTracker;

GstMgpuTracker * gst_mgpu_tracker_new  (void);
void             gst_mgpu_tracker_free (GstMgpuTracker * self);

/* Ends all tracks. The next track that is confirmed gets the id first_id, or
 * the next unused id if first_id is 0. Returns: (transfer container)
 * (element-type GstMgpuTrackerTrack): the tracks, which live until the next
 * call of a function of the tracker */
const GPtrArray * gst_mgpu_tracker_end (GstMgpuTracker * self, guint64 first_id);

/* Moves all tracks as the camera moved since the frame before. Homographies
 * have 9 numbers, row by row: the parameter motion moves places in the picture
 * of the camera; the parameters before and after move places in the picture of
 * the camera to places in the frame before and in this frame. */
void             gst_mgpu_tracker_move (GstMgpuTracker * self, const gdouble * before, const gdouble * motion,
    const gdouble * after);

/* Follows the objects to the next frame, which has n regions.
 * Returns: (transfer none) (element-type GstMgpuTrackerTrack): the tracks that end with this
 *   frame, which live until the next call of a function of the tracker */
const GPtrArray * gst_mgpu_tracker_step (GstMgpuTracker * self, const GstMgpuTrackerParams * params,
    const GstMgpuTrackerRegion * regions, guint n);

/* Returns: (transfer none) (element-type GstMgpuTrackerTrack): all tracks, the oldest first */
const GPtrArray * gst_mgpu_tracker_get_tracks (GstMgpuTracker * self);

/* Returns: whether tracks were left out in the last step because there are too many */
gboolean         gst_mgpu_tracker_is_full (GstMgpuTracker * self);

G_END_DECLS
