/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests gst_mgpu_fit_points() and gst_mgpu_keypoint_meta_fit(). */
#include <math.h>
#include <string.h>

#include "../../reference/geometry.h"
#include "device.h"

/* Number of point pairs for which the device computes the fit, and number for which the host
 * does */
#define MANY 200
#define FEW 20

static const gdouble truth[9] = { 0.9, -0.2, 40, 0.25, 1.1, -30, 2e-4, -1e-4, 1 };

/* Maps points by the model @truth, with some noise; every third pair is wrong. */
static void
fill_pairs (gfloat * pairs, guint n)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (5);

  for (guint i = 0; i < n; i++) {
    gdouble x = g_rand_double_range (random, 0, 640);
    gdouble y = g_rand_double_range (random, 0, 480);
    gdouble w = truth[6] * x + truth[7] * y + 1;

    pairs[4 * i] = x;
    pairs[4 * i + 1] = y;
    pairs[4 * i + 2] = (truth[0] * x + truth[1] * y + truth[2]) / w
        + g_rand_double_range (random, -0.5, 0.5);
    pairs[4 * i + 3] = (truth[3] * x + truth[4] * y + truth[5]) / w
        + g_rand_double_range (random, -0.5, 0.5);
    if (i % 3 == 2)
      pairs[4 * i + 2] += 50 + 5 * (i % 16);
  }
}

static GstMgpuFit *
fit_pairs (const gfloat * pairs, guint n, GstMgpuFitModel model,
    const GstMgpuFitOptions * options)
{
  g_autoptr (GBytes) bytes = g_bytes_new (pairs, n * 4 * sizeof (gfloat));
  GError *error = NULL;
  GstMgpuFit *fit = gst_mgpu_fit_points (context, bytes, model, options, &error);

  fail_unless (fit != NULL, "%s", error ? error->message : "");
  return fit;
}

/* Compares a fit with the reference. */
static void
check_fit (GstMgpuFit * fit, RefGeometry * ref)
{
  ref_geometry_fit (ref);
  fail_unless (memcmp (gst_mgpu_fit_get_matrix (fit), ref->matrix,
          sizeof (ref->matrix)) == 0);
  fail_unless_equals_int (gst_mgpu_fit_get_n_inliers (fit), ref->n_inliers);
}

/* Tests all motion models, on the device and on the host, with and without options. */
GST_START_TEST (test_fit)
{
  GstMgpuFitOptions *options = gst_mgpu_fit_options_new (), *copy;
  gfloat pairs[4 * MANY];

  fail_unless_equals_int (options->max_draws, 2048);
  options->threshold = 1;
  options->max_draws = 512;
  options->seed = 99;
  copy = gst_mgpu_fit_options_copy (options);
  gst_mgpu_fit_options_free (options);
  fill_pairs (pairs, MANY);
  for (guint model = 0; model <= GST_MGPU_FIT_MODEL_HOMOGRAPHY; model++) {
    for (guint n = FEW; n <= MANY; n += MANY - FEW) {
      RefGeometry usual = { model, 3, 2048, 0, pairs, n };
      RefGeometry other = { model, 1, 512, 99, pairs, n };
      GstMgpuFit *fit = fit_pairs (pairs, n, model, NULL);

      check_fit (fit, &usual);
      gst_mgpu_fit_unref (fit);
      fit = fit_pairs (pairs, n, model, copy);
      check_fit (fit, &other);
      gst_mgpu_fit_unref (fit);
    }
  }
  gst_mgpu_fit_options_free (copy);
}

GST_END_TEST;

/* Tests which point pairs agree with the model, and the positions to which the model maps
 * points. */
GST_START_TEST (test_result)
{
  gfloat pairs[4 * MANY];
  gdouble x, y, *corners;
  const guint8 *inliers;
  GstMgpuFit *fit;
  GBytes *bytes;
  gsize size;

  fill_pairs (pairs, MANY);
  fit = fit_pairs (pairs, MANY, GST_MGPU_FIT_MODEL_HOMOGRAPHY, NULL);
  fail_unless (gst_mgpu_fit_is_found (fit));
  fail_unless_equals_int (gst_mgpu_fit_get_n_inliers (fit), MANY - MANY / 3);
  bytes = gst_mgpu_fit_get_inliers (fit);
  inliers = g_bytes_get_data (bytes, &size);
  fail_unless_equals_uint64 (size, MANY);
  for (guint i = 0; i < MANY; i++)
    fail_unless_equals_int (inliers[i], i % 3 != 2);
  g_bytes_unref (bytes);
  fail_unless (gst_mgpu_fit_get_rms (fit) > 0.3
      && gst_mgpu_fit_get_rms (fit) < 0.45);
  fail_unless_equals_float (gst_mgpu_fit_get_matrix (fit)[8], 1);
  fail_unless (gst_mgpu_fit_project (fit, 0, 0, &x, &y));
  fail_unless (hypot (x - truth[2], y - truth[5]) < 0.5);
  /* The homogeneous coordinate w is negative at this position. */
  fail_if (gst_mgpu_fit_project (fit, -10000, 10000, &x, &y));
  corners = gst_mgpu_fit_project_corners (fit, 640, 480);
  fail_unless (corners != NULL);
  fail_unless (hypot (corners[0] - 39.7, corners[1] + 30.7) < 1);
  fail_unless (corners[2] > corners[0] && corners[5] > corners[3]);
  g_free (corners);
  /* The corner at the right is mapped beyond infinity. */
  fail_if (gst_mgpu_fit_project_corners (fit, 640, 20000) != NULL);
  gst_mgpu_fit_unref (g_boxed_copy (GST_TYPE_MGPU_FIT, fit));
  gst_mgpu_fit_unref (fit);
}

