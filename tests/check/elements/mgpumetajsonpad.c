/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests the pad "json" of mgpumetajson: lines, gaps and events. */
#include "metajson.h"
#include "pads.h"

static GstEvent *
pull_event (GstHarness * h, GstEventType type)
{
  GstEvent *event;

  while ((event = gst_harness_try_pull_event (h)) != NULL
      && GST_EVENT_TYPE (event) != type)
    gst_event_unref (event);
  return event;
}

static void
expect_event (GstHarness * h, GstEventType type)
{
  g_autoptr (GstEvent) event = pull_event (h, type);

  fail_unless (event != NULL, "no %s", gst_event_type_get_name (type));
}

/* Tests that the pad "json" pushes lines with the timestamps of the frames, gap events, and the
 * events of the stream. */
GST_START_TEST (test_pad)
{
  g_autoptr (GstHarness) h = play (json_new (NULL, NULL));
  GstHarness *j = gst_harness_new_with_element (h->element, NULL, "json");
  GstBuffer *line;
  GstCaps *caps;

  pass_region (h, 1, "person");
  line = harness_pull (j);
  fail_unless_equals_uint64 (GST_BUFFER_PTS (line), 40 * GST_MSECOND);
  fail_unless_equals_uint64 (GST_BUFFER_DURATION (line), 40 * GST_MSECOND);
  fail_unless (gst_buffer_memcmp (line, 0, HEAD, strlen (HEAD)) == 0);
  fail_unless (gst_buffer_memcmp (line, gst_buffer_get_size (line) - 3, "]}\n",
          3) == 0);
  gst_buffer_unref (line);
  caps = gst_pad_get_current_caps (j->sinkpad);
  fail_unless (gst_structure_has_name (gst_caps_get_structure (caps, 0),
          "application/x-json"));
  gst_caps_unref (caps);
  expect_event (j, GST_EVENT_STREAM_START);
  expect_event (j, GST_EVENT_CAPS);
  expect_event (j, GST_EVENT_SEGMENT);

  pass (h, frame_at (2));
  fail_unless (gst_harness_try_pull (j) == NULL);
  expect_event (j, GST_EVENT_GAP);
  flush (h);
  expect_event (j, GST_EVENT_FLUSH_START);
  expect_event (j, GST_EVENT_FLUSH_STOP);
  expect_event (j, GST_EVENT_SEGMENT);
  pass_region (h, 0, "person");
  gst_buffer_unref (harness_pull (j));
  fail_unless (gst_harness_push_event (h, gst_event_new_eos ()));
  expect_event (j, GST_EVENT_EOS);
  gst_harness_teardown (j);
  /* Checks that the pad pushes no lines after its release. */
  flush (h);
  pass_region (h, 0, "person");
}

GST_END_TEST;

/* Tests that each frame without a line causes a gap event: also a frame without a timestamp, whose
 * gap begins where the last frame ended, and a frame that passes a disabled element. */
GST_START_TEST (test_gaps)
{
  static const GstClockTime expected[] = { 0, 40 * GST_MSECOND,
    80 * GST_MSECOND, 0
  };
  g_autoptr (GstHarness) h = play (json_new (NULL, NULL));
  g_autoptr (GstHarness) j =
      gst_harness_new_with_element (h->element, NULL, "json");

  for (guint i = 0; i < G_N_ELEMENTS (expected); i++) {
    GstBuffer *buffer = frame_at (i);
    g_autoptr (GstEvent) event = NULL;
    GstClockTime time;

    if (i == 3) {
      GstSegment segment;

      gst_segment_init (&segment, GST_FORMAT_BYTES);
      fail_unless (gst_harness_push_event (h,
              gst_event_new_segment (&segment)));
    }
    if (i >= 2)
      GST_BUFFER_PTS (buffer) = GST_CLOCK_TIME_NONE;
    if (i == 1)
      add_region (buffer, "person", 0.5);
    g_object_set (h->element, "enabled", i != 1, NULL);
    pass (h, buffer);
    event = pull_event (j, GST_EVENT_GAP);
    fail_unless (event != NULL);
    gst_event_parse_gap (event, &time, NULL);
    fail_unless_equals_clocktime (time, expected[i]);
  }
  fail_unless (gst_harness_try_pull (j) == NULL);
}

GST_END_TEST;

/* Tests that a stream may end before its segment ends, and begin again. The pad pushes each segment
 * event only once. */
GST_START_TEST (test_no_segment)
{
  GstElement *element = json_new (NULL, NULL);
  g_autoptr (GstHarness) h =
      gst_harness_new_with_element (element, "sink", "src");
  g_autoptr (GstHarness) j =
      gst_harness_new_with_element (element, NULL, "json");

  gst_object_unref (element);
  gst_harness_play (h);
  fail_unless (gst_harness_push_event (h, gst_event_new_stream_start ("a")));
  fail_unless (gst_harness_push_event (h, gst_event_new_eos ()));
  expect_event (j, GST_EVENT_STREAM_START);
  expect_event (j, GST_EVENT_EOS);
  fail_unless (gst_harness_push_event (h, gst_event_new_stream_start ("b")));
  gst_harness_set_src_caps_str (h, CAPS);
  pass_region (h, 1, "person");
  gst_buffer_unref (harness_pull (j));
  expect_event (j, GST_EVENT_SEGMENT);
  fail_unless (pull_event (j, GST_EVENT_SEGMENT) == NULL);
}

