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

/* The best score of a part model with its root at one HOG cell, and the model's component (view
 * of the object) that has this score. */
typedef struct
{
  gfloat score;                 /* score, or -1e30 if no component of the model fits into the
                                 * level at this cell */
  gint component;               /* index of the component of the model, or -1 if no component
                                 * fits */
} MgpuDpmScore;

/* Searches pyramids of HOG features for objects, with deformable part models. See
 * docs/algorithms/dpm.md. */
typedef struct _MgpuDpm MgpuDpm;

/* Chooses the parameters of a feature pyramid in which all models can be found. Each parameter
 * is the largest that a model needs: the number of levels of an octave, and the width of the
 * padding at the edges of the frame. Returns: the parameters */
MgpuFhogParams mgpu_dpm_choose_params (const MgpuDpmModel * const * models, guint n_models);

/* Creates an object that searches for the @n_models models in @models, and builds its kernels.
 * The models must outlive the object. Only the parameters and levels of @pyramid are read; its
 * member @features may be NULL.
 * Returns: (transfer full): an object, to be freed with mgpu_object_free(); NULL with the error
 * set */
MgpuDpm * mgpu_dpm_new (GstMgpuContext * context, const MgpuDpmModel * const * models, guint n_models,
    const MgpuFhogPyramid * pyramid, GError ** error);

/* Finds the scores of model number @model in pyramid level @level: sets *first to the index of the
 * first of these scores in the array of all scores. The level has one score for each cell. Returns:
 * FALSE if the model is not searched for in this level */
gboolean mgpu_dpm_get_level (MgpuDpm * self, guint model, guint level, gsize * first);

/* Gets the sizes, in bytes, of the memories that mgpu_dpm_enqueue() writes. *scores is set to
 * the size of the memory for scores, an array of MgpuDpmScore; *hits to the size of the memory
 * for hits. */
void mgpu_dpm_get_sizes (MgpuDpm * self, gsize * scores, gsize * hits);

/* Sets limits of the height of objects, in pixels of the frame; if @most is 0, there is no
 * upper limit. mgpu_dpm_enqueue() leaves out pyramid levels in which no object has an allowed
 * height. mgpu_dpm_read() leaves out objects whose height is outside the limits. */
void mgpu_dpm_set_heights (MgpuDpm * self, guint least, guint most);

/* Sets the regions of the frame in which objects are searched for. @regions is an array of
 * MgpuScoredBox, or NULL for the whole frame. mgpu_dpm_enqueue() then only scores the cells
 * whose object has its center in one of the regions; these scores are the same as in a search
 * of the whole frame. mgpu_dpm_read() finds no other objects. */
void mgpu_dpm_set_regions (MgpuDpm * self, const GArray * regions);

/* Returns: (transfer none) (nullable): the part of each pyramid level that is needed to score
 * objects in the regions of mgpu_dpm_set_regions(); NULL if all levels are needed completely.
 * Valid until the regions change */
const MgpuPart * mgpu_dpm_get_parts (const MgpuDpm * self);

/* Enqueues the kernels that score the cells of a frame's pyramid, and list the hits. Errors
 * stay in @job.
 * @cascade: FALSE: all cells are scored. TRUE: only cells that a cascade does not rule out.
 * @thresholds: one for each model; a hit is a cell whose score is at least this threshold.
 * @features: the features of the pyramid; read.
 * @scores, @hits: written. */
void mgpu_dpm_enqueue (MgpuDpm * self, GstMgpuJob * job, gboolean cascade, const gfloat * thresholds,
    GstMgpuMemory * features, GstMgpuMemory * scores, GstMgpuMemory * hits);

/* Describes where objects of a frame are searched for, as set by mgpu_dpm_set_heights() and
 * mgpu_dpm_set_regions(). The arrays are never changed. */
typedef struct
{
  guint least_height, most_height;      /* limits of the height of objects, in pixels; there is
                                         * no upper limit if @most_height is 0 */
  GArray *regions;              /* array of MgpuScoredBox: regions of the frame; NULL: the whole
                                 * frame */
  GArray *is_busy;              /* for a search in @regions: an array of gboolean, whether a level
                                 * of a model has a cell to be scored: first all levels of the
                                 * first model */
} MgpuDpmPlaces;

/* Sets @places to the regions and heights that the next call of mgpu_dpm_enqueue() searches. Free
 * it with mgpu_dpm_places_clear(). */
void mgpu_dpm_get_places (const MgpuDpm * self, MgpuDpmPlaces * places);
void mgpu_dpm_places_clear (MgpuDpmPlaces * places);

/* Waits for the scores and hits of mgpu_dpm_enqueue(). Appends a box for each object found to
 * @boxes, in the order of mgpu_boxes_sort(). The label of a box is the index of its model. @places
 * must be the result of mgpu_dpm_get_places() from before that call; @thresholds, @scores and @hits
 * must be the arguments of that call. Other threads may enqueue work meanwhile.
 * Returns: FALSE with the error set */
gboolean mgpu_dpm_read (MgpuDpm * self, const MgpuDpmPlaces * places, const gfloat * thresholds,
    GstMgpuMemory * scores, GstMgpuMemory * hits, GArray * boxes, GError ** error);

G_END_DECLS
