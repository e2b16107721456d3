/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* The main window of retouch: buttons, states and the status bar. */
#include "output.h"
#include "retouch.h"

#include <gtk/gtk.h>

#define MIN_BRUSH 1
#define MAX_BRUSH 200
#define DEFAULT_BRUSH 24

typedef struct
{
  GtkWidget *window, *info, *text, *progress, *time, *brush, *erase, *stop;
  RetouchView *view;
  RetouchCanvas *canvas;        /* canvas; NULL if no file is open */
  gchar *input;                 /* path of the open file; NULL if none was opened */
  gchar *output;                /* path to which the user saves this picture; if NULL, Save
                                 * asks for a path */
  gboolean is_saved;            /* whether there are no unsaved changes */
  RetouchSettings settings;
  RetouchRemoval *removal;      /* running removal, or NULL */
} Window;

/* ---- State ----------------------------------------------------------------------- */

static void
say (Window * self, GtkMessageType type, const gchar * text)
{
  gtk_info_bar_set_message_type (GTK_INFO_BAR (self->info), type);
  gtk_label_set_text (GTK_LABEL (self->text), text);
  gtk_widget_show (self->info);
}

static void
enable (Window * self, const gchar * action, gboolean enabled)
{
  g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action
          (G_ACTION_MAP (self->window), action)), enabled);
}

static void
update (Window * self)
{
  gboolean has = self->canvas != NULL, idle = self->removal == NULL;
  gboolean changed = has && retouch_canvas_can_undo (self->canvas);
  gchar *name = self->input ? g_path_get_basename (self->input) : NULL;
  gchar *title = g_strdup_printf ("%s%s", self->is_saved ? "" : "*",
      name ? name : "Retouch");

  enable (self, "open", idle);
  enable (self, "save", has && idle);
  enable (self, "save-as", has && idle);
  enable (self, "undo", changed && idle);
  enable (self, "remove", has && idle
      && !retouch_canvas_is_empty (self->canvas));
  enable (self, "stop", !idle);
  gtk_widget_set_visible (self->stop, !idle);
  gtk_widget_set_visible (self->progress, !idle);
  /* While there are unsaved changes, no other frame can be chosen, because the changes would be
   * lost. */
  gtk_widget_set_sensitive (self->time, idle && !changed);
  gtk_window_set_title (GTK_WINDOW (self->window), title);
  g_free (title);
  g_free (name);
}

static void
on_stroke (gpointer data)
{
  Window *self = data;

  self->is_saved = FALSE;
  update (self);
}

static void
on_brush (GtkWidget * widget, gpointer data)
{
  Window *self = data;

  retouch_view_set_brush (self->view,
      gtk_range_get_value (GTK_RANGE (self->brush)),
      gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->erase)));
}

/* ---- Removing ---------------------------------------------------------------------- */

static void
stop (Window * self)
{
  g_clear_pointer (&self->removal, retouch_removal_free);
  retouch_view_set_working (self->view, FALSE);
  retouch_view_set_canvas (self->view, self->canvas);
  update (self);
}

static void
on_progress (gint percent, gpointer data)
{
  Window *self = data;

  gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (self->progress),
      percent / 100.0);
}

static void
on_partial (GdkPixbuf * picture, gpointer data)
{
  Window *self = data;

  retouch_view_set_partial (self->view, picture);
}

static void
on_warning (const gchar * text, gpointer data)
{
  say (data, GTK_MESSAGE_WARNING, text);
}

static void
on_done (GdkPixbuf * picture, const GError * error, gpointer data)
{
  Window *self = data;

  if (error != NULL)
    say (self, GTK_MESSAGE_ERROR, error->message);
  else
    retouch_canvas_set_picture (self->canvas, picture);
  stop (self);
}

static void
on_remove (GSimpleAction * action, GVariant * parameter, gpointer data)
{
  static const RetouchCallbacks callbacks =
      { on_progress, on_partial, on_warning, on_done };
  Window *self = data;
  GError *error = NULL;

  gtk_widget_hide (self->info);
  gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (self->progress), 0);
  retouch_view_set_working (self->view, TRUE);
  self->removal = retouch_remove (self->canvas, &self->settings, &callbacks,
      self, &error);
  if (self->removal == NULL) {
    say (self, GTK_MESSAGE_ERROR, error->message);
    g_error_free (error);
    stop (self);
  }
  update (self);
}

static void
on_stop (GSimpleAction * action, GVariant * parameter, gpointer data)
{
  stop (data);
}

static void
on_undo (GSimpleAction * action, GVariant * parameter, gpointer data)
{
  Window *self = data;

  retouch_canvas_undo (self->canvas);
  self->is_saved = FALSE;
  retouch_view_set_canvas (self->view, self->canvas);
  update (self);
}

/* ---- Files ------------------------------------------------------------------------- */

