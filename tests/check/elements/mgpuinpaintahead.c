/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests mgpuinpaint with look-ahead: frames wait for later frames, which show what a mask hides in
 * them. */
#include "inpaint.h"

#define WIDTH 96
#define HEIGHT 64
#define CAPS HOST_CAPS ("GRAY8", 96, 64)

#define LAUNCH "mgpuinpaint name=f background=true mode=temporal mask-source=roi " \
    "search-factor=0.2 max-in-flight=1 "

/* A box that a mask covers; it moves by STEP columns per frame. */
#define BOX_Y 20
#define BOX_WIDTH 24
#define BOX_HEIGHT 30
#define STEP 8

static guint8
get_truth (guint scene, gint x, gint y)
{
  return scene > 0 ? 250 - (x * 3 + y * y) % 60 : 20 + (x * x / 3 + y * 5) % 90;
}

/* Returns: (transfer full): frame @i of a scene, with a white object in a box, and a region of
 * interest around it. The frame begins at an odd offset in its memory, because even a device that
 * shares memory with the host may have to copy such a frame. */
static GstBuffer *
paint (guint scene, gint i, gsize offset)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, WIDTH * HEIGHT + offset,
      NULL);
  gint left = 4 + STEP * (i % 7);
  GstMapInfo map;

  gst_buffer_resize (buffer, offset, WIDTH * HEIGHT);
  fail_unless (gst_buffer_map (buffer, &map, GST_MAP_WRITE));
  for (gint y = 0; y < HEIGHT; y++)
    for (gint x = 0; x < WIDTH; x++)
      map.data[y * WIDTH + x] = x >= left && x < left + BOX_WIDTH && y >= BOX_Y
          && y < BOX_Y + BOX_HEIGHT ? 255 : get_truth (scene, x, y);
  gst_buffer_unmap (buffer, &map);
  GST_BUFFER_PTS (buffer) = i * 40 * GST_MSECOND;
  GST_BUFFER_DURATION (buffer) = 40 * GST_MSECOND;
  gst_buffer_add_video_region_of_interest_meta (buffer, "person", left, BOX_Y,
      BOX_WIDTH, BOX_HEIGHT);
  return buffer;
}

static void
push (GstHarness * h, guint scene, gint i)
{
  fail_unless_equals_int (gst_harness_push (h, paint (scene, i, 0)),
      GST_FLOW_OK);
}

/* Pulls the next frame, which has to be frame @i. Returns: how many of its pixels differ from the
 * scene without the box */
static gint
pull (GstHarness * h, guint scene, gint i)
{
  g_autoptr (GstBuffer) buffer = gst_harness_try_pull (h);
  gint n = 0;
  GstMapInfo map;

  fail_unless (buffer != NULL, "frame %d has not left", i);
  fail_unless_equals_uint64 (GST_BUFFER_PTS (buffer), i * 40 * GST_MSECOND);
  fail_unless (gst_buffer_map (buffer, &map, GST_MAP_READ));
  for (gint k = 0; k < WIDTH * HEIGHT; k++)
    n += map.data[k] != get_truth (scene, k % WIDTH, k / WIDTH);
  gst_buffer_unmap (buffer, &map);
  return n;
}

static void
check_latency (GstHarness * h, GstClockTime latency)
{
  fail_unless_equals_uint64 (gst_harness_query_latency (h), latency);
}

/* Tests that the hole is filled with exactly what one of the next frames shows. Without look-ahead,
 * patches fill the hole in the first frames. All frames are pushed at EOS. */
GST_START_TEST (test_known)
{
  guint ahead = 3 * (__i__ % 2);
  gsize offset = 8 * (__i__ / 2);
  g_autofree gchar *launch = g_strdup_printf (LAUNCH "look-ahead=%u", ahead);
  g_autoptr (GstHarness) h = harness_new (launch, CAPS, CAPS);

  for (gint i = 0; i < 7; i++) {
    fail_unless_equals_int (gst_harness_push (h, paint (0, i, offset)),
        GST_FLOW_OK);
    fail_unless_equals_int (gst_harness_buffers_received (h),
        MAX (i + 1 - (gint) ahead, 0));
  }
  fail_unless (gst_harness_push_event (h, gst_event_new_eos ()));
  for (gint i = 0; i < 7; i++) {
    gint n = pull (h, 0, i);

    /* The box has left its first position after three frames, but the background there starts to
     * become visible in the second frame. */
    fail_unless (n == 0 || ahead == 0, "frame %d: %d", i, n);
    fail_unless (i > 0 || ahead > 0 || n > BOX_WIDTH * BOX_HEIGHT / 2, "%d", n);
  }
  /* A frame that has to be copied to the device is uploaded only once, although kernels read it
   * when it arrives and when it is pushed. */
  fail_unless (harness_stat (h, "uploads") <= 7);
}

GST_END_TEST;

/* Tests that the latency includes frames that wait for later frames, as long as a background is
 * stored. */
