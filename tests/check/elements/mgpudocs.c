/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Every launch line of the documentation runs as it can be pasted, and what it says of
 * properties is so. */
#include "common.h"

#define PROGRAM "gst-launch-1.0 "

static const gchar *files[] = {
  "docs/elements/mgpubilateral.md", "gst/elements/gstmgpubilateral.c",
  "docs/elements/mgpuconvert.md", "gst/elements/gstmgpuconvert.c",
  "docs/elements/mgpudownload.md", "gst/elements/gstmgpudownload.c",
  "docs/elements/mgpuhisteq.md", "gst/elements/gstmgpuhisteq.c",
  "docs/elements/mgpuhog.md", "gst/elements/gstmgpuhog.c",
  "docs/elements/mgpuinpaint.md", "gst/elements/gstmgpuinpaint.c",
  "docs/elements/mgpuintegral.md", "gst/elements/gstmgpuintegral.c",
  "docs/elements/mgpuoverlay.md", "gst/elements/gstmgpuoverlay.c",
  "docs/elements/mgpupyramid.md", "gst/elements/gstmgpupyramid.c",
  "docs/elements/mgpusharpen.md", "gst/elements/gstmgpusharpen.c",
  "docs/elements/mgpusift.md", "gst/elements/gstmgpusift.c",
  "docs/elements/mgpuupload.md", "gst/elements/gstmgpuupload.c",
};

/* Adds the lines of file that start PROGRAM to lines. */
static void
find_lines (const gchar * file, GHashTable * lines)
{
  gchar *path = g_build_filename (SOURCE_ROOT, file, NULL);
  gchar *text, **split;
  guint n = 0;

  fail_unless (g_file_get_contents (path, &text, NULL, NULL), "no %s", path);
  split = g_strsplit (text, "\n", -1);
  for (guint i = 0; split[i] != NULL; i++) {
    const gchar *start = strstr (split[i], PROGRAM);

    if (start == NULL)
      continue;
    g_hash_table_add (lines, g_strdup (start + strlen (PROGRAM)));
    n++;
  }
  fail_unless (n > 0, "no launch line in %s", file);
  g_strfreev (split);
  g_free (text);
  g_free (path);
}

/* All at once: each plays in real time. */
GST_START_TEST (test_launch_lines)
{
  GHashTable *lines =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GPtrArray *pipelines = g_ptr_array_new_with_free_func (gst_object_unref);
  GHashTableIter iter;
  gpointer line;

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    find_lines (files[i], lines);
  g_hash_table_iter_init (&iter, lines);
  while (g_hash_table_iter_next (&iter, &line, NULL)) {
    GError *error = NULL;
    GstElement *pipeline = gst_parse_launch (line, &error);

    fail_unless (error == NULL, "%s: %s", line, error ? error->message : "");
    gst_element_set_state (pipeline, GST_STATE_PLAYING);
    g_ptr_array_add (pipelines, pipeline);
  }
  for (guint i = 0; i < pipelines->len; i++) {
    fail_unless_no_error (run_to_end (pipelines->pdata[i]));
    gst_element_set_state (pipelines->pdata[i], GST_STATE_NULL);
  }
  g_ptr_array_unref (pipelines);
  g_hash_table_unref (lines);
}

GST_END_TEST;

/* --- Tables of properties --- */

/* Whether text is value */
static gboolean
is_number (const gchar * text, gdouble value)
{
  gchar *end;
  gboolean is_hex = g_str_has_prefix (text, "0x");
  gdouble number = is_hex ? (gdouble) g_ascii_strtoull (text, &end, 16)
      : g_ascii_strtod (text, &end);

  return end != text && *end == '\0' && ABS (number - value)
      <= 1e-6 * ABS (value);
}

static gdouble
get_number (const GValue * value)
{
  GValue number = G_VALUE_INIT;
  gdouble result;

  g_value_init (&number, G_TYPE_DOUBLE);
  fail_unless (g_value_transform (value, &number));
  result = g_value_get_double (&number);
  g_value_unset (&number);
  return result;
}

