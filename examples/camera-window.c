/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "camera.h"

#include <gtk/gtk.h>
#include <math.h>

enum
{
  LATENCY,
  KEYPOINTS,
  PEOPLE,
  N_SERIES
};

typedef struct
{
  GtkWidget *window, *bar, *info, *text, *view, *plot;
  gchar *directory;
  CameraStream *stream;

  cairo_surface_t *frame;       /* NULL: none yet */
  CameraFindings findings;      /* the last ones */
  CameraSeries series[N_SERIES];
  guint n_frames;               /* since then */
  gint64 since;
} Window;

static const gchar css[] =
    "window { background: #1b1c20; }"
    ".card { background: #26272c; border-radius: 8px; padding: 6px 12px; }"
    ".card label.title { font-weight: bold; }"
    ".card scale { padding-top: 0; padding-bottom: 0; }"
    ".card .name, .card scale value { color: #a5a7ae; font-size: 90%; }";

static void
say (gboolean is_error, const gchar * text, gpointer data)
{
  Window *self = data;

  gtk_info_bar_set_message_type (GTK_INFO_BAR (self->info),
      is_error ? GTK_MESSAGE_ERROR : GTK_MESSAGE_INFO);
  gtk_label_set_text (GTK_LABEL (self->text), text);
  gtk_widget_show (self->info);
}

/* ---- What is seen ------------------------------------------------------------------ */

static gboolean
on_draw_view (GtkWidget * area, cairo_t * cr, gpointer data)
{
  Window *self = data;
  gdouble room_x = gtk_widget_get_allocated_width (area);
  gdouble room_y = gtk_widget_get_allocated_height (area);
  gdouble width, height, scale;

  cairo_set_source_rgb (cr, 0.06, 0.06, 0.07);
  cairo_paint (cr);
  if (self->frame == NULL)
    return TRUE;
  width = cairo_image_surface_get_width (self->frame);
  height = cairo_image_surface_get_height (self->frame);
  scale = fmin (room_x / width, room_y / height);
  cairo_translate (cr, floor ((room_x - scale * width) / 2),
      floor ((room_y - scale * height) / 2));
  cairo_scale (cr, scale, scale);
  cairo_rectangle (cr, 0, 0, width, height);
  cairo_clip (cr);
  camera_draw_frame (cr, self->frame, &self->findings);
  return TRUE;
}

static gboolean
on_draw_plot (GtkWidget * area, cairo_t * cr, gpointer data)
{
  Window *self = data;

  cairo_set_source_rgb (cr, 0.149, 0.153, 0.173);
  cairo_paint (cr);
  camera_draw_plot (cr, gtk_widget_get_allocated_width (area),
      gtk_widget_get_allocated_height (area), self->series, N_SERIES);
  return TRUE;
}

static void
on_second (Window * self, gint64 now)
{
  gchar *text = g_strdup_printf ("%d\303\227%d   %.1f frames/s   %s",
      cairo_image_surface_get_width (self->frame),
      cairo_image_surface_get_height (self->frame),
      self->n_frames * 1e6 / (now - self->since),
      camera_stream_get_device_name (self->stream));

  gtk_header_bar_set_subtitle (GTK_HEADER_BAR (self->bar), text);
  g_free (text);
  self->n_frames = 0;
  self->since = now;
}

/* As often as the display shows something */
static gboolean
on_tick (GtkWidget * area, GdkFrameClock * clock, gpointer data)
{
  Window *self = data;
  gint64 now = g_get_monotonic_time ();
  gdouble latency;
  cairo_surface_t *frame = camera_stream_take_frame (self->stream, &latency);
  CameraFindings findings;

  if (camera_stream_take_findings (self->stream, &findings)) {
    camera_findings_clear (&self->findings);
    self->findings = findings;
    camera_series_add (&self->series[KEYPOINTS], findings.keypoints == NULL
        ? NAN : g_bytes_get_size (findings.keypoints) / 28);
    camera_series_add (&self->series[PEOPLE], findings.people == NULL ? NAN
        : findings.people->len);
  }
  if (frame == NULL)
    return G_SOURCE_CONTINUE;
  g_clear_pointer (&self->frame, cairo_surface_destroy);
  self->frame = frame;
  self->n_frames++;
  camera_series_add (&self->series[LATENCY], latency);
  if (now - self->since >= G_USEC_PER_SEC)
    on_second (self, now);
  gtk_widget_queue_draw (self->view);
  gtk_widget_queue_draw (self->plot);
  return G_SOURCE_CONTINUE;
}

