/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "reference.h"

#include <math.h>

typedef struct
{
  gdouble sigma_color, sigma_space;
  gint radius;
  gboolean all_planes;
} Params;

static void
filter_component (GstVideoFrame * in, GstVideoFrame * out, guint component,
    const Params * params)
{
  gint shift = component > 0 ? in->info.finfo->w_sub[component] : 0;
  gdouble sigma_space = params->sigma_space / (1 << shift);
  gint radius = params->radius > 0 ? params->radius >> shift
      : rint (1.5 * sigma_space);
  RefPlane from = ref_plane (in, component), to = ref_plane (out, component);

  ref_bilateral (&from, &to, 1, params->sigma_color, sigma_space,
      MAX (radius, 1));
}

static void
reference (GstVideoFrame * in, GstVideoFrame * out, gconstpointer data)
{
  const Params *params = data;

  if (GST_VIDEO_INFO_IS_RGB (&in->info)) {
    RefPlane from[3], to[3];

    for (guint i = 0; i < 3; i++) {
      from[i] = ref_plane (in, i);
      to[i] = ref_plane (out, i);
    }
    ref_bilateral (from, to, 3, params->sigma_color, params->sigma_space,
        params->radius > 0 ? params->radius : rint (1.5 * params->sigma_space));
    return;
  }
  filter_component (in, out, 0, params);
  for (guint i = 1; i < 3 && params->all_planes; i++)
    filter_component (in, out, i, params);
}

/* The default: radius 4, of YUV the luma alone. */
GST_START_TEST (test_formats)
{
  Params params = { 30, 3, 0, FALSE };

  check_reference ("mgpubilateral", all_formats[__i__], 53, 38, reference,
      &params);
}

GST_END_TEST;

GST_START_TEST (test_planes)
{
  Params params = { 50, 4, 0, TRUE };

  if (GST_VIDEO_FORMAT_INFO_IS_YUV (gst_video_format_get_info
          (all_formats[__i__])))
    check_reference ("mgpubilateral planes=all sigma-color=50 sigma-space=4",
        all_formats[__i__], 53, 37, reference, &params);
}

GST_END_TEST;

/* The ends of the ranges, and radius against sigma. */
GST_START_TEST (test_ranges)
{
  const struct
  {
    const gchar *launch;
    Params params;
  } cases[] = {
    {"mgpubilateral sigma-color=1000", {1000, 3, 0, FALSE}},
    {"mgpubilateral sigma-color=5 sigma-space=0.01", {5, 0.01, 1, FALSE}},
    {"mgpubilateral sigma-space=1000 radius=2", {30, 1000, 2, FALSE}},
    {"mgpubilateral sigma-space=1 radius=9", {30, 1, 9, FALSE}},
    {"mgpubilateral radius=64 sigma-space=1000", {30, 1000, 64, FALSE}},
    {"mgpubilateral sigma-space=1000", {30, 1000, 64, FALSE}},
    {"mgpubilateral sigma-space=5 planes=luma", {30, 5, 8, FALSE}},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    check_reference (cases[i].launch, GST_VIDEO_FORMAT_GRAY8, 41, 30, reference,
        &cases[i].params);
    check_reference (cases[i].launch, GST_VIDEO_FORMAT_GRAY8, 1, 1, reference,
        &cases[i].params);
  }
}

GST_END_TEST;

