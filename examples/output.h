/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Checks whether a program may write a file, by the rule of all examples: an output may only
 * replace an older output. */
#pragma once

#include <glib/gstdio.h>
#include <gst/base/gsttypefindhelper.h>

/* Returns: whether two names belong to the same existing file */
static inline gboolean
is_same_file (const gchar * a, const gchar * b)
{
  GStatBuf s, t;

  return g_stat (a, &s) == 0 && g_stat (b, &t) == 0 && s.st_dev == t.st_dev
      && s.st_ino == t.st_ino;
}

/* Returns: whether the file @path may be written: it is none of the files in the
 * NULL-terminated array @inputs, and either does not exist, is empty, or has the
 * media type @type, such as "image/png" */
static inline gboolean
check_output (const gchar * path, const gchar * type,
    const gchar * const *inputs, GError ** error)
{
  GMappedFile *file;
  GstCaps *caps;
  gboolean ok;

  for (; *inputs != NULL; inputs++)
    if (is_same_file (path, *inputs)) {
      g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_OPEN_WRITE,
          "%s is the input; name another file for the output", path);
      return FALSE;
    }
  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    return TRUE;
  file = g_mapped_file_new (path, FALSE, error);
  if (file == NULL)
    return FALSE;
  caps = g_mapped_file_get_length (file) == 0 ? NULL
      : gst_type_find_helper_for_data (NULL,
      (const guint8 *) g_mapped_file_get_contents (file),
      g_mapped_file_get_length (file), NULL);
  ok = g_mapped_file_get_length (file) == 0 || (caps != NULL
      && gst_structure_has_name (gst_caps_get_structure (caps, 0), type));
  if (!ok)
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_OPEN_WRITE,
        "%s is there and has another type than %s; remove it, or name another "
        "file for the output", path, type);
  g_clear_pointer (&caps, gst_caps_unref);
  g_mapped_file_unref (file);
  return ok;
}
