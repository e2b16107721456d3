/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests calibration files: the values that are read from valid files, and the errors about invalid
 * files. */
#include "../file.h"

#include <gst/models/calibration.h>

#include <math.h>
#include <string.h>

#define K "536.5, 0., 342.25, 0., 537, 235.5, 0, 0, 1"
#define SIZE "image_width: 640\nimage_height: 480\n"
#define MATRIX(name, rows, cols, data) name ": !!opencv-matrix\n   rows: " rows \
    "\n   cols: " cols "\n   dt: d\n   data: [ " data " ]\n"
#define OPENCV(k, d, n) "%YAML:1.0\n---\n" SIZE MATRIX ("camera_matrix", "3", \
    "3", k) MATRIX ("distortion_coefficients", n, "1", d)
#define ROS(model, n, d, more) "image_width: 640\nimage_height: 480\n" \
    "camera_name: head\ncamera_matrix:\n  rows: 3\n  cols: 3\n  data: [" K "]\n" \
    "distortion_model: " model "\ndistortion_coefficients:\n  rows: 1\n" \
    "  cols: " n "\n  data: [" d "]\n" more
#define KALIBR(model, intrinsics, distortion, d) "cam0:\n" \
    "  camera_model: " model "\n  distortion_coeffs: [" d "]\n" \
    "  distortion_model: " distortion "\n  intrinsics: [" intrinsics "]\n" \
    "  resolution: [640, 480]\n  rostopic: /cam0/image_raw\n"
#define D4 "-0.25, 0.0625, 0.001, -2e-3"
#define F "536.5, 537, 342.25, 235.5"

static void
setup (void)
{
  file_begin ("camera");
}

static MgpuCalibration *
load (const gchar * text, const gchar * camera)
{
  GError *error = NULL;
  MgpuCalibration *calibration;

  replace_file (path, text, -1);
  calibration = mgpu_calibration_load (path, camera, &error);
  fail_unless (calibration != NULL, "%s\n%s",
      error != NULL ? error->message : "no error", text);
  fail_unless (error == NULL);
  return calibration;
}

/* A file with the camera that all test files describe, whose lens has the first n of the
 * coefficients below */
