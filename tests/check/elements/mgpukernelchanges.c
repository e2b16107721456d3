/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests mgpukernel while pads are linked and unlinked, caps change, and property values are not
 * numbers, and what it logs. */
#include "kernel.h"

#include <gst/controller/controller.h>

/* Returns red of the second frame, or 7 without a second frame */
#define SECOND "PIXEL (f) { int4 c = LOAD (x, y);" \
    " c.s0 = HAS_SECOND ? SECOND_LOAD_RGB (x, y).s0 : 7; return c; }\n"

/* ---- The pad "second" ------------------------------------------------------------- */

/* Pushes a frame of @format, all of whose bytes are @value, to the pad "second" of @self. */
static void
push_second (Stream * self, GstHarness * second, const gchar * format,
    guint8 value)
{
  g_autofree gchar *caps = g_strdup_printf ("video/x-raw,format=%s,width=%d,"
      "height=%d,framerate=25/1", format, WIDTH, HEIGHT);
  GstVideoInfo info = info_from_string (caps);
  GstBuffer *frame =
      gst_buffer_new_allocate (NULL, GST_VIDEO_INFO_SIZE (&info), NULL);

  gst_harness_set_src_caps_str (second, caps);
  gst_buffer_memset (frame, 0, value, -1);
  /* Sets the timestamp to that of the next frame of the first input. */
  GST_BUFFER_PTS (frame) = self->n * GST_SECOND / 25;
  GST_BUFFER_DURATION (frame) = GST_SECOND / 25;
  fail_unless_equals_int (gst_harness_push (second, frame), GST_FLOW_OK);
}

/* Tests that the pad "second" appears, changes its caps and disappears while frames pass; each
 * change affects the next frame. */
GST_START_TEST (test_second_comes_and_goes)
{
  Stream s;

  stream_open (&s, SECOND, "RGB");
  for (guint i = 0; i < 3; i++) {
    GstHarness *second;

    fail_unless_equals_int (push_value (&s, 10), 7);
    second = gst_harness_new_with_element (s.h->element, "second", NULL);
    push_second (&s, second, "BGRx", 100 + i);
    fail_unless_equals_int (push_value (&s, 10), 100 + i);
    push_second (&s, second, i == 1 ? "RGBA" : "GRAY8", 60 + i);
    fail_unless_equals_int (push_value (&s, 10), 60 + i);
    /* Tears the harness down, which also releases the pad "second". */
    gst_harness_teardown (second);
  }
  fail_unless_equals_int (push_value (&s, 10), 7);
  stream_close (&s);
}

GST_END_TEST;

/* Tests that the first input gets other formats and sizes while both inputs are linked, and while
 * only one is. */
GST_START_TEST (test_caps_change)
{
  static const struct
  {
    const gchar *format;
    gint width, height;
    guint8 out;                 /* expected value of a pixel that was 10 */
  } sets[] = {
    {"RGB", WIDTH, HEIGHT, 245}, {"GRAY8", WIDTH, HEIGHT, 245},
    {"GRAY8", 1, 1, 245}, {"NV12", 64, 48, 245}, {"BGRx", 5, 300, 245},
    {"RGB", WIDTH, HEIGHT, 245}
  };
  Stream s;

  stream_open (&s, INVERT, "RGB");
  for (guint i = 0; i < 2 * G_N_ELEMENTS (sets); i++) {
    guint k = i % G_N_ELEMENTS (sets);
    g_autofree gchar *caps = g_strdup_printf ("video/x-raw,format=%s,width=%d,"
        "height=%d,framerate=25/1", sets[k].format, sets[k].width,
        sets[k].height);

    gst_harness_set_src_caps_str (s.h, caps);
    s.info = info_from_string (caps);
    fail_unless_equals_int (push_value (&s, 10), sets[k].out);
  }
  stream_close (&s);
}

GST_END_TEST;

