/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests frames in flight: frames that are pushed from a device with dedicated memory while it
 * processes later frames. Any device can simulate this. */
#include "inflight.h"

#define LARGER HOST_CAPS ("GRAY8", 96, 160)

static const gchar *elements[] = {
  IDENTITY, "mgpudownload name=f", "mgpuconvert name=f"
};

/* Tests that the order of frames, with their metas, and of serialized events is kept. */
GST_START_TEST (test_order)
{
  g_autoptr (GstHarness) h = discrete_new (elements[__i__]);
  Event custom, tags;

  watch_event (&custom, h, GST_EVENT_CUSTOM_DOWNSTREAM);
  watch_event (&tags, h, GST_EVENT_TAG);
  for (guint i = 0; i < 20; i++) {
    push_numbered (h, i);
    if (i == 4)
      fail_unless (push_custom (h));
    if (i == 9)
      fail_unless (gst_harness_push_event (h,
              gst_event_new_tag (gst_tag_list_new (GST_TAG_TITLE, "t", NULL))));
  }
  for (guint i = 0; i < 20; i++)
    pull_numbered (h, i);
  fail_unless_equals_int (g_atomic_int_get (&custom.frames), 5);
  fail_unless_equals_int (g_atomic_int_get (&tags.frames), 10);
}

GST_END_TEST;

/* Checks that a push fails at once when the source pad is inactive, also while the device still
 * processes frames. */
GST_START_TEST (test_inactive)
{
  g_autoptr (GstHarness) h = discrete_new (IDENTITY);
  g_autoptr (GstPad) src = gst_element_get_static_pad (h->element, "src");
  GstVideoInfo info = info_from_string (CAPS);

  push_numbered (h, 0);
  pull_numbered (h, 0);
  fail_unless (gst_pad_set_active (src, FALSE));
  fail_unless_equals_int (gst_harness_push (h, frame_new (&info,
              LAYOUT_DEFAULT, 1)), GST_FLOW_FLUSHING);
  fail_unless (gst_pad_set_active (src, TRUE));
}

GST_END_TEST;

/* Tests that a buffer without memory, which some elements push instead of a frame, also keeps its
 * position in the stream. */
GST_START_TEST (test_empty)
{
  g_autoptr (GstHarness) h = discrete_new (IDENTITY);
  g_autoptr (GstBuffer) empty = gst_buffer_new ();

  /* Makes the downstream element accept any layout, so that an unchanged frame is passed on in its
   * own memory. */
  gst_harness_add_propose_allocation_meta (h, GST_VIDEO_META_API_TYPE, NULL);
  gst_harness_set_src_caps_str (h, LARGER);
  gst_harness_set_src_caps_str (h, CAPS);
  g_atomic_int_set (&closed, TRUE);
  push_numbered (h, 0);
  g_object_set (h->element, "enabled", FALSE, NULL);
  GST_BUFFER_PTS (empty) = FRAME;
  fail_unless_equals_int (gst_harness_push (h, empty), GST_FLOW_OK);
  fail_unless_equals_int (gst_harness_buffers_received (h), 0);
  let_through ();
  pull_numbered (h, 0);
  empty = harness_pull (h);
  fail_unless_equals_clocktime (GST_BUFFER_PTS (empty), FRAME);
}

GST_END_TEST;

typedef struct
{
  GstHarness *h;
  gint n;
} Pusher;

static gpointer
push_five (gpointer data)
{
  Pusher *pusher = data;

  for (guint i = 0; i < 5; i++) {
    push_numbered (pusher->h, i);
    g_atomic_int_inc (&pusher->n);
  }
  return NULL;
}

/* Checks that the thread that pushes frames continues until @max frames are in flight, or until
 * @max frames are unfinished if frames are pushed without waiting. */
static void
check_bound (GstHarness * h, guint max, guint n_leave)
{
  Pusher pusher = { h, 0 };
  GThread *thread;

  g_object_set (h->element, "max-in-flight", max, NULL);
  g_atomic_int_set (&closed, TRUE);
  thread = g_thread_new ("push", push_five, &pusher);
  while (g_atomic_int_get (&pusher.n) < (gint) max)
    g_usleep (1000);
  g_usleep (50000);
  fail_unless_equals_int (g_atomic_int_get (&pusher.n), max);
  fail_unless_equals_int (gst_harness_buffers_received (h), n_leave);
  let_through ();
  g_thread_join (thread);
  for (guint i = 0; i < 5; i++)
    gst_buffer_unref (harness_pull (h));
  gst_harness_teardown (h);
}

