/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests frames in flight while other threads act: pads return flow errors, events and flushes
 * arrive, an application's handlers run, a pad is removed. */
#include "inflight.h"

/* Launch lines, each with the name of the pad whose frames are in flight */
static const gchar *elements[][2] = {
  {IDENTITY, "src"}, {"mgpupyramid name=p", "src_1"}
};

static GstHarness *
element_new (gint i)
{
  return discrete_new_pad (elements[i][0], elements[i][1]);
}

static GstPad *
element_pad (GstHarness * h, gint i)
{
  return gst_element_get_static_pad (h->element, elements[i][1]);
}

static gboolean
wait_for (gint * value, gint least)
{
  for (guint i = 0; i < 10000 && g_atomic_int_get (value) < least; i++)
    g_usleep (1000);
  return g_atomic_int_get (value) >= least;
}

/* Simulates the peer pad that receives the frames: it returns @flow for each frame, or blocks. */
static struct
{
  GstFlowReturn flow;
  gint blocks, n;
} sink;

static void
sink_reset (void)
{
  sink.flow = GST_FLOW_OK;
  /* Ends the blocking of the pad's thread: after a flush the thread may still push its last
   * frame. */
  g_atomic_int_set (&sink.blocks, FALSE);
  g_atomic_int_set (&sink.n, 0);
  let_through ();
}

static GstFlowReturn
sink_chain (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  gst_buffer_unref (buffer);
  g_atomic_int_inc (&sink.n);
  while (g_atomic_int_get (&sink.blocks) && !GST_PAD_IS_FLUSHING (pad))
    g_usleep (1000);
  return GST_PAD_IS_FLUSHING (pad) ? GST_FLOW_FLUSHING : sink.flow;
}

static gboolean
sink_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  gst_event_unref (event);
  return TRUE;
}

/* Returns: (transfer full): a pad that accepts frames in system memory */
static GstPad *
sink_new (void)
{
  g_autoptr (GstCaps) caps = gst_caps_from_string ("video/x-raw");
  g_autoptr (GstPadTemplate) template =
      gst_pad_template_new ("sink", GST_PAD_SINK, GST_PAD_ALWAYS, caps);
  GstPad *pad = gst_pad_new_from_template (template, NULL);

  gst_pad_set_chain_function (pad, sink_chain);
  gst_pad_set_event_function (pad, sink_event);
  gst_pad_set_active (pad, TRUE);
  return pad;
}

static void
end_flush (GstHarness * h)
{
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  fail_unless (gst_harness_push_event (h, gst_event_new_flush_stop (TRUE)));
  fail_unless (gst_harness_push_event (h, gst_event_new_segment (&segment)));
}

/* --- Answers --- */

static const GstFlowReturn flows[] = {
  GST_FLOW_EOS, GST_FLOW_NOT_LINKED, GST_FLOW_NOT_NEGOTIATED, GST_FLOW_ERROR
};

/* Tests that an event waits for the frames before it. The push of the next frame returns the flow
 * return of these frames: EOS or NOT_LINKED as long as it lasts, an error only once. */
GST_START_TEST (test_flow)
{
  GstFlowReturn flow = flows[__i__ / 2];
  g_autoptr (GstHarness) h = element_new (__i__ % 2);
  gboolean stays = flow > GST_FLOW_NOT_NEGOTIATED;
  GstSegment segment;

  gst_pad_set_chain_function (h->sinkpad, sink_chain);
  sink.flow = flow;
  push_numbered (h, 0);
  fail_unless (gst_harness_push_event (h,
          gst_event_new_tag (gst_tag_list_new (GST_TAG_TITLE, "t", NULL))));
  fail_unless_equals_int (g_atomic_int_get (&sink.n), 1);
  fail_unless_equals_int (gst_harness_push (h, numbered (1)), flow);
  wait_for_all (h);
  fail_unless_equals_int (g_atomic_int_get (&sink.n), stays ? 2 : 1);
  fail_unless_equals_int (gst_harness_push (h, numbered (2)),
      stays ? flow : GST_FLOW_OK);
  wait_for_all (h);

  sink.flow = GST_FLOW_OK;
  gst_harness_push (h, numbered (3));
  wait_for_all (h);
  push_numbered (h, 4);
  wait_for_all (h);

  /* A flush resets the stored flow return. */
  sink.flow = flow;
  push_numbered (h, 5);
  wait_for_all (h);
  fail_unless (gst_harness_push_event (h, gst_event_new_flush_start ()));
  end_flush (h);
  push_numbered (h, 6);
  wait_for_all (h);

  /* The start of another stream also resets the stored flow return, unless a frame failed. */
  sink.flow = GST_FLOW_OK;
  fail_unless (gst_harness_push_event (h, gst_event_new_stream_start ("2")));
  gst_segment_init (&segment, GST_FORMAT_TIME);
  fail_unless (gst_harness_push_event (h, gst_event_new_segment (&segment)));
  fail_unless_equals_int (gst_harness_push (h, numbered (7)),
      flow == GST_FLOW_ERROR ? flow : GST_FLOW_OK);
}

