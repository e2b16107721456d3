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
  guint n_set;                  /* how often @location was set */
  gint input;
  gdouble input_fov;
  gint fit;
} GstMgpuRemapCamera;

/* Fits @camera, of a calibration, to frames of @width x @height pixels: scales or crops it as the
 * property "fit" says. A camera whose size is unknown (0) gets the size of the frames. Returns:
 * FALSE with @error set if the frames do not fit */
gboolean gst_mgpu_remap_fit_camera (const GstMgpuRemapCamera * said, gint width, gint height,
    MgpuCamera * camera, GError ** error);

/* Finds the camera of frames of @width x @height pixels: the camera of @calibration, or an ideal one
 * if that is NULL and the property "input" says which, or @arrived, the camera that came with the frame, unless it is
 * NULL. Returns: FALSE with @error set if there is none */
gboolean gst_mgpu_remap_find_camera (const GstMgpuRemapCamera * said, const MgpuCalibration * calibration,
    const GstMgpuCamera * arrived, gint width, gint height, MgpuCamera * camera, GError ** error);

G_END_DECLS
