/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Chooses the view of mgpuremap: camera, rotation, focal length, corners. */
#include "gstmgpuremapview.h"

#include <gst/frame/gstmgpushapes.h>
#include <gst/mgpu/mgpu.h>
#include <math.h>
#include <string.h>

/* Angles from the optical axis, in radians. MAX_LIMIT: a lens model that is valid up to this angle
 * causes no warning, because hardly anything is visible beyond. MAX_PERSPECTIVE: maximum angle that
 * a perspective camera is expected to show */
#define MAX_LIMIT 3.1
#define MAX_PERSPECTIVE (85 * G_PI / 180)

/* Maximum fraction of a frame that may be beyond these angles without a warning */
#define MAX_FAR_PART 0.1

/* Sets @error to a text that is formatted as by printf(). Returns: FALSE */
G_GNUC_PRINTF (2, 3)
     static gboolean fail (GError ** error, const gchar * format, ...)
{
  va_list args;

  va_start (args, format);
  if (error != NULL)
    *error = g_error_new_valist (GST_MGPU_ERROR, GST_MGPU_ERROR_UNSUPPORTED,
        format, args);
  va_end (args);
  return FALSE;
}

/* Returns: whether a homography is applied after the projection */
static gboolean
is_moved (const GstMgpuRemapParams * params)
{
  return params->corners != NULL || params->matrix != NULL;
}

/* Sets the rotation of the view: the rectification from the file, followed by the rotation by the
 * properties "pan", "tilt" and "roll". */
static gboolean
set_turn (const GstMgpuRemapScene * scene, MgpuViewChoice * choice,
    GError ** error)
{
  const GstMgpuRemapParams *params = scene->params;
  const MgpuCalibration *calibration = scene->calibration;
  gdouble turn[9];

  mgpu_view_set_turn (choice->straight, 0, 0, 0);
  mgpu_view_set_turn (turn, params->view.pan, params->view.tilt,
      params->view.roll);
  memcpy (choice->turn, turn, sizeof (turn));
  if (!params->view.rectify)
    return TRUE;
  if (calibration == NULL)
    return fail (error, "frames can be rectified only with a calibration file: "
        "set \"rectify\" to false, or \"location\" to the calibration of a stereo "
        "camera");
  if (!calibration->has_turn)
    return fail (error, "%s has no rectification of this camera: set "
        "\"rectify\" to false, or \"location\" to the calibration of a stereo "
        "camera", params->camera.location);
  memcpy (choice->straight, calibration->turn, sizeof (choice->straight));
  for (guint i = 0; i < 9; i++)
    choice->turn[i] = turn[i / 3 * 3] * calibration->turn[i % 3]
        + turn[i / 3 * 3 + 1] * calibration->turn[3 + i % 3]
        + turn[i / 3 * 3 + 2] * calibration->turn[6 + i % 3];
  return TRUE;
}

/* Sets the projection matrix of a perspective view to the matrix of the rectified camera, if the
 * file has one and "fov" is not set. The size of the camera was already fitted to the frames. */
static void
use_projection (const GstMgpuRemapScene * scene, MgpuView * view)
{
  const GstVideoInfo *in = scene->in;
  const GstMgpuRemapParams *params = scene->params;
  const MgpuCalibration *calibration = scene->calibration;
  const gint sides[2] = { view->width, view->height };
  MgpuCamera flat = { 0 };

  if (!params->view.rectify || !calibration->has_projection
      || params->view.fov > 0
      || view->projection != MGPU_PROJECTION_PERSPECTIVE)
    return;
  memcpy (flat.focal, calibration->projection, sizeof (flat.focal));
  memcpy (flat.centre, calibration->projection + 2, sizeof (flat.centre));
  flat.width = calibration->camera.width;
  flat.height = calibration->camera.height;
  gst_mgpu_remap_fit_camera (&params->camera, in->width, in->height, &flat,
      NULL);
  mgpu_camera_scale (&flat, view->width / (gdouble) in->width,
      view->height / (gdouble) in->height, view->width, view->height);
  for (guint i = 0; i < 2; i++) {
    gdouble middle = (sides[i] - 1) / 2.0;

    view->focal[i] = flat.focal[i] * params->view.zoom;
    view->centre[i] = middle + (flat.centre[i] - middle) * params->view.zoom;
  }
}

