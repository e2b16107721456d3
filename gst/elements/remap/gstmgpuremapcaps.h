/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/video/video.h>

G_BEGIN_DECLS

/* Lets @caps (writable) have any size, and pixels of any aspect ratio. */
void gst_mgpu_remap_caps_free_size (GstCaps * caps);

/* Chooses the size and the format in @caps, writable and with one structure, for input frames of
 * the format @info. The size is the one that is nearest to @width x @height; @height 0 stands for
 * half of the width. The colorimetry does not change, and pixels are square if the size changes. */
void gst_mgpu_remap_caps_choose (GstCaps * caps, const GstVideoInfo * info, gint width, gint height);

G_END_DECLS
