/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests the guide input of mgpubilateral: seeks, streams without timestamps, latency. */
#include "guide.h"

/* Maximum time that a frame waits for its guide, in microseconds */
#define GUIDE_WAIT (5 * G_USEC_PER_SEC)

/* --- Seeks --- */

/* Simulates the elements upstream of the two inputs, which receive the seek event. */
static struct
{
  Two *two;
  gboolean together;            /* both inputs are fed by one source */
  gboolean late;                /* the guide input is flushed later than the frame input */
  gboolean refuses;             /* the source of the frames refuses seeks */
  guint32 seqnums[2];           /* sequence numbers of the last seeks of frames and guides */
  guint n_seeks[2];
} source;

static GstEvent *
seek_new (void)
{
  return gst_event_new_seek (1.0, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH,
      GST_SEEK_TYPE_SET, 0, GST_SEEK_TYPE_NONE, 0);
}

static void
flush_as (GstHarness * h, guint32 seqnum)
{
  GstEvent *start = gst_event_new_flush_start ();
  GstEvent *stop = gst_event_new_flush_stop (TRUE);
  GstSegment segment;

  gst_event_set_seqnum (start, seqnum);
  gst_event_set_seqnum (stop, seqnum);
  fail_unless (gst_harness_push_event (h, start));
  fail_unless (gst_harness_push_event (h, stop));
  gst_segment_init (&segment, GST_FORMAT_TIME);
  fail_unless (gst_harness_push_event (h, gst_event_new_segment (&segment)));
}

/* Flushes once for each sequence number of a seek event, as demuxers do. */
static gboolean
seek_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  gboolean is_guide = pad == source.two->guides->srcpad;
  guint32 seqnum = gst_event_get_seqnum (event);
  gboolean is_seek = GST_EVENT_TYPE (event) == GST_EVENT_SEEK;

  gst_event_unref (event);
  if (!is_seek)
    return TRUE;
  source.n_seeks[is_guide]++;
  if (source.refuses && !is_guide)
    return FALSE;
  if (source.seqnums[is_guide] == seqnum)
    return TRUE;
  source.seqnums[is_guide] = seqnum;
  if (source.together)
    source.seqnums[!is_guide] = seqnum;
  if (!is_guide || source.together)
    flush_as (source.two->frames, seqnum);
  if ((is_guide || source.together) && !source.late)
    flush_as (source.two->guides, seqnum);
  return TRUE;
}

static gboolean
accept_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  gst_event_unref (event);
  return TRUE;
}

static gboolean
refuse_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  gst_event_unref (event);
  return FALSE;
}

static void
source_init (Two * two, gboolean together)
{
  two_init (two, FILTER, GST_VIDEO_FORMAT_GRAY8, GST_VIDEO_FORMAT_GRAY8);
  memset (&source, 0, sizeof (source));
  source.two = two;
  source.together = together;
  gst_pad_set_event_function (two->frames->srcpad, seek_event);
  gst_pad_set_event_function (two->guides->srcpad, seek_event);
  push_guide (two, 5, 0, 40);
  push_guide (two, 6, 40, 40);
  check_frame (two, 1, 40, 6, 0, FALSE);
}

/* Sends @event (transfer none) upstream from a sink after the filter. Returns: whether the event
 * was accepted */
static gboolean
seek_from_sink (Two * two, GstEvent * event)
{
  return gst_pad_push_event (two->frames->sinkpad, gst_event_ref (event));
}

/* Tests two sinks that send the same seek event: both to the filter, the second during the flush of
 * the first or after it, or one of them to the source on another path. Another seek follows. */
GST_START_TEST (test_seek_of_sinks)
{
  enum
  { TOGETHER, APART, LATE, OTHER_WAY };
  Two two;
  gint64 start;

  source_init (&two, __i__ != APART);
  source.late = __i__ == LATE;
  for (guint i = 0; i < 2; i++) {
    g_autoptr (GstEvent) seek = seek_new ();
    guint32 seqnum = gst_event_get_seqnum (seek);

    if (__i__ == OTHER_WAY)
      seek_event (two.frames->srcpad, NULL, gst_event_ref (seek));
    else
      fail_unless (seek_from_sink (&two, seek));
    fail_unless (seek_from_sink (&two, seek));
    if (__i__ == LATE) {
      /* Pushes a guide that belongs to the time before the seek. */
      push_guide (&two, 7, 80, 40);
      flush_as (two.guides, seqnum);
    }
    push_guide (&two, 10 + i, 0, 40);
    check_frame (&two, 2, 0, 10 + i, 0, FALSE);
    /* Starts to measure after the kernels were built. */
    if (i == 0)
      start = g_get_monotonic_time ();
    fail_unless (seek_from_sink (&two, seek));
    push_guide (&two, 20 + i, 40, 40);
    check_frame (&two, 2, 40, 20 + i, 0, FALSE);
  }
  two_clear (&two);
  fail_unless (g_get_monotonic_time () - start < GUIDE_WAIT);
}

