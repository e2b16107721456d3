/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Shows the video of a camera, filtered and analyzed. Elements are enabled, disabled and
 * tuned while it plays. Their results are drawn and plotted, and the video can be saved as
 * pictures and recorded. camera.ui describes the window.
 *
 *   camera [--source LAUNCH] [--pictures DIRECTORY] */
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <gst/mgpu/mgpu.h>
#include <gst/video/video.h>
#include <gtk/gtk.h>
#include <math.h>

#include "need-mgpu.h"

#define TEST_SOURCE "videotestsrc is-live=true horizontal-speed=2"

/* Uploads frames once, before the tee. Each queue holds a single frame, which the next
 * frame replaces, so that a slow branch gets fewer frames and does not block the other
 * branches. */
#define QUEUE "queue leaky=downstream max-size-buffers=1 ! "
#define DEVICE_FRAMES "video/x-raw(memory:OpenCLMemory)"
#define PIPELINE "%s ! " QUEUE "mgpuconvert ! " \
    DEVICE_FRAMES ",width=640,height=480,pixel-aspect-ratio=1/1 ! mgpubilateral name=smooth ! " \
    "mgpuhisteq name=equalize method=clahe ! mgpusharpen name=sharpen ! tee name=t " \
    "t. ! " QUEUE "mgpusift name=keypoints ! mgpuhog name=people ! " \
    "fakesink name=analysis sync=false " \
    "t. ! " QUEUE "mgpuconvert ! " DEVICE_FRAMES ",format=RGB ! mgpuoverlay " \
    "name=overlay draw=keypoints+regions ! mgpudownload max-in-flight=1 ! %s" \
    "gdkpixbufsink name=preview sync=false post-messages=false"

/* Records what the preview shows. If the encoder is slow, the queue before it drops
 * frames, so that the encoder does not block the preview. */
#define RECORD "tee name=shown ! " QUEUE "videoconvert ! vp8enc deadline=1 cpu-used=8 " \
    "threads=2 target-bitrate=4000000 ! matroskamux ! filesink name=file shown. ! " QUEUE

/* The type of message that only say_preparing() shows */
#define PREPARING GTK_MESSAGE_OTHER

/* Number of points of a plot: ten per second, for a minute; the last point is the current
 * value */
#define N_POINTS 600
enum
{
  LATENCY, KEYPOINTS, PEOPLE, N_SERIES
};
static const gchar *const plots[] = { "latency", "keypoints", "people" };

typedef struct
{
  const gchar *source, *directory;
  gchar *chosen;                /* owns the text of @source if it was chosen in the window */
  gchar *recording;             /* path of the file to which @pipeline writes; NULL: none */
  GstDeviceMonitor *monitor;    /* lists cameras */
  GtkBuilder *builder;
  GdkPixbuf *picture;           /* last picture of the preview; NULL before the first one */
  gdouble history[N_POINTS][N_SERIES];
  gint64 tick;                  /* 0.1 s */
  guint n_pictures;             /* number of pictures in the current second */
  GstMgpuContext *context;      /* OpenCL context; NULL if a device has to be opened */
  guint n_failures;             /* number of device failures */
  GstElement *pipeline;         /* pipeline; NULL if it has to be built */
  gboolean is_preparing;        /* whether elements of @pipeline are building kernels */
} Camera;

static gpointer
get (Camera * self, const gchar * id)
{
  return gtk_builder_get_object (self->builder, id);
}

/* ---- Display ----------------------------------------------------------------------- */

static void
say (Camera * self, GtkMessageType type, const gchar * what, const gchar * of)
{
  gboolean is_error = type == GTK_MESSAGE_ERROR;
  g_autofree gchar *text =
      g_strconcat (what, is_error ? "\nTrying again: " : " ", of, NULL);

  g_object_set (get (self, "text"), "label", text, NULL);
  g_object_set (get (self, "use-test"), "visible",
      is_error && strcmp (self->source, TEST_SOURCE) != 0, NULL);
  g_object_set (get (self, "info"), "message-type", type, "visible", TRUE,
      NULL);
}

