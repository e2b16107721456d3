/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests mgpukernel: its kernel texts, parameters, results and errors. */
#include "kernel.h"

/* ---- Texts ------------------------------------------------------------------------ */

GST_START_TEST (test_source)
{
  static const gchar *const formats[] = { "GRAY8", "I420", "NV12", "RGB",
    "BGRA", "YUY2", "Y444"
  };

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
    Stream s;

    stream_open (&s, INVERT, formats[i]);
    fail_unless_equals_int (push_value (&s, 10), 245);
    stream_close (&s);
  }
}

GST_END_TEST;

/* Tests frames of one pixel, and new caps while a frame is in flight. */
GST_START_TEST (test_sizes)
{
  g_autoptr (GstElement) element = gst_element_factory_make ("mgpukernel", "f");
  Stream s;

  g_object_set (element, "source", INVERT, NULL);
  stream_play (&s, element, "I420", 1, 1, NULL);
  fail_unless_equals_int (push_value (&s, 10), 245);
  gst_harness_set_src_caps_str (s.h,
      "video/x-raw,format=RGB,width=5,height=3,framerate=25/1");
  s.info = info_from_string ("video/x-raw,format=RGB,width=5,height=3");
  fail_unless_equals_int (push_value (&s, 20), 235);
  stream_close (&s);
}

GST_END_TEST;

/* Tests that the property "kernel" selects one of several kernels of a text; a new value applies
 * from the next frame on. */
GST_START_TEST (test_kernel)
{
  Stream s;

  stream_open (&s, INVERT "PIXEL (zero) { return (int4) (0); }", "GRAY8");
  fail_unless_equals_int (push_value (&s, 10), 245);
  g_object_set (s.h->element, "kernel", "zero", NULL);
  fail_unless_equals_int (push_value (&s, 10), 0);
  g_object_set (s.h->element, "kernel", "", NULL);
  fail_unless_equals_int (push_value (&s, 10), 245);
  g_object_set (s.h->element, "kernel", "nosuch", NULL);
  fail_unless_equals_int (push_value (&s, 10), 245);
  check_warning (s.bus, "no kernel \"nosuch\"", "invert, zero");
  stream_close (&s);
}

GST_END_TEST;

/* Tests that frames pass unchanged with enabled=false. */
GST_START_TEST (test_enabled)
{
  Stream s;

  stream_open (&s, INVERT, "NV12");
  g_object_set (s.h->element, "enabled", FALSE, NULL);
  fail_unless_equals_int (push_value (&s, 10), 10);
  g_object_set (s.h->element, "enabled", TRUE, NULL);
  fail_unless_equals_int (push_value (&s, 10), 245);
  stream_close (&s);
}

GST_END_TEST;

/* ---- Errors ----------------------------------------------------------------------- */

/* Kernel texts and properties with which the element does not start, and words that the error
 * message contains */
static const struct
{
  const gchar *property, *value;
    GQuark (*domain) (void);
  gint code;
  const gchar *words[2];
} starts[] = {
  {"source", NULL, gst_resource_error_quark, GST_RESOURCE_ERROR_SETTINGS,
      {"\"location\"", "\"source\""}},
  {"location", "/nowhere/edges.cl", gst_resource_error_quark,
      GST_RESOURCE_ERROR_NOT_FOUND, {"edges.cl", "correct \"location\""}},
  {"location", "/", gst_resource_error_quark, GST_RESOURCE_ERROR_OPEN_READ,
      {"\"/\"", "not a regular file: correct \"location\""}},
  {"source", "//! nonsense\n" INVERT, gst_library_error_quark,
      GST_LIBRARY_ERROR_INIT, {"source:1: ", "nonsense"}},
  {"source", "\n//! param a int 5 6 7\n" INVERT, gst_library_error_quark,
      GST_LIBRARY_ERROR_INIT, {"source:2: ", "5"}},
  {"source", "int a;\n", gst_library_error_quark, GST_LIBRARY_ERROR_INIT,
      {"source", "kernel"}},
};