GST_START_TEST (test_bound)
{
  /* With max-in-flight=1 each frame is pushed at once. */
  gboolean leaves = __i__ == 1;

  check_bound (discrete_new (IDENTITY), __i__, leaves ? 1 : 0);
  check_bound (discrete_new_pad ("mgpupyramid name=p", "src_1"), __i__,
      leaves ? 1 : 0);
}

GST_END_TEST;

GST_START_TEST (test_bound_on_device)
{
  GstHarness *h = discrete_new (IDENTITY);

  gst_harness_set_sink_caps_str (h, DEVICE_CAPS ("GRAY8", 80, 144));
  check_bound (h, __i__, __i__);
}

GST_END_TEST;

/* Lists elements that push frames only together with their results. */
static const gchar *const complete[] = { "mgputags",
  "mgpuhog", "mgpumotion"
};

/* Tests that the thread that pushes frames does not wait for an element's results, whether frames
 * stay on the device or not. */
GST_START_TEST (test_bound_complete)
{
  GstHarness *h = discrete_new (complete[__i__ / 2]);

  if (__i__ % 2 == 1)
    gst_harness_set_sink_caps_str (h, DEVICE_CAPS ("GRAY8", 80, 144));
  check_bound (h, 3, 0);
}

GST_END_TEST;

static gpointer
push_frame_and_custom (gpointer data)
{
  Pusher *pusher = data;

  for (guint i = 0; i < 2; i++) {
    push_numbered (pusher->h, i);
    fail_unless (push_custom (pusher->h));
    g_atomic_int_inc (&pusher->n);
  }
  return NULL;
}

/* Tests that an event before each frame, such as the latency tracer sends, keeps its position
 * between the frames and delays no frame. */
GST_START_TEST (test_custom)
{
  g_autoptr (GstHarness) h = __i__ == 0 ? discrete_new (IDENTITY)
      : discrete_new_pad ("mgpupyramid name=p", "src_1");
  Pusher pusher = { h, 0 };
  GThread *thread;
  Event custom;

  watch_event (&custom, h, GST_EVENT_CUSTOM_DOWNSTREAM);
  g_atomic_int_set (&closed, TRUE);
  thread = g_thread_new ("push", push_frame_and_custom, &pusher);
  for (guint i = 0; i < 10000 && g_atomic_int_get (&pusher.n) < 2; i++)
    g_usleep (1000);
  fail_unless_equals_int (g_atomic_int_get (&pusher.n), 2);
  fail_unless_equals_int (g_atomic_int_get (&custom.frames), -1);
  let_through ();
  g_thread_join (thread);
  for (guint i = 0; i < 2; i++)
    gst_buffer_unref (harness_pull (h));
  for (guint i = 0; i < 10000 && g_atomic_int_get (&custom.frames) < 2; i++)
    g_usleep (1000);
  fail_unless_equals_int (g_atomic_int_get (&custom.frames), 2);

  /* Stops the element, which drops the frames in flight. */
  g_atomic_int_set (&closed, TRUE);
  push_numbered (h, 2);
  fail_unless (push_custom (h));
  thread = g_thread_new ("gate", let_through_soon, NULL);
  gst_element_set_state (h->element, GST_STATE_NULL);
  g_thread_join (thread);
  fail_unless_equals_int (g_atomic_int_get (&custom.frames), 2);
}

GST_END_TEST;

