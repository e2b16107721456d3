/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests the text and the labels that mgpuoverlay draws. */
#include "../notrun.h"
#include "overlay.h"

#include <math.h>
#include <glib/gstdio.h>
#include <pango/pangocairo.h>

/* Returns whether this system can draw text. If not, prints a line. */
static gboolean
can_write (void)
{
  PangoContext *context =
      pango_font_map_create_context (pango_cairo_font_map_get_default ());
  PangoLayout *layout = pango_layout_new (context);
  gboolean has_font;

  pango_layout_set_text (layout, "0", -1);
  has_font = pango_layout_get_unknown_glyphs_count (layout) == 0;
  g_object_unref (layout);
  g_object_unref (context);
  if (!has_font)
    not_run ("fontconfig finds no font");
  return has_font;
}

/* Returns the output of @launch for a frame with or without metas. */
static GstBuffer *
draw_text (const gchar * launch, gboolean with_metas, const gchar * name,
    gdouble confidence)
{
  const gchar *caps = HOST_CAPS ("I420", 320, 200);
  GstVideoInfo info = info_from_string (caps);
  g_autoptr (GstHarness) h = harness_new (launch, caps, caps);
  GstBuffer *from = frame_new (&info, LAYOUT_DEFAULT, 1);

  if (with_metas) {
    GstVideoRegionOfInterestMeta *roi =
        gst_buffer_add_video_region_of_interest_meta (from, name, 50, 80, 60,
        70);

    add_keypoints (from, usual, 3);
    if (confidence != 0)
      gst_video_region_of_interest_meta_add_param (roi,
          gst_structure_new ("detection", "confidence", G_TYPE_DOUBLE,
              confidence, NULL));
  }
  from = harness_push_pull (h, from);
  return from;
}

static guint
compare_and_free (GstBuffer * a, GstBuffer * b)
{
  GstVideoInfo info = info_from_string (HOST_CAPS ("I420", 320, 200));
  guint n = count_differences (&info, a, b);

  gst_buffer_unref (a);
  gst_buffer_unref (b);
  return n;
}

/* Tests that placeholders in "text" become numbers, and that other text does not change. */
GST_START_TEST (test_text)
{
  const gchar *with = "mgpuoverlay draw=text text=\"{keypoints} and {regions}, "
      "{other} {keypoints}\"";

  if (!can_write ())
    return;
  fail_unless_equals_int (compare_and_free (draw_text (with, TRUE, "cat", 0),
          draw_text ("mgpuoverlay draw=text text=\"3 and 1, {other} 3\"", TRUE,
              "cat", 0)), 0);
  fail_unless_equals_int (compare_and_free (draw_text (with, FALSE, NULL, 0),
          draw_text ("mgpuoverlay draw=text text=\"0 and 0, {other} 0\"", FALSE,
              NULL, 0)), 0);
  fail_unless (compare_and_free (draw_text (with, TRUE, "cat", 0),
          draw_text (with, FALSE, "cat", 0)) > 10);
  /* The first frame has no previous frame, so the time between frames is not known yet. */
  fail_unless_equals_int (compare_and_free (draw_text ("mgpuoverlay draw=text",
              TRUE, "cat", 0), draw_text ("mgpuoverlay draw=text "
              "text=\"3 keypoints   1 region\"", TRUE, "cat", 0)), 0);
  fail_unless (compare_and_free (draw_text ("mgpuoverlay draw=text text=\"\"",
              TRUE, "cat", 0), draw_text ("mgpuoverlay draw=text", TRUE, "cat",
              0)) > 300);
  fail_unless_equals_int (compare_and_free (draw_text ("mgpuoverlay draw=text "
              "text=\"\"", TRUE, "cat", 0), draw_text ("mgpuoverlay", FALSE,
              NULL, 0)), 0);
}

GST_END_TEST;

static GstBuffer *
draw_property (const gchar * text, gint width, gint height)
{
  g_autoptr (GstHarness) h = gst_harness_new ("mgpuoverlay");
  GstCaps *caps = caps_new (GST_VIDEO_FORMAT_GRAY8, width, height, FALSE);
  GstVideoInfo info;
  GstBuffer *out;

  fail_unless (gst_video_info_from_caps (&info, caps));
  gst_harness_set_caps (h, gst_caps_ref (caps), caps);
  g_object_set (h->element, "text", text, NULL);
  out = harness_push_pull (h, frame_new (&info, LAYOUT_DEFAULT, 1));
  return out;
}