static const struct
{
  const gchar *text;
  MgpuLens lens;
  guint n;
  gdouble xi, alpha, beta;
} good[] = {
  {OPENCV (K, D4, "4"), MGPU_LENS_BROWN, 4, 0, 0, 1},
  {OPENCV (K, D4 ",\n       0.3125", "5"), MGPU_LENS_BROWN, 5, 0, 0, 1},
  {OPENCV (K, D4 ", .3125, 1, 2, 3", "8"), MGPU_LENS_BROWN, 8, 0, 0, 1},
  {OPENCV (K, D4 ", .3125, 1, 2, 3, 4, 5, 6, 7, 8.e-2, 9E-2", "14"),
      MGPU_LENS_BROWN, 14, 0, 0, 1},
  {OPENCV (K, D4, "4") "fisheye_model: 1\n", MGPU_LENS_FISHEYE, 4, 0, 0, 1},
  {OPENCV (K, D4, "4") "model: \"fisheye\" # wide\n", MGPU_LENS_FISHEYE, 4, 0,
        0,
      1},
  {OPENCV (K, D4, "4") "xi: 1.5\n", MGPU_LENS_OMNI, 4, 1.5, 0, 1},
  {"<?xml version=\"1.0\"?>\n<opencv_storage>\n<image_size>\n  640 480"
        "</image_size>\n<cameraMatrix type_id=\"opencv-matrix\"><rows>3</rows>"
        "<cols>3</cols><dt>d</dt><data>536.5 0. 342.25 0.\n 537. 235.5 0. 0. 1."
        "</data></cameraMatrix>\n<distCoeffs type_id=\"opencv-matrix\"><rows>1"
        "</rows><cols>4</cols><dt>d</dt><data>-0.25 0.0625 0.001 -2e-3</data>"
        "</distCoeffs></opencv_storage>\n", MGPU_LENS_BROWN, 4, 0, 0, 1},
  {"{\n \"image_Width\": 640, \"image_Height\":480,\n \"Camera_Matrix\": {"
        "\"type_id\": \"opencv-matrix\", \"rows\": 3, \"cols\": 3, \"dt\": \"d\","
        "\"data\":[" K "]},\n \"Distortion_Coefficients\": [" D4 "]\n}\n",
      MGPU_LENS_BROWN, 4, 0, 0, 1},
  {"K:\n- 536.5\n- 0\n- 342.25\n- 0\n- 537\n- 235.5\n- 0\n- 0\n- 1\nD: [" D4
        "]\nimage_size: [640, 480]\n", MGPU_LENS_BROWN, 4, 0, 0, 1},
  {"K:\n  - [536.5, 0, 342.25]\n  - [0, 537, 235.5]\n  - [0, 0, 1]\nD: [" D4
        "]\n" SIZE "---\nK: 3\n", MGPU_LENS_BROWN, 4, 0, 0, 1},
  {"\xef\xbb\xbf" OPENCV (K, D4, "4"), MGPU_LENS_BROWN, 4, 0, 0, 1},
  {ROS ("plumb_bob", "5", D4 ", 0.3125", ""), MGPU_LENS_BROWN, 5, 0, 0, 1},
  {ROS ("rational_polynomial", "8", D4 ", 0.3125, 1, 2, 3", ""),
      MGPU_LENS_BROWN, 8, 0, 0, 1},
  {ROS ("equidistant", "4", D4, ""), MGPU_LENS_FISHEYE, 4, 0, 0, 1},
  {KALIBR ("pinhole", F, "radtan", D4), MGPU_LENS_BROWN, 4, 0, 0, 1},
  {KALIBR ("pinhole", F, "equidistant", D4), MGPU_LENS_FISHEYE, 4, 0, 0, 1},
  {KALIBR ("pinhole", F, "none", ""), MGPU_LENS_BROWN, 0, 0, 0, 1},
  {KALIBR ("omni", "1.5, " F, "radtan", D4), MGPU_LENS_OMNI, 4, 1.5, 0, 1},
  {KALIBR ("ds", "-0.2, 0.5, " F, "none", ""), MGPU_LENS_DOUBLE_SPHERE, 0, -0.2,
      0.5, 1},
  {KALIBR ("eucm", "0.5, 1.25, " F, "none", ""), MGPU_LENS_DOUBLE_SPHERE, 0, 0,
      0.5, 1.25}
};

GST_START_TEST (test_good)
{
  static const gdouble k[] = {
    -0.25, 0.0625, 0.001, -2e-3, 0.3125, 1, 2, 3, 4, 5, 6, 7, 0.08, 0.09
  };
  g_autoptr (MgpuCalibration) calibration = load (good[__i__].text, NULL);
  const MgpuCamera *camera = &calibration->camera;

  fail_unless_equals_int (camera->lens, good[__i__].lens);
  fail_unless_equals_int (camera->width, 640);
  fail_unless_equals_int (camera->height, 480);
  fail_unless (camera->focal[0] == 536.5 && camera->focal[1] == 537
      && camera->centre[0] == 342.25 && camera->centre[1] == 235.5);
  fail_unless (camera->xi == good[__i__].xi && camera->alpha
      == good[__i__].alpha && camera->beta == good[__i__].beta);
  for (guint i = 0; i < G_N_ELEMENTS (k); i++)
    fail_unless (camera->k[i] == (i < good[__i__].n ? k[i] : 0), "%u: %g", i,
        camera->k[i]);
  fail_if (calibration->has_turn || calibration->has_projection);
}

GST_END_TEST;

GST_START_TEST (test_fov)
{
  g_autoptr (MgpuCalibration) calibration = load (KALIBR ("pinhole", F, "fov",
          "0.9"), NULL);

  fail_unless_equals_int (calibration->camera.lens, MGPU_LENS_FOV);
  fail_unless (calibration->camera.k[0] == 0.9);
}

GST_END_TEST;