/* Tests that EOS, new caps and a drain query wait for all frames in flight. */
GST_START_TEST (test_drain)
{
  g_autoptr (GstHarness) h = discrete_new (IDENTITY);
  g_autoptr (GstQuery) query = gst_query_new_drain ();
  GThread *thread;
  Event end;

  watch_event (&end, h, GST_EVENT_EOS);

  for (guint round = 0; round < 3; round++) {
    g_atomic_int_set (&closed, TRUE);
    push_numbered (h, 0);
    push_numbered (h, 1);
    fail_unless_equals_int (gst_harness_buffers_in_queue (h), 0);
    thread = g_thread_new ("gate", let_through_soon, NULL);
    if (round == 0)
      gst_harness_set_src_caps_str (h, LARGER);
    else if (round == 1)
      gst_pad_peer_query (h->srcpad, query);
    else
      fail_unless (gst_harness_push_event (h, gst_event_new_eos ()));
    fail_unless_equals_int (gst_harness_buffers_in_queue (h), 2);
    g_thread_join (thread);
    pull_numbered (h, 0);
    pull_numbered (h, 1);
    if (round == 0)
      gst_harness_set_src_caps_str (h, CAPS);
  }
  fail_unless_equals_int (g_atomic_int_get (&end.frames), 6);
}

GST_END_TEST;

/* Tests that a flush and a stop drop the frames in flight. */
GST_START_TEST (test_flush)
{
  g_autoptr (GstHarness) h = discrete_new (IDENTITY);
  GstSegment segment;
  GThread *thread;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  g_atomic_int_set (&closed, TRUE);
  push_numbered (h, 0);
  push_numbered (h, 1);
  fail_unless (gst_harness_push_event (h, gst_event_new_flush_start ()));
  thread = g_thread_new ("gate", let_through_soon, NULL);
  fail_unless (gst_harness_push_event (h, gst_event_new_flush_stop (TRUE)));
  fail_unless (gst_harness_push_event (h, gst_event_new_segment (&segment)));
  g_thread_join (thread);
  push_numbered (h, 7);
  pull_numbered (h, 7);

  g_atomic_int_set (&closed, TRUE);
  push_numbered (h, 8);
  thread = g_thread_new ("gate", let_through_soon, NULL);
  gst_element_set_state (h->element, GST_STATE_NULL);
  g_thread_join (thread);
  fail_unless (gst_harness_try_pull (h) == NULL);
}

GST_END_TEST;

/* Returns: whether the next output frame has the flag DISCONT */
static gboolean
pull_discont (GstHarness * h)
{
  g_autoptr (GstBuffer) out = harness_pull (h);

  return GST_BUFFER_IS_DISCONT (out);
}

static guint64
pull_processed (GstBus * bus)
{
  g_autoptr (GstMessage) message = gst_bus_pop_filtered (bus, GST_MESSAGE_QOS);
  guint64 processed, dropped;
  GstFormat format;

  fail_unless (message != NULL);
  gst_message_parse_qos_stats (message, &format, &processed, &dropped);
  fail_unless_equals_int (format, GST_FORMAT_BUFFERS);
  fail_unless_equals_uint64 (dropped, 1);
  return processed;
}

/* Tests that the frame after a gap has the flag DISCONT and no other frame has it, whatever memory
 * frames are pushed in. A QoS message about a late frame counts the frames that were pushed. */
GST_START_TEST (test_discont)
{
  g_autoptr (GstHarness) h = discrete_new (IDENTITY);
  GstBus *bus = harness_bus (h);
  gboolean changes = __i__;

  for (guint i = 0; i < 12; i++) {
    GstBuffer *in = numbered (i);

    if (i == 0 || i == 5)
      GST_BUFFER_FLAG_SET (in, GST_BUFFER_FLAG_DISCONT);
    /* Makes later frames pass unchanged, so that they are pushed at once. */
    if (i == 3 && changes)
      g_object_set (h->element, "max-in-flight", 1, NULL);
    if (i == 8)
      gst_harness_push_upstream_event (h, gst_event_new_qos
          (GST_QOS_TYPE_UNDERFLOW, 1.0, 0, 8 * FRAME));
    fail_unless_equals_int (gst_harness_push (h, in), GST_FLOW_OK);
    if (i == 8) {
      fail_unless_equals_uint64 (pull_processed (bus), 8);
    } else {
      fail_unless_equals_int (pull_discont (h), i == 0 || i == 5 || i == 9);
    }
  }
  fail_unless_equals_int (gst_harness_buffers_received (h), 11);
}

GST_END_TEST;

static GstClockTime
get_position (GstHarness * h)
{
  gint64 position = -1;

  fail_unless (gst_pad_peer_query_position (h->sinkpad, GST_FORMAT_TIME,
          &position));
  return position;
}

/* The response to a POSITION query is the end of the last frame that was pushed; after a flush, it
 * is the start of the new segment. */
