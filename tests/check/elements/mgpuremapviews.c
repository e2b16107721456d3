/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests views of mgpuremap: focal lengths, directions, homographies, maps in files, and warnings
 * about them. */
#include "remapfile.h"

/* ---- Views ---------------------------------------------------------------------------- */

/* Counts the black pixels in the view of a white frame: @n_edge along the edges, @n_all
 * everywhere. */
static void
count_black (const gchar * properties, guint * n_edge, guint * n_all)
{
  const gchar *caps = HOST_CAPS ("GRAY8", 64, 48);
  GstVideoInfo info = info_from_string (caps);
  g_autoptr (GstHarness) h = remap_open (path, properties);
  g_autoptr (GstBuffer) to = NULL;
  GstBuffer *from = frame_new (&info, LAYOUT_DEFAULT, 1);
  GstMapInfo map;

  gst_harness_set_src_caps_str (h, caps);
  gst_buffer_memset (from, 0, 255, -1);
  to = harness_push_pull (h, from);
  fail_unless (gst_buffer_map (to, &map, GST_MAP_READ));
  *n_edge = *n_all = 0;
  for (gint i = 0; i < 64 * 48; i++) {
    gboolean is_black = map.data[i] < 128;

    *n_all += is_black;
    *n_edge += is_black && (i % 64 == 0 || i % 64 == 63 || i < 64
        || i >= 47 * 64);
  }
  gst_buffer_unmap (to, &map);
}

/* Tests that with alpha=0 every pixel of the view shows the frame, and that with alpha=1 the whole
 * frame is visible: with barrel distortion, the view is then black along its sides, between the
 * corners. */
GST_START_TEST (test_alpha)
{
  guint n_edge, n_all, n_half;

  count_black ("location=FILE alpha=0", &n_edge, &n_all);
  fail_unless_equals_int (n_all, 0);
  count_black ("location=FILE alpha=0.5", &n_edge, &n_half);
  count_black ("location=FILE alpha=1", &n_edge, &n_all);
  fail_unless (n_half > 20 && n_all > n_half && n_all < 64 * 48 / 2,
      "%u and %u pixels are black", n_half, n_all);
  fail_unless (n_edge < 2 * (64 + 46), "no pixel of the edges is seen");
  count_black ("location=FILE alpha=1 zoom=2", &n_edge, &n_all);
  fail_unless_equals_int (n_all, 0);
  count_black ("location=FILE alpha=0 zoom=0.5", &n_edge, &n_all);
  fail_unless_equals_int (n_edge, 2 * (64 + 46));
}

GST_END_TEST;

/* Sets @x and @y to the mean column and row of the pixels that are brighter than 127 in the
 * view. */
static void
find_spot (const gchar * properties, gdouble * x, gdouble * y)
{
  const gchar *caps = HOST_CAPS ("GRAY8", 65, 65);
  GstVideoInfo info = info_from_string (caps);
  g_autoptr (GstHarness) h = remap_open (path, properties);
  g_autoptr (GstBuffer) to = NULL;
  GstBuffer *from = frame_new (&info, LAYOUT_DEFAULT, 1);
  GstVideoFrame frame;
  guint n = 0;

  gst_harness_set_src_caps_str (h, caps);
  gst_buffer_memset (from, 0, 0, -1);
  fail_unless (gst_video_frame_map (&frame, &info, from, GST_MAP_WRITE));
  for (gint j = 20; j < 25; j++)
    memset ((guint8 *) GST_VIDEO_FRAME_PLANE_DATA (&frame, 0)
        + j * GST_VIDEO_FRAME_PLANE_STRIDE (&frame, 0) + 40, 255, 5);
  gst_video_frame_unmap (&frame);
  to = harness_push_pull (h, from);
  fail_unless (gst_video_frame_map (&frame, &info, to, GST_MAP_READ));
  *x = *y = 0;
  for (gint j = 0; j < 65; j++)
    for (gint i = 0; i < 65; i++)
      if (((guint8 *) GST_VIDEO_FRAME_PLANE_DATA (&frame, 0))[j
              * GST_VIDEO_FRAME_PLANE_STRIDE (&frame, 0) + i] > 127) {
        *x += i;
        *y += j;
        n++;
      }
  gst_video_frame_unmap (&frame);
  fail_unless (n > 4, "%s: %u pixels", properties, n);
  *x /= n;
  *y /= n;
}