GST_END_TEST;

/* --- Events --- */

/* Blocks frame 0 only. */
static GstPadProbeReturn
block (GstPad * pad, GstPadProbeInfo * info, gpointer blocked)
{
  if (GST_BUFFER_PTS (info->data) > 0)
    return GST_PAD_PROBE_PASS;
  g_atomic_int_set ((gint *) blocked, TRUE);
  return GST_PAD_PROBE_OK;
}

/* Tests that an event stays behind the frame that the pad's thread is just about to push. */
GST_START_TEST (test_custom)
{
  g_autoptr (GstHarness) h = element_new (__i__);
  g_autoptr (GstPad) pad = element_pad (h, __i__);
  gint blocked = FALSE;
  Event custom;
  gulong id;

  watch_event (&custom, h, GST_EVENT_CUSTOM_DOWNSTREAM);
  id = gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BLOCK |
      GST_PAD_PROBE_TYPE_BUFFER, block, &blocked, NULL);
  push_numbered (h, 0);
  fail_unless (wait_for (&blocked, TRUE));
  fail_unless (push_custom (h));
  gst_pad_remove_probe (pad, id);
  wait_for_all (h);
  fail_unless_equals_int (g_atomic_int_get (&custom.frames), 1);
}

GST_END_TEST;

/* Tests that an out-of-band event is sent without waiting for frames. */
GST_START_TEST (test_out_of_band)
{
  g_autoptr (GstHarness) h = element_new (__i__);
  Event custom, oob;

  watch_event (&custom, h, GST_EVENT_CUSTOM_DOWNSTREAM);
  watch_event (&oob, h, GST_EVENT_CUSTOM_DOWNSTREAM_OOB);
  g_atomic_int_set (&closed, TRUE);
  push_numbered (h, 0);
  fail_unless (push_custom (h));
  fail_unless (gst_harness_push_event (h, gst_event_new_custom
          (GST_EVENT_CUSTOM_DOWNSTREAM_OOB, gst_structure_new_empty ("now"))));
  fail_unless_equals_int (g_atomic_int_get (&oob.frames), 0);
  fail_unless_equals_int (g_atomic_int_get (&custom.frames), -1);
  let_through ();
  wait_for_all (h);
  fail_unless_equals_int (g_atomic_int_get (&custom.frames), 1);
}

GST_END_TEST;

typedef struct
{
  GstHarness *h;
  GstFlowReturn flow;           /* of the last push */
  gint n, done;
} Pusher;

static gpointer
push_until_refused (gpointer data)
{
  Pusher *self = data;

  for (self->flow = GST_FLOW_OK; self->flow == GST_FLOW_OK;) {
    self->flow = gst_harness_push (self->h, numbered (self->n));
    g_atomic_int_inc (&self->n);
  }
  g_atomic_int_set (&self->done, TRUE);
  return NULL;
}

/* Tests that a flush ends the wait of the thread that pushes frames, although neither the device
 * nor the sink is ready. The frames in flight are never pushed. */
GST_START_TEST (test_flush)
{
  g_autoptr (GstHarness) h = element_new (__i__ % 2);
  gboolean sink_blocks = __i__ / 2;
  Pusher pusher = {.h = h };
  GThread *thread;

  gst_pad_set_chain_function (h->sinkpad, sink_chain);
  g_atomic_int_set (sink_blocks ? &sink.blocks : &closed, TRUE);
  thread = g_thread_new ("push", push_until_refused, &pusher);
  fail_unless (wait_for (&pusher.n, sink_blocks ? 4 : 3));
  g_usleep (20000);
  fail_unless_equals_int (g_atomic_int_get (&pusher.n), sink_blocks ? 4 : 3);
  fail_unless (gst_harness_push_event (h, gst_event_new_flush_start ()));
  fail_unless (wait_for (&pusher.done, TRUE));
  g_thread_join (thread);
  fail_unless_equals_int (pusher.flow, GST_FLOW_FLUSHING);
  fail_unless_equals_int (g_atomic_int_get (&sink.n), sink_blocks);
  sink_reset ();
  end_flush (h);
  push_numbered (h, 7);
  wait_for_all (h);
  fail_unless_equals_int (g_atomic_int_get (&sink.n), 1);
}

GST_END_TEST;

/* --- Threads --- */

static GstBusSyncReply
answer_thread (GstBus * bus, GstMessage * message, gpointer data)
{
  GstStreamStatusType type;

  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_STREAM_STATUS) {
    gst_message_parse_stream_status (message, &type, NULL);
    if (type == GST_STREAM_STATUS_TYPE_CREATE)
      push_custom (data);
  }
  gst_message_unref (message);
  return GST_BUS_DROP;
}

static gpointer
push_frame (gpointer data)
{
  Pusher *self = data;

  self->flow = gst_harness_push (self->h, numbered (0));
  g_atomic_int_set (&self->done, TRUE);
  return NULL;
}

