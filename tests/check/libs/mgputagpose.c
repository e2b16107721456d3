/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests poses of tags and boards, which are computed from their corners. */
#include "../suite.h"

#include <math.h>
#include <string.h>

#include <gst/vision/tags/linear.h>
#include <gst/vision/tags/pose.h>

#define SIZE 0.16

static const MgpuCamera cameras[] = {
  {MGPU_LENS_BROWN, {600, 605}, {319.5, 239.5}, {0}, 0, 0, 1, 640, 480},
  {MGPU_LENS_BROWN, {600, 605}, {330, 228}, {-0.25, 0.0625, 0.001, -0.002}, 0,
      0,
      1, 640, 480},
  {MGPU_LENS_FISHEYE, {320, 320}, {319.5, 239.5}, {0.01, -0.002, 0.001, 0}, 0,
      0, 1, 640, 480},
  {MGPU_LENS_DOUBLE_SPHERE, {380, 380}, {319.5, 239.5}, {0}, -0.2, 0.59, 1, 640,
      480}
};

/* Sets @pose to a pose rotated by the angles @turn, in degrees, about x, y and z. */
static void
pose_init (GstMgpuTagPose * pose, const gdouble turn[3], gdouble x, gdouble y,
    gdouble z)
{
  gdouble now[9] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 };

  for (guint i = 0; i < 3; i++) {
    gdouble s, c, m[9] = { 0 }, old[9];
    guint a = (i + 1) % 3, b = (i + 2) % 3;

    mgpu_lens_sincos (turn[i] * G_PI / 180, &s, &c);
    m[4 * i] = 1;
    m[4 * a] = m[4 * b] = c;
    m[3 * a + b] = -s;
    m[3 * b + a] = s;
    memcpy (old, now, sizeof (now));
    mgpu_linear_multiply (3, 3, 3, m, old, now);
  }
  memcpy (pose->rotation, now, sizeof (now));
  pose->position[0] = x;
  pose->position[1] = y;
  pose->position[2] = z;
}

/* Sets the corners of @view to the projections of its points by the camera @model. */
static void
show (const MgpuLensModel * model, const GstMgpuTagPose * pose,
    MgpuTagView * view)
{
  for (guint i = 0; i < 4; i++) {
    gdouble ray[3];

    for (guint k = 0; k < 3; k++)
      ray[k] = pose->position[k] + pose->rotation[3 * k] * view->points[3 * i]
          + pose->rotation[3 * k + 1] * view->points[3 * i + 1]
          + pose->rotation[3 * k + 2] * view->points[3 * i + 2];
    fail_unless (mgpu_lens_model_project (model, ray,
            view->corners + 2 * i) > 0);
    view->corners[2 * i] += 0.5;
    view->corners[2 * i + 1] += 0.5;
  }
  mgpu_tag_view_set_plain (view->information);
}

/* Returns the largest difference between the numbers of two poses. */
static gdouble
compare (const GstMgpuTagPose * a, const GstMgpuTagPose * b)
{
  gdouble most = 0;

  for (guint i = 0; i < 9; i++)
    most = MAX (most, fabs (a->rotation[i] - b->rotation[i]));
  for (guint i = 0; i < 3; i++)
    most = MAX (most, fabs (a->position[i] - b->position[i]));
  return most;
}

/* Tests that exact corners give the exact pose, with every lens. */
GST_START_TEST (exact)
{
  MgpuLensModel model;
  g_autoptr (GRand) random = g_rand_new_with_seed (7);

  mgpu_lens_model_init (&model, &cameras[__i__]);
  for (guint i = 0; i < 200; i++) {
    gdouble z = g_rand_double_range (random, 0.4, 3);
    const gdouble turn[3] = { g_rand_double_range (random, -65, 65),
      g_rand_double_range (random, -65, 65),
      g_rand_double_range (random, -180, 180)
    };
    GstMgpuTagPose truth, poses[2];
    gdouble covariance[36];
    MgpuTagView view;
    guint n;

    pose_init (&truth, turn, z * g_rand_double_range (random, -0.3, 0.3),
        z * g_rand_double_range (random, -0.2, 0.2), z);
    mgpu_tag_view_set_square (view.points, SIZE);
    show (&model, &truth, &view);
    n = mgpu_tag_pose_find (&model, &view, poses, covariance);
    fail_unless (n == 1 || n == 2);
    fail_unless (compare (&poses[0], &truth) < 1e-5, "%u: %g", i,
        compare (&poses[0], &truth));
    fail_unless (poses[0].error >= 0 && poses[0].error < 1e-4);
    fail_unless (n == 1 || poses[1].error >= poses[0].error);
    for (guint k = 0; k < 36; k += 7)
      fail_unless (covariance[k] > 0);
  }
}

