/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests the sources of reference images: files, and frames of the application. */
#include "../folder.h"
#include "exif.h"
#include "match.h"

#include <unistd.h>

/* Tests all kinds of samples that the application adds as reference images. Interlaced frames are
 * accepted; a sample that is not one whole raw frame is refused. */
GST_START_TEST (test_samples)
{
  static const struct
  {
    const gchar *caps;
    gboolean is_picture;
  } kinds[] = {
    {"video/x-raw,format=GRAY8,interlace-mode=interleaved", TRUE},
    {"video/x-raw,format=GRAY8,interlace-mode=mixed", TRUE},
    {"video/x-raw,format=GRAY8,interlace-mode=fields", TRUE},
    {"video/x-raw(format:Interlaced),format=GRAY8,interlace-mode=alternate",
        FALSE},
    {"video/x-raw,format=ENCODED", FALSE},
    {"video/x-raw,format={GRAY8,NV12}", FALSE},
    {"video/x-raw,format=NV12", FALSE}, /* the raw frame has fewer bytes than these caps require */
    {"image/jpeg", FALSE},
  };
  g_autoptr (GstBuffer) scene = NULL, box = NULL;
  g_autofree gchar *caps = NULL, *box_caps = NULL;
  g_autoptr (GstElement) filter = NULL;
  g_autoptr (GstHarness) h = NULL;
  GstBus *bus;

  scene = photograph_new ("box_in_scene.png", &caps);
  box = photograph_new ("box.png", &box_caps);
  h = match_new (SIFT "max-features=400", caps, &bus);
  filter = harness_filter (h);
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++) {
    g_autoptr (GstCaps) c = gst_caps_from_string (kinds[i].caps);
    g_autoptr (GstSample) sample = NULL;
    gboolean removed;
    guint number;

    gst_caps_set_simple (c, "width", G_TYPE_INT, 324, "height", G_TYPE_INT,
        223, "framerate", GST_TYPE_FRACTION, 25, 1, NULL);
    sample = gst_sample_new (box, c, NULL, NULL);
    g_signal_emit_by_name (filter, "add-picture", "thing", sample, &number);
    fail_unless_equals_int (number != 0, kinds[i].is_picture);
    fail_unless_equals_int (push (h, scene, i), kinds[i].is_picture);
    if (!kinds[i].is_picture)
      check_warning (bus, "thing", "not a video frame");
    g_signal_emit_by_name (filter, "remove-picture", "thing", &removed);
    fail_unless_equals_int (removed, kinds[i].is_picture);
  }
}

GST_END_TEST;

/* Tests interlaced frames of few rows, whose second field has fewer rows or none. */
GST_START_TEST (test_few_rows)
{
  static const GstVideoInterlaceMode modes[] = {
    GST_VIDEO_INTERLACE_MODE_PROGRESSIVE, GST_VIDEO_INTERLACE_MODE_INTERLEAVED,
    GST_VIDEO_INTERLACE_MODE_MIXED, GST_VIDEO_INTERLACE_MODE_FIELDS
  };
  g_autoptr (GstElement) filter = gst_element_factory_make ("mgpumatch", NULL);
  guint number, n = 0;

  for (guint f = 0; all_formats[f] != GST_VIDEO_FORMAT_UNKNOWN; f++)
    for (gint height = 1; height < 6; height++)
      for (guint m = 0; m < G_N_ELEMENTS (modes); m++) {
        GstVideoInfo info;
        g_autoptr (GstBuffer) buffer = NULL;
        g_autoptr (GstSample) sample = NULL;
        g_autoptr (GstCaps) caps = NULL;

        gst_video_info_set_interlaced_format (&info, all_formats[f], modes[m],
            64, height);
        caps = gst_video_info_to_caps (&info);
        buffer = gst_buffer_new_allocate (NULL, info.size, NULL);
        gst_buffer_memset (buffer, 0, 100, info.size);
        sample = gst_sample_new (buffer, caps, NULL, NULL);
        g_signal_emit_by_name (filter, "add-picture", "few rows", sample,
            &number);
        fail_unless_equals_int (number, ++n);
      }
  /* Checks that the name of a reference image is not registered as a GQuark, which is permanent,
   * before the image is found. */
  fail_unless_equals_int (g_quark_try_string ("few rows"), 0);
}

