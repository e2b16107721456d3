/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstmgpumask.h"

#include <gdk-pixbuf/gdk-pixbuf.h>

GstMgpuMask *
gst_mgpu_mask_load (const gchar * location, const gchar * property,
    GError ** error)
{
  GError *cause = NULL;
  GdkPixbuf *picture = gdk_pixbuf_new_from_file (location, &cause);
  GstMgpuMask *self;
  const guint8 *pixels;
  gint step, stride;

  if (picture == NULL) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_OPEN_READ,
        "the mask cannot be read: %s: set \"%s\" to a PNG, JPEG or PGM image",
        cause->message, property);
    g_error_free (cause);
    return NULL;
  }

  self = g_new0 (GstMgpuMask, 1);
  self->width = gdk_pixbuf_get_width (picture);
  self->height = gdk_pixbuf_get_height (picture);
  self->data = g_malloc ((gsize) self->width * self->height);
  pixels = gdk_pixbuf_read_pixels (picture);
  step = gdk_pixbuf_get_n_channels (picture);
  stride = gdk_pixbuf_get_rowstride (picture);
  for (gint y = 0; y < self->height; y++) {
    for (gint x = 0; x < self->width; x++) {
      const guint8 *p = pixels + (gsize) y * stride + (gsize) x * step;
      guint grey = (77 * p[0] + 150 * p[1] + 29 * p[2] + 128) >> 8;

      if (step == 4)
        grey = (grey * p[3] + 127) / 255;
      self->data[(gsize) y * self->width + x] = grey;
    }
  }
  g_object_unref (picture);
  return self;
}

gboolean
gst_mgpu_mask_fit (GstMgpuMask * self, gint width, gint height, gboolean scale,
    const gchar * property, GError ** error)
{
  guint8 *data;

  if (self->width == width && self->height == height)
    return TRUE;
  if (!scale) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
        "the mask of \"%s\" has %dx%d pixels, but the frames have %dx%d: give "
        "it their size, or set \"scale-mask\"", property, self->width,
        self->height, width, height);
    return FALSE;
  }
  data = g_malloc ((gsize) width * height);
  for (gint y = 0; y < height; y++) {
    gsize row = (2 * (gsize) y + 1) * self->height / (2 * height);

    for (gint x = 0; x < width; x++)
      data[(gsize) y * width + x] = self->data[row * self->width
          + (2 * (gsize) x + 1) * self->width / (2 * width)];
  }
  g_free (self->data);
  self->data = data;
  self->width = width;
  self->height = height;
  return TRUE;
}

void
gst_mgpu_mask_free (GstMgpuMask * self)
{
  if (self == NULL)
    return;
  g_free (self->data);
  g_free (self);
}
