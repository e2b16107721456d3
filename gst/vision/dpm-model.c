/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "dpm-model-private.h"

#include <gst/mgpu/mgpu.h>

#include <math.h>
#include <string.h>

/* What MATLAB's files begin with, of version 5 and 7.3. */
#define MATLAB "MATLAB "

/* Models have less than a megabyte: what is far larger is none. */
#define MAX_FILE (64 << 20)

/* Smaller weights add nothing; products with features, and of two of them with
 * features, would be subnormal, which devices treat in different ways. */
#define LEAST_WEIGHT 1e-14f

gboolean
mgpu_dpm_file_fail (const MgpuDpmFile * file, const gchar * format, ...)
{
  gchar *path = g_filename_display_name (file->path);
  gchar *text, *clean;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  /* What is quoted of a file may be anything. */
  clean = g_utf8_make_valid (text, -1);
  g_set_error (file->error, GST_MGPU_ERROR, GST_MGPU_ERROR_UNSUPPORTED,
      "%s: %s", path, clean);
  g_free (clean);
  g_free (text);
  g_free (path);
  return FALSE;
}

gboolean
mgpu_dpm_file_check (const MgpuDpmFile * file, const gchar * field,
    const gdouble * numbers, gsize n)
{
  for (gsize i = 0; i < n; i++)
    /* Neither holds for a NaN. */
    if (!(fabs (numbers[i]) <= MGPU_DPM_MAX_NUMBER))
      return mgpu_dpm_file_fail (file, "%s: number %" G_GSIZE_FORMAT " is %g, "
          "and none may be more than %g in amount", field, i + 1, numbers[i],
          MGPU_DPM_MAX_NUMBER);
  return TRUE;
}

gboolean
mgpu_dpm_file_get_int (const MgpuDpmFile * file, const gchar * field,
    gdouble number, gint low, gint high, gint * value)
{
  if (!(number >= low && number <= high) || number != floor (number))
    return mgpu_dpm_file_fail (file, "%s is %g, and has to be a whole number "
        "from %d to %d", field, number, low, high);
  *value = number;
  return TRUE;
}

gboolean
mgpu_dpm_file_check_cell_size (const MgpuDpmFile * file, const gchar * field,
    gint cell_size)
{
  return cell_size == 4 || cell_size == 8
      || mgpu_dpm_file_fail (file, "%s is %d, and has to be 4 or 8", field,
      cell_size);
}

gchar *
mgpu_dpm_file_get_name (const MgpuDpmFile * file)
{
  gchar *name = g_path_get_basename (file->path);
  gchar *dot = strrchr (name, '.');

  if (dot != NULL && dot != name)
    *dot = '\0';
  return name;
}

void
mgpu_dpm_filter_init (MgpuDpmFilter * filter, gint rows, gint columns,
    gint features)
{
  filter->rows = rows;
  filter->columns = columns;
  filter->weights = g_new0 (gfloat, rows * columns * features);
}

/* Makes the class something that structures can be named by. */
static void
clean_name (MgpuDpmModel * model)
{
  gchar *name = g_strcanon (model->name, G_CSET_A_2_Z G_CSET_a_2_z
      G_CSET_DIGITS "-_.", '-');

  if (!g_ascii_isalpha (*name)) {
    model->name = g_strdup_printf ("model%s%s", *name == '\0' ? "" : "-", name);
    g_free (name);
  }
}

static void
clean_weights (gfloat * weights, gint n)
{
  for (gint i = 0; i < n; i++)
    if (fabsf (weights[i]) < LEAST_WEIGHT)
      weights[i] = 0;
}

static void
clean_filter (MgpuDpmFilter * filter, gint features)
{
  clean_weights (filter->weights, filter->rows * filter->columns * features);
}

static void
clean_model (MgpuDpmModel * model)
{
  clean_name (model);
  clean_weights (model->pca, MGPU_DPM_FEATURES * model->n_pca);
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

MgpuDpmModel *
mgpu_dpm_model_load (const gchar * path, GError ** error)
{
  const MgpuDpmFile file = { path, error };
  MgpuDpmModel *model = NULL;
  GMappedFile *mapped;
  GError *cause = NULL;
  const gchar *text;
  gsize length;

  /* A pipe would wait for who writes to it. */
  if (g_file_test (path, G_FILE_TEST_EXISTS)
      && !g_file_test (path, G_FILE_TEST_IS_REGULAR)) {
    mgpu_dpm_file_fail (&file, "the model cannot be read: it is a directory, a "
        "pipe or a device");
    return NULL;
  }
  mapped = g_mapped_file_new (path, FALSE, &cause);
  if (mapped == NULL) {
    mgpu_dpm_file_fail (&file, "the model cannot be read: %s", cause->message);
    g_error_free (cause);
    return NULL;
  }
  text = g_mapped_file_get_contents (mapped);
  length = g_mapped_file_get_length (mapped);
  if (length == 0)
    mgpu_dpm_file_fail (&file, "the file is empty");
  else if (length > MAX_FILE)
    mgpu_dpm_file_fail (&file, "no part model: the file has more than %d MiB",
        MAX_FILE >> 20);
  else if (length >= strlen (MATLAB)
      && memcmp (text, MATLAB, strlen (MATLAB)) == 0)
    model = mgpu_dpm_model_read_mat (&file, text, length);
  else
    model = mgpu_dpm_model_read_xml (&file, text, length);
  g_mapped_file_unref (mapped);
  if (model != NULL) {
    if (model->pca == NULL)
      mgpu_dpm_model_make_cascade (model);
    clean_model (model);
  }
  return model;
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
