/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "reference.h"

/* params: whether each channel is equalized by itself */
static void
reference (GstVideoFrame * in, GstVideoFrame * out, gconstpointer params)
{
  const gboolean *each = params;
  RefPlane from[3], to[3];
  guint n = GST_VIDEO_INFO_IS_RGB (&in->info) ? 3 : 1;

  for (guint i = 0; i < n; i++) {
    from[i] = ref_plane (in, i);
    to[i] = ref_plane (out, i);
  }
  if (n == 3 && !*each)
    fail_unless (ref_histeq_rgb (from, to));
  else
    for (guint i = 0; i < n; i++)
      ref_histeq (&from[i], &to[i]);
}

GST_START_TEST (test_formats)
{
  gboolean each = FALSE;

  check_reference ("mgpuhisteq", all_formats[__i__], 53, 38, reference, &each);
  check_reference ("mgpuhisteq", all_formats[__i__], 1, 1, reference, &each);
  each = TRUE;
  check_reference ("mgpuhisteq channels=each", all_formats[__i__], 67, 21,
      reference, &each);
}

GST_END_TEST;

/* A change while frames flow is seen in the next one. */
GST_START_TEST (test_live)
{
  const gchar *caps = HOST_CAPS ("RGB", 40, 30);
  GstVideoInfo info = info_from_string (caps);
  GstHarness *h = harness_new ("mgpuhisteq name=f", caps, caps);
  GstElement *filter = harness_filter (h);
  GstBuffer *from = frame_new (&info, LAYOUT_DEFAULT, 1);
  GstBuffer *out[3];

  for (guint i = 0; i < 3; i++) {
    gst_util_set_object_arg (G_OBJECT (filter), "channels",
        i == 1 ? "each" : "luma");
    out[i] = harness_push_pull (h, gst_buffer_ref (from));
  }
  fail_unless_same_frame (&info, out[0], out[2]);
  fail_unless (count_differences (&info, out[0], out[1]) > 100);
  for (guint i = 0; i < 3; i++)
    gst_buffer_unref (out[i]);
  gst_buffer_unref (from);
  gst_object_unref (filter);
  gst_harness_teardown (h);
}

GST_END_TEST;

/* Nothing of one frame stays in the next. */
GST_START_TEST (test_frames_apart)
{
  const gchar *caps = HOST_CAPS ("GRAY8", 40, 30);
  GstVideoInfo info = info_from_string (caps);
  GstHarness *h = harness_new ("mgpuhisteq name=f", caps, caps);
  GstBuffer *first = frame_new (&info, LAYOUT_DEFAULT, 1);
  GstBuffer *expected = harness_push_pull (h, gst_buffer_ref (first));

  for (guint i = 0; i < 5; i++) {
    GstBuffer *out;

    gst_buffer_unref (harness_push_pull (h, frame_new (&info, LAYOUT_PADDED,
                i + 2)));
    out = harness_push_pull (h, gst_buffer_ref (first));
    fail_unless_same_frame (&info, out, expected);
    gst_buffer_unref (out);
  }
  gst_buffer_unref (first);
  gst_buffer_unref (expected);
  gst_harness_teardown (h);
}

GST_END_TEST;

static Suite *
mgpuhisteq_suite (void)
{
  Suite *s = suite_create ("mgpuhisteq");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_loop_test (tc, test_formats, 0, G_N_ELEMENTS (all_formats));
  tcase_add_test (tc, test_live);
  tcase_add_test (tc, test_frames_apart);
  return s;
}

GST_CHECK_MAIN (mgpuhisteq);
