/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/dpm/model.h>

G_BEGIN_DECLS

/* Reads a deformable part model from OpenCV's XML or from a MATLAB file of release 5 of
 * voc-dpm.
 * Returns: (transfer full): the model; NULL with an error that names the file and the
 * invalid field */
MgpuDpmModel * mgpu_dpm_model_load (const gchar * path, GError ** error);

G_END_DECLS
