/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Declares the element mgpupyramid and its source pads. */
#pragma once

#include <gst/vision/pyramid/pyramid.h>

#include <gst/frame/gstmgpuinput.h>
#include <gst/frame/gstmgpuoutput.h>

G_BEGIN_DECLS

#define GST_TYPE_MGPU_PYRAMID (gst_mgpu_pyramid_get_type ())
G_DECLARE_FINAL_TYPE (GstMgpuPyramid, gst_mgpu_pyramid, GST, MGPU_PYRAMID, GstElement);

#define GST_TYPE_MGPU_PYRAMID_PAD (gst_mgpu_pyramid_pad_get_type ())
G_DECLARE_FINAL_TYPE (GstMgpuPyramidPad, gst_mgpu_pyramid_pad, GST, MGPU_PYRAMID_PAD, GstPad);

/**
 * GstMgpuPyramid:
 * @user: the device, queue and statistics of the element
 * @input: the way of frames to the device, with their format
 * @params: parameters of the pyramids, guarded by the object lock
 * @caps: the caps of frames that arrive
 * @pyramid: the kernels, made for @caps
 * @pyramid_type: the type that @pyramid was made for
 * @level_pools: pools for levels that only the meta needs, no pad
 * @detail_pools: pools for the details of a Laplacian pyramid
 *
 * Only the streaming thread uses @caps and the members after it.
 */
struct _GstMgpuPyramid
{
  GstElement parent;

  GstMgpuDeviceUser user;
  GstMgpuInput input;
  GstPad *sinkpad;
  MgpuPyramidParams params;

  GstCaps *caps;
  MgpuPyramid *pyramid;
  MgpuPyramidType pyramid_type;
  GstBufferPool *level_pools[MGPU_PYRAMID_MAX_LEVELS];
  GstBufferPool *detail_pools[MGPU_PYRAMID_MAX_LEVELS];
};

/**
 * GstMgpuPyramidPad:
 * @index: the number in the pad's name
 * @released: whether the element has released the pad; atomic
 * @flow: the decision for the current frame, made before work on it begins:
 *   GST_FLOW_OK where the pad gets a frame, for which @pool is set; otherwise the
 *   reason why it gets none
 * @answer: the result of the last push of a frame in flight
 * @output: the way of frames that leave
 * @pool: the pool for the pad's frames
 * @out: the pad's current frame
 * @taken: whether @out is on its way to the host
 *
 * Only the streaming thread uses the other members, except @index, which never
 * changes, and what @output guards with locks.
 */
struct _GstMgpuPyramidPad
{
  GstPad parent;

  guint index;
  gint released;
  GstFlowReturn flow;
  GstFlowReturn answer;
  GstMgpuOutput output;
  GstBufferPool *pool;
  GstBuffer *out;
  gboolean taken;
};

/* Makes a frame for each of @pads, which becomes the pad's member @out, from the frame
 * *@in, (transfer full), which becomes NULL. */
gboolean  gst_mgpu_pyramid_process          (GstMgpuPyramid * self, GList * pads, GstBuffer ** in,
                                             GError ** error);

GstPad *  gst_mgpu_pyramid_pad_new          (GstMgpuPyramid * element, GstPadTemplate * template,
                                             const gchar * name, guint index);

/* Returns: the level that @pad shows: the level with the pad's index, or the
 * last level if there are fewer levels */
guint     gst_mgpu_pyramid_pad_get_level    (GstMgpuPyramidPad * pad, GstMgpuPyramid * element);

/* Begins the stream of @pad: sends a STREAM_START event, whose id is derived
 * from the id of @stream_start, the event of the sink pad. */
void      gst_mgpu_pyramid_pad_start        (GstMgpuPyramidPad * pad, GstEvent * stream_start);

/* Sends the sticky events that the sink pad got so far to @pad, which was
 * requested later. */
void      gst_mgpu_pyramid_pad_catch_up     (GstMgpuPyramidPad * pad, GstMgpuPyramid * element);

/* Decides whether @pad gets a level of the current frame. A pad that is linked
 * later gets the next frame. */
void      gst_mgpu_pyramid_pad_begin_frame  (GstMgpuPyramidPad * pad, GstMgpuPyramid * element);

/* Returns: @ret, the result of a push or the decision for the current frame;
 * returns GST_FLOW_OK instead if the pad was released, and GST_FLOW_NOT_LINKED
 * if its peer was unlinked */
GstFlowReturn gst_mgpu_pyramid_pad_judge    (GstMgpuPyramidPad * pad, GstFlowReturn ret);

/* Sends the caps of @pad, asks its peer for a pool, and sets the member flow of
 * the pad. Posts an error message on failure. */
void      gst_mgpu_pyramid_pad_negotiate    (GstMgpuPyramidPad * pad, GstMgpuPyramid * element);

/* Drops the frames in flight and the pool of @pad. Call it when @pad is not
 * active. */
void      gst_mgpu_pyramid_pad_reset        (GstMgpuPyramidPad * pad);

G_END_DECLS