GST_START_TEST (test_position)
{
  g_autoptr (GstHarness) h = discrete_new (IDENTITY);
  GstSegment segment;

  push_numbered (h, 1);
  pull_numbered (h, 1);
  fail_unless_equals_clocktime (get_position (h), 2 * FRAME);
  g_atomic_int_set (&closed, TRUE);
  push_numbered (h, 2);
  push_numbered (h, 3);
  fail_unless_equals_clocktime (get_position (h), 2 * FRAME);
  let_through ();
  pull_numbered (h, 2);
  pull_numbered (h, 3);
  fail_unless_equals_clocktime (get_position (h), 4 * FRAME);

  gst_segment_init (&segment, GST_FORMAT_TIME);
  segment.start = segment.time = segment.position = 7 * FRAME;
  fail_unless (gst_harness_push_event (h, gst_event_new_flush_start ()));
  fail_unless (gst_harness_push_event (h, gst_event_new_flush_stop (TRUE)));
  fail_unless (gst_harness_push_event (h, gst_event_new_segment (&segment)));
  fail_unless_equals_clocktime (get_position (h), 7 * FRAME);
  g_object_set (h->element, "max-in-flight", 1, NULL);
  push_numbered (h, 8);
  fail_unless_equals_clocktime (get_position (h), 9 * FRAME);
}

GST_END_TEST;

/* Tests that the element's latency is the duration of the frames that may be in flight, and zero if
 * frames are pushed at once. */
GST_START_TEST (test_latency)
{
  g_autoptr (GstHarness) h = discrete_new (IDENTITY);
  GstBus *bus = harness_bus (h);
  GstMessage *message;

  gst_harness_set_upstream_latency (h, FRAME);
  push_numbered (h, 0);
  pull_numbered (h, 0);
  fail_unless_equals_clocktime (gst_harness_query_latency (h), 3 * FRAME);

  g_object_set (h->element, "max-in-flight", 1, NULL);
  fail_unless_equals_clocktime (gst_harness_query_latency (h), FRAME);
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_LATENCY);
  fail_unless (message != NULL);
  gst_message_unref (message);

  /* Makes the stream non-live: then waiting for further frames adds no latency. */
  gst_harness_set_live (h, FALSE);
  g_object_set (h->element, "max-in-flight", 4, NULL);
  fail_unless_equals_clocktime (gst_harness_query_latency (h), FRAME);
}

GST_END_TEST;

/* Tests that the failure of a frame in flight is posted once on the bus, and returned by the push
 * of a later frame; frames between these two are dropped. Processing then continues. */
GST_START_TEST (test_error)
{
  g_autoptr (GstHarness) h = discrete_new (IDENTITY);
  GstBus *bus = harness_bus (h);
  GstFlowReturn ret = GST_FLOW_OK;
  GstMessage *message;
  GError *error = NULL;

  push_numbered (h, 0);
  pull_numbered (h, 0);
  bringer = g_thread_self ();
  g_atomic_int_set (&fails, CL_OUT_OF_RESOURCES);
  push_numbered (h, 1);
  message = gst_bus_timed_pop_filtered (bus, 10 * GST_SECOND,
      GST_MESSAGE_ERROR);
  g_atomic_int_set (&fails, CL_SUCCESS);
  fail_unless (message != NULL);
  gst_message_parse_error (message, &error, NULL);
  fail_unless (strstr (error->message, "clWaitForEvents") != NULL);
  g_error_free (error);
  gst_message_unref (message);
  for (guint i = 0; i < 20 && ret == GST_FLOW_OK; i++)
    ret = gst_harness_push (h, numbered (2));
  fail_unless_equals_int (ret, GST_FLOW_ERROR);

  push_numbered (h, 3);
  pull_numbered (h, 3);
}

GST_END_TEST;

static const gchar *const losers[] = {
  IDENTITY, "mgpuhog detector=people", "mgputags", "mgpumotion",
  "mgpumotion wait=false"
};

/* How frames in flight fail, and words that the error message contains */
static const struct
{
  cl_int code;
  const gchar *name, *cure;
} losses[] = {
  {CL_DEVICE_NOT_AVAILABLE, "CL_DEVICE_NOT_AVAILABLE", "choose another device"},
  {CL_OUT_OF_RESOURCES, "CL_OUT_OF_RESOURCES", ""}
};

