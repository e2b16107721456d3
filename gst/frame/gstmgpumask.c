/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Loads masks from image files, and draws regions of interest into masks. */
#include "gstmgpumask.h"

#include <gdk-pixbuf/gdk-pixbuf.h>
#include <gst/vision/base/image.h>

#include "gstmgpushapes.h"

/* Maximum number of pixels of a mask file that is scaled. Each pixel takes four bytes of
 * memory while the file is read. */
#define MAX_PIXELS (64 << 20)

static gboolean
check_size (gint own_width, gint own_height, gint width, gint height,
    gboolean scale, const gchar * property, GError ** error)
{
  if (own_width == width && own_height == height)
    return TRUE;
  if (!scale)
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
        "the mask of \"%s\" has %dx%d pixels, but the frames have %dx%d: give "
        "it their size, or set \"scale-mask\"", property, own_width, own_height,
        width, height);
  else if ((gint64) own_width * own_height > MAX_PIXELS)
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
        "the mask of \"%s\" has %dx%d pixels, which is too many to be scaled: "
        "give it the size of the frames, %dx%d", property, own_width,
        own_height, width, height);
  else
    return TRUE;
  return FALSE;
}

/* Checks a mask file before it is read, because reading any file would be dangerous: a read
 * from a pipe waits for a writer, and a small file may contain an image of gigabytes. */
static gboolean
check_file (const gchar * location, gint width, gint height, gboolean scale,
    const gchar * property, GError ** error)
{
  gint own_width, own_height;

  if (g_file_test (location, G_FILE_TEST_EXISTS)
      && !g_file_test (location, G_FILE_TEST_IS_REGULAR)) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_OPEN_READ,
        "the image cannot be read: %s is a directory, a pipe or a device: set "
        "\"%s\" to a PNG, JPEG or PGM image", location, property);
    return FALSE;
  }
  /* The EXIF orientation may swap width and height. It is unknown until the file is read;
   * then the size is checked again. */
  return gdk_pixbuf_get_file_info (location, &own_width, &own_height) == NULL
      || (own_width == height && own_height == width)
      || check_size (own_width, own_height, width, height, scale, property,
      error);
}

gboolean
gst_mgpu_image_get_size (const gchar * location, const gchar * property,
    gint * width, gint * height, GError ** error)
{
  if (g_file_test (location, G_FILE_TEST_IS_REGULAR)
      && gdk_pixbuf_get_file_info (location, width, height) != NULL)
    return TRUE;
  g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_OPEN_READ,
      "%s cannot be read as an image: set \"%s\" to PNG, JPEG or PGM images",
      location, property);
  return FALSE;
}

/* Returns: (transfer full): the gray values of @picture, scaled to @width x @height pixels
 * by nearest-neighbor interpolation */
static guint8 *
get_gray (GdkPixbuf * picture, gint width, gint height)
{
  const guint8 *pixels = gdk_pixbuf_read_pixels (picture);
  gsize own_width = gdk_pixbuf_get_width (picture);
  gsize own_height = gdk_pixbuf_get_height (picture);
  gint step = gdk_pixbuf_get_n_channels (picture);
  guint8 *data = g_malloc ((gsize) width * height), *to = data;

  for (gint y = 0; y < height; y++) {
    const guint8 *row = pixels + (2 * (gsize) y + 1) * own_height
        / (2 * height) * gdk_pixbuf_get_rowstride (picture);

    for (gint x = 0; x < width; x++) {
      const guint8 *p = row + (2 * (gsize) x + 1) * own_width / (2 * width)
          * step;
      guint grey = (77 * p[0] + 150 * p[1] + 29 * p[2] + 128) >> 8;

      *to++ = step == 4 ? (grey * p[3] + 127) / 255 : grey;
    }
  }
  return data;
}

/* Reads an image, and rotates it according to its EXIF orientation, as image viewers do.
 * Returns: (transfer full): the image; NULL with the error set */
