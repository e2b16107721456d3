/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstmgpuhogmodels.h"

#include <gst/models/dpm-load.h>
#include <gst/vision/dpm/dpm.h>

/* Greatest number of models, each of which takes memory of the device for a list of hits
 * and for the scores of all places */
#define MAX_MODELS 32

/* Slope of the probability of a score. Models are trained so that most objects score more
 * than 1 and most of the rest less than -1; a score of 0 is in doubt. */
#define SLOPE 2

struct _GstMgpuHogModels
{
  GPtrArray *models;            /* array of MgpuDpmModel */
  gfloat thresholds[MAX_MODELS];        /* thresholds for the current frame */

  /* Members that prepare() sets for one frame format: all are set, or none */
  MgpuFhog *fhog;
  MgpuDpm *dpm;
  GstMemory *features, *scores, *hits;
};

GstMgpuHogModels *
gst_mgpu_hog_models_load (const gchar * paths, GError ** error)
{
  GstMgpuHogModels *self = g_new0 (GstMgpuHogModels, 1);
  gchar **path = g_strsplit (paths != NULL ? paths : "", ":", -1);
  GError *cause = NULL;

  self->models = g_ptr_array_new_with_free_func ((GDestroyNotify)
      mgpu_dpm_model_free);
  for (guint i = 0; path[i] != NULL && cause == NULL; i++) {
    MgpuDpmModel *model;

    if (*path[i] == '\0')
      continue;
    model = mgpu_dpm_model_load (path[i], &cause);
    if (model != NULL)
      g_ptr_array_add (self->models, model);
  }
  g_strfreev (path);
  if (cause != NULL) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_READ,
        "%s: set \"model\" to files that are part models", cause->message);
    g_error_free (cause);
  } else if (self->models->len == 0 || self->models->len > MAX_MODELS) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
        "detector=model looks for 1 to %d models, and there are %u: set "
        "\"model\" to a file, or several with ':' between them", MAX_MODELS,
        self->models->len);
  } else {
    return self;
  }
  gst_mgpu_hog_models_free (self);
  return NULL;
}

gboolean
gst_mgpu_hog_models_prepare (GstMgpuHogModels * self, GstMgpuInput * input,
    gboolean * has_place, GError ** error)
{
  GstMgpuDeviceUser *user = input->user;
  const MgpuDpmModel *const *models =
      (const MgpuDpmModel * const *) self->models->pdata;
  MgpuFhogPyramid pyramid = {
    .params = mgpu_dpm_choose_params (models, self->models->len)
  };
  gsize scores, hits;

  gst_mgpu_hog_models_unprepare (self);
  self->fhog = mgpu_fhog_new (user->context, &input->info, &pyramid.params,
      error);
  if (self->fhog == NULL)
    return FALSE;
  pyramid.n_levels = mgpu_fhog_get_levels (self->fhog, &pyramid.levels);
  *has_place = pyramid.n_levels > (guint) pyramid.params.interval;
  self->dpm = mgpu_dpm_new (user->context, models, self->models->len, &pyramid,
      error);
  if (self->dpm != NULL) {
    mgpu_dpm_get_sizes (self->dpm, &scores, &hits);
    self->features = gst_mgpu_memory_new (user->queue,
        MAX (mgpu_fhog_get_size (self->fhog), 1), user->stats, error);
    if (self->features != NULL)
      self->scores = gst_mgpu_memory_new (user->queue, scores, user->stats,
          error);
    if (self->scores != NULL)
      self->hits = gst_mgpu_memory_new (user->queue, hits, user->stats, error);
  }
  if (self->hits != NULL)
    return TRUE;
  gst_mgpu_hog_models_unprepare (self);
  return FALSE;
}

void
gst_mgpu_hog_models_unprepare (GstMgpuHogModels * self)
{
  g_clear_pointer (&self->fhog, mgpu_fhog_free);
  g_clear_pointer (&self->dpm, mgpu_object_free);
  g_clear_pointer (&self->features, gst_memory_unref);
  g_clear_pointer (&self->scores, gst_memory_unref);
  g_clear_pointer (&self->hits, gst_memory_unref);
}

static void
set_thresholds (GstMgpuHogModels * self, const gdouble * threshold)
{
  for (guint i = 0; i < self->models->len; i++)
    self->thresholds[i] = threshold != NULL ? *threshold
        : ((const MgpuDpmModel *) self->models->pdata[i])->threshold;
}

void
gst_mgpu_hog_models_enqueue (GstMgpuHogModels * self, GstMgpuJob * job,
    gboolean cascade, const gdouble * threshold, guint min_height,
    guint max_height, const MgpuImage * in)
{
  GstMgpuMemory *features = (GstMgpuMemory *) self->features;

  set_thresholds (self, threshold);
  mgpu_dpm_set_heights (self->dpm, min_height, max_height);
  mgpu_fhog_enqueue (self->fhog, job, in, features);
  mgpu_dpm_enqueue (self->dpm, job, cascade, self->thresholds, features,
      (GstMgpuMemory *) self->scores, (GstMgpuMemory *) self->hits);
}

gboolean
gst_mgpu_hog_models_read (GstMgpuHogModels * self, const gdouble * threshold,
    GArray * boxes, GError ** error)
{
  set_thresholds (self, threshold);
  return mgpu_dpm_read (self->dpm, self->thresholds,
      (GstMgpuMemory *) self->scores, (GstMgpuMemory *) self->hits, boxes,
      error);
}

const gchar *
gst_mgpu_hog_models_get_name (const GstMgpuHogModels * self, gint label)
{
  return ((const MgpuDpmModel *) self->models->pdata[label])->name;
}

void
gst_mgpu_hog_models_get_scale (const GstMgpuHogModels * self, gint label,
    gdouble * slope, gdouble * offset)
{
  *slope = SLOPE;
  *offset = 0;
}

void
gst_mgpu_hog_models_free (GstMgpuHogModels * self)
{
  gst_mgpu_hog_models_unprepare (self);
  g_ptr_array_unref (self->models);
  g_free (self);
}
