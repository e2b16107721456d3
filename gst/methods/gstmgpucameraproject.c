/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Converts between rays and positions in a frame, by the camera of the frame. */
#include <gst/mgpu/metas/gstmgpucamerameta-private.h>

#include <math.h>
#include <string.h>

#include <gst/vision/remap/lens-camera.h>

/* Maximum error of a conversion that is followed by the inverse conversion: of rays of length 1,
 * and of positions in pixels */
#define MAX_RAY 1e-6
#define MAX_PLACE 0.01

/* Maximum distance of a position that is converted to a ray, in focal lengths from the principal
 * point */
#define MAX_TANGENT 1e9

/* Returns: (transfer none): the model of the camera, made on the first call */
static const MgpuLensModel *
get_model (GstMgpuCameraTables * tables)
{
  gsize *model = (gsize *) & tables->model;

  if (g_once_init_enter (model)) {
    MgpuLensModel *made = g_new0 (MgpuLensModel, 1);
    MgpuCamera lens;

    mgpu_camera_set_public (&lens, &tables->camera);
    mgpu_lens_model_init (made, &lens);
    g_once_init_leave (model, (gsize) made);
  }
  return (const MgpuLensModel *) *model;
}

static gdouble
get_length (const gdouble ray[3])
{
  return sqrt (ray[0] * ray[0] + ray[1] * ray[1] + ray[2] * ray[2]);
}

/* Projects @ray by the projection @projection. Returns: FALSE if the projection does not show it */
static gboolean
project_flat (const GstMgpuCamera * camera, MgpuProjection projection,
    const gdouble ray[3], gdouble place[2])
{
  gdouble point[2], again[3], length = get_length (ray), other;

  mgpu_projection_find_point (projection, ray, point);
  mgpu_projection_find_ray (projection, point[0], point[1], again);
  other = get_length (again);
  for (guint i = 0; i < 3; i++)
    if (fabs (ray[i] / length - again[i] / other) > MAX_RAY)
      return FALSE;
  place[0] = camera->fx * point[0] + camera->cx;
  place[1] = camera->fy * point[1] + camera->cy;
  return TRUE;
}

/* Projects @ray by the lens model. Returns: FALSE if the ray is outside the range of angles of the
 * model */
static gboolean
project_lens (GstMgpuCameraTables * tables, const gdouble ray[3],
    gdouble place[2])
{
  const MgpuLensModel *model = get_model (tables);
  gdouble rho = sqrt (ray[0] * ray[0] + ray[1] * ray[1]);

  return mgpu_lens_model_project (model, ray, place) >= 0
      && mgpu_lens_atan2 (rho, ray[2]) <= model->limit;
}

/**
 * gst_mgpu_camera_meta_project:
 * @meta: a #GstMgpuCameraMeta
 * @ray: (array fixed-size=3): a direction or a point in space, x to the right, y down, z forward,
 *   of any length above 0
 * @x: (out): x of its position, in pixels from the left edge of the frame
 * @y: (out): y of its position, in pixels from the top edge
 *
 * Finds the position at which the camera of a frame sees a ray. The position may be outside the
 * frame. Rays of the camera that took the frame have to be multiplied by the rotation of the
 * #GstMgpuCamera first.
 *
 * Returns: %FALSE if the camera does not see the ray, because it is behind the camera, or so far
 *   from the frame that the lens model does not describe it
 *
 * Since: 1.1
 */
gboolean
gst_mgpu_camera_meta_project (GstMgpuCameraMeta * meta, const gdouble * ray,
    gdouble * x, gdouble * y)
{
  GstMgpuCameraTables *tables = meta->tables;
  gdouble length = get_length (ray), place[2] = { 0, 0 };
  MgpuProjection projection;
  gboolean ok;

  if (!(length > 0 && isfinite (length)))
    ok = FALSE;
  else if (mgpu_projection_find_public (&tables->camera, &projection))
    ok = project_flat (&tables->camera, projection, ray, place);
  else
    ok = project_lens (tables, ray, place);
  *x = ok ? place[0] + 0.5 : 0;
  *y = ok ? place[1] + 0.5 : 0;
  return ok;
}

/**
 * gst_mgpu_camera_meta_unproject:
 * @meta: a #GstMgpuCameraMeta
 * @x: x of a position, in pixels from the left edge of the frame
 * @y: y of the position, in pixels from the top edge
 * @ray: (out caller-allocates) (array fixed-size=3): a ray of length 1, x to the right, y down, z
 *   forward
 *
 * Finds the ray that the camera of a frame sees at a position. The transposed rotation of the
 * #GstMgpuCamera turns it to a ray of the camera that took the frame.
 *
 * Returns: %FALSE if the camera sees no ray there
 *
 * Since: 1.1
 */
gboolean
gst_mgpu_camera_meta_unproject (GstMgpuCameraMeta * meta, gdouble x, gdouble y,
    gdouble * ray)
{
  const GstMgpuCamera *camera = &meta->tables->camera;
  const gdouble place[2] = { x - 0.5, y - 0.5 };
  gdouble u = (place[0] - camera->cx) / camera->fx;
  gdouble v = (place[1] - camera->cy) / camera->fy;
  MgpuProjection projection;
  gdouble length, again[2];

  memset (ray, 0, 3 * sizeof (gdouble));
  if (!(fabs (u) < MAX_TANGENT && fabs (v) < MAX_TANGENT))
    return FALSE;
  if (mgpu_projection_find_public (camera, &projection))
    mgpu_projection_find_ray (projection, u, v, ray);
  else
    mgpu_lens_model_unproject (get_model (meta->tables), place, ray);
  length = get_length (ray);
  for (guint i = 0; i < 3; i++)
    ray[i] /= length;
  return gst_mgpu_camera_meta_project (meta, ray, &again[0], &again[1])
      && fabs (again[0] - x) <= MAX_PLACE && fabs (again[1] - y) <= MAX_PLACE;
}
