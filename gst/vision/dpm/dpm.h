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

/* Holds the best score of a model in a cell, and the component that has it. */
typedef struct
{
  gfloat score;                 /* score, or -1e30 in cells into which the model does not fit */
  gint component;               /* index of the component, or -1 for none */
} MgpuDpmScore;

/* Looks for deformable part models in pyramids of HOG features. See
 * docs/algorithms/dpm.md. */
typedef struct _MgpuDpm MgpuDpm;

/* Chooses parameters of a pyramid of features in which all models can be found:
 * its levels are as close to each other in size as the model with the most
 * levels of an octave needs, and the padding at the edges of the frame is as
 * wide as the largest model needs. */
MgpuFhogParams mgpu_dpm_choose_params (const MgpuDpmModel * const * models, guint n_models);

/* Makes an object that looks for n_models models, and builds its kernels. The models must
 * outlive the object. Only params and levels of the pyramid are read; its features may be
 * NULL.
 * Returns: (transfer full): an object to be freed with mgpu_object_free(); NULL with the
 * error set */
MgpuDpm * mgpu_dpm_new (GstMgpuContext * context, const MgpuDpmModel * const * models, guint n_models,
    const MgpuFhogPyramid * pyramid, GError ** error);

/* Sets *first to the index of the model's first score in a level of the pyramid; the
 * level has one score for each cell.
 * Returns: FALSE when the model is not looked for in this level */
gboolean mgpu_dpm_get_level (MgpuDpm * self, guint model, guint level, gsize * first);

/* Sets *scores and *hits to the sizes of the memories that mgpu_dpm_enqueue() writes, in
 * bytes. The memory scores is an array of MgpuDpmScore. */
void mgpu_dpm_get_sizes (MgpuDpm * self, gsize * scores, gsize * hits);

/* Sets limits of the height of objects, in pixels of the frame; most is 0 for no limit.
 * mgpu_dpm_enqueue() leaves out levels in which all objects have another height, and
 * mgpu_dpm_read() leaves out such objects. */
void mgpu_dpm_set_heights (MgpuDpm * self, guint least, guint most);

/* Sets where objects are searched: regions is an array of MgpuScoredBox, or
 * NULL for the whole frame. mgpu_dpm_enqueue() scores the cells at which an
 * object has its middle in one of the regions, with the same scores as in a
 * search of the whole frame, and mgpu_dpm_read() finds no other objects. */
void mgpu_dpm_set_regions (MgpuDpm * self, const GArray * regions);

/* Enqueues the kernels that score the cells of a frame's pyramid: all cells,
 * or, where @cascade is TRUE, only the cells that a cascade does not rule out.
 * They also list the hits: cells whose score is at least the threshold of the
 * model. Errors stay in job. */
void mgpu_dpm_enqueue (MgpuDpm * self, GstMgpuJob * job, gboolean cascade, const gfloat * thresholds,
    GstMgpuMemory * features, GstMgpuMemory * scores, GstMgpuMemory * hits);

/* Waits for the scores and hits of mgpu_dpm_enqueue(), and appends a box for each object
 * found, in the order of mgpu_boxes_sort(). The label of a box is the index of its model.
 * The parameters thresholds, scores and hits are those given to mgpu_dpm_enqueue().
 * FALSE: the error is set. */
gboolean mgpu_dpm_read (MgpuDpm * self, const gfloat * thresholds, GstMgpuMemory * scores, GstMgpuMemory * hits,
    GArray * boxes, GError ** error);

G_END_DECLS