/* Tests a spot to the right of the middle and above it: it moves left as the view turns right, and
 * down as the view turns up. If the view rotates clockwise, the spot rotates counterclockwise. */
GST_START_TEST (test_directions)
{
  gdouble x, y;

#define VIEW "input=perspective input-fov=60 fov=60 "
  find_spot (VIEW, &x, &y);
  fail_unless (fabs (x - 42) < 0.1 && fabs (y - 22) < 0.1);
  find_spot (VIEW "pan=10", &x, &y);
  fail_unless (x < 36 && fabs (y - 22) < 2, "%g %g", x, y);
  find_spot (VIEW "tilt=10", &x, &y);
  fail_unless (fabs (x - 42) < 2 && y > 28, "%g %g", x, y);
  find_spot (VIEW "roll=90", &x, &y);
  fail_unless (fabs (x - 22) < 1 && fabs (y - 22) < 1, "%g %g", x, y);
#undef VIEW
  /* Checks the same directions with the focal length that "alpha" chooses, which does not depend on
   * the direction of the view. */
#define VIEW "input=perspective input-fov=60 "
  find_spot (VIEW "alpha=1 pan=10", &x, &y);
  fail_unless (x < 36 && fabs (y - 22) < 2, "%g %g", x, y);
  find_spot (VIEW "tilt=10", &x, &y);
  fail_unless (fabs (x - 42) < 2 && y > 28, "%g %g", x, y);
  find_spot ("input=fisheye input-fov=120 pan=20", &x, &y);
  fail_unless (x < 36 && fabs (y - 22) < 6, "%g %g", x, y);
}

GST_END_TEST;

/* ---- Homographies ------------------------------------------------------------------- */

/* Tests the corners of the frame as "corners", with which the frame stays unchanged, or is
 * mirrored. */
GST_START_TEST (test_corners)
{
  const gchar *caps = HOST_CAPS ("GRAY8", 64, 48);
  GstVideoInfo info = info_from_string (caps);
  g_autoptr (GstHarness) h = remap_open (path, "corners=0,0,64,0,64,48,0,48");
  g_autoptr (GstElement) filter = harness_filter (h);
  g_autoptr (GstBuffer) from = frame_new (&info, LAYOUT_DEFAULT, 3), to = NULL;
  g_autoptr (GstBuffer) mirrored = NULL;
  GstMapInfo a, b;

  gst_harness_set_src_caps_str (h, caps);
  to = harness_push_pull (h, gst_buffer_ref (from));
  fail_unless_same_frame (&info, from, to);
  g_object_set (filter, "corners", "1.0,0,0,0,0,1,1,1", NULL);
  mirrored = harness_push_pull (h, gst_buffer_ref (from));
  fail_unless (gst_buffer_map (from, &a, GST_MAP_READ));
  fail_unless (gst_buffer_map (mirrored, &b, GST_MAP_READ));
  for (gint i = 0; i < 64 * 48; i++)
    fail_unless_equals_int (a.data[i], b.data[i / 64 * 64 + 63 - i % 64]);
  gst_buffer_unmap (mirrored, &b);
  gst_buffer_unmap (from, &a);
}

GST_END_TEST;

/* Returns: (transfer full): the output of mgpuremap for @from with these properties */
static GstBuffer *
remapped (const GstVideoInfo * info, GstBuffer * from, const gchar * properties)
{
  g_autoptr (GstHarness) h = remap_open (path, properties);
  g_autoptr (GstCaps) caps = gst_video_info_to_caps (info);

  gst_harness_set_src_caps (h, g_steal_pointer (&caps));
  return harness_push_pull (h, gst_buffer_ref (from));
}