/* Displays the progress that a message "mgpu-building" reports. The first picture after
 * the last program hides this text again, because the driver may compile more when a
 * kernel is first launched. */
static void
say_preparing (Camera * self, const GstStructure * building)
{
  g_autofree gchar *text = NULL;
  guint built, total;

  gst_structure_get (building, "built", G_TYPE_UINT, &built, "total",
      G_TYPE_UINT, &total, NULL);
  self->is_preparing = built < total;
  text = g_strdup_printf ("kernels for %s, once: %u of %u are ready",
      gst_structure_get_string (building, "device"), built, total);
  say (self, PREPARING, "Preparing", text);
}

/* Draws the current value and the curve of the last minute. */
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

/* Draws the last picture, scaled to the whole area. A GtkAspectFrame around the area keeps
 * the aspect ratio. */
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

/* Shows the last frame, its age, and the number of metas attached to it. Does not wait for
 * the device, because mgpudownload and on_analysis() have already waited. */
static void
show_frame (Camera * self)
{
  gdouble *now = self->history[N_POINTS - 1];
  g_autoptr (GdkPixbuf) picture = NULL;
  g_autoptr (GstSample) sample = NULL;
  GstMgpuKeypointMeta *keypoints;
  GtkMessageType type;
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
  type = gtk_info_bar_get_message_type (get (self, "info"));
  if (type == GTK_MESSAGE_ERROR || (type == PREPARING && !self->is_preparing))
    gtk_widget_hide (get (self, "info"));
}

/* Shows the device time per frame since the last call, from the statistics of an element,
 * in the label whose name contains the name of the element. */
static void
show_cost (gpointer label, gpointer pipeline)
{
  const gchar *name =
      GTK_IS_LABEL (label) ? gtk_buildable_get_name (label) : "";
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

/* Attaches the results of the last analyzed frame to a frame of the preview, before
 * mgpuoverlay, in the thread of the preview. Copies of a meta share its data, so this
 * function neither copies results nor waits for the device. */
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

/* Waits until the device has analyzed this frame. This probe runs after the analyzing
 * elements, in their thread, so that the preview need not wait. */
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
  self->is_preparing = FALSE;
  if (self->recording != NULL) {
    g_clear_pointer (&self->recording, g_free);
    gtk_toggle_button_set_active (get (self, "record"), FALSE);
  }
  memset (self->history[N_POINTS - 1], 0, sizeof (self->history[0]));
  gtk_header_bar_set_subtitle (get (self, "bar"), NULL);
}

/* Handles messages of the pipeline. After an error, and after the end of a file, a new
 * pipeline is built within a second. An error of an mgpu element means that the device has
 * failed, unless the error is in the stream domain. */
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
    else if (self->recording != NULL)
      say (self, GTK_MESSAGE_INFO, "Saved as", self->recording);
    stop (self);
  } else if (gst_message_has_name (message, "mgpu-building")) {
    say_preparing (self, gst_message_get_structure (message));
  }
  return G_SOURCE_CONTINUE;
}

/* Binds a switch or scale to the property in its name, "element::property": sets the
 * property now and whenever the widget changes, while both exist. */
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

/* Makes an empty file with an unused name. Returns: (transfer full): the path of the file,
 * also if the file cannot be made (then the later attempt to write it fails) */
static gchar *
make_file (Camera * self, const gchar * extension)
{
  g_autoptr (GDateTime) time = g_date_time_new_now_local ();
  g_autofree gchar *name = g_date_time_format (time, "camera-%F-%H%M%S");

  for (guint i = 1;; i++) {
    g_autofree gchar *number = i > 1 ? g_strdup_printf ("-%u", i) : NULL;
    g_autofree gchar *file = g_strconcat (name, number != NULL ? number : "",
        ".", extension, NULL);
    g_autofree gchar *path = g_build_filename (self->directory, file, NULL);
    gint fd = g_open (path, O_CREAT | O_EXCL | O_WRONLY, 0666);
    gboolean is_taken = fd < 0 && errno == EEXIST;

    if (fd >= 0)
      g_close (fd, NULL);
    if (!is_taken)
      return g_steal_pointer (&path);
  }
}

