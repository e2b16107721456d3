/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests the calibration of gst-mgpu-calibrate with points that known cameras project. */
#include "../suite.h"

#include <math.h>
#include <string.h>

#include <gst/models/calibration.h>
#include <gst/tools/calibrate.h>

#include "../folder.h"

/* Cameras, the number of their lens coefficients, and the distance of the board */
static const struct
{
  MgpuCamera camera;
  guint n;
  gdouble distance;
} cameras[] = {
  {{MGPU_LENS_BROWN, {535, 541}, {342, 235}, {-0.27, 0.09, 0.001, -0.002}, 0, 0,
          1,
          640, 480}, 4, 14},
  {{MGPU_LENS_BROWN, {1500, 1490}, {970, 530}, {-0.2, 0.06, 0.001, -0.002,
              0.02}, 0,
          0, 1, 1920, 1080}, 5, 14},
  {{MGPU_LENS_FISHEYE, {420, 421}, {644, 476}, {-0.03, 0.01, -0.003, 0.0005}, 0,
          0, 1,
          1280, 960}, 4, 5}
};

/* Adds a view of a board of 9x6 points, in front of the camera at an angle. @noise: error of the
 * points in pixels */
static gboolean
add_view (CalibrateViews * views, const MgpuLensModel * model, GRand * rand,
    gdouble distance, gdouble noise)
{
  CalibrateView *view = calibrate_view_new ("a");
  gdouble a = g_rand_double_range (rand, -0.6, 0.6);
  gdouble b = g_rand_double_range (rand, -0.6, 0.6);
  gdouble x = g_rand_double_range (rand, -2, 2);
  gdouble y = g_rand_double_range (rand, -2, 2);

  for (guint i = 0; i < 54; i++) {
    gdouble u = i % 9 - 4., v = i / 9 - 2.5;
    const gdouble ray[3] =
        { u * cos (a) + x, v * cos (b) + u * sin (a) * sin (b)
          + y, distance + v * sin (b) - u * sin (a) * cos (b)
    };
    CalibratePoint point = {.board = {i % 9, i / 9} };

    mgpu_lens_model_project (model, ray, point.place);
    for (guint k = 0; k < 2; k++)
      point.place[k] += noise * (g_rand_double (rand) + g_rand_double (rand)
          + g_rand_double (rand) - 1.5) * 2;
    if (ray[2] < 0.5 || point.place[0] < 0 || point.place[1] < 0
        || point.place[0] > views->width || point.place[1] > views->height) {
      calibrate_view_free (view);
      return FALSE;
    }
    g_array_append_val (view->points, point);
  }
  g_ptr_array_add (views->views, view);
  return TRUE;
}

static void
make_views (CalibrateViews * views, guint i, gdouble noise)
{
  const MgpuCamera *camera = &cameras[i].camera;
  g_autoptr (GRand) rand = g_rand_new_with_seed (i + 1);
  MgpuLensModel model;

  mgpu_lens_model_init (&model, camera);
  calibrate_views_init (views);
  views->width = camera->width;
  views->height = camera->height;
  while (views->views->len < 12)
    add_view (views, &model, rand, cameras[i].distance, noise);
}

/* Tests that the camera is found exactly without noise, and that with noise the reprojection error
 * equals the noise. */
GST_START_TEST (test_solve)
{
  const MgpuCamera *camera = &cameras[__i__].camera;
  guint n = cameras[__i__].n;
  CalibrateResult result;
  CalibrateViews views;
  GError *error = NULL;

  make_views (&views, __i__, 0);
  fail_unless (calibrate_solve (&views, camera->lens, n, &result, &error));
  fail_unless (result.rms < 1e-4, "%g", result.rms);
  for (guint k = 0; k < 2; k++) {
    fail_unless (fabs (result.camera.focal[k] - camera->focal[k]) < 0.01, "%g",
        result.camera.focal[k]);
    fail_unless (fabs (result.camera.centre[k] - camera->centre[k]) < 0.01);
  }
  for (guint k = 0; k < n; k++)
    fail_unless (fabs (result.camera.k[k] - camera->k[k]) < 1e-3, "%u: %g", k,
        result.camera.k[k]);
  fail_unless (calibrate_check (&views, &result.camera, &error));
  fail_unless (calibrate_find_pose (g_ptr_array_index (views.views, 0),
          &result.camera, n));
  fail_unless (((CalibrateView *) g_ptr_array_index (views.views, 0))->rms
      < 1e-3);
  calibrate_views_clear (&views);

  make_views (&views, __i__, 0.2);
  fail_unless (calibrate_solve (&views, camera->lens, n, &result, &error));
  fail_unless (result.rms > 0.2 && result.rms < 0.35, "%g", result.rms);
  for (guint k = 0; k < 2; k++)
    fail_unless (fabs (result.camera.focal[k] - camera->focal[k])
        < 5 * result.sigma[k] && result.sigma[k] < 0.01 * camera->focal[k],
        "%g +- %g", result.camera.focal[k], result.sigma[k]);
  calibrate_views_clear (&views);
}

