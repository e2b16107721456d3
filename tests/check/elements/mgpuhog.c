/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests mgpuhog with the built-in people detector: boxes, metas, messages and limits. */
#include "reference.h"
#include "hog.h"

#include <gst/vision/people/people.h>
#include "../../opencl.h"
#include "../../reference/people.h"

#ifdef HAVE_ANALYTICS
#include <gst/analytics/analytics.h>
#endif

#include <math.h>

/* Checks that the regions of interest of @out are the search windows in @people, best first. */
static void
check_windows (const RefPeople * people, GstBuffer * out)
{
  GstVideoRegionOfInterestMeta *roi;
  gdouble before = G_MAXDOUBLE;
  gpointer state = NULL;
  guint n = 0, found = 0;
  GstMeta *meta;

  for (gint i = 0; i < people->n_levels; i++)
    n += people->levels[i].columns * people->levels[i].rows;
  fail_unless_equals_int (count_rois (out), n);
  while ((meta = gst_buffer_iterate_meta_filtered (out, &state,
              GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE)) != NULL) {
    gdouble score;

    roi = (GstVideoRegionOfInterestMeta *) meta;
    score = get_score (roi);
    fail_unless (score <= before);
    before = score;
    for (gint i = 0; i < people->n_levels; i++) {
      const RefPeopleLevel *l = people->levels + i;

      for (gint w = 0; w < l->columns * l->rows; w++)
        found += l->scores[w] == score
            && roi->x == (guint) rint (w % l->columns * 8 * l->scale)
            && roi->y == (guint) rint (w / l->columns * 8 * l->scale);
    }
  }
  fail_unless_equals_int (found, n);
}

static void
check_frame (GstVideoFormat format, Layout layout, gboolean device)
{
  GstHarness *h = gst_harness_new_parse (ALL);
  g_autoptr (GstBuffer) from = NULL, out = NULL;
  GstVideoFrame frame;
  GstVideoInfo info;
  const RefPeopleWindow window = { 7, 15, TRUE, 64,
    mgpu_people_default.weights
  };
  RefPeople people;
  RefPlane rgb[3];

  out = push_through_analyser (h, format, 75, 141, layout, device, &info, &from);
  gst_harness_teardown (h);

  fail_unless (gst_video_frame_map (&frame, &info, from, GST_MAP_READ));
  for (guint i = 0; i < 3; i++)
    rgb[i] = ref_plane (&frame, i);
  fail_unless (ref_people (rgb, &window, &people));
  fail_unless (people.n_levels == 3);
  check_windows (&people, out);
  ref_people_clear (&people);
  gst_video_frame_unmap (&frame);
}

GST_START_TEST (test_windows)
{
  check_frame (GST_VIDEO_FORMAT_BGRx, LAYOUT_PADDED, FALSE);
  check_frame (GST_VIDEO_FORMAT_RGB, LAYOUT_ODD, TRUE);
}

GST_END_TEST;

#ifdef HAVE_ANALYTICS
/* Tests that regions of interest and object detections agree, and that the detections of a second
 * element are added. */
GST_START_TEST (test_analytics)
{
  GstHarness *h = gst_harness_new_parse (ALL " ! mgpuhog "
      "threshold=-100 group-threshold=0 nms-overlap=1 max-detections=0");
  GstCaps *caps = caps_new (GST_VIDEO_FORMAT_BGRx, 75, 141, FALSE);
  gpointer roi_state = NULL, state = NULL;
  GstAnalyticsRelationMeta *meta;
  GstVideoInfo info;
  g_autoptr (GstBuffer) out = NULL;
  GstMeta *roi;
  guint n = 0;

  fail_unless (gst_video_info_from_caps (&info, caps));
  gst_harness_set_caps (h, caps, gst_caps_ref (caps));
  out = harness_push_pull (h, frame_new (&info, LAYOUT_DEFAULT, 5));
  gst_harness_teardown (h);
  fail_unless_equals_int (gst_buffer_get_n_meta (out,
          GST_ANALYTICS_RELATION_META_API_TYPE), 1);
  meta = gst_buffer_get_analytics_relation_meta (out);
  while ((roi = gst_buffer_iterate_meta_filtered (out, &roi_state,
              GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE)) != NULL) {
    GstVideoRegionOfInterestMeta *r = (GstVideoRegionOfInterestMeta *) roi;
    gint x, y, width, height;
    GstAnalyticsODMtd mtd;
    gfloat confidence;

    fail_unless (gst_analytics_relation_meta_iterate (meta, &state,
            gst_analytics_od_mtd_get_mtd_type (), &mtd));
    fail_unless (gst_analytics_od_mtd_get_location (&mtd, &x, &y, &width,
            &height, &confidence));
    fail_unless (gst_analytics_od_mtd_get_obj_type (&mtd) == r->roi_type);
    fail_unless (x == (gint) r->x && y == (gint) r->y
        && width == (gint) r->w && height == (gint) r->h);
    fail_unless (fabs (1 / (1 + exp (-1.4 * (get_score (r) - 1.65)))
            - confidence) < 1e-6);
    n++;
  }
  fail_unless (n > 2 && n % 2 == 0);
  fail_unless_equals_int (gst_analytics_relation_get_length (meta), n);
}