/* Sets the homography such that the positions of the property "corners" become the corners of
 * output frames. */
static gboolean
use_corners (const GstMgpuRemapScene * scene, MgpuView * view, GError ** error)
{
  const gchar *corners = scene->params->corners;
  GArray *numbers = gst_mgpu_shapes_read_numbers (corners, scene->in->width,
      scene->in->height);
  gboolean ok = numbers != NULL && numbers->len == 8
      && mgpu_view_set_corners (view, &g_array_index (numbers, gdouble, 0),
      scene->out->width, scene->out->height);

  if (!ok)
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
        "\"%s\" are not the corners of a convex quadrilateral: set \"corners\" "
        "to x,y of four points, clockwise from the upper left one, for example "
        "0.4,0.6,0.6,0.6,1,1,0,1", corners);
  g_clear_pointer (&numbers, g_array_unref);
  return ok;
}

/* Reads 9 finite numbers, separated by commas. */
static gboolean
read_matrix (const gchar * text, gdouble matrix[9])
{
  gchar *end = NULL;

  for (guint i = 0; i < 9; i++, text = end + 1) {
    matrix[i] = g_ascii_strtod (text, &end);
    if (end == text || !isfinite (matrix[i]) || *end != (i < 8 ? ',' : '\0'))
      return FALSE;
  }
  return TRUE;
}

/* Sets the homography of the view from the property "matrix". */
static gboolean
use_matrix (const GstMgpuRemapScene * scene, MgpuView * view, GError ** error)
{
  gdouble matrix[9];

  if (read_matrix (scene->params->matrix, matrix)
      && mgpu_view_set_matrix (view, matrix, scene->out->width,
          scene->out->height))
    return TRUE;
  g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
      "\"%s\" is not a homography: set \"matrix\" to the 9 numbers, row by row, "
      "of a matrix that can be inverted, for example 1,0,0,0,1,0,0,0,1",
      scene->params->matrix);
  return FALSE;
}

/* Returns: whether a homography is applied to the input frame itself, without a camera model */
static gboolean
is_flat (const GstMgpuRemapScene * scene)
{
  return scene->calibration == NULL && is_moved (scene->params)
      && scene->params->camera.input == GST_MGPU_REMAP_INPUT_AUTO;
}

gboolean
gst_mgpu_remap_find_lens (const GstMgpuRemapScene * scene,
    MgpuCamera * camera, GError ** error)
{
  return gst_mgpu_remap_find_camera (&scene->params->camera,
      scene->calibration, scene->arrived, scene->in->width, scene->in->height,
      camera, error);
}

/* Determines the camera of input frames for a view. If only a homography is applied, any
 * perspective camera will do. */
static gboolean
find_camera (const GstMgpuRemapScene * scene, MgpuViewChoice * choice,
    MgpuCamera * camera, GError ** error)
{
  if (!is_flat (scene))
    return gst_mgpu_remap_find_lens (scene, camera, error);
  choice->alpha = -1;
  return mgpu_camera_set_ideal (camera, MGPU_LENS_BROWN, 90, scene->in->width,
      scene->in->height);
}

gboolean
gst_mgpu_remap_find_view (const GstMgpuRemapScene * scene,
    MgpuLensModel * model, MgpuView * view, GError ** error)
{
  const GstMgpuRemapParams *params = scene->params;
  const GstVideoInfo *size = is_moved (params) ? scene->in : scene->out;
  MgpuViewChoice choice = { params->view.projection, params->view.alpha,
    params->view.fov, params->view.zoom
  };
  MgpuCamera camera;

  /* Refuses frames of another size, because they could not pass unchanged. */
  if (params->view.projection == GST_MGPU_REMAP_PROJECTION_SAME)
    choice.projection = MGPU_PROJECTION_PERSPECTIVE;
  if (params->corners != NULL && params->matrix != NULL)
    return fail (error, "\"corners\" and \"matrix\" are both set: set one of "
        "them");
  if (!find_camera (scene, &choice, &camera, error)
      || !set_turn (scene, &choice, error))
    return FALSE;
  mgpu_lens_model_init (model, &camera);
  mgpu_view_choose (view, model, &choice, size->width, size->height);
  use_projection (scene, view);
  return (params->corners == NULL || use_corners (scene, view, error))
      && (params->matrix == NULL || use_matrix (scene, view, error));
}