GST_START_TEST (test_no_start)
{
  g_autoptr (GstElement) element = gst_element_factory_make ("mgpukernel", "f");
  g_autofree gchar *log = NULL;

  g_object_set (element, starts[__i__].property, starts[__i__].value, NULL);
  check_no_start (element, starts[__i__].domain (), starts[__i__].code,
      starts[__i__].words[0], starts[__i__].words[1]);
  g_object_get (element, "log", &log, NULL);
  fail_unless (strstr (log, starts[__i__].words[0]) != NULL, "%s", log);
}

GST_END_TEST;

GST_START_TEST (test_no_kernel_at_start)
{
  g_autoptr (GstElement) element = gst_element_factory_make ("mgpukernel", "f");

  g_object_set (element, "source", INVERT, "kernel", "nosuch", NULL);
  check_no_start (element, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
      "no kernel \"nosuch\"", "invert");
}

GST_END_TEST;

/* Tests that an error that only the OpenCL compiler finds ends the stream with file and line; the
 * property "log" has the whole message. */
GST_START_TEST (test_no_build)
{
  g_autofree gchar *path = make_path ("edges.cl"), *log = NULL;
  GstElement *element = gst_element_factory_make ("mgpukernel", "f");
  Stream s;

  write_file (path, "//! param strength int 2 0 16  How strong\n\n"
      "PIXEL (edges)\n{\n  int4 c = LOAD (x, y);\n"
      "  c.s0 = c.s0 * strenth;\n  return c;\n}\n");
  g_object_set (element, "location", path, NULL);
  stream_play (&s, element, "I420", WIDTH, HEIGHT, NULL);
  gst_harness_push (s.h, make_frame (&s, 1));
  check_code (s.bus, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_INIT, "edges.cl:6",
      "strenth");
  log = get_log (&s);
  fail_unless (strstr (log, "edges.cl:6") != NULL, "%s", log);
  stream_close (&s);
  gst_object_unref (element);
}

GST_END_TEST;

/* ---- Parameters ------------------------------------------------------------------- */

GST_START_TEST (test_params)
{
  static const struct
  {
    const gchar *params;
    guint8 out;
    const gchar *warning;
  } sets[] = {
    {"p,amount=5", 15, NULL}, {"p,amount=7.6", 18, NULL},
    {"p,amount=(uint)3", 13, NULL}, {"p", 11, NULL},
    {"p,amount=101", 110, "range"}, {"p,amount=-1", 10, "range"},
    {"p,amont=5", 11, "no parameter \"amont\": it has \"amount\""},
    {"p,amount=five", 11, "the value five of the parameter \"amount\" is not a "
          "number: its default 1 is used"},
    {"p,amount=(double)nan", 11, "not a number"},
    {"p,amount=true", 11, NULL},
    {"p,amount=(gint64)100000000000", 110, "range"}
  };
  Stream s;

  stream_open (&s, ADD, "GRAY8");
  fail_unless_equals_int (push_value (&s, 10), 11);
  for (guint i = 0; i < G_N_ELEMENTS (sets); i++) {
    set_params (&s, sets[i].params);
    fail_unless_equals_int (push_value (&s, 10), sets[i].out);
    if (sets[i].warning != NULL)
      check_warning (s.bus, sets[i].warning, "\"params\"");
    /* Checks that each warning is posted only once. */
    fail_unless_equals_int (push_value (&s, 10), sets[i].out);
    fail_if (gst_bus_pop_filtered (s.bus, GST_MESSAGE_WARNING));
  }
  g_object_set (s.h->element, "params", NULL, NULL);
  fail_unless_equals_int (push_value (&s, 10), 11);
  stream_close (&s);
}

GST_END_TEST;

