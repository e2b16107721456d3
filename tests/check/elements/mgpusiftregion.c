/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests masks and regions in which mgpusift searches for keypoints. */
#include "../folder.h"
#include "sift.h"

#include <gdk-pixbuf/gdk-pixbuf.h>

static void
draw (guint8 * mask, const GstVideoInfo * info, gint x, gint y, gint width,
    gint height)
{
  for (gint i = y; i < MIN (y + height, info->height); i++)
    memset (mask + i * info->width + x, 1, MIN (width, info->width - x));
}

/* Tests that keypoints are found in regions of one type, also if regions extend beyond the frame,
 * and that frames without such regions are not uploaded. */
GST_START_TEST (test_roi)
{
  const gchar *caps = __i__ ? HOST_CAPS ("BGRx", 160, 120)
      : HOST_CAPS ("NV12", 160, 120);
  GstVideoInfo info = info_from_string (caps);
  g_autoptr (GstHarness) h =
      harness_new ("mgpusift name=f roi-type=face", caps, caps);
  g_autoptr (GstElement) filter = harness_filter (h);
  g_autofree guint8 *mask = g_malloc0 (160 * 120);
  guint n = 0, all;

  for (guint i = 0; i < 4; i++) {
    /* Makes frames of two memories, which the device cannot use without a copy. */
    g_autoptr (GstBuffer) from =
        frame_new (&info, __i__ ? LAYOUT_DEFAULT : LAYOUT_PLANES, 1), out =
        NULL;

    gst_buffer_add_video_region_of_interest_meta (from, "car", 0, 0, 160, 120);
    if (i == 1) {
      gst_buffer_add_video_region_of_interest_meta (from, "face", 100, 70,
          1000000, 4000000);
      gst_buffer_add_video_region_of_interest_meta (from, "face", 160, 0, 9, 9);
      draw (mask, &info, 100, 70, 160, 120);
    } else if (i == 2) {
      gst_buffer_add_video_region_of_interest_meta (from, "face", 20, 30, 60,
          40);
      gst_buffer_add_video_region_of_interest_meta (from, "face", 60, 60, 50,
          50);
      memset (mask, 0, 160 * 120);
      draw (mask, &info, 20, 30, 60, 40);
      draw (mask, &info, 60, 60, 50, 50);
    } else if (i == 3) {
      const gchar *unset = __i__ ? "" : NULL;

      g_object_set (filter, "roi-type", unset, "mask-location", unset, NULL);
    }
    out = harness_push_pull (h, gst_buffer_ref (from));
    if (i == 0) {
      fail_unless (out == from);
      fail_if (gst_buffer_get_mgpu_keypoint_meta (out));
      fail_unless_equals_uint64 (harness_stat (h, "uploads"), 0);
    } else if (i < 3) {
      n += check_masked (&info, &defaults, mask, from, out);
    } else {
      all = check_meta (&info, &defaults, from, out);
      fail_unless (n > 5 && all > n);
    }
  }
}

GST_END_TEST;

/* Tests regions that begin left of the frame or above it. Regions that end there, or are empty, are
 * ignored. */
GST_START_TEST (test_roi_outside)
{
  static const struct
  {
    gint x, y;
    guint width, height;
  } outside[] = {
    {-9, 5, 9, 100}, {5, -1, 100, 1}, {G_MININT, G_MININT, G_MAXUINT / 2, 99},
    {160, 0, 9, 9}, {0, 120, G_MAXUINT, G_MAXUINT}, {20, 20, 0, 50},
    {20, 20, 50, 0}
  };
  const gchar *caps = HOST_CAPS ("GRAY8", 160, 120);
  GstVideoInfo info = info_from_string (caps);
  g_autoptr (GstHarness) h = harness_new ("mgpusift roi-type=face", caps, caps);
  g_autofree guint8 *mask = g_malloc0 (160 * 120);

  for (guint i = 0; i < 3; i++) {
    g_autoptr (GstBuffer) from = frame_new (&info, LAYOUT_DEFAULT, 1), out =
        NULL;

    for (guint k = 0; k < G_N_ELEMENTS (outside); k++)
      gst_buffer_add_video_region_of_interest_meta (from, "face",
          outside[k].x, outside[k].y, outside[k].width, outside[k].height);
    if (i > 0)
      gst_buffer_add_video_region_of_interest_meta (from, "face", -30, -20,
          100, 90);
    if (i > 1)
      gst_buffer_add_video_region_of_interest_meta (from, "face", G_MININT, 60,
          G_MAXUINT, 10);
    draw (mask, &info, 0, 0, i > 0 ? 70 : 0, 70);
    draw (mask, &info, 0, 60, i > 1 ? 160 : 0, 10);
    out = harness_push_pull (h, gst_buffer_ref (from));
    if (i == 0)
      fail_if (gst_buffer_get_mgpu_keypoint_meta (out));
    else
      fail_unless (check_masked (&info, &defaults, mask, from, out) > 3);
  }
}

GST_END_TEST;

/* Tests more regions than memory was allocated for at first. */
GST_START_TEST (test_many_rois)
{
  const gchar *caps = HOST_CAPS ("GRAY8", 160, 120);
  GstVideoInfo info = info_from_string (caps);
  g_autoptr (GstHarness) h = harness_new ("mgpusift roi-type=face", caps, caps);
  g_autofree guint8 *mask = g_malloc0 (160 * 120);

  for (guint n = 1; n < 200; n += 99) {
    g_autoptr (GstBuffer) from = frame_new (&info, LAYOUT_DEFAULT, 1), out =
        NULL;

    for (guint i = 0; i < n; i++) {
      guint x = i * 37 % 151, y = i * 61 % 113;

      gst_buffer_add_video_region_of_interest_meta (from, "face", x, y, 9, 7);
      draw (mask, &info, x, y, 9, 7);
    }
    out = harness_push_pull (h, gst_buffer_ref (from));
    check_masked (&info, &defaults, mask, from, out);
  }
}

