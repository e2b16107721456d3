/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests several mgputags elements in one process, on a device that finishes no command. */
#include "../launches.h"
#include "inflight.h"
#include "tags.h"

#define N_STREAMS 8
#define N_FRAMES 3

/* Maximum number of kernel launches for a frame */
#define MAX_LAUNCHES 14

static gint n_launches;

static cl_int
on_launch (cl_kernel kernel, cl_uint n_dims, const size_t *global)
{
  g_atomic_int_inc (&n_launches);
  return CL_SUCCESS;
}

/* Returns: (transfer full): frame @i of stream @stream, with its own tag */
static GstBuffer *
stream_frame (guint stream, guint i)
{
  DrawnTag tag = { "tag36h11", stream * N_FRAMES + i,
    {80 + 2 * stream, 60, 180, 62, 178, 160, 82, 162}
  };

  return tags_frame (i, &tag, 1);
}

static void
pull_own (GstHarness * h, guint stream, guint i)
{
  g_autoptr (GstBuffer) out = harness_pull (h);
  GstMgpuTagMeta *meta = gst_buffer_get_mgpu_tag_meta (out);
  GstMgpuTag tag;

  fail_unless_equals_clocktime (GST_BUFFER_PTS (out), i * FRAME);
  fail_unless (meta != NULL);
  fail_unless_equals_int (gst_mgpu_tag_meta_get_n_tags (meta), 1);
  fail_unless (gst_mgpu_tag_meta_get_tag (meta, 0, &tag));
  fail_unless_equals_int (tag.id, stream * N_FRAMES + i);
}

/* Tests that the thread that pushes the frames of all streams never waits for the device, and that
 * each frame gets its own tag. */
GST_START_TEST (test_streams)
{
  GstContext *carrier = discrete_carrier ();
  GstHarness *streams[N_STREAMS];

  for (guint s = 0; s < N_STREAMS; s++) {
    GstElement *element = gst_element_factory_make ("mgputags", NULL);

    gst_element_set_context (element, carrier);
    g_object_set (element, "max-in-flight", N_FRAMES + 1, NULL);
    streams[s] = gst_harness_new_with_element (element, "sink", "src");
    gst_object_unref (element);
    gst_harness_set_sink_caps_str (streams[s], GRAY_CAPS);
    gst_harness_set_src_caps_str (streams[s], GRAY_CAPS);
    fail_unless_equals_int (gst_harness_push (streams[s], stream_frame (s, 0)),
        GST_FLOW_OK);
    pull_own (streams[s], s, 0);
  }
  gst_context_unref (carrier);

  g_atomic_int_set (&n_launches, 0);
  g_atomic_int_set (&closed, TRUE);
  for (guint i = 0; i < N_FRAMES; i++)
    for (guint s = 0; s < N_STREAMS; s++)
      fail_unless_equals_int (gst_harness_push (streams[s],
              stream_frame (s, i)), GST_FLOW_OK);
  for (guint s = 0; s < N_STREAMS; s++)
    fail_unless_equals_int (gst_harness_buffers_received (streams[s]), 1);
  g_print ("%d launches for a frame\n", n_launches / (N_STREAMS * N_FRAMES));
  fail_unless (n_launches <= MAX_LAUNCHES * N_STREAMS * N_FRAMES,
      "%d launches", n_launches);
  let_through ();
  for (guint s = 0; s < N_STREAMS; s++) {
    for (guint i = 0; i < N_FRAMES; i++)
      pull_own (streams[s], s, i);
    gst_harness_teardown (streams[s]);
  }
}

GST_END_TEST;

/* Returns: the number of messages on @bus about appearing tags, minus the number about disappearing
 * tags. @n: the number of all these messages */
static gint
take_events (GstBus * bus, guint * n)
{
  GstMessage *message;
  gint in_view = 0;

  *n = 0;
  while ((message = gst_bus_pop_filtered (bus, GST_MESSAGE_ELEMENT)) != NULL) {
    const GstStructure *s = gst_message_get_structure (message);

    *n += 1;
    in_view += g_strcmp0 (gst_structure_get_string (s, "event"), "appeared")
        == 0 ? 1 : -1;
    gst_message_unref (message);
  }
  return in_view;
}

/* Tests that frames that a flush drops while they are in flight leave no tags and no messages
 * behind for later frames in the same buffers. */
