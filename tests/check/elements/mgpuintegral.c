/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests mgpuintegral: integral images (tables), box filter, and metas in chains of elements. */
#include "reference.h"

#include "../../reference/colour.h"
#include "../../reference/integral.h"

/* Computes the expected integral images of a frame. @squares may be NULL. */
static void
expected_tables (GstVideoFrame * frame, guint sum_bytes, gpointer sum,
    guint64 * squares)
{
  g_autofree guint8 *luma = NULL;
  RefPlane plane = ref_luma (frame, &luma);

  ref_integral (&plane, sum_bytes, sum, squares);
}

/* Checks that @out has the integral images of @from attached. */
static void
check_meta (const GstVideoInfo * info, GstBuffer * from, GstBuffer * out,
    gboolean squared)
{
  GstMgpuIntegralMeta *meta = gst_buffer_get_mgpu_integral_meta (out);
  guint columns, rows, bytes;
  g_autofree guint64 *squares = NULL;
  gpointer sum;
  GstVideoFrame frame;

  fail_unless (meta != NULL);
  fail_unless_equals_int (gst_buffer_get_n_meta (out,
          GST_MGPU_INTEGRAL_META_API_TYPE), 1);
  gst_mgpu_integral_meta_get_size (meta, &columns, &rows, &bytes);
  fail_unless_equals_int (columns, GST_VIDEO_INFO_WIDTH (info) + 1);
  fail_unless_equals_int (rows, GST_VIDEO_INFO_HEIGHT (info) + 1);

  sum = g_malloc ((gsize) columns * rows * bytes);
  squares = g_new (guint64, (gsize) columns * rows);
  fail_unless (gst_video_frame_map (&frame, info, from, GST_MAP_READ));
  expected_tables (&frame, bytes, sum, squares);
  gst_video_frame_unmap (&frame);
  check_bytes (gst_mgpu_integral_meta_get_sum (meta), sum,
      (gsize) columns * rows * bytes);
  if (squared)
    check_bytes (gst_mgpu_integral_meta_get_squared_sum (meta), squares,
        (gsize) columns * rows * 8);
  else
    fail_unless (gst_mgpu_integral_meta_get_squared_sum (meta) == NULL);
  g_free (sum);
}

static void
check_tables (GstVideoFormat format, gint width, gint height, Layout layout,
    gboolean device, gboolean squared)
{
  GstHarness *h = gst_harness_new_parse (squared ? "mgpuintegral squared=true"
      : "mgpuintegral");
  GstVideoInfo info;
  g_autoptr (GstBuffer) from = NULL, out = NULL;

  out = push_through_analyser (h, format, width, height, layout, device, &info,
      &from);
  check_meta (&info, from, out, squared);
  gst_harness_teardown (h);

  /* Checks the frame after the element was freed. */
  check_meta (&info, from, out, squared);
}

GST_START_TEST (test_formats)
{
  GstVideoFormat format = all_formats[__i__];

  check_tables (format, 53, 38, LAYOUT_PADDED, FALSE, TRUE);
  check_tables (format, 64, 48, LAYOUT_DEFAULT, TRUE, FALSE);
  check_tables (format, 1, 1, LAYOUT_DEFAULT, FALSE, TRUE);
  check_tables (format, 35, 21, LAYOUT_ODD, TRUE, TRUE);
  check_tables (format, 34, 21, LAYOUT_PLANES, FALSE, FALSE);
}

GST_END_TEST;

/* Tests that a frame to which nobody else holds a reference is pushed in the same buffer. Otherwise
 * the arrived buffer keeps its metas, and the pushed buffer shares its memory. */
GST_START_TEST (test_passes)
{
  const gchar *caps = HOST_CAPS ("NV12", 64, 48);
  GstVideoInfo info = info_from_string (caps);
  g_autoptr (GstHarness) h = harness_new ("mgpuintegral", caps, caps);
  g_autoptr (GstBuffer) from = frame_new (&info, LAYOUT_DEFAULT, 1), out = NULL;

  fail_unless_equals_int (gst_harness_push (h, from), GST_FLOW_OK);
  out = harness_pull (h);
  fail_unless (out == from);
  fail_unless (gst_buffer_is_writable (out));
  fail_unless (gst_buffer_get_mgpu_integral_meta (out) != NULL);
  gst_buffer_unref (out);

  from = frame_new (&info, LAYOUT_DEFAULT, 2);
  out = harness_push_pull (h, gst_buffer_ref (from));
  fail_unless (out != from);
  fail_unless (gst_buffer_peek_memory (out, 0) ==
      gst_buffer_peek_memory (from, 0));
  fail_unless (gst_buffer_get_mgpu_integral_meta (from) == NULL);
  fail_unless (gst_buffer_get_mgpu_integral_meta (out) != NULL);
  fail_unless_equals_uint64 (get_stat (gst_harness_find_element (h,
              "mgpuintegral"), "downloads"), 0);
}

GST_END_TEST;

/* Tests that a second mgpuintegral replaces the tables of the first, and that filters keep
 * tables. */
GST_START_TEST (test_chain)
{
  const gchar *caps = HOST_CAPS ("GRAY8", 40, 30);
  GstVideoInfo info = info_from_string (caps);
  g_autoptr (GstHarness) h =
      harness_new ("mgpuintegral ! mgpuhisteq ! mgpudownload", caps, caps);
  GstBuffer *from = frame_new (&info, LAYOUT_DEFAULT, 1), *out;

  out = harness_push_pull (h, gst_buffer_ref (from));
  check_meta (&info, from, out, FALSE);
  gst_buffer_unref (out);
  gst_harness_teardown (h);

  h = harness_new ("mgpuintegral squared=true ! mgpuhisteq ! mgpuintegral",
      caps, caps);
  out = harness_push_pull (h, from);
  check_meta (&info, out, out, FALSE);
  gst_buffer_unref (out);
}

