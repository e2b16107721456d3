/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reads YAML, JSON and XML files. */
#include "tree.h"

#include <string.h>

/* Largest size of a file, in bytes */
#define MAX_SIZE (1 << 20)

/* Reads the @length bytes of @text, the content of a file: XML of OpenCV, JSON, or the part
 * of YAML that OpenCV, ROS and Kalibr write. Only the first document of a YAML file is
 * read, and tags are ignored.
 * Returns: (transfer full): the whole file; NULL with the error set */
static MgpuTree *
read_text (const MgpuDpmFile * file, const gchar * text, gsize length)
{
  static const gchar order_mark[] = "\xef\xbb\xbf";
  g_autofree gchar *copy = NULL;
  const gchar *first;
  MgpuTree *root;
  gboolean ok;

  if (memchr (text, '\0', length) != NULL) {
    mgpu_dpm_file_fail (file, "the file is not text, because it contains a "
        "byte 0");
    return NULL;
  }
  copy = g_strndup (text, length);
  /* Skips the byte order mark with which editors on Windows begin UTF-8 texts. */
  first =
      copy + (g_str_has_prefix (copy, order_mark) ? strlen (order_mark) : 0);
  root = mgpu_tree_new (g_strdup (""));
  ok = first[strspn (first, " \t\r\n")] == '<'
      ? mgpu_tree_read_xml (file, first, root)
      : mgpu_tree_read_yaml (file, first, root);
  if (!ok)
    g_clear_pointer (&root, mgpu_tree_free);
  return root;
}

MgpuTree *
mgpu_tree_load (const MgpuDpmFile * file)
{
  gsize length;
  gchar *text = mgpu_dpm_file_read (file, &length);
  MgpuTree *root = NULL;

  if (text == NULL)
    return NULL;
  if (length > MAX_SIZE)
    mgpu_dpm_file_fail (file, "the file has more than %d MiB", MAX_SIZE >> 20);
  else
    root = read_text (file, text, length);
  g_free (text);
  return root;
}