/* Links a source to the pad "second" of a playing pipeline, and unlinks it again. */
GST_START_TEST (test_relink_while_playing)
{
  static const gchar *const formats[] = { "RGB", "NV12", "GRAY8", "BGRA" };
  g_autoptr (GError) error = NULL;
  g_autoptr (GstElement) pipeline =
      gst_parse_launch ("videotestsrc is-live=true "
      "! video/x-raw,format=NV12,width=32,height=24,framerate=100/1 ! "
      "mgpukernel name=k source=\"" SECOND "\" ! tee name=t ! queue ! "
      "fakesink sync=false t. ! queue ! fakesink sync=false", &error);
  g_autoptr (GstElement) kernel = NULL;
  g_autoptr (GstBus) bus = NULL;

  g_assert_no_error (error);
  kernel = gst_bin_get_by_name (GST_BIN (pipeline), "k");
  bus = gst_element_get_bus (pipeline);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  gst_element_get_state (pipeline, NULL, NULL, GST_CLOCK_TIME_NONE);
  for (guint i = 0; i < 8; i++) {
    g_autofree gchar *line = g_strdup_printf ("videotestsrc is-live=true ! "
        "video/x-raw,format=%s,width=32,height=24,framerate=%u/1 ! queue",
        formats[i % 4], 50 + 50 * (i % 3));
    GstElement *source = gst_parse_bin_from_description (line, TRUE, &error);
    GstPad *pad = gst_element_request_pad_simple (kernel, "second");
    GstPad *peer;

    g_assert_no_error (error);
    gst_bin_add (GST_BIN (pipeline), source);
    peer = gst_element_get_static_pad (source, "src");
    fail_unless_equals_int (gst_pad_link (peer, pad), GST_PAD_LINK_OK);
    fail_unless (gst_element_sync_state_with_parent (source));
    g_usleep (150000);
    gst_element_set_locked_state (source, TRUE);
    /* Releases the pad every second time, while its stream still runs. */
    if (i % 2 == 0)
      gst_element_set_state (source, GST_STATE_NULL);
    gst_pad_unlink (peer, pad);
    gst_element_release_request_pad (kernel, pad);
    gst_element_set_state (source, GST_STATE_NULL);
    gst_bin_remove (GST_BIN (pipeline), source);
    gst_object_unref (peer);
    gst_object_unref (pad);
  }
  while (TRUE) {
    g_autoptr (GstMessage) message =
        gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR | GST_MESSAGE_WARNING);
    GstObject *from;

    if (message == NULL)
      break;
    /* Accepts an error of a source whose pad was unlinked. */
    from = GST_MESSAGE_SRC (message);
    fail_if (from == GST_OBJECT (kernel)
        || g_str_has_prefix (GST_OBJECT_NAME (from), "fakesink"),
        "%" GST_PTR_FORMAT, message);
  }
  gst_element_set_state (pipeline, GST_STATE_NULL);
}

GST_END_TEST;

/* ---- Values ----------------------------------------------------------------------- */

/* Returns: the fraction that a control source must return to set a property with the range -1e9 to
 * 1e9 to @value */
static gdouble
get_fraction (gdouble value)
{
  return value / 2e9 + 0.5;
}

/* Tests a controller that returns values beyond all ranges, and NaN. Some versions of GObject
 * refuse NaN with a warning, and the property keeps its last value. */
GST_START_TEST (test_controller)
{
  static const struct
  {
    gdouble value;
    guint8 a, b;                /* expected values of the parameters a and b, whose range is 1 to
                                 * 8 */
  } sets[] = {
    {3.1, 3, 3}, {4.6, 4, 5}, {NAN, 4, 5}, {5.1, 5, 5}, {INFINITY, 8, 8},
    {-INFINITY, 1, 1}, {1e300, 8, 8}, {-1e300, 1, 1}, {2.1, 2, 2}
  };
  g_autoptr (GstControlSource) source = gst_interpolation_control_source_new ();
  GstTimedValueControlSource *timed = GST_TIMED_VALUE_CONTROL_SOURCE (source);
  Stream s;

  stream_open (&s, "//! param a float 2 1 8 control=1\n"
      "//! param b int 2 1 8 control=2\n"
      "PIXEL (f) { int4 v = LOAD (x, y); v.s0 = 10 * (int) a + b; return v; }",
      "GRAY8");
  for (guint i = 0; i < G_N_ELEMENTS (sets); i++)
    gst_timed_value_control_source_set (timed, i * GST_SECOND / 25,
        get_fraction (sets[i].value));
  for (guint i = 1; i <= 2; i++) {
    g_autofree gchar *name = g_strdup_printf ("control-%u", i);

    gst_object_add_control_binding (GST_OBJECT (s.h->element),
        gst_direct_control_binding_new (GST_OBJECT (s.h->element), name,
            source));
  }
  for (guint i = 0; i < G_N_ELEMENTS (sets); i++) {
    guint8 out;

    _gst_check_expecting_log = isnan (sets[i].value);
    out = push_value (&s, 10);
    _gst_check_expecting_log = FALSE;
    /* NaN values that GObject accepts become the minimum of the parameter. */
    fail_unless (out == 10 * sets[i].a + sets[i].b
        || (isnan (sets[i].value) && out == 11), "%g: %u", sets[i].value, out);
  }
  stream_close (&s);
}

