/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests that an element warns once if its input lacks the metas that it works on, and that it does
 * not warn if frames merely show no objects. */
#include "common.h"

#include <gst/base/gstbasetransform.h>

#if defined (HAVE_ANALYTICS) && GST_CHECK_VERSION (1, 26, 0)
#include <gst/analytics/analytics.h>
#define HAVE_SEGMENTS
#endif

#define CAPS "video/x-raw,format=GRAY8,width=64,height=128,framerate=25/1"

/* A detector of another plugin, which finds nothing. */
typedef GstBaseTransform TestDetect;
typedef GstBaseTransformClass TestDetectClass;

static GType test_detect_get_type (void);
G_DEFINE_TYPE (TestDetect, test_detect, GST_TYPE_BASE_TRANSFORM);

static void
test_detect_init (TestDetect * self)
{
}

static void
test_detect_class_init (TestDetectClass * klass)
{
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  gst_element_class_add_pad_template (element_class,
      gst_pad_template_new ("sink", GST_PAD_SINK, GST_PAD_ALWAYS,
          GST_CAPS_ANY));
  gst_element_class_add_pad_template (element_class,
      gst_pad_template_new ("src", GST_PAD_SRC, GST_PAD_ALWAYS, GST_CAPS_ANY));
  gst_element_class_set_static_metadata (element_class, "Test", "Filter/Video",
      "Passes frames", "The gst-mgpu authors");
}

#ifdef HAVE_SEGMENTS
/* An element of another plugin that attaches segmentation masks, but none at present. */
typedef TestDetect TestSegment;
typedef TestDetectClass TestSegmentClass;

static GType test_segment_get_type (void);
G_DEFINE_TYPE (TestSegment, test_segment, test_detect_get_type ());

static void
test_segment_init (TestSegment * self)
{
}

static void
test_segment_class_init (TestSegmentClass * klass)
{
}
#endif

static GstHarness *h;
static GstBus *bus;
static GstElement *filter;
static guint n_pushed;

/* Opens a launch line in which the element under test is named "f". */
static void
begin (const gchar * launch)
{
  h = harness_open (launch);
  filter = harness_filter (h);
  bus = harness_bus (h);
  gst_harness_add_propose_allocation_meta (h, GST_VIDEO_META_API_TYPE, NULL);
  gst_harness_set_caps_str (h, CAPS, "video/x-raw");
  n_pushed = 0;
}

static void
end (void)
{
  g_clear_object (&filter);
  g_clear_pointer (&h, harness_end);
}

/* Pushes @n frames of uniform gray at intervals of @duration. Each has a region of each of the
 * @types, which are separated by commas. */
static void
push_every (GstClockTime duration, guint n, const gchar * types)
{
  gchar **list = g_strsplit (types, ",", -1);
  GstVideoInfo info = info_from_string (CAPS);

  for (guint i = 0; i < n; i++) {
    GstBuffer *frame = gst_buffer_new_allocate (NULL, info.size, NULL), *out;

    gst_buffer_memset (frame, 0, 99, info.size);
    for (guint k = 0; list[k] != NULL; k++)
      gst_buffer_add_video_region_of_interest_meta (frame, list[k], 8, 8, 16,
          16);
    if (GST_CLOCK_TIME_IS_VALID (duration))
      GST_BUFFER_PTS (frame) = n_pushed * duration;
    n_pushed++;
    fail_unless_equals_int (gst_harness_push (h, frame), GST_FLOW_OK);
    while ((out = gst_harness_try_pull (h)) != NULL)
      gst_buffer_unref (out);
  }
  g_strfreev (list);
}

static void
push (guint n, const gchar * types)
{
  push_every (40 * GST_MSECOND, n, types);
}

static void
expect_silence (void)
{
  GstMessage *message = gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING);
  GError *error = NULL;

  if (message == NULL)
    return;
  gst_message_parse_warning (message, &error, NULL);
  fail ("%s", error->message);
}

/* Elements that wait for regions of interest of the type "person" */
static const gchar *const waiting[] = {
  "mgpubilateral roi-type=person", "mgpublur roi-type=person",
  "mgpudenoise roi-type=person", "mgpuhisteq roi-type=person",
  "mgpuintegral box-radius=2 roi-type=person",
  "mgpulocalcontrast roi-type=person", "mgpusharpen roi-type=person",
  "mgpusift roi-type=person", "mgpuhog roi-type=person",
  "mgpuinpaint mask-source=roi roi-type=person",
  "mgpustabilize ignore-type=person", "mgputrack types=person",
  "mgpumotion roi-type=person", "mgputags roi-type=person",
  "mgpukernel location=" SOURCE_ROOT "/examples/kernels/edges.cl "
      "roi-type=person"
};

