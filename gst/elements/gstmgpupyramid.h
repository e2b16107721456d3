/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* The element mgpupyramid and its source pads. */
#pragma once

#include <gst/vision/pyramid/pyramid.h>

#include <gst/frame/gstmgpuinflight.h>

G_BEGIN_DECLS

#define GST_TYPE_MGPU_PYRAMID (gst_mgpu_pyramid_get_type ())
G_DECLARE_FINAL_TYPE (GstMgpuPyramid, gst_mgpu_pyramid, GST, MGPU_PYRAMID, GstElement);

#define GST_TYPE_MGPU_PYRAMID_PAD (gst_mgpu_pyramid_pad_get_type ())
G_DECLARE_FINAL_TYPE (GstMgpuPyramidPad, gst_mgpu_pyramid_pad, GST, MGPU_PYRAMID_PAD, GstPad);

/**
 * GstMgpuPyramid:
 * @user: device, queue, statistics
 * @params: of the pyramids to be made, under the object lock
 * @max_in_flight: as the property, under the object lock
 *
 * The rest belongs to the streaming thread: @caps are those of the frames that
 * arrive, @pyramid is made for them. Levels that only the meta wants lie in
 * frames of @level_pools.
 */
struct _GstMgpuPyramid
{
  GstElement parent;

  GstMgpuDeviceUser user;
  GstPad *sinkpad;
  MgpuPyramidParams params;
  guint max_in_flight;

  GstCaps *caps;
  MgpuPyramid *pyramid;
  MgpuPyramidType pyramid_type;
  GstBufferPool *level_pools[MGPU_PYRAMID_MAX_LEVELS];
  GstBufferPool *detail_pools[MGPU_PYRAMID_MAX_LEVELS];
};

/**
 * GstMgpuPyramidPad:
 * @index: the number in its name
 * @released: whether the element has let go of it; atomic
 * @flow: what was decided for the frame at hand before work on it began: GST_FLOW_OK
 *   when the pad gets one, for which @pool is set; otherwise why it gets none
 * @answer: what the last frame in flight that left was answered
 * @gives_device_frames: whether its caps say so
 * @video_meta: whether its peer takes frames with strides of their own
 * @to_host: whether they have to be brought to the host's memory; written under
 *   the element's object lock
 * @latency: what a frame may wait for others, under the element's object lock
 * @in_flight: frames on their way to the host
 * @out: the frame at hand
 * @taken: whether it went to @in_flight
 *
 * The rest belongs to the streaming thread.
 */
struct _GstMgpuPyramidPad
{
  GstPad parent;

  guint index;
  gint released;
  GstFlowReturn flow;
  GstFlowReturn answer;
  gboolean gives_device_frames;
  gboolean video_meta;
  gboolean to_host;
  GstClockTime latency;
  GstMgpuInFlight in_flight;
  GstBufferPool *pool;
  GstBuffer *out;
  gboolean taken;
};

/* Makes the frames of pads, in their out, from *in, which it takes. */
gboolean  gst_mgpu_pyramid_process          (GstMgpuPyramid * self, GList * pads, GstBuffer ** in,
                                             GError ** error);

GstPad *  gst_mgpu_pyramid_pad_new          (GstMgpuPyramid * element, GstPadTemplate * template,
                                             const gchar * name, guint index);

/* The level that pad shows: that of its index, or the last one there is */
guint     gst_mgpu_pyramid_pad_get_level    (GstMgpuPyramidPad * pad, GstMgpuPyramid * element);

/* Begins pad's own stream within that of stream_start. */
void      gst_mgpu_pyramid_pad_start        (GstMgpuPyramidPad * pad, GstEvent * stream_start);

/* Brings a pad that came late all events so far. */
void      gst_mgpu_pyramid_pad_catch_up     (GstMgpuPyramidPad * pad, GstMgpuPyramid * element);

/* Decides what pad gets of the frame at hand; a link made after that counts for the
 * next one. */
void      gst_mgpu_pyramid_pad_begin_frame  (GstMgpuPyramidPad * pad, GstMgpuPyramid * element);

/* Returns: what ret, which a push or the decision for the frame at hand says, means
 * for the stream, now that the pad may have another peer, or be released */
GstFlowReturn gst_mgpu_pyramid_pad_judge    (GstMgpuPyramidPad * pad, GstFlowReturn ret);

/* Sends pad's caps and asks for a pool, which sets its flow. Posts what fails. */
void      gst_mgpu_pyramid_pad_negotiate    (GstMgpuPyramidPad * pad, GstMgpuPyramid * element);

/* How many frames of pad the device may be at work on */
guint     gst_mgpu_pyramid_pad_get_in_flight (GstMgpuPyramidPad * pad, GstMgpuPyramid * element);

/* Tells the pipeline when that changes a frame's delay. */
void      gst_mgpu_pyramid_pad_update_latency (GstMgpuPyramidPad * pad, GstMgpuPyramid * element);

/* Forgets stream, pool and frames; pad is not active. */
void      gst_mgpu_pyramid_pad_reset        (GstMgpuPyramidPad * pad);

G_END_DECLS
