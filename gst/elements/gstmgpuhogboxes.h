/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/base/gstbasetransform.h>

#include "gstmgpuhogmodels.h"

G_BEGIN_DECLS

/* What mgpuhog tells of boxes that were found. boxes: MgpuBox. models: (nullable):
 * what the labels of boxes are numbers of; NULL: all are people */

/* A region of interest for each, and, with GStreamer 1.24, an object detection. */
void gst_mgpu_hog_boxes_attach (const GArray * boxes, const GstMgpuHogModels * models, GstBuffer * buffer);

/* An element message with all of a buffer that trans works on. */
void gst_mgpu_hog_boxes_post (const GArray * boxes, const GstMgpuHogModels * models, GstBaseTransform * trans,
    GstBuffer * buffer);

G_END_DECLS