/* Tests a pipeline without a detector: the frame that completes the first second causes the only
 * warning. */
GST_START_TEST (test_no_detector)
{
  g_autofree gchar *launch =
      g_strdup_printf ("identity ! %s name=f", waiting[__i__]);

  begin (launch);
  push (25, "");
  expect_silence ();
  push (1, "");
  check_warning (bus, "no region of any type", "mgpuhog");
  push (60, "");
  expect_silence ();
}

GST_END_TEST;

/* Tests regions of other types than the element waits for: the warning names these types. */
GST_START_TEST (test_other_types)
{
  g_autofree gchar *launch = g_strdup_printf ("%s name=f", waiting[__i__]);

  begin (launch);
  push (10, "cat");
  push (15, "Person,cat");
  expect_silence ();
  push (1, "");
  check_warning (bus, "(person)", "cat, Person");
  push (60, "cat");
  expect_silence ();
}

GST_END_TEST;

/* Tests that one region of the type prevents the warning, also after regions of other types. */
GST_START_TEST (test_type_came)
{
  g_autofree gchar *launch = g_strdup_printf ("%s name=f", waiting[__i__]);

  begin (launch);
  push (20, "cat");
  push (1, "cat,person");
  push (60, "cat");
  push (60, "");
  expect_silence ();
}

GST_END_TEST;

/* Detectors that find nothing: of this plugin, of other plugins, and in bins */
static const gchar *const detectors[] = {
  "mgpuhog ! mgpublur", "( mgpuhog ! identity ) ! identity ! mgpublur",
  "mgpumatch enabled=false ! mgpublur", "testdetect ! identity ! mgpublur",
  "mgpuhog ! tee ! mgpublur"
};

/* Tests that a scene without objects causes no warning, but that a wrong type does when objects
 * appear. */
GST_START_TEST (test_empty_scene)
{
  g_autofree gchar *launch =
      g_strdup_printf ("%s name=f roi-type=persn", detectors[__i__]);

  gst_element_register (NULL, "testdetect", GST_RANK_NONE,
      test_detect_get_type ());
  begin (launch);
  push (90, "");
  expect_silence ();
  push (30, "person");
  check_warning (bus, "(persn)", "person");
}

GST_END_TEST;

/* Tests that elements that attach no regions themselves are not treated as detectors. */
GST_START_TEST (test_no_detectors)
{
  begin
      ("mgpusift ! mgputrack enabled=false ! mgpublur name=f roi-type=person");
  push (26, "");
  check_warning (bus, "no region of any type", "mgpuhog");
}

GST_END_TEST;

/* Tests that elements that wait for no metas, or are disabled, do not warn. */
GST_START_TEST (test_not_waiting)
{
  static const gchar *const launches[] = {
    "mgpublur name=f", "mgpublur name=f rectangle=1,1,9,9",
    "mgpublur name=f roi-type=person enabled=false", "mgpuinpaint name=f",
    "mgputrack name=f enabled=false", "mgpusift name=f",
    "mgpumatch name=f enabled=false"
  };

  for (guint i = 0; i < G_N_ELEMENTS (launches); i++) {
    begin (launches[i]);
    push (60, "");
    push (60, "cat");
    expect_silence ();
    end ();
  }
}

GST_END_TEST;

/* Tests an element that accepts regions of any type. */
GST_START_TEST (test_any_type)
{
  static const gchar *const launches[] = {
    "mgpublur name=f roi-type=*", "mgpuinpaint name=f mask-source=roi",
    "mgputrack name=f"
  };

  for (guint i = 0; i < G_N_ELEMENTS (launches); i++) {
    begin (launches[i]);
    push (10, "");
    push (1, "cat");
    push (60, "");
    expect_silence ();
    end ();
    begin (launches[i]);
    push (26, "");
    check_warning (bus, "no region of any type", "waits");
    end ();
  }
}

GST_END_TEST;

/* Tests that streams with few frames per second get more time before the warning, and that frames
 * without timestamps are counted. */
