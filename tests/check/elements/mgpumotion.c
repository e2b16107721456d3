/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests mgpumotion: its metas and messages, and when it forgets the background. */
#include "motionscene.h"

#include <stdio.h>

static guint
count_regions (GstBuffer * buffer)
{
  GstMgpuMovingMeta *meta = gst_buffer_get_mgpu_moving_meta (buffer);

  fail_unless (meta != NULL);
  return gst_mgpu_moving_meta_get_n_regions (meta);
}

/* --- Messages --- */

/* Pushes a scene in which a box moves in frames 60 to 99. Returns: (transfer full): the messages */
static gchar *
run_scene (const gchar * launch)
{
  g_autoptr (GstHarness) h = scene_open (launch);
  GstBus *bus = harness_bus (h);

  for (gint i = 0; i < 150; i++)
    gst_buffer_unref (scene_push (h, i, i >= 60 && i < 100 ? i : -1));
  gst_harness_push_event (h, gst_event_new_eos ());
  return scene_take_messages (bus);
}

/* Tests that motion starts in the 8th frame with the box or soon after, and stops a second after
 * the last frame with it. The messages are the same whether the element waits for results or
 * not. */
GST_START_TEST (test_messages)
{
  g_autofree gchar *waits = run_scene ("mgpumotion name=f stop-delay=1");
  g_autofree gchar *late =
      run_scene ("mgpumotion name=f stop-delay=1 wait=false");
  g_autofree gchar *quiet =
      run_scene ("mgpumotion name=f stop-delay=1 post-messages=false");
  gint started = -1, stopped = -1;

  GST_INFO ("%s", waits);
  fail_unless_equals_int (sscanf (waits, "started %d stopped %d", &started,
          &stopped), 2);
  fail_unless (started >= 67 && started <= 70, "%s", waits);
  fail_unless (stopped >= 124 && stopped <= 130, "%s", waits);
  fail_unless_equals_string (late, waits);
  fail_unless_equals_string (quiet, "");
}

GST_END_TEST;

/* Tests that motion stops when the background is forgotten: with one message, at the time of the
 * last frame. */
GST_START_TEST (test_stops)
{
  static const gchar *const ends[] = { "eos", "flush", "caps", "reset",
    "enabled"
  };

  for (guint k = 0; k < G_N_ELEMENTS (ends); k++) {
    g_autoptr (GstHarness) h = scene_open ("mgpumotion name=f");
    g_autoptr (GstElement) f = gst_harness_find_element (h, "mgpumotion");
    GstBus *bus = harness_bus (h);
    g_autofree gchar *messages = NULL;
    g_auto (GStrv) words = NULL;
    gint started = -1, stopped = -1;

    scene_begin_motion (h, 1);
    if (k == 0)
      gst_harness_push_event (h, gst_event_new_eos ());
    if (k == 1)
      flush (h);
    if (k == 2)
      gst_harness_set_src_caps (h, caps_new (GST_VIDEO_FORMAT_GRAY8, 40, 30,
              FALSE));
    if (k == 3)
      g_signal_emit_by_name (f, "reset");
    if (k == 4)
      g_object_set (f, "enabled", FALSE, NULL);
    if (k >= 3)
      gst_buffer_unref (scene_push (h, N_BEGIN, -1));
    messages = scene_take_messages (bus);
    GST_INFO ("%s: %s", ends[k], messages);
    fail_unless_equals_int (sscanf (messages, "started %d stopped %d", &started,
            &stopped), 2);
    fail_unless_equals_int (stopped, N_BEGIN - 1);
    words = g_strsplit (messages, " ", -1);
    fail_unless_equals_int (g_strv_length (words), 4);
  }
}

GST_END_TEST;

/* --- Regions and masks --- */

