/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Helps tests of programs with a window: opens a separate display, finds widgets by name, and moves
 * a mouse through XTest. */
#pragma once

#include <X11/extensions/XTest.h>
#include <gdk/gdkx.h>
#include <gst/gst.h>
#include <gtk/gtk.h>
#include <math.h>
#include <signal.h>
#include <string.h>

#define PATIENCE (90 * G_TIME_SPAN_SECOND)

static GtkApplication *application;
static GPid display;

/* ---- The window ------------------------------------------------------------------- */

static GtkWidget *
window (void)
{
  return GTK_WIDGET (gtk_application_get_windows (application)->data);
}

typedef struct
{
  const gchar *name;
  GtkWidget *widget;
} Search;

static void
look (GtkWidget * widget, gpointer data)
{
  Search *search = data;

  if (strcmp (gtk_widget_get_name (widget), search->name) == 0
      || g_strcmp0 (gtk_buildable_get_name (GTK_BUILDABLE (widget)),
          search->name) == 0)
    search->widget = widget;
  else if (GTK_IS_CONTAINER (widget))
    gtk_container_forall (GTK_CONTAINER (widget), look, search);
}

static GtkWidget *
find (const gchar * name)
{
  Search search = { name, NULL };

  look (window (), &search);
  if (search.widget == NULL)
    g_error ("there is no %s", name);
  return search.widget;
}

/* Runs the window's main loop until the condition holds. */
#define WAIT_UNTIL(condition) G_STMT_START { \
  gint64 end_ = g_get_monotonic_time () + PATIENCE; \
  while (!(condition)) { \
    if (g_get_monotonic_time () > end_) \
      g_error ("line %d: never %s", __LINE__, #condition); \
    if (!g_main_context_iteration (NULL, FALSE)) \
      g_usleep (1000); \
  } \
} G_STMT_END

/* Waits until the window has handled the mouse events, and is drawn. */
static void
settle (void)
{
  gint64 until;

  XSync (gdk_x11_get_default_xdisplay (), False);
  until = g_get_monotonic_time () + 40 * G_TIME_SPAN_MILLISECOND;
  WAIT_UNTIL (g_get_monotonic_time () > until);
}

static void
take_picture (const gchar * directory, const gchar * name)
{
  gchar *path = g_build_filename (directory, name, NULL);
  GdkWindow *from = gtk_widget_get_window (window ());
  GdkPixbuf *picture;
  GError *error = NULL;

  settle ();
  picture = gdk_pixbuf_get_from_window (from, 0, 0,
      gdk_window_get_width (from), gdk_window_get_height (from));
  gdk_pixbuf_save (picture, path, "png", &error, NULL);
  g_assert_no_error (error);
  g_object_unref (picture);
  g_free (path);
}

static void
close_window (void)
{
  gtk_widget_destroy (window ());
  settle ();
  g_assert_null (gtk_application_get_windows (application));
}

static void
assert_says (const gchar * words)
{
  const gchar *text = gtk_label_get_text (GTK_LABEL (find ("text")));

  g_assert_true (gtk_widget_get_visible (find ("info")));
  if (strstr (text, words) == NULL)
    g_error ("no \"%s\" in: %s", words, text);
}

/* ---- The mouse -------------------------------------------------------------------- */

static void
move_to (GtkWidget * widget, gdouble x, gdouble y)
{
  gint left, top, origin_x, origin_y;

  g_assert_true (gtk_widget_translate_coordinates (widget, window (), 0, 0,
          &left, &top));
  gdk_window_get_origin (gtk_widget_get_window (window ()), &origin_x,
      &origin_y);
  XTestFakeMotionEvent (gdk_x11_get_default_xdisplay (), -1,
      origin_x + left + (gint) floor (x), origin_y + top + (gint) floor (y), 0);
  settle ();
}

static void
press (guint button, gboolean down)
{
  XTestFakeButtonEvent (gdk_x11_get_default_xdisplay (), button, down, 0);
  settle ();
}

/* Moves the mouse to the middle of a widget. Repeats this if the widget has moved or has another
 * size afterwards, because a click might then hit a neighbor of the widget. */
static void
move_to_middle (GtkWidget * widget)
{
  GtkAllocation before, after;

  do {
    gtk_widget_get_allocation (widget, &before);
    move_to (widget, before.width / 2, before.height / 2);
    gtk_widget_get_allocation (widget, &after);
  } while (!gdk_rectangle_equal (&before, &after));
}

static void
click (const gchar * name)
{
  GtkWidget *widget = find (name);

  WAIT_UNTIL (gtk_widget_is_sensitive (widget)
      && gtk_widget_get_mapped (widget));
  move_to_middle (widget);
  press (1, TRUE);
  press (1, FALSE);
}

/* ---- The display -------------------------------------------------------------------- */

static void
start_display (void)
{
  gchar *argv[] = { (gchar *) "Xvfb", (gchar *) "-displayfd", (gchar *) "1",
    (gchar *) "-screen", (gchar *) "0", (gchar *) "1280x1024x24",
    (gchar *) "-nolisten", (gchar *) "tcp", NULL
  };
  GError *error = NULL;
  gchar number[16] = "", *name;
  gint out;
  gsize n = 0;

  g_spawn_async_with_pipes (NULL, argv, NULL, G_SPAWN_SEARCH_PATH
      | G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL,
      &display, NULL, &out, NULL, &error);
  g_assert_no_error (error);
  while (n < sizeof (number) - 1 && read (out, number + n, 1) == 1
      && number[n] != '\n')
    n++;
  number[n] = '\0';
  g_assert_cmpuint (n, >, 0);
  name = g_strdup_printf (":%s", number);
  g_setenv ("DISPLAY", name, TRUE);
  g_free (name);
}

static void
open_display (void)
{
  start_display ();
  g_setenv ("GDK_BACKEND", "x11", TRUE);
  g_setenv ("NO_AT_BRIDGE", "1", TRUE);
  g_setenv ("GSETTINGS_BACKEND", "memory", TRUE);
  gst_init (NULL, NULL);
  gtk_init (NULL, NULL);
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE,
      NULL);
  application = gtk_application_new (NULL, G_APPLICATION_NON_UNIQUE);
  g_application_register (G_APPLICATION (application), NULL, NULL);
}

static void
close_display (void)
{
  g_object_unref (application);
  kill (display, SIGTERM);
}
