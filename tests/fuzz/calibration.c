/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Fuzzes calibration files of OpenCV, ROS and Kalibr. */
#include "fuzz.h"

#include <gst/models/calibration.h>

#include <math.h>

int
LLVMFuzzerTestOneInput (const uint8_t * data, size_t size)
{
  GError *error = NULL;
  MgpuCalibration *calibration =
      mgpu_calibration_load (fuzz_file (data, size), NULL, &error);
  const MgpuCamera *camera;

  fuzz_check_error (calibration != NULL, error);
  if (calibration == NULL)
    return 0;
  camera = &calibration->camera;
  for (guint i = 0; i < 2; i++)
    g_assert (camera->focal[i] > 0 && isfinite (camera->focal[i])
        && isfinite (camera->centre[i]));
  for (guint i = 0; i < MGPU_CAMERA_COEFFICIENTS; i++)
    g_assert (isfinite (camera->k[i]));
  for (guint i = 0; i < 9; i++)
    g_assert (isfinite (calibration->turn[i]));
  for (guint i = 0; i < 4; i++)
    g_assert (isfinite (calibration->projection[i]));
  g_assert (isfinite (camera->xi) && isfinite (camera->alpha)
      && camera->beta > 0);
  g_assert (camera->width >= 0 && camera->width <= 65536);
  g_assert ((camera->width > 0) == (camera->height > 0));
  g_assert (g_utf8_validate (calibration->name, -1, NULL));
  mgpu_calibration_free (calibration);
  return 0;
}