GST_END_TEST;

/* Tests that the guide stream keeps its position if the frame source refuses a seek; the same seek
 * may arrive again. */
GST_START_TEST (test_seek_refused)
{
  g_autoptr (GstEvent) seek = seek_new ();
  Two two;

  source_init (&two, FALSE);
  source.refuses = TRUE;
  fail_if (seek_from_sink (&two, seek));
  fail_unless_equals_int (source.n_seeks[0], 1);
  fail_unless_equals_int (source.n_seeks[1], 0);
  push_guide (&two, 7, 80, 40);
  check_frame (&two, 1, 80, 7, 0, FALSE);

  source.refuses = FALSE;
  fail_unless (seek_from_sink (&two, seek));
  fail_unless_equals_int (source.n_seeks[0], 2);
  fail_unless_equals_int (source.n_seeks[1], 1);
  push_guide (&two, 8, 0, 40);
  check_frame (&two, 1, 0, 8, 0, FALSE);
  two_clear (&two);
}

GST_END_TEST;

/* Tests that guides of a stream that does not support seeking are kept when the filter receives a
 * seek, and that later guides wait while the filter's frame input is flushed. */
GST_START_TEST (test_seek_without_guide)
{
  Two two;
  Push push;
  GThread *thread;
  GstSegment segment;

  two_init (&two, FILTER, GST_VIDEO_FORMAT_GRAY8, GST_VIDEO_FORMAT_GRAY8);
  push_guide (&two, 5, 0, 40);
  push_guide (&two, 6, 40, 40);
  check_frame (&two, 1, 40, 6, 0, FALSE);

  gst_pad_set_event_function (two.guides->srcpad, refuse_event);
  gst_harness_push_upstream_event (two.frames, seek_new ());
  fail_unless (gst_harness_push_event (two.frames,
          gst_event_new_flush_start ()));
  push = (Push) { two.guides, frame_at (&two.guide_info, 7, 80, 40) };
  thread = push_waiting (&push);
  fail_unless (gst_harness_push_event (two.frames,
          gst_event_new_flush_stop (TRUE)));
  gst_segment_init (&segment, GST_FORMAT_TIME);
  fail_unless (gst_harness_push_event (two.frames,
          gst_event_new_segment (&segment)));
  fail_unless_equals_int (JOIN (thread), GST_FLOW_OK);

  check_frame (&two, 2, 0, 6, 0, FALSE);
  check_frame (&two, 3, 80, 7, 0, FALSE);
  two_clear (&two);
}

GST_END_TEST;

/* Tests that a seek without a flush, for example one that changes the speed, does not end the wait
 * for guides. */
GST_START_TEST (test_seek_without_flush)
{
  g_autoptr (GstEvent) seek = gst_event_new_seek (2.0, GST_FORMAT_TIME, 0,
      GST_SEEK_TYPE_NONE, 0, GST_SEEK_TYPE_NONE, 0);
  Two two;

  source_init (&two, FALSE);
  gst_pad_set_event_function (two.frames->srcpad, accept_event);
  fail_unless (seek_from_sink (&two, seek));
  fail_unless_equals_int (source.n_seeks[1], 0);
  push_guide (&two, 7, 80, 40);
  check_frame (&two, 1, 80, 7, 0, FALSE);
  two_clear (&two);
}

GST_END_TEST;

/* Tests that elements upstream of the guide input get the same context as elements upstream of the
 * frame input. */
GST_START_TEST (test_context)
{
  g_autoptr (GstQuery) query = gst_query_new_context (GST_MGPU_CONTEXT_TYPE);
  g_autoptr (GstMgpuContext) context = NULL, other = NULL;
  GstContext *carrier;
  Two two;

  two_init (&two, FILTER, GST_VIDEO_FORMAT_GRAY8, GST_VIDEO_FORMAT_GRAY8);
  context = harness_context (two.frames);
  fail_unless (gst_pad_peer_query (two.guides->srcpad, query));
  gst_query_parse_context (query, &carrier);
  other = gst_context_get_mgpu_context (carrier);
  fail_unless (other == context);
  two_clear (&two);
}

GST_END_TEST;

static GThread *live_thread;
static Push live_push;

/* Makes a guide arrive while the frame stream is seeked. */
static gboolean
seek_event_with_guide (GstPad * pad, GstObject * parent, GstEvent * event)
{
  live_thread = push_waiting (&live_push);
  return seek_event (pad, parent, event);
}

