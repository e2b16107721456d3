/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* What a camera sees, filtered and looked at while it plays: elements are switched
 * on and off and tuned, what they find is drawn and plotted. The window is camera.ui.
 *
 *   camera [--source LAUNCH] [--pictures DIRECTORY] */
#include <gst/mgpu/mgpu.h>
#include <gst/video/video.h>
#include <gtk/gtk.h>
#include <math.h>

#define TEST_SOURCE "videotestsrc is-live=true horizontal-speed=2"

/* Frames get to the device once, before the tee. A queue holds one, and drops it for
 * the next, so that a slow branch gets fewer frames and holds up nobody. */
#define QUEUE "queue leaky=downstream max-size-buffers=1 ! "
#define DEVICE_FRAMES "video/x-raw(memory:OpenCLMemory)"
#define PIPELINE "%s ! " QUEUE "mgpuconvert ! " \
    DEVICE_FRAMES ",width=640,height=480,pixel-aspect-ratio=1/1 ! mgpubilateral name=smooth ! " \
    "mgpuhisteq name=equalize method=clahe ! mgpusharpen name=sharpen ! tee name=t " \
    "t. ! " QUEUE "mgpusift name=keypoints ! mgpuhog name=people ! " \
    "fakesink name=analysis sync=false " \
    "t. ! " QUEUE "mgpuconvert ! " DEVICE_FRAMES ",format=RGB ! mgpuoverlay " \
    "name=overlay draw=keypoints+regions ! mgpudownload max-in-flight=1 ! " \
    "gdkpixbufsink name=preview sync=false post-messages=false"

/* What is plotted: ten times a second for a minute; the last point is now. */
#define N_POINTS 600
enum
{
  LATENCY, KEYPOINTS, PEOPLE, N_SERIES
};
static const gchar *const plots[] = { "latency", "keypoints", "people" };

typedef struct
{
  const gchar *source, *directory;
  GtkBuilder *builder;
  GdkPixbuf *picture;           /* NULL: none yet */
  gdouble history[N_POINTS][N_SERIES];
  gint64 tick;                  /* 0.1 s */
  guint n_pictures;             /* in this second */
  GstMgpuContext *context;      /* NULL: to be opened */
  guint n_failures;             /* of devices */
  GstElement *pipeline;         /* NULL: to be built */
} Camera;

static gpointer
get (Camera * self, const gchar * id)
{
  return gtk_builder_get_object (self->builder, id);
}

/* ---- What is seen ------------------------------------------------------------------ */

static void
say (Camera * self, GtkMessageType type, const gchar * what, const gchar * of)
{
  gboolean is_error = type == GTK_MESSAGE_ERROR;
  g_autofree gchar *text =
      g_strconcat (what, is_error ? "\nTrying again: " : " ", of, NULL);

  g_object_set (get (self, "text"), "label", text, NULL);
  g_object_set (get (self, "use-test"), "visible",
      is_error && strcmp (self->source, TEST_SOURCE) != 0, NULL);
  g_object_set (get (self, "info"), "message-type", type, "visible", TRUE, NULL);
}

/* The value now, and beside it the curve */
static gboolean
on_draw_plot (GtkWidget * area, cairo_t * cr, const gdouble * values)
{
  gdouble width = gtk_widget_get_allocated_width (area) - 60;
  gdouble height = gtk_widget_get_allocated_height (area), most = 5;
  g_autofree gchar *text =
      g_strdup_printf ("%.0f", values[(N_POINTS - 1) * N_SERIES]);
  GdkRGBA color;

  gtk_style_context_get_color (gtk_widget_get_style_context (area),
      GTK_STATE_FLAG_NORMAL, &color);
  gdk_cairo_set_source_rgba (cr, &color);
  cairo_set_font_size (cr, 20);
  cairo_move_to (cr, 0, height / 2 + 7);
  cairo_show_text (cr, text);
  cairo_new_path (cr);
  for (guint i = 0; i < N_POINTS; i++)
    most = fmax (most, 1.1 * values[i * N_SERIES]);
  for (guint i = 0; i < N_POINTS; i++)
    cairo_line_to (cr, 60 + width * i / (N_POINTS - 1),
        height - 1 - (height - 2) * values[i * N_SERIES] / most);
  cairo_stroke (cr);
  return TRUE;
}

