/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Checks a part model that was read from a file. */
#pragma once

#include <gst/models/dpm-load.h>

#include <math.h>

static inline void
check_filter (const MgpuDpmFilter * f, gint features)
{
  g_assert (f->rows > 0 && f->rows <= MGPU_DPM_MAX_SIDE);
  g_assert (f->columns > 0 && f->columns <= MGPU_DPM_MAX_SIDE);
  for (gint i = 0; i < f->rows * f->columns * features; i++)
    g_assert (isfinite (f->weights[i]));
}

/* Frees @model, which may be NULL. */
static inline void
check_model (MgpuDpmModel * model)
{
  if (model == NULL)
    return;
  g_assert (g_ascii_isalpha (model->name[0]));
  g_assert (model->n_components > 0 && model->n_pca > 0);
  for (guint i = 0; i < model->n_components; i++) {
    const MgpuDpmComponent *c = model->components + i;

    check_filter (&c->root, MGPU_DPM_FEATURES);
    check_filter (&c->root_pca, model->n_pca);
    for (guint j = 0; j < c->n_parts; j++) {
      check_filter (&c->parts[j].filter, MGPU_DPM_FEATURES);
      check_filter (&c->parts[j].pca, model->n_pca);
      g_assert (c->order[j] < c->n_parts);
    }
  }
  mgpu_dpm_model_free (model);
}