static gboolean
open_file (Window * self, const gchar * path, gdouble seconds,
    gdouble * duration)
{
  GError *error = NULL;
  GdkPixbuf *picture = retouch_load (path, seconds, duration, &error);

  if (picture == NULL) {
    say (self, GTK_MESSAGE_ERROR, error->message);
    g_error_free (error);
    return FALSE;
  }
  retouch_view_set_canvas (self->view, NULL);
  retouch_canvas_free (self->canvas);
  self->canvas = retouch_canvas_new (picture);
  retouch_view_set_canvas (self->view, self->canvas);
  self->is_saved = TRUE;
  g_object_unref (picture);
  return TRUE;
}

static void
on_time (GtkRange * range, gpointer data)
{
  Window *self = data;

  open_file (self, self->input, gtk_range_get_value (range), NULL);
  update (self);
}

static void
open_another (Window * self, const gchar * path, gdouble seconds)
{
  gdouble duration;

  gtk_widget_hide (self->info);
  if (open_file (self, path, seconds, &duration)) {
    /* Forgets the output path: it was chosen for another picture, or it is the file that is
     * being opened. */
    if (self->input != NULL
        || (self->output != NULL && is_same_file (self->output, path)))
      g_clear_pointer (&self->output, g_free);
    g_free (self->input);
    self->input = g_strdup (path);
    g_signal_handlers_block_by_func (self->time, on_time, self);
    gtk_range_set_range (GTK_RANGE (self->time), 0, MAX (duration, 1));
    gtk_range_set_value (GTK_RANGE (self->time), seconds);
    g_signal_handlers_unblock_by_func (self->time, on_time, self);
    gtk_widget_set_visible (self->time, duration > 0);
  }
  update (self);
}

static void
on_open (GSimpleAction * action, GVariant * parameter, gpointer data)
{
  Window *self = data;
  gchar *path;

  if (!self->is_saved && !retouch_ask_discard (self->window))
    return;
  path = retouch_ask_file (self->window, FALSE);
  if (path != NULL)
    open_another (self, path, 0);
  g_free (path);
}

static void
save (Window * self, gboolean ask)
{
  GError *error = NULL;
  gchar *path = !ask && self->output != NULL ? g_strdup (self->output)
      : retouch_ask_file (self->window, TRUE);

  if (path == NULL)
    return;
  gtk_widget_hide (self->info);
  if (retouch_save (retouch_canvas_get_picture (self->canvas), path, &error)) {
    g_free (self->output);
    self->output = g_steal_pointer (&path);
    self->is_saved = TRUE;
  } else {
    say (self, GTK_MESSAGE_ERROR, error->message);
    g_error_free (error);
  }
  g_free (path);
  update (self);
}

static void
on_save (GSimpleAction * action, GVariant * parameter, gpointer data)
{
  save (data, FALSE);
}

static void
on_save_as (GSimpleAction * action, GVariant * parameter, gpointer data)
{
  save (data, TRUE);
}

/* ---- The window ---------------------------------------------------------------------- */

static gboolean
on_close (GtkWidget * widget, GdkEvent * event, gpointer data)
{
  Window *self = data;

  return !self->is_saved && !retouch_ask_discard (self->window);
}

static void
on_destroy (GtkWidget * widget, gpointer data)
{
  Window *self = data;

  retouch_removal_free (self->removal);
  retouch_canvas_free (self->canvas);
  g_free (self->input);
  g_free (self->output);
  g_free (self);
}

static GtkWidget *
add_button (GtkWidget * bar, const gchar * label, const gchar * action,
    const gchar * tip)
{
  GtkWidget *button = gtk_button_new_with_mnemonic (label);

  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  gtk_widget_set_tooltip_text (button, tip);
  gtk_widget_set_name (button, action);
  gtk_container_add (GTK_CONTAINER (bar), button);
  return button;
}

static void
on_method (GtkComboBox * methods, gpointer data)
{
  Window *self = data;

  self->settings.method = retouch_methods[gtk_combo_box_get_active (methods)];
}

static void
add_methods (Window * self, GtkWidget * bar)
{
  GtkWidget *methods = gtk_combo_box_text_new ();

  for (guint i = 0; retouch_methods[i] != NULL; i++) {
    gtk_combo_box_text_append (GTK_COMBO_BOX_TEXT (methods), NULL,
        retouch_methods[i]);
    if (g_str_equal (retouch_methods[i], self->settings.method))
      gtk_combo_box_set_active (GTK_COMBO_BOX (methods), i);
  }
  gtk_widget_set_name (methods, "method");
  gtk_widget_set_tooltip_text (methods, "Method of filling: auto chooses a "
      "suitable one; exemplar shows each patch as it is copied");
  g_signal_connect (methods, "changed", G_CALLBACK (on_method), self);
  gtk_container_add (GTK_CONTAINER (bar), methods);
}

