/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/base/gstbasetransform.h>

#include "gstmgpuhogmodels.h"

G_BEGIN_DECLS

/* Slope and midpoint of the confidences of people: see GstMgpuHogConfidence. They were fitted to
 * the detections in a video by tests/tools/fit-confidence.py. */
#define GST_MGPU_HOG_PEOPLE_SLOPE 1.4
#define GST_MGPU_HOG_PEOPLE_MIDPOINT 1.65

/* Slope and midpoint of the confidence 1 / (1 + exp (-slope * (score - midpoint))). If a member
 * is NULL, the default of the detector is used. */
typedef struct
{
  const gdouble *slope, *midpoint;
} GstMgpuHogConfidence;

/* Functions that report detections of mgpuhog. @boxes is an array of MgpuScoredBox. The label of
 * a box is the index of a model file of @models. @models is NULL if all boxes are people. */

/* Shrinks each box around its center: multiplies its width by @width and its height by @height.
 * Both factors are from 0 to 1. */
void gst_mgpu_hog_boxes_shrink (GArray * boxes, gdouble width, gdouble height);

/* Attaches to @buffer a region of interest for each box, and, since GStreamer 1.24, an object
 * detection. */
void gst_mgpu_hog_boxes_attach (GstElement * element, const GArray * boxes,
    const GstMgpuHogModels * models, const GstMgpuHogConfidence * confidence, GstBuffer * buffer);

/* Posts an element message of @trans with all boxes of the frame @buffer. */
void gst_mgpu_hog_boxes_post (const GArray * boxes, const GstMgpuHogModels * models,
    const GstMgpuHogConfidence * confidence, GstBaseTransform * trans, GstBuffer * buffer);

G_END_DECLS