/* The last picture, as large as there is room: a GtkAspectFrame is around the area. */
static gboolean
on_draw_view (GtkWidget * area, cairo_t * cr, Camera * self)
{
  gdouble scale = gtk_widget_get_allocated_width (area) / 640.;

  cairo_scale (cr, scale, scale);
  if (self->picture != NULL)
    gdk_cairo_set_source_pixbuf (cr, self->picture, 0, 0);
  cairo_paint (cr);
  return TRUE;
}

/* The last frame, its age, and what is attached to it. mgpudownload and on_analysis()
 * have waited for both: here nobody does. */
static void
show_frame (Camera * self)
{
  gdouble *now = self->history[N_POINTS - 1];
  g_autoptr (GdkPixbuf) picture = NULL;
  g_autoptr (GstSample) sample = NULL;
  GstMgpuKeypointMeta *keypoints;
  GstBuffer *frame;

  gst_child_proxy_get (GST_CHILD_PROXY (self->pipeline),
      "preview::last-pixbuf", &picture, "preview::last-sample", &sample, NULL);
  if (sample == NULL || picture == NULL || picture == self->picture)
    return;
  frame = gst_sample_get_buffer (sample);
  keypoints = gst_buffer_get_mgpu_keypoint_meta (frame);
  now[LATENCY] = GST_CLOCK_DIFF (gst_segment_to_running_time
      (gst_sample_get_segment (sample), GST_FORMAT_TIME, frame->pts),
      gst_element_get_current_running_time (self->pipeline)) / 1e6;
  now[KEYPOINTS] = keypoints == NULL ? 0
      : gst_mgpu_keypoint_meta_get_n_keypoints (keypoints);
  now[PEOPLE] = gst_buffer_get_n_meta (frame,
      GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE);
  self->n_pictures++;
  g_set_object (&self->picture, picture);
  gtk_widget_queue_draw (get (self, "view"));
  gtk_widget_queue_draw (get (self, "plots"));
  if (gtk_info_bar_get_message_type (get (self, "info")) == GTK_MESSAGE_ERROR)
    gtk_widget_hide (get (self, "info"));
}

/* What a frame cost the device since the last time, by the statistics of the element
 * that the label is named like */
static void
show_cost (gpointer label, gpointer pipeline)
{
  const gchar *name = GTK_IS_LABEL (label) ? gtk_buildable_get_name (label) : "";
  GstStructure *stats, *old = g_object_get_data (label, "stats");
  guint64 n, time, old_n = 0, old_time = 0;
  g_autofree gchar *text = NULL;

  if (!g_str_has_suffix (name, "::stats"))
    return;
  gst_child_proxy_get (pipeline, name, &stats, NULL);
  gst_structure_get (stats, "frames", G_TYPE_UINT64, &n, "device-time",
      G_TYPE_UINT64, &time, NULL);
  if (old != NULL)
    gst_structure_get (old, "frames", G_TYPE_UINT64, &old_n, "device-time",
        G_TYPE_UINT64, &old_time, NULL);
  if (n > old_n && time > old_time)
    text = g_strdup_printf ("%.1f ms", (time - old_time) / 1e6 / (n - old_n));
  g_object_set (label, "label", text, NULL);
  g_object_set_data_full (label, "stats", stats,
      (GDestroyNotify) gst_structure_free);
}

/* ---- The pipeline ------------------------------------------------------------------ */

/* In the thread of the preview, before mgpuoverlay: a frame gets what was found in the
 * last one that was looked at. Metas are shared: nothing is copied, nobody waits. */
static GstPadProbeReturn
on_preview (GstPad * pad, GstPadProbeInfo * info, gpointer pipeline)
{
  g_autoptr (GstSample) sample = NULL;

  gst_child_proxy_get (pipeline, "analysis::last-sample", &sample, NULL);
  if (sample != NULL) {
    info->data = gst_buffer_make_writable (info->data);
    gst_buffer_copy_into (info->data, gst_sample_get_buffer (sample),
        GST_BUFFER_COPY_META, 0, -1);
  }
  return GST_PAD_PROBE_OK;
}

/* In the thread of the analysis, behind it: waits until the device is done with this
 * frame, so that the preview need not. */
static GstPadProbeReturn
on_analysis (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  GstMgpuKeypointMeta *meta = gst_buffer_get_mgpu_keypoint_meta (info->data);

  if (meta != NULL)
    gst_mgpu_keypoint_meta_get_n_keypoints (meta);
  return GST_PAD_PROBE_OK;
}

