/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* The widget of retouch that shows the picture and lets the user paint on it. */
#include "retouch.h"

#include <gtk/gtk.h>
#include <math.h>

/* Maximum factor by which a small picture is enlarged for display */
#define MAX_ZOOM 4

/* Period of the pulsation of the marked area, in microseconds */
#define PULSE (1.2 * G_USEC_PER_SEC)

struct _RetouchView
{
  GtkWidget *area;
  RetouchCanvas *canvas;
  cairo_surface_t *picture, *mask;      /* picture and mask of the canvas, as Cairo surfaces */
  gdouble diameter;
  gboolean erase;

  void (*changed) (gpointer data);
  gpointer data;

  guint button;                 /* mouse button that is painting, or 0 */
  gboolean is_inside;           /* whether the mouse pointer is over the widget, at @x, @y of
                                 * the picture */
  gdouble x, y;
  gboolean is_working, is_partial;
  guint tick;                   /* id of the tick callback while the removal runs */
};

/* ---- Coordinates ------------------------------------------------------------------ */

typedef struct
{
  gdouble x, y, scale;
} Place;

static Place
find_place (RetouchView * self)
{
  gdouble width = cairo_image_surface_get_width (self->picture);
  gdouble height = cairo_image_surface_get_height (self->picture);
  gdouble room_x = gtk_widget_get_allocated_width (self->area);
  gdouble room_y = gtk_widget_get_allocated_height (self->area);
  Place place;

  place.scale = MIN (MIN (room_x / width, room_y / height), MAX_ZOOM);
  place.x = floor ((room_x - place.scale * width) / 2);
  place.y = floor ((room_y - place.scale * height) / 2);
  return place;
}

/* Redraws a part of the picture. */
static void
redraw (RetouchView * self, RetouchBox box)
{
  Place place = find_place (self);
  gint x0 = floor (place.x + place.scale * box.x) - 2;
  gint y0 = floor (place.y + place.scale * box.y) - 2;
  gint x1 = ceil (place.x + place.scale * (box.x + box.width)) + 2;
  gint y1 = ceil (place.y + place.scale * (box.y + box.height)) + 2;

  gtk_widget_queue_draw_area (self->area, x0, y0, x1 - x0, y1 - y0);
}

static void
redraw_brush (RetouchView * self)
{
  gint r = (gint) (self->diameter / 2) + 2;
  RetouchBox box = { (gint) self->x - r, (gint) self->y - r, 2 * r, 2 * r };

  redraw (self, box);
}

/* ---- Drawing ------------------------------------------------------------------------ */

static gboolean
on_draw (GtkWidget * area, cairo_t * cr, gpointer data)
{
  RetouchView *self = data;
  gdouble strength = 0.55, line = 1;
  Place place;

  cairo_set_source_rgb (cr, 0.16, 0.16, 0.17);
  cairo_paint (cr);
  if (self->canvas == NULL)
    return TRUE;
  place = find_place (self);
  cairo_translate (cr, place.x, place.y);
  cairo_scale (cr, place.scale, place.scale);
  cairo_set_source_surface (cr, self->picture, 0, 0);
  cairo_paint (cr);

  /* While the removal runs, the part of the marked area that is already filled is shown without the
   * mask's color. */
  if (self->is_partial)
    strength = 0.1 + 0.1 * cos (g_get_monotonic_time () * 2 * G_PI / PULSE);
  else if (self->is_working)
    strength = 0.3 + 0.2 * cos (g_get_monotonic_time () * 2 * G_PI / PULSE);
  cairo_set_source_rgba (cr, 1, 0.1, 0.2, strength);
  cairo_mask_surface (cr, self->mask, 0, 0);

  if (self->is_inside && !self->is_working) {
    cairo_device_to_user_distance (cr, &line, &line);
    cairo_arc (cr, self->x, self->y, self->diameter / 2, 0, 2 * G_PI);
    cairo_set_line_width (cr, 3 * line);
    cairo_set_source_rgba (cr, 0, 0, 0, 0.6);
    cairo_stroke_preserve (cr);
    cairo_set_line_width (cr, 1.5 * line);
    cairo_set_source_rgb (cr, 1, 1, 1);
    cairo_stroke (cr);
  }
  return TRUE;
}

static gboolean
on_tick (GtkWidget * area, GdkFrameClock * clock, gpointer data)
{
  gtk_widget_queue_draw (area);
  return G_SOURCE_CONTINUE;
}

/* ---- The mouse ---------------------------------------------------------------------- */

static void
paint (RetouchView * self, RetouchBox changed)
{
  cairo_surface_mark_dirty_rectangle (self->mask, changed.x, changed.y,
      changed.width, changed.height);
  redraw (self, changed);
}

/* Handles a motion of the mouse pointer to x, y of the widget. */
static void
move (RetouchView * self, gdouble x, gdouble y, gboolean is_inside)
{
  Place place = find_place (self);

  redraw_brush (self);
  self->is_inside = is_inside;
  self->x = (x - place.x) / place.scale;
  self->y = (y - place.y) / place.scale;
  redraw_brush (self);
}