/* Tests that all frames in flight fail, for example because the device is lost. One error names the
 * cause and the remedy, pushes return an error, no frame is pushed, and the input frames are
 * released. Only frames that need not wait for the device are pushed before a frame that fails. */
GST_START_TEST (test_lost)
{
  guint loss = __i__ % G_N_ELEMENTS (losses);
  const gchar *launch = losers[__i__ / G_N_ELEMENTS (losses)];
  gboolean waits = strstr (launch, "wait=false") == NULL;
  GstHarness *h = discrete_new (launch);
  GstBus *bus = harness_bus (h);
  GstBuffer *frames[3];
  GstFlowReturn ret = GST_FLOW_OK;
  g_autoptr (GstMessage) message = NULL;
  GstMessage *more;
  g_autoptr (GError) error = NULL;

  g_object_set (h->element, "max-in-flight", G_N_ELEMENTS (frames), NULL);
  gst_buffer_unref (harness_push_pull (h, numbered (0)));
  g_atomic_int_set (&closed, TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (frames); i++) {
    frames[i] = numbered (1 + i);
    fail_unless_equals_int (gst_harness_push (h, gst_buffer_ref (frames[i])),
        GST_FLOW_OK);
  }
  bringer = NULL;
  g_atomic_int_set (&fails, losses[loss].code);
  let_through ();
  for (guint i = 4; i < 20 && ret == GST_FLOW_OK; i++)
    ret = gst_harness_push (h, numbered (i));
  fail_unless_equals_int (ret, GST_FLOW_ERROR);
  message = gst_bus_timed_pop_filtered (bus, 10 * GST_SECOND,
      GST_MESSAGE_ERROR);
  fail_unless (message != NULL);
  gst_message_parse_error (message, &error, NULL);
  fail_unless (strstr (error->message, losses[loss].name) != NULL
      && strstr (error->message, losses[loss].cure) != NULL, "%s",
      error->message);
  fail_unless (!waits || gst_harness_buffers_in_queue (h) == 0);
  gst_harness_teardown (h);
  /* A frame that waits for no result fails outside of the queue, with a separate error. */
  while ((more = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR)) != NULL) {
    fail_unless (!waits && loss > 0);
    gst_message_unref (more);
  }
  g_atomic_int_set (&fails, CL_SUCCESS);
  for (guint i = 0; i < G_N_ELEMENTS (frames); i++) {
    fail_unless (gst_buffer_is_writable (frames[i]), "frame %u is held", i);
    gst_buffer_unref (frames[i]);
  }
}

GST_END_TEST;

/* Tests that only the last element of a chain downloads frames, whatever the caps between the
 * elements are. */
GST_START_TEST (test_chain)
{
  g_autoptr (GstElement) pipeline =
      gst_parse_launch ("videotestsrc num-buffers=10 ! "
      "video/x-raw,format=GRAY8,width=32,height=16 ! mgpuhisteq name=a ! "
      "video/x-raw ! mgpusharpen name=b ! video/x-raw ! fakesink", NULL);
  GstContext *carrier = discrete_carrier ();
  static const struct
  {
    const gchar *name;
    guint uploads, downloads;
  } expected[] = { {"a", 10, 0}, {"b", 0, 10} };

  gst_element_set_context (pipeline, carrier);
  gst_context_unref (carrier);
  fail_unless_no_error (run_to_end (pipeline));
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++) {
    g_autoptr (GstElement) element = gst_bin_get_by_name (GST_BIN (pipeline),
        expected[i].name);

    fail_unless_equals_uint64 (get_stat (element, "uploads"),
        expected[i].uploads);
    fail_unless_equals_uint64 (get_stat (element, "downloads"),
        expected[i].downloads);
  }
  gst_element_set_state (pipeline, GST_STATE_NULL);
}

GST_END_TEST;

/* Tests that each pad of mgpupyramid has its own thread: the element accepts frames until
 * max-in-flight frames wait for the peer of one of the pads. */