GST_END_TEST;

/* Tests that values in "params" that are not numbers leave the default, with one warning. */
GST_START_TEST (test_params_of_other_types)
{
  static const struct
  {
    const gchar *params;
    guint8 out;
    const gchar *warning;
  } sets[] = {
    {"p,amount=(double)inf", 11, "not a number"},
    {"p,amount=(double)-inf", 11, "not a number"},
    {"p,amount=(float)nan", 11, "not a number"},
    {"p,amount=(double)1e300", 110, "range"},
    {"p,amount=(double)-1e300", 10, "range"},
    {"p,amount=(guint64)18446744073709551615", 110, "range"},
    {"p,amount=(string)5", 11, "not a number"},
    {"p,amount=[1,5]", 11, "not a number"},
    {"p,amount={1,5}", 11, "not a number"},
    {"p,amount=<1,5>", 11, "not a number"},
    {"p,amount=7/2", 14, NULL},
    {"p,amount=(bitmask)5", 11, "not a number"},
    {"p,amount=(structure)\"q,b=1;\"", 11, "not a number"}
  };
  Stream s;

  stream_open (&s, ADD, "GRAY8");
  for (guint i = 0; i < G_N_ELEMENTS (sets); i++) {
    guint8 out;

    set_params (&s, sets[i].params);
    out = push_value (&s, 10);
    fail_unless (out == sets[i].out, "%s: %u", sets[i].params, out);
    if (sets[i].warning != NULL)
      check_warning (s.bus, sets[i].warning, "\"params\"");
    fail_unless_equals_int (push_value (&s, 10), sets[i].out);
    fail_if (gst_bus_pop_filtered (s.bus, GST_MESSAGE_WARNING));
  }
  stream_close (&s);
}

GST_END_TEST;

/* ---- The log ------------------------------------------------------------------------- */

static GMutex lock;
static GString *logged;

static void
collect (GstDebugCategory * category, GstDebugLevel level, const gchar * file,
    const gchar * function, gint line, GObject * object,
    GstDebugMessage * message, gpointer data)
{
  g_mutex_lock (&lock);
  if (g_str_equal (gst_debug_category_get_name (category), "mgpukernel"))
    g_string_append_printf (logged, "%s\n", gst_debug_message_get (message));
  g_mutex_unlock (&lock);
}

/* Tests that the log tells what a file of kernels declares, which kernel runs on which frames, and
 * the values of its parameters. */
GST_START_TEST (test_log)
{
  static const gchar *const texts[] = {
    "kernels: PIXEL add, WORK count, WORK total; passes: add, count; "
        "parameters: amount int 1 (0 to 100); results: counts int 2, means "
        "float 1; buffers: sum int 1 keep; reads the frame\n",
    "program of source: kernel: of the passes, frames: 37x23 GRAY8 to GRAY8, "
        "second input: none, writes frames: yes",
    "parameters of source: amount=1\n", "parameters of source: amount=7\n"
  };
  Stream s;

  logged = g_string_new (NULL);
  gst_debug_set_threshold_for_name ("mgpukernel", GST_LEVEL_DEBUG);
  gst_debug_remove_log_function (gst_debug_log_default);
  gst_debug_add_log_function (collect, NULL, NULL);
  stream_open (&s, "//! pass add\n//! pass count\n" ADD COUNT KEEP, "GRAY8");
  push_value (&s, 10);
  set_params (&s, "p,amount=7");
  push_value (&s, 10);
  stream_close (&s);
  gst_debug_remove_log_function (collect);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    fail_unless (strstr (logged->str, texts[i]) != NULL, "%s is missing in %s",
        texts[i], logged->str);
  g_string_free (logged, TRUE);
}

GST_END_TEST;

CHECK_TESTS (mgpukernelchanges)
{
  tcase_add_checked_fixture (tc, folder_make, folder_remove);
  tcase_add_test (tc, test_second_comes_and_goes);
  tcase_add_test (tc, test_caps_change);
  tcase_add_test (tc, test_relink_while_playing);
  tcase_add_test (tc, test_controller);
  tcase_add_test (tc, test_params_of_other_types);
  tcase_add_test (tc, test_log);
}
