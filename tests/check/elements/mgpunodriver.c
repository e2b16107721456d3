/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests a system without an OpenCL driver: the elements exist, and report what is missing when they
 * are started. */
#include "common.h"

#include <glib/gstdio.h>

GST_START_TEST (test_elements)
{
  gchar **names = elements_list_with_device ();

  for (guint i = 0; names[i] != NULL; i++) {
    g_autoptr (GstElement) element = gst_element_factory_make (names[i], "f");
    g_autoptr (GstPad) pad = gst_element_get_static_pad (element, "sink");
    GstCaps *caps;

    caps = gst_pad_query_caps (pad, NULL);
    fail_if (gst_caps_is_empty (caps));
    gst_caps_unref (caps);
    fail_unless_equals_uint64 (get_stat (element, "frames"), 0);

    for (guint j = 0; j < 2; j++)
      check_no_start (element, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND,
          "no OpenCL device", "pocl-opencl-icd");
  }
  g_strfreev (names);
}

GST_END_TEST;

/* Tests that the first error message of a pipeline is the cause, not the follow-up error of the
 * source. */
GST_START_TEST (test_pipeline)
{
  g_autoptr (GstElement) pipeline =
      gst_parse_launch ("videotestsrc ! mgpubilateral ! "
      "mgpuhisteq ! fakesink", NULL);
  GstMessage *message = run_to_end (pipeline);
  GError *error = NULL;

  fail_unless (message != NULL);
  gst_message_parse_error (message, &error, NULL);
  fail_unless (strstr (error->message, "no OpenCL device") != NULL);
  g_error_free (error);
  gst_message_unref (message);
  gst_element_set_state (pipeline, GST_STATE_NULL);
}

GST_END_TEST;

CHECK_SUITE (mgpunodriver)
{
  tcase_add_test (tc, test_elements);
  tcase_add_test (tc, test_pipeline);
}

int
main (int argc, char **argv)
{
  g_autofree gchar *empty = g_dir_make_tmp ("gst-mgpu-XXXXXX", NULL);
  int ret;

  g_setenv ("OCL_ICD_VENDORS", empty, TRUE);
  g_unsetenv ("OCL_ICD_FILENAMES");
  g_unsetenv ("OPENCL_VENDOR_PATH");
  gst_check_init (&argc, &argv);
  ret = gst_check_run_suite (mgpunodriver_suite (), "mgpunodriver", __FILE__);
  g_rmdir (empty);
  return ret;
}
