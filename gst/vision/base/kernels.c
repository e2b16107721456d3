/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Joins a kernel file with its includes and builds the OpenCL program. */
#define _GNU_SOURCE
#include "kernels.h"

#include <gio/gio.h>
#include <string.h>

#include <gst/mgpu/gstmgpuprogram-private.h>

#include "mgpu-kernels.h"

#define INCLUDE "#include \""

/* Behind an #include "..." line: appends the file even if it was appended before. Its macros and names
 * then have other meanings. */
#define AGAIN "\" /* again */"

/* Appends the text of a kernel file to @source. Replaces each #include "..." line by the text
 * of the named file, since OpenCL drivers cannot include files that are embedded in the
 * library. A file that is in the hash table @seen was appended before and is left out, unless
 * @is_again is TRUE. */
static gboolean
append_file (GString * source, GHashTable * seen, const gchar * file,
    gboolean is_again, GError ** error)
{
  const gchar *line, *end;
  gchar *path;
  GBytes *bytes;
  gboolean ok = TRUE;

  if (!g_hash_table_add (seen, g_strdup (file)) && !is_again)
    return TRUE;

  path = g_strconcat ("/org/gst-mgpu/kernels/", file, NULL);
  /* Makes the linker keep the GResource with the kernel files. The result is ignored because it
   * is NULL while another thread registers the resource. The lookup below waits for that
   * thread. */
  mgpu_kernels_get_resource ();
  bytes = g_resources_lookup_data (path, G_RESOURCE_LOOKUP_FLAGS_NONE, error);
  g_free (path);
  if (bytes == NULL)
    return FALSE;

  /* Lets messages of the OpenCL compiler name this kernel file and the line numbers in it. */
  g_string_append_printf (source, "#line 1 \"%s\"\n", file);
  /* The bytes of a GResource end with a NUL, and can be read as a string. */
  line = g_bytes_get_data (bytes, NULL);
  for (guint number = 1; line != NULL && ok; number++) {
    end = strchrnul (line, '\n');
    if (g_str_has_prefix (line, INCLUDE)) {
      const gchar *start = line + strlen (INCLUDE);
      gchar *name = g_strndup (start, strcspn (start, "\"\n"));

      ok = append_file (source, seen, name,
          g_str_has_prefix (start + strlen (name), AGAIN), error);
      g_string_append_printf (source, "#line %u \"%s\"\n", number + 1, file);
      g_free (name);
    } else {
      g_string_append_len (source, line, end - line);
      g_string_append_c (source, '\n');
    }
    line = *end != '\0' ? end + 1 : NULL;
  }
  g_bytes_unref (bytes);
  return ok;
}

gboolean
mgpu_kernels_append (GString * source, const gchar * file, GError ** error)
{
  GHashTable *seen =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  gboolean ok = append_file (source, seen, file, FALSE, error);

  g_hash_table_unref (seen);
  return ok;
}

GstMgpuProgram *
mgpu_kernels_build (GstMgpuContext * context, const gchar * name,
    const gchar * options, GError ** error)
{
  g_autoptr (GString) source = g_string_new (NULL);
  GHashTable *seen =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autofree gchar *file = g_strconcat (name, ".cl", NULL);
  GstMgpuProgram *program = NULL;

  if (append_file (source, seen, file, FALSE, error))
    program =
        gst_mgpu_program_new_own (context, name, source->str, options, error);

  g_hash_table_unref (seen);
  return program;
}
