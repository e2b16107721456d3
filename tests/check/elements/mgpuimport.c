/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests that frames of any memory and layout reach the device, without a copy or copied. */
#include "common.h"

/* Returns whether a device that shares memory with the host can use a frame of this layout without
 * a copy. */
static gboolean
in_place (const GstVideoInfo * info, Layout layout)
{
  /* Samples of 16 bits require even strides. */
  return layout == LAYOUT_DEFAULT || layout == LAYOUT_PADDED
      || (layout == LAYOUT_ODD && GST_VIDEO_INFO_COMP_DEPTH (info, 0) == 8)
      || (layout == LAYOUT_PLANES && GST_VIDEO_INFO_N_PLANES (info) == 1);
}

static void
check_layout (const gchar * launch, GstVideoFormat format, Layout layout)
{
  g_autoptr (GstHarness) h = gst_harness_new_parse (launch);
  GstCaps *caps = caps_new (format, 51, 37, FALSE);
  gboolean unified = device_is_unified ();
  g_autoptr (GstBuffer) from = NULL, before = NULL;
  guint64 copies;
  GstVideoInfo info;

  GST_INFO ("%s %s, layout %d", launch, gst_video_format_to_string (format),
      layout);
  fail_unless (gst_video_info_from_caps (&info, caps));
  gst_harness_set_sink_caps_str (h, "ANY");
  gst_harness_set_src_caps (h, caps);
  from = frame_new (&info, layout, 1);
  before = gst_buffer_copy_deep (from);
  for (guint i = 0; i < 3; i++) {
    GstBuffer *to = harness_push_pull (h, gst_buffer_ref (from));

    fail_unless_same_frame (&info, from, to);
    gst_buffer_unref (to);
    /* Checks that nobody keeps upstream's buffer or writes to it. */
    fail_unless (gst_buffer_is_writable (from));
    fail_unless_same_frame (&info, from, before);
  }

  copies = unified && in_place (&info, layout) ? 0 : 3;
  fail_unless_equals_uint64 (harness_stat (h, "uploads"), copies);
  if (unified)
    fail_unless_equals_uint64 (harness_stat (h, "upload-bytes"),
        copies * GST_VIDEO_INFO_SIZE (&info));
  /* Checks that a frame that was only uploaded, and not changed, is not downloaded again. */
  fail_unless_equals_uint64 (harness_stat (h, "downloads"),
      unified || g_str_has_prefix (launch, "mgpuupload") ? 0 : 3);
}

GST_START_TEST (test_layouts)
{
  GstVideoFormat format = all_formats[__i__];

  for (guint layout = 0; layout < N_LAYOUTS; layout++) {
    check_layout (IDENTITY, format, layout);
    check_layout ("mgpuupload name=f", format, layout);
  }
}

GST_END_TEST;

/* Tests a frame that begins after other bytes of its memory and ends before others. */
GST_START_TEST (test_part_of_memory)
{
  const gchar *caps = HOST_CAPS ("NV12", 32, 24);
  GstVideoInfo info = info_from_string (caps);
  g_autoptr (GstHarness) h = harness_new (IDENTITY, caps, caps);

  for (guint skip = 1; skip <= 64; skip *= 4) {
    g_autoptr (GstBuffer) from = gst_buffer_new ();
    g_autoptr (GstBuffer) to = NULL;

    gst_buffer_append_memory (from, memory_new (GST_VIDEO_INFO_SIZE (&info)
            + skip + 100, 0));
    gst_buffer_resize (from, skip, GST_VIDEO_INFO_SIZE (&info));
    fill_frame (&info, from, skip);
    to = harness_push_pull (h, gst_buffer_ref (from));
    fail_unless_same_frame (&info, from, to);
  }
}

GST_END_TEST;

/* Tests a frame in a part of a device memory: with an offset in the memory, and strides in the
 * GstVideoMeta. */
GST_START_TEST (test_part_of_device_memory)
{
  const gchar *caps = HOST_CAPS ("I420", 32, 24);
  GstVideoInfo info = info_from_string (caps);
  g_autoptr (GstHarness) h = harness_new (IDENTITY, caps, caps);
  g_autoptr (GstMgpuContext) context = harness_context (h);
  gsize offset[GST_VIDEO_MAX_PLANES] = { 128, 4096, 2048 };
  gint stride[GST_VIDEO_MAX_PLANES] = { 48, 40, 17 };
  g_autoptr (GstBuffer) from = gst_buffer_new ();
  g_autoptr (GstMgpuQueue) queue = gst_mgpu_queue_new (context, NULL);
  g_autoptr (GstBuffer) to = NULL;

  gst_buffer_append_memory (from, gst_mgpu_memory_new (queue, 8192, NULL,
          NULL));
  gst_buffer_resize (from, 64, 6000);
  gst_buffer_add_video_meta_full (from, GST_VIDEO_FRAME_FLAG_NONE,
      GST_VIDEO_FORMAT_I420, 32, 24, 3, offset, stride);
  fill_frame (&info, from, 5);
  to = harness_push_pull (h, gst_buffer_ref (from));
  fail_unless_same_frame (&info, from, to);
  if (device_is_unified ())
    fail_unless_equals_uint64 (harness_stat (h, "uploads"), 0);
}

