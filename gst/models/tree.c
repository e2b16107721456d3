/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* The values of a YAML, JSON or XML file, as a tree. */
#include "tree.h"

#include <string.h>

MgpuTree *
mgpu_tree_new (gchar * name)
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
  MgpuTree *child = mgpu_tree_new (name);

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