GST_END_TEST;

/* Tests that a receiver that is linked again gets the segment event that arrived meanwhile. */
GST_START_TEST (test_unlinked)
{
  g_autoptr (GstHarness) h = play (json_new (NULL, NULL));
  g_autoptr (GstHarness) j =
      gst_harness_new_with_element (h->element, NULL, "json");
  g_autoptr (GstPad) pad = gst_element_get_static_pad (h->element, "json");
  const GstSegment *received;
  GstSegment segment;
  g_autoptr (GstEvent) event = NULL;

  pass_region (h, 0, "person");
  gst_buffer_unref (harness_pull (j));
  expect_event (j, GST_EVENT_SEGMENT);
  fail_unless (gst_pad_unlink (pad, j->sinkpad));
  pass_region (h, 1, "person");
  gst_segment_init (&segment, GST_FORMAT_TIME);
  segment.start = GST_SECOND;
  flush (h);
  fail_unless (gst_harness_push_event (h, gst_event_new_segment (&segment)));
  pass_region (h, 25, "person");
  fail_unless_equals_int (gst_pad_link (pad, j->sinkpad), GST_PAD_LINK_OK);
  pass_region (h, 26, "person");
  gst_buffer_unref (harness_pull (j));
  event = pull_event (j, GST_EVENT_SEGMENT);
  fail_unless (event != NULL);
  gst_event_parse_segment (event, &received);
  fail_unless_equals_clocktime (received->start, GST_SECOND);
}

GST_END_TEST;

/* Tests that a stream without frames also ends if a queue follows only the request pad, although
 * each sink waits for the preroll of the other sink. */
GST_START_TEST (test_queue)
{
  g_autoptr (GstElement) pipeline =
      gst_parse_launch ("videotestsrc num-buffers=0 ! "
      "mgpumetajson name=j ! fakesink j.json ! queue ! fakesink", NULL);

  fail_unless_no_error (run_to_end (pipeline));
  gst_element_set_state (pipeline, GST_STATE_NULL);
}

GST_END_TEST;

static GstFlowReturn
refuse (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  gst_buffer_unref (buffer);
  return GPOINTER_TO_INT (GST_PAD_ELEMENT_PRIVATE (pad));
}

/* Tests that frames continue when the receiver of lines returns EOS, and end when it returns an
 * error. */
GST_START_TEST (test_receiver)
{
  static const GstFlowReturn returns[] = { GST_FLOW_OK, GST_FLOW_EOS,
    GST_FLOW_FLUSHING, GST_FLOW_NOT_NEGOTIATED, GST_FLOW_ERROR
  };

  for (guint i = 0; i < G_N_ELEMENTS (returns); i++) {
    g_autoptr (GstHarness) h = play (json_new (NULL, NULL));
    g_autoptr (GstPad) src =
        gst_element_request_pad_simple (h->element, "json");
    g_autoptr (GstPad) sink = gst_pad_new ("sink", GST_PAD_SINK);
    GstBuffer *buffer = frame_at (0);

    add_region (buffer, "person", 0.5);
    gst_pad_set_chain_function (sink, refuse);
    GST_PAD_ELEMENT_PRIVATE (sink) = GINT_TO_POINTER (returns[i]);
    gst_pad_set_active (sink, TRUE);
    fail_unless_equals_int (gst_pad_link (src, sink), GST_PAD_LINK_OK);
    fail_unless_equals_int (gst_harness_push (h, buffer),
        returns[i] < GST_FLOW_EOS ? returns[i] : GST_FLOW_OK);
    gst_pad_unlink (src, sink);
    gst_element_release_request_pad (h->element, src);
  }
}

GST_END_TEST;

/* Tests that no second pad gets the name of a pad that is just being released. */
GST_START_TEST (test_release)
{
  g_autoptr (GstElement) element = json_new (NULL, NULL);

  check_release (element, "json");
}

GST_END_TEST;

/* Tests an application that has added a pad of its own with the name "json". */
GST_START_TEST (test_name_taken)
{
  g_autoptr (GstElement) element = json_new (NULL, NULL);

  check_name_taken (element, "json");
}

GST_END_TEST;

CHECK_TESTS (mgpumetajsonpad)
{
  tcase_add_test (tc, test_pad);
  tcase_add_test (tc, test_gaps);
  tcase_add_test (tc, test_no_segment);
  tcase_add_test (tc, test_unlinked);
  tcase_add_test (tc, test_queue);
  tcase_add_test (tc, test_receiver);
  tcase_add_test (tc, test_release);
  tcase_add_test (tc, test_name_taken);
}
