/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reads the shapes in the texts of the properties "rectangle" and "polygon". Semicolons
 * separate shapes, commas the numbers of a shape. Numbers are pixels; if one number of a
 * shape has a decimal point, all numbers of that shape are fractions of the frame's width
 * and height. */
#pragma once

#include <gst/mgpu/mgpu.h>
#include <gst/vision/base/image.h>

G_BEGIN_DECLS

/* Appends the rectangles in @text to @rects, an array of MgpuRect, each cut to a frame of
 * @width x @height pixels. Returns: FALSE if the error, in the domain GST_RESOURCE_ERROR,
 * is set, which names the part of @text that is no rectangle */
gboolean gst_mgpu_shapes_list_rectangles (const gchar * text, gint width, gint height, GArray * rects,
                                          GError ** error);

/* Draws the polygons in @text into @mask, which has one byte for each of @width x @height
 * pixels: sets to 255 each byte whose pixel has its centre in a polygon. If a polygon
 * crosses itself, the even-odd rule decides which pixels are inside. Returns: FALSE if
 * the error, in the domain GST_RESOURCE_ERROR, is set, which names the part of @text that
 * is no polygon */
gboolean gst_mgpu_shapes_draw_polygons (const gchar * text, gint width, gint height, guint8 * mask,
                                        GError ** error);

/* Sets to 255 each byte of @mask, which has one byte for each of @width x @height pixels, whose
 * pixel has its centre in the box of the detected object @box, rotated around the centre of the
 * box. */
void gst_mgpu_shapes_draw_rotated_box (const GstMgpuDetection * box, gint width, gint height,
                                       guint8 * mask);

G_END_DECLS
