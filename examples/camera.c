/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* What a camera sees, filtered and looked at while it plays: elements are switched
 * on and off and tuned, what they find is drawn and plotted.
 *
 *   camera [--source LAUNCH] [--pictures DIRECTORY] */
#include <gst/mgpu/mgpu.h>
#include <gst/video/video.h>
#include <gtk/gtk.h>
#include <math.h>

#define TEST_SOURCE "videotestsrc is-live=true horizontal-speed=2"

/* Frames get to the device once, before the tee. A queue holds one, and drops it for
 * the next, so that a slow branch gets fewer frames and holds up nobody. A live source
 * that filled frames of the device would wait for it, and fall behind: its own ones it
 * has at once. */
#define QUEUE "queue leaky=downstream max-size-buffers=1 ! "
#define DEVICE_FRAMES "video/x-raw(memory:OpenCLMemory)"
#define PIPELINE "%s ! identity drop-allocation=true ! " QUEUE "mgpuconvert ! " \
    DEVICE_FRAMES ",width=640,height=480,pixel-aspect-ratio=1/1 ! mgpubilateral name=smooth ! " \
    "mgpuhisteq name=equalize method=clahe ! mgpusharpen name=sharpen ! tee name=t " \
    "t. ! " QUEUE "mgpusift name=keypoints ! mgpuhog name=people ! " \
    "fakesink name=analysis sync=false " \
    "t. ! " QUEUE "mgpuconvert ! " DEVICE_FRAMES ",format=RGB ! mgpuoverlay " \
    "name=overlay draw=keypoints+regions ! mgpudownload max-in-flight=1 ! " \
    "gdkpixbufsink name=preview sync=false post-messages=false"

/* Rows of the panel: what is set in which element of the pipeline. The property
 * "enabled" has a switch, others have sliders. */
static const struct
{
  const gchar *element, *property, *label;
  gdouble value, min, max, step;
} rows[] = {
  {"smooth", "enabled", "Smooth", FALSE, 0, 0, 0},
  {"smooth", "sigma-color", "Sigma color", 30, 5, 120, 1},
  {"smooth", "sigma-space", "Sigma space", 3, 1, 8, 0.5},
  {"equalize", "enabled", "Equalize", FALSE, 0, 0, 0},
  {"equalize", "clip-limit", "Clip limit", 3, 1, 10, 0.5},
  {"equalize", "temporal-smoothing", "Steadiness", 0.8, 0, 0.98, 0.02},
  {"sharpen", "enabled", "Sharpen", FALSE, 0, 0, 0},
  {"sharpen", "amount", "Amount", 1, 0, 4, 0.1},
  {"sharpen", "sigma", "Sigma", 1.5, 0.5, 8, 0.5},
  {"keypoints", "enabled", "Keypoints", TRUE, 0, 0, 0},
  {"keypoints", "max-features", "At most", 300, 20, 1000, 20},
  {"keypoints", "contrast-threshold", "Contrast", 0.04, 0.01, 0.2, 0.01},
  {"people", "enabled", "People", FALSE, 0, 0, 0},
  {"people", "threshold", "Score", 0, -0.5, 1.5, 0.05}
};
#define N_ROWS G_N_ELEMENTS (rows)

static gboolean
is_switch (guint i)
{
  return strcmp (rows[i].property, "enabled") == 0;
}

/* What is plotted: a value ten times a second for a minute; -1: there is none */
#define N_POINTS 600
enum
{
  LATENCY, KEYPOINTS, PEOPLE, N_SERIES
};
static const struct
{
  const gchar *label;
  gdouble red, green, blue;
} series[N_SERIES] = {
  {"ms latency", 0.38, 0.68, 1}, {"keypoints", 0.35, 0.85, 0.5},
  {"people", 1, 0.72, 0.2}
};

typedef struct
{
  gchar *source, *directory;
  GtkWidget *bar, *info, *text, *use_test, *view, *plot;
  GObject *values[N_ROWS];      /* switches, and the adjustments of sliders */
  GtkWidget *labels[N_ROWS];
  GdkPixbuf *picture;           /* NULL: none yet */
  gdouble now[N_SERIES], history[N_SERIES][N_POINTS];
  guint n_pictures, n_ticks;    /* in this second; ever */
  guint ticker, retry;          /* sources of the main loop */

  GstMgpuContext *context;      /* NULL: to be opened */
  guint n_failures;             /* of devices */
  GstElement *pipeline;         /* NULL: it waits for retry */
  GstElement *preview;
  guint64 n_frames[N_ROWS], device_time[N_ROWS];        /* a second ago */
} Camera;