GST_END_TEST;
#endif

/* Tests that frames in other formats have the detections of the frames into which mgpuconvert
 * converts them. */
GST_START_TEST (test_formats)
{
  const GstVideoFormat formats[] = {
    GST_VIDEO_FORMAT_NV12, GST_VIDEO_FORMAT_GRAY8, GST_VIDEO_FORMAT_P010_10LE
  };
  g_autoptr (GstCaps) caps = caps_new (formats[__i__], 66, 130, FALSE);
  GstVideoInfo info;
  GstBuffer *out[2];
  gpointer state[2] = { NULL, };
  GstMeta *meta[2];

  fail_unless (gst_video_info_from_caps (&info, caps));
  for (guint i = 0; i < 2; i++) {
    g_autoptr (GstHarness) h = gst_harness_new_parse (i == 0 ? ALL
        : "mgpuconvert ! video/x-raw(ANY),format=RGBx ! " ALL);

    gst_harness_set_sink_caps_str (h, "ANY");
    gst_harness_set_src_caps (h, gst_caps_ref (caps));
    out[i] = harness_push_pull (h, frame_new (&info, LAYOUT_DEFAULT, 9));
  }
  fail_unless_equals_int (count_rois (out[0]), count_rois (out[1]));
  for (guint n = 0; n < count_rois (out[0]); n++) {
    for (guint i = 0; i < 2; i++)
      meta[i] = gst_buffer_iterate_meta_filtered (out[i], &state[i],
          GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE);
    fail_unless (get_score ((GstVideoRegionOfInterestMeta *) meta[0])
        == get_score ((GstVideoRegionOfInterestMeta *) meta[1]));
  }
  gst_buffer_unref (out[0]);
  gst_buffer_unref (out[1]);
}

GST_END_TEST;

/* Tests changes of grouping, suppression and the limit of detections between frames. */
GST_START_TEST (test_live)
{
  const gchar *caps = HOST_CAPS ("GRAY8", 96, 160);
  GstVideoInfo info = info_from_string (caps);
  g_autoptr (GstHarness) h = harness_new (ALL, caps, caps);
  g_autoptr (GstElement) filter = harness_filter (h);
  guint n[6];

  for (guint i = 0; i < G_N_ELEMENTS (n); i++) {
    g_autoptr (GstBuffer) out = NULL;

    if (i == 1)
      g_object_set (filter, "max-detections", 4, NULL);
    else if (i == 2)
      g_object_set (filter, "max-detections", 0, "nms-overlap", 0.5, NULL);
    else if (i == 3)
      g_object_set (filter, "nms-overlap", 1.0, "group-threshold", 2, NULL);
    else if (i == 4)
      g_object_set (filter, "threshold", 100.0, NULL);
    else if (i == 5)
      g_object_set (filter, "threshold", -100.0, "detector", 0, NULL);
    out = harness_push_pull (h, frame_new (&info, LAYOUT_DEFAULT, 3));
    n[i] = count_rois (out);
  }
  fail_unless (n[0] > 50);
  fail_unless_equals_int (n[1], 4);
  fail_unless (n[2] > 0 && n[2] < n[0] / 2);
  fail_unless (n[3] > 0 && n[3] < n[0] / 2);
  fail_unless_equals_int (n[4], 0);
  fail_unless_equals_int (n[5], 0);
}