GST_END_TEST;

/* Tests that files of every format can be read again, with the same numbers. */
GST_START_TEST (test_formats)
{
  folder_make ();
  for (guint i = 0; i < G_N_ELEMENTS (cameras); i++)
    for (guint format = CALIBRATE_OPENCV; format <= CALIBRATE_KALIBR; format++) {
      const MgpuCamera *camera = &cameras[i].camera;
      g_autofree gchar *path = g_build_filename (folder, "camera.yml", NULL);
      g_autofree gchar *text = calibrate_format (camera, cameras[i].n, format,
          0.25);
      g_autoptr (GError) error = NULL;
      g_autoptr (MgpuCalibration) read = NULL;

      if (format == CALIBRATE_KALIBR && cameras[i].n > 4)
        continue;
      replace_file (path, text, -1);
      read = mgpu_calibration_load (path, NULL, &error);
      fail_unless (read != NULL, "%s", error != NULL ? error->message : "");
      fail_unless (memcmp (&read->camera, camera, sizeof (*camera)) == 0,
          "camera %u, format %u", i, format);
    }
  folder_remove ();
}

GST_END_TEST;

/* Tests lists of points, and errors in them. */
GST_START_TEST (test_lists)
{
  static const gchar *const bad[][2] = {
    {"", "is empty"}, {"#\n", "size"}, {"size 0 4\n", "line 1"},
    {"size 4 4\n1 2 3 4\n",
        "view NAME"},
    {"size 4 4\nview a\n1 2 3\n", "line 3"}, {"size 4 4\nview a\n1 2 3 nan\n",
        "four numbers"}, {"size 4 4\nsize 5 4\n", "different sizes"}
  };
  g_autofree gchar *path = NULL;
  CalibrateViews views;
  GError *error = NULL;

  folder_make ();
  path = g_build_filename (folder, "list.txt", NULL);
  replace_file (path, "# a list\nsize 640 480\n\nview one \n1 2 3.5 -4e1\n",
      -1);
  calibrate_views_init (&views);
  fail_unless (calibrate_read_points (&views, path, &error));
  fail_unless (views.width == 640 && views.height == 480);
  fail_unless_equals_int (views.views->len, 1);
  fail_unless_equals_string (((CalibrateView *) views.views->pdata[0])->name,
      "one");
  fail_unless (g_array_index (((CalibrateView *) views.views->pdata[0])->points,
          CalibratePoint, 0).place[1] == -40);
  calibrate_views_clear (&views);
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++) {
    replace_file (path, bad[i][0], -1);
    calibrate_views_init (&views);
    fail_if (calibrate_read_points (&views, path, &error));
    fail_unless (strstr (error->message, bad[i][1]) != NULL, "%s",
        error->message);
    g_clear_error (&error);
    calibrate_views_clear (&views);
  }
  folder_remove ();
}

GST_END_TEST;

/* Tests too few views, points on a line, and a lens model that ends within the image. */
GST_START_TEST (test_refused)
{
  CalibrateViews views;
  CalibrateResult result;
  GError *error = NULL;
  MgpuCamera fold = cameras[0].camera;

  make_views (&views, 0, 0);
  fold.k[0] = 0.3;
  fold.k[1] = -1.05;
  fail_if (calibrate_check (&views, &fold, &error));
  fail_unless (strstr (error->message, "fewer coefficients") != NULL);
  g_clear_error (&error);
  for (guint i = 0; i < views.views->len; i++) {
    GArray *points = ((CalibrateView *) views.views->pdata[i])->points;

    g_array_set_size (points, 9);
  }
  fail_if (calibrate_solve (&views, MGPU_LENS_BROWN, 4, &result, &error));
  fail_unless (strstr (error->message, "no camera fits") != NULL, "%s",
      error->message);
  g_clear_error (&error);
  g_ptr_array_set_size (views.views, 2);
  fail_if (calibrate_solve (&views, MGPU_LENS_BROWN, 4, &result, &error));
  fail_unless (strstr (error->message, "3 views") != NULL);
  g_clear_error (&error);
  calibrate_views_clear (&views);
}