/* Tests that a property "control-N" overrides a value in "params" once it was set. */
GST_START_TEST (test_control)
{
  Stream s;

  stream_open (&s, "//! param a float 1 0 8 control=2 Gain\n"
      "//! param b int 1 0 100 control=4\n//! param c int 1 0 100\n"
      "PIXEL (gain) { int4 v = LOAD (x, y); v.s0 = v.s0 * a + b + c; return v; }",
      "GRAY8");
  set_params (&s, "p,a=2,b=3,c=4");
  fail_unless_equals_int (push_value (&s, 10), 27);
  g_object_set (s.h->element, "control-2", 3.0, "control-1", 7.0, NULL);
  fail_unless_equals_int (push_value (&s, 10), 37);
  g_object_set (s.h->element, "control-4", 10.4, NULL);
  fail_unless_equals_int (push_value (&s, 10), 44);
  g_object_set (s.h->element, "control-2", 1e8, NULL);
  fail_unless_equals_int (push_value (&s, 10), 94);
  g_object_set (s.h->element, "control-2", -1.0, NULL);
  fail_unless_equals_int (push_value (&s, 10), 14);
  stream_close (&s);
}

GST_END_TEST;

/* Tests the variables FRAME and TIME, the number and the timestamp of a frame. */
GST_START_TEST (test_frame)
{
  Stream s;

  stream_open (&s,
      "PIXEL (f) { return (int4) (FRAME * 10 + TIME_NS / 40000000); }",
      "GRAY8");
  for (guint i = 0; i < 4; i++)
    fail_unless_equals_int (push_value (&s, 0), 11 * i);
  stream_close (&s);
}

GST_END_TEST;

/* Tests access to the words that contain samples, in WORK kernels. */
GST_START_TEST (test_words)
{
  Stream s;

  stream_open (&s, "WORK (a) { if (get_global_id (0) + get_global_id (1) == 0) "
      "OUT_STORE (0, 0, 0, IN_BYTES * 50 + IN_SHIFT * 20 + OUT_BYTES * 2 + "
      "OUT_SHIFT); }", "P010_10LE");
  {
    g_autoptr (GstBuffer) out = stream_push (&s, 0);
    guint16 word = 0;

    gst_buffer_extract (out, 0, &word, 2);
    fail_unless_equals_int (word >> 6, 2 * 50 + 6 * 20 + 2 * 2 + 6);
  }
  stream_close (&s);
}

GST_END_TEST;

/* ---- Results ---------------------------------------------------------------------- */

static void
check_counts (GstBuffer * frame, gdouble all, gdouble bright, gdouble mean)
{
  GstMgpuNumbersMeta *meta = gst_buffer_get_mgpu_numbers_meta (frame);
  g_autofree gdouble *counts = NULL, *means = NULL;
  guint n;

  fail_unless (meta != NULL);
  fail_unless_equals_int (gst_mgpu_numbers_meta_get_n_lists (meta), 2);
  counts = gst_mgpu_numbers_meta_get_values (meta,
      gst_mgpu_numbers_meta_find (meta, "counts"), &n);
  fail_unless_equals_int (n, 2);
  fail_unless (counts[0] == all && counts[1] == bright, "%g %g", counts[0],
      counts[1]);
  means = gst_mgpu_numbers_meta_get_values (meta,
      gst_mgpu_numbers_meta_find (meta, "means"), &n);
  fail_unless (n == 1 && means[0] == mean);
}

/* Tests a kernel that writes no frame: frames pass unchanged, with results that are reset to 0 at
 * the beginning of each frame. */
GST_START_TEST (test_results)
{
  GstBuffer *frames[3];
  Stream s;

  stream_open (&s, COUNT, "NV12");
  for (guint i = 0; i < 3; i++)
    frames[i] = stream_push (&s, 9 + i);
  for (guint i = 0; i < 3; i++) {
    fail_unless_equals_int (first_byte (frames[i]), 9 + i);
    check_counts (frames[i], WIDTH * HEIGHT, i > 0 ? WIDTH * HEIGHT : 0, 0.5);
    gst_buffer_unref (frames[i]);
  }
  stream_close (&s);
}

