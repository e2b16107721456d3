/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Every launch line of the documentation runs as it can be pasted. */
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

static Suite *
mgpudocs_suite (void)
{
  Suite *s = suite_create ("mgpudocs");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_launch_lines);
  return s;
}

GST_CHECK_MAIN (mgpudocs);