GST_END_TEST;

static void
keep_frame (GstElement * sink, GstBuffer * buffer, GstPad * pad,
    GPtrArray * frames)
{
  g_ptr_array_add (frames, gst_buffer_ref (buffer));
}

/* Tests that several elements read one frame at the same time; each gets the whole frame. */
GST_START_TEST (test_tee)
{
  g_autoptr (GstElement) pipeline =
      gst_parse_launch ("videotestsrc num-buffers=30 " "pattern=snow ! "
      HOST_CAPS ("NV12", 161,
          121) " ! mgpuupload ! tee "
      "name=t  t. ! queue ! mgpubilateral sigma-color=0.01 planes=all ! "
      "fakesink name=a signal-handoffs=true  t. ! queue ! mgpubilateral "
      "sigma-color=0.01 planes=all ! mgpudownload ! fakesink name=b "
      "signal-handoffs=true  t. ! queue ! mgpuhisteq ! fakesink  t. ! queue ! "
      "fakesink name=c signal-handoffs=true", NULL);
  GPtrArray *frames[3];
  GstVideoInfo info = info_from_string (HOST_CAPS ("NV12", 161, 121));

  for (guint i = 0; i < 3; i++) {
    const gchar name[] = { 'a' + i, '\0' };
    g_autoptr (GstElement) sink =
        gst_bin_get_by_name (GST_BIN (pipeline), name);

    frames[i] = g_ptr_array_new_with_free_func ((GDestroyNotify)
        gst_buffer_unref);
    g_signal_connect (sink, "handoff", G_CALLBACK (keep_frame), frames[i]);
  }
  fail_unless_no_error (run_to_end (pipeline));
  for (guint i = 0; i < 3; i++)
    fail_unless_equals_int (frames[i]->len, 30);
  for (guint j = 0; j < 30; j++) {
    fail_unless_same_frame (&info, frames[0]->pdata[j], frames[2]->pdata[j]);
    fail_unless_same_frame (&info, frames[1]->pdata[j], frames[2]->pdata[j]);
  }
  gst_element_set_state (pipeline, GST_STATE_NULL);
  for (guint i = 0; i < 3; i++)
    g_ptr_array_unref (frames[i]);
}

GST_END_TEST;

/* Checks that three filters in a row cause one upload and one download, or none on a device that
 * shares memory. */
static void
check_chain (const gchar * caps)
{
  g_autofree gchar *launch =
      g_strdup_printf ("videotestsrc num-buffers=100 ! %s ! "
      "mgpubilateral name=a ! mgpuhisteq name=b ! mgpubilateral name=c ! "
      "filesink location=/dev/null", caps);
  g_autoptr (GstElement) pipeline = gst_parse_launch (launch, NULL);
  const gchar *names[] = { "a", "b", "c" };
  guint64 uploads = 0, downloads = 0;

  fail_unless_no_error (run_to_end (pipeline));
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autoptr (GstElement) filter =
        gst_bin_get_by_name (GST_BIN (pipeline), names[i]);

    fail_unless_equals_uint64 (get_stat (filter, "frames"), 100);
    fail_unless (get_stat (filter, "device-time") > 0);
    uploads += get_stat (filter, "uploads");
    downloads += get_stat (filter, "downloads");
  }
  fail_unless_equals_uint64 (uploads, device_is_unified ()? 0 : 100);
  fail_unless_equals_uint64 (downloads, device_is_unified ()? 0 : 100);
  gst_element_set_state (pipeline, GST_STATE_NULL);
}

GST_START_TEST (test_chain)
{
  check_chain (HOST_CAPS ("NV12", 321, 241));
  check_chain (HOST_CAPS ("BGRx", 64, 48));
}

GST_END_TEST;

CHECK_TESTS (mgpuimport)
{
  tcase_add_loop_test (tc, test_layouts, 0, N_ALL_FORMATS);
  tcase_add_test (tc, test_part_of_memory);
  tcase_add_test (tc, test_part_of_device_memory);
  tcase_add_test (tc, test_tee);
  tcase_add_test (tc, test_chain);
}
