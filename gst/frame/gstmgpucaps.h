/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/mgpu.h>

G_BEGIN_DECLS

/* The formats of all elements. Colour comes first, because a source that is
 * free to choose takes the first. */
#define GST_MGPU_FORMATS "{ NV12, I420, YV12, NV21, Y42B, Y444, " \
    "YUY2, UYVY, RGB, BGR, RGBx, xRGB, BGRx, xBGR, RGBA, ARGB, BGRA, ABGR, " \
    "P010_10LE, I420_10LE, GRAY8, GRAY16_LE }"

#define GST_MGPU_CAPS_DEVICE GST_VIDEO_CAPS_MAKE_WITH_FEATURES \
    (GST_CAPS_FEATURE_MEMORY_OPENCL, GST_MGPU_FORMATS)
#define GST_MGPU_CAPS_HOST GST_VIDEO_CAPS_MAKE (GST_MGPU_FORMATS)

/* Reads the caps of frames. */
gboolean        gst_mgpu_caps_parse                     (GstCaps * caps, GstVideoInfo * info, GError ** error);
/* Tells whether strides have room for the rows of info: GStreamer checks the size of a
 * frame, not that of a row, which may be more than an int holds. */
gboolean        gst_mgpu_caps_rows_fit                  (const GstVideoInfo * info);

/* caps with each structure in the memory of feature, or in system memory */
GstCaps *       gst_mgpu_caps_in_memory                 (GstCaps * caps, const gchar * feature);
/* Fixes caps, (transfer full), of frames that pass as they are: what those before
 * left open gets the value that it has by default wherever that is possible, not
 * the first of what those behind would take (scalers: any pixel aspect ratio). */
GstCaps *       gst_mgpu_caps_fixate                    (GstCaps * caps);

G_END_DECLS
