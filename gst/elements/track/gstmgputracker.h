/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Follows detected objects from frame to frame, after ByteTrack (Zhang 2022). The same
 * regions give the same tracks on every machine: all numbers are integers, or are
 * computed by + - * / in a fixed order. */

/* Holds the parameters of the tracker. */
typedef struct
{
  gdouble high, low, fresh;     /* minimum confidences of regions: to be assigned to a track in the
                                 * first association (@high) or in the second one (@low), and to
                                 * begin a track (@fresh) */
  gdouble min_overlap;          /* minimum intersection over union, 0 to 1, of a track's predicted
                                 * box and a region that is assigned to the track */
  guint min_frames;             /* number of frames in which a detected region has to be
                                 * assigned to a track before the track gets an id; one more
                                 * if the second region did not overlap with the first one */
  guint max_lost;               /* number of frames without an assigned region after which a
                                 * track ends */
  guint coast;                  /* number of frames for which the position of a track
                                 * without an assigned region is predicted */
  guint interval;               /* number of frames from one run of the detector to the
                                 * next */
} GstMgpuTrackerParams;

/* Describes a region of a frame in which a detector found an object. */
typedef struct
{
  guint type;                   /* number of the object's class; all regions of a track
                                 * have the same class */
  gdouble x, y, width, height;  /* box of the object, in pixels; width and height above 0 */
  gdouble confidence;
} GstMgpuTrackerRegion;

/* Describes a track: an object that is followed from frame to frame. */
typedef struct
{
  guint64 id;                   /* id of the object; 0: the track is not confirmed yet */
  guint type;
  gdouble at[4], speed[4];      /* @at: centre x and y, width and height of the object's
                                 * box, in pixels; @speed: change of each per frame */
  gdouble p00, p01, p11;        /* covariance matrix of a position or size (a value in @at) and
                                 * its speed; the same for all four values */
  guint age;                    /* number of frames since the one in which the track began */
  guint n_seen;                 /* number of frames in which a region was assigned to the track,
                                 * counted until the track gets an id; if the second region did not
                                 * overlap with the first one, the count starts at the second */
  guint unseen;                 /* number of frames since a region was last assigned to the
                                 * track; 0: in the current frame */
  gboolean missed;              /* whether no region was assigned to the track when the
                                 * detector ran last */
  gint region;                  /* index of the region that is assigned to the track in the
                                 * current frame; -1: none */
  gboolean is_predicted;        /* whether @at is a predicted position, because no region is
                                 * assigned to the track in the current frame */
  gpointer data;                /* data of the object; the caller sets it, and frees it
                                 * when the track ends */
} GstMgpuTrackerTrack;

typedef struct _GstMgpuTracker GstMgpuTracker;

GstMgpuTracker * gst_mgpu_tracker_new  (void);
void             gst_mgpu_tracker_free (GstMgpuTracker * self);

/* Ends all tracks. The next track that is confirmed gets the id @first_id, or the next
 * unused id if @first_id is 0. Returns: (transfer container) (element-type
 * GstMgpuTrackerTrack): the ended tracks, which live until the next call of a function of
 * the tracker */
const GPtrArray * gst_mgpu_tracker_end (GstMgpuTracker * self, guint64 first_id);

/* Moves all tracks as the camera moved since the frame before. Each parameter is a
 * homography of 9 numbers, row by row: @motion maps positions in the camera image of the
 * frame before to positions in the camera image of this frame; @before and @after map
 * positions in the camera image to positions in the frame, for the frame before and for
 * this frame. */
void             gst_mgpu_tracker_move (GstMgpuTracker * self, const gdouble * before, const gdouble * motion,
    const gdouble * after);

/* Follows the objects to the next frame, which has the @n regions @regions. Returns:
 * (transfer none) (element-type GstMgpuTrackerTrack): the tracks that end with this
 * frame, which live until the next call of a function of the tracker */
const GPtrArray * gst_mgpu_tracker_step (GstMgpuTracker * self, const GstMgpuTrackerParams * params,
    const GstMgpuTrackerRegion * regions, guint n);

/* Returns: (transfer none) (element-type GstMgpuTrackerTrack): all tracks, the oldest
 * first */
const GPtrArray * gst_mgpu_tracker_get_tracks (GstMgpuTracker * self);

/* Returns: whether objects were left out in the last step, because there are too many
 * tracks */
gboolean         gst_mgpu_tracker_is_full (GstMgpuTracker * self);

G_END_DECLS
