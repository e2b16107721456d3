/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstmgpuinflight.h"

G_BEGIN_DECLS

/**
 * GstMgpuOutput:
 * @base: the device of the element
 * @info: the format of output frames
 * @gives_device_frames: whether the caps of output frames ask for memory of the device
 * @takes_video_meta: whether the peer pad takes frames with other strides than the
 *   default ones
 * @in_flight: frames on their way to the host
 * @discont: whether a frame is missing before the next one that
 *   gst_mgpu_output_push() pushes
 *
 * Says in which memory the frames of one source pad are pushed, as its caps and its peer pad
 * demand, and which of them are in flight.
 */
typedef struct
{
  GstMgpuDeviceBase *base;
  GstVideoInfo info;
  gboolean gives_device_frames;
  gboolean takes_video_meta;
  GstMgpuInFlight in_flight;
  gboolean discont;

  /* Members that the element's object lock (GST_OBJECT_LOCK) guards */
  gboolean to_host;             /* whether output frames are copied to host memory */
  guint n_held;                 /* number of input frames that the element holds back
                                 * before it makes an output frame */
  GstClockTime held_time;       /* duration, in ns, of the frames that the element holds
                                 * back */
  gboolean is_live;             /* whether the last LATENCY query was that of a live
                                 * pipeline */
  GstClockTime latency;
} GstMgpuOutput;

/* Prepares @self for frames that are pushed from @pad; @base and @pad have to outlive
 * @self. */
void         gst_mgpu_output_init              (GstMgpuOutput * self, GstMgpuDeviceBase * base, GstPad * pad);
void         gst_mgpu_output_clear             (GstMgpuOutput * self);
/* Drops the frames in flight. Call it when the pad is not active. */
void         gst_mgpu_output_stop              (GstMgpuOutput * self);

gboolean     gst_mgpu_output_set_caps          (GstMgpuOutput * self, GstCaps * caps, GError ** error);
/* Leaves one pool in @query, an ALLOCATION query that the peer answered: the peer's pool if it
 * belongs to our OpenCL context, otherwise a pool of our own. Posts an error message on failure. */
gboolean     gst_mgpu_output_decide_allocation (GstMgpuOutput * self, GstQuery * query);
/* Leaves only @pool, (transfer full), whose buffers have @size bytes, in @query, an
 * ALLOCATION query that the peer answered, and only metas that upstream may use. Frames of
 * a pool that is not a GstMgpuBufferPool are never in flight. */
void         gst_mgpu_output_use_pool          (GstMgpuOutput * self, GstQuery * query,
                                                GstBufferPool * pool, guint size);

/* Returns: how many output frames may be in flight to system memory; 1 if the element pushes each
 * frame before the next one arrives, even while the device still works on it */
guint        gst_mgpu_output_get_max_in_flight (GstMgpuOutput * self);
/* If *@frame is pushed in system memory, starts to copy it to the host. If several frames
 * may be in flight, also gives the frame to the pad's thread, and sets *@frame to NULL.
 * If *@frame is not set to NULL, the caller has to push it. Returns: FALSE if the copy
 * failed to start */
gboolean     gst_mgpu_output_take              (GstMgpuOutput * self, GstBuffer ** frame, GError ** error);
/* Pushes @frame, (transfer full), downstream, and sets the position of @segment. If the
 * frame is pushed in system memory, starts its copy to the host; another thread pushes the
 * frame when the copy is complete, and this function returns the result of an earlier
 * push. Otherwise returns the result of this push. */
GstFlowReturn gst_mgpu_output_push             (GstMgpuOutput * self, GstBuffer * frame, GstSegment * segment,
                                                GstFlowReturn flow);

/* Sets the answer to @query, a POSITION query, to the end of the last frame
 * that was pushed; GstBaseTransform itself would answer with the position of
 * the last frame that arrived. */
void         gst_mgpu_output_answer_position   (GstMgpuOutput * self, GstQuery * query, const GstSegment * segment);
/* Puts the number of pushed frames into @message, (transfer full), a QOS message.
 * GstBaseTransform counts only the frames that it pushes itself, so that the message
 * would say 0. */
GstMessage * gst_mgpu_output_correct_qos       (GstMgpuOutput * self, GstMessage * message);

/* Computes the latency of the element anew, and posts a message if it changed. A frame is
 * delayed by the frames that may be in flight before it. */
void         gst_mgpu_output_update_latency    (GstMgpuOutput * self);
/* Sets how many input frames the element holds back before it makes an output frame: each
 * adds as much latency as a frame in flight, 1/25 s if the caps have no framerate. */
void         gst_mgpu_output_set_held          (GstMgpuOutput * self, guint n);
/* Returns: how long, in nanoseconds, a frame may be held back, which is the latency that
 * gst_mgpu_output_set_held() adds */
GstClockTime gst_mgpu_output_get_held_time     (GstMgpuOutput * self);
/* Returns: whether the pipeline is live, so that frames which leave later than the
 * latency says come too late; FALSE until gst_mgpu_output_add_latency() was called */
gboolean     gst_mgpu_output_is_live           (GstMgpuOutput * self);
/* Adds the latency of this element to @query, a LATENCY query that upstream answered. */
void         gst_mgpu_output_add_latency       (GstMgpuOutput * self, GstQuery * query);

G_END_DECLS
