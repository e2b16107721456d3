/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests that mgpuupload does not change its input, and passes on frames in device memory. */
#include "common.h"

/* Tests that mgpuupload pushes system memory without a copy, and that nobody may then write to
 * it. */
GST_START_TEST (test_keeps_input)
{
  GstVideoInfo info = info_from_string (HOST_CAPS ("GRAY8", 64, 64));
  GstHarness *h = harness_new ("mgpuupload name=f", HOST_CAPS ("GRAY8", 64, 64),
      DEVICE_CAPS ("GRAY8", 64, 64));
  GstBuffer *from = frame_new (&info, LAYOUT_DEFAULT, 1);
  g_autoptr (GstBuffer) before = gst_buffer_copy_deep (from);
  g_autoptr (GstBuffer) to = harness_push_pull (h, gst_buffer_ref (from));

  frame_memory (to);
  fail_unless_same_frame (&info, from, to);
  to = gst_buffer_make_writable (to);
  fill_frame (&info, to, 2);
  fail_unless_same_frame (&info, from, before);
  fail_unless (count_differences (&info, from, to) > 1000);

  /* Frees the element, whose output frame remains valid. */
  gst_buffer_unref (to);
  to = harness_push_pull (h, from);
  gst_harness_teardown (h);
  fail_unless_same_frame (&info, before, to);
}

GST_END_TEST;

/* Tests that frames that are already on the device pass unchanged. */
GST_START_TEST (test_passes)
{
  GstVideoInfo info = info_from_string (HOST_CAPS ("RGB", 30, 20));
  g_autoptr (GstHarness) h = harness_new ("mgpuupload name=f",
      DEVICE_CAPS ("RGB", 30, 20), DEVICE_CAPS ("RGB", 30, 20));
  g_autoptr (GstMgpuContext) context = harness_context (h);
  g_autoptr (GstBuffer) from = device_frame_new (context, &info, 1);
  g_autoptr (GstBuffer) to = harness_push_pull (h, gst_buffer_ref (from));

  fail_unless (gst_buffer_peek_memory (from, 0) ==
      gst_buffer_peek_memory (to, 0));
  fail_unless_equals_uint64 (harness_stat (h, "uploads"), 0);
}

GST_END_TEST;

CHECK_TESTS (mgpuupload)
{
  tcase_add_test (tc, test_keeps_input);
  tcase_add_test (tc, test_passes);
}
