/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Loads the models of mgpuhog (part models and linear SVMs) and searches frames with them. */
#include "gstmgpuhogmodels.h"

#include "gstmgpuhogwindows.h"
#include <gst/models/dpm-load.h>
#include <gst/models/svm-load.h>
#include <gst/vision/dpm/dpm.h>

/* Maximum number of models. Each model needs device memory for an array of hits and for the
 * scores of all positions of its window. */
#define MAX_MODELS 32

/* Slope of the confidences of part models, and their midpoint above the threshold of the model: see
 * GstMgpuHogConfidence. Of the boxes whose score is little above the threshold, few show a person. */
#define PARTS_SLOPE 2
#define PARTS_MIDPOINT 0.6

/* An SVM and the kernels that search frames for its detection windows */
typedef struct
{
  MgpuSvm *svm;
  gint label;                   /* index of the SVM's file among the model files */
  GstMgpuHogWindows windows;
} Svm;

struct _GstMgpuHogModels
{
  GPtrArray *names;             /* names of the classes that the models detect, one for each
                                 * model file; owned by the models */
  GPtrArray *models;            /* array of MgpuDpmModel: the part models */
  gint labels[MAX_MODELS];      /* index of the model file of each part model */
  GArray *svms;                 /* array of Svm: the SVMs that were read */

  /* Members that gst_mgpu_hog_models_prepare() sets for a frame format; on failure it sets
   * none of them */
  MgpuFhog *fhog;
  MgpuDpm *dpm;
  GstMemory *features;
  GstMgpuHogPools pools;
};

struct _GstMgpuHogModelsSearch
{
  /* Members that are used to search for part models */
  gfloat thresholds[MAX_MODELS];        /* for each model */
  MgpuDpmPlaces places;
  GstMgpuHogHits hits;          /* arrays for the results; empty if there are no part models */

  guint n_svms;
  GstMgpuHogWindowsSearch *svms;        /* the searches for SVMs */
};

static void
clear_svm (gpointer data)
{
  Svm *svm = data;

  gst_mgpu_hog_windows_unprepare (&svm->windows);
  mgpu_svm_free (svm->svm);
}

static void
load_file (GstMgpuHogModels * self, const gchar * path, GError ** error)
{
  Svm svm = { NULL, self->names->len };
  GError *cause = NULL;
  MgpuDpmModel *model;

  svm.svm = mgpu_svm_load (path, &cause);
  if (svm.svm != NULL) {
    svm.windows.window = &svm.svm->window;
    g_array_append_val (self->svms, svm);
    g_ptr_array_add (self->names, svm.svm->name);
    return;
  }
  model = cause == NULL ? mgpu_dpm_model_load (path, &cause) : NULL;
  if (model == NULL) {
    g_propagate_error (error, cause);
    return;
  }
  if (self->models->len < MAX_MODELS)
    self->labels[self->models->len] = self->names->len;
  g_ptr_array_add (self->models, model);
  g_ptr_array_add (self->names, model->name);
}

GstMgpuHogModels *
gst_mgpu_hog_models_load (const gchar * paths, GError ** error)
{
  GstMgpuHogModels *self = g_new0 (GstMgpuHogModels, 1);
  gchar **path = g_strsplit (paths != NULL ? paths : "", ":", -1);
  GError *cause = NULL;

  self->names = g_ptr_array_new ();
  self->models = g_ptr_array_new_with_free_func ((GDestroyNotify)
      mgpu_dpm_model_free);
  self->svms = g_array_new (FALSE, FALSE, sizeof (Svm));
  g_array_set_clear_func (self->svms, clear_svm);
  for (guint i = 0; path[i] != NULL && cause == NULL; i++)
    if (*path[i] != '\0')
      load_file (self, path[i], &cause);
  g_strfreev (path);
  if (cause != NULL) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_READ,
        "%s: set \"model\" to files of part models or SVMs", cause->message);
    g_error_free (cause);
  } else if (self->names->len == 0 || self->names->len > MAX_MODELS) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
        "detector=model needs 1 to %d models, but there are %u: set \"model\" "
        "to one file, or to several with ':' between them", MAX_MODELS,
        self->names->len);
  } else {
    return self;
  }
  gst_mgpu_hog_models_free (self);
  return NULL;
}

