/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/gstmgpu_fwd.h>

G_BEGIN_DECLS

typedef struct _GstMgpuDetection GstMgpuDetection;

/**
 * GstMgpuDetection:
 * @label: (nullable): class of the object, such as "person"; %NULL when it is unknown. The string
 *   is interned and never freed
 * @x: left edge of the object's box, in pixels; negative where the box begins left of
 *   the frame
 * @y: top edge of the box, in pixels
 * @width: width of the box, in pixels
 * @height: height of the box, in pixels
 * @rotation: clockwise rotation of the box around its center, in radians; 0 for most
 *   detectors
 * @confidence: how sure the detector is, usually from 0 to 1; -1 when the detector gives no
 *   confidence or gives NaN
 * @score: the detector's raw value, from which it computed @confidence; equal to @confidence when
 *   the detector gives no score
 * @label_id: index of the class in the detector's list of classes; -1 when it is not known
 * @tracking_id: number that mgputrack or another tracker gives an object, the same in every frame;
 *   -1 when the object has none
 *
 * An object that was found in a frame.
 *
 * Since: 1.0
 */
struct _GstMgpuDetection
{
  const gchar *label;
  gint x;
  gint y;
  gint width;
  gint height;
  gdouble rotation;
  gdouble confidence;
  gdouble score;
  gint label_id;
  gint64 tracking_id;

  /*< private >*/
  gint region;          /* region of interest from which the object was read, as an index of the
                         * buffer's regions of interest; -1: none */
  gint mtd;             /* id of the GstAnalyticsODMtd from which the object was read; -1:
                         * none */
};

#define GST_TYPE_MGPU_DETECTION (gst_mgpu_detection_get_type ())

GST_MGPU_API
GType       gst_mgpu_detection_get_type     (void);

GST_MGPU_API
GPtrArray * gst_mgpu_buffer_get_detections  (GstBuffer * buffer);

G_END_DECLS