/* Tests that "matrix" gives the same frame as "corners" with the positions that the matrix maps to
 * the corners of the frame. */
GST_START_TEST (test_matrix)
{
  static const gchar *const same[][2] = {
    {"matrix=1,0,0,0,1,0,0,0,1", "corners=0,0,64,0,64,48,0,48"},
    {"matrix=2,0,-20,0,2,-10,0,0,1", "corners=10,5,42,5,42,29,10,29"},
    {"matrix=-4,0,40,0,-4,20,0,0,-2", "corners=10,5,42,5,42,29,10,29"},
    {"matrix=0,1,0,-1,0,48,0,0,1", "corners=48,0,48,64,0,64,0,0"},
    {"location=FILE alpha=-1 matrix=2,0,-20,0,2,-10,0,0,1",
        "location=FILE alpha=-1 corners=10,5,42,5,42,29,10,29"},
    /* The matrix maps x to x / (1 - x / 128), so that x = 64 becomes 128. */
    {"matrix=1,0,0,0,1,0,-0.0078125,0,1",
        "corners=0,0,0.6666666666666667,0,0.6666666666666667,"
          "0.6666666666666667,0,1"}
  };
  GstVideoInfo info = info_from_string (HOST_CAPS ("GRAY8", 64, 48));
  g_autoptr (GstBuffer) from = frame_new (&info, LAYOUT_DEFAULT, 3);

  for (guint i = 0; i < G_N_ELEMENTS (same); i++) {
    g_autoptr (GstBuffer) a = remapped (&info, from, same[i][0]);
    g_autoptr (GstBuffer) b = remapped (&info, from, same[i][1]);

    fail_unless (count_differences (&info, a, b) == 0, "%s", same[i][0]);
  }
}

GST_END_TEST;

/* Tests that content of a few pixels is shown, also between the nodes of the coarse map, or in the
 * last part of a map cell. */
GST_START_TEST (test_small)
{
  static const gchar *const views[] = {
    "matrix=0.0625,0,18,0,0.0625,18,0,0,1",
    "matrix=0.0625,0,66,0,0.0625,44,0,0,1"
  };
  GstVideoInfo info = info_from_string (HOST_CAPS ("GRAY8", 72, 48));
  g_autoptr (GstBuffer) from = frame_new (&info, LAYOUT_DEFAULT, 3);

  gst_buffer_memset (from, 0, 200, -1);
  for (guint i = 0; i < G_N_ELEMENTS (views); i++) {
    g_autoptr (GstBuffer) to = remapped (&info, from, views[i]);
    GstVideoFrame frame;
    guint n = 0;

    fail_unless (gst_video_frame_map (&frame, &info, to, GST_MAP_READ));
    for (gint y = 0; y < 48; y++) {
      const guint8 *row = GST_VIDEO_FRAME_PLANE_DATA (&frame, 0);

      row += y * GST_VIDEO_FRAME_PLANE_STRIDE (&frame, 0);
      for (gint x = 0; x < 72; x++)
        n += row[x] == 200;
    }
    gst_video_frame_unmap (&frame);
    fail_unless (n > 8 && n < 40, "%s: %u", views[i], n);
  }
}

GST_END_TEST;

/* ---- Maps in files ------------------------------------------------------------------ */

/* Writes a map that mirrors frames of 64x48. The pixels from column 30 of row 20 on have no source
 * position. */
static void
write_map (void)
{
  g_autoptr (GString) file = g_string_new ("PF\n64 48\n-1.0\n");

  for (gint y = 47; y >= 0; y--)
    for (gint x = 0; x < 64; x++) {
      gfloat place[3] = { 63 - x, y, 0 };

      if (y == 20 && x >= 30)
        place[0] = NAN;
      for (guint k = 0; k < 3; k++) {
        guint32 word;

        memcpy (&word, &place[k], 4);
        word = GUINT32_TO_LE (word);
        g_string_append_len (file, (const gchar *) &word, 4);
      }
    }
  replace_file (path, file->str, file->len);
}