static gboolean
prepare_parts (GstMgpuHogModels * self, GstMgpuInput * input,
    gboolean * has_place, GError ** error)
{
  GstMgpuDeviceBase *base = input->base;
  const MgpuDpmModel *const *models =
      (const MgpuDpmModel * const *) self->models->pdata;
  MgpuFhogPyramid pyramid = {
    .params = mgpu_dpm_choose_params (models, self->models->len)
  };
  gsize scores, hits;

  self->fhog = mgpu_fhog_new (base->context, &input->info, &pyramid.params,
      error);
  if (self->fhog == NULL)
    return FALSE;
  pyramid.n_levels = mgpu_fhog_get_levels (self->fhog, &pyramid.levels);
  *has_place |= pyramid.n_levels > (guint) pyramid.params.interval;
  self->dpm = mgpu_dpm_new (base->context, models, self->models->len, &pyramid,
      error);
  if (self->dpm == NULL)
    return FALSE;
  mgpu_dpm_get_sizes (self->dpm, &scores, &hits);
  self->features = gst_mgpu_memory_new (base->queue,
      MAX (mgpu_fhog_get_size (self->fhog), 1), base->stats, error);
  return self->features != NULL
      && gst_mgpu_hog_pools_init (&self->pools, base, scores, hits, error);
}

gboolean
gst_mgpu_hog_models_prepare (GstMgpuHogModels * self, GstMgpuInput * input,
    gboolean * has_place, GError ** error)
{
  gboolean ok;

  gst_mgpu_hog_models_unprepare (self);
  *has_place = FALSE;
  ok = self->models->len == 0 || prepare_parts (self, input, has_place, error);
  for (guint i = 0; i < self->svms->len && ok; i++)
    ok = gst_mgpu_hog_windows_prepare (&g_array_index (self->svms, Svm,
            i).windows, input, has_place, error);
  if (!ok)
    gst_mgpu_hog_models_unprepare (self);
  return ok;
}

void
gst_mgpu_hog_models_unprepare (GstMgpuHogModels * self)
{
  g_clear_pointer (&self->fhog, mgpu_object_free);
  g_clear_pointer (&self->dpm, mgpu_object_free);
  g_clear_pointer (&self->features, gst_memory_unref);
  gst_mgpu_hog_pools_clear (&self->pools);
  for (guint i = 0; i < self->svms->len; i++)
    gst_mgpu_hog_windows_unprepare (&g_array_index (self->svms, Svm,
            i).windows);
}

/* Returns: the threshold for all SVMs: *@threshold; if @threshold is NULL, 0, because files
 * of SVMs contain no threshold */
static gdouble
svm_threshold (const gdouble * threshold)
{
  return threshold != NULL ? *threshold : 0;
}

static void
enqueue_parts (GstMgpuHogModels * self, GstMgpuJob * job, gboolean cascade,
    const gdouble * threshold, const MgpuPeoplePlaces * places,
    const MgpuImage * in, GstMgpuHogModelsSearch * search)
{
  GstMgpuMemory *features = (GstMgpuMemory *) self->features;

  if (!gst_mgpu_hog_pools_acquire (&self->pools, job, &search->hits))
    return;
  for (guint i = 0; i < self->models->len; i++)
    search->thresholds[i] = threshold != NULL ? *threshold
        : ((const MgpuDpmModel *) self->models->pdata[i])->threshold;
  mgpu_dpm_set_heights (self->dpm, places->min_height, places->max_height);
  mgpu_dpm_set_regions (self->dpm, places->regions);
  mgpu_dpm_get_places (self->dpm, &search->places);
  mgpu_fhog_set_parts (self->fhog, mgpu_dpm_get_parts (self->dpm));
  mgpu_fhog_enqueue (self->fhog, job, in, features);
  mgpu_dpm_enqueue (self->dpm, job, cascade, search->thresholds, features,
      gst_mgpu_peek_table (search->hits.scores),
      gst_mgpu_peek_table (search->hits.hits));
}

