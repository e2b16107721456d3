/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests GstMgpuCameraMeta: the rays of image positions, and frames that are cropped, rotated or
 * scaled. */
#include "../suite.h"

#include <gst/mgpu/mgpu.h>
#include <math.h>
#include <string.h>

#define IDENTITY {1, 0, 0, 0, 1, 0, 0, 0, 1}

/* A camera of each model, and a ray far from the axis that the camera sees */
static const struct
{
  GstMgpuCamera camera;
  gdouble ray[3];
} cameras[] = {
  {{GST_MGPU_CAMERA_MODEL_PERSPECTIVE, 0, 640, 480, 500, 510, 320, 240, {0},
          IDENTITY}, {0.5, -0.3, 1}},
  {{GST_MGPU_CAMERA_MODEL_PERSPECTIVE, 5, 640, 480, 536, 536, 342, 235, {-0.266,
              -0.0386, 0.00178, -0.00028, 0.238}, IDENTITY}, {0.5, -0.4, 1}},
  {{GST_MGPU_CAMERA_MODEL_PERSPECTIVE, 12, 640, 480, 536, 536, 342, 235, {-0.2,
                    0.04, 0.002, -0.003, 0, 0.01, 0, 0, 0.004, 0.001, -0.003,
              0.002},
          IDENTITY}, {0.4, 0.3, 1}},
  {{GST_MGPU_CAMERA_MODEL_FISHEYE, 4, 640, 640, 190, 191, 320, 318, {-0.01,
                    0.002,
              -0.001, 0.0003}, IDENTITY}, {0.9, 0.2, 0.1}},
  {{GST_MGPU_CAMERA_MODEL_OMNI, 5, 640, 480, 400, 400, 320, 240, {1.2, -0.05,
                    0.01,
              0.0003, -0.0002}, IDENTITY}, {-0.9, 0.4, 0.6}},
  {{GST_MGPU_CAMERA_MODEL_DOUBLE_SPHERE, 2, 640, 480, 160, 160, 320, 240, {-0.2,
              0.55}, IDENTITY}, {-0.9, 0.4, 0.4}},
  {{GST_MGPU_CAMERA_MODEL_EUCM, 2, 640, 480, 250, 250, 320, 240, {0.6, 1.1},
          IDENTITY}, {-0.9, 0.4, 0.6}},
  {{GST_MGPU_CAMERA_MODEL_FOV, 1, 640, 480, 300, 300, 320, 240, {0.9},
          IDENTITY},
      {0.6, 0.4, 1}},
  {{GST_MGPU_CAMERA_MODEL_EQUIRECT, 0, 640, 320, 640 / (2 * G_PI), 320 / G_PI,
          319.5, 159.5, {0}, IDENTITY}, {0.5, 0.6, -0.7}},
  {{GST_MGPU_CAMERA_MODEL_CYLINDER, 0, 640, 320, 200, 200, 300, 160, {0},
          IDENTITY}, {0.5, 0.6, -0.1}},
  {{GST_MGPU_CAMERA_MODEL_STEREOGRAPHIC, 0, 640, 640, 100, 100, 300, 160, {0},
          IDENTITY}, {0.5, 0.6, -0.1}}
};

static void
normalize (gdouble ray[3])
{
  gdouble length = sqrt (ray[0] * ray[0] + ray[1] * ray[1] + ray[2] * ray[2]);

  for (guint i = 0; i < 3; i++)
    ray[i] /= length;
}

/* Tests that rays are projected to positions, and that these positions give the rays again. */
GST_START_TEST (test_rays)
{
  const GstMgpuCamera *camera = &cameras[__i__].camera;
  g_autoptr (GstBuffer) buffer = gst_buffer_new ();
  GstMgpuCameraMeta *meta = gst_buffer_add_mgpu_camera_meta (buffer, camera);
  const gdouble axis[3] = { 0, 0, 2 }, none[3] = { 0, 0, 0 };
  gdouble ray[3], back[3], x, y;
  GstMgpuCamera copy;

  gst_mgpu_camera_meta_get_camera (meta, &copy);
  fail_unless (memcmp (&copy, camera, sizeof (copy)) == 0);
  fail_unless (gst_mgpu_camera_meta_project (meta, axis, &x, &y));
  fail_unless (fabs (x - camera->cx - 0.5) < 1e-9
      && fabs (y - camera->cy - 0.5) < 1e-9);
  fail_if (gst_mgpu_camera_meta_project (meta, none, &x, &y));
  memcpy (ray, cameras[__i__].ray, sizeof (ray));
  fail_unless (gst_mgpu_camera_meta_project (meta, ray, &x, &y));
  normalize (ray);
  fail_unless (gst_mgpu_camera_meta_unproject (meta, x, y, back));
  for (guint i = 0; i < 3; i++)
    fail_unless (fabs (back[i] - ray[i]) < 1e-6, "%u: %g, not %g", i, back[i],
        ray[i]);
  fail_if (gst_mgpu_camera_meta_unproject (meta, NAN, y, back));
  fail_if (gst_mgpu_camera_meta_unproject (meta, x, 1e300, back));
}

GST_END_TEST;