static void
check_region_of_interest (GstBuffer * buffer,
    const GstMgpuMovingRegion * region)
{
  GstVideoRegionOfInterestMeta *roi =
      gst_buffer_get_video_region_of_interest_meta (buffer);
  g_autoptr (GPtrArray) list = gst_mgpu_buffer_get_detections (buffer);
  const GstMgpuDetection *detection;
  const GstStructure *param;
  guint64 id;

  fail_unless_equals_string (g_quark_to_string (roi->roi_type), "motion");
  param = gst_video_region_of_interest_meta_get_param (roi, "motion");
  fail_unless (gst_structure_get_uint64 (param, "id", &id));
  fail_unless_equals_uint64 (id, 1);
  fail_unless_equals_int (list->len, 1);
  detection = list->pdata[0];
  fail_unless_equals_int (detection->x, region->x);
  fail_unless_equals_int (detection->y, region->y);
  fail_unless_equals_int (detection->width, region->width);
  fail_unless_equals_int (detection->height, region->height);
  fail_unless_equals_float (detection->confidence, region->confidence);
  fail_unless_equals_int (detection->tracking_id, 1);
}

/* Tests that the moving box has one region with a persistent id, and that region of interest, meta
 * and mask agree. */
GST_START_TEST (test_regions)
{
  g_autoptr (GstHarness) h = scene_open ("mgpumotion name=f");

  scene_begin_motion (h, 1);
  for (gint i = N_BEGIN; i < N_BEGIN + 10; i++) {
    g_autoptr (GstBuffer) out = scene_push (h, i, i);
    GstMgpuMovingMeta *meta = gst_buffer_get_mgpu_moving_meta (out);
    GstMgpuMovingRegion region;

    fail_unless_equals_int (count_regions (out), 1);
    fail_unless (gst_mgpu_moving_meta_get_region (meta, 0, &region));
    fail_unless (gst_mgpu_moving_meta_is_active (meta));
    fail_unless_equals_int (gst_mgpu_moving_meta_get_late (meta), 0);
    fail_unless (scene_is_at_box (&region, i), "frame %d: %d,%d %dx%d, not at "
        "%d", i, region.x, region.y, region.width, region.height,
        scene_box_x (i));
    fail_unless (region.confidence > 0.3 && region.confidence <= 1);
    fail_unless (ABS (region.dx - SPEED) < 0.6, "%f", region.dx);
    fail_unless (ABS (region.dy) < 0.6, "%f", region.dy);
    check_region_of_interest (out, &region);
    scene_check_mask (meta, i);
  }
  fail_unless_equals_uint64 (get_stat (h->element, "events"), 1);
  fail_unless (get_stat (h->element, "regions") >= 10);
  fail_unless (get_stat (h->element, "moving-pixels") > 10 * BOX * BOX / 2);
}

GST_END_TEST;

/* Tests that with wait=false the regions are those of an earlier frame, and the mask is that of the
 * frame itself. */
GST_START_TEST (test_late)
{
  g_autoptr (GstHarness) h = scene_open ("mgpumotion name=f wait=false");
  guint n = 0;

  for (gint i = 0; i < N_BEGIN + 20; i++) {
    g_autoptr (GstBuffer) out = scene_push (h, i, i >= STILL ? i : -1);
    GstMgpuMovingMeta *meta = gst_buffer_get_mgpu_moving_meta (out);
    GstMgpuMovingRegion region;

    if (i > N_BEGIN + 5)
      scene_check_mask (meta, i);
    /* Gives the thread that reads results some time. */
    g_usleep (2000);
    if (!gst_mgpu_moving_meta_get_region (meta, 0, &region))
      continue;
    n++;
    fail_unless (scene_is_at_box (&region, i
            - (gint) gst_mgpu_moving_meta_get_late (meta)));
  }
  fail_unless (n > 5, "%u", n);
}

GST_END_TEST;

/* Tests that motion outside of the rectangle does not count; with mask-invert, only motion outside
 * of it counts. */
GST_START_TEST (test_rectangle)
{
  static const gchar *const launches[] = {
    "mgpumotion name=f rectangle=0,0,160,30",
    "mgpumotion name=f rectangle=0,40,160,80",
    "mgpumotion name=f rectangle=0,40,160,80 mask-invert=true"
  };

  for (guint k = 0; k < G_N_ELEMENTS (launches); k++) {
    g_autoptr (GstHarness) h = scene_open (launches[k]);

    scene_begin_motion (h, 1);
    fail_unless_equals_int (get_stat (h->element, "events"), k == 1);
  }
}

GST_END_TEST;

