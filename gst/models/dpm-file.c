/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Checks and error messages that the readers of both file formats of part models use. */
#include "dpm-file.h"

#include <gst/mgpu/mgpu.h>

#include <math.h>
#include <string.h>

#include "file-read.h"

/* Maximum size of a file, in bytes, so that a wrong file does not take all memory */
#define MAX_FILE (64 << 20)

gboolean
mgpu_dpm_file_fail (const MgpuDpmFile * file, const gchar * format, ...)
{
  g_autofree gchar *path = g_filename_display_name (file->path);
  gchar *text, *clean;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  /* Replaces bytes that are not valid UTF-8, because the message may quote text from the file,
   * which may contain any bytes. */
  clean = g_utf8_make_valid (text, -1);
  g_set_error (file->error, GST_MGPU_ERROR, GST_MGPU_ERROR_UNSUPPORTED,
      "%s: %s", path, clean);
  g_free (clean);
  g_free (text);
  return FALSE;
}

gchar *
mgpu_dpm_file_read (const MgpuDpmFile * file, gsize * length)
{
  g_autoptr (GError) cause = NULL;
  gchar *text = mgpu_file_read (file->path, MAX_FILE, length, &cause);

  if (text != NULL && *length > 0)
    return text;
  if (text != NULL)
    mgpu_dpm_file_fail (file, "the file is empty");
  else if (g_error_matches (cause, G_IO_ERROR, G_IO_ERROR_MESSAGE_TOO_LARGE))
    mgpu_dpm_file_fail (file, "the file has more than %d MiB", MAX_FILE >> 20);
  else
    mgpu_dpm_file_fail (file, "the file cannot be read: %s", cause->message);
  g_free (text);
  return NULL;
}

gboolean
mgpu_dpm_file_check (const MgpuDpmFile * file, const gchar * field,
    const gdouble * numbers, gsize n)
{
  for (gsize i = 0; i < n; i++)
    /* The negated comparison also refuses a NaN, because any comparison with a NaN is FALSE. */
    if (!(fabs (numbers[i]) <= MGPU_DPM_MAX_NUMBER))
      return mgpu_dpm_file_fail (file, "%s: number %" G_GSIZE_FORMAT " is %g, "
          "but its absolute value may be at most %g", field, i + 1, numbers[i],
          MGPU_DPM_MAX_NUMBER);
  return TRUE;
}

gboolean
mgpu_dpm_file_read_numbers (const MgpuDpmFile * file, const gchar * field,
    const gchar * text, gsize n, gdouble * numbers)
{
  const gchar *at = text;

  for (gsize i = 0;; i++) {
    gchar *end;

    while (g_ascii_isspace (*at))
      at++;
    if (i == n || *at == '\0') {
      if (i == n && *at == '\0')
        return mgpu_dpm_file_check (file, field, numbers, n);
      return mgpu_dpm_file_fail (file, "%s has %s than %" G_GSIZE_FORMAT
          " numbers", field, i == n ? "more" : "fewer", n);
    }
    numbers[i] = g_ascii_strtod (at, &end);
    if (end == at || (*end != '\0' && !g_ascii_isspace (*end)))
      return mgpu_dpm_file_fail (file, "%s: \"%.*s\" is not a number", field,
          (gint) MIN (20, strcspn (at, " \t\r\n")), at);
    at = end;
  }
}

gboolean
mgpu_dpm_file_get_int (const MgpuDpmFile * file, const gchar * field,
    gdouble number, gint low, gint high, gint * value)
{
  if (!(number >= low && number <= high) || number != floor (number))
    return mgpu_dpm_file_fail (file, "%s is %g, but it has to be an integer "
        "from %d to %d", field, number, low, high);
  *value = number;
  return TRUE;
}

gboolean
mgpu_dpm_file_check_cell_size (const MgpuDpmFile * file, const gchar * field,
    gint cell_size)
{
  return cell_size == 4 || cell_size == 8
      || mgpu_dpm_file_fail (file, "%s is %d, but it has to be 4 or 8", field,
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
