/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/dpm/model.h>

G_BEGIN_DECLS

/* The file from which a model is read, and the place for errors of the functions that
 * read it. */
typedef struct
{
  const gchar *path;
  GError **error;
} MgpuDpmFile;

/* Sets *file->error to an error whose message begins with the path of the file. Returns:
 * FALSE */
gboolean mgpu_dpm_file_fail (const MgpuDpmFile * file, const gchar * format, ...) G_GNUC_PRINTF (2, 3);

/* Reads the file @file. Returns: (transfer full): its *@length bytes, which a byte 0 follows; NULL with
 * the error set when it cannot be read, is empty, or has more than 64 MiB */
gchar * mgpu_dpm_file_read (const MgpuDpmFile * file, gsize * length);

/* Reads @n numbers, separated by white space, from @text. @field is the name of these
 * numbers in error messages, here and in the functions below. Returns: FALSE with the
 * error set when the text has more or fewer numbers, or other characters */
gboolean mgpu_dpm_file_read_numbers (const MgpuDpmFile * file, const gchar * field, const gchar * text, gsize n,
    gdouble * numbers);

/* Checks that none of @n numbers is a NaN or has an absolute value above
 * MGPU_DPM_MAX_NUMBER.
 * Returns: FALSE with the error set if not */
gboolean mgpu_dpm_file_check (const MgpuDpmFile * file, const gchar * field, const gdouble * numbers, gsize n);

/* Checks that @number is an integer from @low to @high, and writes it to
 * *value. Returns: FALSE with the error set if not */
gboolean mgpu_dpm_file_get_int (const MgpuDpmFile * file, const gchar * field, gdouble number, gint low, gint high,
    gint * value);

/* Checks that HOG features can be computed for cells of @cell_size pixels.
 * Returns: FALSE with the error set if not */
gboolean mgpu_dpm_file_check_cell_size (const MgpuDpmFile * file, const gchar * field, gint cell_size);

/* Returns: (transfer full): the base name of the file that @file names, without suffix */
gchar * mgpu_dpm_file_get_name (const MgpuDpmFile * file);

/* Returns: whether all data elements in the @length bytes of @text, the content of a
 * MATLAB file of version 5, are well-formed */
gboolean mgpu_dpm_mat_is_sound (const gchar * text, gsize length);

/* Read a deformable part model from the @length bytes of @text, the content of a file.
 * mgpu_dpm_model_read_xml() reads OpenCV's XML, and mgpu_dpm_model_read_mat() reads a
 * MATLAB file. Returns: (transfer full): the model; NULL with the error set on failure */
MgpuDpmModel * mgpu_dpm_model_read_xml (const MgpuDpmFile * file, const gchar * text, gsize length);
MgpuDpmModel * mgpu_dpm_model_read_mat (const MgpuDpmFile * file, const gchar * text, gsize length);

G_END_DECLS
