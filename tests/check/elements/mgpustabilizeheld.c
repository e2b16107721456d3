/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests when mgpustabilize pushes events, and frames that wait for later frames. */
#include "stabilize.h"

static void
check_latency (GstHarness * h, GstClockTime latency)
{
  g_autoptr (GstQuery) query = gst_query_new_latency ();
  GstClockTime min, max;
  gboolean live;

  fail_unless (gst_pad_peer_query (h->sinkpad, query));
  gst_query_parse_latency (query, &live, &min, &max);
  fail_unless (live);
  fail_unless_equals_uint64 (min, latency);
}

/* Tests that the latency includes waiting frames, and is posted again when properties change it. */
GST_START_TEST (test_latency)
{
  GstBus *bus;
  g_autoptr (GstHarness) h =
      stabilizer_new ("look-ahead=5 max-in-flight=1", &bus);
  g_autoptr (GstElement) filter = harness_filter (h);
  g_autofree guint8 *picture = paint (1);
  GstMessage *message;

  gst_harness_set_live (h, TRUE);
  push (h, see_shaken (picture, 0));
  check_latency (h, 5 * 40 * GST_MSECOND);
  while ((message = gst_bus_pop (bus)) != NULL)
    gst_message_unref (message);
  g_object_set (filter, "smoothing", 3, NULL);
  check_latency (h, 3 * 40 * GST_MSECOND);
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_LATENCY);
  fail_unless (message != NULL);
  gst_message_unref (message);
  g_object_set (filter, "mode", 2, NULL);
  check_latency (h, 0);
  /* Checks that no frame waits any more. */
  push (h, see_shaken (picture, 1));
  fail_unless_equals_int (gst_harness_buffers_received (h), 2);

  g_object_set (filter, "mode", 0, NULL);
  gst_harness_set_src_caps_str (h, "video/x-raw,format=GRAY8,width=320,"
      "height=240,framerate=0/1");
  push (h, see_shaken (picture, 2));
  check_latency (h, 3 * 40 * GST_MSECOND);
}

GST_END_TEST;

/* Records frames and custom events in the order in which they are pushed. */
static GstPadProbeReturn
note (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  GString *text = data;

  if (info->type & GST_PAD_PROBE_TYPE_BUFFER)
    g_string_append_c (text, 'f');
  else if (GST_EVENT_TYPE (info->data) == GST_EVENT_CUSTOM_DOWNSTREAM)
    g_string_append_c (text, 'e');
  else if (GST_EVENT_TYPE (info->data) == GST_EVENT_TAG)
    g_string_append_c (text, 't');
  return GST_PAD_PROBE_OK;
}

/* Tests that events keep their position between frames. */
GST_START_TEST (test_events)
{
  g_autoptr (GstHarness) h = stabilizer_new ("smoothing=2", NULL);
  g_autoptr (GstPad) pad = gst_element_get_static_pad (h->element, "src");
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree guint8 *picture = paint (1);

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER
      | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, note, text, NULL);
  for (guint i = 0; i < 5; i++) {
    push (h, see_shaken (picture, i));
    if (i == 1)
      gst_harness_push_event (h, gst_event_new_custom
          (GST_EVENT_CUSTOM_DOWNSTREAM, gst_structure_new_empty ("a")));
    if (i == 2)
      gst_harness_push_event (h, gst_event_new_tag
          (gst_tag_list_new (GST_TAG_TITLE, "a", NULL)));
  }
  fail_unless_equals_string (text->str, "ffeft");
  fail_unless (gst_harness_push_event (h, gst_event_new_gap (200 *
              GST_MSECOND, GST_CLOCK_TIME_NONE)));
  fail_unless_equals_string (text->str, "ffeftff");
}

GST_END_TEST;

static GstPadProbeReturn
begin_flush (GstPad * pad, GstPadProbeInfo * info, gpointer sink)
{
  gst_pad_send_event (sink, gst_event_new_flush_start ());
  return GST_PAD_PROBE_REMOVE;
}

/* Tests that a flush that begins while frames are pushed before an event is not a stream error, as it
 * would be without a message that tells the cause. */
