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
  /* What the properties say, under the object lock of the element. */
  gboolean attach;
  MgpuFhogParams params;

  gboolean attach_now;          /* to the frame at hand */
  MgpuFhog *fhog;
  guint n_features;             /* of a cell */
  GstBufferPool *pool;
  GstBuffer *buffer;            /* from enqueue() to attach() */
} GstMgpuHogFeatures;

void     gst_mgpu_hog_features_init         (GstMgpuHogFeatures * self);

/* Installs properties from first on. */
void     gst_mgpu_hog_features_install      (GObjectClass * klass, guint first);

/* id: from 0 on. FALSE when there is no such property. */
gboolean gst_mgpu_hog_features_set          (GstMgpuHogFeatures * self, guint id, const GValue * value);
gboolean gst_mgpu_hog_features_get          (const GstMgpuHogFeatures * self, guint id, GValue * value);

/* Builds the kernels for frames of user, unless that was done before. */
gboolean gst_mgpu_hog_features_prepare      (GstMgpuHogFeatures * self, GstMgpuDeviceUser * user, GError ** error);
void     gst_mgpu_hog_features_unprepare    (GstMgpuHogFeatures * self);

/* Errors stay in job. */
void     gst_mgpu_hog_features_enqueue      (GstMgpuHogFeatures * self, GstMgpuDeviceUser * user, GstMgpuJob * job,
                                             const MgpuImage * in);
void     gst_mgpu_hog_features_attach       (GstMgpuHogFeatures * self, GstBuffer * buffer);

G_END_DECLS
