/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reads families of tags from dictionaries of OpenCV. */
#include "dictionary-load.h"

#include <string.h>

#include "calibration-private.h"

/* Minimum and maximum width of a tag inside its border, in cells; maximum number of tags */
#define MIN_SIDE 3
#define MAX_SIDE 8
#define MAX_TAGS 4096

/* Reads the code of the tag @i: a text of 0 and 1, row by row, where 1 is white. */
static gboolean
read_code (const MgpuDpmFile * file, const MgpuTree * root, guint i,
    guint n_bits, guint64 * code)
{
  g_autofree gchar *name = g_strdup_printf ("marker_%u", i);
  const MgpuTree *tree = mgpu_tree_find (root, name);
  g_autofree gchar *text = NULL;

  if (tree == NULL)
    return mgpu_dpm_file_fail (file, "there is no %s", name);
  /* Removes the quotes that OpenCV puts around strings of digits, even in XML files. */
  text = g_strdup (tree->text->str);
  g_strdelimit (text, "\"", ' ');
  g_strstrip (text);
  if (strlen (text) != n_bits || strspn (text, "01") != n_bits)
    return mgpu_dpm_file_fail (file, "%s has to be a string of %u digits 0 or "
        "1", name, n_bits);
  *code = g_ascii_strtoull (text, NULL, 2);
  return TRUE;
}

static gboolean
read_dictionary (const MgpuDpmFile * file, const MgpuTree * root,
    MgpuTagDictionary * self)
{
  gint n = 0, side = 0;

  if (!mgpu_calibration_read_int (file, root, "nmarkers", 1, MAX_TAGS, &n)
      || !mgpu_calibration_read_int (file, root, "markersize", MIN_SIDE,
          MAX_SIDE, &side))
    return FALSE;
  if (n == 0 || side == 0)
    return mgpu_dpm_file_fail (file, "the file is not a dictionary, because it "
        "has no %s", n == 0 ? "nmarkers" : "markersize");
  self->n_bits = side * side;
  self->border = side + 2;
  self->width = side + 4;
  for (gint i = 0; i < side * side; i++) {
    self->x[i] = i % side + 1;
    self->y[i] = i / side + 1;
  }
  self->n_codes = n;
  self->codes = g_new0 (guint64, n);
  for (gint i = 0; i < n; i++)
    if (!read_code (file, root, i, self->n_bits, &self->codes[i]))
      return FALSE;
  mgpu_tag_dictionary_measure (self);
  return TRUE;
}

MgpuTagDictionary *
mgpu_tag_dictionary_load (const gchar * path, GError ** error)
{
  const MgpuDpmFile file = { path, error };
  g_autoptr (MgpuTree) root = mgpu_tree_load (&file);
  MgpuTagDictionary *self;

  if (root == NULL)
    return NULL;
  self = g_new0 (MgpuTagDictionary, 1);
  if (!read_dictionary (&file, root, self)) {
    g_clear_pointer (&self, mgpu_tag_dictionary_free);
    return NULL;
  }
  {
    g_autofree gchar *name = mgpu_dpm_file_get_name (&file);

    self->name = g_utf8_make_valid (name, -1);
  }
  return self;
}
