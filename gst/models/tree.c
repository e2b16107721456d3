/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* The values of a YAML, JSON or XML file, as a tree. */
#include "tree.h"

#include <string.h>

static MgpuTree *
tree_new (gchar * name)
{
  MgpuTree *tree = g_new0 (MgpuTree, 1);

  tree->name = name;
  tree->text = g_string_new (NULL);
  tree->children =
      g_ptr_array_new_with_free_func ((GDestroyNotify) mgpu_tree_free);
  return tree;
}

void
mgpu_tree_free (MgpuTree * tree)
{
  g_ptr_array_unref (tree->children);
  g_string_free (tree->text, TRUE);
  g_free (tree->name);
  g_free (tree);
}

MgpuTree *
mgpu_tree_add (MgpuTree * tree, gchar * name)
{
  MgpuTree *child = tree_new (name);

  g_ptr_array_add (tree->children, child);
  return child;
}

const MgpuTree *
mgpu_tree_find (const MgpuTree * tree, const gchar * name)
{
  for (guint i = 0; i < tree->children->len; i++) {
    const MgpuTree *child = g_ptr_array_index (tree->children, i);

    if (strcmp (child->name, name) == 0)
      return child;
  }
  return NULL;
}

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
  root = tree_new (g_strdup (""));
  ok = copy[strspn (copy, " \t\r\n")] == '<'
      ? mgpu_tree_read_xml (file, copy, root)
      : mgpu_tree_read_yaml (file, copy, root);
  if (!ok)
    g_clear_pointer (&root, mgpu_tree_free);
  return root;
}
