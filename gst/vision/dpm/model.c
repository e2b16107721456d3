/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Initializes deformable part models in memory, cleans their weights and frees them. */
#include "model.h"

#include <math.h>

/* Minimum absolute value of a weight. Smaller weights are set to 0: they add nothing to a
 * score, and their products may be subnormal numbers, which devices treat differently. */
#define LEAST_WEIGHT 1e-14f

void
mgpu_dpm_filter_init (MgpuDpmFilter * filter, gint rows, gint columns,
    gint features)
{
  filter->rows = rows;
  filter->columns = columns;
  filter->weights = g_new0 (gfloat, rows * columns * features);
}

gchar *
mgpu_dpm_clean_name (gchar * name)
{
  gchar *valid;

  g_strcanon (name, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "-_.", '-');
  if (g_ascii_isalpha (*name))
    return name;
  valid = g_strdup_printf ("model%s%s", *name == '\0' ? "" : "-", name);
  g_free (name);
  return valid;
}

void
mgpu_dpm_clean_weights (gfloat * weights, gint n)
{
  for (gint i = 0; i < n; i++)
    if (fabsf (weights[i]) < LEAST_WEIGHT)
      weights[i] = 0;
}

static void
clean_filter (MgpuDpmFilter * filter, gint features)
{
  mgpu_dpm_clean_weights (filter->weights,
      filter->rows * filter->columns * features);
}

void
mgpu_dpm_model_clean (MgpuDpmModel * model)
{
  model->name = mgpu_dpm_clean_name (model->name);
  mgpu_dpm_clean_weights (model->pca, MGPU_DPM_FEATURES * model->n_pca);
  for (guint i = 0; i < model->n_components; i++) {
    MgpuDpmComponent *c = model->components + i;

    clean_filter (&c->root, MGPU_DPM_FEATURES);
    clean_filter (&c->root_pca, model->n_pca);
    for (guint j = 0; j < c->n_parts; j++) {
      clean_filter (&c->parts[j].filter, MGPU_DPM_FEATURES);
      clean_filter (&c->parts[j].pca, model->n_pca);
    }
  }
}

void
mgpu_dpm_model_free (MgpuDpmModel * model)
{
  for (guint i = 0; i < model->n_components; i++) {
    MgpuDpmComponent *c = model->components + i;

    g_free (c->root.weights);
    g_free (c->root_pca.weights);
    for (guint j = 0; j < c->n_parts; j++) {
      g_free (c->parts[j].filter.weights);
      g_free (c->parts[j].pca.weights);
    }
    g_free (c->parts);
    g_free (c->order);
    g_free (c->limits);
  }
  g_free (model->components);
  g_free (model->pca);
  g_free (model->name);
  g_free (model);
}
