/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests what other elements and applications read from mgpumotion: lines of JSON, segmentation
 * masks of GStreamer 1.26, and the metas of frames that pass through two mgpumotion. */
#include "motionscene.h"
#include "segments.h"

#include <stdio.h>

/* Tests that a region in a line of JSON has the fields age, share and motion. */
GST_START_TEST (test_json_regions)
{
  g_autoptr (GstHarness) h = scene_open ("mgpumotion name=f ! "
      "mgpumetajson post-messages=true");
  GstBus *bus = harness_bus (h);
  GstMessage *message;
  guint n = 0;

  scene_begin_motion (h, 1);
  while ((message = gst_bus_pop_filtered (bus, GST_MESSAGE_ELEMENT)) != NULL) {
    const gchar *line =
        gst_structure_get_string (gst_message_get_structure (message), "json");
    const gchar *motion = line == NULL ? NULL : strstr (line,
        "\"objects\":[");
    const gchar *dx;

    if (motion != NULL) {
      GST_INFO ("%s", line);
      n++;
      motion = strstr (motion, "\"motion\":{\"age\":");
      fail_unless (motion != NULL, "%s", line);
      fail_unless (strstr (motion, "\"share\":0.0") != NULL, "%s", line);
      dx = strstr (motion, "\"dx\":");
      fail_unless (dx != NULL, "%s", line);
      fail_unless (ABS (g_ascii_strtod (dx + 5, NULL) - SPEED) < 1, "%s", line);
      fail_unless (strstr (dx, "\"dy\":") != NULL, "%s", line);
      fail_unless (strstr (dx, "\"late\":0}") != NULL, "%s", line);
    }
    gst_message_unref (message);
  }
  fail_unless (n > 0);
}

GST_END_TEST;

/* Fails unless the frame has one region of motion, in each kind of meta. */
static void
check_one_region (GstBuffer * buffer)
{
  g_autoptr (GPtrArray) list = gst_mgpu_buffer_get_detections (buffer);

  fail_unless_equals_int (gst_mgpu_moving_meta_get_n_regions
      (gst_buffer_get_mgpu_moving_meta (buffer)), 1);
  fail_unless_equals_int (gst_buffer_get_n_meta (buffer,
          GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE), 1);
  fail_unless_equals_int (list->len, 1);
#ifdef HAVE_ANALYTICS
  {
    GstAnalyticsRelationMeta *meta =
        gst_buffer_get_analytics_relation_meta (buffer);

    fail_unless (meta != NULL);
    fail_unless_equals_int (gst_analytics_relation_get_length (meta),
        GST_CHECK_VERSION (1, 26, 0) ? 3 : 1);
  }
#endif
}

/* Tests that the second of two mgpumotion replaces the metas that the first one has attached, as
 * does an element that gets a frame a second time. Regions of other elements are kept. */
GST_START_TEST (test_two)
{
  static const gchar *const launches[] = { "mgpumotion name=f ! mgpumotion",
    "mgpumotion name=f min-frames=1 ! mgpumotion"
  };

  for (guint k = 0; k < G_N_ELEMENTS (launches); k++) {
    g_autoptr (GstHarness) h = scene_open (launches[k]);
    guint n = 0;

    scene_begin_motion (h, 1);
    for (gint i = N_BEGIN; i < N_BEGIN + 5; i++) {
      g_autoptr (GstBuffer) out = NULL;
      GstBuffer *in = scene_frame (i, i, 1);
      gpointer state = NULL;
      GstMeta *meta;

      if (i == N_BEGIN) {
        gst_buffer_unref (harness_push_pull (h, in));
        continue;
      }
      /* Adds an application's region of the same type, without the parameters of mgpumotion. */
      if (i == N_BEGIN + 4)
        gst_buffer_add_video_region_of_interest_meta (in, "motion", 1, 2, 3, 4);
      out = harness_push_pull (h, in);
      if (i < N_BEGIN + 4) {
        check_one_region (out);
        continue;
      }
      while ((meta = gst_buffer_iterate_meta_filtered (out, &state,
                  GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE)) != NULL)
        n++;
    }
    fail_unless_equals_int (n, 2);
  }
}

GST_END_TEST;

/* --- The motion of the camera --- */

/* Pushes frame @i with a box and a GstMgpuMotionMeta as mgpustabilize attaches it: the camera moves
 * by (@dx, 0) and is corrected by (@by, 0). Returns: the number of regions */
static guint
push_from_camera (GstHarness * h, gint i, gdouble dx, gdouble by,
    GstMgpuMotionState state)
{
  const gdouble motion[9] = { 1, 0, dx, 0, 1, 0, 0, 0, 1 };
  const gdouble correction[9] = { 1, 0, by, 0, 1, 0, 0, 0, 1 };
  GstBuffer *in = scene_frame (i, i, 1);
  g_autoptr (GstBuffer) out = NULL;

  gst_buffer_add_mgpu_motion_meta (in, motion, correction, state, 40);
  out = harness_push_pull (h, in);
  return gst_mgpu_moving_meta_get_n_regions (gst_buffer_get_mgpu_moving_meta
      (out));
}

/* Tests that the background is forgotten at a cut, and when a corner of the frame has moved by more
 * than a quarter of the frame since the background was learned, but not when the camera swings back
 * and forth, or is corrected. */