GST_END_TEST;

/* Writes the first @n bytes of a photograph to a new file. Returns: its path */
static gchar *
write_part (const gchar * name, gsize n)
{
  g_autofree gchar *from = g_strconcat (DATA, name, NULL), *data = NULL;
  gchar *path;
  gint fd = g_file_open_tmp ("mgpumatch-XXXXXX.png", &path, NULL);
  gsize size;

  fail_unless (fd >= 0 && g_file_get_contents (from, &data, &size, NULL));
  fail_unless (size > n && g_file_set_contents (path, data, n, NULL));
  close (fd);
  return path;
}

/* Tests files that are not images, and the error about the names in "pictures". */
GST_START_TEST (test_files)
{
  g_autofree gchar *part = write_part ("box.png", 5000);
  const gchar *const bad[] = { DATA "nowhere.png", "/dev/null", DATA, part };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++) {
    g_autoptr (GstElement) f = gst_element_factory_make ("mgpumatch", "f");
    g_autofree gchar *list = g_strconcat (DATA "box.png:", bad[i], NULL);

    g_object_set (f, "pictures", list, NULL);
    check_no_start (f, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_OPEN_READ, bad[i],
        "pictures");
  }
  g_unlink (part);
}

GST_END_TEST;

/* Tests a file whose name is not UTF-8: its message, region and meta have the same name, with a
 * replacement character. Another file, whose name differs only in that byte, is another reference
 * image. */
GST_START_TEST (test_not_utf8)
{
  static const gchar *const names[] = { "caf\351.png", "caf\350.png" };
  GstVideoRegionOfInterestMeta *roi;
  gchar *paths[2];
  g_autofree gchar *caps = NULL, *data = NULL, *list = NULL;
  GstBuffer *scene, *out;
  GstMgpuPictureMeta *meta;
  GstMgpuPicture picture;
  GstElement *filter;
  gboolean removed;
  GstHarness *h;
  GstBus *bus;
  gsize size;

  fail_unless (g_file_get_contents (DATA "box.png", &data, &size, NULL));
  for (guint i = 0; i < 2; i++) {
    paths[i] = g_build_filename (folder, names[i], NULL);
    fail_unless (g_file_set_contents (paths[i], data, size, NULL));
  }
  scene = photograph_new ("box_in_scene.png", &caps);
  h = match_new (SIFT "appear-frames=1", caps, &bus);
  /* Sets the file name through the property, because a launch line cannot contain it. */
  filter = harness_filter (h);
  list = g_strjoin (":", paths[0], paths[1], NULL);
  gst_element_set_state (filter, GST_STATE_READY);
  g_object_set (filter, "pictures", list, NULL);
  gst_element_set_state (filter, GST_STATE_PLAYING);
  out = harness_push_pull (h, gst_buffer_ref (scene));
  expect_event (bus, "appeared", "caf\357\277\275");
  expect_event (bus, "appeared", "caf\357\277\275");
  meta = gst_buffer_get_mgpu_picture_meta (out);
  fail_unless_equals_int (gst_mgpu_picture_meta_get_n_pictures (meta), 2);
  fail_unless (gst_mgpu_picture_meta_get_picture (meta, 1, &picture));
  fail_unless_equals_string (picture.name, "caf\357\277\275");
  roi = gst_buffer_get_video_region_of_interest_meta_id (out, picture.roi_id);
  fail_unless_equals_string (g_quark_to_string (roi->roi_type), picture.name);
  gst_buffer_unref (out);

  g_signal_emit_by_name (filter, "remove-picture", "caf\351", &removed);
  fail_unless (removed);
  gst_buffer_unref (harness_push_pull (h, scene));
  expect_event (bus, "disappeared", "caf\357\277\275");
  expect_event (bus, NULL, NULL);
  gst_object_unref (filter);
  harness_end (h);
  for (guint i = 0; i < 2; i++)
    g_free (paths[i]);
}

GST_END_TEST;