static GdkPixbuf *
read_upright (const gchar * location, const gchar * property, GError ** error)
{
  GError *cause = NULL;
  GdkPixbuf *file = gdk_pixbuf_new_from_file (location, &cause);
  GdkPixbuf *picture = NULL;

  if (file != NULL) {
    picture = gdk_pixbuf_apply_embedded_orientation (file);
    g_object_unref (file);
  }
  if (picture == NULL)
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_OPEN_READ,
        "the image cannot be read: %s: set \"%s\" to a PNG, JPEG or PGM image",
        cause !=
        NULL ? cause->message : "there is not enough memory to rotate it",
        property);
  g_clear_error (&cause);
  return picture;
}

guint8 *
gst_mgpu_image_load (const gchar * location, const gchar * property,
    gint * width, gint * height, GError ** error)
{
  GdkPixbuf *picture = read_upright (location, property, error);
  guint8 *data;

  if (picture == NULL)
    return NULL;
  *width = gdk_pixbuf_get_width (picture);
  *height = gdk_pixbuf_get_height (picture);
  data = get_gray (picture, *width, *height);
  g_object_unref (picture);
  return data;
}

guint8 *
gst_mgpu_mask_load (const gchar * location, gint width, gint height,
    gboolean scale, const gchar * property, GError ** error)
{
  guint8 *data = NULL;
  GdkPixbuf *picture;

  if (!check_file (location, width, height, scale, property, error))
    return NULL;
  picture = read_upright (location, property, error);
  if (picture == NULL)
    return NULL;
  /* Checks the size of the mask image again, because it may have been rotated, or the file may have
   * changed since the first check. */
  if (check_size (gdk_pixbuf_get_width (picture),
          gdk_pixbuf_get_height (picture), width, height, scale, property,
          error))
    data = get_gray (picture, width, height);
  g_object_unref (picture);
  return data;
}

gboolean
gst_mgpu_mask_draw (const gchar * location, gboolean scale,
    const gchar * polygon, gint width, gint height, guint8 ** mask,
    GError ** error)
{
  *mask = NULL;
  if (location != NULL) {
    *mask = gst_mgpu_mask_load (location, width, height, scale, "mask-location",
        error);
    if (*mask == NULL)
      return FALSE;
  }
  if (polygon == NULL)
    return TRUE;
  if (*mask == NULL)
    *mask = g_malloc0 ((gsize) width * height);
  if (gst_mgpu_shapes_draw_polygons (polygon, width, height, *mask, error))
    return TRUE;
  g_clear_pointer (mask, g_free);
  return FALSE;
}

void
gst_mgpu_mask_add_picture (guint8 * mask, const GstVideoFrame * picture)
{
  gint width = GST_VIDEO_FRAME_WIDTH (picture);
  gint lo, hi;
  guint8 greys[256];

  mgpu_get_range (&picture->info, 0, &lo, &hi);
  for (gint i = 0; i < 256; i++)
    greys[i] = CLAMP (((i - lo) * 255 + (hi - lo) / 2) / (hi - lo), 0, 255);
  for (gint y = 0; y < GST_VIDEO_FRAME_HEIGHT (picture); y++) {
    const guint8 *row = (const guint8 *) GST_VIDEO_FRAME_PLANE_DATA (picture,
        0) + (gssize) y * GST_VIDEO_FRAME_PLANE_STRIDE (picture, 0);
    guint8 *to = mask + (gsize) y * width;

    for (gint x = 0; x < width; x++)
      to[x] = MAX (to[x], greys[row[x]]);
  }
}

gboolean
gst_mgpu_mask_has_type (const gchar * types, const gchar * label)
{
  gchar **names = g_strsplit (types, ",", -1);
  gboolean has = FALSE;

  for (guint i = 0; names[i] != NULL && !has; i++) {
    const gchar *name = g_strstrip (names[i]);

    has = g_str_equal (name, "*")
        || (label != NULL && g_str_equal (name, label));
  }
  g_strfreev (names);
  return has;
}
