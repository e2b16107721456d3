/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/mgpu.h>
#include <gst/vision/overlay/overlay.h>

G_BEGIN_DECLS

/* Adds an arrow for each point of a grid at which @meta has a motion. The arrow begins at the
 * point's position in the previous frame, and ends at its position in this frame. Waits for the
 * device. @height: height of the frame, in pixels. Returns: the number of arrows */
guint mgpu_arrows_add (GstMgpuFlowMeta * meta, gint height, MgpuOverlay * overlay);

G_END_DECLS
