/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstmgpuinflight.h"

G_BEGIN_DECLS

/**
 * GstMgpuOutput:
 * @user: the device of the element
 * @info: the format of frames that leave
 * @gives_device_frames: whether the caps of these frames ask for memory of the device
 * @takes_video_meta: whether the peer takes frames with other strides than the
 *   default ones
 * @in_flight: frames on their way to the host
 * @discont: whether a frame is missing before the next one that
 *   gst_mgpu_output_push() pushes
 *
 * Keeps how the frames of one source pad leave: as the caps and the peer want them.
 */
typedef struct
{
  GstMgpuDeviceUser *user;
  GstVideoInfo info;
  gboolean gives_device_frames;
  gboolean takes_video_meta;
  GstMgpuInFlight in_flight;
  gboolean discont;

  /*< private >*/
  /* Members that the object lock guards */
  gboolean to_host;             /* whether frames are copied to the host's memory */
  guint n_held;                 /* number of frames that the element holds
                                 * back */
  GstClockTime latency;
} GstMgpuOutput;

/* Prepares @self for frames that leave pad; user and pad have to outlive
 * self. */
void         gst_mgpu_output_init              (GstMgpuOutput * self, GstMgpuDeviceUser * user, GstPad * pad);
void         gst_mgpu_output_clear             (GstMgpuOutput * self);
/* Drops the frames in flight. Call it when the pad is not active. */
void         gst_mgpu_output_stop              (GstMgpuOutput * self);

gboolean     gst_mgpu_output_set_caps          (GstMgpuOutput * self, GstCaps * caps, GError ** error);
/* Leaves one pool in @query, an ALLOCATION query that the peer answered: the
 * peer's pool where it is in our context, otherwise a pool of our own. Posts an
 * error message on failure. */
gboolean     gst_mgpu_output_decide_allocation (GstMgpuOutput * self, GstQuery * query);

/* Returns: how many frames may be on their way to system memory; 1 where the element
 * pushes each frame before the next one comes, even if the device is still at work on it */
guint        gst_mgpu_output_get_max_in_flight (GstMgpuOutput * self);
/* Starts to copy *frame to the host, if it leaves in system memory, and gives
 * it to the pad's thread if several frames may be in flight; then *frame
 * becomes NULL. Where *frame does not become NULL, the caller has to push it.
 * Returns: FALSE where the copy failed to start */
gboolean     gst_mgpu_output_take              (GstMgpuOutput * self, GstBuffer ** frame, GError ** error);
/* Pushes @frame, (transfer full), downstream, and sets the position of
 * @segment. For a frame in system memory, starts the copy to the host; another
 * thread pushes the frame when the copy is complete, and the function returns
 * the result of an earlier push. For other frames, returns the result of this
 * push. */
GstFlowReturn gst_mgpu_output_push             (GstMgpuOutput * self, GstBuffer * frame, GstSegment * segment,
                                                GstFlowReturn flow);

/* Sets the answer to @query, a POSITION query, to the end of the last frame
 * that was pushed; GstBaseTransform itself would answer with the position of
 * the last frame that arrived. */
void         gst_mgpu_output_answer_position   (GstMgpuOutput * self, GstQuery * query, const GstSegment * segment);
/* Puts the number of pushed frames into @message, (transfer full), a QOS
 * message: GstBaseTransform counts only the frames that it pushes itself, and
 * so says 0. */
GstMessage * gst_mgpu_output_correct_qos       (GstMgpuOutput * self, GstMessage * message);

/* Computes the latency anew, and posts a message if it changed. A frame is
 * delayed by the frames that may be in flight before it. */
void         gst_mgpu_output_update_latency    (GstMgpuOutput * self);
/* Sets how many frames the element holds back before it makes one: each adds as
 * much latency as a frame in flight, 1/25 s where the caps have no
 * framerate. */
void         gst_mgpu_output_set_held          (GstMgpuOutput * self, guint n);
/* Adds the latency to @query, a LATENCY query that upstream answered. */
void         gst_mgpu_output_add_latency       (GstMgpuOutput * self, GstQuery * query);

G_END_DECLS