GST_START_TEST (test_pyramid)
{
  g_autoptr (GstHarness) h = discrete_new_pad ("mgpupyramid name=p", "src_1");
  g_autoptr (GstHarness) second =
      gst_harness_new_with_element (h->element, NULL, "src_2");
  GstBuffer *out;
  Pusher pusher = { h, 0 };
  GThread *thread;

  gst_harness_set_sink_caps_str (second, "video/x-raw");
  gst_harness_set_upstream_latency (h, FRAME);
  g_atomic_int_set (&closed, TRUE);
  thread = g_thread_new ("push", push_five, &pusher);
  while (g_atomic_int_get (&pusher.n) < 3)
    g_usleep (1000);
  g_usleep (50000);
  fail_unless_equals_int (g_atomic_int_get (&pusher.n), 3);
  fail_unless_equals_int (gst_harness_buffers_received (h), 0);
  fail_unless_equals_int (gst_harness_buffers_received (second), 0);
  fail_unless_equals_clocktime (gst_harness_query_latency (h), 3 * FRAME);
  let_through ();
  g_thread_join (thread);
  /* Waits before the device is blocked again: frames still in flight would leave no room for the
   * next frame. */
  while (gst_harness_buffers_received (h) < 5
      || gst_harness_buffers_received (second) < 5)
    g_usleep (1000);

  /* Checks that EOS waits for all frames. */
  g_atomic_int_set (&closed, TRUE);
  push_numbered (h, 5);
  thread = g_thread_new ("gate", let_through_soon, NULL);
  fail_unless (gst_harness_push_event (h, gst_event_new_eos ()));
  g_thread_join (thread);
  fail_unless_equals_int (gst_harness_buffers_in_queue (h), 6);
  fail_unless_equals_int (gst_harness_buffers_in_queue (second), 6);
  for (guint i = 0; i < 6; i++) {
    for (guint pad = 0; pad < 2; pad++) {
      out = harness_pull (pad == 0 ? h : second);
      fail_unless_equals_clocktime (GST_BUFFER_PTS (out), i * FRAME);
      gst_buffer_unref (out);
    }
  }
  g_object_set (h->element, "max-in-flight", 1, NULL);
  fail_unless_equals_clocktime (gst_harness_query_latency (h), FRAME);
}

GST_END_TEST;

/* Tests that releasing one pad while its frames are in flight loses no frame of the other pad. */
GST_START_TEST (test_pyramid_release)
{
  g_autoptr (GstHarness) h = discrete_new_pad ("mgpupyramid name=p", "src_1");
  GstHarness *second = gst_harness_new_with_element (h->element, NULL, "src_2");
  GThread *thread;

  gst_harness_set_sink_caps_str (second, "video/x-raw");
  g_atomic_int_set (&closed, TRUE);
  push_numbered (h, 0);
  push_numbered (h, 1);
  thread = g_thread_new ("gate", let_through_soon, NULL);
  gst_harness_teardown (second);
  g_thread_join (thread);
  push_numbered (h, 2);
  fail_unless (gst_harness_push_event (h, gst_event_new_eos ()));
  fail_unless_equals_int (gst_harness_buffers_in_queue (h), 3);
}

GST_END_TEST;

CHECK_TESTS (mgpuinflight)
{
  tcase_add_checked_fixture (tc, NULL, let_through);
  tcase_add_loop_test (tc, test_order, 0, G_N_ELEMENTS (elements));
  tcase_add_test (tc, test_empty);
  tcase_add_test (tc, test_inactive);
  tcase_add_loop_test (tc, test_bound, 1, 4);
  tcase_add_loop_test (tc, test_bound_complete, 0, 2 * G_N_ELEMENTS (complete));
  tcase_add_loop_test (tc, test_bound_on_device, 1, 4);
  tcase_add_loop_test (tc, test_custom, 0, 2);
  tcase_add_test (tc, test_drain);
  tcase_add_test (tc, test_flush);
  tcase_add_loop_test (tc, test_discont, 0, 2);
  tcase_add_test (tc, test_position);
  tcase_add_test (tc, test_latency);
  tcase_add_test (tc, test_error);
  tcase_add_loop_test (tc, test_lost, 0,
      G_N_ELEMENTS (losers) * G_N_ELEMENTS (losses));
  tcase_add_test (tc, test_chain);
  tcase_add_test (tc, test_pyramid);
  tcase_add_test (tc, test_pyramid_release);
}
