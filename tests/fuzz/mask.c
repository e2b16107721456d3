/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Fuzzes files of masks and reference images. */
#include "fuzz.h"

#include <glib/gstdio.h>
#include <gst/frame/gstmgpumask.h>
#include <string.h>

#define WIDTH 16
#define HEIGHT 12
#define MAX_PIXELS (1 << 20)
#define MAX_HEADER 1024

/* Lists the first bytes of files of these types, for the database of MIME types that gdk-pixbuf
 * uses. The system's own database has over a thousand types, which would take most of the time. */
static const struct
{
  const gchar *type, *head;
} types[] = {
  {"image/bmp", "BM"}, {"image/gif", "GIF8"}, {"image/jpeg", "\xff\xd8\xff"},
  {"image/png", "\x89PNG"}, {"image/x-portable-bitmap", "P1"},
  {"image/x-portable-bitmap", "P4"}, {"image/x-portable-graymap", "P2"},
  {"image/x-portable-graymap", "P5"}, {"image/x-portable-pixmap", "P3"},
  {"image/x-portable-pixmap", "P6"},
};

/* Writes the database of MIME types. */
static void
write_types (void)
{
  GString *magic = g_string_new_len ("MIME-Magic\0\n", 12);
  gchar *folder = g_build_filename (fuzz_folder (), "mime", NULL);
  gchar *path = g_build_filename (folder, "magic", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (types); i++) {
    g_string_append_printf (magic, "[50:%s]\n>0=", types[i].type);
    g_string_append_c (magic, '\0');
    g_string_append_c (magic, strlen (types[i].head));
    g_string_append_printf (magic, "%s\n", types[i].head);
  }
  g_assert (g_mkdir (folder, 0700) == 0);
  g_assert (g_file_set_contents (path, magic->str, magic->len, NULL));
  g_setenv ("XDG_DATA_HOME", fuzz_folder (), TRUE);
  g_setenv ("XDG_DATA_DIRS", fuzz_folder (), TRUE);
  g_free (path);
  g_free (folder);
  g_string_free (magic, TRUE);
}

/* Prepares the fuzz target; libFuzzer calls this first. */
int
LLVMFuzzerInitialize (int *argc, char ***argv)
{
  /* Ignores the critical warnings that gdk-pixbuf logs for files whose header says that they have
   * no pixels. */
  g_log_set_always_fatal (G_LOG_FATAL_MASK);
  write_types ();
  return 0;
}

/* Returns whether a picture has so many pixels that reading it takes long. Smaller pictures are
 * read by the same code. */
static gboolean
is_large (const gchar * path)
{
  gint width, height;

  return gst_mgpu_image_get_size (path, "mask-location", &width, &height, NULL)
  && (gint64) width *height > MAX_PIXELS;
}

/* Returns whether @data is a BMP file with a long header, for which gdk-pixbuf allocates up to 4 GiB
 * before it refuses the file. */
static gboolean
is_long_bmp (const uint8_t * data, size_t size)
{
  guint32 header;

  if (size < 18 || memcmp (data, "BM", 2) != 0)
    return FALSE;
  /* Copies the header, because GST_READ_UINT32_LE() reads an aligned number, and the sanitizer
   * would report a number that is not aligned. */
  memcpy (&header, data + 14, sizeof (header));
  return GUINT32_FROM_LE (header) > MAX_HEADER;
}

int
LLVMFuzzerTestOneInput (const uint8_t * data, size_t size)
{
  gboolean scale = size > 0 && data[size - 1] & 1;
  const gchar *path = fuzz_file (data, size);
  GError *error = NULL;
  guint8 *mask, *image;
  gint width, height;

  if (is_long_bmp (data, size) || (scale && is_large (path)))
    return 0;
  mask = gst_mgpu_mask_load (path, WIDTH, HEIGHT, scale, "mask-location",
      &error);
  fuzz_check_error (mask != NULL, error);
  if (mask != NULL && !scale) {
    image = gst_mgpu_image_load (path, "pictures", &width, &height, NULL);
    g_assert (image != NULL && width == WIDTH && height == HEIGHT);
    g_assert (memcmp (image, mask, WIDTH * HEIGHT) == 0);
    g_free (image);
  }
  g_free (mask);
  return 0;
}
