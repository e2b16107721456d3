/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Runs a pipeline with mgpuinpaint, which fills the area that retouch's mask covers. */
#include "retouch.h"

#include <glib/gstdio.h>
#include <gst/video/video.h>
#include <string.h>

/* Interval, in milliseconds, at which the unfinished picture is shown, for the method that
 * copies one patch after another */
#define BUDGET 150

const gchar *const retouch_methods[] = {
  "auto", "patchmatch", "exemplar", "directional", "harmonic", NULL
};

struct _RetouchRemoval
{
  GstElement *pipeline;
  GstSample *sample;            /* input frame, which is pushed again until everything is
                                 * filled */
  gboolean goes_on;             /* whether the last progress message reported an unfinished
                                 * frame */
  GThread *start;
  guint watch;
  gchar *mask;                  /* path of the mask file */
  RetouchCallbacks callbacks;
  gpointer data;
};

/* ---- Input ------------------------------------------------------------------------ */

static GstSample *
sample_from_picture (GdkPixbuf * picture)
{
  gboolean has_alpha = gdk_pixbuf_get_has_alpha (picture);
  const guint8 *pixels = gdk_pixbuf_read_pixels (picture);
  GstVideoFrame frame;
  GstVideoInfo info;
  GstBuffer *buffer;
  GstSample *sample;
  GstCaps *caps;

  gst_video_info_set_format (&info, has_alpha ? GST_VIDEO_FORMAT_RGBA
      : GST_VIDEO_FORMAT_RGB, gdk_pixbuf_get_width (picture),
      gdk_pixbuf_get_height (picture));
  buffer = gst_buffer_new_allocate (NULL, GST_VIDEO_INFO_SIZE (&info), NULL);
  gst_video_frame_map (&frame, &info, buffer, GST_MAP_WRITE);
  for (gint y = 0; y < info.height; y++)
    memcpy ((guint8 *) GST_VIDEO_FRAME_PLANE_DATA (&frame, 0)
        + (gsize) y * GST_VIDEO_FRAME_PLANE_STRIDE (&frame, 0),
        pixels + (gsize) y * gdk_pixbuf_get_rowstride (picture),
        (gsize) info.width * (has_alpha ? 4 : 3));
  gst_video_frame_unmap (&frame);
  GST_BUFFER_PTS (buffer) = 0;
  caps = gst_video_info_to_caps (&info);
  sample = gst_sample_new (buffer, caps, NULL, NULL);
  gst_caps_unref (caps);
  gst_buffer_unref (buffer);
  return sample;
}

/* Writes the mask to a PGM file. Returns: the path of the file */
static gchar *
write_mask (RetouchCanvas * canvas, GError ** error)
{
  GdkPixbuf *picture = retouch_canvas_get_picture (canvas);
  gint width = gdk_pixbuf_get_width (picture);
  gint height = gdk_pixbuf_get_height (picture), stride;
  const guint8 *mask = retouch_canvas_get_mask (canvas, &stride);
  GString *text = g_string_sized_new ((gsize) width * height + 32);
  gchar *path = NULL;
  gint file = g_file_open_tmp ("retouch-XXXXXX.pgm", &path, error);

  g_string_printf (text, "P5\n%d %d\n255\n", width, height);
  for (gint y = 0; y < height; y++)
    g_string_append_len (text, (const gchar *) mask + (gsize) y * stride,
        width);
  if (file >= 0) {
    g_close (file, NULL);
    if (!g_file_set_contents (path, text->str, text->len, error)) {
      g_unlink (path);
      g_clear_pointer (&path, g_free);
    }
  }
  g_string_free (text, TRUE);
  return path;
}

/* ---- Output ----------------------------------------------------------------------- */

/* Handles a new frame, in a thread of the pipeline. */
static GstFlowReturn
on_sample (GstElement * sink, gpointer data)
{
  gst_element_post_message (sink, gst_message_new_application
      (GST_OBJECT (sink), gst_structure_new_empty ("retouch-sample")));
  return GST_FLOW_OK;
}

static void
push (RetouchRemoval * self)
{
  GstElement *source = gst_bin_get_by_name (GST_BIN (self->pipeline), "source");
  GstFlowReturn flow;

  g_signal_emit_by_name (source, "push-sample", self->sample, &flow);
  gst_object_unref (source);
}

static GdkPixbuf *
pull (RetouchRemoval * self)
{
  GstElement *sink = gst_bin_get_by_name (GST_BIN (self->pipeline), "sink");
  GdkPixbuf *picture = NULL;
  GstSample *sample = NULL;

  g_signal_emit_by_name (sink, "pull-sample", &sample);
  picture = sample != NULL ? retouch_picture_from_sample (sample) : NULL;
  g_clear_pointer (&sample, gst_sample_unref);
  gst_object_unref (sink);
  return picture;
}