GST_END_TEST;

/* Computes the box filter of a frame with alpha: colors are weighted by alpha. */
static void
weighted_box_reference (GstVideoFrame * in, GstVideoFrame * out, guint radius)
{
  RefPlane from[GST_VIDEO_MAX_COMPONENTS], to[GST_VIDEO_MAX_COMPONENTS];
  RefPlane before[4], after[4];

  ref_planes (in, from);
  ref_planes (out, to);
  fail_unless (ref_colour_alpha_split (from, &from[3], 3, before, after));
  for (guint i = 0; i < 4; i++)
    fail_unless (ref_integral_box (&before[i], radius, radius, FALSE,
            &after[i]));
  ref_colour_alpha_join (from, after, 3, to);
  free (before[0].data);
}

static void
box_reference (GstVideoFrame * in, GstVideoFrame * out, gconstpointer data)
{
  const guint *radius = data;

  if (GST_VIDEO_INFO_HAS_ALPHA (&in->info)) {
    weighted_box_reference (in, out, *radius);
    return;
  }
  for (guint i = 0; i < MIN (GST_VIDEO_FRAME_N_COMPONENTS (in), 3); i++) {
    RefPlane from = ref_plane (in, i), to = ref_plane (out, i);

    fail_unless (ref_integral_box (&from, *radius >> in->info.finfo->w_sub[i],
            *radius >> in->info.finfo->h_sub[i], TRUE, &to));
  }
}

GST_START_TEST (test_box)
{
  GstVideoFormat format = all_formats[__i__];
  guint radius = 5;

  check_reference ("mgpuintegral box-radius=5", format, 53, 38, box_reference,
      &radius);
  check_reference ("mgpuintegral box-radius=5", format, 1, 1, box_reference,
      &radius);
  radius = 1;
  check_reference ("mgpuintegral box-radius=1", format, 67, 21, box_reference,
      &radius);
  radius = 32768;
  check_reference ("mgpuintegral box-radius=32768", format, 31, 20,
      box_reference, &radius);
}

GST_END_TEST;

/* Tests that properties that are set between frames take effect in the next frame. The tables
 * contain the sums of the frame before it is box-filtered. */
GST_START_TEST (test_live)
{
  const gchar *caps = HOST_CAPS ("RGB", 40, 30);
  GstVideoInfo info = info_from_string (caps);
  g_autoptr (GstHarness) h = harness_new ("mgpuintegral name=f", caps, caps);
  g_autoptr (GstElement) filter = harness_filter (h);

  for (guint i = 0; i < 8; i++) {
    g_autoptr (GstBuffer) from = frame_new (&info, LAYOUT_DEFAULT, i), out =
        NULL;

    g_object_set (filter, "squared", i % 2, "box-radius", i / 2 % 2 * 3, NULL);
    out = harness_push_pull (h, gst_buffer_ref (from));
    check_meta (&info, from, out, i % 2);
    if (i / 2 % 2)
      fail_unless (count_differences (&info, from, out) > 1000);
    else
      fail_unless_same_frame (&info, from, out);
  }
}

GST_END_TEST;

/* Tests that the sum of an 8K frame, which exceeds 32 bits, is correct. */
GST_START_TEST (test_8k)
{
  const gchar *caps = HOST_CAPS ("GRAY8", 7680, 4320);
  GstVideoInfo info = info_from_string (caps);
  g_autoptr (GstHarness) h = harness_new ("mgpuintegral", caps, caps);
  GstBuffer *from = gst_buffer_new_allocate (NULL, info.size, NULL), *out;
  guint columns, rows, bytes;
  g_autoptr (GBytes) sum = NULL;

  gst_buffer_memset (from, 0, 255, info.size);
  out = harness_push_pull (h, from);
  gst_mgpu_integral_meta_get_size (gst_buffer_get_mgpu_integral_meta (out),
      &columns, &rows, &bytes);
  fail_unless_equals_int (bytes, 8);
  sum = gst_mgpu_integral_meta_get_sum (gst_buffer_get_mgpu_integral_meta
      (out));
  fail_unless_equals_uint64 (((const guint64 *) g_bytes_get_data (sum,
              NULL))[(gsize) columns * rows - 1],
      G_GUINT64_CONSTANT (255) * 7680 * 4320);
  gst_buffer_unref (out);
}

GST_END_TEST;

/* Tests that the memory of tables is reused for later frames. */
GST_START_TEST (test_recycling)
{
  const gchar *caps = HOST_CAPS ("GRAY8", 64, 48);
  GstVideoInfo info = info_from_string (caps);
  g_autoptr (GstHarness) h = harness_new ("mgpuintegral", caps, caps);
  GstMemory *seen = NULL;

  for (guint i = 0; i < 4; i++) {
    g_autoptr (GstBuffer) out =
        harness_push_pull (h, frame_new (&info, LAYOUT_DEFAULT, i));
    GstMemory *sum =
        gst_mgpu_integral_meta_get_sum_memory (gst_buffer_get_mgpu_integral_meta
        (out));

    fail_unless (seen == NULL || seen == sum);
    seen = sum;
  }
}

GST_END_TEST;

CHECK_TESTS (mgpuintegral)
{
  tcase_add_loop_test (tc, test_formats, 0, N_ALL_FORMATS);
  tcase_add_test (tc, test_passes);
  tcase_add_test (tc, test_chain);
  tcase_add_loop_test (tc, test_box, 0, N_ALL_FORMATS);
  tcase_add_test (tc, test_live);
  tcase_add_test (tc, test_8k);
  tcase_add_test (tc, test_recycling);
}
