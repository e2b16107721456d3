/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests the feature pyramid that mgpuhog attaches to frames. */
#include "reference.h"

#include "../../reference/fhog.h"

/* Uses few pyramid levels, because the reference is slow. */
#define FEATURES "mgpuhog name=f detector=none attach-features=true " \
    "levels-per-octave=2"

static GstHarness *
harness_for (const gchar * launch, GstVideoFormat format, gint width,
    gint height, GstVideoInfo * info)
{
  GstHarness *h = gst_harness_new_parse (launch);
  GstCaps *caps = caps_new (format, width, height, FALSE);

  fail_unless (gst_video_info_from_caps (info, caps));
  gst_harness_set_sink_caps_str (h, "ANY");
  gst_harness_set_src_caps (h, caps);
  return h;
}

static void
check_level (GstMgpuHogMeta * meta, guint i, const RefFhogLevel * l)
{
  guint n = gst_mgpu_hog_meta_get_n_features (meta);
  guint columns, rows, cell_size;
  gdouble scale;
  g_autoptr (GBytes) bytes = NULL;
  gsize size;

  fail_unless (gst_mgpu_hog_meta_get_level (meta, i, &columns, &rows, &scale,
          &cell_size));
  fail_unless_equals_int (columns, l->columns);
  fail_unless_equals_int (rows, l->rows);
  fail_unless_equals_int (cell_size, l->cell_size);
  fail_unless_equals_float (scale, l->scale);
  bytes = gst_mgpu_hog_meta_get_features (meta, i);
  fail_unless (bytes != NULL);
  fail_unless (memcmp (g_bytes_get_data (bytes, &size), l->features,
          (gsize) columns * rows * n * sizeof (gfloat)) == 0);
  fail_unless_equals_uint64 (size,
      (gsize) columns * rows * n * sizeof (gfloat));
}

static void
check_frame (const gchar * launch, const RefFhogParams * params,
    GstVideoFormat format, Layout layout, gboolean device)
{
  GstHarness *h = gst_harness_new_parse (launch);
  GstMgpuHogMeta *meta;
  g_autoptr (GstBuffer) from = NULL, out = NULL;
  GstVideoFrame frame;
  GstVideoInfo info;
  RefPlane rgb[3];
  RefFhog fhog;

  out = push_through_analyser (h, format, 75, 61, layout, device, &info, &from);
  gst_harness_teardown (h);

  fail_unless (gst_video_frame_map (&frame, &info, from, GST_MAP_READ));
  for (guint i = 0; i < 3; i++)
    rgb[i] = ref_plane (&frame, i);
  fail_unless (ref_fhog (rgb, params, &fhog));
  meta = gst_buffer_get_mgpu_hog_meta (out);
  fail_unless (meta != NULL);
  fail_unless (fhog.n_levels > 1);
  fail_unless_equals_int (gst_mgpu_hog_meta_get_n_features (meta),
      params->dalal ? REF_FHOG_DALAL : REF_FHOG_FEATURES);
  fail_unless_equals_int (gst_mgpu_hog_meta_get_n_levels (meta),
      fhog.n_levels);
  for (gint i = 0; i < fhog.n_levels; i++)
    check_level (meta, i, &fhog.levels[i]);
  fail_unless_equals_int (gst_buffer_get_n_meta (out,
          GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE), 0);
  ref_fhog_clear (&fhog);
  gst_video_frame_unmap (&frame);
}

GST_START_TEST (test_features)
{
  const RefFhogParams all = { 8, 2, 0, FALSE, 0, 0, FALSE, FALSE, FALSE };
  const RefFhogParams some = { 4, 3, 4, FALSE, 0, 0, TRUE, FALSE, FALSE };

  check_frame (FEATURES, &all, GST_VIDEO_FORMAT_BGRx, LAYOUT_PADDED, FALSE);
  check_frame (FEATURES " cell-size=4 levels-per-octave=3 max-levels=4 "
      "resize=linear", &some, GST_VIDEO_FORMAT_RGB, LAYOUT_ODD, TRUE);
}

GST_END_TEST;

GST_START_TEST (test_dalal_triggs)
{
  const RefFhogParams params = { 16, 2, 0, FALSE, 0, 0, FALSE, FALSE, TRUE };

  check_frame (FEATURES " features=dalal-triggs cell-size=16", &params,
      GST_VIDEO_FORMAT_BGR, LAYOUT_DEFAULT, FALSE);
}

GST_END_TEST;

/* Tests that frames in other formats have the features of the frame into which mgpuconvert converts
 * them. */
