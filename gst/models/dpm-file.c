/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "dpm-file.h"

#include <gst/mgpu/mgpu.h>

#include <math.h>
#include <string.h>

gboolean
mgpu_dpm_file_fail (const MgpuDpmFile * file, const gchar * format, ...)
{
  gchar *path = g_filename_display_name (file->path);
  gchar *text, *clean;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  /* Text quoted from a file may have any bytes. */
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
    /* Compares this way round, so that a NaN fails, too. */
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
