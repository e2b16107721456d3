/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reads the shapes in the values of the properties "rectangle" and "polygon". Semicolons
 * separate shapes, commas the numbers of a shape. Numbers are pixels; where one number of a
 * shape has a decimal point, all numbers of that shape are shares of the frame's width and
 * height. */
#pragma once

#include <gst/vision/base/image.h>

G_BEGIN_DECLS

/* Appends the rectangles in @text to @rects, an array of MgpuRect, as far as they are in a
 * frame of @width x @height pixels. FALSE: the error, in the domain GST_RESOURCE_ERROR, names
 * the part of @text that is no rectangle. */
gboolean gst_mgpu_shapes_list_rectangles (const gchar * text, gint width, gint height, GArray * rects,
                                          GError ** error);

/* Sets to 255 each byte of @mask, which has @width x @height bytes, whose pixel has its middle
 * in one of the polygons in @text. Where a polygon crosses itself, the even-odd rule says what
 * its inside is. FALSE: the error, in the domain GST_RESOURCE_ERROR, names
 * the part of @text that is no polygon. */
gboolean gst_mgpu_shapes_draw_polygons (const gchar * text, gint width, gint height, guint8 * mask,
                                        GError ** error);

G_END_DECLS
