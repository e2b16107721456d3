/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstmgpupools.h"

G_BEGIN_DECLS

/**
 * GstMgpuInFlight:
 *
 * A queue of frames "in flight": output frames in system memory that wait to be pushed from
 * a pad, while the device is still at work on them. A thread of the pad waits for each frame
 * and pushes it, in order, so that the streaming thread goes on with the next frame.
 */
typedef struct
{
  GstMgpuDeviceBase *base;
  GstPad *pad;
  GMutex lock;
  GCond changed;
  GQueue queue;                 /* frames to be pushed, on which the device may still be
                                 * working, and events between them */
  guint n_frames;               /* number of frames in @queue, plus one while the pad's
                                 * thread waits for the bytes of a frame */
  GThread *pusher;              /* the pad's thread, while it pushes a frame or
                                 * an event; else NULL */
  gboolean flushing;            /* whether a flush of the pad is under way, which drops
                                 * frames and ends all waits */
  gint unlinked;                /* whether the peer pad for which the frames were made was
                                 * unlinked; atomic */
  GstFlowReturn flow;           /* result of the last push; a failure stays here until
                                 * make_room() has returned it */
  GstClockTime position;        /* time, in ns, at which the last frame that was pushed
                                 * ends */
  guint64 n_pushed;             /* number of frames pushed since the last flush */
} GstMgpuInFlight;

/* Prepares @self for frames that are pushed from @pad; @base and @pad have to outlive
 * @self. */
void            gst_mgpu_in_flight_init         (GstMgpuInFlight * self, GstMgpuDeviceBase * base, GstPad * pad);
void            gst_mgpu_in_flight_clear        (GstMgpuInFlight * self);

/* Returns: whether @flow is a failure that ends the stream, whatever other pads returned.
 * Values such as NOT_LINKED do not: they may change with the next frame */
#define gst_mgpu_flow_is_error(flow) ((flow) <= GST_FLOW_NOT_NEGOTIATED)

/* Blocks until fewer than @n frames are in flight; if @n is 1, until all are pushed.
 * Returns: the result of the last push, or an earlier failure that was not returned here
 * before; FLUSHING during a flush */
GstFlowReturn   gst_mgpu_in_flight_make_room    (GstMgpuInFlight * self, guint n);
/* Blocks until all frames in flight are pushed. */
void            gst_mgpu_in_flight_drain        (GstMgpuInFlight * self);
gboolean        gst_mgpu_in_flight_is_empty     (GstMgpuInFlight * self);
/* Starts to copy *@frame to the host. If @n is above 1, the pad's thread pushes the frame
 * once its bytes are on the host, after earlier frames, and *@frame is set to NULL. If
 * *@frame is not set to NULL, the caller has to push it. Returns: FALSE if the copy
 * failed to start */
gboolean        gst_mgpu_in_flight_take         (GstMgpuInFlight * self, guint n, GstBuffer ** frame,
                                                 GError ** error);
/* Pushes @frame, (transfer full), in the calling thread. Drops the frame if the peer pad
 * that it was made for was unlinked. */
GstFlowReturn   gst_mgpu_in_flight_push         (GstMgpuInFlight * self, GstBuffer * frame);

/* Prepares for @event, which is about to be pushed from the pad. FLUSH_START drops all frames and
 * events until FLUSH_STOP, which blocks until a push that is under way has returned. An event that
 * is serialized with frames blocks until all frames are pushed; but a custom event goes into the
 * queue behind the frames, so that no thread waits: the latency tracer sends such an event before
 * each frame. STREAM_START makes @self forget the result of the last push, unless it is
 * GST_FLOW_ERROR or worse. Returns: whether the event went into the queue; if not, the caller has
 * to send it */
gboolean        gst_mgpu_in_flight_handle_event (GstMgpuInFlight * self, GstEvent * event);
/* Ends the pad's thread, which may be the calling thread, and drops the frames in flight.
 * Call it when the pad is not active. */
void            gst_mgpu_in_flight_stop         (GstMgpuInFlight * self);
/* Notes that the peer pad is being unlinked; takes no lock. */
void            gst_mgpu_in_flight_unlink       (GstMgpuInFlight * self);
/* Blocks until all frames are pushed, or are dropped because the peer pad that they were
 * made for was unlinked. Later frames are for the current peer, and the result of the
 * last push to another peer is forgotten, unless it is GST_FLOW_ERROR or worse. Returns:
 * whether a peer was unlinked since the last call */
gboolean        gst_mgpu_in_flight_relink       (GstMgpuInFlight * self);
/* Returns: whether a peer pad was unlinked since the last gst_mgpu_in_flight_relink() */
gboolean        gst_mgpu_in_flight_is_unlinked  (GstMgpuInFlight * self);

/* Returns: the time at which @frame ends: its timestamp plus its duration, if known;
 * GST_CLOCK_TIME_NONE if it has no timestamp */
GstClockTime    gst_mgpu_in_flight_get_end      (GstBuffer * frame);
/* Returns: how many frames were pushed since the last flush. @end is (out) (nullable):
 * the time at which the last of these frames ends */
guint64         gst_mgpu_in_flight_get_pushed   (GstMgpuInFlight * self, GstClockTime * end);
/* Sets the time that gst_mgpu_in_flight_get_pushed() returns as @end until a frame of the
 * new segment is pushed. */
void            gst_mgpu_in_flight_set_position (GstMgpuInFlight * self, GstClockTime position);

G_END_DECLS
