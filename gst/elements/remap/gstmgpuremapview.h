/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/video/video.h>

#include "gstmgpuremapparams.h"

G_BEGIN_DECLS

/* What determines the view of mgpuremap. @calibration: NULL: there is no file. @arrived: camera that came with
 * the frame; NULL: none did */
typedef struct
{
  const GstMgpuRemapParams *params;
  const MgpuCalibration *calibration;
  const GstMgpuCamera *arrived;
  const GstVideoInfo *in, *out;
} GstMgpuRemapScene;

/* Sets @camera to the camera of input frames. Returns: FALSE with @error set if it is not known */
gboolean gst_mgpu_remap_find_lens (const GstMgpuRemapScene * scene, MgpuCamera * camera, GError ** error);

/* Sets @model to the camera of input frames, and @view to what output frames show. Returns: FALSE with
 * @error set if properties and file do not fit each other or the frames */
gboolean gst_mgpu_remap_find_view (const GstMgpuRemapScene * scene, MgpuLensModel * model, MgpuView * view,
    GError ** error);

/* Posts warnings about a view that cannot be as its properties say, each unless its bit in @warned is set,
 * and sets that bit. @map: the map of the view */
void gst_mgpu_remap_warn (GstElement * element, const GstMgpuRemapScene * scene, const MgpuLensModel * model,
    const MgpuLensMap * map, guint * warned);

G_END_DECLS
