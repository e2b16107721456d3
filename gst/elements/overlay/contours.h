/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/mgpu.h>
#include <gst/vision/overlay/overlay.h>

G_BEGIN_DECLS

/* Adds the contours of the moving pixels of @meta, by cells, to the shapes that @overlay draws. Waits
 * for the device. */
void mgpu_contours_add_motion (GstMgpuMovingMeta * meta, MgpuOverlay * overlay);

/* Adds three contours to the shapes that @overlay draws: of the areas in which something moved in
 * about 4, 32 and 128 of the last 256 frames. Waits for the device. */
void mgpu_contours_add_heat   (GstMgpuMovingMeta * meta, MgpuOverlay * overlay);

G_END_DECLS
