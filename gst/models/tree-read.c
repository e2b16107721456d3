/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reads YAML, JSON and XML files. */
#include "tree.h"

#include <string.h>

MgpuTree *
mgpu_tree_read (const MgpuDpmFile * file, const gchar * text, gsize length)
{
  g_autofree gchar *copy = NULL;
  MgpuTree *root;
  gboolean ok;

  if (memchr (text, '\0', length) != NULL) {
    mgpu_dpm_file_fail (file, "not a text: a byte is 0");
    return NULL;
  }
  copy = g_strndup (text, length);
  root = mgpu_tree_new (g_strdup (""));
  ok = copy[strspn (copy, " \t\r\n")] == '<'
      ? mgpu_tree_read_xml (file, copy, root)
      : mgpu_tree_read_yaml (file, copy, root);
  if (!ok)
    g_clear_pointer (&root, mgpu_tree_free);
  return root;
}
