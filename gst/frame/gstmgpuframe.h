/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/object.h>

#include "gstmgpuguide.h"
#include "gstmgpuoutput.h"

G_BEGIN_DECLS

/* The path of a frame: what the filter does with it */
typedef enum
{
  GST_MGPU_FRAME_IS_UNKNOWN,    /* no path is chosen yet */
  GST_MGPU_FRAME_IS_MADE,       /* a new frame is made, and pushed instead of the input frame */
  GST_MGPU_FRAME_IS_CHANGED,    /* parts of the input frame or of a copy of it are changed, and
                                 * that frame is pushed */
  GST_MGPU_FRAME_IS_WATCHED,    /* the frame is pushed unchanged; work that reads it is enqueued,
                                 * for the results of later frames */
  GST_MGPU_FRAME_IS_READ,       /* the frame is pushed unchanged, with the results of the work
                                 * attached as metas */
  GST_MGPU_FRAME_PASSES         /* the frame is pushed unchanged, and no work is enqueued */
} GstMgpuFramePath;

/**
 * GstMgpuFrame:
 * @params: a copy of the filter's parameter values, made when the frame arrives and before
 *   prepare(); %NULL if the class has no parameters
 * @is_resting: whether the frame is passed through unchanged because the property "enabled" is
 *   FALSE
 * @flow: %GST_FLOW_OK unless before_transform() failed; any other value ends the
 *   stream at this frame. A subclass may set @flow in its own before_transform()
 * @guide: the buffer of the guide image, for subclasses that read it on the host; %NULL if the
 *   frame has no guide image
 * @path: what the filter does with the frame; undefined before gst_mgpu_filter_choose_path()
 * @last_path: the path of the previous frame, a prediction of the path of this frame; unknown
 *   for the first frame after a start
 *
 * The state of one frame, from before_transform() to the end of transform().
 */
typedef struct
{
  gpointer params;
  gboolean is_resting;
  GstFlowReturn flow;
  GstBuffer *guide;
  GstMgpuFramePath path, last_path;

  MgpuImage in_image, guide_image, out_image;   /* images on the device; the MgpuWork of the
                                                 * frame points to them */
  GstBuffer *imported, *imported_guide; /* buffers on the device of the images @in_image
                                         * and @guide_image */
} GstMgpuFrame;

/* Returns: whether the filter writes pixels of a frame whose path is @path */
gboolean gst_mgpu_frame_path_writes (GstMgpuFramePath path);

/* Makes the frame @in and its guide image accessible to the device; if the frame is passed
 * through unchanged, uses the buffer @out instead of @in. Sets @work to the parameters and to
 * images in @self. The members @path and @guide of @self must be set before. @guide is
 * (nullable). Call gst_mgpu_frame_done() afterwards, even on failure. */
gboolean gst_mgpu_frame_import (GstMgpuFrame * self, GstMgpuInput * input, GstMgpuGuide * guide,
                                GstMgpuOutput * output, GstBuffer * in, GstBuffer * out, MgpuWork * work,
                                GError ** error);
/* Releases the guide image and the buffers that gst_mgpu_frame_import() acquired. Call it when
 * the work on the frame is enqueued or has failed. If the frame or the guide image lies in
 * upstream's memory, waits until the device has read it. */
void     gst_mgpu_frame_done   (GstMgpuFrame * self, GstMgpuInput * input, GstMgpuGuide * guide);

G_END_DECLS