/* Returns: (transfer full): RGB frame @i, which a shadow of @width columns enters from the left.
 * @ground: a gray wall, or dark grass,
 *  whose 8-bit chroma is too coarse to tell colors apart */
static GstBuffer *
shaded_new (gint i, gint width, const gint ground[3])
{
  GstBuffer *buffer = scene_buffer_new (WIDTH * HEIGHT * 3, i);
  GstMapInfo map;

  fail_unless (gst_buffer_map (buffer, &map, GST_MAP_WRITE));
  for (gint y = 0; y < HEIGHT; y++)
    for (gint x = 0; x < WIDTH; x++) {
      gint light = x < width && y >= BOX_Y ? 6 : 10;

      for (guint c = 0; c < 3; c++)
        map.data[(y * WIDTH + x) * 3 + c] =
            scene_wall (x, y) * ground[c] * light / 1000;
    }
  gst_buffer_unmap (buffer, &map);
  return buffer;
}

/* Tests that a shadow whose object is beyond the edge of the frame is not reported as a region, but
 * is with shadows=keep. */
GST_START_TEST (test_shadow)
{
  static const gchar *const launches[] = { "mgpumotion name=f",
    "mgpumotion name=f shadows=keep"
  };
  static const gint grounds[][3] = { {100, 100, 100}, {10, 40, 0} };

  for (guint i = 0; i < 4; i++) {
    guint k = i % 2;
    g_autoptr (GstHarness) h = scene_open_format (launches[k],
        GST_VIDEO_FORMAT_RGB);

    for (gint t = 0; t < N_BEGIN + 10; t++)
      gst_buffer_unref (harness_push_pull (h, shaded_new (t,
                  MAX (t - STILL, 0) * SPEED, grounds[i / 2])));
    fail_unless_equals_uint64 (get_stat (h->element, "events"), k);
  }
}

GST_END_TEST;

/* Tests that output=mask and output=alpha contain the mask of the meta, and do not change
 * colors. */
GST_START_TEST (test_output)
{
  static const gchar *const launches[] = { "mgpumotion name=f output=mask",
    "mgpumotion name=f output=alpha"
  };

  for (guint k = 0; k < 2; k++) {
    guint bytes = k == 0 ? 1 : 4;
    g_autoptr (GstHarness) h = scene_open_format (launches[k], k == 0
        ? GST_VIDEO_FORMAT_GRAY8 : GST_VIDEO_FORMAT_RGBA);

    scene_begin_motion (h, bytes);
    for (gint i = N_BEGIN; i < N_BEGIN + 3; i++) {
      g_autoptr (GstBuffer) in = scene_frame (i, i, bytes), out = NULL;
      g_autoptr (GBytes) mask = NULL;
      const guint8 *want;
      GstMapInfo map, from;

      out = harness_push_pull (h, gst_buffer_ref (in));
      scene_check_mask (gst_buffer_get_mgpu_moving_meta (out), i);
      mask = gst_mgpu_moving_meta_get_mask (gst_buffer_get_mgpu_moving_meta
          (out), NULL, NULL);
      want = g_bytes_get_data (mask, NULL);
      fail_unless (gst_buffer_map (out, &map, GST_MAP_READ));
      fail_unless (gst_buffer_map (in, &from, GST_MAP_READ));
      fail_unless_equals_uint64 (map.size, WIDTH * HEIGHT * bytes);
      for (guint p = 0; p < WIDTH * HEIGHT; p++) {
        fail_unless_equals_int (map.data[k == 0 ? p : 4 * p + 3], want[p]);
        if (k == 1)
          fail_unless (memcmp (map.data + 4 * p, from.data + 4 * p, 3) == 0);
      }
      gst_buffer_unmap (out, &map);
      gst_buffer_unmap (in, &from);
    }
  }
}

GST_END_TEST;

/* Tests frames with more regions than the list holds: as many as fit are kept, and the others are
 * counted. */
