/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/video/video.h>

G_BEGIN_DECLS

/* Threshold that makes a mask binary: pixels with at least this gray value are marked. It is 128
 * instead of 1, because JPEG compression leaves artifacts around black and white areas. */
#define GST_MGPU_MASK_THRESHOLD 128

/* Reads a mask from an image file. gdk-pixbuf has to support its format (PNG, JPEG, PGM and more,
 * of any color type). Transparent pixels become black. The image is rotated according to its
 * EXIF orientation, as image viewers do. It must then have @width x @height pixels; if @scale is
 * TRUE, an image of another size is scaled by nearest-neighbor interpolation. Errors are in the
 * domain GST_RESOURCE_ERROR, and name @property, the element's property with the value @location.
 * Returns: (transfer full) (nullable): @width x @height gray values, without gaps between rows */
guint8 * gst_mgpu_mask_load (const gchar * location, gint width, gint height, gboolean scale,
                             const gchar * property, GError ** error);

/* Draws a mask of @width x @height pixels: the image file @location (nullable), the value of the
 * property "mask-location", and over it the polygons @polygon (nullable), the value of the
 * property "polygon". Sets @mask (out) (transfer full) (nullable) to the gray values, or to NULL
 * if there is neither image nor polygon. Returns: FALSE on failure, with an error in the domain
 * GST_RESOURCE_ERROR that names the property */
gboolean gst_mgpu_mask_draw (const gchar * location, gboolean scale, const gchar * polygon, gint width,
                             gint height, guint8 ** mask, GError ** error);

/* Sets each gray value of @mask to the maximum of itself and the value of the mask image @picture
 * (GRAY8). @mask has the size of @picture and no gaps between rows. If @picture has limited
 * range, 16 is black and 235 is white. */
void gst_mgpu_mask_add_picture (guint8 * mask, const GstVideoFrame * picture);

/* Returns: whether @types contains the type name @label (nullable). @types is a list of type
 * names separated by commas, or "*" for any type */
gboolean gst_mgpu_mask_has_type (const gchar * types, const gchar * label);

/* Gets the size in pixels of the image in the file @location, before it is rotated according to
 * its EXIF orientation. Does not read from pipes and devices, because such a read might block
 * forever. Returns: FALSE on failure, with an error in the domain GST_RESOURCE_ERROR that names
 * @property, the element's property with the value @location */
gboolean gst_mgpu_image_get_size (const gchar * location, const gchar * property, gint * width, gint * height,
                                  GError ** error);

/* Reads an image of any size, as gst_mgpu_mask_load() does, and sets *@width and *@height to its
 * size. Call gst_mgpu_image_get_size() first. Returns: (transfer full) (nullable): the gray
 * values */
guint8 * gst_mgpu_image_load     (const gchar * location, const gchar * property, gint * width, gint * height,
                                  GError ** error);

G_END_DECLS