GST_END_TEST;

/* Returns: (transfer full) (nullable): the next element message with numbers */
static GstMessage *
pop_numbers (GstBus * bus)
{
  GstMessage *message;

  while ((message = gst_bus_pop_filtered (bus, GST_MESSAGE_ELEMENT)) != NULL
      && !gst_message_has_name (message, "mgpu-numbers"))
    gst_message_unref (message);
  return message;
}

GST_START_TEST (test_message)
{
  g_autoptr (GstBuffer) frame = NULL;
  g_autoptr (GstMessage) message = NULL;
  const GstStructure *m;
  const GValue *counts;
  GstClockTime time;
  Stream s;

  stream_open (&s, COUNT, "GRAY8");
  frame = stream_push (&s, 10);
  fail_unless (pop_numbers (s.bus) == NULL);
  gst_clear_buffer (&frame);
  g_object_set (s.h->element, "post-messages", TRUE, NULL);
  frame = stream_push (&s, 10);
  message = pop_numbers (s.bus);
  fail_unless (message != NULL);
  m = gst_message_get_structure (message);
  fail_unless (gst_structure_get_clock_time (m, "timestamp", &time)
      && time == GST_SECOND / 25);
  counts = gst_structure_get_value (m, "counts");
  fail_unless_equals_int (gst_value_array_get_size (counts), 2);
  fail_unless_equals_int (g_value_get_int (gst_value_array_get_value (counts,
              1)), WIDTH * HEIGHT);
  stream_close (&s);
}

GST_END_TEST;

/* Tests that a frame passes unchanged, and results are 0, if regions of interest select nothing. */
GST_START_TEST (test_regions)
{
  Stream s;
  GstBuffer *frame, *out;
  guint8 row[WIDTH];

  stream_open (&s, "//! results int 2 counts\n//! results float 1 means\n"
      INVERT, "GRAY8");
  g_object_set (s.h->element, "roi-type", "face", NULL);
  frame = make_frame (&s, 10);
  fail_unless_equals_int (gst_harness_push (s.h, frame), GST_FLOW_OK);
  out = harness_pull (s.h);
  fail_unless_equals_int (first_byte (out), 10);
  check_counts (out, 0, 0, 0);
  gst_buffer_unref (out);
  frame = make_frame (&s, 10);
  gst_buffer_add_video_region_of_interest_meta (frame, "face", 5, 2, 7, 3);
  fail_unless_equals_int (gst_harness_push (s.h, frame), GST_FLOW_OK);
  out = harness_pull (s.h);
  gst_buffer_extract (out, 3 * GST_VIDEO_INFO_PLANE_STRIDE (&s.info, 0), row,
      WIDTH);
  for (guint i = 0; i < WIDTH; i++)
    fail_unless_equals_int (row[i], i >= 5 && i < 12 ? 245 : 10);
  gst_buffer_unref (out);
  stream_close (&s);
}

GST_END_TEST;

/* ---- Caps ------------------------------------------------------------------------- */