GST_START_TEST (test_time)
{
  begin ("mgputrack name=f");
  push_every (2 * GST_SECOND, 4, "");
  expect_silence ();
  push_every (2 * GST_SECOND, 1, "");
  check_warning (bus, "no region of any type", "waits");
  end ();

  begin ("mgputrack name=f");
  push_every (GST_CLOCK_TIME_NONE, 25, "");
  expect_silence ();
  push_every (GST_CLOCK_TIME_NONE, 1, "");
  check_warning (bus, "no region of any type", "waits");
}

GST_END_TEST;

/* Tests that the time before the warning starts again after a flush. */
GST_START_TEST (test_flush)
{
  begin ("mgputrack name=f");
  push (20, "");
  flush (h);
  n_pushed = 0;
  push (25, "");
  expect_silence ();
  push (1, "");
  check_warning (bus, "no region of any type", "waits");
}

GST_END_TEST;

/* Tests that each value of the property has its warning, and that starting the element again resets
 * this. */
GST_START_TEST (test_again)
{
  begin ("mgpublur name=f roi-type=cat");
  push (26, "dog");
  check_warning (bus, "(cat)", "dog");
  g_object_set (filter, "roi-type", "Dog", NULL);
  push (26, "dog");
  check_warning (bus, "(Dog)", "dog");
  g_object_set (filter, "roi-type", "dog", NULL);
  push (26, "dog");
  expect_silence ();
  g_object_set (filter, "roi-type", NULL, NULL);
  push (26, "");
  expect_silence ();
  end ();

  begin ("mgputrack name=f");
  for (guint i = 0; i < 2; i++) {
    push (26, "");
    check_warning (bus, "no region of any type", "waits");
    gst_element_set_state (filter, GST_STATE_NULL);
    gst_element_set_state (filter, GST_STATE_PLAYING);
    gst_harness_set_src_caps_str (h, CAPS);
    n_pushed = 0;
  }
}

GST_END_TEST;

static void
add_picture (void)
{
  GstVideoInfo info = info_from_string (CAPS);
  g_autoptr (GstBuffer) buffer = frame_new (&info, LAYOUT_DEFAULT, 1);
  g_autoptr (GstCaps) caps = gst_caps_from_string (CAPS);
  g_autoptr (GstSample) sample = gst_sample_new (buffer, caps, NULL, NULL);
  guint number;

  g_signal_emit_by_name (filter, "add-picture", "thing", sample, &number);
  fail_unless (number > 0);
}

/* Tests that mgpumatch warns if there are no reference images or no keypoints with descriptors. */
GST_START_TEST (test_match)
{
  begin ("mgpusift ! mgpumatch name=f");
  push (25, "");
  expect_silence ();
  push (1, "");
  check_warning (bus, "the element has no reference image", "add-picture");
  push (60, "");
  expect_silence ();
  end ();

  begin ("mgpumatch name=f");
  add_picture ();
  push (25, "");
  expect_silence ();
  push (1, "");
  check_warning (bus, "no keypoints", "put mgpusift before");
  push (60, "");
  expect_silence ();
  end ();

  begin ("mgpusift descriptor=none ! mgpumatch name=f");
  add_picture ();
  push (25, "");
  expect_silence ();
  push (1, "");
  check_warning (bus, "no descriptors", "descriptor=sift or rootsift");
  push (60, "");
  expect_silence ();
}

GST_END_TEST;

/* Tests that mgpumatch posts no warning if mgpusift explains why there are no keypoints, or if a
 * few frames have keypoints. */
GST_START_TEST (test_match_silent)
{
  static const gchar *const launches[] = {
    "mgpusift enabled=false ! identity ! mgpumatch name=f min-inliers=4",
    "mgpusift frame-interval=20 ! mgpumatch name=f min-inliers=4"
  };

  for (guint i = 0; i < G_N_ELEMENTS (launches); i++) {
    begin (launches[i]);
    add_picture ();
    push (60, "");
    expect_silence ();
    end ();
  }
}

GST_END_TEST;

/* Masks whose properties mark no pixel of the frame */
static const gchar *const outside[] = {
  "mgpublur rectangle=900,20,96,40", "mgpuinpaint rectangle=-20,0,20,9",
  "mgpusharpen mask-invert=true polygon=900,0,990,0,900,99",
  "mgpuinpaint mode=temporal look-ahead=2 rectangle=900,20,96,40",
  "mgpumotion rectangle=900,20,96,40",
  "mgpudenoise rectangle=900,20,96,40;0,900,96,40"
};

