/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/object.h>

#include "gstmgpuguide.h"
#include "gstmgpuoutput.h"

G_BEGIN_DECLS

/* The path of a frame through a filter: what the filter does with it */
typedef enum
{
  GST_MGPU_FRAME_IS_MADE,       /* makes a new frame, which is pushed instead of the input
                                 * frame */
  GST_MGPU_FRAME_IS_CHANGED,    /* changes parts of the input frame, or of a copy of it,
                                 * which is pushed */
  GST_MGPU_FRAME_IS_WATCHED,    /* pushes the frame unchanged, after enqueuing work that reads it
                                 * for the results of later frames */
  GST_MGPU_FRAME_IS_READ,       /* pushes the frame unchanged, with metas that hold the results of
                                 * the work */
  GST_MGPU_FRAME_PASSES         /* pushes the frame unchanged, without work on it */
} GstMgpuFramePath;

/**
 * GstMgpuFrame:
 * @params: a copy of the filter's parameter values, made when the frame arrives, and also before
 *   prepare(); %NULL if the class has no parameters
 * @is_resting: whether the frame is passed through unchanged because the property "enabled" is
 *   FALSE
 * @flow: %GST_FLOW_OK unless before_transform() failed; any other value ends the
 *   stream at this frame. A subclass may set @flow in its own before_transform()
 * @guide: the guide image as it arrived; %NULL if the frame has none. For subclasses that read the
 *   guide image on the host
 * @path: what the filter does with the frame; set by gst_mgpu_filter_choose_path(), undefined
 *   before
 * @last_path: the path of the last frame, used to predict the path of this one
 *
 * Holds the state of one frame from before_transform() to the end of transform().
 */
typedef struct
{
  gpointer params;
  gboolean is_resting;
  GstFlowReturn flow;
  GstBuffer *guide;
  GstMgpuFramePath path, last_path;

  MgpuImage in_image, guide_image, out_image;   /* images on the device, to which the
                                                 * MgpuWork of the frame points */
  GstBuffer *imported, *imported_guide; /* buffers on the device of the images @in_image
                                         * and @guide_image */
} GstMgpuFrame;

/* Returns: whether the filter writes pixels of a frame whose path is @path */
gboolean gst_mgpu_frame_path_writes (GstMgpuFramePath path);

/* Sets @work to the parameters and to images in @self; the members @path and @guide must be
 * set before. Brings the guide image and the frame @in to the device; if the frame is passed
 * through unchanged, brings @out instead of @in. @guide is (nullable). Call
 * gst_mgpu_frame_done() in the end, also after a failure. */
gboolean gst_mgpu_frame_import (GstMgpuFrame * self, GstMgpuInput * input, GstMgpuGuide * guide,
                                GstMgpuOutput * output, GstBuffer * in, GstBuffer * out, MgpuWork * work,
                                GError ** error);
/* Frees the buffers that gst_mgpu_frame_import() got, and the guide image; call it when
 * the work on the frame is enqueued, or has failed. If the frame or guide image lies in
 * upstream's memory, waits until the device is done with it. */
void     gst_mgpu_frame_done   (GstMgpuFrame * self, GstMgpuInput * input, GstMgpuGuide * guide);

G_END_DECLS
