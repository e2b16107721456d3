/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Helps tests that require more than some devices or systems provide. Such a test reports that it
 * is not run; on PoCL, with all packages of tests/packages installed, every test has to run. */
#pragma once

#include <gdk-pixbuf/gdk-pixbuf.h>
#include <gst/check/gstcheck.h>
#include <gst/mgpu/mgpu.h>

#define VIDEO "/usr/share/doc/opencv-doc/examples/data/vtest.avi"

/* Logs that the rest of a test is not run, and why. Fails on PoCL. */
static inline void
not_run (const gchar * why)
{
  GError *error = NULL;
  g_autoptr (GstMgpuContext) context = gst_mgpu_context_new (NULL, &error);

  fail_unless (context != NULL, "%s", error != NULL ? error->message : "");
  fail_if (g_str_equal (gst_mgpu_context_get_platform_name (context),
          "Portable Computing Language"), "not run: %s", why);
  g_printerr ("not run: %s\n", why);
}

/* Returns whether the file VIDEO, which is MPEG-4, and a decoder for it exist. If not, prints a
 * line. */
static inline gboolean
can_play_video (void)
{
  GList *all = gst_element_factory_list_get_elements
      (GST_ELEMENT_FACTORY_TYPE_DECODER, GST_RANK_MARGINAL);
  GstCaps *caps = gst_caps_from_string ("video/mpeg,mpegversion=4,"
      "systemstream=false");
  GList *decoders = gst_element_factory_list_filter (all, caps, GST_PAD_SINK,
      FALSE);
  gboolean has_decoder = decoders != NULL;

  gst_plugin_feature_list_free (decoders);
  gst_plugin_feature_list_free (all);
  gst_caps_unref (caps);
  if (!has_decoder)
    not_run ("no decoder of MPEG-4, which gstreamer1.0-libav has");
  else if (!g_file_test (VIDEO, G_FILE_TEST_EXISTS))
    not_run ("no " VIDEO ", which opencv-doc has");
  else
    return TRUE;
  return FALSE;
}

/* Returns whether image files can be read, for which GDK-PixBuf requires its loaders and the list
 * of media types of shared-mime-info. If not, prints a line. */
static inline gboolean
can_read_images (void)
{
  static const guint8 image[] = "P5\n1 1\n255\n";
  g_autoptr (GInputStream) stream =
      g_memory_input_stream_new_from_data (image, sizeof (image), NULL);
  g_autoptr (GdkPixbuf) pixels = gdk_pixbuf_new_from_stream (stream, NULL,
      NULL);

  if (pixels == NULL)
    not_run ("GDK-PixBuf reads no PGM: its loaders or shared-mime-info are "
        "missing");
  return pixels != NULL;
}
