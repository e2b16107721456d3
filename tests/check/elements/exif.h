/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Writes image files with an EXIF orientation, which viewers rotate. */
#pragma once

#include <gdk-pixbuf/gdk-pixbuf.h>
#include <gst/check/gstcheck.h>

/* Writes @picture to a JPEG file as a camera that is held upright does: the image is rotated by 90
 * degrees, with the corresponding EXIF orientation. */
static inline void
write_turned (GdkPixbuf * picture, const gchar * path)
{
  /* EXIF segment, whose only entry is the orientation, 6 (rotate by 90 degrees) */
  static const gchar exif[] = "\377\341\0\042Exif\0\0MM\0\052\0\0\0\010"
      "\0\001\001\022\0\003\0\0\0\001\0\006\0\0\0\0\0";
  g_autoptr (GdkPixbuf) turned = gdk_pixbuf_rotate_simple (picture,
      GDK_PIXBUF_ROTATE_COUNTERCLOCKWISE);
  g_autoptr (GString) file = NULL;
  g_autofree gchar *data = NULL;
  gsize size;

  fail_unless (gdk_pixbuf_save_to_buffer (turned, &data, &size, "jpeg", NULL,
          "quality", "100", NULL));
  file = g_string_new_len (data, size);
  g_string_insert_len (file, 2, exif, sizeof (exif));
  fail_unless (g_file_set_contents (path, file->str, file->len, NULL));
}