/* Tests a kernel text with "//! output GRAY8": the output is GRAY8 for any input format. */
GST_START_TEST (test_output)
{
  static const gchar *const formats[] = { "NV12", "RGB", "GRAY8", "YUY2" };
  GstElement *element = gst_element_factory_make ("mgpukernel", "f");
  g_autoptr (GstCaps) caps = NULL;
  g_autoptr (GstBuffer) out = NULL;
  GstVideoInfo info;
  Stream s;

  g_object_set (element, "source", "//! output GRAY8\n"
      "PIXEL (mask) { return (int4) (LOAD (x, y).s0 > 9 ? 255 : 0); }",
      /* Sets "enabled" and "rectangle", which have no effect because the input has another format
       * than the output. */
      "enabled", FALSE, "rectangle", "0,0,1,1", NULL);
  stream_play (&s, element, formats[__i__], WIDTH, HEIGHT, NULL);
  if (g_str_equal (formats[__i__], "GRAY8"))
    g_object_set (element, "enabled", TRUE, "rectangle", NULL, NULL);
  out = stream_push (&s, 10);
  caps = gst_pad_get_current_caps (s.h->sinkpad);
  fail_unless (gst_video_info_from_caps (&info, caps));
  fail_unless_equals_int (GST_VIDEO_INFO_FORMAT (&info),
      GST_VIDEO_FORMAT_GRAY8);
  fail_unless_equals_int (info.width, WIDTH);
  fail_unless_equals_int (first_byte (out), 255);
  gst_clear_buffer (&out);
  out = stream_push (&s, 9);
  fail_unless_equals_int (first_byte (out), 0);
  stream_close (&s);
  gst_object_unref (element);
}

GST_END_TEST;

/* Tests that the pads accept only the formats that the kernel text declares. */
GST_START_TEST (test_formats)
{
  g_autoptr (GstCaps) caps = NULL;
  g_autofree gchar *text = NULL;
  Stream s;

  stream_open (&s, "//! formats RGBA GRAY8\n" INVERT, "GRAY8");
  caps = gst_pad_peer_query_caps (s.h->srcpad, NULL);
  text = gst_caps_to_string (caps);
  fail_unless (strstr (text, "RGBA") && strstr (text, "GRAY8")
      && !strstr (text, "NV12"), "%s", text);
  fail_unless_equals_int (push_value (&s, 10), 245);
  stream_close (&s);
}

GST_END_TEST;

/* Tests frames of other formats than those of the kernel text: one warning names both. */
GST_START_TEST (test_formats_refused)
{
  g_autoptr (GstElement) element = gst_element_factory_make ("mgpukernel", "f");
  g_autoptr (GstCaps) filter =
      gst_caps_from_string ("video/x-raw,format={NV12,I420}");
  Stream s;

  g_object_set (element, "source", "//! formats RGBA GRAY8\n" INVERT, NULL);
  stream_play (&s, element, "NV12", WIDTH, HEIGHT, NULL);
  fail_unless_equals_int (gst_harness_push (s.h, make_frame (&s, 1)),
      GST_FLOW_NOT_NEGOTIATED);
  check_warning (s.bus, "source accepts frames of RGBA, GRAY8, by its line "
      "\"//! formats\"", "upstream has NV12");
  for (guint i = 0; i < 2; i++) {
    g_autoptr (GstCaps) caps = gst_pad_peer_query_caps (s.h->srcpad, filter);

    fail_unless (gst_caps_is_empty (caps));
    if (i == 0)
      g_object_set (element, "source", "//! formats RGB\n" INVERT, NULL);
  }
  stream_close (&s);

  g_object_set (element, "source", "//! formats RGB\n" INVERT, NULL);
  stream_play (&s, element, "RGB", WIDTH, HEIGHT, NULL);
  fail_unless_equals_int (push_value (&s, 10), 245);
  gst_caps_unref (gst_pad_peer_query_caps (s.h->srcpad, filter));
  check_warning (s.bus, "RGB", "upstream has NV12, I420");
  stream_close (&s);
}

GST_END_TEST;

/* Tests a kernel text that is set while frames arrive and is invalid for them: the old text stays
 * in use. */