/* Files with several cameras, and the names of the cameras in each */
GST_START_TEST (test_cameras)
{
  static const gchar pair[] = "%YAML:1.0\n---\n"
      MATRIX ("M1", "3", "3", "1, 0, 0, 0, 1, 0, 0, 0, 1")
      MATRIX ("D1", "1", "4", D4) MATRIX ("M2", "3", "3", K)
      MATRIX ("D2", "1", "4", D4)
      MATRIX ("R2", "3", "3", "0, -1, 0, 1, 0, 0, 0, 0, 1")
      MATRIX ("P2", "3", "4", "100, 0, 50, -7, 0, 101, 51, 0, 0, 0, 1, 0");
  static const gchar several[] = KALIBR ("pinhole", "1, 1, 0, 0", "none", "")
      "cam1:\n  T_cn_cnm1:\n  - [1, 0, 0, 0]\n  - [0, 1, 0, 0]\n"
      "  camera_model: pinhole\n  distortion_model: none\n"
      "  intrinsics: [" F "]\n";
  static const gchar *const names[] = { "M2", "2", "right", NULL };
  static const gchar *const others[] = { "cam1", "1", "right", NULL };
  GError *error = NULL;

  for (guint i = 0; names[i] != NULL; i++) {
    g_autoptr (MgpuCalibration) second = load (pair, names[i]);
    g_autoptr (MgpuCalibration) other = load (several, others[i]);

    fail_unless (second->camera.focal[1] == 537 && second->camera.width == 0);
    fail_unless_equals_string (second->name, "M2");
    fail_unless (second->has_turn && second->turn[1] == -1);
    fail_unless (second->has_projection && second->projection[0] == 100
        && second->projection[1] == 101 && second->projection[2] == 50
        && second->projection[3] == 51);
    fail_unless (other->camera.focal[1] == 537 && other->camera.width == 0);
  }
  mgpu_calibration_free (load (pair, "left"));
  fail_unless (mgpu_calibration_load (path, "M3", &error) == NULL);
  fail_unless (strstr (error->message, "but only M1, M2") != NULL, "%s",
      error->message);
  g_error_free (error);
}

GST_END_TEST;

/* A camera_info message of a camera that is cropped and binned */
GST_START_TEST (test_binning)
{
  g_autoptr (MgpuCalibration) calibration = load (ROS ("plumb_bob", "4", D4,
          "rectification_matrix:\n  rows: 3\n  cols: 3\n"
          "  data: [1, 0, 0, 0, 1, 0, 0, 0, 1]\nprojection_matrix:\n  rows: 3\n"
          "  cols: 4\n  data: [500, 0, 340, 0, 0, 500, 230, 0, 0, 0, 1, 0]\n"
          "binning_x: 2\nbinning_y: 3\nroi:\n  x_offset: 40\n  y_offset: 30\n"
          "  height: 300\n  width: 400\n  do_rectify: true\n"), NULL);
  const MgpuCamera *camera = &calibration->camera;

  fail_unless_equals_int (camera->width, 200);
  fail_unless_equals_int (camera->height, 100);
  fail_unless (camera->focal[0] == 268.25 && camera->focal[1] == 179);
  fail_unless (camera->centre[0] == (342.25 - 40 + 0.5) / 2 - 0.5);
  fail_unless (fabs (camera->centre[1] - 68.166666666666667) < 1e-12);
  fail_unless (calibration->has_turn && calibration->projection[0] == 250);
  fail_unless (calibration->projection[2] == 149.75);
}

GST_END_TEST;

/* Tests camera_info messages as "rostopic echo" and "ros2 topic echo" print them. */
GST_START_TEST (test_messages)
{
#define MESSAGE(d, k, r, p) "header:\n  stamp:\n    sec: 1712\n    nanosec: 22\n" \
    "  frame_id: head\nheight: 480\nwidth: 640\n" \
    "distortion_model: plumb_bob\n" d ":\n- -0.25\n- 0.0625\n- 0.001\n- -2e-3\n" \
    "- 0.0\n" k ": [" K "]\n" r ": [0, -1, 0, 1, 0, 0, 0, 0, 1]\n" \
    p ": [100, 0, 50, 0, 0, 101, 51, 0, 0, 0, 1, 0]\n" \
    "binning_x: 0\nbinning_y: 0\nroi:\n  x_offset: 0\n  y_offset: 0\n" \
    "  height: 0\n  width: 0\n  do_rectify: false\n---\n"
  static const gchar *const texts[] = {
    MESSAGE ("D", "K", "R", "P"), MESSAGE ("d", "k", "r", "p")
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    g_autoptr (MgpuCalibration) calibration = load (texts[i], NULL);
    const MgpuCamera *camera = &calibration->camera;

    fail_unless (camera->width == 640 && camera->height == 480);
    fail_unless (camera->focal[1] == 537 && camera->k[3] == -2e-3);
    fail_unless (calibration->has_turn && calibration->turn[1] == -1);
    fail_unless (calibration->has_projection
        && calibration->projection[1] == 101);
  }
}

