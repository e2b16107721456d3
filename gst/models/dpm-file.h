/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/dpm/model.h>

G_BEGIN_DECLS

/* A file that is read. */
typedef struct
{
  const gchar *path;
  GError **error;
} MgpuDpmFile;

/* Sets the error: path, then the text. Returns: FALSE */
gboolean mgpu_dpm_file_fail (const MgpuDpmFile * file, const gchar * format, ...) G_GNUC_PRINTF (2, 3);

/* Whether all n numbers are finite and none is larger than
 * MGPU_DPM_MAX_NUMBER. */
gboolean mgpu_dpm_file_check (const MgpuDpmFile * file, const gchar * field, const gdouble * numbers, gsize n);

/* Whether number is a whole one from low to high, which goes to *value. */
gboolean mgpu_dpm_file_get_int (const MgpuDpmFile * file, const gchar * field, gdouble number, gint low, gint high,
    gint * value);

/* Whether there are features for cells of so many pixels. */
gboolean mgpu_dpm_file_check_cell_size (const MgpuDpmFile * file, const gchar * field, gint cell_size);

/* The file's name without folders and what follows the last dot. */
gchar * mgpu_dpm_file_get_name (const MgpuDpmFile * file);

/* Whether all parts of a MATLAB file of version 5 are in order. */
gboolean mgpu_dpm_mat_is_sound (const gchar * text, gsize length);

MgpuDpmModel * mgpu_dpm_model_read_xml (const MgpuDpmFile * file, const gchar * text, gsize length);
MgpuDpmModel * mgpu_dpm_model_read_mat (const MgpuDpmFile * file, const gchar * text, gsize length);

G_END_DECLS
