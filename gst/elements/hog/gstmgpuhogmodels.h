/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/people/people.h>

#include <gst/frame/gstmgpuinput.h>

G_BEGIN_DECLS

/* Part models and SVMs, and the kernels that search frames for the objects of these models */
typedef struct _GstMgpuHogModels GstMgpuHogModels;

/* Reads part models and SVMs from files. @paths is a list of file names separated by ':'. */
GstMgpuHogModels * gst_mgpu_hog_models_load (const gchar * paths, GError ** error);

/* Builds the detection kernels for frames that arrive at @input. Sets *@has_place to whether
 * frames are large enough for at least one model. */
gboolean gst_mgpu_hog_models_prepare (GstMgpuHogModels * self, GstMgpuInput * input, gboolean * has_place,
    GError ** error);

/* Frees the kernels that gst_mgpu_hog_models_prepare() built. */
void gst_mgpu_hog_models_unprepare (GstMgpuHogModels * self);

/* A search for the objects of all models in one frame, from the time when it is enqueued until its
 * results are read. */
typedef struct _GstMgpuHogModelsSearch GstMgpuHogModelsSearch;

/* Enqueues the search of the frame @in for the objects of all models; errors stay in @job. Call
 * gst_mgpu_hog_models_prepare() before. @threshold is the minimum score of a detection; NULL
 * means each model's own threshold. Returns: (transfer full): the search, also after an error */
GstMgpuHogModelsSearch * gst_mgpu_hog_models_enqueue (GstMgpuHogModels * self, GstMgpuJob * job, gboolean cascade,
    const gdouble * threshold, const MgpuPeoplePlaces * places, const MgpuImage * in);

/* Starts to download the results of @search. The search must have been enqueued before. */
gboolean gst_mgpu_hog_models_fetch (GstMgpuHogModelsSearch * search, GError ** error);

/* Wait for @search, and append its hits to @boxes. The first function appends boxes of part
 * models; the label of a box is the index of the model's file. The second function appends
 * windows of SVM number @i, with the label 0. May be called by another thread than
 * gst_mgpu_hog_models_enqueue(). */
gboolean gst_mgpu_hog_models_read_parts (GstMgpuHogModels * self, GstMgpuHogModelsSearch * search, GArray * boxes,
    GError ** error);
gboolean gst_mgpu_hog_models_read_svm (GstMgpuHogModels * self, GstMgpuHogModelsSearch * search, guint i,
    GArray * boxes, GError ** error);

void gst_mgpu_hog_models_search_free (GstMgpuHogModelsSearch * search);

/* Returns: the number of SVMs among the models */
guint gst_mgpu_hog_models_get_n_svms (const GstMgpuHogModels * self);

/* Sets *@label to the index of the model file of SVM number @i. Returns: the detection
 * window of this SVM */
const MgpuPeopleWindow * gst_mgpu_hog_models_get_svm (const GstMgpuHogModels * self, guint i, gint * label);

/* Returns: the name of the class of objects that the model in file number @label detects */
const gchar * gst_mgpu_hog_models_get_name (const GstMgpuHogModels * self, gint label);

/* Sets @slope and @midpoint to the defaults of model file number @label: see GstMgpuHogConfidence. */
void gst_mgpu_hog_models_get_confidence (const GstMgpuHogModels * self, gint label, gdouble * slope,
    gdouble * midpoint);

void gst_mgpu_hog_models_free (GstMgpuHogModels * self);

G_END_DECLS
