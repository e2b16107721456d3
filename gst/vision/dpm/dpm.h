/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/boxes.h>
#include <gst/vision/dpm/model.h>
#include <gst/vision/fhog/fhog.h>

G_BEGIN_DECLS

/* A score, and which component it is of. */
typedef struct
{
  gfloat score;                 /* -1e30 where a model has no place */
  gint component;               /* -1: none */
} MgpuDpmScore;

/* Looks for models in pyramids of features. See docs/algorithms/dpm.md. */
typedef struct _MgpuDpm MgpuDpm;

/* What a pyramid has to be like in which models are looked for: as fine as the finest wants it, and with as much padding
 * as the largest needs to be found at an edge. */
MgpuFhogParams mgpu_dpm_choose_params (const MgpuDpmModel * const * models, guint n_models);

/* Builds the kernels. models: n of them, which have to stay. pyramid: without
 * features, which come with each frame. */
MgpuDpm * mgpu_dpm_new (GstMgpuContext * context, const MgpuDpmModel * const * models, guint n_models,
    const MgpuFhogPyramid * pyramid, GError ** error);

/* Where the scores of a model begin that have its root in a level, one for each
 * cell; FALSE: it does not look there. */
gboolean mgpu_dpm_get_level (MgpuDpm * self, guint model, guint level, gsize * first);

/* Bytes of the memories for mgpu_dpm_enqueue(). scores: MgpuDpmScore */
void mgpu_dpm_get_sizes (MgpuDpm * self, gsize * scores, gsize * hits);

/* Scores all places in a frame, or those that a cascade leaves, and lists those with
 * their model's threshold or more. Errors stay in job. */
void mgpu_dpm_enqueue (MgpuDpm * self, GstMgpuJob * job, gboolean cascade, const gfloat * thresholds,
    GstMgpuMemory * features, GstMgpuMemory * scores, GstMgpuMemory * hits);

/* Waits, and appends a box for each hit, in the order of mgpu_boxes_sort(). Labels
 * are numbers of models. thresholds, scores, hits: as before */
gboolean mgpu_dpm_read (MgpuDpm * self, const gfloat * thresholds, GstMgpuMemory * scores, GstMgpuMemory * hits,
    GArray * boxes, GError ** error);

void mgpu_dpm_free (MgpuDpm * self);

G_END_DECLS