GST_START_TEST (test_many_regions)
{
  g_autoptr (GstHarness) h = harness_open ("mgpumotion name=f merge=0 "
      "min-area=0 min-frames=1 absorb-time=100");
  guint most = 0;

  gst_harness_set_sink_caps_str (h, "video/x-raw");
  gst_harness_set_src_caps (h, caps_new (GST_VIDEO_FORMAT_GRAY8, 640, 480,
          FALSE));
  for (gint i = 0; i < 58; i++) {
    GstBuffer *in = scene_buffer_new (640 * 480, i);
    g_autoptr (GstBuffer) out = NULL;
    GstMapInfo map;

    fail_unless (gst_buffer_map (in, &map, GST_MAP_WRITE));
    for (gint y = 0; y < 480; y++)
      for (gint x = 0; x < 640; x++)
        map.data[y * 640 + x] = i >= 51 && x % 30 < 12 && y % 26 < 12
            ? 240 : scene_wall (x, y);
    gst_buffer_unmap (in, &map);
    out = harness_push_pull (h, in);
    most = MAX (most, count_regions (out));
  }
  fail_unless_equals_int (most, 256);
  fail_unless (get_stat (h->element, "regions-dropped") > 44);
}

GST_END_TEST;

/* --- Gaps and flushes --- */

/* Pushes frames with motion, from frame @first on, until a frame has a region. Returns: the number
 * of frames before that one */
static gint
count_until_region (GstHarness * h, gint first)
{
  for (gint i = 0; i < 100; i++) {
    g_autoptr (GstBuffer) out = scene_push (h, first + i, first + i);

    if (count_regions (out) > 0)
      return i;
  }
  return 100;
}

/* Tests that the background is still known after a gap, but not after a flush. */
GST_START_TEST (test_forgets)
{
  for (guint k = 0; k < 2; k++) {
    g_autoptr (GstHarness) h = scene_open ("mgpumotion name=f");
    GstBuffer *in;
    gint n;

    scene_begin_motion (h, 1);
    in = scene_frame (N_BEGIN, N_BEGIN, 1);
    if (k == 0)
      GST_BUFFER_FLAG_SET (in, GST_BUFFER_FLAG_DISCONT);
    else
      flush (h);
    gst_buffer_unref (harness_push_pull (h, in));
    n = count_until_region (h, N_BEGIN + 1);
    fail_unless (k == 0 ? n < 5 : n > 50, "%u: %d", k, n);
  }
}

GST_END_TEST;

/* Takes all frames and events that were pushed, and counts the frames, the GAP events, and the
 * frames with the flag DISCONT. */
static void
count_left (GstHarness * h, guint * frames, guint * gaps, guint * disconts)
{
  GstBuffer *buffer;
  GstEvent *event;

  while ((buffer = gst_harness_try_pull (h)) != NULL) {
    *frames += 1;
    *disconts += GST_BUFFER_IS_DISCONT (buffer);
    gst_buffer_unref (buffer);
  }
  while ((event = gst_harness_try_pull_event (h)) != NULL) {
    *gaps += GST_EVENT_TYPE (event) == GST_EVENT_GAP;
    gst_event_unref (event);
  }
}

/* Tests gate=true: for each frame, the frame or a GAP event is pushed, also for frames without
 * timestamps. The first frame after a gap has the flag DISCONT. */
GST_START_TEST (test_gate)
{
  g_autoptr (GstHarness) h =
      scene_open ("mgpumotion name=f gate=true stop-delay=0.4");
  guint frames = 0, gaps = 0, disconts = 0;

  for (gint i = 0; i < 120; i++) {
    GstBuffer *in = scene_frame (i, i >= 60 && i < 90 ? i : -1, 1);

    if (__i__ == 1)
      GST_BUFFER_PTS (in) = GST_CLOCK_TIME_NONE;
    fail_unless_equals_int (gst_harness_push (h, in), GST_FLOW_OK);
  }
  gst_harness_push_event (h, gst_event_new_eos ());
  count_left (h, &frames, &gaps, &disconts);
  fail_unless_equals_int (frames + gaps, 120);
  fail_unless (frames >= 29 && frames <= 38, "%u", frames);
  fail_unless_equals_int (disconts, 1);
}

GST_END_TEST;

/* --- The pad mask_src --- */