/* Tests that a live guide stream, which refuses seeks, loses no guide because of a seek. */
GST_START_TEST (test_seek_beside_live_guide)
{
  g_autoptr (GstEvent) seek = seek_new ();
  Two two;

  source_init (&two, FALSE);
  gst_pad_set_event_function (two.frames->srcpad, seek_event_with_guide);
  gst_pad_set_event_function (two.guides->srcpad, refuse_event);
  live_push = (Push) { two.guides, frame_at (&two.guide_info, 7, 80, 40) };
  fail_unless (seek_from_sink (&two, seek));
  fail_unless_equals_int (JOIN (live_thread), GST_FLOW_OK);
  check_frame (&two, 2, 80, 7, 0, FALSE);
  two_clear (&two);
}

GST_END_TEST;

/* Tests repeated seeks with both inputs fed by one source. */
GST_START_TEST (test_pipeline)
{
  g_autoptr (GstElement) pipeline = gst_parse_launch ("videotestsrc num-buffers=40 "
      "! video/x-raw,format=I420,width=64,height=48 ! tee name=t "
      "! queue ! mgpubilateral name=f method=grid ! fakesink sync=false "
      "t. ! queue ! videoconvert ! video/x-raw,format=GRAY8 ! f.guide", NULL);

  fail_unless (pipeline != NULL);
  for (guint i = 0; i < 5; i++) {
    gst_element_set_state (pipeline, GST_STATE_PAUSED);
    fail_unless_equals_int (gst_element_get_state (pipeline, NULL, NULL,
            10 * GST_SECOND), GST_STATE_CHANGE_SUCCESS);
    fail_unless (gst_element_seek_simple (pipeline, GST_FORMAT_TIME,
            GST_SEEK_FLAG_FLUSH, 0));
    fail_unless_no_error (run_to_end (pipeline));
    gst_element_set_state (pipeline, GST_STATE_NULL);
  }
}

GST_END_TEST;

/* --- Streams without timestamps --- */

#define NO_TIME G_MAXUINT

static void
push_segment (GstHarness * h, GstFormat format)
{
  GstSegment segment;

  gst_segment_init (&segment, format);
  fail_unless (gst_harness_push_event (h, gst_event_new_segment (&segment)));
}

/* Tests that frames and guides are paired in order if one of the two streams has no timestamps. */
GST_START_TEST (test_no_times)
{
  static const struct
  {
    GstFormat frames, guides;
    gboolean has_times[2];
  } cases[] = {
    {GST_FORMAT_BYTES, GST_FORMAT_TIME, {TRUE, TRUE}},
    {GST_FORMAT_TIME, GST_FORMAT_BYTES, {TRUE, TRUE}},
    {GST_FORMAT_DEFAULT, GST_FORMAT_BYTES, {FALSE, FALSE}},
    {GST_FORMAT_TIME, GST_FORMAT_TIME, {FALSE, TRUE}},
    {GST_FORMAT_TIME, GST_FORMAT_TIME, {TRUE, FALSE}},
    {GST_FORMAT_TIME, GST_FORMAT_TIME, {FALSE, FALSE}}
  };
  gint64 start;
  GstBuffer *out;
  Two two;

  two_init (&two, FILTER, GST_VIDEO_FORMAT_GRAY8, GST_VIDEO_FORMAT_GRAY8);
  push_segment (two.frames, cases[__i__].frames);
  push_segment (two.guides, cases[__i__].guides);
#define MS(i, ms) (cases[__i__].has_times[i] ? (ms) : NO_TIME)
  push_guide (&two, 10, MS (1, 0), 40);
  push_guide (&two, 11, MS (1, 40), 40);
  check_frame (&two, 1, MS (0, 0), 10, 0, FALSE);
  /* Starts to measure after the kernels were built. */
  start = g_get_monotonic_time ();
  check_frame (&two, 2, MS (0, 40), 11, 0, FALSE);
  fail_unless (gst_harness_push_event (two.guides, gst_event_new_gap (80 *
              GST_MSECOND, 40 * GST_MSECOND)));

  /* Checks that a guide for a frame that passed unchanged is not used for the next frame. */
  g_object_set (two.filter, "enabled", FALSE, NULL);
  out = harness_push_pull (two.frames, frame_at (&two.info, 3, MS (0, 80), 40));
  gst_buffer_unref (out);
  g_object_set (two.filter, "enabled", TRUE, NULL);
  push_guide (&two, 12, MS (1, 80), 40);
  push_guide (&two, 13, MS (1, 120), 40);
  check_frame (&two, 4, MS (0, 120), 13, 0, FALSE);

  /* Checks that the last guide stays in use. */
  fail_unless (gst_harness_push_event (two.guides, gst_event_new_eos ()));
  check_frame (&two, 5, MS (0, 160), 13, 0, FALSE);
#undef MS
  two_clear (&two);
  fail_unless (g_get_monotonic_time () - start < GUIDE_WAIT);
}