/* Tests text that is too long, empty, or not UTF-8, also in tiny frames. */
GST_START_TEST (test_odd_text)
{
  static const gint sizes[][2] = { {1, 1}, {90, 40}, {3, 64} };
  g_autofree gchar *longer = g_strnfill (100000, 'W'), *cut =
      g_strndup (longer, 1024);
  g_autofree gchar *lines = g_strnfill (3000, '\n'), *few =
      g_strndup (lines, 1024);
  const gchar *same[][2] = {
    {longer, cut}, {lines, few}, {"a\xff\xfe z", "a\xef\xbf\xbd\xef\xbf\xbd z"},
    {"{ms", "{ms"}, {"<b>&", "<b>&"}
  };

  for (guint i = 0; i < G_N_ELEMENTS (same); i++) {
    for (guint j = 0; j < G_N_ELEMENTS (sizes); j++) {
      g_autoptr (GstCaps) caps = caps_new (GST_VIDEO_FORMAT_GRAY8, sizes[j][0],
          sizes[j][1], FALSE);
      g_autoptr (GstBuffer) a =
          draw_property (same[i][0], sizes[j][0], sizes[j][1]);
      g_autoptr (GstBuffer) b =
          draw_property (same[i][1], sizes[j][0], sizes[j][1]);
      GstVideoInfo info;

      fail_unless (gst_video_info_from_caps (&info, caps));
      fail_unless_same_frame (&info, a, b);
    }
  }
}

GST_END_TEST;

/* Tests that a label is the class and, if present, id and confidence. */
GST_START_TEST (test_label)
{
  const gchar *launch = "mgpuoverlay draw=regions";
  /* Draws without outlines, because their color depends on an id. */
  const gchar *label = "mgpuoverlay draw=regions region-color=0";

  if (!can_write ())
    return;
  fail_unless_equals_int (compare_and_free (draw_text (launch, TRUE, "person",
              0.8749), draw_text (launch, TRUE, "person 0.87", 0)), 0);
  fail_unless_equals_int (compare_and_free (draw_text (launch, TRUE, "person",
              NAN), draw_text (launch, TRUE, "person", 0)), 0);
  fail_unless (compare_and_free (draw_text (launch, TRUE, "person", 0),
          draw_text (launch, TRUE, "", 0)) > 100);
  fail_unless_equals_int (compare_and_free (draw_text ("mgputrack min-frames=1 "
              "! mgpuoverlay draw=regions region-color=0", TRUE, "person", 0.9),
          draw_text (label, TRUE, "person #1 0.90", 0)), 0);
}

GST_END_TEST;

/* Tests a different text in each frame, and frames with many labels; the metas do not change. */
GST_START_TEST (test_many_texts)
{
  const gchar *caps = HOST_CAPS ("BGRx", 160, 120);
  GstVideoInfo info = info_from_string (caps);
  g_autoptr (GstHarness) h = harness_new ("mgpuoverlay name=f", caps, caps);
  g_autoptr (GstElement) filter = harness_filter (h);

  for (guint i = 0; i < 30; i++) {
    g_autoptr (GstBuffer) from = frame_new (&info, LAYOUT_DEFAULT, i), to =
        NULL;
    g_autofree gchar *text = g_strdup_printf ("{ms} %u", i);

    for (guint j = 0; j < 40; j++) {
      GstVideoRegionOfInterestMeta *roi =
          gst_buffer_add_video_region_of_interest_meta (from, "a", j * 4, j * 3,
          20, 20);

      gst_video_region_of_interest_meta_add_param (roi,
          gst_structure_new ("detection", "confidence", G_TYPE_DOUBLE,
              (i * 17 + j) / 100., NULL));
    }
    add_keypoints (from, usual, 3);
    g_object_set (filter, "text", i % 3 ? text : NULL, NULL);
    to = harness_push_pull (h, gst_buffer_ref (from));
    fail_unless (count_differences (&info, from, to) > 1000);
    fail_unless_equals_int (gst_buffer_get_n_meta (to,
            GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE), 40);
    fail_unless_equals_int (gst_mgpu_keypoint_meta_get_n_keypoints
        (gst_buffer_get_mgpu_keypoint_meta (to)), 3);
  }
}

GST_END_TEST;

/* Returns a frame with @n regions on the left, with labels of many lines, and a last region on the
 * right, labeled or not. */
static GstBuffer *
draw_labels (guint n, const gchar * last)
{
  const gchar *caps = HOST_CAPS ("GRAY8", 2048, 1024);
  GstVideoInfo info = info_from_string (caps);
  g_autoptr (GstHarness) h =
      harness_new ("mgpuoverlay draw=regions", caps, caps);
  GstBuffer *from = frame_new (&info, LAYOUT_DEFAULT, 1);
  g_autoptr (GString) label = g_string_new (NULL);

  for (guint i = 0; i < 1000; i++)
    g_string_append_c (label, i % 31 == 30 ? '\n' : 'W');
  for (guint i = 0; i < n; i++)
    gst_buffer_add_video_region_of_interest_meta (from, label->str, 0, 0, 9, 9);
  gst_buffer_add_video_region_of_interest_meta (from, last, 1800, 500, 40, 40);
  from = harness_push_pull (h, from);
  return from;
}