/* Builds and starts a pipeline. The context outlives pipelines, so kernels are built only
 * once. After a failure of the device, uses a context on the next device, or on the same
 * device if there is only one. */
static void
start (Camera * self)
{
  gboolean records = gtk_toggle_button_get_active (get (self, "record"));
  g_autofree gchar *launch = g_strdup_printf (PIPELINE, self->source,
      records ? RECORD : "");
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
  if (records) {
    self->recording = make_file (self, "mkv");
    gst_child_proxy_set (GST_CHILD_PROXY (self->pipeline), "file::location",
        self->recording, NULL);
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
  /* If the state change fails, an error message arrives as well. */
  gst_element_set_state (self->pipeline, GST_STATE_PLAYING);
}

/* ---- The window ----------------------------------------------------------------------- */

/* The LATENCY query returns the latency that elements report. */
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

/* Updates the window; called for each frame of the display. */
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
  g_autofree gchar *path = NULL;
  g_autoptr (GError) error = NULL;

  if (self->picture == NULL)
    return;
  path = make_file (self, "png");
  if (gdk_pixbuf_save (self->picture, path, "png", &error, NULL))
    say (self, GTK_MESSAGE_INFO, "Saved as", path);
  else
    say (self, GTK_MESSAGE_WARNING, "Nothing was saved:", error->message);
}

/* Starts or stops recording. When recording starts, a pipeline with an encoder is built
 * within a second. When recording stops, the stream is ended first, so that the index of
 * the file is written. */
static void
on_record (Camera * self)
{
  if (gtk_toggle_button_get_active (get (self, "record")))
    stop (self);
  else if (self->recording != NULL)
    gst_element_send_event (self->pipeline, gst_event_new_eos ());
}

/* ---- Sources -------------------------------------------------------------------------- */

/* Describes a camera as a part of a launch line: its element, and the properties that select
 * the camera. Returns: (transfer full): the description */
static gchar *
describe_camera (GstDevice * camera)
{
  g_autoptr (GstElement) element =
      gst_object_ref_sink (gst_device_create_element (camera, NULL));
  GstElementFactory *factory = gst_element_get_factory (element);
  GString *launch = g_string_new (GST_OBJECT_NAME (factory));
  guint n;
  g_autofree GParamSpec **properties = g_object_class_list_properties
      (G_OBJECT_GET_CLASS (element), &n);

  for (guint i = 0; i < n; i++) {
    const GValue *usual = g_param_spec_get_default_value (properties[i]);
    g_autofree gchar *value = NULL;

    if (properties[i]->value_type != G_TYPE_STRING
        || properties[i]->owner_type == GST_TYPE_OBJECT
        || (properties[i]->flags & G_PARAM_READWRITE) != G_PARAM_READWRITE)
      continue;
    g_object_get (element, properties[i]->name, &value, NULL);
    if (value != NULL && g_strcmp0 (value, g_value_get_string (usual)) != 0)
      g_string_append_printf (launch, " %s=\"%s\"", properties[i]->name, value);
  }
  return g_string_free (launch, FALSE);
}

static void on_source (Camera * self);

/* Fills the list of sources, and selects the current source. */
static void
list_sources (Camera * self)
{
  GtkComboBoxText *list = get (self, "source");
  GList *cameras = gst_device_monitor_get_devices (self->monitor);

  g_signal_handlers_block_by_func (list, on_source, self);
  gtk_combo_box_text_remove_all (list);
  for (GList * l = cameras; l != NULL; l = l->next) {
    g_autofree gchar *launch = describe_camera (l->data);
    g_autofree gchar *name = gst_device_get_display_name (l->data);

    gtk_combo_box_text_append (list, launch, name);
  }
  g_list_free_full (cameras, gst_object_unref);
  gtk_combo_box_text_append (list, TEST_SOURCE, "Test picture");
  if (!gtk_combo_box_set_active_id (GTK_COMBO_BOX (list), self->source)) {
    gtk_combo_box_text_append (list, self->source,
        g_str_has_prefix (self->source,
            "v4l2src") ? "Camera" : "File or other");
    gtk_combo_box_set_active_id (GTK_COMBO_BOX (list), self->source);
  }
  g_signal_handlers_unblock_by_func (list, on_source, self);
}