/* Tests that a pad that is linked while frames arrive gets the masks of all later frames. */
GST_START_TEST (test_pad)
{
  g_autoptr (GstHarness) h = scene_open ("mgpumotion name=f");
  g_autoptr (GstElement) f = gst_harness_find_element (h, "mgpumotion");
  GstHarness *masks;

  scene_begin_motion (h, 1);
  masks = gst_harness_new_with_element (f, NULL, "mask_src");
  for (gint i = N_BEGIN; i < N_BEGIN + 4; i++) {
    g_autoptr (GstBuffer) out = scene_push (h, i, i), mask = NULL;
    g_autoptr (GBytes) bytes =
        gst_mgpu_moving_meta_get_mask (gst_buffer_get_mgpu_moving_meta (out),
        NULL, NULL);
    GstMapInfo map;

    mask = harness_pull (masks);
    fail_unless_equals_uint64 (GST_BUFFER_PTS (mask), GST_BUFFER_PTS (out));
    fail_unless (gst_buffer_map (mask, &map, GST_MAP_READ));
    fail_unless_equals_uint64 (map.size, WIDTH * HEIGHT);
    fail_unless (memcmp (map.data, g_bytes_get_data (bytes, NULL),
            map.size) == 0);
    gst_buffer_unmap (mask, &map);
    scene_check_mask (gst_buffer_get_mgpu_moving_meta (out), i);
  }
  gst_harness_teardown (masks);
  gst_buffer_unref (scene_push (h, N_BEGIN + 4, N_BEGIN + 4));
}

GST_END_TEST;

/* Tests that a pad that exists from the beginning gets caps before the segment; otherwise GStreamer
 * warns, which fails the test. */
GST_START_TEST (test_pad_events)
{
  g_autoptr (GstElement) f = gst_element_factory_make ("mgpumotion", "f");
  g_autoptr (GstHarness) masks =
      gst_harness_new_with_element (f, NULL, "mask_src");
  g_autoptr (GstHarness) h = gst_harness_new_with_element (f, "sink", "src");
  GstEventType last = GST_EVENT_UNKNOWN;
  GstEvent *event;

  gst_harness_set_sink_caps_str (h, "video/x-raw");
  gst_harness_set_src_caps (h, caps_new (GST_VIDEO_FORMAT_GRAY8, WIDTH, HEIGHT,
          FALSE));
  for (gint i = 0; i < 2; i++) {
    gst_buffer_unref (scene_push (h, i, -1));
    gst_buffer_unref (harness_pull (masks));
  }
  while ((event = gst_harness_try_pull_event (masks)) != NULL) {
    fail_unless (GST_EVENT_TYPE (event) > last);
    last = GST_EVENT_TYPE (event);
    gst_event_unref (event);
  }
  fail_unless_equals_int (last, GST_EVENT_SEGMENT);
}

GST_END_TEST;

/* Tests disabled elements with a linked mask pad: frames pass the gate with enabled=false, and the
 * background that is learned afterwards begins with the first frame. */
GST_START_TEST (test_pad_disabled)
{
  g_autoptr (GstElement) f = gst_element_factory_make ("mgpumotion", "f");
  GstHarness *masks = gst_harness_new_with_element (f, NULL, "mask_src");
  GstHarness *h = gst_harness_new_with_element (f, "sink", "src");
  g_autofree gchar *messages = NULL;
  GstQuery *drain = gst_query_new_drain ();
  GstBus *bus = harness_bus (h);

  g_object_set (f, "enabled", FALSE, "gate", TRUE, "tamper-time", 0.2, NULL);
  gst_harness_set_src_caps (h, caps_new (GST_VIDEO_FORMAT_GRAY8, WIDTH, HEIGHT,
          FALSE));
  for (gint i = 0; i < 80; i++) {
    GstBuffer *frame = scene_frame (i, -1, 1);

    if (i >= STILL)
      gst_buffer_memset (frame, 0, 0, -1);
    fail_unless_equals_int (gst_harness_push (h, frame), GST_FLOW_OK);
  }
  gst_pad_peer_query (h->srcpad, drain);
  gst_query_unref (drain);
  fail_unless_equals_int (gst_harness_buffers_received (h), 80);
  fail_unless_equals_int (gst_harness_buffers_received (masks), 80);
  g_object_set (f, "enabled", TRUE, NULL);
  for (gint i = 80; i < 80 + 40; i++)
    fail_unless_equals_int (gst_harness_push (h, scene_frame (i, i, 1)),
        GST_FLOW_OK);
  fail_unless_equals_int (gst_harness_buffers_received (h), 80);
  messages = scene_take_messages (bus);
  fail_unless_equals_string (messages, "");
  gst_harness_teardown (masks);
  harness_end (h);
}

