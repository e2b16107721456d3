/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests mgpumotion in streams that change: frames in flight, flushes, reverse playback, and pads
 * that are added and removed. */
#include "inflight.h"
#undef FRAME
#include "motionscene.h"

#include <stdio.h>

#define N_IN_FLIGHT 4

/* Returns: (transfer full): a stream of GRAY8 frames to an element on a device with dedicated
 * memory, with up to N_IN_FLIGHT frames in flight */
static GstHarness *
flight_open (const gchar * launch)
{
  GstHarness *h = discrete_new (launch);

  g_object_set (h->element, "max-in-flight", N_IN_FLIGHT, NULL);
  gst_harness_set_src_caps (h, caps_new (GST_VIDEO_FORMAT_GRAY8, WIDTH, HEIGHT,
          FALSE));
  return h;
}

/* Pushes frames like scene_begin_motion(), without waiting for each frame. */
static void
flight_begin_motion (GstHarness * h)
{
  for (gint i = 0; i < N_BEGIN; i++)
    fail_unless_equals_int (gst_harness_push (h, scene_frame (i, i >= STILL
                ? i : -1, 1)), GST_FLOW_OK);
}

/* --- Frames in flight --- */

static GstPadProbeReturn
hold (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  while (g_atomic_int_get ((gint *) data))
    g_usleep (1000);
  return GST_PAD_PROBE_OK;
}

/* Tests that with wait=false a frame gets its own regions or those of an earlier frame, never those
 * of a later frame, although these are known before the frame is pushed. */
GST_START_TEST (test_late)
{
  g_autoptr (GstHarness) h = flight_open ("mgpumotion name=f wait=false");
  gint holds_push = FALSE;

  gst_pad_add_probe (h->sinkpad, GST_PAD_PROBE_TYPE_BUFFER, hold, &holds_push,
      NULL);
  flight_begin_motion (h);
  wait_for_all (h);
  for (gint i = 0; i < N_BEGIN; i++)
    gst_buffer_unref (harness_pull (h));
  for (gint i = N_BEGIN; i < N_BEGIN + 30; i += 3) {
    g_atomic_int_set (&holds_push, TRUE);
    for (gint k = i; k < i + 3; k++)
      fail_unless_equals_int (gst_harness_push (h, scene_frame (k, k, 1)),
          GST_FLOW_OK);
    /* Waits until the results of all three frames are read. */
    g_usleep (50000);
    g_atomic_int_set (&holds_push, FALSE);
    for (gint k = i; k < i + 3; k++) {
      g_autoptr (GstBuffer) out = harness_pull (h);
      GstMgpuMovingMeta *meta = gst_buffer_get_mgpu_moving_meta (out);

      fail_unless_equals_int (GST_BUFFER_PTS (out) / FRAME_TIME, k);
      fail_unless (gst_mgpu_moving_meta_get_late (meta) <= (guint) k,
          "frame %d: %u", k, gst_mgpu_moving_meta_get_late (meta));
    }
  }
}

GST_END_TEST;

/* Takes the output for frames @begin to @end - 1, each of which is a frame or a GAP event. Returns:
 * the number of frames. @disconts: how many of these have the flag DISCONT */
static gint
take_gated (GstHarness * h, gint begin, gint end, guint * disconts)
{
  g_autofree gboolean *seen = g_new0 (gboolean, end);
  gint n = 0, n_seen = 0;
  GstClockTime time;
  GstBuffer *buffer;
  GstEvent *event;

  *disconts = 0;
  wait_for_all (h);
  while ((buffer = gst_harness_try_pull (h)) != NULL) {
    gint i = GST_BUFFER_PTS (buffer) / FRAME_TIME;

    fail_unless (i >= begin && i < end && !seen[i], "frame %d", i);
    seen[i] = TRUE;
    n++;
    *disconts += GST_BUFFER_IS_DISCONT (buffer);
    gst_buffer_unref (buffer);
  }
  while ((event = gst_harness_try_pull_event (h)) != NULL) {
    if (GST_EVENT_TYPE (event) == GST_EVENT_GAP) {
      gint i;

      gst_event_parse_gap (event, &time, NULL);
      i = time / FRAME_TIME;
      fail_unless (i >= begin && i < end && !seen[i], "gap %d", i);
      seen[i] = TRUE;
    }
    gst_event_unref (event);
  }
  for (gint i = begin; i < end; i++)
    n_seen += seen[i];
  fail_unless (n_seen == end - begin, "%d", n_seen);
  return n;
}

/* Tests the gate with frames in flight: for each frame, the frame or a GAP event is pushed, and the
 * first frame after a gap has the flag DISCONT. After a flush the background is not known, so that
 * all frames become gaps at first. */
GST_START_TEST (test_gate)
{
  g_autoptr (GstHarness) h =
      flight_open ("mgpumotion name=f gate=true stop-delay=0.4");
  guint disconts;
  gint n;

  for (guint round = 0; round < 2; round++) {
    gint begin = round * 200;

    for (gint i = begin; i < begin + 120; i++)
      fail_unless_equals_int (gst_harness_push (h, scene_frame (i,
                  i >= begin + 60 && i < begin + 90 ? i : -1, 1)), GST_FLOW_OK);
    n = take_gated (h, begin, begin + 120, &disconts);
    fail_unless (n >= 29 && n <= 38, "%u: %d", round, n);
    fail_unless_equals_int (disconts, 1);
    flush (h);
  }
}