static GtkWidget *
make_bar (Window * self)
{
  GtkWidget *bar = gtk_header_bar_new (), *button;

  gtk_header_bar_set_show_close_button (GTK_HEADER_BAR (bar), TRUE);
  add_button (bar, "_Open", "win.open", "Open a picture or video (Ctrl+O)");
  add_button (bar, "_Save", "win.save", "Save the picture (Ctrl+S)");
  add_button (bar, "_Undo", "win.undo", "Undo the last step (Ctrl+Z)");

  self->brush = gtk_scale_new_with_range (GTK_ORIENTATION_HORIZONTAL,
      MIN_BRUSH, MAX_BRUSH, 1);
  gtk_widget_set_name (self->brush, "brush");
  gtk_widget_set_tooltip_text (self->brush, "Size of the brush, in pixels");
  gtk_widget_set_size_request (self->brush, 130, -1);
  gtk_scale_set_value_pos (GTK_SCALE (self->brush), GTK_POS_LEFT);
  gtk_range_set_value (GTK_RANGE (self->brush), DEFAULT_BRUSH);
  g_signal_connect (self->brush, "value-changed", G_CALLBACK (on_brush), self);
  gtk_container_add (GTK_CONTAINER (bar), self->brush);

  self->erase = gtk_toggle_button_new_with_mnemonic ("_Erase");
  gtk_widget_set_name (self->erase, "erase");
  gtk_widget_set_tooltip_text (self->erase,
      "Erase what was painted, as the right button of the mouse does");
  g_signal_connect (self->erase, "toggled", G_CALLBACK (on_brush), self);
  gtk_container_add (GTK_CONTAINER (bar), self->erase);

  add_methods (self, bar);
  button = add_button (bar, "_Remove", "win.remove",
      "Remove what is painted and fill its place (Ctrl+Return)");
  gtk_style_context_add_class (gtk_widget_get_style_context (button),
      "suggested-action");
  self->stop = add_button (bar, "S_top", "win.stop",
      "Leave the picture as it was (Escape)");
  gtk_widget_show_all (bar);
  return bar;
}

static GtkWidget *
make_body (Window * self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  self->info = gtk_info_bar_new ();
  gtk_widget_set_name (self->info, "info");
  self->text = gtk_label_new (NULL);
  gtk_widget_set_name (self->text, "text");
  gtk_label_set_line_wrap (GTK_LABEL (self->text), TRUE);
  gtk_label_set_selectable (GTK_LABEL (self->text), TRUE);
  gtk_container_add (GTK_CONTAINER (gtk_info_bar_get_content_area
          (GTK_INFO_BAR (self->info))), self->text);
  gtk_info_bar_set_show_close_button (GTK_INFO_BAR (self->info), TRUE);
  g_signal_connect (self->info, "response", G_CALLBACK (gtk_widget_hide), NULL);

  self->progress = gtk_progress_bar_new ();
  gtk_widget_set_name (self->progress, "progress");
  self->time = gtk_scale_new_with_range (GTK_ORIENTATION_HORIZONTAL, 0, 1,
      0.04);
  gtk_widget_set_name (self->time, "time");
  gtk_widget_set_tooltip_text (self->time,
      "Which frame of the video: its time in seconds");
  g_signal_connect (self->time, "value-changed", G_CALLBACK (on_time), self);

  self->view = retouch_view_new (on_stroke, self);
  gtk_container_add (GTK_CONTAINER (box), self->info);
  gtk_container_add (GTK_CONTAINER (box), retouch_view_get_widget (self->view));
  gtk_container_add (GTK_CONTAINER (box), self->progress);
  gtk_container_add (GTK_CONTAINER (box), self->time);
  gtk_widget_show_all (box);
  gtk_widget_hide (self->info);
  gtk_widget_hide (self->time);
  return box;
}

void
retouch_window_show (GtkApplication * application,
    const RetouchSettings * settings, const gchar * input, gdouble seconds,
    const gchar * output)
{
  static const GActionEntry actions[] = {
    {.name = "open",.activate = on_open},
    {.name = "save",.activate = on_save},
    {.name = "save-as",.activate = on_save_as},
    {.name = "undo",.activate = on_undo},
    {.name = "remove",.activate = on_remove},
    {.name = "stop",.activate = on_stop}
  };
  static const gchar *const keys[][2] = {
    {"win.open", "<Primary>o"}, {"win.save", "<Primary>s"},
    {"win.save-as", "<Primary><Shift>s"}, {"win.undo", "<Primary>z"},
    {"win.remove", "<Primary>Return"}, {"win.stop", "Escape"}
  };
  Window *self = g_new0 (Window, 1);

  self->settings = *settings;
  self->output = g_strdup (output);
  self->is_saved = TRUE;
  self->window = gtk_application_window_new (application);
  gtk_window_set_default_size (GTK_WINDOW (self->window), 820, 640);
  g_action_map_add_action_entries (G_ACTION_MAP (self->window), actions,
      G_N_ELEMENTS (actions), self);
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++) {
    const gchar *const accels[] = { keys[i][1], NULL };

    gtk_application_set_accels_for_action (application, keys[i][0], accels);
  }
  gtk_window_set_titlebar (GTK_WINDOW (self->window), make_bar (self));
  gtk_container_add (GTK_CONTAINER (self->window), make_body (self));
  g_signal_connect (self->window, "delete-event", G_CALLBACK (on_close), self);
  g_signal_connect (self->window, "destroy", G_CALLBACK (on_destroy), self);
  on_brush (NULL, self);
  update (self);
  if (input != NULL)
    open_another (self, input, seconds);
  gtk_window_present (GTK_WINDOW (self->window));
}