GST_END_TEST;

/* --- Other elements --- */

/* Tests that each line of JSON reports whether something moves. */
GST_START_TEST (test_json)
{
  g_autoptr (GstHarness) h = scene_open ("mgpumotion name=f ! "
      "mgpumetajson post-messages=true add-empty=true");
  GstBus *bus = harness_bus (h);
  guint n_active = 0, n = 0;
  GstMessage *message;

  scene_begin_motion (h, 1);
  gst_buffer_unref (scene_push (h, N_BEGIN, N_BEGIN));
  while ((message = gst_bus_pop_filtered (bus, GST_MESSAGE_ELEMENT)) != NULL) {
    const GstStructure *s = gst_message_get_structure (message);
    const gchar *line = gst_structure_get_string (s, "json");

    if (line != NULL) {
      n++;
      n_active += strstr (line, "\"motion\":{\"active\":true,\"share\":0.0")
          != NULL && strstr (line, "\"tamper\":null") != NULL;
      fail_unless (strstr (line, "\"motion\":{\"active\":") != NULL, "%s",
          line);
    }
    gst_message_unref (message);
  }
  fail_unless_equals_int (n, N_BEGIN + 1);
  fail_unless (n_active >= 4 && n_active <= 9, "%u", n_active);
}

GST_END_TEST;

/* Counts the pixels that differ between two frames. */
static guint
count_different (GstBuffer * a, GstBuffer * b)
{
  GstMapInfo from, to;
  guint n = 0;

  fail_unless (gst_buffer_map (a, &from, GST_MAP_READ));
  fail_unless (gst_buffer_map (b, &to, GST_MAP_READ));
  for (gsize i = 0; i < from.size; i++)
    n += from.data[i] != to.data[i];
  gst_buffer_unmap (a, &from);
  gst_buffer_unmap (b, &to);
  return n;
}

/* Tests that mgpuoverlay draws a contour around the moving box and its earlier positions, and draws
 * nothing before something moves. */
GST_START_TEST (test_overlay)
{
  static const gchar *const launches[] = {
    "mgpumotion name=f ! mgpuoverlay draw=motion",
    "mgpumotion name=f ! mgpuoverlay draw=heat"
  };

  for (guint k = 0; k < 2; k++) {
    g_autoptr (GstHarness) h = scene_open (launches[k]);

    for (gint i = 0; i < N_BEGIN; i++) {
      g_autoptr (GstBuffer) in = scene_frame (i, i >= STILL ? i : -1, 1), out =
          NULL;
      guint n;

      out = harness_push_pull (h, gst_buffer_ref (in));
      n = count_different (in, out);
      fail_unless (i < STILL ? n == 0 : i < N_BEGIN - 1 || (n > 60 && n < 800),
          "frame %d: %u", i, n);
    }
  }
}

GST_END_TEST;

/* Tests that mgpuhog searches only where something moves: frames without motion take no device
 * time. */
GST_START_TEST (test_hog)
{
  g_autoptr (GstHarness) h = harness_open ("mgpumotion name=f ! mgpuconvert ! "
      "video/x-raw(ANY),width=320,height=240 ! mgpuhog roi-type=motion");
  g_autoptr (GstElement) hog = gst_harness_find_element (h, "mgpuhog");

  gst_harness_set_sink_caps_str (h, "video/x-raw");
  gst_harness_set_src_caps (h, caps_new (GST_VIDEO_FORMAT_GRAY8, WIDTH, HEIGHT,
          FALSE));
  for (gint i = 0; i < STILL; i++)
    gst_buffer_unref (scene_push (h, i, -1));
  fail_unless_equals_uint64 (get_stat (hog, "device-time"), 0);
  for (gint i = STILL; i < N_BEGIN; i++)
    gst_buffer_unref (scene_push (h, i, i));
  fail_unless (get_stat (hog, "device-time") > 0);
}

