/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/base/gstbasetransform.h>

#include "gstmgpuhogmodels.h"

G_BEGIN_DECLS

/* Slope and midpoint of the confidence of people, which tests/tools/fit-confidence.py fitted
 * to detections of a video. */
#define GST_MGPU_HOG_PEOPLE_SLOPE 1.4
#define GST_MGPU_HOG_PEOPLE_MIDPOINT 1.65

/* Holds the numbers with which confidences are computed from scores: 1 / (1 +
 * exp (-slope * (score - midpoint))). Where a member is NULL, the number that
 * suits the detector counts. */
typedef struct
{
  const gdouble *slope, *midpoint;
} GstMgpuHogConfidence;

/* Functions that report detections of mgpuhog. The parameter @boxes is an array of
 * MgpuScoredBox. The label of a box is the number of one of @models, which is NULL where
 * all boxes are people. */

/* Shrinks each box to the given shares of its width and height, around its middle. */
void gst_mgpu_hog_boxes_shrink (GArray * boxes, gdouble width, gdouble height);

/* Attaches a region of interest for each box to @buffer and, since GStreamer
 * 1.24, an object detection. */
void gst_mgpu_hog_boxes_attach (const GArray * boxes, const GstMgpuHogModels * models,
    const GstMgpuHogConfidence * confidence, GstBuffer * buffer);

/* Posts one element message with all boxes of @buffer, which trans works on. */
void gst_mgpu_hog_boxes_post (const GArray * boxes, const GstMgpuHogModels * models,
    const GstMgpuHogConfidence * confidence, GstBaseTransform * trans, GstBuffer * buffer);

G_END_DECLS
