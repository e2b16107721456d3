/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/object.h>

#include "gstmgpuguide.h"
#include "gstmgpuoutput.h"

G_BEGIN_DECLS

/* Names the way of a frame through a filter: whether it is replaced by a new frame,
 * changed in place, or passed on. */
typedef enum
{
  GST_MGPU_FRAME_IS_MADE,       /* a new frame leaves */
  GST_MGPU_FRAME_IS_CHANGED,    /* the frame, or a copy of it, leaves with
                                 * changed parts */
  GST_MGPU_FRAME_IS_WATCHED,    /* the frame leaves unchanged, after work on it that later
                                 * frames depend on */
  GST_MGPU_FRAME_IS_READ,       /* the frame leaves unchanged, with results attached */
  GST_MGPU_FRAME_PASSES         /* the frame leaves unchanged, without work on it */
} GstMgpuFrameWay;

/**
 * GstMgpuFrame:
 * @params: a copy of the filter's parameters, taken when the frame came, and also
 *   before prepare(); %NULL where the class has no parameters
 * @is_resting: whether the frame passes because the property "enabled" is off
 * @flow: not %GST_FLOW_OK where before_transform() failed; the frame then ends the
 *   stream. A subclass may set it in its own before_transform()
 * @guide: the guide as it came; %NULL where the frame has none. A subclass that
 *   reads it on the host takes it away
 * @way: what becomes of the frame, known once passes() and looks() were called;
 *   until then, what became of the frame before
 * @work: what the algorithm gets: @params, and the frame, the guide and the new frame
 *   on the device
 *
 * Holds one frame from before_transform() to the end of transform().
 */
typedef struct
{
  gpointer params;
  gboolean is_resting;
  GstFlowReturn flow;
  GstBuffer *guide;
  GstMgpuFrameWay way;
  MgpuWork work;

  /*< private >*/
  MgpuImage in_image, guide_image, out_image;   /* images to which the members of work
                                                 * point */
  GstBuffer *imported, *imported_guide; /* buffers of in_image and guide_image */
} GstMgpuFrame;

/* Fills the member work of @self, whose way and guide are known: brings the
 * guide and the frame @in to the device; where the frame leaves unchanged, @out
 * in place of @in. The parameter @guide is (nullable). Call
 * gst_mgpu_frame_done() in the end, also after a failure. */
gboolean gst_mgpu_frame_import (GstMgpuFrame * self, GstMgpuInput * input, GstMgpuGuide * guide,
                                GstMgpuOutput * output, GstBuffer * in, GstBuffer * out, GError ** error);
/* Frees the buffers that gst_mgpu_frame_import() got, and the guide; call it when the
 * work is enqueued, or has failed. Waits for the device where a frame is in upstream's
 * memory. */
void     gst_mgpu_frame_done   (GstMgpuFrame * self, GstMgpuInput * input, GstMgpuGuide * guide);

G_END_DECLS
