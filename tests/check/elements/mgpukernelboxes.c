/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests the boxes that kernels of mgpukernel report, after lines "//! boxes". */
#include "kernel.h"

#ifdef HAVE_ANALYTICS
#include <gst/analytics/analytics.h>
#endif

#define FIND "//! boxes spot 8\n//! boxes edge\n" \
    "WORK (find) { int x = get_global_id (0), y = get_global_id (1);\n" \
    "if (y == 0 && x < 3) BOX (spot, x * 10, 20 - x, 4, 3, x == 1 ? 0.5f : 0.25f);\n" \
    "if (y == 0 && x == 0) BOX (edge, -5, HEIGHT - 2, 10, 10, 7);\n" \
    "if (y == 1 && x == 1) BOX (edge, WIDTH, 0, 4, 4, 1); }\n"

/* Kernel text that reports a box at every tenth pixel of every tenth row, without and with a result
 * for each pixel */
#define GRID "//! boxes dot\nWORK (grid) { int x = get_global_id (0), y = get_global_id (1);\n" \
    "if (x < 30 && y < HEIGHT && x % 10 == 5 && y % 10 == 5) BOX (dot, x - 1, y - 1, 3, 3, x); }\n"
#define GRID_PIXELS "//! boxes dot\nPIXEL (grid) {\n" \
    "if (x < 30 && x % 10 == 5 && y % 10 == 5) BOX (dot, x - 1, y - 1, 3, 3, x);\n" \
    "return MAX - LOAD (x, y); }\n"

/* Checks the detections of a frame (transfer full). @boxes are their class, box and score in the
 * order of the metas, such as "spot 10,19,4,3 0.5; edge ..." */
static void
check_boxes (GstBuffer * frame, const gchar * boxes)
{
  g_autoptr (GPtrArray) list = gst_mgpu_buffer_get_detections (frame);
  g_autoptr (GString) s = g_string_new (NULL);

  for (guint i = 0; i < list->len; i++) {
    const GstMgpuDetection *d = g_ptr_array_index (list, i);

    g_string_append_printf (s, "%s%s %d,%d,%d,%d %g", i > 0 ? "; " : "",
        d->label, d->x, d->y, d->width, d->height, d->score);
    fail_unless (d->confidence == CLAMP (d->score, 0, 1));
  }
  fail_unless_equals_string (s->str, boxes);
#ifdef HAVE_ANALYTICS
  {
    GstAnalyticsRelationMeta *meta =
        gst_buffer_get_analytics_relation_meta (frame);

    fail_unless_equals_int (meta == NULL ? 0
        : gst_analytics_relation_get_length (meta), list->len);
  }
#endif
  gst_buffer_unref (frame);
}

#define FOUND "spot 10,19,4,3 0.5; spot 20,18,4,3 0.25; spot 0,20,4,3 0.25; " \
    "edge 0,21,5,2 7"

/* Tests that boxes are sorted by score and position, and clipped to the frame, in every format. */
GST_START_TEST (test_boxes)
{
  static const gchar *const formats[] = { "GRAY8", "NV12", "RGBA", "P010_10LE",
    "YUY2"
  };
  Stream s;

  stream_open (&s, FIND, formats[__i__]);
  for (guint i = 0; i < 3; i++)
    check_boxes (stream_push (&s, i), FOUND);
  stream_close (&s);
}

GST_END_TEST;

/* Tests several frames in flight on a device that appears to have dedicated memory, with frames
 * that stay on the device. */
GST_START_TEST (test_in_flight)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GstElement) pipeline = gst_parse_launch ("videotestsrc "
      "num-buffers=20 ! video/x-raw,format=NV12,width=37,height=23 ! "
      "mgpukernel name=k ! mgpuhisteq ! fakesink name=sink "
      "enable-last-sample=true", &error);
  g_autoptr (GstElement) kernel = NULL, sink = NULL;
  g_autoptr (GstSample) sample = NULL;

  g_assert_no_error (error);
  kernel = gst_bin_get_by_name (GST_BIN (pipeline), "k");
  sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  g_object_set (kernel, "source", FIND, NULL);
  fail_unless_no_error (run_to_end (pipeline));
  g_object_get (sink, "last-sample", &sample, NULL);
  fail_unless (sample != NULL);
  check_boxes (gst_buffer_ref (gst_sample_get_buffer (sample)), FOUND);
  gst_element_set_state (pipeline, GST_STATE_NULL);
}

