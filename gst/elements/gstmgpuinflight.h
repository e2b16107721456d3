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
  GQueue frames;                /* in order; the device may be at work on them */
  gboolean pushing;             /* one more, which is here */
  GstFlowReturn flow;           /* of a push that nobody has heard of yet */
} GstMgpuInFlight;

/* user and pad outlive self. */
void            gst_mgpu_in_flight_init         (GstMgpuInFlight * self, GstMgpuDeviceUser * user, GstPad * pad);
void            gst_mgpu_in_flight_clear        (GstMgpuInFlight * self);

/* Blocks until the device is at work on n frames at most.
 * Returns: what became of those pushed since the last call */
GstFlowReturn   gst_mgpu_in_flight_wait         (GstMgpuInFlight * self, guint n);
/* Blocks until all frames are pushed. */
GstFlowReturn   gst_mgpu_in_flight_drain        (GstMgpuInFlight * self);
gboolean        gst_mgpu_in_flight_is_empty     (GstMgpuInFlight * self);
/* frame: (transfer full): leaves after all others */
void            gst_mgpu_in_flight_add          (GstMgpuInFlight * self, GstBuffer * frame);
/* After a flush: nobody wants to hear of it any more. */
void            gst_mgpu_in_flight_forget       (GstMgpuInFlight * self);
/* Ends the thread. The pad is not active: frames go nowhere. */
void            gst_mgpu_in_flight_stop         (GstMgpuInFlight * self);

G_END_DECLS
