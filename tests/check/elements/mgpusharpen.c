/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "reference.h"

#include <math.h>

typedef struct
{
  gdouble amount, sigma, threshold;
} Params;

static void
reference (GstVideoFrame * in, GstVideoFrame * out, gconstpointer params)
{
  const Params *p = params;
  RefPlane from[3], to[3];

  for (guint i = 0; i < MIN (3, GST_VIDEO_FRAME_N_COMPONENTS (in)); i++) {
    from[i] = ref_plane (in, i);
    to[i] = ref_plane (out, i);
  }
  if (GST_VIDEO_INFO_IS_RGB (&in->info))
    fail_unless (ref_sharpen_rgb (from, to, p->amount, p->sigma,
            p->threshold));
  else
    fail_unless (ref_sharpen (&from[0], &to[0], p->amount, p->sigma,
            p->threshold));
}

GST_START_TEST (test_formats)
{
  static const Params usual = { 1, 1.5, 0 }, strong = { 2.5, 4, 3 };
  const gchar *launch = "mgpusharpen amount=2.5 sigma=4 threshold=3";

  check_reference ("mgpusharpen", all_formats[__i__], 53, 38, reference,
      &usual);
  check_reference ("mgpusharpen", all_formats[__i__], 1, 1, reference, &usual);
  check_reference (launch, all_formats[__i__], 67, 21, reference, &strong);
}

GST_END_TEST;

/* Both ends of each range, and the Gaussian alone. */
GST_START_TEST (test_ranges)
{
  static const struct
  {
    const gchar *launch;
    Params params;
  } cases[] = {
    {"mgpusharpen amount=-1", {-1, 1.5, 0}},
    {"mgpusharpen amount=-1 sigma=12", {-1, 12, 0}},
    {"mgpusharpen amount=16 sigma=0.3", {16, 0.3, 0}},
    {"mgpusharpen sigma=256", {1, 256, 0}},
    {"mgpusharpen threshold=255", {1, 1.5, 255}},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    check_reference (cases[i].launch, GST_VIDEO_FORMAT_GRAY8, 41, 30, reference,
        &cases[i].params);
    check_reference (cases[i].launch, GST_VIDEO_FORMAT_GRAY8, 1, 1, reference,
        &cases[i].params);
  }
}

GST_END_TEST;

/* A change while frames flow is seen in the next one; what changes nothing lets
 * frames pass. */
GST_START_TEST (test_live)
{
  const gchar *caps = HOST_CAPS ("I420", 40, 30);
  GstVideoInfo info = info_from_string (caps);
  GstHarness *h = harness_new ("mgpusharpen name=f", caps, caps);
  GstElement *filter = harness_filter (h);
  const Params steps[] = {
    {1, 1.5, 0}, {3, 1.5, 0}, {3, 8, 0}, {0, 8, 0}, {3, 8, 9}, {3, 0, 9},
    {-1, 2, 0}, {1, 1.5, 0}
  };

  for (guint i = 0; i < G_N_ELEMENTS (steps); i++) {
    GstBuffer *from = frame_new (&info, LAYOUT_DEFAULT, 1);
    GstBuffer *expected = gst_buffer_copy_deep (from);
    GstVideoFrame in, out;
    GstBuffer *to;

    g_object_set (filter, "amount", steps[i].amount, "sigma", steps[i].sigma,
        "threshold", steps[i].threshold, NULL);
    to = harness_push_pull (h, gst_buffer_ref (from));
    fail_unless (gst_video_frame_map (&in, &info, from, GST_MAP_READ));
    fail_unless (gst_video_frame_map (&out, &info, expected, GST_MAP_WRITE));
    reference (&in, &out, &steps[i]);
    gst_video_frame_unmap (&out);
    gst_video_frame_unmap (&in);
    fail_unless_same_frame (&info, to, expected);
    fail_unless_equals_int (to == from,
        steps[i].amount == 0 || steps[i].sigma == 0);
    gst_buffer_unref (from);
    gst_buffer_unref (to);
    gst_buffer_unref (expected);
  }
  fail_unless_equals_uint64 (harness_stat (h, "frames"), G_N_ELEMENTS (steps));
  gst_object_unref (filter);
  gst_harness_teardown (h);
}

GST_END_TEST;

/* Values out of range are refused, with a warning for each. */
GST_START_TEST (test_bad_values)
{
  GstElement *filter = gst_element_factory_make ("mgpusharpen", NULL);
  const struct
  {
    const gchar *name;
    gdouble low, high;
  } ranges[] = {
    {"amount", -1, 16}, {"sigma", 0, 256}, {"threshold", 0, 255}
  };

  for (guint i = 0; i < G_N_ELEMENTS (ranges); i++) {
    set_badly (filter, ranges[i].name, ranges[i].low - 0.01);
    set_badly (filter, ranges[i].name, ranges[i].high + 0.01);
    set_badly (filter, ranges[i].name, INFINITY);
    set_badly (filter, ranges[i].name, -INFINITY);
    set_badly (filter, ranges[i].name, NAN);
  }
  gst_object_unref (filter);
}

GST_END_TEST;

static Suite *
mgpusharpen_suite (void)
{
  Suite *s = suite_create ("mgpusharpen");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_loop_test (tc, test_formats, 0, G_N_ELEMENTS (all_formats));
  tcase_add_test (tc, test_ranges);
  tcase_add_test (tc, test_live);
  tcase_add_test (tc, test_bad_values);
  return s;
}

GST_CHECK_MAIN (mgpusharpen);