GST_END_TEST;

/* Tests that the box of a person has 0.6 of the width and 0.8 of the height of the search window,
 * and the same center. */
GST_START_TEST (test_box)
{
  const gchar *caps = HOST_CAPS ("GRAY8", 96, 160);
  GstVideoInfo info = info_from_string (caps);
  g_autoptr (GstHarness) h = harness_new (ALL, caps, caps);
  g_autoptr (GstElement) filter = harness_filter (h);
  g_autoptr (GstBuffer) window = NULL, object = NULL;
  gint value;

  window = harness_push_pull (h, frame_new (&info, LAYOUT_DEFAULT, 3));
  gst_util_set_object_arg (G_OBJECT (filter), "box", "object");
  object = harness_push_pull (h, frame_new (&info, LAYOUT_DEFAULT, 3));
  fail_unless (count_rois (window) > 50);
  fail_unless_equals_int (count_rois (object), count_rois (window));
  for (guint i = 0; i < count_rois (window); i++) {
    /* Assumes that all scores differ. Boxes with equal scores could be in another order, but random
     * frames have no equal scores. */
    GstVideoRegionOfInterestMeta *w = get_roi (window, i), *o =
        get_roi (object, i);

    fail_unless (get_score (w) == get_score (o));
    fail_unless_equals_int (o->w, (gint) rint (0.6 * w->w));
    fail_unless_equals_int (o->h, (gint) rint (0.8 * w->h));
    fail_unless_equals_int (o->x, w->x + (w->w - o->w) / 2);
    fail_unless_equals_int (o->y, w->y + (w->h - o->h) / 2);
  }
  gst_object_unref (filter);
  filter = gst_element_factory_make ("mgpuhog", NULL);
  g_object_get (filter, "box", &value, NULL);
  fail_unless_equals_int (value, 0);
}

GST_END_TEST;

/* Tests the number of search windows for each frame size, also for sizes without windows. */
GST_START_TEST (test_caps_change)
{
  const struct
  {
    GstVideoFormat format;
    gint width, height;
    guint n;
  } streams[] = {
    {GST_VIDEO_FORMAT_GRAY8, 64, 128, 1}, {GST_VIDEO_FORMAT_GRAY8, 1, 1, 0},
    {GST_VIDEO_FORMAT_BGRx, 75, 141, 6}, {GST_VIDEO_FORMAT_NV12, 63, 200, 0},
    {GST_VIDEO_FORMAT_BGRx, 64, 128, 1}
  };
  g_autoptr (GstHarness) h = gst_harness_new_parse (ALL);

  gst_harness_set_sink_caps_str (h, "ANY");
  for (guint i = 0; i < 2 * G_N_ELEMENTS (streams); i++) {
    guint k = i % G_N_ELEMENTS (streams);
    GstCaps *caps = caps_new (streams[k].format, streams[k].width,
        streams[k].height, FALSE);
    GstVideoInfo info;
    g_autoptr (GstBuffer) out = NULL;

    fail_unless (gst_video_info_from_caps (&info, caps));
    gst_harness_set_src_caps (h, caps);
    out = harness_push_pull (h, frame_new (&info, LAYOUT_DEFAULT, i));
    fail_unless_equals_int (count_rois (out), streams[k].n);
  }
}

GST_END_TEST;

/* Tests the search in every third frame: two of three frames pass without a search, and the frame
 * count restarts after a seek. */
GST_START_TEST (test_interval)
{
  const gchar *caps = HOST_CAPS ("GRAY8", 64, 128);
  GstVideoInfo info = info_from_string (caps);
  g_autoptr (GstHarness) h = harness_new (ALL " frame-interval=3", caps, caps);

  for (guint i = 0; i < 10; i++) {
    GstBuffer *from = frame_new (&info, LAYOUT_DEFAULT, i), *out;

    if (i == 5)
      flush (h);
    out = harness_push_pull (h, from);
    fail_unless (out == from);
    fail_unless_equals_int (count_rois (out), i % 5 % 3 == 0);
    gst_buffer_unref (out);
  }
}