/* Tests that empty names in the list of files are skipped. */
GST_START_TEST (test_empty_names)
{
  static const gchar *const lists[] = { "", ":", DATA "box.png:",
    "::" DATA "box.png"
  };

  for (guint i = 0; i < G_N_ELEMENTS (lists); i++) {
    g_autoptr (GstElement) f = gst_element_factory_make ("mgpumatch", "f");

    g_object_set (f, "pictures", lists[i], NULL);
    fail_unless_equals_int (gst_element_set_state (f, GST_STATE_PAUSED),
        GST_STATE_CHANGE_SUCCESS);
    gst_element_set_state (f, GST_STATE_NULL);
  }
}

GST_END_TEST;

/* Tests that a photograph with an EXIF orientation is found as if its pixels had been rotated. */
GST_START_TEST (test_turned)
{
  g_autofree gchar *path = g_build_filename (folder, "box.jpg", NULL);
  g_autofree gchar *launch = g_strconcat (SIFT "pictures=", path, NULL);
  g_autoptr (GdkPixbuf) box = gdk_pixbuf_new_from_file (DATA "box.png", NULL);
  GstMgpuPictureMeta *meta;
  GstMgpuPicture picture;
  GstBuffer *scene, *out;
  g_autoptr (GstHarness) h = NULL;
  GstBus *bus;
  g_autofree gchar *caps = NULL;

  write_turned (box, path);
  scene = photograph_new ("box_in_scene.png", &caps);
  h = match_new (launch, caps, &bus);
  out = harness_push_pull (h, scene);
  meta = gst_buffer_get_mgpu_picture_meta (out);
  fail_unless (meta != NULL);
  fail_unless_equals_int (gst_mgpu_picture_meta_get_n_pictures (meta), 1);
  fail_unless (gst_mgpu_picture_meta_get_picture (meta, 0, &picture));
  fail_unless (picture.width == 324 && picture.height == 223);
  check_corners (gst_mgpu_picture_meta_get_corners (meta, 0), known, 1, 3);
  gst_buffer_unref (out);
}

GST_END_TEST;

/* Tests a reference image that is larger than the frames, and so requires more keypoints than
 * others: one warning reports that the image has more keypoints than are kept. */
GST_START_TEST (test_too_large)
{
  static const struct
  {
    guint zoom, most;
    gboolean is_found;
  } cases[] = { {1, 500, TRUE}, {2, 500, FALSE}, {2, 20000, TRUE} };
  g_autofree gchar *path = g_build_filename (folder, "large.png", NULL);
  g_autoptr (GdkPixbuf) box = gdk_pixbuf_new_from_file (DATA "box.png", NULL);
  g_autoptr (GstBuffer) scene = NULL;
  g_autofree gchar *caps = NULL;

  scene = photograph_new ("box_in_scene.png", &caps);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GdkPixbuf) large =
        gdk_pixbuf_scale_simple (box, 324 * cases[i].zoom, 223 * cases[i].zoom,
        GDK_INTERP_BILINEAR);
    g_autofree gchar *launch =
        g_strdup_printf (SIFT "pictures=%s max-features=%u", path,
        cases[i].most);
    g_autoptr (GstHarness) h = NULL;
    GstBus *bus;

    fail_unless (gdk_pixbuf_save (large, path, "png", NULL, NULL));
    h = match_new (launch, caps, &bus);
    fail_unless_equals_int (push (h, scene, 0), cases[i].is_found);
    if (!cases[i].is_found)
      check_warning (bus, "large of 648x446 pixels", "max-features");
    push (h, scene, 1);
    fail_if (gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING));
  }
}

GST_END_TEST;

CHECK_TESTS (mgpumatchfiles)
{
  tcase_add_checked_fixture (tc, folder_make, folder_remove);
  tcase_add_test (tc, test_samples);
  tcase_add_test (tc, test_few_rows);
  tcase_add_test (tc, test_files);
  tcase_add_test (tc, test_not_utf8);
  tcase_add_test (tc, test_empty_names);
  tcase_add_test (tc, test_turned);
  tcase_add_test (tc, test_too_large);
}