/* ---- The pipeline ------------------------------------------------------------------ */

static gboolean
copy_finding (GstBuffer * from, GstMeta ** meta, gpointer to)
{
  GstMetaTransformCopy all = { FALSE, 0, -1 };

  if ((*meta)->info->api == GST_MGPU_KEYPOINT_META_API_TYPE
      || (*meta)->info->api == GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE)
    (*meta)->info->transform_func (to, *meta, from,
        g_quark_from_static_string ("gst-copy"), &all);
  return TRUE;
}

/* In the thread of the preview, before mgpuoverlay: a frame gets what was found in the
 * last one that was looked at. Metas are shared: nothing is copied, nobody waits. */
static GstPadProbeReturn
on_preview (GstPad * pad, GstPadProbeInfo * info, gpointer analysis)
{
  g_autoptr (GstSample) sample = NULL;

  g_object_get (analysis, "last-sample", &sample, NULL);
  if (sample != NULL) {
    info->data = gst_buffer_make_writable (info->data);
    gst_buffer_foreach_meta (gst_sample_get_buffer (sample), copy_finding,
        info->data);
  }
  return GST_PAD_PROBE_OK;
}

/* In the thread of the analysis, behind it: the next frame comes when the device is done
 * with this one. Otherwise it would get more and more to do, before the preview. */
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
  if (self->retry != 0)
    g_source_remove (self->retry);
  self->retry = 0;
  if (self->pipeline == NULL)
    return;
  gst_bus_remove_signal_watch (GST_ELEMENT_BUS (self->pipeline));
  gst_element_set_state (self->pipeline, GST_STATE_NULL);
  gst_clear_object (&self->preview);
  gst_clear_object (&self->pipeline);
  for (guint i = 0; i < N_SERIES; i++)
    self->now[i] = -1;
}

static gboolean start (gpointer data);

static void
say (Camera * self, GtkMessageType type, const gchar * text)
{
  gtk_info_bar_set_message_type (GTK_INFO_BAR (self->info), type);
  gtk_label_set_text (GTK_LABEL (self->text), text);
  gtk_widget_set_visible (self->use_test, type == GTK_MESSAGE_ERROR
      && g_strcmp0 (self->source, TEST_SOURCE) != 0);
  gtk_widget_show (self->info);
}

/* Whatever it was, all of it is built anew in a while. */
static void
fail (Camera * self, gboolean is_of_source, const gchar * why)
{
  g_autofree gchar *text = g_strdup_printf ("%s%s%s\nTrying again.",
      is_of_source ? self->source : "", is_of_source ? ": " : "", why);

  stop (self);
  say (self, GTK_MESSAGE_ERROR, text);
  self->retry = g_timeout_add (1500, start, self);
}

/* Our elements name themselves, those of the source may not. Errors of ours that are
 * not about the stream mean the device. */
static void
on_error (GstBus * bus, GstMessage * message, gpointer data)
{
  Camera *self = data;
  GstElementFactory *factory = GST_IS_ELEMENT (message->src)
      ? gst_element_get_factory (GST_ELEMENT (message->src)) : NULL;
  gboolean is_ours = factory != NULL
      && g_str_has_prefix (GST_OBJECT_NAME (factory), "mgpu");
  g_autoptr (GError) error = NULL;

  gst_message_parse_error (message, &error, NULL);
  if (is_ours && error->domain != GST_STREAM_ERROR) {
    self->n_failures++;
    gst_clear_object (&self->context);
  }
  fail (self, !is_ours, error->message);
}

/* A file begins again, but for one without frames. */
static void
on_eos (GstBus * bus, GstMessage * message, gpointer data)
{
  Camera *self = data;
  g_autoptr (GstSample) last = NULL;

  g_object_get (self->preview, "last-sample", &last, NULL);
  if (last == NULL) {
    fail (self, TRUE, "There was no frame.");
  } else {
    stop (self);
    start (self);
  }
}