GST_END_TEST;

/* --- Latency --- */

#define FRAME (40 * GST_MSECOND)

/* Latencies of the frame input and of the guide input */
static struct
{
  gboolean live;
  GstClockTime min, max;
} inputs[2];
static Two *asked;

static gboolean
answer_latency (GstPad * pad, GstObject * parent, GstQuery * query)
{
  guint i = pad == asked->guides->srcpad;

  if (GST_QUERY_TYPE (query) != GST_QUERY_LATENCY)
    return gst_pad_query_default (pad, parent, query);
  gst_query_set_latency (query, inputs[i].live, inputs[i].min, inputs[i].max);
  return TRUE;
}

static void
check_latency (gboolean live, GstClockTime min, GstClockTime max)
{
  g_autoptr (GstQuery) query = gst_query_new_latency ();
  GstClockTime answered_min, answered_max;
  gboolean answered_live;

  fail_unless (gst_pad_peer_query (asked->frames->sinkpad, query));
  gst_query_parse_latency (query, &answered_live, &answered_min, &answered_max);
  fail_unless_equals_int (answered_live, live);
  fail_unless_equals_clocktime (answered_min, min);
  fail_unless_equals_clocktime (answered_max, max);
}

/* Tests the latency: the larger latency of both inputs, plus what the filter adds to each: for
 * frames, 2 frames in flight on a device with dedicated memory, and for guides, 4 guides that wait
 * for frames. The duration of a guide that has none is known when the next guide arrives. */
GST_START_TEST (test_latency)
{
  GError *error = NULL;
  g_autoptr (GstMgpuContext) context = gst_mgpu_context_new (NULL, &error);
  GstElement *filter = filter_new (FILTER);
  g_autoptr (GstBus) bus = gst_bus_new ();
  g_autoptr (GstContext) carrier = NULL;
  GstMessage *message;
  GstBuffer *out;
  Two two;

  fail_unless (context != NULL, "%s", error != NULL ? error->message : "");
  ((GstMgpuTraits *) gst_mgpu_context_get_traits (context))->unified_memory =
      FALSE;
  carrier = gst_context_new_mgpu_context (context);
  gst_element_set_context (filter, carrier);
  two_init_filter (&two, filter, GST_VIDEO_FORMAT_GRAY8, GST_VIDEO_FORMAT_GRAY8,
      WIDTH);
  asked = &two;
  gst_pad_set_query_function (two.frames->srcpad, answer_latency);
  gst_pad_set_query_function (two.guides->srcpad, answer_latency);
  gst_harness_set_sink_caps_str (two.frames, "video/x-raw");
  push_guide (&two, 5, 0, 40);
  out = harness_push_pull (two.frames, frame_at (&two.info, 1, 0, 40));
  gst_buffer_unref (out);

  inputs[0].live = inputs[1].live = TRUE;
  inputs[0].min = inputs[0].max = FRAME;
  inputs[1].min = inputs[1].max = 6 * FRAME;
  check_latency (TRUE, (6 + 2) * FRAME, (1 + 2) * FRAME);
  inputs[0].max = GST_CLOCK_TIME_NONE;
  check_latency (TRUE, (6 + 2) * FRAME, (6 + 3 + 2) * FRAME);
  inputs[0].min = 9 * FRAME;
  check_latency (TRUE, (9 + 2) * FRAME, (6 + 3 + 2) * FRAME);
  inputs[0].live = FALSE;
  inputs[1].max = GST_CLOCK_TIME_NONE;
  check_latency (TRUE, (6 + 2) * FRAME, GST_CLOCK_TIME_NONE);
  inputs[1].live = FALSE;
  inputs[0].min = 0;
  check_latency (FALSE, 0, GST_CLOCK_TIME_NONE);

  gst_element_set_bus (filter, bus);
  push_guide (&two, 5, 40, 0);
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_LATENCY);
  fail_unless (message != NULL);
  gst_message_unref (message);
  inputs[0].live = inputs[1].live = TRUE;
  check_latency (TRUE, (6 + 1 + 2) * FRAME, GST_CLOCK_TIME_NONE);

  gst_element_set_bus (filter, NULL);
  two_clear (&two);
}

GST_END_TEST;

CHECK_TESTS (mgpuguidestreams)
{
  tcase_add_loop_test (tc, test_seek_of_sinks, 0, 4);
  tcase_add_test (tc, test_seek_refused);
  tcase_add_test (tc, test_seek_without_guide);
  tcase_add_test (tc, test_seek_without_flush);
  tcase_add_test (tc, test_seek_beside_live_guide);
  tcase_add_test (tc, test_context);
  tcase_add_test (tc, test_pipeline);
  tcase_add_loop_test (tc, test_no_times, 0, 6);
  tcase_add_test (tc, test_latency);
}