GST_END_TEST;

/* Returns the angle between two rotations, in degrees. */
static gdouble
get_angle (const GstMgpuTagPose * a, const GstMgpuTagPose * b)
{
  gdouble trace = 0;

  for (guint i = 0; i < 9; i++)
    trace += a->rotation[i] * b->rotation[i];
  return acos (CLAMP ((trace - 1) / 2, -1, 1)) * 180 / G_PI;
}

/* Tests that with errors of 0.1 pixel one of the poses is near the truth, and that the covariance
 * is realistic: the mean square of (error / standard deviation) of the depth is about 1. */
GST_START_TEST (noisy)
{
  MgpuLensModel model;
  g_autoptr (GRand) random = g_rand_new_with_seed (5);
  gdouble sum = 0, angles = 0;
  const guint n_views = 400;

  mgpu_lens_model_init (&model, &cameras[1]);
  for (guint i = 0; i < n_views; i++) {
    const gdouble turn[3] = { 40, g_rand_double_range (random, -30, 30), 20 };
    GstMgpuTagPose truth, poses[2];
    gdouble covariance[36], z;
    MgpuTagView view;

    pose_init (&truth, turn, 0.1, 0.05, 0.8);
    mgpu_tag_view_set_square (view.points, SIZE);
    show (&model, &truth, &view);
    for (guint k = 0; k < 8; k++) {
      gdouble noise = 0;

      for (guint t = 0; t < 12; t++)
        noise += g_rand_double_range (random, -0.5, 0.5);
      view.corners[k] += 0.1 * noise;
    }
    fail_unless (mgpu_tag_pose_find (&model, &view, poses, covariance) > 0);
    z = poses[0].position[2] - truth.position[2];
    sum += z * z / covariance[35];
    angles += get_angle (&poses[0], &truth);
  }
  GST_INFO ("%g, %g degrees", sum / n_views, angles / n_views);
  fail_unless (sum / n_views > 0.8 && sum / n_views < 1.25, "%g",
      sum / n_views);
  fail_unless (angles / n_views < 0.5, "%g", angles / n_views);
}

GST_END_TEST;

/* Tests that an inaccurate corner has less weight in the pose. */
GST_START_TEST (weighted)
{
  static const gdouble turn[3] = { 30, -20, 10 };
  MgpuLensModel model;
  GstMgpuTagPose truth, poses[2];
  MgpuTagView view;
  gdouble equal, unequal;

  mgpu_lens_model_init (&model, &cameras[0]);
  pose_init (&truth, turn, 0, 0, 1);
  mgpu_tag_view_set_square (view.points, SIZE);
  show (&model, &truth, &view);
  view.corners[0] += 2;
  fail_unless (mgpu_tag_pose_find (&model, &view, poses, NULL) > 0);
  equal = compare (&poses[0], &truth);
  view.information[0] = view.information[9] = 0.01;
  fail_unless (mgpu_tag_pose_find (&model, &view, poses, NULL) > 0);
  unequal = compare (&poses[0], &truth);
  fail_unless (unequal < equal / 10, "%g %g", unequal, equal);
}

GST_END_TEST;

/* Tests that a small tag has a second pose whose error is also small. */
GST_START_TEST (ambiguous)
{
  static const gdouble turn[3] = { 25, 0, 0 }, other[3] = { -25, 0, 0 };
  MgpuLensModel model;
  GstMgpuTagPose truth, mirrored, poses[2];
  MgpuTagView view;

  mgpu_lens_model_init (&model, &cameras[0]);
  pose_init (&truth, turn, 0, 0, 6);
  pose_init (&mirrored, other, 0, 0, 6);
  mgpu_tag_view_set_square (view.points, SIZE);
  show (&model, &truth, &view);
  fail_unless_equals_int (mgpu_tag_pose_find (&model, &view, poses, NULL), 2);
  fail_unless (poses[1].error < 0.2);
  fail_unless (get_angle (&poses[0], &truth) < 0.1);
  fail_unless (get_angle (&poses[1], &mirrored) < 3, "%g", get_angle (&poses[1],
          &mirrored));
}

GST_END_TEST;