/* Widgets set properties now and when they change, while both exist. */
static void
connect_pipeline (Camera * self)
{
  GstBin *bin = GST_BIN (self->pipeline);
  GstBus *bus = GST_ELEMENT_BUS (self->pipeline);
  g_autoptr (GstElement) overlay = gst_bin_get_by_name (bin, "overlay");
  GstElement *analysis = gst_bin_get_by_name (bin, "analysis");
  g_autoptr (GstContext) context =
      gst_context_new_mgpu_context (self->context);

  for (guint i = 0; i < N_ROWS; i++) {
    g_autoptr (GstElement) element = gst_bin_get_by_name (bin, rows[i].element);

    g_object_bind_property (self->values[i], is_switch (i) ? "active" : "value",
        element, rows[i].property, G_BINDING_SYNC_CREATE);
    self->n_frames[i] = self->device_time[i] = 0;
  }
  self->preview = gst_bin_get_by_name (bin, "preview");
  gst_pad_add_probe (analysis->sinkpads->data, GST_PAD_PROBE_TYPE_BUFFER,
      on_analysis, NULL, NULL);
  gst_pad_add_probe (overlay->sinkpads->data, GST_PAD_PROBE_TYPE_BUFFER,
      on_preview, analysis, gst_object_unref);
  gst_element_set_context (self->pipeline, context);
  gst_bus_add_signal_watch (bus);
  g_signal_connect (bus, "message::error", G_CALLBACK (on_error), self);
  g_signal_connect (bus, "message::eos", G_CALLBACK (on_eos), self);
}

/* The context outlives pipelines, so that kernels stay built. After a failure it is one
 * on the next device, or on the same one where there is no other. */
static gboolean
start (gpointer data)
{
  Camera *self = data;
  g_autofree gchar *launch = g_strdup_printf (PIPELINE, self->source);
  g_auto (GStrv) devices = gst_mgpu_list_devices ();
  guint n = MAX (g_strv_length (devices), 1);
  g_autoptr (GError) error = NULL;

  self->retry = 0;
  if (self->context == NULL)
    self->context = gst_mgpu_context_new (self->n_failures == 0 ? NULL
        : devices[self->n_failures % n], &error);
  if (self->context != NULL)
    self->pipeline = gst_parse_launch_full (launch, NULL,
        GST_PARSE_FLAG_FATAL_ERRORS, &error);
  if (self->pipeline != NULL) {
    connect_pipeline (self);
    /* What fails here comes as a message, too. */
    gst_element_set_state (self->pipeline, GST_STATE_PLAYING);
  } else
    fail (self, self->context != NULL, error->message);
  return G_SOURCE_REMOVE;
}

/* ---- What is seen ------------------------------------------------------------------ */

/* One curve under the other, each on its scale, with what it is now */
static gboolean
on_draw_plot (GtkWidget * area, cairo_t * cr, gpointer data)
{
  Camera *self = data;
  gdouble width = gtk_widget_get_allocated_width (area) - 162;
  gdouble height = gtk_widget_get_allocated_height (area) / N_SERIES - 8;

  cairo_translate (cr, 150, 0);
  cairo_set_font_size (cr, 15);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  for (guint i = 0; i < N_SERIES; i++) {
    g_autofree gchar *text = g_strdup_printf ("%.0f %s", self->now[i], series[i].label);
    gdouble most = 5;

    for (guint j = 0; j < N_POINTS; j++)
      most = fmax (most, 1.1 * self->history[i][j]);
    cairo_set_source_rgb (cr, 0.12, 0.12, 0.14);
    cairo_rectangle (cr, 0, 0, width, height);
    cairo_fill (cr);
    cairo_set_source_rgb (cr, series[i].red, series[i].green, series[i].blue);
    cairo_move_to (cr, -136, height / 2 + 5);
    cairo_show_text (cr, self->now[i] < 0 ? series[i].label : text);
    cairo_new_path (cr);
    for (guint j = 0; j < N_POINTS; j++)
      if (self->history[i][j] < 0)
        cairo_new_sub_path (cr);
      else
        cairo_line_to (cr, width * j / (N_POINTS - 1),
            height - 1 - (height - 2) * self->history[i][j] / most);
    cairo_stroke (cr);
    cairo_translate (cr, 0, height + 8);
  }
  return TRUE;
}