/* Tests that a mask outside of the frame causes one warning, with the first frame. */
GST_START_TEST (test_outside)
{
  g_autofree gchar *launch = g_strdup_printf ("%s name=f", outside[__i__]);

  begin (launch);
  push (3, "");
  check_warning (bus, "no pixels in frames of", "\"rectangle\"");
  push (40, "person");
  g_object_set (filter, "rectangle", "900,20,96,41", NULL);
  push (3, "");
  expect_silence ();
}

GST_END_TEST;

/* Tests that a mask that has a pixel in the frame causes no warning, and neither does an empty one
 * to which regions of interest add pixels later. */
GST_START_TEST (test_inside)
{
  begin ("mgpublur rectangle=-20,-20,21,21 ! "
      "mgpublur name=f roi-type=person rectangle=900,20,96,40");
  push (3, "");
  push (40, "person");
  expect_silence ();
}

GST_END_TEST;

#ifdef HAVE_SEGMENTS
/* Pushes a frame with a segmentation mask in which everything is background. */
static void
push_segmentation (void)
{
  GstVideoInfo info = info_from_string (CAPS);
  GstBuffer *frame = gst_buffer_new_allocate (NULL, info.size, NULL);
  GstBuffer *mask = gst_buffer_new_allocate (NULL, info.size, NULL);
  guint ids[] = { 0, 1 };
  GstAnalyticsMtd segments;

  gst_buffer_memset (frame, 0, 99, info.size);
  gst_buffer_memset (mask, 0, 0, info.size);
  gst_buffer_add_video_meta (mask, GST_VIDEO_FRAME_FLAG_NONE,
      GST_VIDEO_FORMAT_GRAY8, info.width, info.height);
  fail_unless (gst_analytics_relation_meta_add_segmentation_mtd
      (gst_buffer_add_analytics_relation_meta (frame), mask,
          GST_SEGMENTATION_TYPE_SEMANTIC, G_N_ELEMENTS (ids), ids, 0, 0,
          info.width, info.height, &segments));
  GST_BUFFER_PTS (frame) = n_pushed++ * 40 * GST_MSECOND;
  gst_buffer_unref (gst_harness_push_and_pull (h, frame));
}

#define SEGMENTS "mgpuinpaint mask-source=segmentation name=f"

/* Tests that mask-source=segmentation warns without segmentation masks. One mask prevents the
 * warning, and so does an element upstream that may attach masks later. A detector attaches no
 * masks. */
GST_START_TEST (test_segmentation)
{
  gst_element_register (NULL, "testdetect", GST_RANK_NONE,
      test_detect_get_type ());
  gst_element_register (NULL, "testsegment", GST_RANK_NONE,
      test_segment_get_type ());
  begin ("testdetect ! " SEGMENTS);
  push (25, "person");
  expect_silence ();
  push (1, "person");
  check_warning (bus, "segmentation masks", "mask-source");
  push (60, "");
  expect_silence ();
  end ();

  begin (SEGMENTS);
  push (10, "");
  push_segmentation ();
  push (60, "");
  expect_silence ();
  end ();

  begin ("testsegment ! " SEGMENTS);
  push (60, "");
  expect_silence ();
}

GST_END_TEST;
#endif

CHECK_TESTS (mgpuwatch)
{
  const gint n = G_N_ELEMENTS (waiting);

  tcase_add_checked_fixture (tc, NULL, end);
  tcase_add_loop_test (tc, test_no_detector, 0, n);
  tcase_add_loop_test (tc, test_other_types, 0, n);
  tcase_add_loop_test (tc, test_type_came, 0, n);
  tcase_add_loop_test (tc, test_empty_scene, 0, G_N_ELEMENTS (detectors));
  tcase_add_test (tc, test_no_detectors);
  tcase_add_test (tc, test_not_waiting);
  tcase_add_test (tc, test_any_type);
  tcase_add_test (tc, test_time);
  tcase_add_test (tc, test_flush);
  tcase_add_test (tc, test_again);
  tcase_add_test (tc, test_match);
  tcase_add_test (tc, test_match_silent);
  tcase_add_loop_test (tc, test_outside, 0, G_N_ELEMENTS (outside));
  tcase_add_test (tc, test_inside);
#ifdef HAVE_SEGMENTS
  tcase_add_test (tc, test_segmentation);
#endif
}