GST_END_TEST;

/* Tests boxes of kernels with several passes, together with numbers. */
GST_START_TEST (test_passes)
{
  Stream s;
  GstBuffer *out;
  GstMgpuNumbersMeta *meta;
  g_autofree gdouble *values = NULL;
  guint n;

  stream_open (&s, "//! results int 3 counts\n//! boxes a 1\n//! boxes b 2\n"
      "//! pass invert first second\n" INVERT
      "WORK (first) { if (get_global_id (0) + get_global_id (1) == 0) {\n"
      "counts[2] = 9; BOX (a, 1, 2, 3, 4, IN_LOAD (0, 0, 0)); } }\n"
      "WORK (second) { if (get_global_id (0) + get_global_id (1) == 0) {\n"
      "BOX (b, 1, 2, 3, 4, 0.5f); BOX (b, 1, 2, 3, 4, 0.5f); } }\n", "GRAY8");
  out = stream_push (&s, 10);
  fail_unless_equals_int (first_byte (out), 245);
  meta = gst_buffer_get_mgpu_numbers_meta (out);
  fail_unless (meta != NULL);
  values = gst_mgpu_numbers_meta_get_values (meta, 0, &n);
  fail_unless (n == 3 && values[2] == 9);
  /* Boxes that are equal are attached only once. */
  check_boxes (out, "a 1,2,3,4 245; b 1,2,3,4 0.5");
  stream_close (&s);
}

GST_END_TEST;

/* Tests that empty boxes, boxes outside of the frame, and boxes with scores that are not finite are
 * dropped, and are not counted against the list's size. */
GST_START_TEST (test_left_out)
{
  Stream s;

  stream_open (&s, "//! boxes a 2\nWORK (f) {\n"
      "if (get_global_id (0) + get_global_id (1) > 0) return;\n"
      "BOX (a, 1, 1, 0, 5, 1); BOX (a, 1, 1, 5, -1, 1);\n"
      "BOX (a, -9, 1, 9, 5, 1); BOX (a, 1, HEIGHT, 9, 5, 1);\n"
      "BOX (a, 2147483647, 1, 2147483647, 5, 1);\n"
      "BOX (a, (-2147483647 - 1), 1, (-2147483647 - 1), 5, 1);\n"
      "BOX (a, 1, 1, 2, 2, as_float (0x7fc00000)); BOX (a, 1, 1, 2, 2, INFINITY);\n"
      "BOX (a, -3, (-2147483647 - 1), 4, 2147483647, 1);\n"
      "BOX (a, -3, -3, 4, 4, 3e38f);\n"
      "BOX (a, 1, 1, 2147483647, 2147483647, -1); }\n", "GRAY8");
  check_boxes (stream_push (&s, 10), "a 0,0,1,1 3e+38; a 1,1,36,22 -1");
  stream_close (&s);
}

GST_END_TEST;

/* Tests a box that a SAMPLE kernel reports in the part of the frame beyond the size of the chroma
 * component. */
GST_START_TEST (test_samples)
{
  static const gchar text[] = "//! boxes a 3\nSAMPLE (f) {\n"
      "if (x == 15 && y == 10) BOX (a, x * 2, y * 2, 3, 3, component);\n"
      "if (x == 15 && y == 10) BOX (a, 37, 0, 3, 3, component);\n"
      "return LOAD (x, y); }\n";
  Stream s;

  stream_open (&s, text, "I420");
  check_boxes (stream_push (&s, 10), "a 30,20,3,3 2; a 30,20,3,3 1; "
      "a 30,20,3,3 0");
  stream_close (&s);
}

