/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Declares the element mgpupyramid and its source pads. */
#pragma once

#include <gst/vision/pyramid/pyramid.h>

#include <gst/frame/gstmgpuinput.h>
#include <gst/frame/gstmgpusourcepad.h>

G_BEGIN_DECLS

#define GST_TYPE_MGPU_PYRAMID (gst_mgpu_pyramid_get_type ())
G_DECLARE_FINAL_TYPE (GstMgpuPyramid, gst_mgpu_pyramid, GST, MGPU_PYRAMID, GstElement);

#define GST_TYPE_MGPU_PYRAMID_PAD (gst_mgpu_pyramid_pad_get_type ())
G_DECLARE_FINAL_TYPE (GstMgpuPyramidPad, gst_mgpu_pyramid_pad, GST, MGPU_PYRAMID_PAD,
    GstMgpuSourcePad);

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
 * @index: the number in the pad's name, src_<index>; it never changes
 * @released: whether the element has released the pad; atomic
 * @answer: the result of the last push of a frame that was in flight
 * @taken: whether the output frame is being downloaded
 *
 * Only the streaming thread of the sink pad uses @answer and @taken.
 */
struct _GstMgpuPyramidPad
{
  GstMgpuSourcePad source;

  guint index;
  gint released;
  GstFlowReturn answer;
  gboolean taken;
};

/* Makes an output frame for each of the source pads in @pads, and stores it in the pad's member
 * @out. *@in (transfer full) is the input frame; it is set to NULL. */
gboolean  gst_mgpu_pyramid_process          (GstMgpuPyramid * self, GList * pads, GstBuffer ** in,
                                             GError ** error);

GstPad *  gst_mgpu_pyramid_pad_new          (GstMgpuPyramid * element, GstPadTemplate * template,
                                             guint index);

/* Returns: the index of the pyramid level that @pad outputs: the pad's own index, or the index of
 * the last level if there are fewer levels */
guint     gst_mgpu_pyramid_pad_get_level    (GstMgpuPyramidPad * pad, GstMgpuPyramid * element);

/* Adjusts @ret, the result of a push or of gst_mgpu_source_pad_begin_frame(), if the pad has
 * changed meanwhile. Returns: GST_FLOW_OK if the pad was released, GST_FLOW_NOT_LINKED if its peer
 * was unlinked; @ret otherwise */
GstFlowReturn gst_mgpu_pyramid_pad_judge    (GstMgpuPyramidPad * pad, GstFlowReturn ret);

G_END_DECLS
