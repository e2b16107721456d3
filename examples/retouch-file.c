/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Loads the picture or video frame that retouch edits, and saves the result. */
#include "output.h"
#include "retouch.h"

#include <gst/video/video.h>
#include <string.h>

/* Maximum time for decoding the first frame of a file */
#define PATIENCE (10 * GST_SECOND)

/* ---- Videos ---------------------------------------------------------------------- */

GdkPixbuf *
retouch_picture_from_sample (GstSample * sample)
{
  GdkPixbuf *picture = NULL;
  GstVideoFrame frame;
  GstVideoInfo info;

  if (!gst_video_info_from_caps (&info, gst_sample_get_caps (sample))
      || !gst_video_frame_map (&frame, &info, gst_sample_get_buffer (sample),
          GST_MAP_READ))
    return NULL;
  picture = gdk_pixbuf_new (GDK_COLORSPACE_RGB,
      GST_VIDEO_INFO_HAS_ALPHA (&info), 8, info.width, info.height);
  for (gint y = 0; picture != NULL && y < info.height; y++)
    memcpy (gdk_pixbuf_get_pixels (picture)
        + (gsize) y * gdk_pixbuf_get_rowstride (picture),
        (const guint8 *) GST_VIDEO_FRAME_PLANE_DATA (&frame, 0)
        + (gsize) y * GST_VIDEO_FRAME_PLANE_STRIDE (&frame, 0),
        (gsize) info.width * GST_VIDEO_INFO_COMP_PSTRIDE (&info, 0));
  gst_video_frame_unmap (&frame);
  return picture;
}

/* Waits until the pipeline has decoded a frame. */
static gboolean
wait_for_frame (GstElement * pipeline, GError ** error)
{
  GstBus *bus = gst_element_get_bus (pipeline);
  GstMessage *message = gst_bus_timed_pop_filtered (bus, PATIENCE,
      GST_MESSAGE_ERROR | GST_MESSAGE_ASYNC_DONE | GST_MESSAGE_EOS);
  gboolean ok = FALSE;

  if (message == NULL)
    g_set_error_literal (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_READ,
        "it shows no picture in time");
  else if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR)
    gst_message_parse_error (message, error, NULL);
  else if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS)
    g_set_error_literal (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_READ,
        "there is no picture");
  else
    ok = TRUE;
  g_clear_pointer (&message, gst_message_unref);
  gst_object_unref (bus);
  return ok;
}

static GdkPixbuf *
load_frame (const gchar * path, gdouble seconds, gdouble * duration,
    GError ** error)
{
  GstElement *pipeline = gst_parse_launch ("filesrc name=source ! decodebin ! "
      "videoconvertscale ! video/x-raw,format=RGB,pixel-aspect-ratio=1/1 ! "
      "appsink name=sink sync=false", error);
  GstElement *source, *sink;
  GdkPixbuf *picture = NULL;
  GstSample *sample = NULL;
  gint64 length = 0;
  gboolean ok;

  if (pipeline == NULL)
    return NULL;
  source = gst_bin_get_by_name (GST_BIN (pipeline), "source");
  g_object_set (source, "location", path, NULL);
  gst_object_unref (source);
  gst_element_set_state (pipeline, GST_STATE_PAUSED);
  ok = wait_for_frame (pipeline, error);
  if (ok && !gst_element_query_duration (pipeline, GST_FORMAT_TIME, &length))
    length = 0;
  /* Seeks to the frame that is shown at the time @seconds. At the very end of a video no frame is
   * shown. */
  if (ok && seconds > 0) {
    gint64 at = (gint64) (seconds * GST_SECOND);

    if (length > 0)
      at = MIN (at, MAX (length - GST_SECOND / 10, 0));
    ok = gst_element_seek_simple (pipeline, GST_FORMAT_TIME,
        GST_SEEK_FLAG_FLUSH | GST_SEEK_FLAG_ACCURATE, at)
        && wait_for_frame (pipeline, error);
    if (!ok && error != NULL && *error == NULL)
      g_set_error_literal (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SEEK,
          "only its beginning can be reached");
  }
  if (ok) {
    sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
    g_signal_emit_by_name (sink, "pull-preroll", &sample);
    gst_object_unref (sink);
    picture = sample != NULL ? retouch_picture_from_sample (sample) : NULL;
    g_clear_pointer (&sample, gst_sample_unref);
    if (picture == NULL)
      g_set_error_literal (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_READ,
          "there is no picture");
    else if (duration != NULL)
      *duration = (gdouble) length / GST_SECOND;
  }
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
  return picture;
}

/* ---- Pictures ---------------------------------------------------------------------- */

GdkPixbuf *
retouch_load (const gchar * path, gdouble seconds, gdouble * duration,
    GError ** error)
{
  GError *cause = NULL;
  GdkPixbuf *file = gdk_pixbuf_new_from_file (path, &cause), *picture = NULL;

  if (duration != NULL)
    *duration = 0;
  if (file != NULL) {
    picture = gdk_pixbuf_apply_embedded_orientation (file);
    g_object_unref (file);
  } else if (g_error_matches (cause, GDK_PIXBUF_ERROR,
          GDK_PIXBUF_ERROR_UNKNOWN_TYPE)) {
    g_clear_error (&cause);
    picture = load_frame (path, seconds, duration, &cause);
  }
  if (picture == NULL) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_OPEN_READ,
        "%s cannot be opened: %s", path, cause->message);
    g_error_free (cause);
  }
  return picture;
}

/* Returns: the image type of the path's suffix; NULL with an error if this type cannot be
 * written */
static GdkPixbufFormat *
find_format (const gchar * path, GError ** error)
{
  GSList *formats = gdk_pixbuf_get_formats ();
  const gchar *dot = strrchr (path, '.');
  GdkPixbufFormat *format = NULL;

  for (GSList * l = formats; l != NULL && dot != NULL; l = l->next) {
    gchar **extensions = gdk_pixbuf_format_get_extensions (l->data);

    for (guint i = 0; extensions[i] != NULL && format == NULL; i++)
      if (gdk_pixbuf_format_is_writable (l->data)
          && g_ascii_strcasecmp (extensions[i], dot + 1) == 0)
        format = l->data;
    g_strfreev (extensions);
  }
  g_slist_free (formats);
  if (format == NULL)
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_OPEN_WRITE,
        "%s cannot be written: its name has to end in the name of a type, "
        "like .png or .jpg", path);
  return format;
}

gboolean
retouch_check_output (const gchar * path, const gchar * const *inputs,
    GError ** error)
{
  GdkPixbufFormat *format = find_format (path, error);
  gchar **types;
  gboolean ok;

  if (format == NULL)
    return FALSE;
  types = gdk_pixbuf_format_get_mime_types (format);
  ok = check_output (path, types[0], inputs, error);
  g_strfreev (types);
  return ok;
}

gboolean
retouch_save (GdkPixbuf * picture, const gchar * path, GError ** error)
{
  GdkPixbufFormat *format = find_format (path, error);
  gchar *type, *data = NULL;
  GError *cause = NULL;
  gsize size;
  gboolean ok;

  if (format == NULL)
    return FALSE;
  type = gdk_pixbuf_format_get_name (format);
  ok = gdk_pixbuf_save_to_buffer (picture, &data, &size, type, &cause,
      strcmp (type, "jpeg") == 0 ? "quality" : NULL, "95", NULL)
      && g_file_set_contents (path, data, size, &cause);
  if (!ok) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_WRITE,
        "%s cannot be written: %s", path, cause->message);
    g_error_free (cause);
  }
  g_free (data);
  g_free (type);
  return ok;
}
