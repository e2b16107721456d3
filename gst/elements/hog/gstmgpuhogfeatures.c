/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Computes the feature pyramid of mgpuhog, and attaches it to frames as a meta. */
#include "gstmgpuhogfeatures.h"

gboolean
gst_mgpu_hog_features_prepare (GstMgpuHogFeatures * self,
    GstMgpuInput * input, const MgpuFhogParams * params, GError ** error)
{
  if (self->pool != NULL)
    return TRUE;
  if (params->cell_size != 4 && params->cell_size != 8
      && params->cell_size != 16) {
    g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_FAILED,
        "cells of %d pixels are not supported: set cell-size to 4, 8 or 16",
        params->cell_size);
    return FALSE;
  }
  self->n_features = mgpu_fhog_count_features (params->kind);
  if (self->fhog == NULL)
    self->fhog = mgpu_fhog_new (input->base->context, &input->info, params,
        error);
  if (self->fhog != NULL)
    GST_MGPU_DEBUG_OBJECT (input->base->element,
        "computing %u features for each cell of %d pixels, %" G_GSIZE_FORMAT
        " bytes in a frame", self->n_features, params->cell_size,
        mgpu_fhog_get_size (self->fhog));
  if (self->fhog != NULL)
    self->pool = gst_mgpu_device_base_new_table_pool (input->base,
        mgpu_fhog_get_size (self->fhog), error);
  return self->pool != NULL;
}

void
gst_mgpu_hog_features_unprepare (GstMgpuHogFeatures * self)
{
  gst_clear_buffer (&self->buffer);
  gst_mgpu_clear_pool (&self->pool);
  g_clear_pointer (&self->fhog, mgpu_object_free);
}

void
gst_mgpu_hog_features_enqueue (GstMgpuHogFeatures * self,
    GstMgpuInput * input, const MgpuFhogParams * params, GstMgpuJob * job,
    const MgpuImage * in)
{
  GError *error = NULL;

  gst_clear_buffer (&self->buffer);
  if (gst_mgpu_hog_features_prepare (self, input, params, &error))
    self->buffer = gst_mgpu_device_base_acquire (input->base, self->pool,
        &error);
  if (self->buffer == NULL)
    gst_mgpu_job_fail (job, error);
  else
    mgpu_fhog_enqueue (self->fhog, job, in, gst_mgpu_peek_table (self->buffer));
}

void
gst_mgpu_hog_features_attach (GstMgpuHogFeatures * self, GstBuffer * buffer)
{
  const MgpuFhogLevel *from;
  guint n = mgpu_fhog_get_levels (self->fhog, &from);
  g_autofree GstMgpuHogLevel *levels = g_new0 (GstMgpuHogLevel, n);

  for (guint i = 0; i < n; i++)
    levels[i] = (GstMgpuHogLevel) {
    from[i].columns, from[i].rows, from[i].offset, from[i].scale,
        from[i].cell_size};
  gst_buffer_add_mgpu_hog_meta (buffer, g_steal_pointer (&self->buffer),
      levels, n, self->n_features);
}