GST_END_TEST;

/* Tests which parts of the image views have covered, which parts are missing, and which views are
 * new. */
GST_START_TEST (test_cover)
{
  CalibrateViews views;
  CalibrateResult result;
  CalibrateCover cover = { 0 };
  CalibrateView *first;
  g_autofree gchar *advice = NULL, *text = NULL;
  gint third;

  make_views (&views, 0, 0);
  fail_unless (calibrate_solve (&views, MGPU_LENS_BROWN, 4, &result, NULL));
  advice = calibrate_cover_advise (&cover, 80, &third);
  fail_unless (g_str_has_suffix (advice, "corner of the image"), "%s", advice);
  fail_unless (third % 2 == 0);
  first = g_ptr_array_index (views.views, 0);
  fail_unless (calibrate_cover_gains (&cover, first, 640, 480));
  fail_unless (calibrate_view_is_still (first, first, 640));
  fail_if (calibrate_view_is_still (first, views.views->pdata[1], 640));
  fail_if (calibrate_view_is_new (first, views.views, 640));
  for (guint i = 0; i < views.views->len; i++) {
    fail_if (calibrate_cover_is_enough (&cover, 1));
    calibrate_cover_add (&cover, views.views->pdata[i], 640, 480);
  }
  fail_if (calibrate_cover_gains (&cover, first, 640, 480));
  fail_if (calibrate_cover_is_enough (&cover, 100));
  text = calibrate_cover_format (&cover);
  fail_unless (g_str_has_prefix (text, "12 views show the board in "), "%s",
      text);
  calibrate_views_clear (&views);
}

GST_END_TEST;

/* Tests that the corners of tags are corrected for the bending of the tags' edges by the lens, and
 * that other points are not moved. */
GST_START_TEST (test_unbend)
{
  static const gdouble corners[4][2] = { {-4, -4}, {4, -4}, {4, 4}, {-4, 4} };
  CalibrateView *view = calibrate_view_new ("a");
  CalibrateViews views;
  gdouble sum = 0;

  calibrate_views_init (&views);
  g_ptr_array_add (views.views, view);
  view->pose[5] = 14;
  for (guint i = 0; i < 4; i++) {
    CalibratePoint point = { {corners[i][0], corners[i][1]}
    };

    g_array_append_val (view->points, point);
  }
  fail_if (calibrate_unbend (&views, &cameras[0].camera, 4));
  view->has_tags = TRUE;
  /* Checks that the second correction replaces the first one. */
  for (guint i = 0; i < 2; i++)
    fail_unless (calibrate_unbend (&views, &cameras[0].camera, 4));
  for (guint i = 0; i < 4; i++) {
    const CalibratePoint *point = &g_array_index (view->points, CalibratePoint,
        i);

    /* Under barrel distortion edges bulge outward, so that lines that are fitted to them meet
     * farther from the axis. */
    for (guint k = 0; k < 2; k++) {
      fail_unless (point->place[k] == -point->shift[k]);
      fail_unless (point->shift[k] * corners[i][k] > 0, "%u: %g", i,
          point->shift[k]);
      sum += fabs (point->shift[k]);
    }
  }
  fail_unless (sum > 0.5 && sum < 50, "%g", sum);
  calibrate_views_clear (&views);
}

GST_END_TEST;

CHECK_TESTS (mgpucalibrate)
{
  tcase_add_test (tc, test_cover);
  tcase_add_test (tc, test_unbend);
  tcase_add_loop_test (tc, test_solve, 0, G_N_ELEMENTS (cameras));
  tcase_add_test (tc, test_formats);
  tcase_add_test (tc, test_lists);
  tcase_add_test (tc, test_refused);
}