GstMgpuHogModelsSearch *
gst_mgpu_hog_models_enqueue (GstMgpuHogModels * self, GstMgpuJob * job,
    gboolean cascade, const gdouble * threshold,
    const MgpuPeoplePlaces * places, const MgpuImage * in)
{
  GstMgpuHogModelsSearch *search = g_new0 (GstMgpuHogModelsSearch, 1);

  search->n_svms = self->svms->len;
  search->svms = g_new0 (GstMgpuHogWindowsSearch, search->n_svms);
  if (self->models->len > 0)
    enqueue_parts (self, job, cascade, threshold, places, in, search);
  for (guint i = 0; i < search->n_svms; i++)
    gst_mgpu_hog_windows_enqueue (&g_array_index (self->svms, Svm,
            i).windows, job, svm_threshold (threshold), places, in,
        &search->svms[i]);
  return search;
}

gboolean
gst_mgpu_hog_models_fetch (GstMgpuHogModelsSearch * search, GError ** error)
{
  gboolean ok = search->hits.hits == NULL
      || gst_mgpu_memory_fetch (gst_mgpu_peek_table (search->hits.hits), error);

  for (guint i = 0; i < search->n_svms && ok; i++)
    ok = gst_mgpu_hog_windows_fetch (&search->svms[i], error);
  return ok;
}

void
gst_mgpu_hog_models_search_free (GstMgpuHogModelsSearch * search)
{
  for (guint i = 0; i < search->n_svms; i++)
    gst_mgpu_hog_windows_search_clear (&search->svms[i]);
  g_free (search->svms);
  mgpu_dpm_places_clear (&search->places);
  gst_mgpu_hog_hits_clear (&search->hits);
  g_free (search);
}

guint
gst_mgpu_hog_models_get_n_svms (const GstMgpuHogModels * self)
{
  return self->svms->len;
}

gboolean
gst_mgpu_hog_models_read_parts (GstMgpuHogModels * self,
    GstMgpuHogModelsSearch * search, GArray * boxes, GError ** error)
{
  GstMgpuMemory *hits = gst_mgpu_peek_table (search->hits.hits);

  if (hits == NULL)
    return TRUE;
  if (!gst_mgpu_memory_fetched (hits, error)
      || !mgpu_dpm_read (self->dpm, &search->places, search->thresholds,
          gst_mgpu_peek_table (search->hits.scores), hits, boxes, error))
    return FALSE;
  for (guint i = 0; i < boxes->len; i++) {
    MgpuScoredBox *box = &g_array_index (boxes, MgpuScoredBox, i);

    box->label = self->labels[box->label];
  }
  return TRUE;
}

gboolean
gst_mgpu_hog_models_read_svm (GstMgpuHogModels * self,
    GstMgpuHogModelsSearch * search, guint i, GArray * boxes, GError ** error)
{
  return gst_mgpu_hog_windows_read (&g_array_index (self->svms, Svm,
          i).windows, &search->svms[i], boxes, error);
}

const MgpuPeopleWindow *
gst_mgpu_hog_models_get_svm (const GstMgpuHogModels * self, guint i,
    gint * label)
{
  const Svm *svm = &g_array_index (self->svms, Svm, i);

  *label = svm->label;
  return &svm->svm->window;
}

const gchar *
gst_mgpu_hog_models_get_name (const GstMgpuHogModels * self, gint label)
{
  return self->names->pdata[label];
}

void
gst_mgpu_hog_models_get_confidence (const GstMgpuHogModels * self, gint label,
    gdouble * slope, gdouble * midpoint)
{
  *slope = 1;
  *midpoint = svm_threshold (NULL);
  for (guint i = 0; i < self->models->len; i++)
    if (self->labels[i] == label) {
      *slope = PARTS_SLOPE;
      *midpoint = PARTS_MIDPOINT
          + ((const MgpuDpmModel *) self->models->pdata[i])->threshold;
    }
}

void
gst_mgpu_hog_models_free (GstMgpuHogModels * self)
{
  gst_mgpu_hog_models_unprepare (self);
  g_ptr_array_unref (self->models);
  g_array_unref (self->svms);
  g_ptr_array_unref (self->names);
  g_free (self);
}
