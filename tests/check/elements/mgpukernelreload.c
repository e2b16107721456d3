/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests how mgpukernel follows its file. */
#include "kernel.h"

/* ---- Reload ----------------------------------------------------------------------- */

/* Pushes frames until the result has this value. */
static void
wait_for (Stream * self, guint8 in, guint8 out)
{
  gint64 end = g_get_monotonic_time () + 60 * G_USEC_PER_SEC;

  while (push_value (self, in) != out) {
    fail_unless (g_get_monotonic_time () < end, "the file is not read again");
    g_usleep (5000);
  }
}

/* Pushes frames until a warning arrives. Returns: (transfer full): it. All frames have this
 * value */
static GError *
wait_for_warning (Stream * self, guint8 in, guint8 out)
{
  gint64 end = g_get_monotonic_time () + 60 * G_USEC_PER_SEC;
  GstMessage *message;
  GError *error;

  while ((message = gst_bus_pop_filtered (self->bus, GST_MESSAGE_WARNING))
      == NULL) {
    fail_unless_equals_int (push_value (self, in), out);
    fail_unless (g_get_monotonic_time () < end, "no warning arrives");
    g_usleep (5000);
  }
  gst_message_parse_warning (message, &error, NULL);
  gst_message_unref (message);
  return error;
}

static void
open_file (Stream * self, const gchar * path, const gchar * text)
{
  GstElement *element = gst_element_factory_make ("mgpukernel", "f");

  write_file (path, text);
  g_object_set (element, "location", path, NULL);
  stream_play (self, element, "GRAY8", WIDTH, HEIGHT, NULL);
  gst_object_unref (element);
}

/* Broken, gone, and back: the old program goes on, with a warning of each. */
GST_START_TEST (test_reload)
{
  g_autofree gchar *path = make_path ("f.cl"), *log = NULL;
  GError *error;
  Stream s;

  open_file (&s, path, INVERT);
  fail_unless_equals_int (push_value (&s, 10), 245);
  write_file (path, ADD);
  wait_for (&s, 10, 11);
  write_file (path, "\n\nPIXEL (a) { return nosuch; }");
  error = wait_for_warning (&s, 10, 11);
  fail_unless (strstr (error->message, "f.cl:3") != NULL
      && strstr (error->message, "nosuch") != NULL, "%s", error->message);
  g_error_free (error);
  log = get_log (&s);
  fail_unless (strstr (log, "f.cl:3") != NULL, "%s", log);
  g_unlink (path);
  error = wait_for_warning (&s, 10, 11);
  fail_unless (strstr (error->message, "gone") != NULL, "%s", error->message);
  g_error_free (error);
  write_file (path, INVERT);
  wait_for (&s, 10, 245);
  g_free (g_steal_pointer (&log));
  log = get_log (&s);
  fail_unless (strstr (log, "f.cl:3") == NULL, "%s", log);
  stream_close (&s);
}

GST_END_TEST;

/* With reload=false the file is read once. */
GST_START_TEST (test_no_reload)
{
  g_autofree gchar *path = make_path ("f.cl");
  Stream s;

  open_file (&s, path, INVERT);
  g_object_set (s.h->element, "reload", FALSE, NULL);
  write_file (path, ADD);
  for (guint i = 0; i < 4; i++) {
    fail_unless_equals_int (push_value (&s, 10), 245);
    g_usleep (G_USEC_PER_SEC / 6);
  }
  g_object_set (s.h->element, "reload", TRUE, NULL);
  wait_for (&s, 10, 11);
  stream_close (&s);
}

GST_END_TEST;

/* An included file that changes. */
GST_START_TEST (test_include)
{
  g_autofree gchar *path = make_path ("f.cl"), *part = make_path ("part.h");
  Stream s;

  write_file (part, "#define N 5\n");
  open_file (&s, path, "#include \"part.h\"\n"
      "PIXEL (f) { return LOAD (x, y) + N; }");
  fail_unless_equals_int (push_value (&s, 10), 15);
  write_file (part, "#define N 16\n");
  wait_for (&s, 10, 26);
  stream_close (&s);
}

GST_END_TEST;

/* Buffers that are kept stay; a parameter that goes is forgotten, with a warning. */
GST_START_TEST (test_reload_keeps)
{
  g_autofree gchar *path = make_path ("f.cl"), *text = NULL;
  g_autoptr (GstStructure) params = NULL;
  GError *error;
  Stream s;

  open_file (&s, path, "//! param a int 0 0 9\n//! param b int 0 0 9\n" KEEP);
  set_params (&s, "p,a=1,b=2");
  fail_unless_equals_int (push_value (&s, 10), 10);
  fail_unless_equals_int (push_value (&s, 10), 20);
  write_file (path, "//! param b int 0 0 9\n"
      "//! buffer sum int 1 keep\nWORK (total) { if (get_global_id (0) == 0 && "
      "get_global_id (1) == 0) OUT_STORE (0, 0, 0, sum[0] > 10 ? 7 + b : 5); }");
  wait_for (&s, 0, 9);
  error = wait_for_warning (&s, 0, 9);
  fail_unless (strstr (error->message, "\"a\"") != NULL
      && strstr (error->message, "\"b\"") == NULL, "%s", error->message);
  g_error_free (error);
  g_object_get (s.h->element, "params", &params, NULL);
  fail_if (gst_structure_has_field (params, "a"));
  fail_unless (gst_structure_has_field (params, "b"));
  stream_close (&s);
}