static void
stop (Camera * self)
{
  if (self->pipeline != NULL) {
    gst_bus_remove_watch (GST_ELEMENT_BUS (self->pipeline));
    gst_element_set_state (self->pipeline, GST_STATE_NULL);
  }
  gst_clear_object (&self->pipeline);
  memset (self->history[N_POINTS - 1], 0, sizeof (self->history[0]));
  gtk_header_bar_set_subtitle (get (self, "bar"), NULL);
}

/* After an error, and after the end of a file, all is built anew within a second. Errors
 * of our elements that are not about the stream mean the device. */
static gboolean
on_message (GstBus * bus, GstMessage * message, gpointer data)
{
  Camera *self = data;
  g_autoptr (GError) error = NULL;

  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR) {
    gst_message_parse_error (message, &error, NULL);
    say (self, GTK_MESSAGE_ERROR, error->message, self->source);
    stop (self);
    if (g_str_has_prefix (G_OBJECT_TYPE_NAME (message->src), "GstMgpu")
        && error->domain != GST_STREAM_ERROR) {
      self->n_failures++;
      gst_clear_object (&self->context);
    }
  } else if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS) {
    show_frame (self);
    if (self->history[N_POINTS - 1][LATENCY] == 0)
      say (self, GTK_MESSAGE_ERROR, "There was no frame.", self->source);
    stop (self);
  }
  return G_SOURCE_CONTINUE;
}

/* A switch or scale sets what it is named like, "element::property", now and when it
 * changes, while both exist. */
static void
bind (gpointer widget, gpointer pipeline)
{
  gboolean is_switch = GTK_IS_SWITCH (widget);
  g_autoptr (GObject) element = NULL;
  GParamSpec *property;

  if ((is_switch || GTK_IS_SCALE (widget)) && gst_child_proxy_lookup (pipeline,
          gtk_buildable_get_name (widget), &element, &property))
    g_object_bind_property (is_switch ? widget
        : gtk_range_get_adjustment (widget), is_switch ? "active" : "value",
        element, property->name, G_BINDING_SYNC_CREATE);
}

/* The context outlives pipelines, so that kernels stay built. After a failure it is one
 * on the next device, or on the same one where there is no other. */
static void
start (Camera * self)
{
  g_autofree gchar *launch = g_strdup_printf (PIPELINE, self->source);
  g_auto (GStrv) devices = gst_mgpu_list_devices ();
  g_autoptr (GSList) objects = gtk_builder_get_objects (self->builder);
  g_autoptr (GstContext) context = NULL;
  g_autoptr (GstElement) overlay = NULL;
  g_autoptr (GstElement) analysis = NULL;
  g_autoptr (GError) error = NULL;

  if (self->context == NULL)
    self->context = gst_mgpu_context_new (self->n_failures == 0 ? NULL
        : devices[self->n_failures % MAX (g_strv_length (devices), 1)], &error);
  if (self->context != NULL)
    self->pipeline = gst_parse_launch_full (launch, NULL,
        GST_PARSE_FLAG_FATAL_ERRORS, &error);
  if (self->pipeline == NULL) {
    say (self, GTK_MESSAGE_ERROR, error->message, self->source);
    return;
  }
  context = gst_context_new_mgpu_context (self->context);
  gst_element_set_context (self->pipeline, context);
  overlay = gst_bin_get_by_name (GST_BIN (self->pipeline), "overlay");
  gst_pad_add_probe (overlay->sinkpads->data, GST_PAD_PROBE_TYPE_BUFFER,
      on_preview, self->pipeline, NULL);
  analysis = gst_bin_get_by_name (GST_BIN (self->pipeline), "analysis");
  gst_pad_add_probe (analysis->sinkpads->data, GST_PAD_PROBE_TYPE_BUFFER,
      on_analysis, NULL, NULL);
  g_slist_foreach (objects, bind, self->pipeline);
  gst_bus_add_watch (GST_ELEMENT_BUS (self->pipeline), on_message, self);
  /* What fails here comes as a message, too. */
  gst_element_set_state (self->pipeline, GST_STATE_PLAYING);
}

/* ---- The window ----------------------------------------------------------------------- */

