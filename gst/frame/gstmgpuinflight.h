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
 * Frames that leave to system memory while the device is still at work on them:
 * the pad's own thread waits for each and pushes it, in order, so that the
 * thread that brings frames goes on with the next.
 */
typedef struct
{
  /*< private >*/
  GstMgpuDeviceUser *user;
  GstPad *pad;
  GMutex lock;
  GCond changed;
  GQueue queue;                 /* frames, which the device may be at work on, and
                                 * events between them */
  guint n_frames;               /* of these, and the one that the thread waits for */
  GThread *pusher;              /* the pad's thread, while it has one of them */
  gboolean flushing;            /* frames go nowhere, and nobody waits */
  gint unlinked;                /* atomic: frames were made for a peer that has gone */
  GstFlowReturn flow;           /* of the last push; a failure until it was told */
  GstClockTime position;        /* the end of the last frame that left */
  guint64 n_pushed;             /* frames that left since the last flush */
} GstMgpuInFlight;

/* What the property max-in-flight is at first: one frame that the device fetches,
 * one that it works on, one that it brings back. */
#define GST_MGPU_DEFAULT_IN_FLIGHT 3

void            gst_mgpu_in_flight_install      (GObjectClass * klass, guint id);

/* How long a frame of info may wait for others of the n in flight */
GstClockTime    gst_mgpu_in_flight_get_latency  (guint n, const GstVideoInfo * info);
/* Adds latency to the answer to a LATENCY query of a live pipeline. */
void            gst_mgpu_in_flight_add_latency  (GstQuery * query, GstClockTime latency);

/* user and pad outlive self. */
void            gst_mgpu_in_flight_init         (GstMgpuInFlight * self, GstMgpuDeviceUser * user, GstPad * pad);
void            gst_mgpu_in_flight_clear        (GstMgpuInFlight * self);

/* Whether flow is a failure, which ends the stream whatever other pads say; the other
 * answers may change with the next frame. */
#define gst_mgpu_flow_is_error(flow) ((flow) <= GST_FLOW_NOT_NEGOTIATED)

/* Blocks until there is room for one more of n frames that the device may be at
 * work on; with 1, until all are pushed.
 * Returns: what the last push returned; a failure until it was returned here once */
GstFlowReturn   gst_mgpu_in_flight_make_room    (GstMgpuInFlight * self, guint n);
/* Blocks until all frames are pushed. */
void            gst_mgpu_in_flight_drain        (GstMgpuInFlight * self);
gboolean        gst_mgpu_in_flight_is_empty     (GstMgpuInFlight * self);
/* Starts to bring frame to the host. With n above 1 it leaves when it is there,
 * and after all others, and *frame is NULL then; otherwise push it.
 * Returns: whether that began */
gboolean        gst_mgpu_in_flight_take         (GstMgpuInFlight * self, guint n, GstBuffer ** frame,
                                                 GError ** error);
/* Takes event if there are frames that it has to come behind. Returns: whether it did */
gboolean        gst_mgpu_in_flight_take_event   (GstMgpuInFlight * self, GstEvent * event);
/* Pushes frame, which it takes, from the thread that calls, unless the peer that
 * it was made for has gone. */
GstFlowReturn   gst_mgpu_in_flight_push         (GstMgpuInFlight * self, GstBuffer * frame);

/* Drops frames and events until the flush stops. */
void            gst_mgpu_in_flight_flush_start  (GstMgpuInFlight * self);
/* Blocks until a push that is under way has returned. */
void            gst_mgpu_in_flight_flush_stop   (GstMgpuInFlight * self);
/* Ends the thread, which may be the one that calls. The pad is not active: frames
 * go nowhere. */
void            gst_mgpu_in_flight_stop         (GstMgpuInFlight * self);
/* Forgets what pushes returned, but for failures: another stream begins, or the
 * pad has another peer. */
void            gst_mgpu_in_flight_forget       (GstMgpuInFlight * self);
/* Notes that the peer goes; takes no lock. */
void            gst_mgpu_in_flight_unlink       (GstMgpuInFlight * self);
/* Blocks until all frames are pushed, or, when the peer that they were made for has
 * gone, went nowhere: what comes is for the peer of now. Returns: whether it had */
gboolean        gst_mgpu_in_flight_relink       (GstMgpuInFlight * self);
/* Returns: whether the peer of the last relink has gone */
gboolean        gst_mgpu_in_flight_is_unlinked  (GstMgpuInFlight * self);

/* Returns: when what follows frame begins, or GST_CLOCK_TIME_NONE */
GstClockTime    gst_mgpu_in_flight_get_end      (GstBuffer * frame);
/* Returns: how many frames left since the last flush; end: the end of the last */
guint64         gst_mgpu_in_flight_get_pushed   (GstMgpuInFlight * self, GstClockTime * end);
/* Says where a segment begins of which nothing left so far. */
void            gst_mgpu_in_flight_set_position (GstMgpuInFlight * self, GstClockTime position);

G_END_DECLS