GST_START_TEST (test_map)
{
  const gchar *caps = HOST_CAPS ("GRAY8", 64, 48);
  GstVideoInfo info = info_from_string (caps);
  g_autoptr (GstHarness) h = remap_open (path, "location=FILE");
  g_autoptr (GstBuffer) from = frame_new (&info, LAYOUT_DEFAULT, 3), to = NULL;
  GstMapInfo a, b;

  write_map ();
  gst_harness_set_src_caps_str (h, caps);
  to = harness_push_pull (h, gst_buffer_ref (from));
  fail_unless (gst_buffer_map (from, &a, GST_MAP_READ));
  fail_unless (gst_buffer_map (to, &b, GST_MAP_READ));
  for (gint i = 0; i < 64 * 48; i++)
    fail_unless_equals_int (b.data[i], i >= 20 * 64 + 30 && i < 21 * 64 ? 0
        : a.data[i / 64 * 64 + 63 - i % 64]);
  gst_buffer_unmap (to, &b);
  gst_buffer_unmap (from, &a);
}

GST_END_TEST;

/* Tests that a map has the size of the output frames, which the caps get unless they are fixed. */
GST_START_TEST (test_map_caps)
{
  const gchar *caps = HOST_CAPS ("GRAY8", 80, 46);
  GstVideoInfo info = info_from_string (caps), made;
  g_autoptr (GstHarness) h = remap_open (path, "location=FILE");
  g_autoptr (GstElement) filter = harness_filter (h);

  write_map ();
  gst_harness_set_src_caps_str (h, caps);
  gst_buffer_unref (harness_push_pull (h, frame_new (&info, LAYOUT_DEFAULT,
              1)));
  made = harness_out_info (h);
  fail_unless_equals_int (made.width, 64);
  fail_unless_equals_int (made.height, 48);
  /* A map file that is set in PLAYING also changes the size in the caps. */
  replace_file (path, "Pf\n1 1\n-1.0\n\0\0\0", 16);
  {
    g_autofree gchar *pair = g_strconcat (path, ":", path, NULL);

    g_object_set (filter, "location", pair, NULL);
  }
  gst_buffer_unref (harness_push_pull (h, frame_new (&info, LAYOUT_DEFAULT,
              1)));
  made = harness_out_info (h);
  fail_unless_equals_int (made.width, 1);
  fail_unless_equals_int (made.height, 1);
}

GST_END_TEST;

/* Tests that a file that cannot be read is not an error while a map of another size is in use. */
GST_START_TEST (test_map_broken)
{
  const gchar *caps = HOST_CAPS ("GRAY8", 80, 46);
  GstVideoInfo info = info_from_string (caps), made;
  g_autoptr (GstHarness) h = remap_open (path, "location=FILE");
  g_autoptr (GstElement) filter = harness_filter (h);
  g_autoptr (GstBuffer) from = frame_new (&info, LAYOUT_DEFAULT, 3);
  g_autoptr (GstBuffer) before = NULL;

  write_map ();
  gst_harness_set_src_caps_str (h, caps);
  before = harness_push_pull (h, gst_buffer_ref (from));
  replace_file (path, "", 0);
  for (guint i = 0; i < 3; i++) {
    g_autoptr (GstBuffer) after = NULL;

    g_object_set (filter, "location", i == 1 ? "/nowhere" : path, NULL);
    after = harness_push_pull (h, gst_buffer_ref (from));
    made = harness_out_info (h);
    fail_unless_equals_int (made.width, 64);
    fail_unless_equals_int (made.height, 48);
    fail_unless (count_differences (&made, before, after) == 0);
  }
}

GST_END_TEST;