GST_START_TEST (test_unfit)
{
  g_autoptr (GstElement) element = gst_element_factory_make ("mgpukernel", "f");
  Stream s;

  g_object_set (element, "source", INVERT, NULL);
  stream_play (&s, element, "NV12", WIDTH, HEIGHT, "NV12");
  fail_unless_equals_int (push_value (&s, 10), 245);
  g_object_set (element, "source", "//! formats RGBA\n" ADD, NULL);
  fail_unless_equals_int (push_value (&s, 10), 245);
  check_warning (s.bus, "format NV12, but only RGBA", "formats");
  g_object_set (element, "source", "//! output GRAY8\n" ADD, NULL);
  fail_unless_equals_int (push_value (&s, 10), 245);
  check_warning (s.bus, "downstream", "old program");
  g_object_set (element, "source", ADD, NULL);
  fail_unless_equals_int (push_value (&s, 10), 11);
  stream_close (&s);
}

GST_END_TEST;

/* Tests a kernel text with another output format that downstream accepts: the caps change with the
 * second frame. */
GST_START_TEST (test_output_changes)
{
  Stream s;

  stream_open (&s, INVERT, "NV12");
  fail_unless_equals_int (push_value (&s, 10), 245);
  g_object_set (s.h->element, "source", "//! output GRAY8\n" ADD, NULL);
  push_value (&s, 10);
  for (guint i = 0; i < 2; i++) {
    g_autoptr (GstBuffer) out = stream_push (&s, 10);

    fail_unless_equals_int (first_byte (out), 11);
    fail_unless_equals_int (gst_buffer_get_size (out),
        GST_ROUND_UP_4 (WIDTH) * HEIGHT);
  }
  g_object_set (s.h->element, "source", INVERT, NULL);
  push_value (&s, 10);
  fail_unless_equals_int (push_value (&s, 10), 245);
  stream_close (&s);
}

GST_END_TEST;

/* ---- Frames before ---------------------------------------------------------------- */

static void
flush_stream (Stream * self)
{
  fail_unless (gst_harness_push_event (self->h, gst_event_new_flush_start ()));
  fail_unless (gst_harness_push_event (self->h,
          gst_event_new_flush_stop (TRUE)));
  fail_unless (gst_harness_push_event (self->h,
          gst_event_new_segment (&(const GstSegment) {.format =
                GST_FORMAT_TIME,.rate = 1,
                .applied_rate = 1,.stop = -1,.duration = -1
              })));
}

/* Tests a buffer of a kernel text that is kept between frames, until a flush or a gap. */
GST_START_TEST (test_keep)
{
  Stream s;
  GstBuffer *frame;

  stream_open (&s, KEEP, "GRAY8");
  fail_unless_equals_int (push_value (&s, 10), 10);
  fail_unless_equals_int (push_value (&s, 10), 20);
  flush_stream (&s);
  fail_unless_equals_int (push_value (&s, 10), 10);
  frame = make_frame (&s, 10);
  GST_BUFFER_FLAG_SET (frame, GST_BUFFER_FLAG_DISCONT);
  fail_unless_equals_int (gst_harness_push (s.h, frame), GST_FLOW_OK);
  frame = harness_pull (s.h);
  fail_unless_equals_int (first_byte (frame), 10);
  gst_buffer_unref (frame);
  stream_close (&s);
}

GST_END_TEST;

GST_START_TEST (test_previous)
{
  Stream s;

  stream_open (&s,
      "//! previous\n//! feedback\nPIXEL (d) { int4 c = LOAD (x, y);"
      " c.s0 = HAS_PREVIOUS ? c.s0 - PREVIOUS_LOAD (x, y).s0 + FEEDBACK_LOAD (x, y).s0"
      " : 100; return c; }", "GRAY8");
  fail_unless_equals_int (push_value (&s, 10), 100);
  fail_unless_equals_int (push_value (&s, 13), 103);
  fail_unless_equals_int (push_value (&s, 11), 101);
  flush_stream (&s);
  fail_unless_equals_int (push_value (&s, 13), 100);
  stream_close (&s);
}

GST_END_TEST;

