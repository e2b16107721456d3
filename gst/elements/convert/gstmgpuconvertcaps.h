/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/frame/gstmgpucaps.h>
#include <gst/frame/gstmgpudevicebase.h>

G_BEGIN_DECLS

/* The pixel formats that mgpuconvert accepts: those of all elements, and those that only cameras,
 * decoders and encoders use. Formats with color come first. */
#define GST_MGPU_CONVERT_FORMATS "{ " GST_MGPU_FORMAT_NAMES ", NV16, NV61, NV24, YVYU, v308, AYUV, VUYA, A420, " \
    "RGBP, BGRP, GBR, GBR_10LE, GBR_12LE, I422_10LE, Y444_10LE, I420_12LE, I422_12LE, " \
    "Y444_12LE, P012_LE, P016_LE, Y210, Y212_LE, v210, Y410, RGB16, BGR16, RGB15, BGR15, " \
    "NV12_4L4, NV12_32L32, GRAY16_BE }"
#define GST_MGPU_CONVERT_CAPS \
    GST_VIDEO_CAPS_MAKE_WITH_FEATURES (GST_CAPS_FEATURE_MEMORY_OPENCL, GST_MGPU_CONVERT_FORMATS) \
    "; " GST_VIDEO_CAPS_MAKE (GST_MGPU_CONVERT_FORMATS)

/* Returns: (transfer full): the caps that are possible at one pad of mgpuconvert if the other
 * pad, whose direction is @direction, has @caps: any format, size and colors */
GstCaps * gst_mgpu_convert_caps_relax  (GstCaps * caps, GstPadDirection direction);

/* Fixates @others (transfer full), the caps to which frames may be converted. @in_caps are
 * the caps of the input frames. Chooses the pixel format that loses least, the nearest size,
 * and the display aspect ratio and colors of @in_caps. @transposed: whether rows and columns
 * are swapped, as in a rotation by 90 or 270 degrees. */
GstCaps * gst_mgpu_convert_caps_fixate (GstCaps * in_caps, GstCaps * others, gboolean transposed);

G_END_DECLS