GST_START_TEST (test_flush)
{
  g_autoptr (GstHarness) h = discrete_new ("mgputags appear-frames=1");
  g_autoptr (GstBufferPool) pool = gst_buffer_pool_new ();
  g_autoptr (GstCaps) caps = gst_caps_from_string (GRAY_CAPS);
  GstStructure *config = gst_buffer_pool_get_config (pool);
  GstBus *bus = harness_bus (h);
  guint n;

  gst_buffer_pool_config_set_params (config, caps, WIDTH * HEIGHT, 2, 2);
  fail_unless (gst_buffer_pool_set_config (pool, config));
  fail_unless (gst_buffer_pool_set_active (pool, TRUE));
  g_object_set (h->element, "max-in-flight", N_FRAMES + 1, NULL);
  gst_harness_set_src_caps_str (h, GRAY_CAPS);
  fail_unless_equals_int (gst_harness_push (h, stream_frame (0, 0)),
      GST_FLOW_OK);
  pull_own (h, 0, 0);
  fail_unless_equals_int (take_events (bus, &n), 1);

  for (guint round = 0; round < 2; round++) {
    g_atomic_int_set (&closed, round == 0);
    for (guint i = 0; i < 2; i++) {
      g_autoptr (GstBuffer) from = round == 0 ? stream_frame (1, i)
          : tags_frame (i, NULL, 0);
      GstBuffer *frame;
      GstMapInfo map;

      fail_unless_equals_int (gst_buffer_pool_acquire_buffer (pool, &frame,
              NULL), GST_FLOW_OK);
      fail_unless (gst_buffer_map (from, &map, GST_MAP_READ));
      gst_buffer_fill (frame, 0, map.data, map.size);
      gst_buffer_unmap (from, &map);
      fail_unless_equals_int (gst_harness_push (h, frame), GST_FLOW_OK);
    }
    if (round == 0) {
      GThread *gate = g_thread_new ("gate", let_through_soon, NULL);

      flush (h);
      g_thread_join (gate);
      fail_unless (gst_harness_try_pull (h) == NULL);
      fail_unless_equals_int (take_events (bus, &n), -1);
    }
  }
  for (guint i = 0; i < 2; i++) {
    g_autoptr (GstBuffer) out = harness_pull (h);

    fail_if (gst_buffer_get_mgpu_tag_meta (out) != NULL);
    fail_if (gst_buffer_get_video_region_of_interest_meta (out) != NULL);
  }
  take_events (bus, &n);
  fail_unless_equals_int (n, 0);
  fail_unless (gst_buffer_pool_set_active (pool, FALSE));
}

GST_END_TEST;

/* Sets a property of @element, to a value that depends on @i. */
static void
change (GstElement * element, guint i)
{
  if (i % 5 == 0)
    g_object_set (element, "max-hamming", i % 8, "min-evidence",
        i % 3 == 0 ? 0.0 : 13.5, NULL);
  else if (i % 5 == 1)
    g_object_set (element, "polarity", i % 3, "refine", (i + 1) % 3, NULL);
  else if (i % 5 == 2)
    g_object_set (element, "frame-interval", 1 + i % 3, "roi-type",
        i % 2 == 0 ? "*" : NULL, NULL);
  else if (i % 5 == 3)
    g_object_set (element, "enabled", i % 4 != 0, "max-in-flight", 1 + i % 4,
        NULL);
  else
    g_object_set (element, "min-size", i % 2 == 0 ? 4.0 : 40.0,
        "appear-frames", 1 + i % 3, NULL);
}

/* Tests caps from 1x1 on, seeks, and changing properties, while two elements after a tee search for
 * tags of all families in noise: nothing fails, and both streams end. */
GST_START_TEST (test_changes)
{
  static const gchar *const caps[] = {
    "GRAY8,width=1,height=1", "NV12,width=320,height=240",
    "GRAY16_LE,width=17,height=33", "RGBA,width=1,height=64",
    "P010_10LE,width=640,height=480", "GRAY8,width=333,height=1",
    "GRAY8,width=4096,height=2160"
  };
  GstContext *carrier = discrete_carrier ();
  g_autoptr (GstElement) pipeline =
      gst_parse_launch
      ("videotestsrc name=s pattern=snow ! capsfilter name=c ! "
      "tee name=t ! queue max-size-buffers=2 ! mgputags name=a families=tag36h11,"
      "tag25h9,tagStandard52h13,tagAruco4x4_50,tagArucoOriginal ! fakesink "
      "async=false t. ! queue max-size-buffers=2 ! mgputags name=b tag-size=0.1 "
      "camera=300,300,160,120 polarity=both ! fakesink async=false", NULL);
  g_autoptr (GstElement) filter = gst_bin_get_by_name (GST_BIN (pipeline), "c");
  g_autoptr (GstElement) a = gst_bin_get_by_name (GST_BIN (pipeline), "a");
  g_autoptr (GstElement) b = gst_bin_get_by_name (GST_BIN (pipeline), "b");
  GstBus *bus = gst_element_get_bus (pipeline);
  GstMessage *message;

  gst_element_set_context (pipeline, carrier);
  gst_context_unref (carrier);
  for (guint i = 0; i < 35; i++) {
    g_autofree gchar *text = g_strdup_printf ("video/x-raw,format=%s,"
        "framerate=25/1%s", caps[i / 5 % G_N_ELEMENTS (caps)],
        i % 2 == 0 ? "" : ",interlace-mode=interleaved");
    g_autoptr (GstCaps) next = gst_caps_from_string (text);

    if (i % 5 == 0)
      g_object_set (filter, "caps", next, NULL);
    if (i == 0)
      gst_element_set_state (pipeline, GST_STATE_PLAYING);
    if (i % 7 == 6)
      gst_element_seek_simple (pipeline, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH,
          (i % 3) * GST_SECOND);
    change (i % 2 == 0 ? a : b, i);
    g_usleep (20000);
  }
  gst_element_send_event (pipeline, gst_event_new_eos ());
  message = gst_bus_timed_pop_filtered (bus, 120 * GST_SECOND,
      GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  fail_unless (message != NULL);
  fail_unless_equals_int (GST_MESSAGE_TYPE (message), GST_MESSAGE_EOS);
  gst_message_unref (message);
  gst_object_unref (bus);
  gst_element_set_state (pipeline, GST_STATE_NULL);
}

GST_END_TEST;

CHECK_TESTS (mgputagsstreams)
{
  tcase_add_checked_fixture (tc, NULL, let_through);
  tcase_add_test (tc, test_streams);
  tcase_add_test (tc, test_flush);
  tcase_add_test (tc, test_changes);
}