GST_END_TEST;

GST_START_TEST (test_messages)
{
  const gchar *caps = HOST_CAPS ("GRAY8", 72, 128);
  GstVideoInfo info = info_from_string (caps);
  g_autoptr (GstHarness) h = harness_new (ALL " post-messages=true", caps, caps);
  GstBus *bus = harness_bus (h);
  GstBuffer *out, *from = frame_new (&info, LAYOUT_DEFAULT, 1);
  const GstStructure *s, *first;
  GstVideoRegionOfInterestMeta *roi;
  const GValue *list;
  GstClockTime time;
  g_autoptr (GstMessage) message = NULL;
  gdouble confidence, score;

  GST_BUFFER_PTS (from) = GST_SECOND;
  out = harness_push_pull (h, from);
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_ELEMENT);
  fail_unless (message != NULL);
  s = gst_message_get_structure (message);
  fail_unless (gst_structure_has_name (s, "mgpu-detections"));
  fail_unless (gst_structure_get_clock_time (s, "stream-time", &time));
  fail_unless_equals_uint64 (time, GST_SECOND);
  list = gst_structure_get_value (s, "detections");
  fail_unless_equals_int (gst_value_array_get_size (list), 2);
  first = gst_value_get_structure (gst_value_array_get_value (list, 0));
  fail_unless (gst_structure_has_name (first, "person"));
  fail_unless (gst_structure_get_double (first, "confidence", &confidence));
  fail_unless (gst_structure_get_double (first, "score", &score));
  fail_unless (fabs (confidence - 1 / (1 + exp (-1.4 * (score - 1.65))))
      < 1e-9);
  roi = gst_buffer_get_video_region_of_interest_meta_id (out, 0);
  fail_unless (roi != NULL && score == get_score (roi));
  gst_buffer_unref (out);
}

GST_END_TEST;

/* Tests that confidences of thousands of scores are from 0 to 1 and have the order of the scores,
 * also if the slope makes all of them 0 or 1. The default slope and midpoint are those for
 * people. */
GST_START_TEST (test_confidence)
{
  static const gdouble settings[][2] = {
    {0, 0}, {1, 0}, {0.001, 100}, {1000, -100}, {1000, 100}, {1000, 0.5}
  };
  const gdouble *set = settings[__i__];
  const gchar *caps = HOST_CAPS ("GRAY8", 320, 240);
  GstVideoInfo info = info_from_string (caps);
  g_autoptr (GstHarness) h =
      harness_new ("mgpuhog name=f box=window threshold=-100 "
      "group-threshold=0 nms-overlap=1 max-detections=0", caps, caps);
  gdouble before = 1, last = G_MAXDOUBLE;
  g_autoptr (GstElement) filter = harness_filter (h);
  g_autoptr (GPtrArray) list = NULL;
  g_autoptr (GstBuffer) out = NULL;

  if (set[0] != 0)
    g_object_set (filter, "confidence-slope", set[0], "confidence-midpoint",
        set[1], NULL);
  out = harness_push_pull (h, frame_new (&info, LAYOUT_DEFAULT, 5));
  list = gst_mgpu_buffer_get_detections (out);
  fail_unless (list->len > 1000);
  for (guint i = 0; i < list->len; i++) {
    const GstMgpuDetection *d = list->pdata[i];
    gdouble slope = set[0] != 0 ? set[0] : 1.4;
    gdouble midpoint = set[0] != 0 ? set[1] : 1.65;

    fail_unless (d->score <= last && d->confidence <= before
        && d->confidence >= 0);
    fail_unless (fabs (d->confidence
            - 1 / (1 + exp (-slope * (d->score - midpoint)))) < 1e-9);
    before = d->confidence;
    last = d->score;
  }
}

GST_END_TEST;

/* Tests that frames into which no search window fits pass, with a warning. Another warning reports,
 * once, that too many windows reach the threshold. */
