/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/gstmgputagmeta.h>
#include <gst/vision/overlay/overlay.h>

G_BEGIN_DECLS

/* Adds the tag @i of @meta to the shapes that are drawn: its outline, a line across its upper left
 * corner, and the axes of its pose, if the pose is known. */
void mgpu_tag_drawing_add (MgpuOverlay * overlay, GstMgpuTagMeta * meta, guint i);

G_END_DECLS