GST_END_TEST;

/* --- Tampering --- */

typedef enum
{
  DARKEN,
  COVER,
  BLUR,
  MOVE,
  N_DEEDS
} Deed;

/* Returns: (transfer full): frame @i of a camera that was tampered with by @deed */
static GstBuffer *
tampered_new (gint i, Deed deed)
{
  GstBuffer *buffer = scene_buffer_new (WIDTH * HEIGHT, i);
  GstMapInfo map;

  fail_unless (gst_buffer_map (buffer, &map, GST_MAP_WRITE));
  for (gint y = 0; y < HEIGHT; y++)
    for (gint x = 0; x < WIDTH; x++) {
      guint8 *pixel = map.data + y * WIDTH + x;
      guint sum = 0;

      for (gint k = 0; k < 81 && deed == BLUR; k++)
        sum += scene_wall (x + 2 * (k % 9), y + 2 * (k / 9));
      *pixel = deed == DARKEN ? 3 : deed == COVER ? 140 : deed == BLUR
          ? sum / 81 : scene_wall (x + 9, y);
    }
  gst_buffer_unmap (buffer, &map);
  return buffer;
}

/* Tests that tampering is reported after 0.4 s, and the end of tampering at once. */
GST_START_TEST (test_tamper)
{
  static const gchar *const names[] = { "dark", "covered", "blurred", "moved" };
  static const gchar *const launch = "mgpumotion name=f tamper-time=0.4 "
      "max-area=0 absorb-time=60";

  for (Deed deed = 0; deed < N_DEEDS; deed++) {
    g_autoptr (GstHarness) h = scene_open (launch);
    GstBus *bus = harness_bus (h);
    g_autofree gchar *messages = NULL, *want = NULL;

    for (gint i = 0; i < 90; i++) {
      g_autoptr (GstBuffer) out = harness_push_pull (h, i >= 60 && i < 80
          ? tampered_new (i, deed) : scene_frame (i, -1, 1));
      const gchar *tamper =
          gst_mgpu_moving_meta_get_tamper (gst_buffer_get_mgpu_moving_meta
          (out));

      fail_unless_equals_string (tamper, i >= 70 && i < 80 ? names[deed]
          : NULL);
    }
    messages = scene_take_messages (bus);
    want = g_strdup_printf ("%s 70 restored 80", names[deed]);
    fail_unless_equals_string (messages, want);
    fail_unless_equals_uint64 (get_stat (h->element, "tampered"), 1);
  }
}

GST_END_TEST;

/* Tests that after "absorb-time" the view of a camera that was moved becomes the background. */
GST_START_TEST (test_tamper_learned)
{
  g_autoptr (GstHarness) h = scene_open ("mgpumotion name=f tamper-time=0.4 "
      "max-area=0 absorb-time=1.2");
  GstBus *bus = harness_bus (h);
  g_autofree gchar *messages = NULL;
  gint moved, other;

  for (gint i = 0; i < 200; i++)
    gst_buffer_unref (harness_push_pull (h, i >= 60 ? tampered_new (i, MOVE)
            : scene_frame (i, -1, 1)));
  messages = scene_take_messages (bus);
  fail_unless (sscanf (messages, "moved %d learned %d", &moved, &other) == 2
      || sscanf (messages, "moved %d restored %d", &moved, &other) == 2, "%s",
      messages);
  fail_unless_equals_int (moved, 70);
  fail_unless (other <= 101, "%s", messages);
}

GST_END_TEST;

/* Tests that with absorb-time=0 the view of a camera that was moved never becomes the
 * background. */
GST_START_TEST (test_tamper_kept)
{
  g_autoptr (GstHarness) h = scene_open ("mgpumotion name=f tamper-time=0.4 "
      "max-area=0 absorb-time=0");
  GstBus *bus = harness_bus (h);
  g_autofree gchar *messages = NULL;

  for (gint i = 0; i < 100; i++)
    gst_buffer_unref (harness_push_pull (h, i >= 60 ? tampered_new (i, MOVE)
            : scene_frame (i, -1, 1)));
  messages = scene_take_messages (bus);
  fail_unless_equals_string (messages, "moved 70");
}