/* A change while frames flow is seen in the next one. */
GST_START_TEST (test_live)
{
  const gchar *caps = HOST_CAPS ("I420", 40, 30);
  GstVideoInfo info = info_from_string (caps);
  GstHarness *h = harness_new ("mgpubilateral name=f", caps, caps);
  GstElement *filter = harness_filter (h);
  const Params steps[] = {
    {30, 3, 0, FALSE}, {80, 3, 0, FALSE}, {80, 1, 0, FALSE}, {80, 1, 6, FALSE},
    {80, 1, 6, TRUE}, {30, 3, 0, FALSE}
  };

  for (guint i = 0; i < G_N_ELEMENTS (steps); i++) {
    GstBuffer *from = frame_new (&info, LAYOUT_DEFAULT, 1);
    GstBuffer *expected = gst_buffer_copy_deep (from);
    GstVideoFrame in, out;
    GstBuffer *to;

    g_object_set (filter, "sigma-color", steps[i].sigma_color, "sigma-space",
        steps[i].sigma_space, "radius", steps[i].radius, "planes",
        steps[i].all_planes ? 1 : 0, NULL);
    to = harness_push_pull (h, gst_buffer_ref (from));
    fail_unless (gst_video_frame_map (&in, &info, from, GST_MAP_READ));
    fail_unless (gst_video_frame_map (&out, &info, expected, GST_MAP_WRITE));
    reference (&in, &out, &steps[i]);
    gst_video_frame_unmap (&out);
    gst_video_frame_unmap (&in);
    fail_unless_same_frame (&info, to, expected);
    gst_buffer_unref (from);
    gst_buffer_unref (to);
    gst_buffer_unref (expected);
  }
  gst_object_unref (filter);
  gst_harness_teardown (h);
}

GST_END_TEST;

/* method: as the element has it: 1 grid, 2 constant-time */
typedef struct
{
  gint method;
  gdouble sigma_color, sigma_space;
  gint levels;
  gboolean all_planes;
} GridParams;

static void
filter_grid_component (GstVideoFrame * in, GstVideoFrame * out,
    guint component, guint n, const GridParams * p)
{
  gint shift = component > 0 ? in->info.finfo->w_sub[component] : 0;
  const RefBilateralGrid params = {
    .method = p->method == 1 ? REF_BILATERAL_GRID : REF_BILATERAL_CONSTANT_TIME,
    .sigma_color = p->sigma_color,
    .sigma_space = p->sigma_space / (1 << shift),
    .levels = p->levels
  };
  RefPlane from[3], to[3];

  for (guint i = 0; i < n; i++) {
    from[i] = ref_plane (in, component + i);
    to[i] = ref_plane (out, component + i);
  }
  ref_bilateral_grid (from, to, n, &params);
}

static void
grid_reference (GstVideoFrame * in, GstVideoFrame * out, gconstpointer data)
{
  const GridParams *params = data;
  gboolean rgb = GST_VIDEO_INFO_IS_RGB (&in->info);

  filter_grid_component (in, out, 0, rgb ? 3 : 1, params);
  for (guint i = 1; i < 3 && params->all_planes && !rgb; i++)
    filter_grid_component (in, out, i, 1, params);
}

GST_START_TEST (test_methods)
{
  GridParams grid = { 1, 40, 6, 0, FALSE };
  GridParams constant = { 2, 30, 9.5, 16, FALSE };

  check_reference ("mgpubilateral method=grid sigma-color=40 sigma-space=6",
      all_formats[__i__], 53, 38, grid_reference, &grid);
  check_reference ("mgpubilateral method=constant-time sigma-space=9.5",
      all_formats[__i__], 53, 38, grid_reference, &constant);
}

GST_END_TEST;

/* All planes; the ends of the ranges; frames of a pixel. */
GST_START_TEST (test_method_ranges)
{
  const struct
  {
    const gchar *launch;
    GstVideoFormat format;
    GridParams params;
  } cases[] = {
    {"mgpubilateral planes=all method=grid", GST_VIDEO_FORMAT_I420,
        {1, 30, 3, 0, TRUE}},
    {"mgpubilateral planes=all method=constant-time levels=20",
        GST_VIDEO_FORMAT_YUY2, {2, 30, 3, 20, TRUE}},
    {"mgpubilateral method=grid sigma-color=0.01 sigma-space=0.01",
        GST_VIDEO_FORMAT_GRAY8, {1, 0.01, 0.01, 0, FALSE}},
    {"mgpubilateral method=grid sigma-color=1000 sigma-space=1000",
        GST_VIDEO_FORMAT_GRAY16_LE, {1, 1000, 1000, 0, FALSE}},
    {"mgpubilateral method=constant-time levels=4 sigma-color=0.01 "
          "sigma-space=1000", GST_VIDEO_FORMAT_GRAY8,
        {2, 0.01, 1000, 4, FALSE}},
    {"mgpubilateral method=constant-time levels=256 sigma-color=1000 "
          "sigma-space=0.01", GST_VIDEO_FORMAT_BGR, {2, 1000, 0.01, 256,
            FALSE}},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    check_reference (cases[i].launch, cases[i].format, 41, 30, grid_reference,
        &cases[i].params);
    check_reference (cases[i].launch, cases[i].format, 1, 1, grid_reference,
        &cases[i].params);
  }
}