/* Tests that frames are counted from a start and from a flush. */
GST_START_TEST (test_number)
{
  Stream s;

  stream_open (&s, "PIXEL (f) { return (int4) (FRAME); }", "GRAY8");
  for (guint i = 0; i < 9; i++) {
    if (i == 4)
      flush_stream (&s);
    if (i == 6) {
      gst_element_set_state (s.h->element, GST_STATE_READY);
      gst_harness_play (s.h);
      gst_harness_set_src_caps (s.h, gst_video_info_to_caps (&s.info));
    }
    fail_unless_equals_int (push_value (&s, 10), i < 4 ? i : i < 6 ? i - 4
        : i - 6);
  }
  stream_close (&s);
}

GST_END_TEST;

/* ---- Other inputs, and pipelines -------------------------------------------------- */

/* Returns: (transfer full): the last frame of the pipeline @line, which ends in an appsink named
 * "sink" */
static GstBuffer *
run_line (const gchar * line)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GstElement) pipeline = gst_parse_launch (line, &error);
  g_autoptr (GstElement) sink = NULL;
  GstSample *sample = NULL;
  GstBuffer *frame;

  g_assert_no_error (error);
  sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  fail_unless_no_error (run_to_end (pipeline));
  g_object_get (sink, "last-sample", &sample, NULL);
  fail_unless (sample != NULL);
  frame = gst_buffer_ref (gst_sample_get_buffer (sample));
  gst_sample_unref (sample);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  return frame;
}

#define PATTERN(color) "videotestsrc num-buffers=3 pattern=solid-color " \
    "foreground-color=" color " ! video/x-raw,width=16,height=8,format="

/* Tests frames of another format at the pad "second". */
GST_START_TEST (test_second)
{
  g_autoptr (GstBuffer) frame = run_line ("mgpukernel name=k source=\""
      "PIXEL (f) { int4 c = SECOND_LOAD_RGB (x, y); c.s0 = HAS_SECOND ? c.s0 : 7; return c; }\" ! "
      "video/x-raw,format=RGB ! fakesink name=sink enable-last-sample=true "
      PATTERN ("0xff000000") "RGB ! k.sink "
      PATTERN ("0xff405060") "BGRx ! k.second");

  fail_unless_equals_int (first_byte (frame), 0x40);
}

GST_END_TEST;

/* Tests that a kernel text that reads no second frame ignores the pad "second". */
GST_START_TEST (test_second_unused)
{
  g_autoptr (GstBuffer) frame = run_line ("mgpukernel name=k source=\""
      "PIXEL (f) { return MAX - LOAD (x, y); }\" ! "
      "video/x-raw,format=RGB ! fakesink name=sink enable-last-sample=true "
      PATTERN ("0xff0a0a0a") "RGB ! k.sink "
      PATTERN ("0xff405060") "BGRx ! k.second");

  fail_unless_equals_int (first_byte (frame), 245);
}

GST_END_TEST;

GST_START_TEST (test_mask_pad)
{
  g_autoptr (GstBuffer) frame = run_line ("mgpukernel name=k source=\""
      "PIXEL (f) { return MAX - LOAD (x, y); }\" ! "
      "video/x-raw,format=RGB ! fakesink name=sink enable-last-sample=true "
      PATTERN ("0xff0a0a0a") "RGB ! k.sink "
      PATTERN ("0xff000000") "GRAY8 ! k.mask_sink");

  /* Black has the value 16 in the 8-bit mask. */
  fail_unless_equals_int (first_byte (frame), 25);
}

GST_END_TEST;

/* Tests flushing seeks while frames are in flight. */
GST_START_TEST (test_seek)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GstElement) pipeline = gst_parse_launch ("videotestsrc "
      "num-buffers=500 ! video/x-raw,width=64,height=48 ! mgpukernel source=\""
      "PIXEL (f) { return MAX - LOAD (x, y); }\" ! fakesink", &error);

  g_assert_no_error (error);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  for (guint i = 0; i < 5; i++) {
    gst_element_get_state (pipeline, NULL, NULL, GST_CLOCK_TIME_NONE);
    fail_unless (gst_element_seek_simple (pipeline, GST_FORMAT_TIME,
            GST_SEEK_FLAG_FLUSH, i * GST_SECOND));
  }
  gst_element_set_state (pipeline, GST_STATE_NULL);
}