GST_START_TEST (test_map_size)
{
  const gchar *caps = HOST_CAPS ("GRAY8", 64, 46);
  GstVideoInfo info = info_from_string (caps);
  g_autoptr (GstHarness) h = remap_open (path, "location=FILE");
  g_autoptr (GstElement) filter = harness_filter (h);
  g_autoptr (GstBus) bus = gst_bus_new ();

  write_map ();
  gst_element_set_bus (filter, bus);
  gst_harness_set_sink_caps_str (h, caps);
  gst_harness_set_src_caps_str (h, caps);
  fail_unless (gst_harness_push (h, frame_new (&info, LAYOUT_DEFAULT, 1)) < 0);
  check_code (bus, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT, "64x46",
      "width=64,height=48");
  gst_element_set_bus (filter, NULL);
}

GST_END_TEST;

/* ---- Warnings ----------------------------------------------------------------------- */

/* Properties that are probably wrong, but can be shown, and words of the one warning that they
 * cause */
static const struct
{
  const gchar *properties, *word1, *word2;
} doubtful[] = {
  {"input=equirect fov=200", "only 170 degrees", "\"fov\""},
  {"input=equirect fov=171 projection=cylinder", "170 degrees",
      "\"projection\""},
  {"input=equirect fov=350 projection=stereographic", "340 degrees", "\"fov\""},
  {"input=fisheye input-fov=360", "% of a frame", "\"input-fov\""},
  {"input=perspective input-fov=179", "85 degrees", "\"input-fov\""},
  {"location=FILE.tiny", "focal length", "tiny is only 0.5 pixels"},
  {"input=equirect fov=170", NULL, NULL},
  {"input=equirect fov=340 projection=stereographic", NULL, NULL},
  {"input=equirect fov=360 projection=fisheye", NULL, NULL},
  {"input=fisheye input-fov=200", NULL, NULL},
  {"input=perspective input-fov=150", NULL, NULL},
  {"location=FILE", NULL, NULL},
  {"corners=0,0,64,0,64,48,0,48", NULL, NULL}
};

GST_START_TEST (test_doubtful)
{
  const gchar *caps = HOST_CAPS ("GRAY8", 64, 48);
  GstVideoInfo info = info_from_string (caps);
  g_autoptr (GstHarness) h = remap_open (path, doubtful[__i__].properties);
  g_autoptr (GstElement) filter = harness_filter (h);
  g_autoptr (GstBus) bus = gst_bus_new ();
  g_autofree gchar *tiny = g_strconcat (path, ".tiny", NULL);

  g_file_set_contents (tiny, FILE (SIZE, "0.5, 0, 32, 0, 0.5, 24, 0, 0, 1",
          "0, 0, 0, 0"), -1, NULL);
  gst_element_set_bus (filter, bus);
  gst_harness_set_src_caps_str (h, caps);
  for (guint i = 0; i < 3; i++) {
    g_object_set (filter, "zoom", 1 + 0.1 * i, NULL);
    gst_buffer_unref (harness_push_pull (h, frame_new (&info, LAYOUT_DEFAULT,
                1)));
  }
  if (doubtful[__i__].word1 != NULL)
    check_warning (bus, doubtful[__i__].word1, doubtful[__i__].word2);
  fail_if (gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING | GST_MESSAGE_ERROR));
  gst_element_set_bus (filter, NULL);
}

GST_END_TEST;

CHECK_TESTS (mgpuremapviews)
{
  tcase_add_checked_fixture (tc, setup, file_end);
  tcase_add_test (tc, test_alpha);
  tcase_add_test (tc, test_directions);
  tcase_add_test (tc, test_corners);
  tcase_add_test (tc, test_matrix);
  tcase_add_test (tc, test_small);
  tcase_add_test (tc, test_map);
  tcase_add_test (tc, test_map_caps);
  tcase_add_test (tc, test_map_broken);
  tcase_add_test (tc, test_map_size);
  tcase_add_loop_test (tc, test_doubtful, 0, G_N_ELEMENTS (doubtful));
}