/* Switches to the source elements in @launch, within a second. */
static void
take_source (Camera * self, const gchar * launch)
{
  gchar *old = self->chosen;

  stop (self);
  self->source = self->chosen = g_strdup (launch);
  list_sources (self);
  g_free (old);
}

static void
on_source (Camera * self)
{
  const gchar *launch = gtk_combo_box_get_active_id (get (self, "source"));

  if (launch != NULL && strcmp (launch, self->source) != 0)
    take_source (self, launch);
}

static void
on_file (Camera * self)
{
  g_autofree gchar *uri = gtk_file_chooser_get_uri (get (self, "file"));
  g_autofree gchar *launch =
      g_strdup_printf ("uridecodebin uri=\"%s\" ! videoconvert ! clocksync",
      uri);

  if (uri != NULL)
    take_source (self, launch);
}

static void
on_use_test (Camera * self)
{
  take_source (self, TEST_SOURCE);
}

/* Updates the list of sources when a camera is plugged in or removed. */
static gboolean
on_device (GstBus * bus, GstMessage * message, gpointer self)
{
  list_sources (self);
  return G_SOURCE_CONTINUE;
}

static void
watch_cameras (Camera * self)
{
  g_autoptr (GstBus) bus = NULL;

  self->monitor = gst_device_monitor_new ();
  gst_device_monitor_add_filter (self->monitor, "Video/Source", NULL);
  bus = gst_device_monitor_get_bus (self->monitor);
  gst_bus_add_watch (bus, on_device, self);
  gst_device_monitor_start (self->monitor);
  list_sources (self);
}

/* ---- The program ---------------------------------------------------------------------- */

/* Hides the window immediately, because stop() may wait for kernels that are being built. */
static gboolean
on_close (GtkWidget * window)
{
  gtk_widget_hide (window);
  gdk_display_flush (gtk_widget_get_display (window));
  return FALSE;
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
      G_CALLBACK (on_save), "on_use_test", G_CALLBACK (on_use_test),
      "on_record", G_CALLBACK (on_record), "on_source", G_CALLBACK (on_source),
      "on_file", G_CALLBACK (on_file), "on_close", G_CALLBACK (on_close), NULL);
  gtk_builder_connect_signals (self->builder, self);
  for (guint i = 0; i < N_SERIES; i++)
    g_signal_connect (get (self, plots[i]), "draw", G_CALLBACK (on_draw_plot),
        &self->history[0][i]);
  gtk_widget_add_tick_callback (get (self, "view"), on_display, self, NULL);
  gtk_application_add_window (application, get (self, "window"));
  gtk_widget_show_all (get (self, "window"));
  watch_cameras (self);
  start (self);
}

static void
clear (Camera * self)
{
  if (self->monitor != NULL) {
    g_autoptr (GstBus) bus = gst_device_monitor_get_bus (self->monitor);

    gst_device_monitor_stop (self->monitor);
    gst_bus_remove_watch (bus);
  }
  gst_clear_object (&self->monitor);
  gst_clear_object (&self->context);
  g_clear_object (&self->picture);
  g_clear_object (&self->builder);
  g_free (self->chosen);
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
        "Where pictures and recordings are saved", "DIRECTORY"},
    {NULL}
  };
  g_autoptr (GtkApplication) gtk =
      gtk_application_new (NULL, G_APPLICATION_NON_UNIQUE);
  int status;

  gst_init (&argc, &argv);
  if (!has_mgpu ())
    return 1;
  g_application_add_main_option_entries (G_APPLICATION (gtk), entries);
  g_signal_connect (gtk, "activate", G_CALLBACK (show_window), &self);
  status = g_application_run (G_APPLICATION (gtk), argc, argv);
  clear (&self);
  return status;
}
