/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/dpm/model.h>

G_BEGIN_DECLS

/* Reads a part model: OpenCV's XML, or a MATLAB file of voc-dpm's release 5. The
 * error names the file and the field that is wrong. */
MgpuDpmModel * mgpu_dpm_model_load (const gchar * path, GError ** error);

G_END_DECLS