GST_END_TEST;

/* Tests that no model is found in too few or degenerate pairs, which is not an error. */
GST_START_TEST (test_nothing)
{
  static const guint sizes[] = { 0, 0, 1, 2, 3 };
  gfloat pairs[4 * MANY];
  gdouble x, y;

  for (guint same = 0; same < 3; same++) {
    for (guint model = 0; model <= GST_MGPU_FIT_MODEL_HOMOGRAPHY; model++) {
      guint n = same == 0 ? sizes[model] : same == 1 ? FEW : MANY;
      GstMgpuFit *fit;

      fill_pairs (pairs, MANY);
      /* Puts all points at one position, or, for models that require three and four pairs, on a
       * line. */
      for (guint i = 0; i < MANY && same > 0; i++) {
        pairs[4 * i] = model < GST_MGPU_FIT_MODEL_AFFINE ? 5 : i;
        pairs[4 * i + 1] = 9;
      }
      if (same > 0 && model == GST_MGPU_FIT_MODEL_TRANSLATION)
        continue;
      fit = fit_pairs (pairs, n, model, NULL);
      fail_if (gst_mgpu_fit_is_found (fit));
      fail_unless_equals_int (gst_mgpu_fit_get_n_inliers (fit), 0);
      fail_unless_equals_float (gst_mgpu_fit_get_rms (fit), 0);
      fail_if (gst_mgpu_fit_project (fit, 1, 1, &x, &y));
      fail_if (gst_mgpu_fit_project_corners (fit, 64, 48) != NULL);
      gst_mgpu_fit_unref (fit);
    }
  }
}

GST_END_TEST;

static void
expect_unsupported (GBytes * bytes, GstMgpuFitModel model,
    const GstMgpuFitOptions * options, const gchar * words)
{
  g_autoptr (GError) error = NULL;

  fail_unless (gst_mgpu_fit_points (context, bytes, model, options,
          &error) == NULL);
  fail_unless (g_error_matches (error, GST_MGPU_ERROR,
          GST_MGPU_ERROR_UNSUPPORTED));
  fail_unless (strstr (error->message, words) != NULL, "%s", error->message);
}

GST_START_TEST (test_bad)
{
  static const gfloat bad[] = { NAN, INFINITY, -INFINITY, 1.1e6f };
  static const gdouble thresholds[] = { 0.09, 100.1, NAN, -1 };
  static const guint draws[] = { 0, 255, 65537 };
  GstMgpuFitOptions *options = gst_mgpu_fit_options_new ();
  gfloat pairs[4 * FEW];
  g_autoptr (GBytes) bytes = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++) {
    fill_pairs (pairs, FEW);
    pairs[4 * i + i % 4] = bad[i];
    bytes = g_bytes_new (pairs, sizeof (pairs));
    expect_unsupported (bytes, GST_MGPU_FIT_MODEL_RIGID, NULL, "coordinate");
    g_bytes_unref (bytes);
  }
  fill_pairs (pairs, FEW);
  bytes = g_bytes_new (pairs, sizeof (pairs) - 4);
  expect_unsupported (bytes, GST_MGPU_FIT_MODEL_RIGID, NULL, "316 bytes");
  g_bytes_unref (bytes);
  bytes = g_bytes_new (pairs, sizeof (pairs));
  expect_unsupported (bytes, 5, NULL, "model");
  for (guint i = 0; i < G_N_ELEMENTS (thresholds); i++) {
    options->threshold = thresholds[i];
    expect_unsupported (bytes, GST_MGPU_FIT_MODEL_RIGID, options, "threshold");
  }
  options->threshold = 3;
  for (guint i = 0; i < G_N_ELEMENTS (draws); i++) {
    options->max_draws = draws[i];
    expect_unsupported (bytes, GST_MGPU_FIT_MODEL_RIGID, options, "max-draws");
  }
  g_bytes_unref (bytes);
  bytes = g_bytes_new_take (g_malloc0 (((1 << 20) + 1) * 16),
      ((1 << 20) + 1) * 16);
  expect_unsupported (bytes, GST_MGPU_FIT_MODEL_RIGID, NULL, "1048576");
  gst_mgpu_fit_options_free (options);
}

