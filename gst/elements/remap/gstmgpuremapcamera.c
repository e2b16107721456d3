/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Fits the camera of a calibration file to the input frames of mgpuremap. */
#include "gstmgpuremapcamera.h"

#include <gst/mgpu/mgpu.h>
#include <math.h>

/* Maximum relative difference between the aspect ratios of frames and calibration */
#define MAX_ASPECT 0.005

static gboolean
find_ideal (const GstMgpuRemapCamera * said, gint width, gint height,
    MgpuCamera * camera, GError ** error)
{
  static const MgpuLens lenses[] = {
    MGPU_LENS_BROWN, MGPU_LENS_BROWN, MGPU_LENS_FISHEYE, MGPU_LENS_EQUIRECT
  };

  if (said->input == GST_MGPU_REMAP_INPUT_AUTO) {
    g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_UNSUPPORTED,
        "the camera of the frames is unknown, and they have no "
        "GstMgpuCameraMeta: set \"location\" to a calibration file, or "
        "\"input\" to " "the projection of the frames");
    return FALSE;
  }
  if (mgpu_camera_set_ideal (camera, lenses[said->input], said->input_fov,
          width, height))
    return TRUE;
  g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_UNSUPPORTED,
      "a perspective camera cannot see %g degrees: set \"input-fov\" below "
      "180, " "or \"input\" to another projection", said->input_fov);
  return FALSE;
}

/* Fits @camera to frames whose size differs from that of the calibration. */
static gboolean
fit_size (const GstMgpuRemapCamera * said, gint width, gint height,
    MgpuCamera * camera, GError ** error)
{
  gdouble x = width / (gdouble) camera->width;
  gdouble y = height / (gdouble) camera->height;

  if (said->fit == GST_MGPU_REMAP_FIT_CROP) {
    camera->centre[0] -= (camera->width - width) / 2.0;
    camera->centre[1] -= (camera->height - height) / 2.0;
    camera->width = width;
    camera->height = height;
    return TRUE;
  }
  if (said->fit == GST_MGPU_REMAP_FIT_SCALE && fabs (x / y - 1) <= MAX_ASPECT) {
    mgpu_camera_scale (camera, x, y, width, height);
    return TRUE;
  }
  g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_UNSUPPORTED,
      "frames of %dx%d do not fit the calibration for %dx%d: %s", width,
      height, camera->width, camera->height, width == camera->height
      && height == camera->width ? "put this element before the element that "
      "rotates frames" : said->fit ==
      GST_MGPU_REMAP_FIT_REFUSE ? "scale the frames, "
      "or set \"fit\" to scale or crop" :
      "calibrate for this size, or set fit=crop if the frames were cropped at "
      "the center");
  return FALSE;
}

gboolean
gst_mgpu_remap_fit_camera (const GstMgpuRemapCamera * said, gint width,
    gint height, MgpuCamera * camera, GError ** error)
{
  if (camera->width == 0) {
    camera->width = width;
    camera->height = height;
  }
  return (camera->width == width && camera->height == height)
      || fit_size (said, width, height, camera, error);
}

/* Sets @camera to the camera of the frame's GstMgpuCameraMeta. */
static gboolean
use_arrived (const GstMgpuCamera * arrived, MgpuCamera * camera,
    GError ** error)
{
  GEnumClass *models = g_type_class_ref (GST_TYPE_MGPU_CAMERA_MODEL);
  const GEnumValue *model = g_enum_get_value (models, arrived->model);
  gboolean ok = mgpu_camera_set_public (camera, arrived);

  if (!ok)
    g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_UNSUPPORTED,
        "the GstMgpuCameraMeta of frames has the model \"%s\" and only a part "
        "of a sphere, which cannot be remapped: change the element that "
        "attaches it, or set \"location\" or \"input\"", model->value_nick);
  g_type_class_unref (models);
  return ok;
}

gboolean
gst_mgpu_remap_find_camera (const GstMgpuRemapCamera * said,
    const MgpuCalibration * calibration, const GstMgpuCamera * arrived,
    gint width, gint height, MgpuCamera * camera, GError ** error)
{
  if (calibration != NULL)
    *camera = calibration->camera;
  else if (arrived == NULL || said->input != GST_MGPU_REMAP_INPUT_AUTO)
    return find_ideal (said, width, height, camera, error);
  else if (!use_arrived (arrived, camera, error))
    return FALSE;
  return gst_mgpu_remap_fit_camera (said, width, height, camera, error);
}