/* Ends the removal with @picture or @error, both (transfer full). */
static void
finish (RetouchRemoval * self, GdkPixbuf * picture, GError * error)
{
  if (error == NULL && picture == NULL)
    error = g_error_new_literal (GST_STREAM_ERROR, GST_STREAM_ERROR_FAILED,
        "the pipeline ended without a picture");
  self->callbacks.done (picture, error, self->data);
  g_clear_object (&picture);
  g_clear_error (&error);
}

static gboolean
on_message (GstBus * bus, GstMessage * message, gpointer data)
{
  RetouchRemoval *self = data;
  const GstStructure *s = gst_message_get_structure (message);
  GdkPixbuf *picture = NULL;
  GError *error = NULL;
  gint percent;

  switch (GST_MESSAGE_TYPE (message)) {
    case GST_MESSAGE_ELEMENT:
      if (gst_structure_has_name (s, "mgpu-inpaint-progress")
          && gst_structure_get_int (s, "percent", &percent)) {
        self->goes_on = percent < 100;
        self->callbacks.progress (percent, self->data);
      }
      return G_SOURCE_CONTINUE;
    case GST_MESSAGE_WARNING:
      gst_message_parse_warning (message, &error, NULL);
      self->callbacks.warning (error->message, self->data);
      g_error_free (error);
      return G_SOURCE_CONTINUE;
    case GST_MESSAGE_ERROR:
      gst_message_parse_error (message, &error, NULL);
      break;
    case GST_MESSAGE_APPLICATION:
      picture = pull (self);
      if (picture == NULL || !self->goes_on)
        break;
      /* Shows the unfinished picture. mgpuinpaint continues with it when it gets the same frame. */
      if (self->callbacks.partial != NULL)
        self->callbacks.partial (picture, self->data);
      g_object_unref (picture);
      push (self);
      return G_SOURCE_CONTINUE;
    default:
      return G_SOURCE_CONTINUE;
  }
  /* Prevents further calls; the callback done() may free @self. */
  self->watch = 0;
  finish (self, picture, error);
  return G_SOURCE_REMOVE;
}

/* ---- Removals --------------------------------------------------------------------- */

/* Starts the pipeline, in a separate thread, because opening a device and building kernels
 * take time. Errors arrive as messages on the bus. */
static gpointer
play (gpointer pipeline)
{
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  return NULL;
}

RetouchRemoval *
retouch_remove (RetouchCanvas * canvas, const RetouchSettings * settings,
    const RetouchCallbacks * callbacks, gpointer data, GError ** error)
{
  GstElement *pipeline, *source, *inpaint, *sink;
  RetouchRemoval *self;
  GstBus *bus;
  gchar *mask;

  pipeline = gst_parse_launch ("appsrc name=source format=time ! "
      "mgpuinpaint name=inpaint ! video/x-raw ! appsink name=sink sync=false "
      "emit-signals=true", error);
  if (pipeline == NULL)
    return NULL;
  mask = write_mask (canvas, error);
  if (mask == NULL) {
    gst_object_unref (pipeline);
    return NULL;
  }

  self = g_new0 (RetouchRemoval, 1);
  self->pipeline = pipeline;
  self->mask = mask;
  self->callbacks = *callbacks;
  self->data = data;
  inpaint = gst_bin_get_by_name (GST_BIN (pipeline), "inpaint");
  g_object_set (inpaint, "mask-location", mask, "patch-size",
      settings->patch_size, "search-factor", settings->search_factor,
      "mask-dilate", settings->mask_dilate, NULL);
  gst_util_set_object_arg (G_OBJECT (inpaint), "method", settings->method);
  /* Only the method that copies one patch after another has intermediate results to show. */
  if (g_str_equal (settings->method, "exemplar"))
    gst_util_set_object_arg (G_OBJECT (inpaint), "mode", "temporal");
  g_object_set (inpaint, "budget-ms", BUDGET, NULL);
  if (settings->device != NULL)
    g_object_set (inpaint, "device", settings->device, NULL);
  gst_object_unref (inpaint);

  source = gst_bin_get_by_name (GST_BIN (pipeline), "source");
  self->sample = sample_from_picture (retouch_canvas_get_picture (canvas));
  g_object_set (source, "caps", gst_sample_get_caps (self->sample), NULL);
  gst_object_unref (source);
  push (self);
  sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  g_signal_connect (sink, "new-sample", G_CALLBACK (on_sample), NULL);
  gst_object_unref (sink);

  bus = gst_element_get_bus (pipeline);
  self->watch = gst_bus_add_watch (bus, on_message, self);
  gst_object_unref (bus);
  self->start = g_thread_new ("retouch-start", play, pipeline);
  return self;
}

void
retouch_removal_free (RetouchRemoval * self)
{
  if (self == NULL)
    return;
  if (self->watch != 0)
    g_source_remove (self->watch);
  g_thread_join (self->start);
  gst_element_set_state (self->pipeline, GST_STATE_NULL);
  gst_object_unref (self->pipeline);
  gst_sample_unref (self->sample);
  g_unlink (self->mask);
  g_free (self->mask);
  g_free (self);
}