GST_START_TEST (test_flush)
{
  static const gchar caps[] = "video/x-raw,format=GRAY8,width=32,height=32,"
      "framerate=25/1";
  g_autoptr (GstHarness) h = stabilizer_new ("smoothing=2", NULL);
  g_autoptr (GstPad) src = gst_element_get_static_pad (h->element, "src");
  g_autoptr (GstPad) sink = gst_element_get_static_pad (h->element, "sink");
  g_autofree guint8 *picture = paint (1);
  GstEvent *event = __i__ == 0 ? gst_event_new_stream_start ("another")
      : gst_event_new_caps (gst_caps_from_string (caps));

  push (h, see_shaken (picture, 0));
  push (h, see_shaken (picture, 1));
  gst_pad_add_probe (src, GST_PAD_PROBE_TYPE_BUFFER, begin_flush, sink, NULL);
  fail_unless_equals_int (gst_pad_store_sticky_event (h->srcpad, event),
      GST_FLOW_OK);
  gst_event_unref (event);
  fail_unless_equals_int (gst_harness_push (h, see_shaken (picture, 2)),
      GST_FLOW_FLUSHING);
  fail_unless (gst_harness_push_event (h, gst_event_new_flush_stop (TRUE)));
}

GST_END_TEST;

/* Tests that a source with a small pool gets its frames back while other frames wait. */
GST_START_TEST (test_small_pool)
{
  g_autoptr (GstHarness) h = stabilizer_new ("smoothing=6", NULL);
  g_autoptr (GstBufferPool) pool = gst_buffer_pool_new ();
  GstStructure *config = gst_buffer_pool_get_config (pool);
  g_autoptr (GstCaps) caps = gst_caps_from_string (CAPS);
  g_autofree guint8 *picture = paint (1);
  GstBufferPoolAcquireParams now = {.flags =
        GST_BUFFER_POOL_ACQUIRE_FLAG_DONTWAIT
  };

  gst_buffer_pool_config_set_params (config, caps, WIDTH * HEIGHT, 2, 2);
  fail_unless (gst_buffer_pool_set_config (pool, config));
  fail_unless (gst_buffer_pool_set_active (pool, TRUE));
  for (guint i = 0; i < 10; i++) {
    GstBuffer *buffer = NULL, *from = see_shaken (picture, i);
    GstMapInfo map;

    fail_unless_equals_int (gst_buffer_pool_acquire_buffer (pool, &buffer,
            &now), GST_FLOW_OK);
    fail_unless (gst_buffer_map (from, &map, GST_MAP_READ));
    gst_buffer_fill (buffer, 0, map.data, map.size);
    gst_buffer_unmap (from, &map);
    GST_BUFFER_PTS (buffer) = GST_BUFFER_PTS (from);
    gst_buffer_unref (from);
    push (h, buffer);
  }
  fail_unless (gst_harness_push_event (h, gst_event_new_eos ()));
  for (guint i = 0; i < 10; i++)
    gst_buffer_unref (pull (h, i));
  gst_buffer_pool_set_active (pool, FALSE);
}

GST_END_TEST;

/* Tests that the flag DISCONT stays at the frame before which there is a gap. */
GST_START_TEST (test_discont)
{
  g_autoptr (GstHarness) h = stabilizer_new ("smoothing=3", NULL);
  g_autofree guint8 *picture = paint (1);

  for (guint i = 0; i < 8; i++) {
    GstBuffer *buffer = see_shaken (picture, i);

    if (i == 4)
      GST_BUFFER_FLAG_SET (buffer, GST_BUFFER_FLAG_DISCONT);
    push (h, buffer);
  }
  fail_unless (gst_harness_push_event (h, gst_event_new_eos ()));
  for (guint i = 0; i < 8; i++) {
    g_autoptr (GstBuffer) out = pull (h, i);

    fail_unless_equals_int (GST_BUFFER_IS_DISCONT (out), i == 4);
  }
}

GST_END_TEST;

/* Tests that no frame of a live source waits longer than the latency if frames are missing. Frames
 * of a file wait until the look-ahead is complete. */
GST_START_TEST (test_missing)
{
  gboolean is_live = __i__;
  g_autoptr (GstHarness) h =
      stabilizer_new ("smoothing=4 max-in-flight=1", NULL);
  g_autofree guint8 *picture = paint (1);
  guint left = 0;

  gst_harness_set_live (h, is_live);
  gst_harness_query_latency (h);
  for (guint i = 0; i < 20; i += 2) {
    guint n = i / 2 + 1;

    push (h, see_shaken (picture, i));
    /* The timestamps of frames i - 4 and i differ by the duration of 4 frames. */
    fail_unless_equals_int (gst_harness_buffers_received (h), is_live
        ? MAX (n, 2) - 2 : MAX (n, 4) - 4);
    for (; left < gst_harness_buffers_received (h); left++)
      gst_buffer_unref (pull (h, 2 * left));
  }
  fail_unless (gst_harness_push_event (h, gst_event_new_eos ()));
  for (; left < 10; left++)
    gst_buffer_unref (pull (h, 2 * left));
}

GST_END_TEST;

