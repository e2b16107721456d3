/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Contains tests that fail, each in a different way. unsound.sh checks how they are reported, and
 * how long they take. */
#include "harness.h"

/* Replaces the GStreamer function gst_harness_pull(), which waits a minute for a buffer. */
GstBuffer *
gst_harness_pull (GstHarness * h)
{
  return NULL;
}

static GstElement *
play (void)
{
  GstElement *pipeline = gst_parse_launch ("videotestsrc is-live=true ! "
      "mgpubilateral ! queue ! fakesink name=sink", NULL);

  fail_unless (pipeline != NULL);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  fail_unless_equals_int (gst_element_get_state (pipeline, NULL, NULL,
          GST_CLOCK_TIME_NONE), GST_STATE_CHANGE_SUCCESS);
  return pipeline;
}

GST_START_TEST (test_fails_while_playing)
{
  play ();
  fail ("nothing stops the pipeline");
}

GST_END_TEST;

GST_START_TEST (test_pulls_nothing)
{
  g_autoptr (GstHarness) h = gst_harness_new_parse ("mgpubilateral name=f");

  gst_buffer_unref (harness_pull (h));
}

GST_END_TEST;

static GstPadProbeReturn
fail_in_probe (GstPad * pad, GstPadProbeInfo * info, gpointer unused)
{
  fail ("in the streaming thread");
  return GST_PAD_PROBE_OK;
}

GST_START_TEST (test_fails_in_another_thread)
{
  GstElement *pipeline = play ();
  GstElement *sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  GstPad *pad = gst_element_get_static_pad (sink, "sink");

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, fail_in_probe, NULL, NULL);
  g_usleep (60 * G_TIME_SPAN_SECOND);
}

GST_END_TEST;

GST_START_TEST (test_hangs)
{
  play ();
  for (;;)
    g_usleep (G_TIME_SPAN_SECOND);
}

GST_END_TEST;

GST_START_TEST (test_crashes)
{
  play ();
  *(volatile gint *) NULL = 0;
}

GST_END_TEST;

GST_START_TEST (test_passes)
{
  GstElement *pipeline = play ();

  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
}

GST_END_TEST;

static Suite *
unsound_suite (void)
{
  Suite *s = suite_create ("unsound");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_fails_while_playing);
  tcase_add_test (tc, test_pulls_nothing);
  tcase_add_test (tc, test_fails_in_another_thread);
  tcase_add_test (tc, test_crashes);
  tcase_add_test (tc, test_passes);
  tc = tcase_create ("slow");
  suite_add_tcase (s, tc);
  tcase_set_timeout (tc, 2);
  tcase_add_test (tc, test_hangs);
  return s;
}

GST_CHECK_MAIN (unsound);
