/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Runs every launch line of the documentation as a reader would paste it into a shell. */
#include "../notrun.h"
#include "common.h"

#include <glib/gstdio.h>
#include <glob.h>

#define PROGRAM "gst-launch-1.0 "

/* Appends to @lines the lines of the file at @path that contain PROGRAM. Returns: their number */
static guint
find_lines (const gchar * path, GHashTable * lines)
{
  gchar *text, **split;
  guint n = 0;

  fail_unless (g_file_get_contents (path, &text, NULL, NULL), "no %s", path);
  split = g_strsplit (text, "\n", -1);
  for (guint i = 0; split[i] != NULL; i++) {
    const gchar *start = strstr (split[i], PROGRAM);

    if (start == NULL)
      continue;
    start += strlen (PROGRAM);
    start += g_str_has_prefix (start, "-m ") || g_str_has_prefix (start, "-q ")
        ? 3 : 0;
    g_hash_table_add (lines, g_strdup (start));
    n++;
  }
  g_strfreev (split);
  g_free (text);
  return n;
}

/* Adds the launch lines of the pages of all elements. Each page has at least one. */
static void
find_lines_of_pages (GHashTable * lines)
{
  GList *list = gst_registry_get_feature_list_by_plugin (gst_registry_get (),
      "mgpu");

  fail_unless (list != NULL);
  for (GList * l = list; l != NULL; l = l->next) {
    const gchar *element = GST_OBJECT_NAME (l->data);
    g_autofree gchar *path =
        g_strdup_printf (SOURCE_ROOT "/docs/elements/%s.md", element);

    fail_unless (find_lines (path, lines) > 0, "no launch line in %s", path);
  }
  gst_plugin_feature_list_free (list);
}

/* Adds the launch lines in the comments of the elements' sources. */
static void
find_lines_of_sources (GHashTable * lines)
{
  glob_t files;
  guint n = 0;

  fail_unless_equals_int (glob (SOURCE_ROOT "/gst/elements/*.c", 0, NULL,
          &files), 0);
  fail_unless_equals_int (glob (SOURCE_ROOT "/gst/elements/*/*.c", GLOB_APPEND,
          NULL, &files), 0);
  for (gsize i = 0; i < files.gl_pathc; i++)
    n += find_lines (files.gl_pathv[i], lines);
  globfree (&files);
  fail_unless (n > 0);
}

/* Plays all launch lines at the same time, because each line plays in real time. */
GST_START_TEST (test_launch_lines)
{
  GHashTable *lines =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray) pipelines =
      g_ptr_array_new_with_free_func (gst_object_unref);
  GHashTableIter iter;
  gpointer line;

  find_lines_of_pages (lines);
  find_lines_of_sources (lines);
  /* Runs in the source folder, because some launch lines name files of the examples. */
  fail_unless_equals_int (g_chdir (SOURCE_ROOT), 0);
  g_hash_table_iter_init (&iter, lines);
  while (g_hash_table_iter_next (&iter, &line, NULL)) {
    GError *error = NULL;
    GstElement *pipeline;

    if (strstr (line, VIDEO) != NULL && !can_play_video ())
      continue;
    pipeline = gst_parse_launch (line, &error);
    fail_unless (error == NULL, "%s: %s", line, error ? error->message : "");
    gst_element_set_state (pipeline, GST_STATE_PLAYING);
    g_object_set_data (G_OBJECT (pipeline), "line", line);
    g_ptr_array_add (pipelines, pipeline);
  }
  for (guint i = 0; i < pipelines->len; i++) {
    GstMessage *message = run_to_end (pipelines->pdata[i]);

    if (message != NULL)
      g_printerr ("This line fails: %s\n",
          (const gchar *) g_object_get_data (pipelines->pdata[i], "line"));
    fail_unless_no_error (message);
    gst_element_set_state (pipelines->pdata[i], GST_STATE_NULL);
  }
  g_hash_table_unref (lines);
}

GST_END_TEST;

CHECK_TESTS (mgpudocs)
{
  tcase_add_test (tc, test_launch_lines);
}
