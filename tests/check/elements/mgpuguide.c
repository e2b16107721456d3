/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests the guide input of mgpubilateral: formats, timestamps, waits. */
#include "guide.h"
#include "pads.h"

#include "../../reference/bilateral.h"

/* Tests frames of all formats, guides with 8 and 16 bits and with three channels, and all methods;
 * kernelcheck tests more combinations. */
GST_START_TEST (test_formats)
{
  static const gchar *const methods[] = {
    FILTER "method=exact", FILTER "method=grid", FILTER "method=constant-time"
  };
  static const GstVideoFormat guides[] = {
    GST_VIDEO_FORMAT_GRAY8, GST_VIDEO_FORMAT_RGB, GST_VIDEO_FORMAT_GRAY16_LE
  };
  gint method = __i__ % 3;
  Two two;

  two_init (&two, methods[method], all_formats[__i__], guides[__i__ / 3 % 3]);
  push_guide (&two, 5, 0, 40);
  check_frame (&two, 1, 0, 5, method, FALSE);
  two_clear (&two);
}

GST_END_TEST;

/* Tests that chroma uses the guide at the position of the chroma sample. */
GST_START_TEST (test_planes)
{
  static const gchar *const methods[] = {
    FILTER "planes=all method=exact", FILTER "planes=all method=grid",
    FILTER "planes=all method=constant-time"
  };
  Two two;

  for (gint method = 0; method < 3; method++) {
    two_init (&two, methods[method], GST_VIDEO_FORMAT_I420,
        GST_VIDEO_FORMAT_GRAY8);
    push_guide (&two, 5, 0, 40);
    check_frame (&two, 1, 0, 5, method, TRUE);
    two_clear (&two);
  }
}

GST_END_TEST;

/* Tests which guide a frame gets, at any frame rates: the newest guide that is not later than the
 * frame. Frames before all guides get the first guide, and frames after the end of the guides the
 * last one. */
GST_START_TEST (test_times)
{
  Two two;

  two_init (&two, FILTER, GST_VIDEO_FORMAT_GRAY8, GST_VIDEO_FORMAT_GRAY8);
  push_guide (&two, 10, 100, 0);
  check_frame (&two, 1, 0, 10, 0, FALSE);
  check_frame (&two, 2, 100, 10, 0, FALSE);
  push_guide (&two, 11, 110, 0);
  push_guide (&two, 12, 120, 0);
  push_guide (&two, 13, 200, 100);
  check_frame (&two, 3, 140, 12, 0, FALSE);
  check_frame (&two, 4, 180, 12, 0, FALSE);
  check_frame (&two, 5, 200, 13, 0, FALSE);
  check_frame (&two, 6, 299, 13, 0, FALSE);
  fail_unless (gst_harness_push_event (two.guides, gst_event_new_gap (300 *
              GST_MSECOND, 60 * GST_MSECOND)));
  check_frame (&two, 7, 340, 13, 0, FALSE);
  fail_unless (gst_harness_push_event (two.guides, gst_event_new_eos ()));
  check_frame (&two, 8, 5000, 13, 0, FALSE);
  two_clear (&two);
}

GST_END_TEST;

/* Tests guides of another format, a missing guide, and a guide that is unlinked and linked
 * again. */
GST_START_TEST (test_changes)
{
  Two two;
  GstCaps *caps = caps_new (GST_VIDEO_FORMAT_BGRx, WIDTH, HEIGHT, FALSE);
  GstPad *pad;

  two_init (&two, FILTER, GST_VIDEO_FORMAT_GRAY8, GST_VIDEO_FORMAT_GRAY8);
  push_guide (&two, 10, 0, 40);
  check_frame (&two, 1, 0, 10, 0, FALSE);
  fail_unless (gst_video_info_from_caps (&two.guide_info, caps));
  gst_harness_set_src_caps (two.guides, caps);
  push_guide (&two, 11, 40, 40);
  check_frame (&two, 2, 40, 11, 0, FALSE);

  /* Requests the pad a second time, which fails. */
  fail_unless (gst_element_request_pad (two.filter,
          gst_element_get_pad_template (two.filter, "guide"), NULL, NULL)
      == NULL);
  pad = gst_element_get_static_pad (two.filter, "guide");
  gst_pad_unlink (two.guides->srcpad, pad);
  gst_element_release_request_pad (two.filter, pad);
  gst_object_unref (pad);
  {
    GstBuffer *from = frame_at (&two.info, 3, 80, 40);
    GstBuffer *expected = gst_buffer_copy_deep (from), *to;
    GstVideoFrame in, out;
    RefPlane a, b;

    to = harness_push_pull (two.frames, gst_buffer_ref (from));
    fail_unless (gst_video_frame_map (&in, &two.info, from, GST_MAP_READ));
    fail_unless (gst_video_frame_map (&out, &two.info, expected,
            GST_MAP_WRITE));
    a = ref_plane (&in, 0);
    b = ref_plane (&out, 0);
    ref_bilateral (&a, NULL, &b, 1, 40, 4, 6, 1);
    gst_video_frame_unmap (&out);
    gst_video_frame_unmap (&in);
    fail_unless_same_frame (&two.info, to, expected);
    gst_buffer_unref (to);
    gst_buffer_unref (expected);
    gst_buffer_unref (from);
  }

  pad = gst_element_request_pad_simple (two.filter, "guide");
  fail_unless (pad != NULL);
  fail_unless_equals_int (gst_pad_link (two.guides->srcpad, pad),
      GST_PAD_LINK_OK);
  gst_object_unref (pad);
  push_guide (&two, 12, 120, 40);
  check_frame (&two, 4, 120, 12, 0, FALSE);
  two_clear (&two);
}

