/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/**
 * SECTION:gstmgpucamerameta
 * @title: GstMgpuCameraMeta
 * @short_description: the camera of a frame
 */
#include <gst/mgpu/gstmgpucamerameta.h>

#include <math.h>
#include <string.h>

#include "gstmgpucamerameta-private.h"
#include <gst/mgpu/gstmgpuenum-private.h>
#include <gst/mgpu/gstmgpulog-private.h>
#define GST_CAT_DEFAULT gst_mgpu_meta_debug

/* Maximum error of the scalar product of two unit vectors: from 0 if the vectors are orthogonal,
 * from 1 if they are equal */
#define MAX_SKEW 1e-6

static const GEnumValue models[] = {
  {GST_MGPU_CAMERA_MODEL_PERSPECTIVE, "Perspective", "perspective"},
  {GST_MGPU_CAMERA_MODEL_FISHEYE, "Fisheye", "fisheye"},
  {GST_MGPU_CAMERA_MODEL_OMNI, "Omnidirectional", "omni"},
  {GST_MGPU_CAMERA_MODEL_DOUBLE_SPHERE, "Double sphere", "double-sphere"},
  {GST_MGPU_CAMERA_MODEL_EUCM, "Enhanced unified", "eucm"},
  {GST_MGPU_CAMERA_MODEL_FOV, "Field of view", "fov"},
  {GST_MGPU_CAMERA_MODEL_EQUIRECT, "Equirectangular", "equirect"},
  {GST_MGPU_CAMERA_MODEL_CYLINDER, "Cylinder", "cylinder"},
  {GST_MGPU_CAMERA_MODEL_STEREOGRAPHIC, "Stereographic", "stereographic"},
  {0, NULL, NULL}
};

/**
 * gst_mgpu_camera_model_get_type:
 *
 * Registers #GstMgpuCameraModel on the first call.
 *
 * Returns: the type that #GST_TYPE_MGPU_CAMERA_MODEL stands for
 *
 * Since: 1.1
 */
GST_MGPU_DEFINE_ENUM (GstMgpuCameraModel, gst_mgpu_camera_model, models);

static GstMgpuCamera *
camera_copy (const GstMgpuCamera * camera)
{
  return g_memdup2 (camera, sizeof (*camera));
}

G_DEFINE_BOXED_TYPE (GstMgpuCamera, gst_mgpu_camera, camera_copy, g_free);

static void
tables_free (GstMiniObject * object)
{
  g_free (((GstMgpuCameraTables *) object)->model);
  g_free (object);
}

static GstMgpuCameraTables *
tables_new (const GstMgpuCamera * camera)
{
  GstMgpuCameraTables *tables =
      gst_mgpu_tables_new (sizeof (*tables), tables_free);

  tables->camera = *camera;
  return tables;
}

/* ---- Frames that are cropped, rotated or scaled ----------------------------------- */

/* Rotates the vector (@x, @y) by @q. */
static void
turn (const gdouble q[2][2], gdouble * x, gdouble * y)
{
  const gdouble from[2] = { *x, *y };

  *x = q[0][0] * from[0] + q[0][1] * from[1];
  *y = q[1][0] * from[0] + q[1][1] * from[1];
}

/* Rotates the coefficients that are vectors in the frame: those of tangential distortion and of
 * thin prisms. Returns: FALSE if no coefficients of this model describe the rotated camera */
static gboolean
turn_coefficients (GstMgpuCamera * camera, const gdouble q[2][2])
{
  gdouble *k = camera->coefficients;

  if (fabs (q[0][0] - 1) <= MAX_SKEW)
    return TRUE;
  switch (camera->model) {
    case GST_MGPU_CAMERA_MODEL_PERSPECTIVE:
      turn (q, &k[3], &k[2]);
      turn (q, &k[8], &k[10]);
      turn (q, &k[9], &k[11]);
      return k[12] == 0 && k[13] == 0;
    case GST_MGPU_CAMERA_MODEL_OMNI:
      turn (q, &k[4], &k[3]);
      return TRUE;
    case GST_MGPU_CAMERA_MODEL_EQUIRECT:
    case GST_MGPU_CAMERA_MODEL_CYLINDER:
      return fabs (q[0][0] + 1) <= MAX_SKEW;
    default:
      return TRUE;
  }
}

/* Changes @camera to the camera of the frame after the transform @t: combines the transform with
 * the focal lengths, and factors the result into new focal lengths and a rotation about the optical
 * axis. Returns: FALSE if no camera describes the new frame, because @t mirrors or shears */
