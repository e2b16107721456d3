/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/video/video.h>

#include "gstmgpuremapparams.h"

G_BEGIN_DECLS

/* Input for the view of mgpuremap. @calibration: content of the calibration file; NULL: no file.
 * @arrived: camera of the frame's GstMgpuCameraMeta; NULL: none */
typedef struct
{
  const GstMgpuRemapParams *params;
  const MgpuCalibration *calibration;
  const GstMgpuCamera *arrived;
  const GstVideoInfo *in, *out;
} GstMgpuRemapScene;

/* Sets @camera to the camera of input frames. Returns: FALSE with @error set if the camera is
 * unknown */
gboolean gst_mgpu_remap_find_lens (const GstMgpuRemapScene * scene, MgpuCamera * camera, GError ** error);

/* Sets @model to the camera of input frames, and @view to the projection of output frames. Returns:
 * FALSE with @error set if properties and file contradict each other or do not fit the frames */
gboolean gst_mgpu_remap_find_view (const GstMgpuRemapScene * scene, MgpuLensModel * model, MgpuView * view,
    GError ** error);

/* Posts warnings about a view that cannot be as the properties request. Skips warnings whose bits
 * in @warned are set, and sets the bits of posted warnings. @map: the map of the view */
void gst_mgpu_remap_warn (GstElement * element, const GstMgpuRemapScene * scene, const MgpuLensModel * model,
    const MgpuLensMap * map, guint * warned);

G_END_DECLS