/* Tests that an application that receives a message about the pad's thread may call the element. */
GST_START_TEST (test_stream_status)
{
  g_autoptr (GstHarness) h = element_new (__i__);
  GstBus *bus = harness_bus (h);
  Pusher pusher = {.h = h };
  GThread *thread;
  Event custom;

  watch_event (&custom, h, GST_EVENT_CUSTOM_DOWNSTREAM);
  gst_bus_set_sync_handler (bus, answer_thread, h, NULL);
  thread = g_thread_new ("push", push_frame, &pusher);
  fail_unless (wait_for (&pusher.done, TRUE));
  g_thread_join (thread);
  fail_unless_equals_int (pusher.flow, GST_FLOW_OK);
  wait_for_all (h);
  fail_unless_equals_int (g_atomic_int_get (&custom.frames), 1);
  gst_bus_set_sync_handler (bus, NULL, NULL, NULL);
}

GST_END_TEST;

/* Unlinks and releases @pad; then only the element holds a reference to it. */
static GstPadProbeReturn
release (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  GstElement *element = GST_ELEMENT (GST_PAD_PARENT (pad));
  GstPad *peer = gst_pad_get_peer (pad);

  fail_unless (gst_pad_unlink (pad, peer));
  gst_object_unref (peer);
  gst_element_release_request_pad (element, pad);
  gst_object_unref (pad);
  return GST_PAD_PROBE_REMOVE;
}

static void
see_end (gpointer gone, GObject * pad)
{
  g_atomic_int_set ((gint *) gone, TRUE);
}

/* Tests that a pad's thread may release this pad, which exists until the thread has ended. */
GST_START_TEST (test_release)
{
  g_autoptr (GstHarness) h = element_new (1);
  g_autoptr (GstPad) peer = sink_new ();
  gint gone = FALSE;
  GstPad *pad = gst_element_request_pad_simple (h->element, "src_2");

  fail_unless_equals_int (gst_pad_link (pad, peer), GST_PAD_LINK_OK);
  g_object_weak_ref (G_OBJECT (pad), see_end, &gone);
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, release, NULL, NULL);
  for (guint i = 0; i < 10; i++)
    push_numbered (h, i);
  wait_for_all (h);
  fail_unless_equals_int (gst_harness_buffers_received (h), 10);
  fail_unless (wait_for (&gone, TRUE));
  fail_unless_equals_int (h->element->numsrcpads, 1);
  gst_pad_set_active (peer, FALSE);
}

GST_END_TEST;

static gboolean
lower_max (GstPad * pad, GstObject * parent, GstQuery * query)
{
  if (GST_QUERY_TYPE (query) != GST_QUERY_ALLOCATION)
    return gst_pad_query_default (pad, parent, query);
  g_object_set (gst_pad_get_element_private (pad), "max-in-flight", 1, NULL);
  return FALSE;
}

/* Tests that an accepted frame is pushed after the frames before it, even if max-in-flight is
 * lowered meanwhile. */
GST_START_TEST (test_lower_max)
{
  g_autoptr (GstHarness) h = element_new (1);
  GstPad *first = element_pad (h, 1);
  GstPad *pad = gst_element_request_pad_simple (h->element, "src_2");
  g_autoptr (GstPad) peer = sink_new ();
  gint blocked = FALSE;
  gulong id = gst_pad_add_probe (first, GST_PAD_PROBE_TYPE_BLOCK |
      GST_PAD_PROBE_TYPE_BUFFER, block, &blocked, NULL);

  gst_pad_set_element_private (peer, h->element);
  gst_pad_set_query_function (peer, lower_max);
  push_numbered (h, 0);
  fail_unless (wait_for (&blocked, TRUE));
  push_numbered (h, 1);
  fail_unless_equals_int (gst_pad_link (pad, peer), GST_PAD_LINK_OK);
  push_numbered (h, 2);
  fail_unless_equals_int (g_atomic_int_get (&sink.n), 1);
  fail_unless_equals_int (gst_harness_buffers_received (h), 0);
  gst_pad_remove_probe (first, id);
  for (guint i = 0; i < 3; i++) {
    g_autoptr (GstBuffer) out = harness_pull (h);

    fail_unless_equals_clocktime (GST_BUFFER_PTS (out), i * FRAME);
  }
  gst_element_release_request_pad (h->element, pad);
  gst_object_unref (pad);
  gst_object_unref (first);
  gst_pad_set_active (peer, FALSE);
}

GST_END_TEST;

CHECK_TESTS (mgpuinflightthreads)
{
  tcase_add_checked_fixture (tc, sink_reset, sink_reset);
  tcase_add_loop_test (tc, test_flow, 0, 2 * G_N_ELEMENTS (flows));
  tcase_add_loop_test (tc, test_custom, 0, G_N_ELEMENTS (elements));
  tcase_add_loop_test (tc, test_out_of_band, 0, G_N_ELEMENTS (elements));
  tcase_add_loop_test (tc, test_flush, 0, 2 * G_N_ELEMENTS (elements));
  tcase_add_loop_test (tc, test_stream_status, 0, G_N_ELEMENTS (elements));
  tcase_add_test (tc, test_release);
  tcase_add_test (tc, test_lower_max);
}