GST_END_TEST;

/* A disabled filter still accepts guides, so that their stream is not blocked, and uses the right
 * guide when it is enabled again. */
GST_START_TEST (test_enabled)
{
  GstBuffer *from, *to;
  Two two;

  two_init (&two, FILTER " enabled=false", GST_VIDEO_FORMAT_GRAY8,
      GST_VIDEO_FORMAT_GRAY8);
  for (guint i = 0; i < 6; i++) {
    push_guide (&two, 10 + i, 40 * i, 40);
    from = frame_at (&two.info, i, 40 * i, 40);
    to = harness_push_pull (two.frames, gst_buffer_ref (from));
    fail_unless_same_frame (&two.info, from, to);
    gst_buffer_unref (to);
    gst_buffer_unref (from);
  }
  g_object_set (two.filter, "enabled", TRUE, NULL);
  push_guide (&two, 20, 240, 40);
  check_frame (&two, 6, 240, 20, 0, FALSE);
  two_clear (&two);
}

GST_END_TEST;

GST_START_TEST (test_errors)
{
  g_autoptr (GstBus) bus = gst_bus_new ();
  Two two;

  two_init_filter (&two, filter_new (FILTER), GST_VIDEO_FORMAT_GRAY8,
      GST_VIDEO_FORMAT_GRAY8, WIDTH + 1);
  gst_element_set_bus (two.filter, bus);
  push_guide (&two, 1, 0, 40);
  fail_unless_equals_int (gst_harness_push (two.frames, frame_at (&two.info, 1,
              0, 40)), GST_FLOW_ERROR);
  check_error (bus, "\"guide\" have 32x22", "width=31,height=22");
  gst_element_set_bus (two.filter, NULL);
  two_clear (&two);

  two_init (&two, FILTER, GST_VIDEO_FORMAT_GRAY8, GST_VIDEO_FORMAT_GRAY8);
  gst_element_set_bus (two.filter, bus);
  fail_unless (gst_harness_push_event (two.guides, gst_event_new_eos ()));
  fail_unless_equals_int (gst_harness_push (two.frames, frame_at (&two.info, 1,
              0, 40)), GST_FLOW_ERROR);
  check_error (bus, "no frame arrived at the pad \"guide\"", "queue");
  gst_element_set_bus (two.filter, NULL);
  two_clear (&two);
}

GST_END_TEST;

/* --- Waits --- */

/* Tests that a frame waits for its guide, and that the arrival of the guide, a flush and stopping
 * the element end the wait. */
GST_START_TEST (test_frame_waits)
{
  Two two;
  Push push;
  GThread *thread;
  GstSegment segment;
  gint64 start = g_get_monotonic_time ();

  two_init (&two, FILTER, GST_VIDEO_FORMAT_GRAY8, GST_VIDEO_FORMAT_GRAY8);
  push = (Push) { two.frames, frame_at (&two.info, 1, 0, 40) };
  thread = push_waiting (&push);
  fail_unless_equals_int (gst_harness_buffers_received (two.frames), 0);
  push_guide (&two, 5, 0, 40);
  fail_unless_equals_int (JOIN (thread), GST_FLOW_OK);
  fail_unless_equals_int (gst_harness_buffers_received (two.frames), 1);

  push.buffer = frame_at (&two.info, 1, 40, 40);
  thread = push_waiting (&push);
  fail_unless (gst_harness_push_event (two.frames,
          gst_event_new_flush_start ()));
  fail_unless_equals_int (JOIN (thread), GST_FLOW_FLUSHING);
  fail_unless (gst_harness_push_event (two.frames,
          gst_event_new_flush_stop (TRUE)));
  gst_segment_init (&segment, GST_FORMAT_TIME);
  fail_unless (gst_harness_push_event (two.frames,
          gst_event_new_segment (&segment)));

  push.buffer = frame_at (&two.info, 1, 80, 40);
  thread = push_waiting (&push);
  gst_element_set_state (two.filter, GST_STATE_NULL);
  fail_unless_equals_int (JOIN (thread), GST_FLOW_FLUSHING);
  two_clear (&two);
  fail_unless (g_get_monotonic_time () - start < 4 * G_USEC_PER_SEC);
}