/* The last picture, as large as there is room */
static gboolean
on_draw_view (GtkWidget * area, cairo_t * cr, gpointer data)
{
  GdkPixbuf *picture = ((Camera *) data)->picture;
  gdouble width = gtk_widget_get_allocated_width (area);
  gdouble height = gtk_widget_get_allocated_height (area);
  gint w = picture != NULL ? gdk_pixbuf_get_width (picture) : 1;
  gint h = picture != NULL ? gdk_pixbuf_get_height (picture) : 1;
  gdouble scale = fmin (width / w, height / h);

  if (picture == NULL)
    return TRUE;
  cairo_translate (cr, (width - scale * w) / 2, (height - scale * h) / 2);
  cairo_scale (cr, scale, scale);
  gdk_cairo_set_source_pixbuf (cr, picture, 0, 0);
  cairo_paint (cr);
  return TRUE;
}

/* As often as the display shows something: the last frame, its age, and what is
 * attached to it. mgpudownload and on_analysis() have waited for both: here nobody
 * does. */
static gboolean
on_display (GtkWidget * area, GdkFrameClock * clock, gpointer data)
{
  Camera *self = data;
  g_autoptr (GdkPixbuf) picture = NULL;
  g_autoptr (GstSample) sample = NULL;

  if (self->preview != NULL)
    g_object_get (self->preview, "last-pixbuf", &picture, "last-sample",
        &sample, NULL);
  if (sample != NULL && picture != NULL && picture != self->picture) {
    GstBuffer *frame = gst_sample_get_buffer (sample);
    GstMgpuKeypointMeta *keypoints = gst_buffer_get_mgpu_keypoint_meta (frame);
    GstClockTime taken = gst_segment_to_running_time (gst_sample_get_segment
        (sample), GST_FORMAT_TIME, GST_BUFFER_PTS (frame));

    g_set_object (&self->picture, picture);
    self->n_pictures++;
    self->now[LATENCY] = GST_CLOCK_DIFF (taken,
        gst_element_get_current_running_time (self->preview)) / 1e6;
    self->now[KEYPOINTS] = keypoints == NULL ? 0
        : gst_mgpu_keypoint_meta_get_n_keypoints (keypoints);
    self->now[PEOPLE] = gst_buffer_get_n_meta (frame,
        GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE);
    if (gtk_info_bar_get_message_type (GTK_INFO_BAR (self->info))
        == GTK_MESSAGE_ERROR)
      gtk_widget_hide (self->info);
    gtk_widget_queue_draw (area);
  }
  return G_SOURCE_CONTINUE;
}

/* What a frame costs the device, by the element's statistics */
static void
show_cost (Camera * self, guint i)
{
  g_autoptr (GstElement) element =
      gst_bin_get_by_name (GST_BIN (self->pipeline), rows[i].element);
  g_autoptr (GstStructure) stats = NULL;
  g_autofree gchar *text = g_strdup (rows[i].label);
  guint64 n = 0, time = 0;

  g_object_get (element, "stats", &stats, NULL);
  gst_structure_get (stats, "frames", G_TYPE_UINT64, &n, "device-time",
      G_TYPE_UINT64, &time, NULL);
  if (time > self->device_time[i] && n > self->n_frames[i]) {
    g_free (text);
    text = g_strdup_printf ("%s   %.1f ms", rows[i].label,
        (time - self->device_time[i]) / 1e6 / (n - self->n_frames[i]));
  }
  gtk_label_set_text (GTK_LABEL (self->labels[i]), text);
  self->n_frames[i] = n;
  self->device_time[i] = time;
}