/* ---- Warnings --------------------------------------------------------------------- */

/* Bits of warnings */
enum
{
  WARNED_BEYOND = 1 << 0,
  WARNED_FOV = 1 << 1,
  WARNED_FAR = 1 << 2
};

/* Warns if the lens model of a calibration does not cover the view. */
static void
warn_beyond (GstElement * element, const GstMgpuRemapScene * scene,
    const MgpuLensModel * model, const MgpuLensMap * map, guint * warned)
{
  if (scene->calibration == NULL || !model->has_fold || map->beyond == 0
      || model->limit > MAX_LIMIT || (*warned & WARNED_BEYOND) != 0)
    return;
  *warned |= WARNED_BEYOND;
  GST_ELEMENT_WARNING (element, STREAM, FORMAT,
      ("%s: %.1f %% of the view shows nothing, because the lens model of the "
          "calibration ends %.1f degrees from the optical axis: show less (a "
          "lower \"alpha\" or \"fov\", a higher \"zoom\"), or calibrate with "
          "fewer coefficients", GST_OBJECT_NAME (element), 100 * map->beyond,
          model->limit * 180 / G_PI), (NULL));
}

/* Warns if the projection of the view cannot show its field of view. */
static void
warn_fov (GstElement * element, const GstMgpuRemapScene * scene, guint * warned)
{
  const GstMgpuRemapParams *params = scene->params;
  gdouble limit = mgpu_view_get_max_fov (params->view.projection);

  if (params->view.fov <= limit || (*warned & WARNED_FOV) != 0)
    return;
  *warned |= WARNED_FOV;
  GST_ELEMENT_WARNING (element, STREAM, FORMAT,
      ("%s: the view shows only %g degrees, the limit of its projection, "
          "instead of %g: set \"fov\" to %g or less, or \"projection\" to fisheye or "
          "equirect", GST_OBJECT_NAME (element), limit, params->view.fov,
          limit), (NULL));
}

/* Warns if a large part of the frames would show directions that hardly any lens sees, because the
 * field of view of the camera is then wrong. */
static void
warn_far (GstElement * element, const GstMgpuRemapScene * scene,
    const MgpuLensModel * model, guint * warned)
{
  const GstMgpuRemapCamera *said = &scene->params->camera;
  gdouble limit = 180 / G_PI * (model->camera.lens == MGPU_LENS_BROWN
      ? MAX_PERSPECTIVE : MAX_LIMIT);
  gdouble part = mgpu_lens_model_get_far_part (model, limit * G_PI / 180);

  if (part <= MAX_FAR_PART || (*warned & WARNED_FAR) != 0)
    return;
  *warned |= WARNED_FAR;
  if (scene->calibration != NULL || said->input == GST_MGPU_REMAP_INPUT_AUTO)
    GST_ELEMENT_WARNING (element, STREAM, FORMAT,
        ("%s: %.0f %% of a frame would be more than %.0f degrees from the "
            "optical axis, because the focal length in %s is only %g pixels: "
            "correct it, or the frame size there", GST_OBJECT_NAME (element),
            100 * part, limit, scene->calibration != NULL ? said->location
            : "the GstMgpuCameraMeta", model->camera.focal[0]), (NULL));
  else
    GST_ELEMENT_WARNING (element, STREAM, FORMAT,
        ("%s: %.0f %% of a frame would be more than %.0f degrees from the "
            "optical axis: set \"input-fov\" to the field of view of the lens, "
            "which is lower than %g degrees", GST_OBJECT_NAME (element),
            100 * part, limit, said->input_fov), (NULL));
}

void
gst_mgpu_remap_warn (GstElement * element, const GstMgpuRemapScene * scene,
    const MgpuLensModel * model, const MgpuLensMap * map, guint * warned)
{
  warn_beyond (element, scene, model, map, warned);
  warn_fov (element, scene, warned);
  if (!is_flat (scene))
    warn_far (element, scene, model, warned);
}