GST_END_TEST;

/* Tests that the guide thread waits while the queue of guides is full, and that a frame, EOS of the
 * frames, a flush and stopping the element end the wait. */
GST_START_TEST (test_guide_waits)
{
  Two two;
  Push push;
  GThread *thread;
  guint ms;

  two_init (&two, FILTER, GST_VIDEO_FORMAT_GRAY8, GST_VIDEO_FORMAT_GRAY8);
  for (ms = 0; ms < 160; ms += 40)
    push_guide (&two, ms, ms, 40);
  push = (Push) { two.guides, frame_at (&two.guide_info, ms, ms, 40) };
  thread = push_waiting (&push);
  check_frame (&two, 1, 79, 40, 0, FALSE);
  fail_unless_equals_int (JOIN (thread), GST_FLOW_OK);
  check_frame (&two, 1, 199, 160, 0, FALSE);

  for (ms = 200; ms < 320; ms += 40)
    push_guide (&two, ms, ms, 40);
  push.buffer = frame_at (&two.guide_info, ms, ms, 40);
  thread = push_waiting (&push);
  fail_unless (gst_harness_push_event (two.guides,
          gst_event_new_flush_start ()));
  fail_unless_equals_int (JOIN (thread), GST_FLOW_FLUSHING);
  two_clear (&two);

  two_init (&two, FILTER, GST_VIDEO_FORMAT_GRAY8, GST_VIDEO_FORMAT_GRAY8);
  for (ms = 0; ms < 160; ms += 40)
    push_guide (&two, ms, ms, 40);
  push = (Push) { two.guides, frame_at (&two.guide_info, ms, ms, 40) };
  thread = push_waiting (&push);
  fail_unless (gst_harness_push_event (two.frames, gst_event_new_eos ()));
  fail_unless_equals_int (JOIN (thread), GST_FLOW_EOS);
  two_clear (&two);

  /* Flushes only the frames after their EOS: a guide then waits, as after any flush. Without the
   * flush, EOS of the frames would end the stream of guides. */
  two_init (&two, FILTER, GST_VIDEO_FORMAT_GRAY8, GST_VIDEO_FORMAT_GRAY8);
  fail_unless (gst_harness_push_event (two.frames, gst_event_new_eos ()));
  fail_unless (gst_harness_push_event (two.frames,
          gst_event_new_flush_start ()));
  push = (Push) { two.guides, frame_at (&two.guide_info, 0, 0, 40) };
  thread = push_waiting (&push);
  fail_unless (gst_harness_push_event (two.frames,
          gst_event_new_flush_stop (TRUE)));
  fail_unless_equals_int (JOIN (thread), GST_FLOW_OK);
  two_clear (&two);

  two_init (&two, FILTER, GST_VIDEO_FORMAT_GRAY8, GST_VIDEO_FORMAT_GRAY8);
  for (ms = 0; ms < 160; ms += 40)
    push_guide (&two, ms, ms, 40);
  push = (Push) { two.guides, frame_at (&two.guide_info, ms, ms, 40) };
  thread = push_waiting (&push);
  gst_element_set_state (two.filter, GST_STATE_NULL);
  fail_unless_equals_int (JOIN (thread), GST_FLOW_FLUSHING);
  two_clear (&two);
}

GST_END_TEST;

/* Tests that a guide pad that is requested after the EOS of the frames refuses guides, as the
 * previous pad did, because nobody would use them. */
GST_START_TEST (test_pad_after_end)
{
  Two two;
  GstPad *pad;

  two_init (&two, FILTER, GST_VIDEO_FORMAT_GRAY8, GST_VIDEO_FORMAT_GRAY8);
  push_guide (&two, 10, 0, 40);
  check_frame (&two, 1, 0, 10, 0, FALSE);
  fail_unless (gst_harness_push_event (two.frames, gst_event_new_eos ()));
  pad = gst_element_get_static_pad (two.filter, "guide");
  gst_pad_unlink (two.guides->srcpad, pad);
  gst_element_release_request_pad (two.filter, pad);
  gst_object_unref (pad);

  pad = gst_element_request_pad_simple (two.filter, "guide");
  fail_unless_equals_int (gst_pad_link (two.guides->srcpad, pad), GST_PAD_LINK_OK);
  gst_object_unref (pad);
  fail_unless_equals_int (gst_harness_push (two.guides,
          frame_at (&two.guide_info, 11, 40, 40)), GST_FLOW_EOS);
  two_clear (&two);
}