GST_START_TEST (test_warnings)
{
  g_autoptr (GstHarness) h = gst_harness_new_parse (ALL " group-threshold=2");
  GstBus *bus = harness_bus (h);
  GstBuffer *out;

  gst_harness_set_sink_caps_str (h, "ANY");
  for (guint i = 0; i < 2; i++) {
    GstCaps *caps = caps_new (GST_VIDEO_FORMAT_GRAY8, i == 0 ? 63 : 640,
        i == 0 ? 400 : 300, FALSE);
    GstVideoInfo info;

    fail_unless (gst_video_info_from_caps (&info, caps));
    gst_harness_set_src_caps (h, caps);
    for (guint k = 0; k < 2; k++) {
      out = harness_push_pull (h, frame_new (&info, LAYOUT_DEFAULT, 1));
      fail_unless (i == 1 || count_rois (out) == 0);
      gst_buffer_unref (out);
    }
    if (i == 0)
      check_warning (bus, "63x400", "scale them up");
    else
      check_warning (bus, "only the best 4096", "raise \"threshold\"");
  }
}

GST_END_TEST;

/* Tests frames whose pyramid levels have more numbers than kernels can count in an int. */
GST_START_TEST (test_too_large)
{
  g_autoptr (GstHarness) h = gst_harness_new_parse (ALL);
  g_autoptr (GstMgpuContext) context = harness_context (h);
  guint64 most = gst_mgpu_context_get_traits (context)->max_allocation_size;
  GstBus *bus = harness_bus (h);

  gst_harness_set_sink_caps_str (h, "ANY");
  gst_harness_set_src_caps (h, caps_new (GST_VIDEO_FORMAT_GRAY8, 30000, 30000,
          FALSE));
  check_error (bus, "30000x30000", most < 900000000 ? "before this element"
      : "536 million pixels");
}

GST_END_TEST;

static gint fails;

/* Replaces an OpenCL function, and calls it; returns an error while @fails is set. */
__attribute__ ((visibility ("default")))
cl_int
clWaitForEvents (cl_uint n, const cl_event * events)
{
  cl_int ret = REAL (clWaitForEvents) (n, events);

  return g_atomic_int_get (&fails) ? CL_OUT_OF_RESOURCES : ret;
}

/* Tests that a frame whose scores cannot be read is not pushed as if it had no people. The frame is
 * in device memory, so that the host only waits for the scores. At most one frame is in flight, so
 * that on any device the push itself fails. */
GST_START_TEST (test_read_fails)
{
  const gchar *caps = DEVICE_CAPS ("GRAY8", 64, 128);
  GstVideoInfo info = info_from_string (HOST_CAPS ("GRAY8", 64, 128));
  g_autoptr (GstHarness) h = harness_new (ALL " max-in-flight=1", caps, caps);
  g_autoptr (GstMgpuContext) context = harness_context (h);
  GstBus *bus = harness_bus (h);
  GstBuffer *out;

  for (guint i = 0; i < 2; i++) {
    GstBuffer *in = device_frame_new (context, &info, 1);

    g_atomic_int_set (&fails, 1);
    fail_unless_equals_int (gst_harness_push (h, in), GST_FLOW_ERROR);
    g_atomic_int_set (&fails, 0);
    check_error (bus, "clWaitForEvents", "CL_OUT_OF_RESOURCES");
    fail_unless (gst_harness_try_pull (h) == NULL);

    out = harness_push_pull (h, device_frame_new (context, &info, 1));
    fail_unless_equals_int (count_rois (out), 1);
    gst_buffer_unref (out);
  }
}

GST_END_TEST;

/* Tests that the element finds the person who walks to the right at the beginning of the video. */
GST_START_TEST (test_walker)
{
  check_walker ("", "person");
}

GST_END_TEST;

CHECK_TESTS (mgpuhog)
{
  tcase_add_test (tc, test_windows);
#ifdef HAVE_ANALYTICS
  tcase_add_test (tc, test_analytics);
#endif
  tcase_add_loop_test (tc, test_formats, 0, 3);
  tcase_add_test (tc, test_live);
  tcase_add_test (tc, test_box);
  tcase_add_test (tc, test_caps_change);
  tcase_add_test (tc, test_interval);
  tcase_add_test (tc, test_messages);
  tcase_add_loop_test (tc, test_confidence, 0, 6);
  tcase_add_test (tc, test_warnings);
  tcase_add_test (tc, test_too_large);
  tcase_add_test (tc, test_read_fails);
  tcase_add_test (tc, test_walker);
}