GST_END_TEST;

/* A method can be changed while frames flow, and back. */
GST_START_TEST (test_live_method)
{
  const gchar *caps = HOST_CAPS ("GRAY8", 40, 30);
  GstVideoInfo info = info_from_string (caps);
  GstHarness *h = harness_new ("mgpubilateral name=f", caps, caps);
  GstElement *filter = harness_filter (h);
  const GridParams steps[] = {
    {0, 30, 3, 16, FALSE}, {1, 30, 3, 16, FALSE}, {2, 30, 3, 16, FALSE},
    {2, 30, 3, 40, FALSE}, {2, 50, 7, 40, FALSE}, {1, 50, 7, 40, FALSE},
    {0, 30, 3, 16, FALSE}
  };

  for (guint i = 0; i < G_N_ELEMENTS (steps); i++) {
    const Params exact = { 30, 3, 0, FALSE };
    GstBuffer *from = frame_new (&info, LAYOUT_DEFAULT, 1);
    GstBuffer *expected = gst_buffer_copy_deep (from);
    GstVideoFrame in, out;
    GstBuffer *to;

    g_object_set (filter, "method", steps[i].method, "levels", steps[i].levels,
        "sigma-color", steps[i].sigma_color, "sigma-space",
        steps[i].sigma_space, NULL);
    to = harness_push_pull (h, gst_buffer_ref (from));
    fail_unless (gst_video_frame_map (&in, &info, from, GST_MAP_READ));
    fail_unless (gst_video_frame_map (&out, &info, expected, GST_MAP_WRITE));
    if (steps[i].method == 0)
      reference (&in, &out, &exact);
    else
      grid_reference (&in, &out, &steps[i]);
    gst_video_frame_unmap (&out);
    gst_video_frame_unmap (&in);
    fail_unless_same_frame (&info, to, expected);
    gst_buffer_unref (from);
    gst_buffer_unref (to);
    gst_buffer_unref (expected);
  }
  gst_object_unref (filter);
  gst_harness_teardown (h);
}

GST_END_TEST;

/* Neither zero nor NaN gets in, each with a word. */
GST_START_TEST (test_bad_sigma)
{
  GstElement *filter = gst_element_factory_make ("mgpubilateral", NULL);
  const gchar *names[] = { "sigma-color", "sigma-space" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    set_badly (filter, names[i], 0);
    set_badly (filter, names[i], -1);
    set_badly (filter, names[i], INFINITY);
    set_badly (filter, names[i], NAN);
  }
  gst_object_unref (filter);
}

GST_END_TEST;

static Suite *
mgpubilateral_suite (void)
{
  Suite *s = suite_create ("mgpubilateral");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_loop_test (tc, test_formats, 0, G_N_ELEMENTS (all_formats));
  tcase_add_loop_test (tc, test_planes, 0, G_N_ELEMENTS (all_formats));
  tcase_add_test (tc, test_ranges);
  tcase_add_test (tc, test_live);
  tcase_add_loop_test (tc, test_methods, 0, G_N_ELEMENTS (all_formats));
  tcase_add_test (tc, test_method_ranges);
  tcase_add_test (tc, test_live_method);
  tcase_add_test (tc, test_bad_sigma);
  return s;
}

GST_CHECK_MAIN (mgpubilateral);