/* The LATENCY query tells what elements know that they add. */
static void
show_second (Camera * self)
{
  g_autoptr (GstQuery) query = gst_query_new_latency ();
  g_autofree gchar *text = NULL;
  GstClockTime least = 0;

  for (guint i = 0; i < N_ROWS && self->pipeline != NULL; i++)
    if (is_switch (i))
      show_cost (self, i);
  if (self->pipeline != NULL && gst_element_query (self->pipeline, query))
    gst_query_parse_latency (query, NULL, &least, NULL);
  text = g_strdup_printf ("%u pictures/s   least latency %.0f ms   %s",
      self->n_pictures, least / 1e6, self->context == NULL ? ""
      : gst_mgpu_context_get_device_name (self->context));
  gtk_header_bar_set_subtitle (GTK_HEADER_BAR (self->bar), text);
  self->n_pictures = 0;
}

static gboolean
on_tick (gpointer data)
{
  Camera *self = data;

  for (guint i = 0; i < N_SERIES; i++) {
    memmove (self->history[i], self->history[i] + 1,
        (N_POINTS - 1) * sizeof (gdouble));
    self->history[i][N_POINTS - 1] = self->now[i];
  }
  if (++self->n_ticks % 10 == 0)
    show_second (self);
  gtk_widget_queue_draw (self->plot);
  return G_SOURCE_CONTINUE;
}

/* ---- The window ----------------------------------------------------------------------- */

static void
on_save (GtkButton * button, gpointer data)
{
  Camera *self = data;
  g_autoptr (GDateTime) time = g_date_time_new_now_local ();
  g_autofree gchar *name =
      g_date_time_format (time, "camera-%F-%H%M%S.png");
  g_autofree gchar *path = g_build_filename (self->directory, name, NULL);
  g_autofree gchar *text = NULL;
  g_autoptr (GError) error = NULL;

  if (self->picture == NULL)
    return;
  if (gdk_pixbuf_save (self->picture, path, "png", &error, NULL))
    text = g_strdup_printf ("Saved as %s", path);
  else
    text = g_strdup_printf ("Nothing was saved: %s", error->message);
  say (self, error ? GTK_MESSAGE_WARNING : GTK_MESSAGE_INFO, text);
}

static void
on_response (GtkInfoBar * info, gint response, gpointer data)
{
  Camera *self = data;

  gtk_widget_hide (self->info);
  if (response != GTK_RESPONSE_ACCEPT)
    return;
  stop (self);
  g_free (self->source);
  self->source = g_strdup (TEST_SOURCE);
  start (self);
}

static void
on_destroy (GtkWidget * window, gpointer data)
{
  Camera *self = data;

  g_source_remove (self->ticker);
  stop (self);
  gst_clear_object (&self->context);
  g_clear_object (&self->picture);
}

/* A label, and on the right a switch or a slider */
static GtkWidget *
make_row (Camera * self, guint i)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12), *widget;

  self->labels[i] = gtk_label_new (rows[i].label);
  if (is_switch (i)) {
    widget = gtk_switch_new ();
    self->values[i] = G_OBJECT (widget);
    g_object_set (widget, "name", rows[i].element, "active", rows[i].value != 0,
        NULL);
    gtk_widget_set_margin_top (row, 12);
  } else {
    widget = gtk_scale_new_with_range (GTK_ORIENTATION_HORIZONTAL, rows[i].min,
        rows[i].max, rows[i].step);
    self->values[i] = G_OBJECT (gtk_range_get_adjustment (GTK_RANGE (widget)));
    g_object_set (self->values[i], "value", rows[i].value, NULL);
    g_object_set (widget, "name", rows[i].property, "value-pos", GTK_POS_RIGHT,
        "width-request", 200, NULL);
  }
  gtk_box_pack_start (GTK_BOX (row), self->labels[i], FALSE, FALSE, 0);
  gtk_box_pack_end (GTK_BOX (row), widget, FALSE, FALSE, 0);
  return row;
}

/* Sliders belong to the switch above them. */
static GtkWidget *
make_panel (Camera * self)
{
  GtkWidget *panel = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *row;
  GObject *toggle = NULL;

  g_object_set (panel, "border-width", 14, NULL);
  for (guint i = 0; i < N_ROWS; i++) {
    row = make_row (self, i);
    gtk_container_add (GTK_CONTAINER (panel), row);
    if (is_switch (i))
      toggle = self->values[i];
    else
      g_object_bind_property (toggle, "active", row, "sensitive",
          G_BINDING_SYNC_CREATE);
  }
  return panel;
}