GST_END_TEST;

static gint n_asked;

/* Log function that queries the latency of the element that logs. */
static void
ask_latency (GstDebugCategory * category, GstDebugLevel level,
    const gchar * file, const gchar * function, gint line, GObject * object,
    GstDebugMessage * message, gpointer filter)
{
  static GPrivate is_asking;
  GstQuery *query;

  if ((gpointer) object != filter || g_private_get (&is_asking) != NULL
      || strstr (file, "guide") == NULL)
    return;
  g_private_set (&is_asking, filter);
  query = gst_query_new_latency ();
  fail_unless (gst_element_query (filter, query));
  gst_query_unref (query);
  g_private_set (&is_asking, NULL);
  g_atomic_int_inc (&n_asked);
}

/* Tests that the application's log function may call the element, in the guide thread and in the
 * frame thread, while these threads wait, and while they accept, skip and drop guides. */
GST_START_TEST (test_log_function_calls)
{
  GstElement *filter = filter_new (FILTER);
  GThread *thread;
  Push push;
  Two two;

  gst_debug_remove_log_function (gst_debug_log_default);
  gst_debug_add_log_function (ask_latency, filter, NULL);
  gst_debug_set_threshold_for_name ("mgpubilateral", GST_LEVEL_LOG);
  two_init_filter (&two, filter, GST_VIDEO_FORMAT_GRAY8, GST_VIDEO_FORMAT_GRAY8, WIDTH);
  for (guint ms = 0; ms < 160; ms += 40)
    push_guide (&two, ms, ms, 40);
  push = (Push) { two.guides, frame_at (&two.guide_info, 160, 160, 40) };
  thread = push_waiting (&push);
  check_frame (&two, 1, 79, 40, 0, FALSE);
  fail_unless_equals_int (JOIN (thread), GST_FLOW_OK);
  push = (Push) { two.frames, frame_at (&two.info, 2, 220, 40) };
  thread = push_waiting (&push);
  push_guide (&two, 13, 200, 100);
  fail_unless_equals_int (JOIN (thread), GST_FLOW_OK);
  g_object_set (filter, "enabled", FALSE, NULL);
  push = (Push) { two.frames, frame_at (&two.info, 3, 260, 40) };
  fail_unless_equals_int (JOIN (push_waiting (&push)), GST_FLOW_OK);
  fail_unless (g_atomic_int_get (&n_asked) > 10);

  gst_debug_set_threshold_for_name ("mgpubilateral", GST_LEVEL_NONE);
  gst_debug_remove_log_function (ask_latency);
  gst_debug_add_log_function (gst_debug_log_default, NULL, NULL);
  two_clear (&two);
}

GST_END_TEST;

/* Tests that no second pad gets the name of a pad that is just being released. */
GST_START_TEST (test_release)
{
  g_autoptr (GstElement) filter = filter_new ("mgpubilateral");

  fail_unless_equals_int (gst_element_set_state (filter, GST_STATE_PAUSED),
      GST_STATE_CHANGE_SUCCESS);
  check_release (filter, "guide");
  gst_element_set_state (filter, GST_STATE_NULL);
}

GST_END_TEST;

/* Tests an application that has added a pad of its own with the name of the guide input. */
GST_START_TEST (test_name_taken)
{
  g_autoptr (GstElement) filter = filter_new ("mgpubilateral");

  check_name_taken (filter, "guide");
  check_name_taken (filter, "mask_sink");
}

GST_END_TEST;

CHECK_TESTS (mgpuguide)
{
  tcase_add_loop_test (tc, test_formats, 0, N_ALL_FORMATS);
  tcase_add_test (tc, test_planes);
  tcase_add_test (tc, test_times);
  tcase_add_test (tc, test_changes);
  tcase_add_test (tc, test_enabled);
  tcase_add_test (tc, test_errors);
  tcase_add_test (tc, test_frame_waits);
  tcase_add_test (tc, test_guide_waits);
  tcase_add_test (tc, test_pad_after_end);
  tcase_add_test (tc, test_log_function_calls);
  tcase_add_test (tc, test_release);
  tcase_add_test (tc, test_name_taken);
}
