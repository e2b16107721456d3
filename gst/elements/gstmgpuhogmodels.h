/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/people/people.h>

#include <gst/frame/gstmgpuinput.h>

G_BEGIN_DECLS

/* Holds part models and SVMs, and the kernels that look for them in frames. */
typedef struct _GstMgpuHogModels GstMgpuHogModels;

/* Reads models from the files that @paths lists, with ':' between their
 * names. */
GstMgpuHogModels * gst_mgpu_hog_models_load (const gchar * paths, GError ** error);

/* Builds the kernels for frames that arrive at input. The parameter has_place is
 * (out): whether frames are large enough for a model. */
gboolean gst_mgpu_hog_models_prepare (GstMgpuHogModels * self, GstMgpuInput * input, gboolean * has_place,
    GError ** error);

/* Frees the kernels that gst_mgpu_hog_models_prepare() built. */
void gst_mgpu_hog_models_unprepare (GstMgpuHogModels * self);

/* Enqueues the search for the models in the frame @in; call prepare() before. The parameter
 * @threshold is the least score of a detection, NULL for each model's own threshold. */
void gst_mgpu_hog_models_enqueue (GstMgpuHogModels * self, GstMgpuJob * job, gboolean cascade,
    const gdouble * threshold, const MgpuPeoplePlaces * places, const MgpuImage * in);

/* Appends the hits of the enqueued search to @boxes: places of part models, whose label
 * is the number of the model's file, or windows of SVM number @i, whose label is 0. The
 * parameter @threshold is the same as for enqueue(). */
gboolean gst_mgpu_hog_models_read_parts (GstMgpuHogModels * self, const gdouble * threshold, GArray * boxes,
    GError ** error);
gboolean gst_mgpu_hog_models_read_svm (GstMgpuHogModels * self, guint i, const gdouble * threshold, GArray * boxes,
    GError ** error);

/* Returns: the number of SVMs among the models */
guint gst_mgpu_hog_models_get_n_svms (const GstMgpuHogModels * self);

/* Sets *label to the number of the file of SVM number @i. Returns: the window of the SVM */
const MgpuPeopleWindow * gst_mgpu_hog_models_get_svm (const GstMgpuHogModels * self, guint i, gint * label);

/* Returns: the name of the class that the model of file number @label finds */
const gchar * gst_mgpu_hog_models_get_name (const GstMgpuHogModels * self, gint label);

/* Returns: the threshold in the file number @label; 0 for an SVM, whose file has none */
gdouble gst_mgpu_hog_models_get_threshold (const GstMgpuHogModels * self, gint label);

void gst_mgpu_hog_models_free (GstMgpuHogModels * self);

G_END_DECLS