GST_END_TEST;

/* Invalid files, and parts of the error messages */
static const struct
{
  const gchar *text, *message;
} bad[] = {
  {"", "is empty"},
  {"%YAML:1.0\n", "not a calibration"},
  {"words and words\n", "line 1: a key with a colon is missing"},
  {"%YAML:1.0\n---\nimage_width: 9\ncamera_matrix: !!opencv-matrix\n   rows: 3\n" "   cols: 3\n   dt: d\n   data: [ 5, 0,", "line 8: the list or map has " "no end"},
  {OPENCV (".Nan, 0, 1, 0, 1, 1, 0, 0, 1", D4, "4"), "camera_matrix: \".Nan\" "
        "is not a number"},
  {OPENCV ("1, 0, 1, 0, .Inf, 1, 0, 0, 1", D4, "4"), "camera_matrix: \".Inf\""},
  {OPENCV ("nan, 0, 1, 0, 1, 1, 0, 0, 1", D4, "4"), "camera_matrix: number 1"},
  {OPENCV ("0, 0, 1, 0, 1, 1, 0, 0, 1", D4, "4"), "fx is 0"},
  {OPENCV ("1, 0, 1, 0, -1, 1, 0, 0, 1", D4, "4"), "fy is -1"},
  {OPENCV ("1, 0, 2561, 0, 1, 1, 0, 0, 1", D4, "4"), "cx is 2561"},
  {OPENCV ("1, 0, 1e9, 0, 1, 1, 0, 0, 1", D4, "4"), "camera_matrix: number 3"},
  {OPENCV ("1, 9, 1, 0, 1, 1, 0, 0, 1", D4, "4"), "without skew"},
  {OPENCV ("1, 0, 1, 0, 1, 1, 0, 0", D4, "4"), "camera_matrix has 8 numbers, "
        "which does not match its 3 rows"},
  {OPENCV (K, D4 ", 1, 2", "6"), "distortion_coefficients has 6 coefficients"},
  {OPENCV (K, D4 ", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11", "15"),
      "distortion_coefficients has 15 numbers, but it needs 1 to 14"},
  {OPENCV (K, D4, "300"), "4 numbers, which does not match its 300 rows"},
  {OPENCV (K, D4, "-4"), "rows is -4"},
  {OPENCV (K, "a, " D4, "5"), "distortion_coefficients: \"a\""},
  {OPENCV (K, D4 ", 1", "5") "fisheye_model: 1\n", "has 5 coefficients, but "
        "it needs 4"},
  {OPENCV (K, D4, "4") "model: tube\n", "model is \"tube\""},
  {OPENCV (K, D4, "4") "model: omni\n", "xi is missing"},
  {MATRIX ("camera_matrix", "3", "3", K), "has no distortion_coefficients"},
  {MATRIX ("distortion_coefficients", "4", "1", D4), "not a calibration"},
  {"image_width: 0\n" MATRIX ("K", "3", "3", K) MATRIX ("D", "4", "1", D4),
      "image_width is 0"},
  {"image_width: 9\n" MATRIX ("K", "3", "3", K) MATRIX ("D", "4", "1", D4),
      "too far"},
  {"image_width: 640\n" MATRIX ("K", "3", "3", K) MATRIX ("D", "4", "1", D4),
      "the width or the height is missing"},
  {"distortion_model: unknown\n", "distortion_model is \"unknown\""},
  {"distortion_model: plumb_bob\n", "camera_matrix is missing"},
  {ROS ("plumb_bob", "4", D4, "binning_x: 65\n"), "binning_x is 65"},
  {ROS ("plumb_bob", "4", D4, "roi: {x_offset: 600, width: 50}\n"),
      "roi and binning do not fit a frame of 640x480"},
  {ROS ("plumb_bob", "4", D4, "rectification_matrix: [1, 0, 0, 0, 1, 0, 0, 0, "
            "2]\n"), "rectification_matrix is not a rotation"},
  {ROS ("plumb_bob", "4", D4, "rectification_matrix: [1, 0, 0, 0, 1, 0, 0, 0, "
            "-1]\n"), "rectification_matrix contains a reflection"},
  {ROS ("plumb_bob", "4", D4, "rectification_matrix: [1, 0, 0, 0, 1, 0, 0]\n"),
      "rectification_matrix has 7 numbers, but it needs 9"},
  {ROS ("plumb_bob", "4", D4, "projection_matrix: [1, 0, 0, 0, 0, 0, 0, 0, 0, "
            "0, 0, 0]\n"), "projection_matrix: focal lengths are 1 and 0"},
  {KALIBR ("pinhole", F, "radtan", "1"), "distortion_coeffs has 1 numbers"},
  {KALIBR ("tube", F, "none", ""), "camera_model \"tube\""},
  {KALIBR ("eucm", "1.5, 1, " F, "none", ""), "alpha is 1.5"},
  {KALIBR ("pinhole", F, "fov", "4"), "the angle is 4"},
  {"cam0:\n  camera_model: ds\n", "distortion_model is missing"},
  {"cam0:\n  camera_model: ds\n  distortion_model: none\n", "intrinsics is "
        "missing"},
  {"<?xml version=\"1.0\"?><opencv_storage><a>", "not XML of OpenCV"},
  {"<html/>", "the outermost element is html"},
  {"<opencv_storage><a><a><a><a><a><a><a><a>", "more than 8 elements"},
  {"{\"camera_matrix\": {", "the list or map has no end"},
  {"{\"a\": [1}", "brackets do not fit"},
  {"{\"a\": \"b", "the quotation has no end"},
  {"a: 1\n  b: 2\n", "line 2: begins farther to the right"},
  {"a: [[[[[[[[[1]]]]]]]]]\n", "more than 8 values inside of each other"},
  {"a:\n b:\n  c:\n   d:\n    e:\n     f:\n      g:\n       h:\n        i: 1\n",
      "more than 8 values inside of each other"}
};

