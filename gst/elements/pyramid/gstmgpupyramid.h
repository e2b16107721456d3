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
 * @base: the device, queue and statistics of the element
 * @input: makes input frames accessible to the device, and holds their format
 * @params: parameters of the image pyramids, guarded by the object lock
 * @indices: bit mask of the used indices of source pads, guarded by the object lock. An index is
 *   used from before the pad is added until it is removed
 * @caps: the caps of input frames
 * @warned_refused: whether an error message was posted because the element refused the last caps
 * @pyramid: the object with the pyramid kernels for @caps
 * @pyramid_type: the pyramid type for which @pyramid was made
 * @level_pools: buffer pools for the pyramid levels that only the meta needs, because no pad
 * outputs them
 * @detail_pools: buffer pools for the detail images of a Laplacian pyramid
 *
 * Only the streaming thread uses @caps and the members after it.
 */
struct _GstMgpuPyramid
{
  GstElement parent;

  GstMgpuDeviceBase base;
  GstMgpuInput input;
  GstPad *sinkpad;
  MgpuPyramidParams params;
  guint32 indices;

  GstCaps *caps;
  gboolean warned_refused;
  MgpuPyramid *pyramid;
  MgpuPyramidType pyramid_type;
  GstBufferPool *level_pools[MGPU_PYRAMID_MAX_LEVELS];
  GstBufferPool *detail_pools[MGPU_PYRAMID_MAX_LEVELS];
};

/**
 * GstMgpuPyramidPad:
 * @index: the number in the pad's name, src_<index>
 * @released: whether the element has released the pad; atomic
 * @flow: GST_FLOW_OK if the pad outputs a level of the current frame (@pool is set then),
 *   otherwise the reason why it does not. It is set before the work on the frame begins
 * @answer: the result of the last push of a frame that was in flight
 * @output: pushes the frames of the pad
 * @pool: the pool for the pad's frames
 * @out: the pad's output frame for the current input frame
 * @taken: whether @out is being downloaded
 *
 * Only the streaming thread of the sink pad uses these members. There are two exceptions: @index,
 * which never changes, and the members of @output that have locks.
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

/* Makes an output frame for each of the source pads in @pads, and stores it in the pad's member
 * @out. *@in (transfer full) is the input frame; it is set to NULL. */
gboolean  gst_mgpu_pyramid_process          (GstMgpuPyramid * self, GList * pads, GstBuffer ** in,
                                             GError ** error);

GstPad *  gst_mgpu_pyramid_pad_new          (GstMgpuPyramid * element, GstPadTemplate * template,
                                             const gchar * name, guint index);

/* Returns: the index of the pyramid level that @pad outputs: the pad's own index, or the index of
 * the last level if there are fewer levels */
guint     gst_mgpu_pyramid_pad_get_level    (GstMgpuPyramidPad * pad, GstMgpuPyramid * element);

/* Begins the stream of @pad: pushes a STREAM_START event. Its id is derived from that of
 * @stream_start, the event of the sink pad. */
void      gst_mgpu_pyramid_pad_start        (GstMgpuPyramidPad * pad, GstEvent * stream_start);

/* Pushes the sticky events that have arrived at the sink pad so far from @pad, which was
 * requested later. */
void      gst_mgpu_pyramid_pad_catch_up     (GstMgpuPyramidPad * pad, GstMgpuPyramid * element);

/* Decides whether @pad outputs a level of the current frame. A pad that is linked after this call
 * outputs a level of the next frame. */
void      gst_mgpu_pyramid_pad_begin_frame  (GstMgpuPyramidPad * pad, GstMgpuPyramid * element);

/* Adjusts @ret, the result of a push or of gst_mgpu_pyramid_pad_begin_frame(), if the pad has
 * changed meanwhile. Returns: GST_FLOW_OK if the pad was released, GST_FLOW_NOT_LINKED if its peer
 * was unlinked; @ret otherwise */
GstFlowReturn gst_mgpu_pyramid_pad_judge    (GstMgpuPyramidPad * pad, GstFlowReturn ret);

/* Pushes the caps of @pad, asks its peer for a buffer pool, and sets the member @flow of @pad.
 * Posts an error message on failure. */
void      gst_mgpu_pyramid_pad_negotiate    (GstMgpuPyramidPad * pad, GstMgpuPyramid * element);

/* Drops the frames in flight and the buffer pool of @pad. Call it when @pad is not
 * active. */
void      gst_mgpu_pyramid_pad_reset        (GstMgpuPyramidPad * pad);

G_END_DECLS