GST_END_TEST;

/* Tests more boxes than the line "//! boxes" allows: only that many are attached, with one
 * warning. */
GST_START_TEST (test_too_many)
{
  Stream s;

  stream_open (&s, "//! boxes dot 5\nPIXEL (f) { BOX (dot, x, y, 1, 1, 1);\n"
      "return LOAD (x, y); }\n", "GRAY8");
  for (guint i = 0; i < 2; i++) {
    g_autoptr (GstBuffer) out = stream_push (&s, 10);
    g_autoptr (GPtrArray) list = gst_mgpu_buffer_get_detections (out);

    fail_unless_equals_int (list->len, 5);
    if (i == 0)
      check_warning (s.bus, "called BOX (dot, ...) for 851 boxes in a frame, "
          "but its line \"//! boxes\" allows 5",
          "a larger number into the line, "
          "at most 3276, or find fewer boxes");
  }
  stream_close (&s);
}

GST_END_TEST;

/* Tests that with regions of interest, only boxes whose center is in a region are attached. */
GST_START_TEST (test_regions)
{
  static const gchar *const sources[] = { GRID, GRID_PIXELS,
    "//! reach 0\n" GRID_PIXELS
  };
  Stream s;
  GstBuffer *frame;

  stream_open (&s, sources[__i__], "GRAY8");
  check_boxes (stream_push (&s, 10), "dot 24,4,3,3 25; dot 24,14,3,3 25; "
      "dot 14,4,3,3 15; dot 14,14,3,3 15; dot 4,4,3,3 5; dot 4,14,3,3 5");
  g_object_set (s.h->element, "rectangle", "0,0,20,15;0,8,9,12", NULL);
  check_boxes (stream_push (&s, 10), "dot 14,4,3,3 15; dot 4,4,3,3 5; "
      "dot 4,14,3,3 5");
  g_object_set (s.h->element, "mask-invert", TRUE, NULL);
  check_boxes (stream_push (&s, 10), "dot 24,4,3,3 25; dot 24,14,3,3 25; "
      "dot 14,14,3,3 15");
  g_object_set (s.h->element, "mask-invert", FALSE, "rectangle", NULL,
      "roi-type", "face", NULL);
  check_boxes (stream_push (&s, 10), "");
  frame = make_frame (&s, 10);
  gst_buffer_add_video_region_of_interest_meta (frame, "face", 12, 2, 7, 7);
  fail_unless_equals_int (gst_harness_push (s.h, frame), GST_FLOW_OK);
  frame = harness_pull (s.h);
  /* Checks the detections, of which the region "face" has no score. */
  {
    g_autoptr (GPtrArray) list = gst_mgpu_buffer_get_detections (frame);

    fail_unless_equals_int (list->len, 2);
    fail_unless_equals_int (((GstMgpuDetection *) list->pdata[1])->x, 14);
  }
  gst_buffer_unref (frame);
  stream_close (&s);
}

GST_END_TEST;

/* Tests boxes with masks of the mask pad, each of which applies to one frame, and with the alpha
 * channel of frames. */