static void
check_error (const gchar * message)
{
  GError *error = NULL;
  MgpuCalibration *calibration = mgpu_calibration_load (path, NULL, &error);

  fail_unless (calibration == NULL && error != NULL, "read, not \"%s\"",
      message);
  fail_unless (g_str_has_prefix (error->message, path));
  fail_unless (strstr (error->message, message) != NULL, "\"%s\", not \"%s\"",
      error->message, message);
  g_error_free (error);
}

GST_START_TEST (test_bad)
{
  replace_file (path, bad[__i__].text, -1);
  check_error (bad[__i__].message);
}

GST_END_TEST;

/* Tests that files that are not text or too large are refused, and so are files that would take
 * long if brackets or lines were counted repeatedly. */
GST_START_TEST (test_large)
{
  g_autofree gchar *deep = g_strnfill (5000, '[');
  g_autofree gchar *long_line = g_strnfill (3000000, '1');
  g_autofree gchar *commas = g_strnfill (1000000, ',');
  g_autofree gchar *text = g_strconcat ("a: ", deep, NULL);
  g_autofree gchar *list = g_strconcat ("a: [", commas, "]\n", NULL);

  replace_file (path, "\0\1\2", 3);
  check_error ("not text");
  replace_file (path, text, -1);
  check_error ("more than 8 values inside of each other");
  replace_file (path, long_line, -1);
  check_error ("more than 1 MiB");
  replace_file (path, list, -1);
  check_error ("not a calibration");
  fail_unless (g_remove (path) == 0);
  check_error ("cannot be read");
}

GST_END_TEST;

CHECK_TESTS (mgpucalibration)
{
  tcase_add_checked_fixture (tc, setup, file_end);
  tcase_add_loop_test (tc, test_good, 0, G_N_ELEMENTS (good));
  tcase_add_loop_test (tc, test_bad, 0, G_N_ELEMENTS (bad));
  tcase_add_test (tc, test_fov);
  tcase_add_test (tc, test_cameras);
  tcase_add_test (tc, test_binning);
  tcase_add_test (tc, test_messages);
  tcase_add_test (tc, test_large);
}
