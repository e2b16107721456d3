/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests mgpuhog while several frames are in flight. */
#include "inflight.h"
#include "hog.h"
#include "hogmodel.h"
#include "items.h"

#define LARGE HOST_CAPS ("GRAY8", 640, 480)
#define N_FRAMES 3

/* For each frame, the columns that are searched (x and width), and the properties of the search */
static const struct
{
  guint x, width;
  gdouble threshold;
  guint min_height;
} searches[N_FRAMES] = { {0, 640, -100, 0}, {0, 200, -0.5, 0},
{300, 300, -100, 150}
};

/* Pushes the frames, each with its own region and property values. */
static void
push_frames (GstHarness * h, gboolean is_gated)
{
  GstVideoInfo info = info_from_string (LARGE);

  for (guint i = 0; i < N_FRAMES; i++) {
    GstBuffer *in = frame_new (&info, LAYOUT_DEFAULT, i);

    g_object_set (h->element, "threshold", searches[i].threshold,
        "min-height", searches[i].min_height, NULL);
    GST_BUFFER_PTS (in) = i * FRAME;
    gst_buffer_add_video_region_of_interest_meta (in, "door", searches[i].x, 0,
        searches[i].width, 480);
    fail_unless_equals_int (gst_harness_push (h, in), GST_FLOW_OK);
  }
  fail_unless (!is_gated || gst_harness_buffers_received (h) == 0);
}

/* Returns: (transfer full): the detections of each frame as text. @launch: the mgpuhog with its
 * detector */
static gchar *
find (const gchar * launch, gboolean is_gated)
{
  GstHarness *h = discrete_new (launch);
  GString *all = g_string_new (NULL);
  GThread *gate = NULL;

  g_object_set (h->element, "max-in-flight", is_gated ? N_FRAMES + 1 : 1,
      "roi-type", "door", "nms-overlap", 1.0, "max-detections", 0,
      "group-threshold", 0, NULL);
  gst_harness_set_src_caps_str (h, LARGE);
  g_atomic_int_set (&closed, is_gated);
  push_frames (h, is_gated);
  if (is_gated)
    gate = g_thread_new ("gate", let_through_soon, NULL);
  for (guint i = 0; i < N_FRAMES; i++) {
    g_autoptr (GstBuffer) out = harness_pull (h);
    gpointer state = NULL;
    GstMeta *meta;

    fail_unless_equals_clocktime (GST_BUFFER_PTS (out), i * FRAME);
    g_string_append_printf (all, "frame %u\n", i);
    while ((meta = gst_buffer_iterate_meta_filtered (out, &state,
                GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE)) != NULL) {
      GstVideoRegionOfInterestMeta *roi = (GstVideoRegionOfInterestMeta *) meta;
      GstStructure *s = gst_video_region_of_interest_meta_get_param (roi,
          "detection");
      gdouble score = 0;

      if (s != NULL)
        gst_structure_get_double (s, "score", &score);
      g_string_append_printf (all, "%d: %ux%u+%u+%u %a\n", roi->id, roi->w,
          roi->h, roi->x, roi->y, score);
    }
  }
  if (gate != NULL)
    g_thread_join (gate);
  gst_harness_teardown (h);
  return g_string_free (all, FALSE);
}

/* Tests that the streaming thread does not wait for detections. Each frame has the same detections
 * as with only one frame in flight, even if later frames are searched in other regions. The first
 * frame has more hits than the list of detections holds. */
GST_START_TEST (test_own)
{
  g_autofree gchar *launch = __i__ == 0 ? g_strdup ("mgpuhog name=f box=window")
      : g_strdup_printf ("mgpuhog name=f model=\"%s\"", path);
  g_autofree gchar *one = find (launch, FALSE);
  g_autofree gchar *many = find (launch, TRUE);

  fail_unless_equals_string (many, one);
  fail_unless (strlen (one) > 100000, "%s", one);
}

GST_END_TEST;

/* Tests that messages are posted in the order of the frames, and before the frame itself is
 * pushed. */
GST_START_TEST (test_messages)
{
  g_autoptr (GstHarness) h = discrete_new ("mgpuhog post-messages=true");
  GstBus *bus = harness_bus (h);

  g_object_set (h->element, "max-in-flight", 4, NULL);
  for (guint i = 0; i < 10; i++)
    push_numbered (h, i);
  for (guint i = 0; i < 10; i++) {
    g_autoptr (GstBuffer) out = harness_pull (h);
    g_autoptr (GstMessage) message = gst_bus_pop_filtered (bus,
        GST_MESSAGE_ELEMENT);
    GstClockTime time;

    fail_unless (message != NULL);
    fail_unless (gst_message_has_name (message, "mgpu-detections"));
    fail_unless (gst_structure_get_clock_time (gst_message_get_structure
            (message), "timestamp", &time));
    fail_unless_equals_clocktime (time, GST_BUFFER_PTS (out));
  }
}

GST_END_TEST;