GST_START_TEST (test_formats)
{
  GBytes *bytes[2];

  for (guint i = 0; i < 2; i++) {
    GstVideoInfo info;
    g_autoptr (GstHarness) h = harness_for (i == 0 ? FEATURES
        : "mgpuconvert ! video/x-raw(ANY),format=RGBx ! " FEATURES,
        GST_VIDEO_FORMAT_NV12, 50, 40, &info);
    g_autoptr (GstBuffer) out =
        harness_push_pull (h, frame_new (&info, LAYOUT_DEFAULT, 9));

    bytes[i] = gst_mgpu_hog_meta_get_features (gst_buffer_get_mgpu_hog_meta
        (out), 0);
  }
  fail_unless (g_bytes_equal (bytes[0], bytes[1]));
  g_bytes_unref (bytes[0]);
  g_bytes_unref (bytes[1]);
}

GST_END_TEST;

/* Switches features on and off while frames flow, and changes caps to a size that is too small for
 * a cell with features. */
GST_START_TEST (test_live)
{
  GstVideoInfo info;
  g_autoptr (GstHarness) h = harness_for ("mgpuhog name=f detector=none "
      "levels-per-octave=1", GST_VIDEO_FORMAT_GRAY8, 40, 40, &info);
  g_autoptr (GstElement) filter = harness_filter (h);
  gboolean attach, has_meta;
  g_autoptr (GstBuffer) out = NULL;

  for (guint i = 0; i < 3; i++) {
    g_object_set (filter, "attach-features", i == 1, NULL);
    g_object_get (filter, "attach-features", &attach, NULL);
    fail_unless_equals_int (attach, i == 1);
    out = harness_push_pull (h, frame_new (&info, LAYOUT_DEFAULT, i));
    has_meta = gst_buffer_get_mgpu_hog_meta (out) != NULL;
    fail_unless_equals_int (has_meta, i == 1);
    gst_buffer_unref (out);
  }
  g_object_set (filter, "attach-features", TRUE, NULL);
  info = info_from_string (HOST_CAPS ("GRAY8", 9, 9));
  gst_harness_set_src_caps (h, gst_video_info_to_caps (&info));
  out = harness_push_pull (h, frame_new (&info, LAYOUT_DEFAULT, 1));
  fail_unless_equals_int (gst_mgpu_hog_meta_get_n_levels
      (gst_buffer_get_mgpu_hog_meta (out)), 0);
  fail_unless (gst_mgpu_hog_meta_get_features (gst_buffer_get_mgpu_hog_meta
          (out), 0) == NULL);
}

GST_END_TEST;

/* Tests that the features of a second element replace those of the first. A frame whose pixel
 * values change keeps its features, but a frame that is scaled loses them. */
GST_START_TEST (test_chain)
{
  const struct
  {
    const gchar *launch;
    gint levels;
  } chains[] = {
    {FEATURES " max-levels=1 ! mgpuhog detector=none attach-features=true "
          "levels-per-octave=1 max-levels=2", 2},
    {FEATURES " max-levels=1 ! mgpuhisteq", 1},
    {FEATURES " max-levels=1 ! mgpuconvert ! capsfilter "
          "caps=video/x-raw(ANY),width=25", -1},
  };
  GstVideoInfo info;

  for (guint i = 0; i < G_N_ELEMENTS (chains); i++) {
    g_autoptr (GstHarness) h =
        harness_for (chains[i].launch, GST_VIDEO_FORMAT_GRAY8, 50, 40, &info);
    g_autoptr (GstBuffer) out =
        harness_push_pull (h, frame_new (&info, LAYOUT_DEFAULT, 2));
    GstMgpuHogMeta *meta = gst_buffer_get_mgpu_hog_meta (out);

    fail_unless_equals_int (meta == NULL ? -1
        : (gint) gst_mgpu_hog_meta_get_n_levels (meta), chains[i].levels);
  }
}

GST_END_TEST;

static void
check_refused (const gchar * launch, gint width, gint height, const gchar * word1,
    const gchar * word2)
{
  g_autoptr (GstHarness) h = gst_harness_new_parse (launch);
  GstBus *bus = harness_bus (h);

  gst_harness_set_sink_caps_str (h, "ANY");
  gst_harness_set_src_caps (h, caps_new (GST_VIDEO_FORMAT_GRAY8, width, height,
          FALSE));
  check_error (bus, word1, word2);
}

GST_START_TEST (test_errors)
{
  check_refused (FEATURES " cell-size=5", 64, 64, "5 pixels", "4, 8 or 16");
  check_refused (FEATURES, 30000, 30000, "30000x30000", "before this element");
}

GST_END_TEST;

CHECK_TESTS (mgpuhogfeatures)
{
  tcase_add_test (tc, test_features);
  tcase_add_test (tc, test_dalal_triggs);
  tcase_add_test (tc, test_formats);
  tcase_add_test (tc, test_live);
  tcase_add_test (tc, test_chain);
  tcase_add_test (tc, test_errors);
}