static void
check_qos_event (GstHarness * h, GstClockTime want)
{
  GstEvent *event;
  GstClockTime time = 0;

  while ((event = gst_harness_try_pull_upstream_event (h)) != NULL) {
    if (GST_EVENT_TYPE (event) == GST_EVENT_QOS)
      gst_event_parse_qos (event, NULL, NULL, NULL, &time);
    gst_event_unref (event);
  }
  fail_unless_equals_uint64 (time, want);
}

/* Tests that arriving frames are dropped after a frame was late at the sink, where lateness
 * includes the waiting time of frames, and that waiting frames do not wait for the dropped ones. */
GST_START_TEST (test_qos)
{
  GstBus *bus;
  g_autoptr (GstHarness) h =
      stabilizer_new ("smoothing=4 max-in-flight=1", &bus);
  g_autofree guint8 *picture = paint (1);
  static const guint left[] = { 0, 1, 2, 3, 4, 5, 6, 8, 9 };
  guint64 processed, dropped;
  GstMessage *message;

  gst_harness_set_live (h, TRUE);
  gst_harness_query_latency (h);
  for (guint i = 0; i < 7; i++)
    push (h, see_shaken (picture, i));
  fail_unless_equals_int (gst_harness_buffers_received (h), 3);
  /* Reports that frame 2 was late by 50 ms. */
  fail_unless (gst_harness_push_upstream_event (h, gst_event_new_qos
          (GST_QOS_TYPE_UNDERFLOW, 1.5, 50 * GST_MSECOND, 80 * GST_MSECOND)));
  check_qos_event (h, (80 + 160) * GST_MSECOND);
  push (h, see_shaken (picture, 7));
  fail_unless_equals_int (gst_harness_buffers_received (h), 3);
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_QOS);
  fail_unless (message != NULL);
  gst_message_parse_qos_stats (message, NULL, &processed, &dropped);
  fail_unless_equals_uint64 (processed, 3);
  fail_unless_equals_uint64 (dropped, 1);
  gst_message_unref (message);
  push (h, see_shaken (picture, 8));
  fail_unless (gst_harness_buffers_received (h) >= 5);
  push (h, see_shaken (picture, 9));
  fail_unless (gst_harness_push_event (h, gst_event_new_eos ()));
  for (guint i = 0; i < G_N_ELEMENTS (left); i++) {
    g_autoptr (GstBuffer) out = pull (h, left[i]);
    const gint *from = shake[i == 7 ? 6 : left[i] - (i > 0)];
    const gint *to = shake[left[i]];
    GstMgpuMotionMeta *meta = gst_buffer_get_mgpu_motion_meta (out);

    /* The motion is measured from the last frame that was not dropped. */
    fail_unless_equals_int (get_state (out), i == 0
        ? GST_MGPU_MOTION_STATE_CUT : GST_MGPU_MOTION_STATE_MEASURED);
    check_shift (gst_mgpu_motion_meta_get_motion (meta), from[0] - to[0],
        from[1] - to[1], 0.2);
    fail_unless_equals_int (GST_BUFFER_IS_DISCONT (out), i == 7);
  }
}

GST_END_TEST;

/* Tests that waiting takes less running time if the stream plays faster, or in reverse. */
GST_START_TEST (test_qos_rate)
{
  static const gdouble rates[] = { 2, 0.5, -4 };
  g_autoptr (GstHarness) h =
      stabilizer_new ("smoothing=4 max-in-flight=1", NULL);
  g_autofree guint8 *picture = paint (1);
  GstSegment segment;

  push (h, see_shaken (picture, 0));
  gst_segment_init (&segment, GST_FORMAT_TIME);
  segment.stop = 10 * GST_SECOND;
  for (guint i = 0; i < G_N_ELEMENTS (rates); i++) {
    segment.rate = rates[i];
    fail_unless (gst_harness_push_event (h, gst_event_new_segment (&segment)));
    fail_unless (gst_harness_push_upstream_event (h, gst_event_new_qos
            (GST_QOS_TYPE_UNDERFLOW, 1.5, 50 * GST_MSECOND, 80 * GST_MSECOND)));
    check_qos_event (h, (GstClockTime) ((80 + 160 / ABS (rates[i])) *
            GST_MSECOND));
  }
}

GST_END_TEST;

CHECK_TESTS (mgpustabilizeheld)
{
  tcase_add_test (tc, test_latency);
  tcase_add_test (tc, test_events);
  tcase_add_loop_test (tc, test_flush, 0, 2);
  tcase_add_test (tc, test_small_pool);
  tcase_add_test (tc, test_discont);
  tcase_add_loop_test (tc, test_missing, 0, 2);
  tcase_add_test (tc, test_qos);
  tcase_add_test (tc, test_qos_rate);
}
