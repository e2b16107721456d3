/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/image.h>

G_BEGIN_DECLS

#define MGPU_SIFT_MAX_SCALES 8
#define MGPU_SIFT_MIN_SIGMA 0.5
#define MGPU_SIFT_MAX_SIGMA 4.0
#define MGPU_SIFT_MAX_ORIENTATIONS 8

/**
 * MgpuSiftParams:
 * @upsample: the first octave has twice the size of the frame
 * @octaves: at most so many; 0: as many as there are
 * @scales: of an octave, 1 to %MGPU_SIFT_MAX_SCALES
 * @sigma: blur of the first level, %MGPU_SIFT_MIN_SIGMA to
 *   %MGPU_SIFT_MAX_SIGMA pixels
 * @max_features: the strongest so many keypoints; 0: all
 * @contrast: points with a response below @contrast / @scales are left out,
 *   from 0 to 1
 * @edge: so are those whose curvature in one direction is more than so many
 *   times that in the other, from 1 on
 * @max_orientations: of a point, 1 to %MGPU_SIFT_MAX_ORIENTATIONS
 * @descriptor: what describes the keypoints
 *
 * The first four are fixed when a MgpuSift is made.
 */
typedef struct
{
  gboolean upsample;
  guint octaves;
  guint scales;
  gdouble sigma;
  guint max_features;
  gdouble contrast;
  gdouble edge;
  guint max_orientations;
  GstMgpuDescriptorType descriptor;
} MgpuSiftParams;

#define MGPU_SIFT_PARAMS_INIT { TRUE, 0, 3, 1.6, 0, 0.04, 10, 4, GST_MGPU_DESCRIPTOR_TYPE_SIFT }

typedef struct _MgpuSift MgpuSift;

/* Builds the kernels for frames like info, of whose first component it finds
 * the keypoints. */
MgpuSift * mgpu_sift_new (GstMgpuContext * context, const GstVideoInfo * info, const MgpuSiftParams * params,
    GError ** error);

/* How many keypoints a table has to have room for. */
guint mgpu_sift_get_room (MgpuSift * self, const MgpuSiftParams * params);

/* keypoints: memory for a GstMgpuKeypointHeader and as many GstMgpuKeypoint as
 * there has to be room for. descriptors: memory for as many descriptors; NULL
 * where none are wanted. Errors stay in job. */
void mgpu_sift_enqueue (MgpuSift * self, GstMgpuJob * job, const MgpuSiftParams * params, const MgpuImage * in,
    GstMgpuMemory * keypoints, GstMgpuMemory * descriptors);

void mgpu_sift_free (MgpuSift * self);

G_END_DECLS
