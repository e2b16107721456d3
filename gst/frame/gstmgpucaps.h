/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/mgpu.h>

G_BEGIN_DECLS

/* The pixel formats that all elements accept. Formats with color come first, because a source
 * that can produce all formats chooses the first one. */
#define GST_MGPU_FORMATS "{ " GST_MGPU_FORMAT_NAMES " }"
#define GST_MGPU_FORMAT_NAMES "NV12, I420, YV12, NV21, Y42B, Y444, " \
    "YUY2, UYVY, RGB, BGR, RGBx, xRGB, BGRx, xBGR, RGBA, ARGB, BGRA, ABGR, " \
    "P010_10LE, I420_10LE, GRAY8, GRAY16_LE"

#define GST_MGPU_CAPS_DEVICE GST_VIDEO_CAPS_MAKE_WITH_FEATURES \
    (GST_CAPS_FEATURE_MEMORY_OPENCL, GST_MGPU_FORMATS)
#define GST_MGPU_CAPS_HOST GST_VIDEO_CAPS_MAKE (GST_MGPU_FORMATS)
/* The caps of mask images. A mask image has one gray value for each pixel. */
#define GST_MGPU_CAPS_MASK GST_VIDEO_CAPS_MAKE_WITH_FEATURES \
    (GST_CAPS_FEATURE_MEMORY_OPENCL, "GRAY8") "; " GST_VIDEO_CAPS_MAKE ("GRAY8")
#define GST_MGPU_CAPS_ALL GST_MGPU_CAPS_DEVICE "; " GST_MGPU_CAPS_HOST

/* Sets @info to the format of the video frames that @caps describe. */
gboolean        gst_mgpu_caps_parse                     (GstCaps * caps, GstVideoInfo * info, GError ** error);
/* Sets *@width and *@height to the size in pixels of the frames that @caps describe. The pixel
 * format in @caps may be one that this plugin does not support. Returns: FALSE if @caps have no
 * size */
gboolean        gst_mgpu_caps_get_size                  (GstCaps * caps, gint * width, gint * height);
/* Returns: TRUE if each stride in @info is at least the length of a row. The check is needed
 * because GStreamer checks only the size of the frame, and the length of a row may overflow int,
 * the type of strides */
gboolean        gst_mgpu_caps_rows_fit                  (const GstVideoInfo * info);

/* Returns: the duration of @n frames of the format @info; 0 if the framerate is unknown */
GstClockTime    gst_mgpu_caps_get_duration              (const GstVideoInfo * info, guint n);

/* Returns: (transfer full): a copy of @caps in which each structure has the caps feature named
 * @feature; if @feature is NULL, none has a caps feature, which means system memory */
GstCaps *       gst_mgpu_caps_in_memory                 (GstCaps * caps, const gchar * feature);
/* Returns: (transfer full): the structures of @caps for frames in device memory, followed by the
 * same structures for frames in system memory */
GstCaps *       gst_mgpu_caps_in_any_memory             (GstCaps * caps);
/* Returns: (transfer full): the intersection of @caps (transfer full) with @filter (nullable), in
 * the order of @filter; @caps if @filter is NULL */
GstCaps *       gst_mgpu_caps_intersect                 (GstCaps * filter, GstCaps * caps);
/* Sets the colorimetry of @s to the colorimetry in @info, the format of the frames from which the
 * frames of @s are made. @s is a caps structure with a fixed format and size. If @s has no
 * colorimetry, adds the field only if the default for the format and size of @s differs. If @s has
 * a list, chooses the colorimetry of @info if the list contains it. Does not change a fixed
 * colorimetry. */
void            gst_mgpu_caps_name_colorimetry          (GstStructure * s, const GstVideoInfo * info);
/* Sets the chroma site of @s, by the same rules as gst_mgpu_caps_name_colorimetry() sets the
 * colorimetry. For elements that do not move the chroma samples. */
void            gst_mgpu_caps_name_chroma_site          (GstStructure * s, const GstVideoInfo * info);
/* Fixates @caps (transfer full), for an element whose output frames have the format of its input
 * frames. Sets each field that upstream left open to its default if @caps allow the default. For
 * example, pixels are square. The first value that downstream accepts would be wrong: a scaler,
 * for example, accepts any pixel aspect ratio. */
GstCaps *       gst_mgpu_caps_fixate                    (GstCaps * caps);

G_END_DECLS
