/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Loads or makes the pictures of the experiments. */
#include "papers.h"

#include <stdio.h>
#include <string.h>

static gsize
row_bytes (const KcPicture * picture)
{
  return kc_picture_row_bytes (picture, 0);
}

static guint8 *
get_row (const KcPicture * picture, gint y)
{
  return picture->data + picture->info.offset[0] + (gsize) y * picture->info.stride[0];
}

gboolean
papers_picture_read (KcPicture * picture, const gchar * file)
{
  gint width = GST_VIDEO_INFO_WIDTH (&picture->info), height = GST_VIDEO_INFO_HEIGHT (&picture->info);
  g_autofree gchar *head = g_strdup_printf ("P%c\n%d %d\n255\n", GST_VIDEO_INFO_N_COMPONENTS (&picture->info) == 1 ? '5' : '6',
      width, height);
  gsize length = strlen (head), size = 0;
  g_autofree gchar *content = NULL;
  gboolean ok = g_file_get_contents (file, &content, &size, NULL)
      && size == length + height * row_bytes (picture) && memcmp (content, head, length) == 0;

  for (gint y = 0; y < height && ok; y++)
    memcpy (get_row (picture, y), content + length + y * row_bytes (picture), row_bytes (picture));
  return ok;
}

gboolean
papers_picture_write (const KcPicture * picture, const gchar * file)
{
  gint width = GST_VIDEO_INFO_WIDTH (&picture->info), height = GST_VIDEO_INFO_HEIGHT (&picture->info);
  FILE *out = fopen (file, "wb");
  gboolean ok = out != NULL;

  if (ok) {
    fprintf (out, "P%c\n%d %d\n255\n", GST_VIDEO_INFO_N_COMPONENTS (&picture->info) == 1 ? '5' : '6', width, height);
    for (gint y = 0; y < height && ok; y++)
      ok = fwrite (get_row (picture, y), row_bytes (picture), 1, out) == 1;
    ok = fclose (out) == 0 && ok;
  }
  papers_check (ok, "%s cannot be written", file);
  return ok;
}

KcPicture *
papers_picture_load (PapersRun * run, const gchar * name, GstVideoFormat format, gint width, gint height)
{
  g_autofree gchar *file = g_strdup_printf ("%s-%dx%d.%s", name, width, height, format == GST_VIDEO_FORMAT_GRAY8 ? "pgm"
      : "ppm");
  g_autofree gchar *path = run->pictures != NULL ? g_build_filename (run->pictures, file, NULL) : NULL;
  GstVideoInfo info;
  KcPicture *picture;
  KcRandom random;

  kc_random_init (&random, 1);
  gst_video_info_set_format (&info, format, width, height);
  picture = kc_picture_new (&info, KC_LAYOUT_TIGHT, &random);
  if (path == NULL || !papers_picture_read (picture, path)) {
    if (!kc_picture_load (picture, name)) {
      papers_check (FALSE, "there is no picture %s: install opencv-doc, or name a folder with --pictures", file);
      g_clear_pointer (&picture, kc_picture_free);
    } else if (path != NULL) {
      papers_picture_write (picture, path);
    }
  }
  return picture;
}

/* Copies a BGR picture to an RGB picture. */
static void
swap (const KcPicture * in, KcPicture * out)
{
  for (gint y = 0; y < GST_VIDEO_INFO_HEIGHT (&out->info); y++) {
    const guint8 *from = get_row (in, y);
    guint8 *to = get_row (out, y);

    for (gsize i = 0; i < row_bytes (out); i++)
      to[i] = from[i / 3 * 3 + 2 - i % 3];
  }
}

GPtrArray *
papers_video_load (PapersRun * run, gint width, gint height, guint step, guint n)
{
  GPtrArray *pictures = g_ptr_array_new_with_free_func ((GDestroyNotify) kc_picture_free), *video = NULL;
  GstVideoInfo info;
  KcRandom random;

  kc_random_init (&random, 1);
  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_RGB, width, height);
  for (guint i = 0; i < n; i++) {
    KcPicture *picture = kc_picture_new (&info, KC_LAYOUT_TIGHT, &random);
    g_autofree gchar *name = g_strdup_printf ("vtest-%02u-%dx%d.ppm", i, width, height);
    g_autofree gchar *file = run->pictures != NULL ? g_build_filename (run->pictures, name, NULL) : NULL;

    if (file == NULL || !papers_picture_read (picture, file)) {
      if (video == NULL)
        video = kc_video_load ("vtest.avi", GST_VIDEO_FORMAT_BGR, width,
            height, step, n);
      if (i < video->len) {
        swap (g_ptr_array_index (video, i), picture);
        if (file != NULL)
          papers_picture_write (picture, file);
      } else {
        papers_check (FALSE, "there is no picture %s: install opencv-doc, or name a folder with --pictures", name);
      }
    }
    g_ptr_array_add (pictures, picture);
  }
  g_clear_pointer (&video, g_ptr_array_unref);
  return pictures;
}
