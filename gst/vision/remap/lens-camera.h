/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/gstmgpucamerameta.h>

#include <gst/vision/remap/lens-view.h>

G_BEGIN_DECLS

/* Sets @lens to the camera @camera of a frame. Returns: FALSE if no MgpuLens describes the camera:
 * a cylinder, a stereographic projection, or a part of a sphere */
gboolean mgpu_camera_set_public (MgpuCamera * lens, const GstMgpuCamera * camera);

/* Sets @camera to the camera @lens, without a rotation. */
void mgpu_camera_make_public (const MgpuCamera * lens, GstMgpuCamera * camera);

/* Sets @camera to the camera that would have taken the view @view. Returns: FALSE if there is no
 * such camera, because a homography is applied to the view */
gboolean mgpu_view_make_public (const MgpuView * view, GstMgpuCamera * camera);

/* Finds the projection of a camera that no MgpuLens describes. Returns: FALSE if a MgpuLens
 * describes it */
gboolean mgpu_projection_find_public (const GstMgpuCamera * camera, MgpuProjection * projection);

G_END_DECLS
