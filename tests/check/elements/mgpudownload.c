/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests that mgpudownload keeps the layout and the bytes of frames of all formats. */
#include "common.h"

/* Checks that a downstream element without support for video metas gets frames with default
 * strides. */
static void
check_layout (GstVideoFormat format, gboolean video_meta)
{
  g_autoptr (GstHarness) up = gst_harness_new ("mgpuupload");
  g_autoptr (GstHarness) down = gst_harness_new ("mgpudownload");
  GstCaps *caps = caps_new (format, 51, 37, FALSE);
  g_autoptr (GstBuffer) from = NULL, middle = NULL, to = NULL;
  g_autoptr (GstMgpuContext) context = NULL;
  g_autoptr (GstContext) carrier = NULL;
  GstVideoMeta *meta;
  GstVideoInfo info;

  /* Makes frames with padded strides, which are uploaded and have to be downloaded again. */
  context = harness_context (up);
  carrier = gst_context_new_mgpu_context (context);
  gst_element_set_state (down->element, GST_STATE_NULL);
  gst_element_set_context (down->element, carrier);
  gst_element_set_state (down->element, GST_STATE_PLAYING);

  fail_unless (gst_video_info_from_caps (&info, caps));
  gst_harness_set_sink_caps_str (up, "ANY");
  gst_harness_set_src_caps (up, caps);
  if (video_meta)
    gst_harness_add_propose_allocation_meta (down, GST_VIDEO_META_API_TYPE,
        NULL);
  gst_harness_set_sink_caps_str (down, "video/x-raw");
  gst_harness_set_src_caps (down, caps_new (format, 51, 37, TRUE));

  from = frame_new (&info, LAYOUT_PADDED, 1);
  middle = harness_push_pull (up, gst_buffer_ref (from));
  to = harness_push_pull (down, gst_buffer_ref (middle));
  fail_unless_same_frame (&info, from, to);
  meta = gst_buffer_get_video_meta (to);
  for (guint i = 0; i < GST_VIDEO_INFO_N_PLANES (&info) && !video_meta; i++) {
    fail_unless_equals_int (meta != NULL ? meta->stride[i]
        : GST_VIDEO_INFO_PLANE_STRIDE (&info, i),
        GST_VIDEO_INFO_PLANE_STRIDE (&info, i));
    fail_unless_equals_uint64 (meta != NULL ? meta->offset[i]
        : GST_VIDEO_INFO_PLANE_OFFSET (&info, i),
        GST_VIDEO_INFO_PLANE_OFFSET (&info, i));
  }
  if (video_meta)
    fail_unless (gst_buffer_peek_memory (middle, 0) ==
        gst_buffer_peek_memory (to, 0));
  fail_unless_equals_uint64 (get_stat (down->element, "frames"), 1);
}

GST_START_TEST (test_layout)
{
  check_layout (all_formats[__i__], TRUE);
  check_layout (all_formats[__i__], FALSE);
}

GST_END_TEST;

CHECK_TESTS (mgpudownload)
{
  tcase_add_loop_test (tc, test_layout, 0, N_ALL_FORMATS);
}