GST_END_TEST;

/* Returns a frame with keypoints at the positions of @n point pairs, on their first or their second
 * side */
static GstBuffer *
frame_new (const gfloat * pairs, guint n, guint side)
{
  gsize size = sizeof (GstMgpuKeypointHeader) + n * sizeof (GstMgpuKeypoint);
  g_autofree GstMgpuKeypointHeader *table = g_malloc0 (size);
  GstMgpuKeypoint *points = (GstMgpuKeypoint *) (table + 1);
  GstBuffer *frame = gst_buffer_new ();

  table->n = n;
  for (guint i = 0; i < n; i++) {
    points[i].x = pairs[4 * i + 2 * side];
    points[i].y = pairs[4 * i + 2 * side + 1];
  }
  gst_buffer_add_mgpu_keypoint_meta (frame, device_buffer_new (queue, table,
          size), GST_MGPU_DESCRIPTOR_TYPE_NONE, NULL);
  return frame;
}

/* Tests matches in another order than by distance: the fit sorts them, and reports the inliers in
 * the given order. */
GST_START_TEST (test_meta)
{
  gfloat pairs[4 * MANY], sorted[4 * MANY];
  GstMgpuKeypointMatch matches[MANY];
  RefGeometry ref = { REF_HOMOGRAPHY, 3, 2048, 0, sorted, MANY };
  GstBuffer *frames[2];
  GstMgpuKeypointMeta *metas[2];
  GError *error = NULL;
  const guint8 *inliers;
  GBytes *bytes, *list;
  GstMgpuFit *fit;

  fill_pairs (pairs, MANY);
  for (guint s = 0; s < 2; s++) {
    frames[s] = frame_new (pairs, MANY, s);
    metas[s] = gst_buffer_get_mgpu_keypoint_meta (frames[s]);
  }
  for (guint i = 0; i < MANY; i++) {
    guint k = i * 77 % MANY;

    /* Uses each distance twice. */
    matches[i] = (GstMgpuKeypointMatch) {
    k, k, 1000 - k / 2};
    memcpy (sorted + 4 * i, pairs + 4 * (MANY - 2 - i / 2 * 2 + i % 2), 16);
  }
  bytes = g_bytes_new_static (matches, sizeof (matches));
  fit = gst_mgpu_keypoint_meta_fit (metas[0], metas[1], bytes,
      GST_MGPU_FIT_MODEL_HOMOGRAPHY, NULL, &error);
  fail_unless (fit != NULL, "%s", error ? error->message : "");
  check_fit (fit, &ref);
  list = gst_mgpu_fit_get_inliers (fit);
  inliers = g_bytes_get_data (list, NULL);
  for (guint i = 0; i < MANY; i++)
    fail_unless_equals_int (inliers[i], matches[i].query % 3 != 2);
  g_bytes_unref (list);
  gst_mgpu_fit_unref (fit);

  matches[7].train = MANY;
  fail_unless (gst_mgpu_keypoint_meta_fit (metas[0], metas[1], bytes,
          GST_MGPU_FIT_MODEL_HOMOGRAPHY, NULL, &error) == NULL);
  fail_unless (g_error_matches (error, GST_MGPU_ERROR,
          GST_MGPU_ERROR_UNSUPPORTED));
  g_clear_error (&error);
  g_bytes_unref (bytes);
  bytes = g_bytes_new_static (matches, sizeof (matches) - 1);
  fail_unless (gst_mgpu_keypoint_meta_fit (metas[0], metas[1], bytes,
          GST_MGPU_FIT_MODEL_HOMOGRAPHY, NULL, &error) == NULL);
  fail_unless (g_error_matches (error, GST_MGPU_ERROR,
          GST_MGPU_ERROR_UNSUPPORTED));
  g_clear_error (&error);
  g_bytes_unref (bytes);
  for (guint s = 0; s < 2; s++)
    gst_buffer_unref (frames[s]);
}

GST_END_TEST;

CHECK_TESTS (mgpufit)
{
  tcase_add_checked_fixture (tc, setup, teardown);
  tcase_add_test (tc, test_fit);
  tcase_add_test (tc, test_result);
  tcase_add_test (tc, test_nothing);
  tcase_add_test (tc, test_bad);
  tcase_add_test (tc, test_meta);
}