static gboolean
move_camera (GstMgpuCamera * camera, const GstMgpuMetaTransform * t)
{
  gdouble x = camera->cx + 0.5, y = camera->cy + 0.5;
  gdouble focal[2], q[2][2], last[6];

  for (guint i = 0; i < 2; i++) {
    q[i][0] = t->matrix[i][0] * camera->fx;
    q[i][1] = t->matrix[i][1] * camera->fy;
    focal[i] = hypot (q[i][0], q[i][1]);
    q[i][0] /= focal[i];
    q[i][1] /= focal[i];
  }
  if (!(fabs (q[0][0] * q[1][0] + q[0][1] * q[1][1]) <= MAX_SKEW
          && q[0][0] * q[1][1] - q[0][1] * q[1][0] > 0)
      || !turn_coefficients (camera, q))
    return FALSE;
  memcpy (last, camera->rotation, sizeof (last));
  for (guint i = 0; i < 3; i++) {
    camera->rotation[i] = q[0][0] * last[i] + q[0][1] * last[3 + i];
    camera->rotation[3 + i] = q[1][0] * last[i] + q[1][1] * last[3 + i];
  }
  camera->fx = focal[0];
  camera->fy = focal[1];
  camera->cx = t->matrix[0][0] * x + t->matrix[0][1] * y + t->matrix[0][2]
      - 0.5;
  camera->cy = t->matrix[1][0] * x + t->matrix[1][1] * y + t->matrix[1][2]
      - 0.5;
  camera->width = GST_VIDEO_INFO_WIDTH (t->out_info);
  camera->height = GST_VIDEO_INFO_HEIGHT (t->out_info);
  return TRUE;
}

/* Transforms the camera if the type of the transform is known. Otherwise copies the meta if the whole
 * frame was copied, and drops it if not. */
static gboolean
camera_meta_transform (GstBuffer * dest, GstMeta * meta, GstBuffer * buffer,
    GQuark type, gpointer data)
{
  GstMgpuCamera camera = ((GstMgpuCameraMeta *) meta)->tables->camera;
  GstMgpuMetaTransform moved;

  if (!gst_mgpu_meta_transform_parse (&moved, type, data))
    return gst_mgpu_meta_pass_on (dest, meta, buffer, type, data);
  if (!move_camera (&camera, &moved)) {
    GST_LOG ("dropping a GstMgpuCameraMeta, because the frame was mirrored or "
        "sheared");
    return FALSE;
  }
  gst_mgpu_meta_add (dest, meta->info, tables_new (&camera));
  return TRUE;
}

/**
 * gst_mgpu_camera_meta_api_get_type:
 *
 * Registers the API of #GstMgpuCameraMeta on the first call.
 *
 * Returns: the type that #GST_MGPU_CAMERA_META_API_TYPE stands for
 *
 * Since: 1.1
 */
/**
 * gst_mgpu_camera_meta_get_info: (skip)
 *
 * Registers #GstMgpuCameraMeta on the first call.
 *
 * Returns: (transfer none): the #GstMetaInfo that this kind of meta is registered with
 *
 * Since: 1.1
 */
GST_MGPU_DEFINE_META (GstMgpuCameraMeta, gst_mgpu_camera_meta,
    camera_meta_transform, GST_META_TAG_VIDEO_STR, GST_META_TAG_VIDEO_SIZE_STR,
    GST_META_TAG_VIDEO_ORIENTATION_STR);

static gboolean
is_camera (const GstMgpuCamera * camera)
{
  return camera->fx > 0 && camera->fy > 0 && camera->width > 0
      && camera->height > 0
      && camera->n_coefficients <= GST_MGPU_CAMERA_COEFFICIENTS
      && camera->model <= GST_MGPU_CAMERA_MODEL_STEREOGRAPHIC;
}

/**
 * gst_buffer_add_mgpu_camera_meta:
 * @buffer: (transfer none): a writable frame
 * @camera: the camera, which is copied
 *
 * Attaches a camera to a frame, instead of an earlier one. mgpuremap can then correct the frame
 * without a calibration file.
 *
 * Returns: (transfer none): the new meta
 *
 * Since: 1.1
 */
GstMgpuCameraMeta *
gst_buffer_add_mgpu_camera_meta (GstBuffer * buffer,
    const GstMgpuCamera * camera)
{
  g_return_val_if_fail (gst_buffer_is_writable (buffer), NULL);
  g_return_val_if_fail (is_camera (camera), NULL);

  return gst_mgpu_meta_add (buffer, gst_mgpu_camera_meta_get_info (),
      tables_new (camera));
}

/**
 * gst_buffer_get_mgpu_camera_meta:
 * @buffer: a frame
 *
 * Finds the camera of a frame.
 *
 * Returns: (transfer none) (nullable): the meta with the camera
 *
 * Since: 1.1
 */
GstMgpuCameraMeta *
gst_buffer_get_mgpu_camera_meta (GstBuffer * buffer)
{
  return (GstMgpuCameraMeta *) gst_buffer_get_meta (buffer,
      GST_MGPU_CAMERA_META_API_TYPE);
}

/**
 * gst_mgpu_camera_meta_get_camera:
 * @meta: a #GstMgpuCameraMeta
 * @camera: (out caller-allocates): the camera
 *
 * Gets the camera of a frame.
 *
 * Since: 1.1
 */
void
gst_mgpu_camera_meta_get_camera (GstMgpuCameraMeta * meta,
    GstMgpuCamera * camera)
{
  *camera = meta->tables->camera;
}