/* Tests a pinhole camera with values computed by hand, and rays from behind the camera. */
GST_START_TEST (test_pinhole)
{
  const gdouble ray[3] = { 1, -0.5, 2 }, behind[3] = { 0.1, 0.1, -1 };
  g_autoptr (GstBuffer) buffer = gst_buffer_new ();
  GstMgpuCameraMeta *meta =
      gst_buffer_add_mgpu_camera_meta (buffer, &cameras[0].camera);
  gdouble x, y;

  fail_unless (gst_mgpu_camera_meta_project (meta, ray, &x, &y));
  fail_unless (fabs (x - 570.5) < 1e-9 && fabs (y - 113) < 1e-9, "%g %g", x, y);
  fail_if (gst_mgpu_camera_meta_project (meta, behind, &x, &y));
  fail_unless (gst_buffer_get_mgpu_camera_meta (buffer) == meta);
}

GST_END_TEST;

/* ---- Transforms ----------------------------------------------------------------------- */

static const struct
{
  gdouble matrix[2][3];
  gboolean is_turned;           /* whether the transform is a rotation that a cylinder camera cannot
                                 * represent */
  gboolean stays;
} moves[] = {
  {{{1, 0, -20}, {0, 1, -10}}, FALSE, TRUE},
  {{{0.5, 0, 3}, {0, 2, 4}}, FALSE, TRUE},
  {{{-1, 0, 640}, {0, -1, 480}}, FALSE, TRUE},
  {{{0, -1, 480}, {1, 0, 0}}, TRUE, TRUE},
  {{{0, 0.5, 0}, {-0.5, 0, 320}}, TRUE, TRUE},
  {{{-1, 0, 640}, {0, 1, 0}}, FALSE, FALSE},
  {{{1, 0.2, 0}, {0, 1, 0}}, FALSE, FALSE}
};

/* Checks that the projection of a ray in the new frame equals the transformed projection in the old
 * frame. */
static void
check_move (guint n, guint i)
{
  const gdouble (*m)[3] = moves[i].matrix;
  const gdouble *ray = cameras[n].ray;
  g_autoptr (GstBuffer) from = gst_buffer_new (), to = gst_buffer_new ();
  GstMgpuCameraMeta *meta =
      gst_buffer_add_mgpu_camera_meta (from, &cameras[n].camera), *moved;
  GstMgpuCameraModel model = cameras[n].camera.model;
  gboolean is_flat = model == GST_MGPU_CAMERA_MODEL_EQUIRECT
      || model == GST_MGPU_CAMERA_MODEL_CYLINDER;
  GstMgpuMetaTransform t = {.x = 0,.y = 0,.width = 300,.height = 200 };
  GstMgpuCamera camera;
  GstVideoInfo in, out;
  gdouble x, y, new_x, new_y, turned[3] = { 0 };

  gst_video_info_set_format (&in, GST_VIDEO_FORMAT_GRAY8, 640, 480);
  gst_video_info_set_format (&out, GST_VIDEO_FORMAT_GRAY8, 300, 200);
  t.in_info = &in;
  t.out_info = &out;
  memcpy (t.matrix, m, sizeof (t.matrix));
  meta->meta.info->transform_func (to, &meta->meta, from,
      gst_mgpu_meta_transform_affine_get_quark (), &t);
  moved = gst_buffer_get_mgpu_camera_meta (to);
  fail_unless ((moved != NULL) == (moves[i].stays && !(is_flat
              && moves[i].is_turned)), "camera %u, transform %u", n, i);
  if (moved == NULL)
    return;
  gst_mgpu_camera_meta_get_camera (moved, &camera);
  fail_unless (camera.width == 300 && camera.height == 200);
  for (guint k = 0; k < 9; k++)
    turned[k / 3] += camera.rotation[k] * ray[k % 3];
  fail_unless (gst_mgpu_camera_meta_project (meta, ray, &x, &y));
  fail_unless (gst_mgpu_camera_meta_project (moved, turned, &new_x, &new_y));
  fail_unless (fabs (m[0][0] * x + m[0][1] * y + m[0][2] - new_x) < 1e-6
      && fabs (m[1][0] * x + m[1][1] * y + m[1][2] - new_y) < 1e-6,
      "camera %u, transform %u: %g %g", n, i, new_x, new_y);
}

GST_START_TEST (test_moves)
{
  for (guint n = 0; n < G_N_ELEMENTS (cameras); n++)
    check_move (n, __i__);
}

GST_END_TEST;

/* Tests that the camera of a tilted sensor is dropped after a rotation, and that copies of whole
 * frames have the same camera. */
GST_START_TEST (test_copies)
{
  g_autoptr (GstBuffer) from = gst_buffer_new (), copy = NULL;
  GstMgpuCamera camera = cameras[1].camera;
  GstMgpuMetaTransform t = {.matrix = {{-1, 0, 640}, {0, -1, 480}
      }
  };
  GstMgpuCameraMeta *meta;

  camera.n_coefficients = 14;
  camera.coefficients[12] = 0.01;
  meta = gst_buffer_add_mgpu_camera_meta (from, &camera);
  copy = gst_buffer_copy (from);
  fail_unless (gst_buffer_get_mgpu_camera_meta (copy) != NULL);
  fail_unless (gst_buffer_get_mgpu_camera_meta (copy)->tables == meta->tables);
  fail_if (meta->meta.info->transform_func (copy, &meta->meta, from,
          gst_mgpu_meta_transform_affine_get_quark (), &t));
}

GST_END_TEST;

CHECK_TESTS (mgpucamerameta)
{
  tcase_add_loop_test (tc, test_rays, 0, G_N_ELEMENTS (cameras));
  tcase_add_test (tc, test_pinhole);
  tcase_add_loop_test (tc, test_moves, 0, G_N_ELEMENTS (moves));
  tcase_add_test (tc, test_copies);
}