/* As it is seen, in the size of the frame */
static void
on_save (GtkButton * button, gpointer data)
{
  Window *self = data;
  GDateTime *now = g_date_time_new_now_local ();
  gchar *name = g_date_time_format (now, "camera-%Y-%m-%d-%H%M%S.png");
  gchar *path = g_build_filename (self->directory, name, NULL), *text;
  cairo_surface_t *picture;
  cairo_status_t status;
  cairo_t *cr;

  if (self->frame != NULL) {
    picture = cairo_image_surface_create (CAIRO_FORMAT_RGB24,
        cairo_image_surface_get_width (self->frame),
        cairo_image_surface_get_height (self->frame));
    cr = cairo_create (picture);
    camera_draw_frame (cr, self->frame, &self->findings);
    cairo_destroy (cr);
    status = cairo_surface_write_to_png (picture, path);
    cairo_surface_destroy (picture);
    text = status == CAIRO_STATUS_SUCCESS ? g_strdup_printf ("Saved as %s", path)
        : g_strdup_printf ("%s cannot be written: %s", path,
        cairo_status_to_string (status));
    say (status != CAIRO_STATUS_SUCCESS, text, self);
    g_free (text);
  }
  g_free (path);
  g_free (name);
  g_date_time_unref (now);
}

/* ---- What can be changed -------------------------------------------------------------- */

/* Numbers of a widget's stage and control */
#define STAGE "stage"
#define CONTROL "control"

static guint
number (gpointer widget, const gchar * key)
{
  return GPOINTER_TO_UINT (g_object_get_data (widget, key));
}

static void
on_switch (GtkSwitch * widget, GParamSpec * spec, gpointer data)
{
  Window *self = data;

  camera_stream_switch (self->stream, number (widget, STAGE),
      gtk_switch_get_active (widget));
}

static void
on_value (GtkRange * range, gpointer data)
{
  Window *self = data;

  camera_stream_tune (self->stream, number (range, STAGE),
      number (range, CONTROL), gtk_range_get_value (range));
}

static void
on_toggle (GtkToggleButton * button, gpointer data)
{
  Window *self = data;

  camera_stream_tune (self->stream, number (button, STAGE),
      number (button, CONTROL), gtk_toggle_button_get_active (button));
}

static GtkWidget *
new_label (const gchar * text, const gchar * class)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_style_context_add_class (gtk_widget_get_style_context (label), class);
  return label;
}

static GtkWidget *
new_control (Window * self, const CameraControl * control)
{
  GtkWidget *widget;
  gint digits = control->step >= 1 ? 0 : control->step >= 0.1 ? 1 : 2;

  if (control->step == 0) {
    widget = gtk_check_button_new ();
    gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (widget),
        control->value != 0);
    g_signal_connect (widget, "toggled", G_CALLBACK (on_toggle), self);
  } else {
    widget = gtk_scale_new_with_range (GTK_ORIENTATION_HORIZONTAL, control->min,
        control->max, control->step);
    gtk_scale_set_digits (GTK_SCALE (widget), digits);
    gtk_scale_set_value_pos (GTK_SCALE (widget), GTK_POS_RIGHT);
    gtk_range_set_value (GTK_RANGE (widget), control->value);
    g_signal_connect (widget, "value-changed", G_CALLBACK (on_value), self);
  }
  gtk_widget_set_hexpand (widget, TRUE);
  gtk_widget_set_size_request (widget, -1, 26);
  gtk_widget_set_name (widget, control->property);
  return widget;
}

static GtkWidget *
new_card (Window * self, guint i)
{
  const CameraStage *stage = &camera_stages[i];
  GtkWidget *grid = gtk_grid_new (), *toggle = gtk_switch_new ();

  gtk_style_context_add_class (gtk_widget_get_style_context (grid), "card");
  gtk_grid_set_column_spacing (GTK_GRID (grid), 10);
  gtk_grid_attach (GTK_GRID (grid), new_label (stage->label, "title"), 0, 0, 1,
      1);
  gtk_switch_set_active (GTK_SWITCH (toggle), stage->on);
  gtk_widget_set_halign (toggle, GTK_ALIGN_END);
  gtk_widget_set_name (toggle, stage->factory);
  g_object_set_data (G_OBJECT (toggle), STAGE, GUINT_TO_POINTER (i));
  g_signal_connect (toggle, "notify::active", G_CALLBACK (on_switch), self);
  gtk_grid_attach (GTK_GRID (grid), toggle, 1, 0, 1, 1);
  for (guint j = 0; j < CAMERA_MAX_CONTROLS && stage->controls[j].property; j++) {
    GtkWidget *control = new_control (self, &stage->controls[j]), *name;

    g_object_set_data (G_OBJECT (control), STAGE, GUINT_TO_POINTER (i));
    g_object_set_data (G_OBJECT (control), CONTROL, GUINT_TO_POINTER (j));
    g_object_bind_property (toggle, "active", control, "sensitive",
        G_BINDING_SYNC_CREATE);
    name = new_label (stage->controls[j].label, "name");
    gtk_widget_set_size_request (name, 96, -1);
    gtk_grid_attach (GTK_GRID (grid), name, 0, j + 1, 1, 1);
    gtk_grid_attach (GTK_GRID (grid), control, 1, j + 1, 1, 1);
  }
  return grid;
}

/* ---- The window ------------------------------------------------------------------------ */

