/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "dpm-file.h"

G_BEGIN_DECLS

/* Maximum nesting depth of values: [ [ 1 ] ] has depth 2. */
#define MGPU_TREE_DEPTH 8

/* Holds a value of a YAML, JSON or XML file. */
typedef struct
{
  gchar *name;                  /* key of the value; empty for the whole file */
  GString *text;                /* a scalar; or the elements of a list, and of the lists in it,
                                 * with a space after each */
  GPtrArray *children;          /* values inside this value, each a MgpuTree, in the order of the
                                 * file */
} MgpuTree;

/* Reads the file @file, of at most 1 MiB: XML of OpenCV, JSON, or the part of YAML that OpenCV, ROS
 * and Kalibr write. Only the first document of a YAML file is read, and tags are ignored.
 * Returns: (transfer full): the whole file; NULL with the error set */
MgpuTree * mgpu_tree_load (const MgpuDpmFile * file);

/* Returns: (nullable): the first value with the key @name directly in @tree */
const MgpuTree * mgpu_tree_find (const MgpuTree * tree, const gchar * name);

/* Returns: (transfer full): a value without content, with the key @name (transfer full) */
MgpuTree * mgpu_tree_new (gchar * name);
void mgpu_tree_free (MgpuTree * tree);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MgpuTree, mgpu_tree_free)

/* Adds a value with the key @name (transfer full) to @tree. Returns: the new value */
MgpuTree * mgpu_tree_add (MgpuTree * tree, gchar * name);

/* Read @text, which ends with a 0, into @root: mgpu_tree_read_xml() reads XML,
 * mgpu_tree_read_yaml() reads YAML or JSON. Return: FALSE with the error set on failure. */
gboolean mgpu_tree_read_xml (const MgpuDpmFile * file, const gchar * text, MgpuTree * root);
gboolean mgpu_tree_read_yaml (const MgpuDpmFile * file, const gchar * text, MgpuTree * root);

G_END_DECLS