GST_START_TEST (test_latency)
{
  g_autoptr (GstHarness) h = harness_new (LAUNCH "look-ahead=5", CAPS, CAPS);
  g_autoptr (GstElement) f = harness_filter (h);

  gst_harness_set_live (h, TRUE);
  push (h, 0, 0);
  check_latency (h, 5 * 40 * GST_MSECOND);
  fail_unless_equals_int (gst_harness_buffers_received (h), 0);
  g_object_set (f, "background", FALSE, NULL);
  check_latency (h, 0);
  push (h, 0, 1);
  fail_unless_equals_int (gst_harness_buffers_received (h), 2);
  g_object_set (f, "background", TRUE, NULL);
  check_latency (h, 5 * 40 * GST_MSECOND);
  push (h, 0, 2);
  fail_unless_equals_int (gst_harness_buffers_received (h), 2);
}

GST_END_TEST;

/* Tests that frames of a scene are filled only with what was visible in this scene, also when
 * another scene has begun. */
GST_START_TEST (test_cut)
{
  g_autoptr (GstHarness) h = harness_new (LAUNCH "look-ahead=4", CAPS, CAPS);

  for (gint i = 0; i < 14; i++)
    push (h, i >= 7, i);
  fail_unless (gst_harness_push_event (h, gst_event_new_eos ()));
  for (gint i = 0; i < 14; i++)
    fail_unless_equals_int (pull (h, i >= 7, i), 0);
}

GST_END_TEST;

/* Tests that a new segment and new caps push all waiting frames, and that a flush drops them. A
 * frame of a disabled element also waits. */
GST_START_TEST (test_events)
{
  g_autoptr (GstHarness) h =
      harness_new (LAUNCH "look-ahead=3", CAPS, "video/x-raw");
  g_autoptr (GstElement) f = harness_filter (h);
  GstSegment segment;

  for (gint i = 0; i < 4; i++)
    push (h, 0, i);
  fail_unless_equals_int (pull (h, 0, 0), 0);
  gst_segment_init (&segment, GST_FORMAT_TIME);
  fail_unless (gst_harness_push_event (h, gst_event_new_segment (&segment)));
  for (gint i = 1; i < 4; i++)
    fail_unless_equals_int (pull (h, 0, i), 0);

  /* Flushes, which drops the waiting frames. */
  for (gint i = 0; i < 3; i++)
    push (h, 1, i);
  fail_unless (gst_harness_try_pull (h) == NULL);
  fail_unless (gst_harness_push_event (h, gst_event_new_flush_start ()));
  fail_unless (gst_harness_push_event (h, gst_event_new_flush_stop (TRUE)));
  fail_unless (gst_harness_push_event (h, gst_event_new_segment (&segment)));
  for (gint i = 0; i < 4; i++)
    push (h, 0, i);
  fail_unless_equals_int (pull (h, 0, 0), 0);

  /* Disables the element: a frame that arrives then waits with the others, and does not change. */
  g_object_set (f, "enabled", FALSE, NULL);
  push (h, 0, 4);
  fail_unless_equals_int (pull (h, 0, 1), 0);
  g_object_set (f, "enabled", TRUE, NULL);
  push (h, 0, 5);
  fail_unless_equals_int (pull (h, 0, 2), 0);
  fail_unless_equals_int (pull (h, 0, 3), 0);
  fail_unless_equals_int (pull (h, 0, 4), BOX_WIDTH * BOX_HEIGHT);

  gst_harness_set_src_caps_str (h, HOST_CAPS ("GRAY8", 64, 96));
  fail_unless (gst_harness_try_pull (h) != NULL);
}

GST_END_TEST;

/* Tests that frames to which other elements hold a reference, as after a tee, do not change while
 * they wait. */
GST_START_TEST (test_shared)
{
  g_autoptr (GstHarness) h = harness_new (LAUNCH "look-ahead=3", CAPS, CAPS);
  GstBuffer *shared[5];

  for (gint i = 0; i < 5; i++) {
    shared[i] = paint (0, i, 0);
    fail_unless_equals_int (gst_harness_push (h, gst_buffer_ref (shared[i])),
        GST_FLOW_OK);
  }
  fail_unless (gst_harness_push_event (h, gst_event_new_eos ()));
  for (gint i = 0; i < 5; i++) {
    GstBuffer *again = paint (0, i, 0);
    GstMapInfo map;

    fail_unless_equals_int (pull (h, 0, i), 0);
    fail_unless (gst_buffer_map (again, &map, GST_MAP_READ));
    fail_unless (gst_buffer_memcmp (shared[i], 0, map.data, map.size) == 0);
    gst_buffer_unmap (again, &map);
    gst_buffer_unref (again);
    gst_buffer_unref (shared[i]);
  }
}

GST_END_TEST;

CHECK_TESTS (mgpuinpaintahead)
{
  tcase_add_loop_test (tc, test_known, 0, 4);
  tcase_add_test (tc, test_latency);
  tcase_add_test (tc, test_cut);
  tcase_add_test (tc, test_events);
  tcase_add_test (tc, test_shared);
}