GST_END_TEST;

/* Another file while frames arrive; and back to the first one. */
GST_START_TEST (test_location_changes)
{
  g_autofree gchar *first = make_path ("f.cl"), *second = make_path ("g.cl");
  g_autofree gchar *none = make_path ("none.cl");
  Stream s;

  write_file (second, ADD);
  open_file (&s, first, INVERT);
  fail_unless_equals_int (push_value (&s, 10), 245);
  g_object_set (s.h->element, "location", second, NULL);
  fail_unless_equals_int (push_value (&s, 10), 11);
  g_object_set (s.h->element, "location", none, NULL);
  fail_unless_equals_int (push_value (&s, 10), 11);
  check_warning (s.bus, "none.cl", "old program");
  g_object_set (s.h->element, "location", first, NULL);
  fail_unless_equals_int (push_value (&s, 10), 245);
  stream_close (&s);
}

GST_END_TEST;

/* Writes the text number @i of a series that differ in what they add. */
static void
write_number (const gchar * path, guint i)
{
  g_autofree gchar *text =
      g_strdup_printf ("PIXEL (f) { return LOAD (x, y) + %u; }\n", i % 200 + 1);

  write_file (path, text);
}

/* The file changes again and again; each version is seen. MGPU_TEST_RELOADS: how often (default
 * 12). */
GST_START_TEST (test_many_reloads)
{
  g_autofree gchar *path = make_path ("f.cl");
  const gchar *times = g_getenv ("MGPU_TEST_RELOADS");
  guint n = times != NULL ? atoi (times) : 12;
  Stream s;

  open_file (&s, path, INVERT);
  for (guint i = 0; i < n; i++) {
    write_number (path, i);
    wait_for (&s, 10, 10 + i % 200 + 1);
  }
  stream_close (&s);
}

GST_END_TEST;

/* The element stops while a file is built, and caps change meanwhile. */
GST_START_TEST (test_stop_while_building)
{
  for (guint i = 0; i < 6; i++) {
    g_autofree gchar *path = make_path ("f.cl");
    Stream s;

    open_file (&s, path, INVERT);
    fail_unless_equals_int (push_value (&s, 10), 245);
    g_usleep (G_USEC_PER_SEC / 3);
    write_number (path, i + 20);
    push_value (&s, 10);
    if (i % 2 == 1) {
      gst_harness_set_src_caps_str (s.h,
          "video/x-raw,format=GRAY8,width=5,height=3,framerate=25/1");
      s.info = info_from_string ("video/x-raw,format=GRAY8,width=5,height=3");
      wait_for (&s, 10, 31 + i);
    }
    stream_close (&s);
  }
}

GST_END_TEST;

/* Two elements with one file both follow it. */
GST_START_TEST (test_two_elements)
{
  g_autofree gchar *path = make_path ("f.cl");
  g_autofree gchar *line = NULL;
  g_autoptr (GstHarness) h = NULL;
  GstBuffer *frame;
  guint8 value;

  write_file (path, ADD);
  line = g_strdup_printf ("mgpukernel location=%s ! mgpukernel location=%s "
      "params=\"p,amount=3\"", path, path);
  h = gst_harness_new_parse (line);
  gst_harness_set_src_caps_str (h,
      "video/x-raw,format=GRAY8,width=4,height=1,framerate=25/1");
  for (gint64 end = g_get_monotonic_time () + 60 * G_USEC_PER_SEC;;) {
    frame = gst_buffer_new_allocate (NULL, 4, NULL);
    gst_buffer_memset (frame, 0, 10, 4);
    fail_unless_equals_int (gst_harness_push (h, frame), GST_FLOW_OK);
    frame = gst_harness_pull (h);
    value = first_byte (frame);
    gst_buffer_unref (frame);
    if (value == 246)
      break;
    if (value == 14)
      write_file (path, "//! param amount int 1 0 100\n"
          "PIXEL (f) { return MAX - amount - LOAD (x, y); }");
    fail_unless (g_get_monotonic_time () < end);
    g_usleep (10000);
    if (value == 14)
      break;
  }
  /* 255 - 1 - 10 = 244, 255 - 3 - 244 = 8 */
  for (gint64 end = g_get_monotonic_time () + 60 * G_USEC_PER_SEC; value != 8;) {
    frame = gst_buffer_new_allocate (NULL, 4, NULL);
    gst_buffer_memset (frame, 0, 10, 4);
    fail_unless_equals_int (gst_harness_push (h, frame), GST_FLOW_OK);
    frame = gst_harness_pull (h);
    value = first_byte (frame);
    gst_buffer_unref (frame);
    fail_unless (g_get_monotonic_time () < end);
    g_usleep (10000);
  }
}

GST_END_TEST;

CHECK_TESTS (mgpukernelreload)
{
  tcase_add_checked_fixture (tc, folder_make, folder_remove);
  tcase_add_test (tc, test_reload);
  tcase_add_test (tc, test_no_reload);
  tcase_add_test (tc, test_include);
  tcase_add_test (tc, test_reload_keeps);
  tcase_add_test (tc, test_location_changes);
  tcase_add_test (tc, test_many_reloads);
  tcase_add_test (tc, test_stop_while_building);
  tcase_add_test (tc, test_two_elements);
}
