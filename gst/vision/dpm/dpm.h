/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/boxes.h>
#include <gst/vision/base/object.h>
#include <gst/vision/dpm/model.h>
#include <gst/vision/fhog/fhog.h>

G_BEGIN_DECLS

/* Holds the best score of a cell, and the component that has it. */
typedef struct
{
  gfloat score;                 /* score, or -1e30 where the model does not fit */
  gint component;               /* number of the component, or -1 for none */
} MgpuDpmScore;

/* Looks for models in pyramids of features. See docs/algorithms/dpm.md. */
typedef struct _MgpuDpm MgpuDpm;

/* Chooses parameters of a pyramid in which all models can be found: its
 * levels are as close to each other as the finest model needs, and it has as much padding
 * as the largest model needs at the edges of the frame. */
MgpuFhogParams mgpu_dpm_choose_params (const MgpuDpmModel * const * models, guint n_models);

/* Makes a search for n_models models, and builds its kernels. The models must outlive
 * the search. Of pyramid, params and levels are read; its features may be NULL. */
MgpuDpm * mgpu_dpm_new (GstMgpuContext * context, const MgpuDpmModel * const * models, guint n_models,
    const MgpuFhogPyramid * pyramid, GError ** error);

/* Sets *first to the number of the model's first score in a level, which has one score
 * for each cell. Returns: FALSE when the model is not looked for in this level */
gboolean mgpu_dpm_get_level (MgpuDpm * self, guint model, guint level, gsize * first);

/* Sets *scores and *hits to the sizes of the memories that mgpu_dpm_enqueue() writes, in
 * bytes. The memory scores is an array of MgpuDpmScore. */
void mgpu_dpm_get_sizes (MgpuDpm * self, gsize * scores, gsize * hits);

/* Sets limits of the height of objects, in pixels of the frame; a most of 0 is no limit.
 * mgpu_dpm_enqueue() leaves out levels in which all objects have another height, and
 * mgpu_dpm_read() leaves out their boxes. */
void mgpu_dpm_set_heights (MgpuDpm * self, guint least, guint most);

/* Scores all places in a frame, or, with cascade, only the places that the cascade does
 * not rule out. Lists the hits: places whose score is at least their model's threshold.
 * Errors stay in job. */
void mgpu_dpm_enqueue (MgpuDpm * self, GstMgpuJob * job, gboolean cascade, const gfloat * thresholds,
    GstMgpuMemory * features, GstMgpuMemory * scores, GstMgpuMemory * hits);

/* Waits for the scores and hits, and appends a box for each hit, in the order of
 * mgpu_boxes_sort(). The label of a box is the number of its model. The parameters
 * thresholds, scores and hits are those given to mgpu_dpm_enqueue(). */
gboolean mgpu_dpm_read (MgpuDpm * self, const gfloat * thresholds, GstMgpuMemory * scores, GstMgpuMemory * hits,
    GArray * boxes, GError ** error);

G_END_DECLS
