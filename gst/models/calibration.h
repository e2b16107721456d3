/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/remap/lens.h>

G_BEGIN_DECLS

/* The data of a camera in a calibration file. */
typedef struct
{
  gchar *name;                  /* name of the camera in the file, such as "cam0" or "M1" */
  MgpuCamera camera;            /* the camera; its width and height are 0 if the file does not
                                 * contain them */
  gboolean has_turn;            /* whether the file has a rectification */
  gdouble turn[9];              /* rotation matrix, row by row, from rays of the camera to rays of
                                 * the rectified camera */
  gboolean has_projection;      /* whether the file has the matrix of the rectified camera */
  gdouble projection[4];        /* focal lengths along x and y, and center of the rectified
                                 * camera */
} MgpuCalibration;

/* Reads a camera from a calibration file: YAML, XML or JSON of OpenCV, camera_info of ROS,
 * or YAML of Kalibr. @camera chooses one of several cameras: its name, the number with
 * which the name ends, or left or right, for the first and second one; NULL: the first.
 * Returns: (transfer full): the calibration; NULL with an error that names the file and
 * the key that is wrong or missing */
MgpuCalibration * mgpu_calibration_load (const gchar * path, const gchar * camera, GError ** error);

void mgpu_calibration_free (MgpuCalibration * calibration);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MgpuCalibration, mgpu_calibration_free)

G_END_DECLS
