/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reads the shapes in the texts of the properties "rectangle" and "polygon". Shapes are
 * separated by semicolons, and the numbers of a shape by commas. Numbers are in pixels. If one
 * number of a shape has a decimal point, all numbers of that shape are fractions of the frame's
 * width and height. */
#pragma once

#include <gst/mgpu/mgpu.h>
#include <gst/vision/base/image.h>

G_BEGIN_DECLS

/* Reads the numbers of one shape in a frame of @width x @height pixels. Returns: (transfer full)
 * (nullable): an array of gdouble in pixels, alternately horizontal and vertical; NULL if @text is not
 * a list of numbers */
GArray * gst_mgpu_shapes_read_numbers (const gchar * text, gint width, gint height);

/* Reads the only rectangle in @text, and clips it to the frame of @width x @height pixels: the
 * width or the height of @rect is 0 if it is outside. Returns: FALSE on failure, with an error in
 * the domain GST_RESOURCE_ERROR that quotes @text */
gboolean gst_mgpu_shapes_read_rectangle (const gchar * text, gint width, gint height, MgpuRect * rect,
                                         GError ** error);

/* Appends the rectangles in @text to @rects, an array of MgpuRect. Clips each rectangle to the
 * frame of @width x @height pixels. Returns: FALSE on failure, with an error in the domain
 * GST_RESOURCE_ERROR that quotes the invalid part of @text */
gboolean gst_mgpu_shapes_list_rectangles (const gchar * text, gint width, gint height, GArray * rects,
                                          GError ** error);

/* Draws the polygons in @text into @mask, which has one byte for each of @width x @height
 * pixels. Sets the bytes of the pixels whose centers are inside a polygon to 255. The even-odd
 * rule determines the inside of a polygon that crosses itself. Returns: FALSE on failure, with
 * an error in the domain GST_RESOURCE_ERROR that quotes the invalid part of @text */
gboolean gst_mgpu_shapes_draw_polygons (const gchar * text, gint width, gint height, guint8 * mask,
                                        GError ** error);

/* Draws the rotated box of the detected object @box into @mask, which has one byte for each of
 * @width x @height pixels. Sets the bytes of the pixels whose centers are inside the box to
 * 255. The box is rotated around its center. */
void gst_mgpu_shapes_draw_rotated_box (const GstMgpuDetection * box, gint width, gint height,
                                       guint8 * mask);

G_END_DECLS
