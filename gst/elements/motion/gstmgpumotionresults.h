/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reads the results of the device for frames, once and in the order of the frames, in the thread
 * that needs them first. Tracks the regions, and posts messages. */
#pragma once

#include <gst/vision/moving/moving.h>

#include <gst/frame/gstmgpudevicebase.h>

#include "gstmgpumotionactivity.h"
#include "gstmgpumotiontracks.h"

G_BEGIN_DECLS

/**
 * GstMgpuMotionFrame:
 * @number: number of the frame since the element started
 * @size: size of the working picture
 * @width: width of the frame, in pixels
 * @height: height of the frame
 * @tracks: parameters of the tracks
 * @stop_delay: time without motion, in ns, after which motion stops
 * @tamper_time: time, in ns, after which a change counts as tampering; 0: tampering is not checked
 * @absorb_time: time, in ns, after which the view of a camera that was tampered with becomes the
 *   background; %GST_CLOCK_TIME_NONE: never
 * @posts: whether messages are posted
 * @waits: whether the frame is pushed with its own regions, instead of the newest regions that are
 * known
 * @gates: whether the frame is dropped if nothing moves
 * @time: time of the frame in ns, from an arbitrary origin; not before that of the previous frame
 * @times: the fields of messages about the frame
 * @results: buffer with a MgpuMovingResults
 * @mask: buffer with the mask
 * @labels: buffer with the number of the region of each cell
 * @heat: buffer with the heat map: for each cell, how often something moved in it lately
 * @change: buffer with the change of brightness of each pixel of the working image
 * @n_forgotten: number of times that the background was forgotten before
 *
 * A frame on which the device works. The streaming thread sets the members above. The members
 * below are set by the thread that reads the results, before gst_mgpu_motion_results_read()
 * returns in any thread, and do not change afterwards.
 *
 * @is_read: whether the results are known; guarded by the lock of GstMgpuMotionResults
 * @failed: whether the results could not be read
 * @regions: an array of GstMgpuMovingRegion: what moves
 * @active: whether the last message reported that motion started
 * @light, @survive, @energy, @tamper: see gst_mgpu_moving_meta_set_light()
 */
typedef struct
{
  guint64 number;
  MgpuMovingSize size;
  gint width, height;
  GstMgpuMotionTrackParams tracks;
  GstClockTime stop_delay, tamper_time, absorb_time;
  gboolean posts, waits, gates;
  GstClockTime time;
  GstStructure *times;
  GstBuffer *results, *mask, *labels, *heat, *change;
  guint n_forgotten;

  gboolean is_read, failed;
  GArray *regions;
  gboolean active;
  gint light;
  gdouble survive, energy;
  const gchar *tamper;
} GstMgpuMotionFrame;

/* Returns: (transfer full): a frame without buffers */
GstMgpuMotionFrame * gst_mgpu_motion_frame_new   (void);
GstMgpuMotionFrame * gst_mgpu_motion_frame_ref   (GstMgpuMotionFrame * self);
void                 gst_mgpu_motion_frame_unref (GstMgpuMotionFrame * self);

/* Counters for the property "stats" */
enum
{
  GST_MGPU_MOTION_REGIONS,
  GST_MGPU_MOTION_REGIONS_DROPPED,
  GST_MGPU_MOTION_EVENTS,
  GST_MGPU_MOTION_MOVING_PIXELS,
  GST_MGPU_MOTION_GHOSTS,
  GST_MGPU_MOTION_TONE_FRAMES,
  GST_MGPU_MOTION_TAMPERED,
  GST_MGPU_MOTION_N_COUNTERS
};

typedef struct
{
  GstMgpuDeviceBase *base;
  gint relearns;                /* atomic: whether the background has to be forgotten before the
                                 * next frame */

  GMutex lock;
  GCond changed;
  /* Members that @lock guards */
  GQueue queue;                 /* frames whose results are not read yet, oldest first */
  gboolean is_reading;          /* whether a thread is reading the results of the first frame in
                                 * @frames */
  GThread *thread;              /* thread of this object that reads results if no other thread does;
                                 * NULL until it is needed */
  gboolean stops;               /* whether @thread has to end */
  GstMgpuMotionFrame *newest;   /* the last frame whose results were read; NULL if there is none
                                 * yet */
  GError *error;                /* error of a frame whose results could not be read; NULL if there
                                 * is none, or if a caller received it */
  gboolean told;                /* whether a caller received an error since the last
                                 * gst_mgpu_motion_results_forget() */
  guint64 counters[GST_MGPU_MOTION_N_COUNTERS];

  /* Members that are only used by the thread that has set @is_reading */
  GstMgpuMotionTracks *tracks;
  GstMgpuMotionActivity state;
  GstMgpuTamperState tamper;
  guint64 first_id;             /* id of the first region of the current motion */
} GstMgpuMotionResults;

void     gst_mgpu_motion_results_init   (GstMgpuMotionResults * self, GstMgpuDeviceBase * base);
void     gst_mgpu_motion_results_clear  (GstMgpuMotionResults * self);

/* Adds @frame, whose work is enqueued. If @watches is TRUE, a thread of @self reads its results if
 * no other thread does. */
void     gst_mgpu_motion_results_add    (GstMgpuMotionResults * self, GstMgpuMotionFrame * frame,
                                         gboolean watches);
/* Blocks until the results of @frame, and of all frames before it, were read. Returns: FALSE if
 * they cannot be read. @error is then set, unless it was already for an earlier frame */
gboolean gst_mgpu_motion_results_read   (GstMgpuMotionResults * self, GstMgpuMotionFrame * frame,
                                         GError ** error);
/* Sets @error if the results of a frame could not be read since the last call. Returns: (transfer
 * full) (nullable): the last frame up to @frame whose results were read; NULL also with an error */
GstMgpuMotionFrame * gst_mgpu_motion_results_get_newest (GstMgpuMotionResults * self, GstMgpuMotionFrame * frame,
                                                         GError ** error);
/* Reads the results of all frames, ends the motion if there is any, and forgets all regions. Posts
 * the error of results that could not be read, if no caller received it. */
void     gst_mgpu_motion_results_forget (GstMgpuMotionResults * self);
/* Ends the thread of @self, and drops all frames. */
void     gst_mgpu_motion_results_stop   (GstMgpuMotionResults * self);
/* Adds the counters to @stats, the property "stats". */
void     gst_mgpu_motion_results_describe (GstMgpuMotionResults * self, GstStructure * stats);

G_END_DECLS