static gboolean
on_motion (GtkWidget * area, GdkEventMotion * event, gpointer data)
{
  RetouchView *self = data;

  if (self->canvas == NULL)
    return FALSE;
  move (self, event->x, event->y, TRUE);
  if (self->button != 0)
    paint (self, retouch_canvas_stroke_to (self->canvas, self->x, self->y));
  return TRUE;
}

static gboolean
on_leave (GtkWidget * area, GdkEventCrossing * event, gpointer data)
{
  RetouchView *self = data;

  if (self->canvas != NULL)
    move (self, event->x, event->y, FALSE);
  return FALSE;
}

static gboolean
on_press (GtkWidget * area, GdkEventButton * event, gpointer data)
{
  RetouchView *self = data;

  if (self->canvas == NULL || self->is_working || self->button != 0
      || event->type != GDK_BUTTON_PRESS
      || (event->button != GDK_BUTTON_PRIMARY
          && event->button != GDK_BUTTON_SECONDARY))
    return FALSE;
  self->button = event->button;
  move (self, event->x, event->y, TRUE);
  paint (self, retouch_canvas_begin_stroke (self->canvas, self->x, self->y,
          self->diameter, self->erase
          || event->button == GDK_BUTTON_SECONDARY));
  return TRUE;
}

static void
end_stroke (RetouchView * self)
{
  if (self->button == 0)
    return;
  self->button = 0;
  retouch_canvas_end_stroke (self->canvas);
  self->changed (self->data);
}

static gboolean
on_release (GtkWidget * area, GdkEventButton * event, gpointer data)
{
  RetouchView *self = data;

  if (event->button == self->button)
    end_stroke (self);
  return TRUE;
}

/* ---- Public functions ----------------------------------------------------------------- */

static void
on_destroy (GtkWidget * area, gpointer data)
{
  RetouchView *self = data;

  g_clear_pointer (&self->picture, cairo_surface_destroy);
  g_clear_pointer (&self->mask, cairo_surface_destroy);
  g_free (self);
}

RetouchView *
retouch_view_new (void (*changed) (gpointer data), gpointer data)
{
  RetouchView *self = g_new0 (RetouchView, 1);

  self->changed = changed;
  self->data = data;
  self->area = gtk_drawing_area_new ();
  gtk_widget_set_name (self->area, "canvas");
  gtk_widget_set_size_request (self->area, 320, 240);
  gtk_widget_set_hexpand (self->area, TRUE);
  gtk_widget_set_vexpand (self->area, TRUE);
  gtk_widget_add_events (self->area, GDK_BUTTON_PRESS_MASK
      | GDK_BUTTON_RELEASE_MASK | GDK_POINTER_MOTION_MASK
      | GDK_LEAVE_NOTIFY_MASK);
  g_signal_connect (self->area, "draw", G_CALLBACK (on_draw), self);
  g_signal_connect (self->area, "motion-notify-event", G_CALLBACK (on_motion),
      self);
  g_signal_connect (self->area, "leave-notify-event", G_CALLBACK (on_leave),
      self);
  g_signal_connect (self->area, "button-press-event", G_CALLBACK (on_press),
      self);
  g_signal_connect (self->area, "button-release-event", G_CALLBACK (on_release),
      self);
  g_signal_connect (self->area, "destroy", G_CALLBACK (on_destroy), self);
  return self;
}

GtkWidget *
retouch_view_get_widget (RetouchView * self)
{
  return self->area;
}

void
retouch_view_set_brush (RetouchView * self, gdouble diameter, gboolean erase)
{
  self->diameter = diameter;
  self->erase = erase;
  gtk_widget_queue_draw (self->area);
}

void
retouch_view_set_canvas (RetouchView * self, RetouchCanvas * canvas)
{
  GdkPixbuf *picture;
  guint8 *mask;
  gint stride;

  /* Abandons a stroke that was begun on the old canvas. */
  self->button = 0;
  self->is_partial = FALSE;
  self->canvas = canvas;
  g_clear_pointer (&self->mask, cairo_surface_destroy);
  g_clear_pointer (&self->picture, cairo_surface_destroy);
  gtk_widget_queue_draw (self->area);
  if (canvas == NULL)
    return;
  picture = retouch_canvas_get_picture (canvas);
  mask = retouch_canvas_get_mask (canvas, &stride);
  self->mask = cairo_image_surface_create_for_data (mask, CAIRO_FORMAT_A8,
      gdk_pixbuf_get_width (picture), gdk_pixbuf_get_height (picture), stride);
  self->picture = gdk_cairo_surface_create_from_pixbuf (picture, 1, NULL);
}

void
retouch_view_set_partial (RetouchView * self, GdkPixbuf * picture)
{
  g_clear_pointer (&self->picture, cairo_surface_destroy);
  self->picture = gdk_cairo_surface_create_from_pixbuf (picture, 1, NULL);
  self->is_partial = TRUE;
  gtk_widget_queue_draw (self->area);
}

void
retouch_view_set_working (RetouchView * self, gboolean working)
{
  end_stroke (self);
  self->is_working = working;
  if (working && self->tick == 0) {
    self->tick = gtk_widget_add_tick_callback (self->area, on_tick, self, NULL);
  } else if (!working && self->tick != 0) {
    gtk_widget_remove_tick_callback (self->area, self->tick);
    self->tick = 0;
  }
  gtk_widget_queue_draw (self->area);
}
