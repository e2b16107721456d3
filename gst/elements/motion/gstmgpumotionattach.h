/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstmgpumotionresults.h"

G_BEGIN_DECLS

/* Attaches what moves to @buffer, the writable frame of @frame: regions of interest, object
 * detections and a segmentation of GstAnalytics where GStreamer has them, and a GstMgpuMovingMeta.
 * The mask is that of @frame; regions and light are those of @known (nullable), @frame itself or an
 * earlier frame. */
void gst_mgpu_motion_attach_results (GstElement * element, GstMgpuMotionFrame * frame,
                                     GstMgpuMotionFrame * known, GstBuffer * buffer);

G_END_DECLS
