/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstmgpupools.h"

G_BEGIN_DECLS

/* Completes *@frame, which is about to be pushed, in the thread that pushes it: the thread of the
 * pad for a frame that was in flight, otherwise the streaming thread. @data is the pointer that was
 * passed to gst_mgpu_in_flight_set_complete(). May replace *@frame, and may block. Returns:
 * GST_FLOW_OK to push the frame; GST_FLOW_CUSTOM_SUCCESS to drop it; a failure, after an error
 * message, to drop it and end the stream */
typedef GstFlowReturn (*GstMgpuCompleteFrame) (gpointer data, GstBuffer ** frame);

/**
 * GstMgpuInFlight:
 *
 * A queue of frames "in flight": output frames that will be pushed from a pad when the device has
 * finished them. These are frames in system memory, and frames that the element completes with
 * results of the device. A thread of the pad waits for each frame and pushes it, in order.
 * Meanwhile the streaming thread can process the next frame.
 */
typedef struct
{
  GstMgpuDeviceBase *base;
  GstPad *pad;
  GstMgpuCompleteFrame complete;        /* function that completes frames; NULL if frames need no
                                         * completion; set before the first frame */
  gpointer complete_data;
  gboolean completes;           /* whether @complete may block. If so, frames that need no download
                                 * are also put in flight. Guarded by the object lock of the
                                 * element; only the streaming thread writes it */
  GMutex lock;
  GCond changed;
  GQueue queue;                 /* frames and events to be pushed, in order; the device may still
                                 * be computing the frames */
  guint n_frames;               /* number of frames in @queue, plus one while the pad's
                                 * thread waits for the bytes of a frame, or completes it */
  guint n_lost;                 /* number of the @n_frames frames that will be dropped, each with a
                                 * message, because an earlier frame failed: the frames that were in
                                 * flight at the failure, and the frames that arrived before
                                 * make_room() returned the failure. If the device is lost, these
                                 * frames would fail as well */
  GThread *pusher;              /* the pad's thread while it pushes a frame or an event; otherwise
                                 * NULL */
  gboolean flushing;            /* whether a flush of the pad is under way, which drops
                                 * frames and ends all waits */
  gint unlinked;                /* whether the peer pad for which the frames were made was
                                 * unlinked; atomic */
  GstFlowReturn flow;           /* result of the last push; a failure is kept until make_room()
                                 * has returned it */
  GstClockTime position;        /* end time of the last frame that was pushed, in ns */
  guint64 n_pushed;             /* number of frames pushed since the last flush */
} GstMgpuInFlight;

/* Initializes @self for frames that are pushed from @pad. @base and @pad have to outlive @self. */
void            gst_mgpu_in_flight_init         (GstMgpuInFlight * self, GstMgpuDeviceBase * base, GstPad * pad);
void            gst_mgpu_in_flight_clear        (GstMgpuInFlight * self);
/* Makes @self call @complete with @data before it pushes a frame. If several frames may be in
 * flight, frames that need no download are then also in flight, so that the streaming thread
 * does not wait in @complete. Call it before the first frame. */
void            gst_mgpu_in_flight_set_complete (GstMgpuInFlight * self, GstMgpuCompleteFrame complete,
                                                 gpointer data);

/* Returns: TRUE if @flow is a failure that ends the stream even if pushes to other pads
 * succeeded. NOT_LINKED, for example, is not such a failure, because the next push may succeed */
#define gst_mgpu_flow_is_error(flow) ((flow) <= GST_FLOW_NOT_NEGOTIATED)

/* Blocks until fewer than @n frames are in flight; if @n is 1, until all are pushed. Returns: the
 * result of the last push, or an earlier failure that this function has not returned yet;
 * FLUSHING during a flush */
GstFlowReturn   gst_mgpu_in_flight_make_room    (GstMgpuInFlight * self, guint n);
/* Blocks until all frames in flight are pushed, or dropped by a flush. No frame is being completed
 * then. */
void            gst_mgpu_in_flight_drain        (GstMgpuInFlight * self);
gboolean        gst_mgpu_in_flight_is_empty     (GstMgpuInFlight * self);
/* Starts to download *@frame if @to_host is TRUE. If @n is 1, the caller then has to push the frame.
 * If @n is larger, *@frame is set to NULL, and the pad's thread pushes the frame when its bytes are
 * on the host and it is complete, after earlier frames. Returns: FALSE if the download failed to
 * start */
gboolean        gst_mgpu_in_flight_take         (GstMgpuInFlight * self, guint n, gboolean to_host,
                                                 GstBuffer ** frame, GError ** error);
/* Pushes @frame (transfer full) in the calling thread. Drops the frame if the peer pad for which
 * it was made was unlinked. */
GstFlowReturn   gst_mgpu_in_flight_push         (GstMgpuInFlight * self, GstBuffer * frame);
/* Pushes a GAP event instead of @frame, which was dropped. If @frame has no timestamp, the gap
 * begins where the last pushed frame ended. Only the thread that pushes frames may call this. */
void            gst_mgpu_in_flight_push_gap     (GstMgpuInFlight * self, GstBuffer * frame);

/* Prepares for @event, which is about to be pushed from the pad.
 * - After FLUSH_START, all frames and events are dropped until FLUSH_STOP.
 * - FLUSH_STOP blocks until the current push has returned.
 * - A custom event that is serialized with frames is appended to the queue, so that no thread
 *   waits: the latency tracer sends such an event before each frame.
 * - Another event that is serialized with frames blocks until all frames are pushed.
 * - STREAM_START makes @self forget the result of the last push, unless it ends the stream.
 * Returns: whether the event was appended to the queue; if not, the caller has to push it */
gboolean        gst_mgpu_in_flight_handle_event (GstMgpuInFlight * self, GstEvent * event);
/* Ends the pad's thread and drops the frames in flight. The pad's thread may be the calling
 * thread. Call this function when the pad is not active. */
void            gst_mgpu_in_flight_stop         (GstMgpuInFlight * self);
/* Records that the peer pad is being unlinked. Takes no lock. */
void            gst_mgpu_in_flight_unlink       (GstMgpuInFlight * self);
/* Blocks until all frames are pushed, or dropped because the peer pad for which they were made
 * was unlinked. Later frames are for the current peer. Forgets the result of the last push to an
 * earlier peer, unless it ends the stream. Returns: whether a peer was unlinked since the last
 * call */
gboolean        gst_mgpu_in_flight_relink       (GstMgpuInFlight * self);
/* Returns: whether a peer pad was unlinked since the last gst_mgpu_in_flight_relink() */
gboolean        gst_mgpu_in_flight_is_unlinked  (GstMgpuInFlight * self);

/* Returns: the end time of @frame: its timestamp plus its duration (0 if unknown);
 * GST_CLOCK_TIME_NONE if it has no timestamp */
GstClockTime    gst_mgpu_in_flight_get_end      (GstBuffer * frame);
/* Returns: the number of frames that were pushed since the last flush. @end (out) (nullable) is
 * set to the end time of the last of them */
guint64         gst_mgpu_in_flight_get_pushed   (GstMgpuInFlight * self, GstClockTime * end);
/* Sets the time that gst_mgpu_in_flight_get_pushed() returns in @end until a frame of the new
 * segment is pushed. */
void            gst_mgpu_in_flight_set_position (GstMgpuInFlight * self, GstClockTime position);

G_END_DECLS
