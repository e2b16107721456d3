/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/gstmgpucamerameta.h>

#include <gst/vision/remap/lens-view.h>

G_BEGIN_DECLS

/* Sets @lens to the camera @camera of a frame. Returns: FALSE if it is none of the cameras of MgpuLens: a
 * cylinder, stereographic, or a part of a sphere */
gboolean mgpu_camera_set_public (MgpuCamera * lens, const GstMgpuCamera * camera);

/* Sets @camera to the camera @lens, without a rotation. */
void mgpu_camera_make_public (const MgpuCamera * lens, GstMgpuCamera * camera);

/* Sets @camera to the camera that would have taken the view @view. Returns: FALSE if there is none, because a
 * homography moves the pixels of the view */
gboolean mgpu_view_make_public (const MgpuView * view, GstMgpuCamera * camera);

/* Finds the projection of the frames of a camera that is none of MgpuLens. Returns: FALSE if it is one of them */
gboolean mgpu_projection_find_public (const GstMgpuCamera * camera, MgpuProjection * projection);

G_END_DECLS