static void
make_info (Camera * self)
{
  GtkInfoBar *info = GTK_INFO_BAR (gtk_info_bar_new ());

  self->info = GTK_WIDGET (info);
  self->text = gtk_label_new (NULL);
  self->use_test = gtk_info_bar_add_button (info, "_Use Test Source",
      GTK_RESPONSE_ACCEPT);
  g_object_set (info, "name", "info", "show-close-button", TRUE, NULL);
  g_object_set (self->text, "name", "text", "wrap", TRUE, "xalign", 0., NULL);
  g_object_set (self->use_test, "name", "use-test", NULL);
  gtk_container_add (GTK_CONTAINER (gtk_info_bar_get_content_area (info)),
      self->text);
  gtk_widget_show_all (self->info);
  g_object_set (info, "visible", FALSE, "no-show-all", TRUE, NULL);
  g_signal_connect (info, "response", G_CALLBACK (on_response), self);
}

static void
show_window (GtkApplication * application, gpointer data)
{
  Camera *self = data;
  GtkWidget *window = gtk_application_window_new (application);
  GtkWidget *grid = gtk_grid_new (), *save = gtk_button_new_with_label ("Save");
  const gchar *pictures = g_get_user_special_dir (G_USER_DIRECTORY_PICTURES);

  if (self->source == NULL)
    self->source = g_strdup ("v4l2src");
  if (self->directory == NULL)
    self->directory = g_strdup (pictures != NULL ? pictures : ".");
  for (guint i = 0; i < N_SERIES * N_POINTS; i++)
    self->history[i / N_POINTS][i % N_POINTS] = -1;
  g_object_set (gtk_settings_get_default (),
      "gtk-application-prefer-dark-theme", TRUE, NULL);
  self->bar = gtk_header_bar_new ();
  self->view = gtk_drawing_area_new ();
  self->plot = gtk_drawing_area_new ();
  make_info (self);
  g_object_set (self->bar, "title", "Camera", "show-close-button", TRUE, NULL);
  g_object_set (save, "name", "save", NULL);
  g_object_set (self->view, "width-request", 640, "expand", TRUE, NULL);
  g_object_set (self->plot, "height-request", 150, NULL);
  gtk_container_add (GTK_CONTAINER (self->bar), save);
  gtk_grid_attach (GTK_GRID (grid), self->info, 0, 0, 2, 1);
  gtk_grid_attach (GTK_GRID (grid), self->view, 0, 1, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), make_panel (self), 1, 1, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), self->plot, 0, 2, 2, 1);
  gtk_window_set_titlebar (GTK_WINDOW (window), self->bar);
  gtk_container_add (GTK_CONTAINER (window), grid);
  g_signal_connect (save, "clicked", G_CALLBACK (on_save), self);
  g_signal_connect (self->view, "draw", G_CALLBACK (on_draw_view), self);
  g_signal_connect (self->plot, "draw", G_CALLBACK (on_draw_plot), self);
  g_signal_connect (window, "destroy", G_CALLBACK (on_destroy), self);
  gtk_widget_add_tick_callback (self->view, on_display, self, NULL);
  self->ticker = g_timeout_add (100, on_tick, self);
  gtk_widget_show_all (window);
  start (self);
}

int
main (int argc, char *argv[])
{
  Camera self = {.source = NULL };
  const GOptionEntry entries[] = {
    {"source", 's', 0, G_OPTION_ARG_STRING, &self.source, "Where frames come "
          "from (v4l2src), like \"v4l2src device=/dev/video1\" or \""
          TEST_SOURCE "\"", "LAUNCH"},
    {"pictures", 'p', 0, G_OPTION_ARG_FILENAME, &self.directory,
        "Where pictures are saved", "DIRECTORY"},
    {NULL}
  };
  GtkApplication *gtk = gtk_application_new (NULL, G_APPLICATION_NON_UNIQUE);
  GApplication *application = G_APPLICATION (gtk);
  int status;

  g_application_add_main_option_entries (application, entries);
  g_application_add_option_group (application, gst_init_get_option_group ());
  g_signal_connect (application, "activate", G_CALLBACK (show_window), &self);
  status = g_application_run (application, argc, argv);
  g_object_unref (application);
  g_free (self.source);
  g_free (self.directory);
  return status;
}
