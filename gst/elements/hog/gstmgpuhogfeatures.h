/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/fhog/fhog.h>

#include <gst/frame/gstmgpuinput.h>

G_BEGIN_DECLS

/* The kernels and the result of the feature pyramids (gradient histograms at many scales)
 * that mgpuhog attaches to frames. */
typedef struct
{
  MgpuFhog *fhog;
  guint n_features;             /* number of features of each cell of the pyramid */
  GstBufferPool *pool;
  GstBuffer *buffer;            /* buffer with the feature pyramid of the current frame; set
                                 * when its computation is enqueued, and taken over when it
                                 * is attached */
} GstMgpuHogFeatures;

/* Builds the feature kernels for frames that arrive at @input, unless this was done before. */
gboolean gst_mgpu_hog_features_prepare   (GstMgpuHogFeatures * self, GstMgpuInput * input,
                                          const MgpuFhogParams * params, GError ** error);
void     gst_mgpu_hog_features_unprepare (GstMgpuHogFeatures * self);

/* Enqueues the computation of the feature pyramid of the frame @in; errors stay in @job. */
void     gst_mgpu_hog_features_enqueue   (GstMgpuHogFeatures * self, GstMgpuInput * input,
                                          const MgpuFhogParams * params, GstMgpuJob * job, const MgpuImage * in);
/* Attaches the feature pyramid whose computation was enqueued last to @buffer, as a
 * GstMgpuHogMeta. */
void     gst_mgpu_hog_features_attach    (GstMgpuHogFeatures * self, GstBuffer * buffer);

G_END_DECLS
