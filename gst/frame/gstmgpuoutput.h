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
 * @gives_device_frames: whether the caps of output frames have the feature of device memory
 * @takes_video_meta: whether the peer pad accepts frames with strides that differ from the
 *   default ones
 * @in_flight: frames that are being downloaded
 * @discont: whether a frame is missing before the next one that
 *   gst_mgpu_output_push() pushes
 *
 * The output frames of one source pad: the memory in which they are pushed, which depends on the
 * caps and on the peer pad, and the frames in flight.
 */
typedef struct
{
  GstMgpuDeviceBase *base;
  GstVideoInfo info;
  gboolean gives_device_frames;
  gboolean takes_video_meta;
  GstMgpuInFlight in_flight;
  gboolean discont;
  gboolean is_apart;            /* whether another thread waits for results of the device: the
                                 * device has its own memory, and the frames come from a pool of
                                 * this library */

  /* Members that the element's object lock (GST_OBJECT_LOCK) guards */
  gboolean to_host;             /* whether output frames are copied to host memory */
  guint n_held;                 /* number of input frames that the element keeps before it makes
                                 * an output frame */
  GstClockTime held_time;       /* duration of the frames that the element keeps, in ns */
  gboolean is_live;             /* whether the pipeline was live at the last LATENCY query */
  GstClockTime latency;
} GstMgpuOutput;

/* Initializes @self for frames that are pushed from @pad. @base and @pad have to outlive @self. */
void         gst_mgpu_output_init              (GstMgpuOutput * self, GstMgpuDeviceBase * base, GstPad * pad);
void         gst_mgpu_output_clear             (GstMgpuOutput * self);
/* Drops the frames in flight. Call it when the pad is not active. */
void         gst_mgpu_output_stop              (GstMgpuOutput * self);

gboolean     gst_mgpu_output_set_caps          (GstMgpuOutput * self, GstCaps * caps, GError ** error);
/* Chooses the pool in @query, an ALLOCATION query that the peer has answered: the peer's pool if
 * it belongs to the element's OpenCL context, otherwise a new pool. Removes other pools from
 * @query. Posts an error message on failure. */
gboolean     gst_mgpu_output_decide_allocation (GstMgpuOutput * self, GstQuery * query);
/* Makes @pool (transfer full), whose buffers have @size bytes, the only pool in @query, an
 * ALLOCATION query that the peer has answered. Also removes metas that upstream must not use.
 * Frames of a pool that is not a GstMgpuBufferPool are never in flight. */
void         gst_mgpu_output_use_pool          (GstMgpuOutput * self, GstQuery * query,
                                                GstBufferPool * pool, guint size);

/* Returns: the maximum number of output frames in flight: to system memory, or until they are
 * complete. 1 means that the element pushes each frame before the next one arrives, even if the
 * device has not finished it */
guint        gst_mgpu_output_get_max_in_flight (GstMgpuOutput * self);
/* If *@frame is to be pushed in system memory, starts to download it. If it then is in flight, or has
 * to be completed, and several frames may be in flight, also passes the frame to the pad's thread, and sets *@frame to NULL. If *@frame is not
 * set to NULL, the caller has to push it. Returns: FALSE if the download failed to start */
gboolean     gst_mgpu_output_take              (GstMgpuOutput * self, GstBuffer ** frame, GError ** error);
/* Pushes @frame (transfer full) downstream, and sets the position of @segment. If the frame is to
 * be pushed in system memory, starts its download; when the download is complete, another thread
 * pushes the frame. Returns: the result of the push, or, if another thread pushes the frame, the
 * result of an earlier push */
GstFlowReturn gst_mgpu_output_push             (GstMgpuOutput * self, GstBuffer * frame, GstSegment * segment,
                                                GstFlowReturn flow);

/* Sets the answer to @query, a POSITION query, to the end of the last frame that was pushed.
 * GstBaseTransform would answer with the position of the last frame that arrived. */
void         gst_mgpu_output_answer_position   (GstMgpuOutput * self, GstQuery * query, const GstSegment * segment);
/* Sets the number of pushed frames in @message (transfer full), a QOS message. GstBaseTransform
 * would set it to 0, because it counts only frames that it pushes itself. */
GstMessage * gst_mgpu_output_correct_qos       (GstMgpuOutput * self, GstMessage * message);

/* Updates the latency of the element, and posts a message if it has changed. A frame is delayed
 * by the frames that may be in flight before it. */
void         gst_mgpu_output_update_latency    (GstMgpuOutput * self);
/* Sets the number of input frames that the element keeps before it makes an output frame. Each of
 * them adds the duration of a frame to the latency; 1/25 s if the caps have no framerate. */
void         gst_mgpu_output_set_held          (GstMgpuOutput * self, guint n);
/* Returns: the latency, in nanoseconds, that results from gst_mgpu_output_set_held(): the time
 * for which a frame may be kept */
GstClockTime gst_mgpu_output_get_held_time     (GstMgpuOutput * self);
/* Returns: whether the pipeline is live; FALSE before gst_mgpu_output_add_latency() was called.
 * In a live pipeline, a frame that is kept longer than the latency arrives too late */
gboolean     gst_mgpu_output_is_live           (GstMgpuOutput * self);
/* Adds the latency of this element to @query, a LATENCY query that upstream answered. */
void         gst_mgpu_output_add_latency       (GstMgpuOutput * self, GstQuery * query);

G_END_DECLS