GST_END_TEST;

/* Tests that an unlinked source pad causes a flow error, and no hang. */
GST_START_TEST (test_unlinked)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GstElement) pipeline = gst_parse_launch ("videotestsrc "
      "num-buffers=50 ! mgpukernel source=\"PIXEL (f) { return LOAD (x, y); }\"",
      &error);
  g_autoptr (GstMessage) message = NULL;

  g_assert_no_error (error);
  message = run_to_end (pipeline);
  fail_unless (message != NULL);
  gst_element_set_state (pipeline, GST_STATE_NULL);
}

GST_END_TEST;

/* Tests kernel texts with random lines and words: they are refused or built, and cause no crash. */
GST_START_TEST (test_random_texts)
{
  static const gchar *const words[] = { "//! ", "param ", "results ", "buffer ",
    "pass ", "int ", "float ", "a ", "b ", "0 ", "1 ", "-1 ", "1e40 ", "65536 ",
    "\n", "\n", "keep ", "per-pixel ", "control=1 ", "control=9 ", "formats ",
    "GRAY8 ", "output ", "previous ", "feedback ", "reach ", "group ",
    "PIXEL (f) { return LOAD (x, y); }\n", "/*", "*/", "#include \"f\"\n",
    "\377"
  };
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  g_autoptr (GstMgpuContext) context = gst_mgpu_context_new (NULL, NULL);
  g_autoptr (GstContext) carrier = gst_context_new_mgpu_context (context);

  for (guint i = 0; i < 300; i++) {
    g_autoptr (GString) text = g_string_new (NULL);
    g_autoptr (GstElement) element =
        gst_element_factory_make ("mgpukernel", NULL);

    for (gint k = g_rand_int_range (rand, 1, 12); k > 0; k--)
      g_string_append (text, words[g_rand_int_range (rand, 0,
                  G_N_ELEMENTS (words))]);
    g_object_set (element, "source", text->str, NULL);
    gst_element_set_context (element, carrier);
    gst_element_set_state (element, GST_STATE_PAUSED);
    gst_element_set_state (element, GST_STATE_NULL);
  }
}

GST_END_TEST;

CHECK_TESTS (mgpukernel)
{
  tcase_add_checked_fixture (tc, folder_make, folder_remove);
  tcase_add_test (tc, test_source);
  tcase_add_test (tc, test_sizes);
  tcase_add_test (tc, test_kernel);
  tcase_add_test (tc, test_enabled);
  tcase_add_loop_test (tc, test_no_start, 0, G_N_ELEMENTS (starts));
  tcase_add_test (tc, test_no_kernel_at_start);
  tcase_add_test (tc, test_no_build);
  tcase_add_test (tc, test_params);
  tcase_add_test (tc, test_control);
  tcase_add_test (tc, test_frame);
  tcase_add_test (tc, test_words);
  tcase_add_test (tc, test_results);
  tcase_add_test (tc, test_message);
  tcase_add_test (tc, test_regions);
  tcase_add_loop_test (tc, test_output, 0, 4);
  tcase_add_test (tc, test_formats);
  tcase_add_test (tc, test_formats_refused);
  tcase_add_test (tc, test_unfit);
  tcase_add_test (tc, test_output_changes);
  tcase_add_test (tc, test_keep);
  tcase_add_test (tc, test_previous);
  tcase_add_test (tc, test_number);
  tcase_add_test (tc, test_second);
  tcase_add_test (tc, test_second_unused);
  tcase_add_test (tc, test_mask_pad);
  tcase_add_test (tc, test_seek);
  tcase_add_test (tc, test_unlinked);
  tcase_add_test (tc, test_random_texts);
}
