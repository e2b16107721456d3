/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/video/video.h>

G_BEGIN_DECLS

/* Minimum grey value of a marked pixel, where the mask is binary. It is 128 instead of 1, because
 * JPEG compression leaves artefacts around black and white areas. */
#define GST_MGPU_MASK_THRESHOLD 128

/* Reads the image in a file that gdk-pixbuf can read: PNG, JPEG, PGM and more, of any
 * colour type. Transparent pixels become black. An image with an EXIF orientation is
 * turned as image viewers turn it. It must then have @width x @height pixels; if @scale is
 * TRUE, an image of another size is scaled by taking the nearest pixels. The error, in the
 * domain GST_RESOURCE_ERROR, names @property, the element's property with the value
 * @location. Returns: (transfer full) (nullable): @width x @height grey values, without
 * gaps between rows */
guint8 * gst_mgpu_mask_load (const gchar * location, gint width, gint height, gboolean scale,
                             const gchar * property, GError ** error);

/* Draws a mask: the image of the property "mask-location", whose value is @location, and
 * over it the polygons of the property "polygon"; both are (nullable). Sets @mask, which
 * is (out) (transfer full) (nullable), to @width x @height grey values, or to NULL if
 * there is neither image nor polygon. Returns: FALSE if the error, in the domain
 * GST_RESOURCE_ERROR, is set, which names the property */
gboolean gst_mgpu_mask_draw (const gchar * location, gboolean scale, const gchar * polygon, gint width,
                             gint height, guint8 ** mask, GError ** error);

/* Sets each grey value of @mask, which has the size of @picture and no gaps between rows, to the
 * maximum of itself and the value of the mask image @picture (GRAY8). In limited range 16 is black
 * and 235 is white. */
void gst_mgpu_mask_add_picture (guint8 * mask, const GstVideoFrame * picture);

/* Returns: whether the text @types, type names separated by commas, or "*" for any type,
 * contains the type name @label, which is (nullable) */
gboolean gst_mgpu_mask_has_type (const gchar * types, const gchar * label);

/* Finds the size in pixels of the image in a file that gdk-pixbuf can read, before it is turned as
 * its EXIF orientation says. Does not read from pipes and devices, because such a read might block
 * forever. Returns: FALSE if the error, in the domain GST_RESOURCE_ERROR, is set, which names
 * @property, the element's property with the value @location */
gboolean gst_mgpu_image_get_size (const gchar * location, const gchar * property, gint * width, gint * height,
                                  GError ** error);

/* Reads an image of any size as gst_mgpu_mask_load() does, and sets *@width and *@height to its
 * size. Call gst_mgpu_image_get_size() first. Returns: (transfer full) (nullable): the grey
 * values */
guint8 * gst_mgpu_image_load     (const gchar * location, const gchar * property, gint * width, gint * height,
                                  GError ** error);

G_END_DECLS
