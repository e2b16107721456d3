/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Tracks detected objects from frame to frame, as ByteTrack does (Zhang 2022). The same regions
 * give the same tracks on every machine, because all numbers are integers or are computed by + -
 * * / in a fixed order. */

/* The parameters of the tracker. */
typedef struct
{
  gdouble high, low, fresh;     /* minimum confidences of regions: for the first association with
                                 * tracks (@high), for the second association (@low), and for
                                 * beginning a track (@fresh) */
  gdouble min_overlap;          /* minimum intersection over union (IoU), 0 to 1, of the predicted
                                 * box of a track and a region that is assigned to it */
  guint min_frames;             /* number of frames in which a detected region has to be assigned
                                 * to a track before the track gets an id; one more if the second
                                 * region does not overlap the first one */
  guint max_lost;               /* number of frames without an assigned region after which a
                                 * track ends */
  guint coast;                  /* number of frames for which a track without an assigned region
                                 * gets a predicted position */
  gboolean coast_was_set;       /* if FALSE, the number of predicted frames is also at most an
                                 * eighth of the number of frames in which the object was found */
  guint interval;               /* number of frames from one run of the detector to the
                                 * next */
} GstMgpuTrackerParams;

/* Describes a region of a frame in which a detector found an object. */
typedef struct
{
  guint type;                   /* number of the object's class, which is the same for all regions
                                 * of a track */
  gdouble x, y, width, height;  /* box of the object, in pixels; width and height are positive */
  gdouble confidence;
  gboolean is_tag;              /* whether @type is the number of a single object, so that the
                                 * region belongs to the track of that number regardless of the
                                 * distance */
} GstMgpuTrackerRegion;

/* A confidence above all thresholds */
#define GST_MGPU_TRACKER_CERTAIN 1e9

/* Describes a track: an object that is followed from frame to frame. */
typedef struct
{
  guint64 id;                   /* id of the object; 0: the track was not confirmed yet */
  guint type;
  gdouble at[4], speed[4];      /* @at: center x and y, width and height of the object's
                                 * box, in pixels; @speed: change of each per frame */
  gdouble p00, p01, p11;        /* covariance matrix of a value in @at (a position or size) and
                                 * its speed; the same for all four values */
  guint age;                    /* number of frames since the one in which the track began */
  guint n_seen;                 /* number of frames in which a region was assigned to the track.
                                 * If the second region does not overlap the first one, counting
                                 * starts with the second one */
  guint unseen;                 /* number of frames since a region was last assigned to the
                                 * track; 0: in the current frame */
  gboolean missed;              /* whether no region was assigned to the track when the
                                 * detector ran last */
  gint region;                  /* index of the region that is assigned to the track in the
                                 * current frame; -1: none */
  gboolean is_carried;          /* whether @motion was measured for the next step; set by the caller,
                                 * FALSE after the step */
  gdouble motion[2];            /* measured motion of the object from the last frame to the next
                                 * one, in pixels */
  gboolean is_predicted;        /* whether @at is a predicted position, because no region is
                                 * assigned to the track in the current frame */
  gpointer data;                /* data of the object; set by the caller, who has to free it when
                                 * the track ends */
} GstMgpuTrackerTrack;

typedef struct _GstMgpuTracker GstMgpuTracker;

GstMgpuTracker * gst_mgpu_tracker_new  (void);
void             gst_mgpu_tracker_free (GstMgpuTracker * self);

/* Ends all tracks. The next track that is confirmed gets the id @first_id; if @first_id is 0, the
 * next unused id. Returns: (transfer container) (element-type GstMgpuTrackerTrack): the ended
 * tracks, which live until the next call of a function of the tracker */
const GPtrArray * gst_mgpu_tracker_end (GstMgpuTracker * self, guint64 first_id);

/* Moves all tracks according to the motion of the camera since the previous frame. Each parameter
 * is a homography of 9 numbers, row by row. @motion maps positions in the previous camera image
 * to positions in the current camera image. @before maps positions in the previous camera image
 * to positions in the previous frame. @after maps positions in the current camera image to
 * positions in the current frame. */
void             gst_mgpu_tracker_move (GstMgpuTracker * self, const gdouble * before, const gdouble * motion,
    const gdouble * after);

/* Tracks the objects to the next frame, which has the @n regions @regions. Returns: (transfer
 * none) (element-type GstMgpuTrackerTrack): the tracks that end with this frame, which live until
 * the next call of a function of the tracker */
const GPtrArray * gst_mgpu_tracker_step (GstMgpuTracker * self, const GstMgpuTrackerParams * params,
    const GstMgpuTrackerRegion * regions, guint n);

/* Returns: (transfer none) (element-type GstMgpuTrackerTrack): all tracks, the oldest
 * first */
const GPtrArray * gst_mgpu_tracker_get_tracks (GstMgpuTracker * self);

/* Returns: whether objects were ignored in the last step, because there are too many tracks */
gboolean         gst_mgpu_tracker_is_full (GstMgpuTracker * self);

G_END_DECLS