/* Whether told, the end of "type, range, default", is the default of spec. */
static gboolean
is_default (const gchar * told, GParamSpec * spec)
{
  const GValue *value = g_param_spec_get_default_value (spec);
  GValue read = G_VALUE_INIT;
  gboolean same;

  if (!(spec->flags & G_PARAM_WRITABLE))
    return g_strcmp0 (told, "read-only") == 0;
  if (G_VALUE_HOLDS_STRING (value) && g_value_get_string (value) == NULL)
    return g_strcmp0 (told, "unset") == 0;
  if (G_VALUE_HOLDS_ENUM (value) || G_VALUE_HOLDS_FLAGS (value)
      || G_VALUE_HOLDS_BOOLEAN (value) || G_VALUE_HOLDS_STRING (value)) {
    g_value_init (&read, G_VALUE_TYPE (value));
    same = gst_value_deserialize (&read, told)
        && g_param_values_cmp (spec, &read, value) == 0;
    g_value_unset (&read);
    return same;
  }
  return is_number (told, get_number (value));
}

/* The row is "| `name`, `name` | type, range, default | what they do |". */
static void
check_row (const gchar * file, const gchar * row, GObject * element)
{
  gchar **cells = g_strsplit (row, "|", 4);
  gchar **names = g_strsplit (cells[1], ",", -1);
  gchar *told = g_strdelimit (cells[2], "`", ' ');

  for (gchar * c = told; *c != '\0'; c++)
    if (*c == ',' || *c == ';')
      told = c + 1;
  g_strstrip (told);
  for (guint i = 0; names[i] != NULL; i++) {
    gchar *name = g_strstrip (g_strdelimit (names[i], "`", ' '));
    GParamSpec *spec = g_object_class_find_property (G_OBJECT_GET_CLASS
        (element), name);

    fail_unless (spec != NULL, "%s: there is no property %s", file, name);
    fail_unless (is_default (told, spec), "%s: the default of %s is not \"%s\"",
        file, name, told);
  }
  g_strfreev (names);
  g_strfreev (cells);
}

/* Tables name all properties of an element, none that it does not have, and their
 * defaults. */
GST_START_TEST (test_properties)
{
  for (guint i = 0; i < G_N_ELEMENTS (files); i += 2) {
    gchar *path = g_build_filename (SOURCE_ROOT, files[i], NULL), *text;
    gchar *name = g_path_get_basename (files[i]), **lines;
    gboolean in_table = FALSE;
    GParamSpec **specs;
    GstElement *element;
    guint n;

    *strchr (name, '.') = '\0';
    element = gst_element_factory_make (name, NULL);
    fail_unless (g_file_get_contents (path, &text, NULL, NULL));
    specs = g_object_class_list_properties (G_OBJECT_GET_CLASS (element), &n);
    for (guint j = 0; j < n; j++) {
      gchar *quoted = g_strdup_printf ("`%s`", specs[j]->name);

      fail_unless (!strstr (g_type_name (specs[j]->owner_type), "Mgpu")
          || strstr (text, quoted), "%s says nothing of %s", files[i], quoted);
      g_free (quoted);
    }
    lines = g_strsplit (text, "\n", -1);
    for (guint j = 0; lines[j] != NULL; j++) {
      in_table = g_str_has_prefix (lines[j], "| property |")
          || (in_table && lines[j][0] == '|');
      if (in_table && g_str_has_prefix (lines[j], "| `"))
        check_row (files[i], lines[j], G_OBJECT (element));
    }
    g_strfreev (lines);
    g_free (specs);
    g_free (text);
    gst_object_unref (element);
    g_free (name);
    g_free (path);
  }
}

GST_END_TEST;

static Suite *
mgpudocs_suite (void)
{
  Suite *s = suite_create ("mgpudocs");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_launch_lines);
  tcase_add_test (tc, test_properties);
  return s;
}

GST_CHECK_MAIN (mgpudocs);