GST_END_TEST;

/* Writes a mask image of 16 columns and 12 rows whose left or right half is white, or transparent.
 * Returns: its name */
static gchar *
write_picture (gboolean left, gboolean alpha)
{
  g_autoptr (GdkPixbuf) picture =
      gdk_pixbuf_new (GDK_COLORSPACE_RGB, alpha, 8, 16, 12);
  gchar *name = g_build_filename (folder,
      alpha ? "alpha.png" : left ? "left.png" : "right.png", NULL);
  gint step = alpha ? 4 : 3, stride = gdk_pixbuf_get_rowstride (picture);
  guint8 *pixels = gdk_pixbuf_get_pixels (picture);

  for (gint i = 0; i < 12 * 16; i++) {
    guint8 *pixel = pixels + i / 16 * stride + i % 16 * step;
    guint8 value = (i % 16 < 6) == left ? 255 : 0;

    memset (pixel, alpha ? 255 : value, 3);
    if (alpha)
      pixel[3] = value;
  }
  fail_unless (gdk_pixbuf_save (picture, name, "png", NULL, NULL));
  return name;
}

/* Tests that keypoints are found where a mask file is white, whatever the mask's size, within
 * regions of interest. */
GST_START_TEST (test_mask)
{
  const gchar *caps[] = { HOST_CAPS ("I420", 160, 120),
    HOST_CAPS ("GRAY8", 150, 131)
  };
  gchar *names[] = { write_picture (TRUE, FALSE),
    write_picture (FALSE, FALSE), write_picture (TRUE,
        TRUE)
  };
  GstHarness *h = gst_harness_new_parse ("mgpusift name=f");
  GstElement *filter = harness_filter (h);

  gst_harness_set_sink_caps_str (h, "ANY");
  for (guint i = 0; i < 6; i++) {
    GstVideoInfo info = info_from_string (caps[i / 3]);
    g_autoptr (GstBuffer) from = frame_new (&info, LAYOUT_DEFAULT, 3), out =
        NULL;
    g_autofree guint8 *mask = g_malloc0 (info.width * info.height);

    if (i % 3 == 0)
      gst_harness_set_src_caps_str (h, caps[i / 3]);
    g_object_set (filter, "mask-location", names[i % 3], NULL);
    for (gint y = 0; y < info.height; y++)
      for (gint x = 0; x < info.width; x++)
        mask[y * info.width + x] =
            ((2 * x + 1) * 8 / info.width < 6) == (i % 3 != 1)
            && (i != 5 || (x >= 20 && y < 90));
    if (i == 5) {
      g_object_set (filter, "roi-type", "face", NULL);
      gst_buffer_add_video_region_of_interest_meta (from, "face", 20, 0, 130,
          90);
    }
    out = harness_push_pull (h, gst_buffer_ref (from));
    fail_unless (check_masked (&info, &defaults, mask, from, out) > 3);
  }
  gst_object_unref (filter);
  gst_harness_teardown (h);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_free (names[i]);
}

GST_END_TEST;

/* Tests that nothing is found with a black mask. */
GST_START_TEST (test_black_mask)
{
  const gchar *caps = HOST_CAPS ("NV12", 160, 120);
  GstVideoInfo info = info_from_string (caps);
  g_autofree gchar *name = g_build_filename (folder, "black.png", NULL);
  GdkPixbuf *picture = gdk_pixbuf_new (GDK_COLORSPACE_RGB, FALSE, 8, 16, 12);
  g_autoptr (GstHarness) h = harness_new ("mgpusift name=f", caps, caps);
  g_autoptr (GstElement) filter = harness_filter (h);
  /* Makes a frame of two memories, which the device cannot use without a copy. */
  g_autoptr (GstBuffer) from = frame_new (&info, LAYOUT_PLANES, 1), out = NULL;

  gdk_pixbuf_fill (picture, 0x000000ff);
  fail_unless (gdk_pixbuf_save (picture, name, "png", NULL, NULL));
  g_object_unref (picture);
  g_object_set (filter, "mask-location", name, NULL);
  out = harness_push_pull (h, gst_buffer_ref (from));
  fail_unless (out == from);
  fail_if (gst_buffer_get_mgpu_keypoint_meta (out));
  fail_unless_equals_uint64 (harness_stat (h, "uploads"), 0);
}

GST_END_TEST;

/* Tests that a mask file that is missing, or is not an image, causes an error that names it. */
GST_START_TEST (test_mask_errors)
{
  const gchar *names[] = { "/no/such/mask.png", "/dev/null" };
  const gchar *caps = HOST_CAPS ("GRAY8", 32, 24);
  GstVideoInfo info = info_from_string (caps);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autoptr (GstHarness) h = harness_new ("mgpusift name=f", caps, caps);
    GstBus *bus = harness_bus (h);

    g_object_set (h->element, "mask-location", names[i], NULL);
    fail_unless_equals_int (gst_harness_push (h, frame_new (&info,
                LAYOUT_DEFAULT, 1)), GST_FLOW_ERROR);
    check_code (bus, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_OPEN_READ, names[i],
        "PNG");
  }
}

GST_END_TEST;

CHECK_TESTS (mgpusiftregion)
{
  tcase_add_checked_fixture (tc, folder_make, folder_remove);
  tcase_add_loop_test (tc, test_roi, 0, 2);
  tcase_add_test (tc, test_roi_outside);
  tcase_add_test (tc, test_many_rois);
  tcase_add_test (tc, test_mask);
  tcase_add_test (tc, test_black_mask);
  tcase_add_test (tc, test_mask_errors);
}