GST_END_TEST;

/* --- Bad input --- */

/* Tests that frames that are too large for the analyzed image are refused, with an error that names
 * the remedy. */
GST_START_TEST (test_too_large)
{
  g_autoptr (GstHarness) h =
      harness_open ("mgpumotion name=f analysis-size=64");
  GstBus *bus = harness_bus (h);

  gst_harness_set_sink_caps_str (h, "video/x-raw");
  gst_harness_set_src_caps (h, caps_new (GST_VIDEO_FORMAT_GRAY8, 8192, 16,
          FALSE));
  check_error (bus, "8192x16", "analysis-size");
}

GST_END_TEST;

/* Tests that frames of any size are analyzed, and that no motion is reported in static ones. */
GST_START_TEST (test_sizes)
{
  static const gint sizes[][2] = { {1, 1}, {1, 40}, {40, 1}, {15, 17}, {16, 16},
  {641, 33}, {1300, 7}
  };

  for (guint k = 0; k < G_N_ELEMENTS (sizes); k++) {
    g_autoptr (GstHarness) h = harness_open ("mgpumotion name=f");
    GstCaps *caps = caps_new (GST_VIDEO_FORMAT_I420, sizes[k][0], sizes[k][1],
        FALSE);
    GstVideoInfo info;

    fail_unless (gst_video_info_from_caps (&info, caps));
    gst_harness_set_sink_caps_str (h, "video/x-raw");
    gst_harness_set_src_caps (h, caps);
    for (gint i = 0; i < 3; i++) {
      g_autoptr (GstBuffer) out =
          harness_push_pull (h, frame_new (&info, LAYOUT_DEFAULT, k));

      fail_unless_equals_int (count_regions (out), 0);
    }
  }
}

GST_END_TEST;

/* Tests that with nothing linked downstream the stream ends with NOT_LINKED, and that messages are
 * posted nevertheless. */
GST_START_TEST (test_not_linked)
{
  g_autoptr (GstElement) f = gst_element_factory_make ("mgpumotion", "f");
  GstHarness *h = gst_harness_new_with_element (f, "sink", NULL);
  GstBus *bus = harness_bus (h);
  g_autofree gchar *messages = NULL;

  gst_harness_set_src_caps (h, caps_new (GST_VIDEO_FORMAT_GRAY8, WIDTH, HEIGHT,
          FALSE));
  for (gint i = 0; i < N_BEGIN; i++) {
    GstFlowReturn ret =
        gst_harness_push (h, scene_frame (i, i >= STILL ? i : -1, 1));

    fail_unless (ret == GST_FLOW_NOT_LINKED || (i < 10 && ret == GST_FLOW_OK));
  }
  gst_harness_push_event (h, gst_event_new_eos ());
  messages = scene_take_messages (bus);
  fail_unless (g_str_has_prefix (messages, "started "), "%s", messages);
  harness_end (h);
}

GST_END_TEST;

CHECK_TESTS (mgpumotion)
{
  tcase_add_test (tc, test_messages);
  tcase_add_test (tc, test_stops);
  tcase_add_test (tc, test_regions);
  tcase_add_test (tc, test_late);
  tcase_add_test (tc, test_rectangle);
  tcase_add_test (tc, test_shadow);
  tcase_add_test (tc, test_output);
  tcase_add_test (tc, test_many_regions);
  tcase_add_test (tc, test_forgets);
  tcase_add_loop_test (tc, test_gate, 0, 2);
  tcase_add_test (tc, test_pad);
  tcase_add_test (tc, test_pad_events);
  tcase_add_test (tc, test_pad_disabled);
  tcase_add_test (tc, test_json);
  tcase_add_test (tc, test_overlay);
  tcase_add_test (tc, test_hog);
  tcase_add_test (tc, test_tamper);
  tcase_add_test (tc, test_tamper_learned);
  tcase_add_test (tc, test_tamper_kept);
  tcase_add_test (tc, test_too_large);
  tcase_add_test (tc, test_sizes);
  tcase_add_test (tc, test_not_linked);
}