/* Tests that corners that lie on a line, or all at one position, or are NaN, give no pose. */
GST_START_TEST (refused)
{
  static const gdouble bad[][8] = {
    {10, 10, 20, 20, 30, 30, 40, 40}, {5, 5, 5, 5, 5, 5, 5, 5},
    {NAN, 10, 20, 10, 20, 20, 10, 20}, {1e30, 10, -1e30, 10, 20, 20, 10, 20}
  };
  MgpuLensModel model;
  MgpuTagView view;

  mgpu_tag_view_set_plain (view.information);
  mgpu_tag_view_set_square (view.points, SIZE);
  for (guint c = 0; c < G_N_ELEMENTS (cameras); c++) {
    mgpu_lens_model_init (&model, &cameras[c]);
    for (guint i = 0; i < G_N_ELEMENTS (bad); i++) {
      GstMgpuTagPose poses[2], board;
      guint n;

      memcpy (view.corners, bad[i], sizeof (bad[i]));
      n = mgpu_tag_pose_find (&model, &view, poses, NULL);
      for (guint p = 0; p < n; p++)
        fail_unless (isfinite (poses[p].error)
            && isfinite (poses[p].position[2]), "%u %u", c, i);
      /* A lens with distortion shows no straight line as straight. */
      fail_unless (i > 2 || (i == 0 && c > 0) || n == 0, "%u %u: %u", c, i, n);
      mgpu_tag_pose_find_board (&model, &view, 1, &board);
    }
  }
  fail_if (mgpu_tag_pose_find_board (&model, NULL, 0, NULL));
}

GST_END_TEST;

/* Tests that a board of tags that are not in one plane gives a better pose than one tag, and the
 * exact pose without noise. */
GST_START_TEST (board)
{
  static const gdouble turn[3] = { 20, 35, -15 }, none[3] = { 0, 0, 0 };
  static const gdouble side[3] = { 0, 60, 90 };
  MgpuLensModel model;
  MgpuTagView views[6];
  GstMgpuTagPose truth, found;

  mgpu_lens_model_init (&model, &cameras[__i__]);
  pose_init (&truth, turn, 0.1, -0.05, 1.2);
  for (guint i = 0; i < G_N_ELEMENTS (views); i++) {
    gdouble square[12];
    GstMgpuTagPose place;

    pose_init (&place, i < 4 ? none : side, 0.1 * (i % 2), 0.1 * (i / 2),
        0.02 * (i / 4));
    mgpu_tag_view_set_square (square, 0.08);
    for (guint k = 0; k < 12; k++) {
      const gdouble *row = place.rotation + 3 * (k % 3);
      const gdouble *p = square + 3 * (k / 3);

      views[i].points[k] = row[0] * p[0] + row[1] * p[1] + row[2] * p[2]
          + place.position[k % 3];
    }
    show (&model, &truth, &views[i]);
  }
  fail_unless (mgpu_tag_pose_find_board (&model, views, 6, &found));
  fail_unless (compare (&found, &truth) < 1e-6, "%g", compare (&found, &truth));
  fail_unless (mgpu_tag_pose_find_board (&model, views, 1, &found));
  fail_unless (compare (&found, &truth) < 1e-5, "%g", compare (&found, &truth));
}

GST_END_TEST;

GST_START_TEST (inverse)
{
  static const gdouble a[9] = { 0, 2, 0, 4, 0, 0, 1, 0, 8 };
  static const gdouble singular[4] = { 1, 2, 2, 4 };
  gdouble b[9], c[9];

  fail_unless (mgpu_linear_invert (3, a, b));
  mgpu_linear_multiply (3, 3, 3, a, b, c);
  for (guint i = 0; i < 9; i++)
    fail_unless (c[i] == (i % 4 == 0));
  fail_if (mgpu_linear_invert (2, singular, b));
  mgpu_linear_transpose (3, a, b);
  fail_unless (b[1] == 4 && b[3] == 2 && b[2] == 1);
}

GST_END_TEST;

CHECK_TESTS (mgputagpose)
{
  tcase_add_loop_test (tc, exact, 0, G_N_ELEMENTS (cameras));
  tcase_add_test (tc, noisy);
  tcase_add_test (tc, weighted);
  tcase_add_test (tc, ambiguous);
  tcase_add_test (tc, refused);
  tcase_add_loop_test (tc, board, 0, G_N_ELEMENTS (cameras));
  tcase_add_test (tc, inverse);
}
