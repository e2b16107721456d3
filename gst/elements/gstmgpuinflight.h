/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstmgpudeviceuser.h"

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
  guint n_frames;               /* of these */
  gboolean pushing;             /* one more, which is here */
  GstFlowReturn flow;           /* of a push that nobody has heard of yet */
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

/* Blocks until there is room for one more of n frames that the device may be at
 * work on; with 1, until all are pushed.
 * Returns: what became of those pushed since the last call */
GstFlowReturn   gst_mgpu_in_flight_make_room    (GstMgpuInFlight * self, guint n);
/* Blocks until all frames are pushed. */
GstFlowReturn   gst_mgpu_in_flight_drain        (GstMgpuInFlight * self);
gboolean        gst_mgpu_in_flight_is_empty     (GstMgpuInFlight * self);
/* Starts to bring frame to the host. With n above 1 it leaves when it is there,
 * and after all others, and *frame is NULL then; otherwise it may leave at once.
 * Returns: whether that began */
gboolean        gst_mgpu_in_flight_take         (GstMgpuInFlight * self, guint n, GstBuffer ** frame,
                                                 GError ** error);
/* Takes event if there are frames that it has to come behind. Returns: whether it did */
gboolean        gst_mgpu_in_flight_take_event   (GstMgpuInFlight * self, GstEvent * event);
/* Ends the thread. The pad is not active: frames go nowhere. */
void            gst_mgpu_in_flight_stop         (GstMgpuInFlight * self);

G_END_DECLS
