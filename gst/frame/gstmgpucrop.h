/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/base/gstbasetransform.h>
#include <gst/vision/convert/convert.h>

#include "gstmgpuinput.h"

G_BEGIN_DECLS

/* The visible part of the frames of a sink pad: the rectangle in a GstVideoCropMeta, or the whole
 * frame. Only the streaming thread uses it. */
typedef struct
{
  GstVideoInfo caps_info;       /* format of frames according to the caps */
  MgpuRectangle visible;        /* the visible part of the current frame; it is not empty, and lies
                                 * within the frame */
  gboolean has_meta;            /* whether the current frame has a GstVideoCropMeta */
} GstMgpuCrop;

/* Adds to @query, an ALLOCATION query from upstream, that frames may have a GstVideoCropMeta. */
void     gst_mgpu_crop_propose       (GstQuery * query);

/* Does the work of GstBaseTransformClass.propose_allocation() for elements that read or write
 * positions in frames and pass frames on: does not tell upstream that a downstream element accepts
 * cropped frames, because positions would then count from the corner of the whole frame, although
 * the caps have the size of the visible part. */
gboolean gst_mgpu_crop_withhold      (GstBaseTransform * trans, GstQuery * decide_query, GstQuery * query);

/* Sets the format of frames according to new caps. */
void     gst_mgpu_crop_set_caps      (GstMgpuCrop * self, const GstVideoInfo * info);

/* Makes the whole frame visible. @info: format of the frame */
void     gst_mgpu_crop_show_all      (GstMgpuCrop * self, const GstVideoInfo * info);

/* Finds the visible part of @in, the current frame, for @element. A rectangle that is empty, or
 * begins outside the frame, is ignored; one that reaches beyond the frame is clipped. If the frame
 * has a crop meta, sets the size of frames of @input to the size in the GstVideoMeta of the frame,
 * which may be larger than the size in the caps. Returns: whether the size of frames of @input has
 * changed */
gboolean gst_mgpu_crop_read          (GstMgpuCrop * self, GstMgpuInput * input, GstBuffer * in);

G_END_DECLS