GST_START_TEST (test_camera)
{
  static const struct
  {
    gdouble dx, swing, correction;
    GstMgpuMotionState state;
    gint forgets;               /* number of frames until the background is forgotten; 0: never */
  } cases[] = {
    {0, 0, 0, GST_MGPU_MOTION_STATE_CUT, 1},
    {5, 0, 0, GST_MGPU_MOTION_STATE_MEASURED, 9},
    {5, 0, -5, GST_MGPU_MOTION_STATE_MEASURED, 0},
    {5, -5, 0, GST_MGPU_MOTION_STATE_MEASURED, 0},
    {5, 0, 0, GST_MGPU_MOTION_STATE_LOST, 0},
    {0, 0, 0, GST_MGPU_MOTION_STATE_MEASURED, 0}
  };

  for (guint k = 0; k < G_N_ELEMENTS (cases); k++) {
    g_autoptr (GstHarness) h = scene_open ("mgpumotion name=f");
    GstBus *bus = harness_bus (h);
    g_autofree gchar *messages = NULL;
    gint started = 0, stopped = 0;

    for (gint i = 0; i < N_BEGIN; i++)
      if (i < STILL)
        gst_buffer_unref (scene_push (h, i, -1));
      else
        push_from_camera (h, i, 0, 0, GST_MGPU_MOTION_STATE_MEASURED);
    for (gint i = 1; i <= 12; i++) {
      guint n = push_from_camera (h, N_BEGIN + i - 1,
          cases[k].swing != 0 && i % 2 ? cases[k].swing : cases[k].dx,
          i * cases[k].correction, cases[k].state);

      fail_unless_equals_int (n, cases[k].forgets == 0 || i < cases[k].forgets);
    }
    messages = scene_take_messages (bus);
    fail_unless_equals_int (sscanf (messages, "started %d stopped %d",
            &started, &stopped), cases[k].forgets > 0 ? 2 : 1);
  }
}

GST_END_TEST;

#ifdef HAVE_SEGMENTS
/* Tests that the mask is attached as a segmentation with the classes background, shadow and
 * motion. */
GST_START_TEST (test_segments)
{
  g_autoptr (GstHarness) h = scene_open ("mgpumotion name=f");
  g_autoptr (GstBuffer) out = NULL, kept = NULL, mask = NULL;
  g_autoptr (GBytes) want = NULL;
  GstAnalyticsMtd segments, cls;
  gpointer state = NULL;
  guint width, height;
  GstMapInfo map;
  gint x, y;

  scene_begin_motion (h, 1);
  out = scene_push (h, N_BEGIN, N_BEGIN);
  fail_unless (gst_analytics_relation_meta_iterate
      (gst_buffer_get_analytics_relation_meta (out), &state,
          gst_analytics_segmentation_mtd_get_mtd_type (), &segments));
  fail_unless (gst_analytics_relation_meta_get_direct_related (segments.meta,
          segments.id, GST_ANALYTICS_REL_TYPE_RELATE_TO,
          gst_analytics_cls_mtd_get_mtd_type (), NULL, &cls));
  fail_unless_equals_int (gst_analytics_segmentation_mtd_get_region_count
      (&segments), 3);
  fail_unless_equals_int (gst_analytics_segmentation_mtd_get_region_id
      (&segments, 2), 255);
  fail_unless_equals_string (g_quark_to_string (gst_analytics_cls_mtd_get_quark
          (&cls, 2)), "motion");
  mask = gst_analytics_segmentation_mtd_get_mask (&segments, &x, &y, &width,
      &height);
  fail_unless (x == 0 && y == 0 && width == WIDTH && height == HEIGHT);
  want = gst_mgpu_moving_meta_get_mask (gst_buffer_get_mgpu_moving_meta (out),
      NULL, NULL);
  /* Checks that the mask outlives its frame, and that the pool does not reuse the mask's memory. */
  gst_clear_buffer (&out);
  for (gint i = 1; i < 20; i++)
    gst_buffer_unref (scene_push (h, N_BEGIN + i, N_BEGIN + i));
  fail_unless_equals_int (gst_buffer_get_video_meta (mask)->format,
      GST_VIDEO_FORMAT_GRAY8);
  fail_unless (gst_buffer_map (mask, &map, GST_MAP_READ));
  fail_unless (memcmp (map.data, g_bytes_get_data (want, NULL),
          WIDTH * HEIGHT) == 0);
  gst_buffer_unmap (mask, &map);
}

GST_END_TEST;

/* Tests that filters with mask-source=segmentation use mgpumotion's mask: moving objects are
 * blurred, and nothing before something moves. */
GST_START_TEST (test_segments_are_read)
{
  g_autoptr (GstHarness) h = scene_open ("mgpumotion name=f ! mgpublur "
      "mask-source=segmentation roi-type=motion");

  for (gint i = 0; i < N_BEGIN; i++) {
    GstBuffer *in = scene_frame (i, i >= STILL ? i : -1, 1);
    g_autoptr (GstBuffer) out = harness_push_pull (h, gst_buffer_ref (in));
    GstMapInfo from, to;
    guint n = 0;

    fail_unless (gst_buffer_map (in, &from, GST_MAP_READ));
    fail_unless (gst_buffer_map (out, &to, GST_MAP_READ));
    for (gsize k = 0; k < from.size; k++)
      n += from.data[k] != to.data[k];
    gst_buffer_unmap (in, &from);
    gst_buffer_unmap (out, &to);
    gst_buffer_unref (in);
    fail_unless (i < STILL ? n == 0 : i < N_BEGIN - 1 || n > BOX * BOX / 2,
        "frame %d: %u pixels", i, n);
  }
}

GST_END_TEST;
#endif

CHECK_TESTS (mgpumotionmetas)
{
  tcase_add_test (tc, test_json_regions);
  tcase_add_test (tc, test_two);
  tcase_add_test (tc, test_camera);
#ifdef HAVE_SEGMENTS
  tcase_add_test (tc, test_segments);
  tcase_add_test (tc, test_segments_are_read);
#endif
}
