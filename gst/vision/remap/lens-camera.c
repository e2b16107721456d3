/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Converts between cameras of the public API and cameras of maps. */
#include "lens-camera.h"

#include <math.h>
#include <string.h>

/* Maximum difference, in pixels, between the size of an equirectangular frame and the size of a
 * whole sphere */
#define MAX_GAP 0.5

static const gdouble identity[9] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 };

/* Returns: whether an equirectangular frame shows a whole sphere */
static gboolean
is_whole (const GstMgpuCamera * camera)
{
  return fabs (camera->fx * 2 * G_PI - camera->width) <= MAX_GAP
      && fabs (camera->fy * G_PI - camera->height) <= MAX_GAP
      && fabs (camera->cx - (camera->width - 1) / 2.0) <= MAX_GAP
      && fabs (camera->cy - (camera->height - 1) / 2.0) <= MAX_GAP;
}

gboolean
mgpu_camera_set_public (MgpuCamera * lens, const GstMgpuCamera * camera)
{
  const gdouble *k = camera->coefficients;
  guint first = 0, n = camera->n_coefficients;

  *lens = (MgpuCamera) {
  .focal = { camera->fx, camera->fy },.centre =
        { camera->cx, camera->cy },.beta = 1,.width = camera->width,.height =
        camera->height};
  switch (camera->model) {
    case GST_MGPU_CAMERA_MODEL_PERSPECTIVE:
      lens->lens = MGPU_LENS_BROWN;
      break;
    case GST_MGPU_CAMERA_MODEL_FISHEYE:
      lens->lens = MGPU_LENS_FISHEYE;
      break;
    case GST_MGPU_CAMERA_MODEL_OMNI:
      lens->lens = MGPU_LENS_OMNI;
      lens->xi = k[0];
      first = 1;
      break;
    case GST_MGPU_CAMERA_MODEL_DOUBLE_SPHERE:
      lens->lens = MGPU_LENS_DOUBLE_SPHERE;
      lens->xi = k[0];
      lens->alpha = k[1];
      return TRUE;
    case GST_MGPU_CAMERA_MODEL_EUCM:
      lens->lens = MGPU_LENS_DOUBLE_SPHERE;
      lens->alpha = k[0];
      lens->beta = k[1];
      return TRUE;
    case GST_MGPU_CAMERA_MODEL_FOV:
      lens->lens = MGPU_LENS_FOV;
      break;
    case GST_MGPU_CAMERA_MODEL_EQUIRECT:
      lens->lens = MGPU_LENS_EQUIRECT;
      return is_whole (camera);
    default:
      return FALSE;
  }
  for (guint i = first; i < MIN (n, MGPU_CAMERA_COEFFICIENTS); i++)
    lens->k[i - first] = k[i];
  return TRUE;
}

/* Sets the coefficients of @camera to @n numbers. */
static void
set_coefficients (GstMgpuCamera * camera, const gdouble * k, guint n)
{
  memcpy (camera->coefficients, k, n * sizeof (*k));
  camera->n_coefficients = n;
}

/* Returns: the number of coefficients of OpenCV's smallest lens model that includes all
 * coefficients other than 0 */
static guint
count_coefficients (const gdouble * k)
{
  static const guint counts[] = { 14, 12, 8, 5, 4 };
  guint n = MGPU_CAMERA_COEFFICIENTS, needed = 0;

  while (n > 0 && k[n - 1] == 0)
    n--;
  for (guint i = 0; n > 0 && i < G_N_ELEMENTS (counts); i++)
    if (counts[i] >= n)
      needed = counts[i];
  return needed;
}

void
mgpu_camera_make_public (const MgpuCamera * lens, GstMgpuCamera * camera)
{
  const gdouble *k = lens->k;
  const gdouble omni[5] = { lens->xi, k[0], k[1], k[2], k[3] };
  const gdouble sphere[3] = { lens->xi, lens->alpha, lens->beta };

  *camera = (GstMgpuCamera) {
    .width = lens->width,.height = lens->height,.fx = lens->focal[0],.fy =
        lens->focal[1],.cx = lens->centre[0],.cy = lens->centre[1]
  };
  memcpy (camera->rotation, identity, sizeof (identity));
  switch (lens->lens) {
    case MGPU_LENS_BROWN:
      camera->model = GST_MGPU_CAMERA_MODEL_PERSPECTIVE;
      set_coefficients (camera, k, count_coefficients (k));
      break;
    case MGPU_LENS_FISHEYE:
      camera->model = GST_MGPU_CAMERA_MODEL_FISHEYE;
      set_coefficients (camera, k, count_coefficients (k) > 0 ? 4 : 0);
      break;
    case MGPU_LENS_OMNI:
      camera->model = GST_MGPU_CAMERA_MODEL_OMNI;
      set_coefficients (camera, omni, 5);
      break;
    case MGPU_LENS_DOUBLE_SPHERE:
      camera->model = lens->beta == 1 ? GST_MGPU_CAMERA_MODEL_DOUBLE_SPHERE
          : GST_MGPU_CAMERA_MODEL_EUCM;
      set_coefficients (camera, lens->beta == 1 ? sphere : sphere + 1, 2);
      break;
    case MGPU_LENS_FOV:
      camera->model = GST_MGPU_CAMERA_MODEL_FOV;
      set_coefficients (camera, k, 1);
      break;
    case MGPU_LENS_EQUIRECT:
      camera->model = GST_MGPU_CAMERA_MODEL_EQUIRECT;
      camera->fx = lens->width / (2 * G_PI);
      camera->fy = lens->height / G_PI;
      camera->cx = (lens->width - 1) / 2.0;
      camera->cy = (lens->height - 1) / 2.0;
      break;
  }
}

gboolean
mgpu_view_make_public (const MgpuView * view, GstMgpuCamera * camera)
{
  static const GstMgpuCameraModel models[] = {
    GST_MGPU_CAMERA_MODEL_PERSPECTIVE, GST_MGPU_CAMERA_MODEL_FISHEYE,
    GST_MGPU_CAMERA_MODEL_EQUIRECT, GST_MGPU_CAMERA_MODEL_CYLINDER,
    GST_MGPU_CAMERA_MODEL_STEREOGRAPHIC
  };

  *camera = (GstMgpuCamera) {
    .model = models[view->projection],.width = view->width,.height =
        view->height,.fx = view->focal[0],.fy = view->focal[1],.cx =
        view->centre[0],.cy = view->centre[1]
  };
  memcpy (camera->rotation, view->turn, sizeof (view->turn));
  return !view->has_matrix;
}

gboolean
mgpu_projection_find_public (const GstMgpuCamera * camera,
    MgpuProjection * projection)
{
  *projection = camera->model == GST_MGPU_CAMERA_MODEL_EQUIRECT
      ? MGPU_PROJECTION_EQUIRECT : camera->model ==
      GST_MGPU_CAMERA_MODEL_CYLINDER ? MGPU_PROJECTION_CYLINDER
      : MGPU_PROJECTION_STEREOGRAPHIC;
  return camera->model >= GST_MGPU_CAMERA_MODEL_EQUIRECT;
}