/* Tests that letters that do not fit into the memory for the device are left out. */
GST_START_TEST (test_too_many_letters)
{
  GstVideoInfo info = info_from_string (HOST_CAPS ("GRAY8", 2048, 1024));
  g_autoptr (GstBuffer) few = NULL, few_without = NULL, many =
      NULL, many_without = NULL;

  if (!can_write ())
    return;
  few = draw_labels (2, "cat");
  few_without = draw_labels (2, "");
  many = draw_labels (500, "cat");
  many_without = draw_labels (500, "");
  fail_unless (count_differences (&info, few, few_without) > 100);
  fail_unless_same_frame (&info, many, many_without);
}

GST_END_TEST;

/* Tests that on a system without fonts everything except text is drawn. This is the last test,
 * because the other tests require fonts if all tests run in one process. */
GST_START_TEST (test_no_font)
{
  const gchar *caps = HOST_CAPS ("I420", 320, 200);
  GstVideoInfo info = info_from_string (caps);
  GstBuffer *from = frame_new (&info, LAYOUT_DEFAULT, 1), *want, *out;
  GstBus *bus;
  g_autoptr (GstElement) filter = NULL;
  GstMessage *message;
  g_autoptr (GstHarness) h = NULL;
  g_autofree gchar *config = NULL;
  GError *error;
  gint fd;

  fd = g_file_open_tmp ("mgpuoverlay-XXXXXX.conf", &config, NULL);
  fail_unless (fd >= 0);
  g_close (fd, NULL);
  fail_unless (g_file_set_contents (config, "<fontconfig></fontconfig>", -1,
          NULL));
  g_setenv ("FONTCONFIG_FILE", config, TRUE);
  h = harness_new ("mgpuoverlay name=f text=x", caps, caps);
  filter = harness_filter (h);
  bus = harness_bus (h);
  out = harness_push_pull (h, gst_buffer_ref (from));
  fail_unless (out == from);
  gst_buffer_unref (out);

  gst_buffer_add_video_region_of_interest_meta (from, "cat", 50, 80, 60, 70);
  add_keypoints (from, usual, 3);
  want = gst_buffer_copy_deep (from);
  reference (want, &info, &defaults, TRUE, TRUE);
  out = harness_push_pull (h, from);
  fail_unless_same_frame (&info, want, out);
  gst_buffer_unref (want);
  gst_buffer_unref (out);

  message = gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING);
  fail_unless (message != NULL);
  gst_message_parse_warning (message, &error, NULL);
  fail_unless (g_error_matches (error, GST_RESOURCE_ERROR,
          GST_RESOURCE_ERROR_NOT_FOUND));
  fail_unless (g_str_has_prefix (error->message, "f: ")
      && strstr (error->message, "fonts-dejavu-core") != NULL, "%s",
      error->message);
  g_error_free (error);
  gst_message_unref (message);
  fail_if (gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING));
  g_unlink (config);
}

GST_END_TEST;

/* Tests that a warning names an unknown word in braces, once for each text; other braces are drawn
 * as text. */
GST_START_TEST (test_placeholders)
{
  static const struct
  {
    const gchar *text, *unknown;
  } texts[] = {
    {"{ms} {foo}", "{foo} in"}, {"{mss}", "{mss} in"},
    {"{ms}{key-points_2}", "{key-points_2} in"},
    {"{keypoints}{regions} {ms}", NULL}, {"{} { foo } }{ {a b", NULL},
    {"", NULL}, {NULL, NULL}
  };
  const gchar *caps = HOST_CAPS ("GRAY8", 64, 64);
  GstVideoInfo info = info_from_string (caps);
  g_autoptr (GstHarness) h = harness_new ("mgpuoverlay name=f", caps, caps);
  g_autoptr (GstElement) filter = harness_filter (h);
  GstBus *bus = harness_bus (h);

  for (guint i = 0; can_write () && i < G_N_ELEMENTS (texts); i++) {
    g_object_set (filter, "text", texts[i].text, NULL);
    for (guint k = 0; k < 2; k++) {
      gst_buffer_unref (harness_push_pull (h, frame_new (&info, LAYOUT_DEFAULT,
                  i)));
      if (texts[i].unknown != NULL && k == 0)
        check_warning (bus, texts[i].unknown, "use {keypoints}");
      fail_if (gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING));
    }
  }
}

GST_END_TEST;

CHECK_TESTS (mgpuoverlaytext)
{
  tcase_add_test (tc, test_text);
  tcase_add_test (tc, test_odd_text);
  tcase_add_test (tc, test_label);
  tcase_add_test (tc, test_many_texts);
  tcase_add_test (tc, test_too_many_letters);
  tcase_add_test (tc, test_placeholders);
  tcase_add_test (tc, test_no_font);
}
