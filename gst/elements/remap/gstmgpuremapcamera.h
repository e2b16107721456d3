/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/gst.h>

#include <gst/models/calibration.h>
#include <gst/vision/remap/lens-camera.h>

G_BEGIN_DECLS

typedef enum
{
  GST_MGPU_REMAP_INPUT_AUTO,
  GST_MGPU_REMAP_INPUT_PERSPECTIVE,
  GST_MGPU_REMAP_INPUT_FISHEYE,
  GST_MGPU_REMAP_INPUT_EQUIRECT
} GstMgpuRemapInput;

typedef enum
{
  GST_MGPU_REMAP_FIT_SCALE,
  GST_MGPU_REMAP_FIT_CROP,
  GST_MGPU_REMAP_FIT_REFUSE
} GstMgpuRemapFit;

/* Values of the properties that describe the camera */
typedef struct
{
  gchar *location, *camera;
  guint n_set;                  /* number of times that @location was set */
  gint input;
  gdouble input_fov;
  gint fit;
} GstMgpuRemapCamera;

/* Fits @camera, from a calibration, to frames of @width x @height pixels: scales or crops it
 * according to the property "fit". A camera whose size is unknown (0) gets the size of the frames.
 * Returns: FALSE with @error set if the frames do not fit */
gboolean gst_mgpu_remap_fit_camera (const GstMgpuRemapCamera * said, gint width, gint height,
    MgpuCamera * camera, GError ** error);

/* Determines the camera of frames of @width x @height pixels: the camera of @calibration; if
 * @calibration is NULL, an ideal camera according to the property "input", or @arrived (nullable),
 * the camera of the frame's meta. Returns: FALSE with @error set if no camera is known */
gboolean gst_mgpu_remap_find_camera (const GstMgpuRemapCamera * said, const MgpuCalibration * calibration,
    const GstMgpuCamera * arrived, gint width, gint height, MgpuCamera * camera, GError ** error);

G_END_DECLS
