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

/* Holds the best score of a part model with its root at one HOG cell, and the model's
 * component (view of the object) that has this score. */
typedef struct
{
  gfloat score;                 /* score, or -1e30 in cells into which no component of the
                                 * model fits */
  gint component;               /* index of the component of the model, or -1 for none */
} MgpuDpmScore;

/* Looks for deformable part models in pyramids of HOG features. See
 * docs/algorithms/dpm.md. */
typedef struct _MgpuDpm MgpuDpm;

/* Chooses parameters of a feature pyramid in which all models can be found: the octaves
 * have as many levels as the model with the most levels needs, and the padding at the
 * edges of the frame is as wide as the largest model needs. */
MgpuFhogParams mgpu_dpm_choose_params (const MgpuDpmModel * const * models, guint n_models);

/* Makes an object that searches for @n_models models, and builds its kernels. The models
 * must outlive the object. Of @pyramid, only the parameters and levels are read; its
 * member @features may be NULL.
 * Returns: (transfer full): an object to be freed with mgpu_object_free(); NULL with the
 * error set */
MgpuDpm * mgpu_dpm_new (GstMgpuContext * context, const MgpuDpmModel * const * models, guint n_models,
    const MgpuFhogPyramid * pyramid, GError ** error);

/* Sets *first to the index, in the array of scores, of the first score of model number
 * @model in pyramid level @level; the level has one score for each cell.
 * Returns: FALSE when the model is not looked for in this level */
gboolean mgpu_dpm_get_level (MgpuDpm * self, guint model, guint level, gsize * first);

/* Sets *scores and *hits to the sizes of the memories that mgpu_dpm_enqueue() writes, in
 * bytes. The memory for scores is an array of MgpuDpmScore. */
void mgpu_dpm_get_sizes (MgpuDpm * self, gsize * scores, gsize * hits);

/* Sets limits of the height of objects, in pixels of the frame; @most is 0 for no limit.
 * mgpu_dpm_enqueue() leaves out pyramid levels in which no object has an allowed height,
 * and mgpu_dpm_read() leaves out objects with another height. */
void mgpu_dpm_set_heights (MgpuDpm * self, guint least, guint most);

/* Sets the regions of the frame in which objects are searched: @regions is an array of
 * MgpuScoredBox, or NULL for the whole frame. mgpu_dpm_enqueue() scores the cells at
 * which an object has its centre in one of the regions, with the same scores as in a
 * search of the whole frame, and mgpu_dpm_read() finds no other objects. */
void mgpu_dpm_set_regions (MgpuDpm * self, const GArray * regions);

/* Returns: (transfer none) (nullable): the part of each pyramid level from which objects
 * in the regions of mgpu_dpm_set_regions() are scored; valid until these regions change.
 * NULL: all levels are needed as a whole. */
const MgpuPart * mgpu_dpm_get_parts (const MgpuDpm * self);

/* Enqueues the kernels that score the cells of a frame's pyramid: all cells, or, if
 * @cascade is TRUE, only the cells that a cascade does not rule out. These kernels also
 * list the hits: cells whose score is at least the threshold of the model, in
 * @thresholds. Errors stay in @job. */
void mgpu_dpm_enqueue (MgpuDpm * self, GstMgpuJob * job, gboolean cascade, const gfloat * thresholds,
    GstMgpuMemory * features, GstMgpuMemory * scores, GstMgpuMemory * hits);

/* Waits for the scores and hits of mgpu_dpm_enqueue(), and appends a box for each object
 * found, in the order of mgpu_boxes_sort(). The label of a box is the index of its model.
 * @thresholds, @scores and @hits are those given to mgpu_dpm_enqueue(). FALSE: the error
 * is set. */
gboolean mgpu_dpm_read (MgpuDpm * self, const gfloat * thresholds, GstMgpuMemory * scores, GstMgpuMemory * hits,
    GArray * boxes, GError ** error);

G_END_DECLS