GST_END_TEST;

/* --- Reverse playback --- */

/* Tests that in reverse playback motion also stops after stop-delay, and that tampering is reported
 * after tamper-time. */
GST_START_TEST (test_reverse)
{
  g_autoptr (GstHarness) h = scene_open ("mgpumotion name=f stop-delay=1 "
      "tamper-time=0.4");
  GstBus *bus = harness_bus (h);
  g_autofree gchar *messages = NULL;
  gint started = -1, stopped = -1, dark = -1;
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  segment.rate = -1;
  segment.stop = 300 * FRAME_TIME;
  fail_unless (gst_harness_push_event (h, gst_event_new_segment (&segment)));
  for (gint i = 0; i < 170; i++) {
    GstBuffer *in = scene_frame (299 - i, i >= 60 && i < 100 ? i : -1, 1);

    if (i >= 150)
      gst_buffer_memset (in, 0, 0, -1);
    gst_buffer_unref (harness_push_pull (h, in));
  }
  messages = scene_take_messages (bus);
  GST_INFO ("%s", messages);
  fail_unless_equals_int (sscanf (messages, "started %d stopped %d dark %d",
          &started, &stopped, &dark), 3);
  fail_unless (started <= 299 - 67 && started >= 299 - 70, "%s", messages);
  fail_unless (stopped <= 299 - 124 && stopped >= 299 - 130, "%s", messages);
  fail_unless_equals_int (dark, 299 - 160);
}

GST_END_TEST;

/* --- The pad mask_src --- */

/* Tests frames of other contexts, to which the element switches: masks are then also in these
 * contexts. */
GST_START_TEST (test_contexts)
{
  g_autoptr (GstElement) f = gst_element_factory_make ("mgpumotion", "f");
  GstHarness *masks = gst_harness_new_with_element (f, NULL, "mask_src");
  GstHarness *h = gst_harness_new_with_element (f, "sink", "src");
  const gchar *caps = DEVICE_CAPS ("GRAY8", 160, 120);
  GstVideoInfo info = info_from_string (caps);

  gst_harness_set_src_caps_str (h, caps);
  for (gint i = 0; i < 4; i++) {
    g_autoptr (GstMgpuContext) context = gst_mgpu_context_new (NULL, NULL);
    GstBuffer *in = device_frame_new (context, &info, i);

    GST_BUFFER_PTS (in) = i * FRAME_TIME;
    gst_buffer_unref (harness_push_pull (h, in));
    gst_buffer_unref (harness_pull (masks));
  }
  gst_harness_teardown (masks);
  gst_harness_teardown (h);
}

GST_END_TEST;

typedef struct
{
  GstHarness *h;
  gint stops, n_frames;
  GstFlowReturn flow;
} Pusher;

static gpointer
push_frames (gpointer data)
{
  Pusher *self = data;

  for (gint i = 0; !g_atomic_int_get (&self->stops)
      && self->flow == GST_FLOW_OK; i++) {
    g_atomic_int_set (&self->flow, gst_harness_push (self->h, scene_frame (i, i,
                1)));
    g_atomic_int_inc (&self->n_frames);
  }
  return NULL;
}

/* Blocks a mask until @pad is deactivated, for at most a second. */
static GstPadProbeReturn
wait_until_inactive (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  g_atomic_int_set ((gint *) data, TRUE);
  for (guint i = 0; i < 10000 && !GST_PAD_IS_FLUSHING (pad); i++)
    g_usleep (100);
  return GST_PAD_PROBE_OK;
}

/* Tests that the mask pad is requested, linked, and released while it pushes a mask: the stream
 * continues. */
GST_START_TEST (test_released)
{
  g_autoptr (GstHarness) h = __i__ == 0 ? scene_open ("mgpumotion name=f")
      : flight_open ("mgpumotion name=f");
  Pusher pusher = { h };
  GThread *thread;

  gst_harness_set_drop_buffers (h, TRUE);
  thread = g_thread_new ("pusher", push_frames, &pusher);
  for (guint i = 0; i < 40; i++) {
    GstHarness *masks = gst_harness_new_with_element (h->element, NULL, NULL);
    GstPad *pad = gst_element_request_pad_simple (h->element, "mask_src");
    gint pushes = FALSE;

    gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, wait_until_inactive,
        &pushes, NULL);
    gst_harness_add_element_src_pad (masks, pad);
    while (!g_atomic_int_get (&pushes)
        && g_atomic_int_get (&pusher.flow) == GST_FLOW_OK)
      g_usleep (100);
    gst_element_release_request_pad (h->element, pad);
    gst_object_unref (pad);
    gst_harness_teardown (masks);
  }
  g_atomic_int_set (&pusher.stops, TRUE);
  g_thread_join (thread);
  fail_unless_equals_int (pusher.flow, GST_FLOW_OK);
}

GST_END_TEST;

CHECK_TESTS (mgpumotionstreams)
{
  tcase_add_checked_fixture (tc, NULL, let_through);
  tcase_add_test (tc, test_late);
  tcase_add_test (tc, test_gate);
  tcase_add_test (tc, test_reverse);
  tcase_add_test (tc, test_contexts);
  tcase_add_loop_test (tc, test_released, 0, 2);
}