static void
on_destroy (GtkWidget * widget, gpointer data)
{
  Window *self = data;

  camera_stream_free (self->stream);
  g_clear_pointer (&self->frame, cairo_surface_destroy);
  camera_findings_clear (&self->findings);
  for (guint i = 0; i < N_SERIES; i++)
    g_clear_pointer (&self->series[i].points, g_array_unref);
  g_free (self->directory);
  g_free (self);
}

static GtkWidget *
make_bar (Window * self)
{
  GtkWidget *save = gtk_button_new_with_mnemonic ("_Save Picture");

  self->bar = gtk_header_bar_new ();
  gtk_header_bar_set_show_close_button (GTK_HEADER_BAR (self->bar), TRUE);
  gtk_header_bar_set_title (GTK_HEADER_BAR (self->bar), "Camera");
  gtk_header_bar_set_subtitle (GTK_HEADER_BAR (self->bar), "");
  gtk_widget_set_name (save, "save");
  gtk_style_context_add_class (gtk_widget_get_style_context (save),
      "suggested-action");
  g_signal_connect (save, "clicked", G_CALLBACK (on_save), self);
  gtk_container_add (GTK_CONTAINER (self->bar), save);
  return self->bar;
}

static GtkWidget *
new_area (const gchar * name, gint width, gint height, GCallback draw,
    Window * self)
{
  GtkWidget *area = gtk_drawing_area_new ();

  gtk_widget_set_name (area, name);
  gtk_widget_set_size_request (area, width, height);
  gtk_widget_set_hexpand (area, TRUE);
  g_signal_connect (area, "draw", draw, self);
  return area;
}

static GtkWidget *
make_body (Window * self)
{
  GtkWidget *grid = gtk_grid_new ();
  GtkWidget *panel = gtk_box_new (GTK_ORIENTATION_VERTICAL, 8);

  self->info = gtk_info_bar_new ();
  gtk_widget_set_name (self->info, "info");
  gtk_info_bar_set_show_close_button (GTK_INFO_BAR (self->info), TRUE);
  g_signal_connect (self->info, "response", G_CALLBACK (gtk_widget_hide), NULL);
  self->text = gtk_label_new (NULL);
  gtk_widget_set_name (self->text, "text");
  gtk_label_set_line_wrap (GTK_LABEL (self->text), TRUE);
  gtk_label_set_selectable (GTK_LABEL (self->text), TRUE);
  gtk_container_add (GTK_CONTAINER (gtk_info_bar_get_content_area
          (GTK_INFO_BAR (self->info))), self->text);
  gtk_widget_show (self->text);
  gtk_widget_set_no_show_all (self->info, TRUE);

  self->view = new_area ("view", 480, 360, G_CALLBACK (on_draw_view), self);
  gtk_widget_set_vexpand (self->view, TRUE);
  gtk_widget_add_tick_callback (self->view, on_tick, self, NULL);
  self->plot = new_area ("plot", 480, 196, G_CALLBACK (on_draw_plot), self);

  gtk_widget_set_size_request (panel, 300, -1);
  gtk_widget_set_hexpand (panel, FALSE);
  for (guint i = 0; i < CAMERA_N_STAGES; i++)
    gtk_container_add (GTK_CONTAINER (panel), new_card (self, i));
  gtk_container_set_border_width (GTK_CONTAINER (panel), 10);

  gtk_grid_attach (GTK_GRID (grid), self->info, 0, 0, 2, 1);
  gtk_grid_attach (GTK_GRID (grid), self->view, 0, 1, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), self->plot, 0, 2, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), panel, 1, 1, 1, 2);
  return grid;
}

void
camera_window_show (GtkApplication * application,
    const CameraSettings * settings)
{
  static const CameraSeries series[N_SERIES] = {
    {"Latency", "%.1f ms", 0.38, 0.68, 1, NULL},
    {"Keypoints", "%.0f", 0.35, 0.85, 0.5, NULL},
    {"People", "%.0f", 1, 0.72, 0.2, NULL}
  };
  GtkCssProvider *style = gtk_css_provider_new ();
  Window *self = g_new0 (Window, 1);

  self->directory = g_strdup (settings->directory);
  for (guint i = 0; i < N_SERIES; i++)
    self->series[i] = series[i];
  self->since = g_get_monotonic_time ();
  g_object_set (gtk_settings_get_default (),
      "gtk-application-prefer-dark-theme", TRUE, NULL);
  gtk_css_provider_load_from_data (style, css, -1, NULL);
  gtk_style_context_add_provider_for_screen (gdk_screen_get_default (),
      GTK_STYLE_PROVIDER (style), GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
  g_object_unref (style);
  self->window = gtk_application_window_new (application);
  gtk_window_set_default_size (GTK_WINDOW (self->window), 1020, 760);
  gtk_window_set_titlebar (GTK_WINDOW (self->window), make_bar (self));
  gtk_container_add (GTK_CONTAINER (self->window), make_body (self));
  g_signal_connect (self->window, "destroy", G_CALLBACK (on_destroy), self);
  self->stream = camera_stream_new (settings, say, self);
  gtk_widget_show_all (self->window);
  gtk_window_present (GTK_WINDOW (self->window));
}
