/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* The pad mask_src of mgpumotion, which pushes the masks of the frames. */
#pragma once

#include <gst/vision/base/image.h>

#include <gst/frame/gstmgpusourcepad.h>

G_BEGIN_DECLS

#define GST_TYPE_MGPU_MOTION_PAD (gst_mgpu_motion_pad_get_type ())
G_DECLARE_FINAL_TYPE (GstMgpuMotionPad, gst_mgpu_motion_pad, GST, MGPU_MOTION_PAD, GstMgpuSourcePad);

/* Returns: (transfer floating): a pad. @base: the device of the element, whose frames arrive at
 * @sinkpad. @base and @sinkpad have to outlive the streams of the pad. */
GstMgpuMotionPad * gst_mgpu_motion_pad_new   (GstMgpuDeviceBase * base, GstPad * sinkpad,
                                              GstPadTemplate * templ);

/* Deactivates @self, which the element is about to remove, while frames may arrive. */
void               gst_mgpu_motion_pad_release (GstMgpuMotionPad * self);

/* Only the streaming thread of @sinkpad may call the functions below. */

/* Gets a frame for a mask, and sets @image to it. Returns: FALSE without an error if the pad has no
 * peer that accepts masks; FALSE with @error set on failure */
gboolean      gst_mgpu_motion_pad_acquire     (GstMgpuMotionPad * self, MgpuImage * image, GError ** error);
/* Pushes the mask that was acquired, with the times of the frame @in. @segment: the segment of @in.
 * Returns: GST_FLOW_OK, or a failure that ends the stream */
GstFlowReturn gst_mgpu_motion_pad_push        (GstMgpuMotionPad * self, GstBuffer * in, GstSegment * segment);
/* Sends a copy of @event, which has arrived at @sinkpad, from the pad @self, if the event concerns
 * the stream of masks. */
void          gst_mgpu_motion_pad_send_event  (GstMgpuMotionPad * self, GstEvent * event);

G_END_DECLS