/* The LATENCY query tells what elements know that they add. */
static void
on_second (Camera * self)
{
  g_autoptr (GSList) objects = gtk_builder_get_objects (self->builder);
  g_autoptr (GstQuery) query = gst_query_new_latency ();
  g_autofree gchar *text = NULL;
  GstClockTime least = 0;

  if (self->pipeline == NULL) {
    start (self);
    return;
  }
  g_slist_foreach (objects, show_cost, self->pipeline);
  if (gst_element_query (self->pipeline, query))
    gst_query_parse_latency (query, NULL, &least, NULL);
  text = g_strdup_printf ("%u pictures/s   least latency %.0f ms   %s",
      self->n_pictures, least / 1e6,
      gst_mgpu_context_get_device_name (self->context));
  gtk_header_bar_set_subtitle (get (self, "bar"), text);
  self->n_pictures = 0;
}

/* As often as the display shows something */
static gboolean
on_display (GtkWidget * view, GdkFrameClock * clock, gpointer data)
{
  Camera *self = data;
  gint64 tick = gdk_frame_clock_get_frame_time (clock) / 100000;

  if (self->pipeline != NULL)
    show_frame (self);
  if (tick != self->tick) {
    memmove (self->history[0], self->history[1],
        (N_POINTS - 1) * sizeof (self->history[0]));
    gtk_widget_queue_draw (get (self, "plots"));
  }
  if (tick / 10 != self->tick / 10)
    on_second (self);
  self->tick = tick;
  return G_SOURCE_CONTINUE;
}

static void
on_save (Camera * self)
{
  g_autoptr (GDateTime) time = g_date_time_new_now_local ();
  g_autofree gchar *name = g_date_time_format (time, "camera-%F-%H%M%S.png");
  g_autofree gchar *path = g_build_filename (self->directory, name, NULL);
  g_autoptr (GError) error = NULL;

  if (self->picture == NULL)
    return;
  if (gdk_pixbuf_save (self->picture, path, "png", &error, NULL))
    say (self, GTK_MESSAGE_INFO, "Saved as", path);
  else
    say (self, GTK_MESSAGE_WARNING, "Nothing was saved:", error->message);
}

static void
on_use_test (Camera * self)
{
  stop (self);
  self->source = TEST_SOURCE;
}

static void
show_window (GtkApplication * application, Camera * self)
{
  g_autoptr (GtkCssProvider) css = gtk_css_provider_new ();

  g_object_set (gtk_settings_get_default (),
      "gtk-application-prefer-dark-theme", TRUE, NULL);
  gtk_css_provider_load_from_resource (css, "/camera/camera.css");
  gtk_style_context_add_provider_for_screen (gdk_screen_get_default (),
      GTK_STYLE_PROVIDER (css), GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
  self->builder = gtk_builder_new_from_resource ("/camera/camera.ui");
  gtk_builder_add_callback_symbols (self->builder, "stop", G_CALLBACK (stop),
      "on_draw_view", G_CALLBACK (on_draw_view), "on_save",
      G_CALLBACK (on_save), "on_use_test", G_CALLBACK (on_use_test), NULL);
  gtk_builder_connect_signals (self->builder, self);
  for (guint i = 0; i < N_SERIES; i++)
    g_signal_connect (get (self, plots[i]), "draw", G_CALLBACK (on_draw_plot),
        &self->history[0][i]);
  gtk_widget_add_tick_callback (get (self, "view"), on_display, self, NULL);
  gtk_application_add_window (application, get (self, "window"));
  gtk_widget_show_all (get (self, "window"));
  start (self);
}

int
main (int argc, char *argv[])
{
  const gchar *pictures = g_get_user_special_dir (G_USER_DIRECTORY_PICTURES);
  Camera self = {.source = "v4l2src",.directory = pictures ? pictures : "." };
  const GOptionEntry entries[] = {
    {"source", 's', 0, G_OPTION_ARG_STRING, &self.source,
        "Where frames come from: v4l2src, or \"" TEST_SOURCE "\"", "LAUNCH"},
    {"pictures", 'p', 0, G_OPTION_ARG_FILENAME, &self.directory,
        "Where pictures are saved", "DIRECTORY"},
    {NULL}
  };
  g_autoptr (GtkApplication) gtk =
      gtk_application_new (NULL, G_APPLICATION_NON_UNIQUE);
  int status;

  gst_init (&argc, &argv);
  g_application_add_main_option_entries (G_APPLICATION (gtk), entries);
  g_signal_connect (gtk, "activate", G_CALLBACK (show_window), &self);
  status = g_application_run (G_APPLICATION (gtk), argc, argv);
  gst_clear_object (&self.context);
  g_clear_object (&self.picture);
  g_clear_object (&self.builder);
  return status;
}