GST_START_TEST (test_masks)
{
  GstHarness *masks;
  GstVideoInfo info;
  Stream s;

  stream_open (&s, GRID, "GRAY8");
  g_object_set (s.h->element, "mask-dilate", 1, NULL);
  gst_util_set_object_arg (G_OBJECT (s.h->element), "mask-source", "pad");
  masks = gst_harness_new_with_element (s.h->element, "mask_sink", NULL);
  gst_harness_set_src_caps_str (masks, "video/x-raw,format=GRAY8,width=37,"
      "height=23,framerate=25/1");
  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_GRAY8, WIDTH, HEIGHT);
  for (guint i = 0; i < 3; i++) {
    GstBuffer *mask = gst_buffer_new_allocate (NULL, info.size, NULL);

    gst_buffer_memset (mask, 0, 0, -1);
    /* Marks one pixel next to the center of a box. */
    gst_buffer_memset (mask, 15 * info.stride[0] + 6 + 10 * i, 255, 1);
    GST_BUFFER_PTS (mask) = i * GST_SECOND / 25;
    GST_BUFFER_DURATION (mask) = GST_SECOND / 25;
    fail_unless_equals_int (gst_harness_push (masks, mask), GST_FLOW_OK);
    check_boxes (stream_push (&s, 10), i == 0 ? "dot 4,14,3,3 5"
        : i == 1 ? "dot 14,14,3,3 15" : "dot 24,14,3,3 25");
  }
  gst_harness_teardown (masks);
  stream_close (&s);

  stream_open (&s, GRID, "RGBA");
  gst_util_set_object_arg (G_OBJECT (s.h->element), "mask-source", "alpha");
  check_boxes (stream_push (&s, 255), "");
  check_boxes (stream_push (&s, 0), "dot 24,4,3,3 25; dot 24,14,3,3 25; "
      "dot 14,4,3,3 15; dot 14,14,3,3 15; dot 4,4,3,3 5; dot 4,14,3,3 5");
  stream_close (&s);
}

GST_END_TEST;

/* Tests that a new kernel text may have other lists of boxes, or none. */
GST_START_TEST (test_changes)
{
  Stream s;

  stream_open (&s, FIND, "NV12");
  check_boxes (stream_push (&s, 10), FOUND);
  g_object_set (s.h->element, "source", "//! boxes other 1\nPIXEL (f) {\n"
      "if (x == 3 && y == 4) BOX (other, x, y, 2, 2, LOAD (x, y).s0);\n"
      "return LOAD (x, y); }\n", NULL);
  check_boxes (stream_push (&s, 10), "other 3,4,2,2 10");
  g_object_set (s.h->element, "source", INVERT, NULL);
  check_boxes (stream_push (&s, 10), "");
  g_object_set (s.h->element, "source", FIND, NULL);
  check_boxes (stream_push (&s, 10), FOUND);
  g_object_set (s.h->element, "enabled", FALSE, NULL);
  check_boxes (stream_push (&s, 10), "");
  stream_close (&s);
}

GST_END_TEST;

/* Tests that with post-messages, boxes are also in a message. */
GST_START_TEST (test_message)
{
  Stream s;
  GstMessage *message;
  const GstStructure *one;
  const GValue *list;
  gdouble score;
  gint x;

  stream_open (&s, FIND, "GRAY8");
  g_object_set (s.h->element, "post-messages", TRUE, NULL);
  check_boxes (stream_push (&s, 10), FOUND);
  while ((message = gst_bus_pop_filtered (s.bus, GST_MESSAGE_ELEMENT)) != NULL
      && !gst_message_has_name (message, "mgpu-detections"))
    gst_message_unref (message);
  fail_unless (message != NULL);
  list = gst_structure_get_value (gst_message_get_structure (message),
      "detections");
  fail_unless_equals_int (gst_value_array_get_size (list), 4);
  one = gst_value_get_structure (gst_value_array_get_value (list, 0));
  fail_unless (gst_structure_has_name (one, "spot"));
  fail_unless (gst_structure_get (one, "x", G_TYPE_INT, &x, "score",
          G_TYPE_DOUBLE, &score, NULL) && x == 10 && score == 0.5);
  fail_if (gst_structure_has_field (one, "component"));
  gst_message_unref (message);
  stream_close (&s);
}

GST_END_TEST;

CHECK_TESTS (mgpukernelboxes)
{
  tcase_add_checked_fixture (tc, folder_make, folder_remove);
  tcase_add_loop_test (tc, test_boxes, 0, 5);
  tcase_add_test (tc, test_in_flight);
  tcase_add_test (tc, test_passes);
  tcase_add_test (tc, test_left_out);
  tcase_add_test (tc, test_samples);
  tcase_add_test (tc, test_too_many);
  tcase_add_loop_test (tc, test_regions, 0, 3);
  tcase_add_test (tc, test_masks);
  tcase_add_test (tc, test_changes);
  tcase_add_test (tc, test_message);
}
