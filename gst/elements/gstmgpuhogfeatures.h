/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/fhog/fhog.h>

#include <gst/frame/gstmgpupools.h>

G_BEGIN_DECLS

/* The feature pyramid that mgpuhog attaches. */
typedef struct
{
  MgpuFhog *fhog;
  guint n_features;             /* of a cell */
  GstBufferPool *pool;
  GstBuffer *buffer;            /* from enqueue() to attach() */
} GstMgpuHogFeatures;

/* Builds the kernels for frames of user, unless that was done before. */
gboolean gst_mgpu_hog_features_prepare   (GstMgpuHogFeatures * self, GstMgpuDeviceUser * user,
                                          const MgpuFhogParams * params, GError ** error);
void     gst_mgpu_hog_features_unprepare (GstMgpuHogFeatures * self);

/* Errors stay in job. */
void     gst_mgpu_hog_features_enqueue   (GstMgpuHogFeatures * self, GstMgpuDeviceUser * user,
                                          const MgpuFhogParams * params, GstMgpuJob * job, const MgpuImage * in);
void     gst_mgpu_hog_features_attach    (GstMgpuHogFeatures * self, GstBuffer * buffer);

G_END_DECLS
