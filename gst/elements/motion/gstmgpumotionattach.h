/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstmgpumotionresults.h"

G_BEGIN_DECLS

/* Attaches the moving regions to @buffer, the writable buffer of @frame: as regions of interest, as
 * object detections and a segmentation of GstAnalytics if GStreamer has them, and as a
 * GstMgpuMovingMeta. The attached mask belongs to @frame. The attached regions and illumination
 * belong to @known (nullable), which is @frame itself or an earlier frame. */
void gst_mgpu_motion_attach_results (GstElement * element, GstMgpuMotionFrame * frame,
                                     GstMgpuMotionFrame * known, GstBuffer * buffer);

G_END_DECLS