/* Tests new caps, a flush and the end of the stream while frames are in flight. */
GST_START_TEST (test_caps)
{
  g_autoptr (GstHarness) h = discrete_new ("mgpuhog threshold=-100");
  GstSegment segment;
  GThread *gate;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  g_object_set (h->element, "max-in-flight", 4, NULL);
  for (guint i = 0; i < 6; i++) {
    g_atomic_int_set (&closed, TRUE);
    push_numbered (h, 0);
    push_numbered (h, 1);
    gate = g_thread_new ("gate", let_through_soon, NULL);
    if (i % 3 == 1) {
      fail_unless (gst_harness_push_event (h, gst_event_new_flush_start ()));
      fail_unless (gst_harness_push_event (h, gst_event_new_flush_stop (TRUE)));
      fail_unless (gst_harness_push_event (h,
              gst_event_new_segment (&segment)));
    } else if (i % 3 == 0) {
      gst_harness_set_src_caps_str (h, LARGE);
      gst_harness_set_src_caps_str (h, CAPS);
    } else {
      fail_unless (gst_harness_push_event (h, gst_event_new_gap (2 * FRAME,
                  FRAME)));
    }
    g_thread_join (gate);
    if (i % 3 != 1)
      for (guint k = 0; k < 2; k++)
        pull_numbered (h, k);
    fail_unless (gst_harness_try_pull (h) == NULL);
  }
  push_numbered (h, 3);
  fail_unless (gst_harness_push_event (h, gst_event_new_eos ()));
  pull_numbered (h, 3);
}

GST_END_TEST;

typedef struct
{
  GstHarness *h;
  gint is_done;
} Changer;

static gpointer
change_caps (gpointer data)
{
  Changer *changer = data;
  g_autoptr (GstCaps) caps = gst_caps_from_string (LARGE);

  /* Fails if the flush happens first. */
  gst_pad_push_event (changer->h->srcpad, gst_event_new_caps (caps));
  g_atomic_int_set (&changer->is_done, TRUE);
  return NULL;
}

/* Tests that new caps during a flush do not free resources that another thread needs to finish a
 * frame. */
GST_START_TEST (test_flush_in_change)
{
  g_autoptr (GstHarness) h = discrete_new ("mgpuhog");
  Changer changer = { h, FALSE };
  GThread *thread;

  g_object_set (h->element, "max-in-flight", 4, NULL);
  g_atomic_int_set (&closed, TRUE);
  push_numbered (h, 0);
  thread = g_thread_new ("caps", change_caps, &changer);
  g_usleep (50000);
  fail_unless (gst_harness_push_event (h, gst_event_new_flush_start ()));
  g_usleep (50000);
  fail_unless (!g_atomic_int_get (&changer.is_done));
  let_through ();
  g_thread_join (thread);
  fail_unless (gst_harness_push_event (h, gst_event_new_flush_stop (TRUE)));
}

GST_END_TEST;

/* Tests that a frame that a flush drops leaves no detections behind for the next frame in its
 * buffer. */
GST_START_TEST (test_reused)
{
  g_autoptr (GstHarness) h = discrete_new ("mgpuhog threshold=-100");
  g_autoptr (GstBufferPool) pool = gst_buffer_pool_new ();
  g_autoptr (GstCaps) caps = gst_caps_from_string (CAPS);
  GstStructure *config = gst_buffer_pool_get_config (pool);
  GstVideoInfo info = info_from_string (CAPS);
  GstBuffer *frames[2];
  GThread *gate;

  gst_buffer_pool_config_set_params (config, caps, info.size, 2, 2);
  fail_unless (gst_buffer_pool_set_config (pool, config));
  fail_unless (gst_buffer_pool_set_active (pool, TRUE));
  g_object_set (h->element, "max-in-flight", 4, NULL);
  g_atomic_int_set (&closed, TRUE);
  for (guint round = 0; round < 2; round++) {
    for (guint i = 0; i < 2; i++) {
      fail_unless_equals_int (gst_buffer_pool_acquire_buffer (pool, &frames[i],
              NULL), GST_FLOW_OK);
      gst_buffer_memset (frames[i], 0, 0, info.size);
    }
    for (guint i = 0; i < 2; i++)
      fail_unless_equals_int (gst_harness_push (h, frames[i]), GST_FLOW_OK);
    if (round == 0) {
      gate = g_thread_new ("gate", let_through_soon, NULL);
      flush (h);
      g_thread_join (gate);
      fail_unless (gst_harness_try_pull (h) == NULL);
      g_object_set (h->element, "enabled", FALSE, NULL);
    }
  }
  for (guint i = 0; i < 2; i++) {
    g_autoptr (GstBuffer) out = harness_pull (h);

    fail_if (gst_buffer_get_meta (out,
            GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE) != NULL);
  }
  fail_unless (gst_buffer_pool_set_active (pool, FALSE));
}

GST_END_TEST;

CHECK_TESTS (mgpuhoginflight)
{
  tcase_add_checked_fixture (tc, setup, file_end);
  tcase_add_checked_fixture (tc, NULL, let_through);
  tcase_add_loop_test (tc, test_own, 0, 2);
  tcase_add_test (tc, test_messages);
  tcase_add_test (tc, test_caps);
  tcase_add_test (tc, test_flush_in_change);
  tcase_add_test (tc, test_reused);
}
