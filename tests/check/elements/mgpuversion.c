/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Replaces the library by one of another version, which the plugin has to refuse. */
#include "../suite.h"

const gchar *mgpu_get_version (void);

static gchar *said;

/* Replaces the library's function that returns its version. */
__attribute__ ((visibility ("default"))) const gchar *
mgpu_get_version (void)
{
  return "0.0";
}

static void
keep_error (GstDebugCategory * category, GstDebugLevel level,
    const gchar * file, const gchar * function, gint line, GObject * object,
    GstDebugMessage * message, gpointer unused)
{
  const gchar *text = gst_debug_message_get (message);

  if (level == GST_LEVEL_ERROR && strstr (text, "libgstmgpu") != NULL) {
    g_free (said);
    said = g_strdup (text);
  }
}

GST_START_TEST (test_other_version)
{
  g_autofree gchar *path = g_build_filename (g_getenv ("GST_PLUGIN_PATH_1_0"),
      "libgstmgpu.so", NULL);
  g_autoptr (GError) error = NULL;

  fail_unless (gst_element_factory_find ("mgpusharpen") == NULL);
  gst_debug_set_default_threshold (GST_LEVEL_ERROR);
  gst_debug_add_log_function (keep_error, NULL, NULL);
  fail_unless (gst_plugin_load_file (path, &error) == NULL);
  gst_debug_remove_log_function (keep_error);
  fail_unless (g_error_matches (error, GST_PLUGIN_ERROR,
          GST_PLUGIN_ERROR_MODULE));
  fail_unless (said != NULL && strstr (said, "has version 0.0") != NULL
      && strstr (said, "install the same version of both") != NULL, "%s", said);
  g_clear_pointer (&said, g_free);
}

GST_END_TEST;

CHECK_TESTS (mgpuversion)
{
  tcase_add_test (tc, test_other_version);
}
