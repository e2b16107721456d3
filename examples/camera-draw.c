/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "camera.h"

#include <gst/mgpu/mgpu.h>
#include <math.h>

/* ---- A frame --------------------------------------------------------------------- */

static void
draw_keypoints (cairo_t * cr, GBytes * keypoints)
{
  gsize size;
  const GstMgpuKeypoint *all = g_bytes_get_data (keypoints, &size);

  for (gsize i = 0; i < size / sizeof (*all); i++) {
    gdouble radius = MAX (all[i].size / 2, 2), angle = all[i].angle * G_PI / 180;

    cairo_new_sub_path (cr);
    cairo_arc (cr, all[i].x + 0.5, all[i].y + 0.5, radius, angle,
        angle + 2 * G_PI);
    if (all[i].angle >= 0)
      cairo_line_to (cr, all[i].x + 0.5, all[i].y + 0.5);
  }
  cairo_set_line_width (cr, 2.6);
  cairo_set_source_rgba (cr, 0, 0, 0, 0.35);
  cairo_stroke_preserve (cr);
  cairo_set_line_width (cr, 1.3);
  cairo_set_source_rgb (cr, 0.35, 0.95, 0.5);
  cairo_stroke (cr);
}

static void
draw_person (cairo_t * cr, const CameraPerson * person)
{
  gchar *label = g_strdup_printf ("%.2f", person->score);
  cairo_text_extents_t extents;

  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  cairo_rectangle (cr, person->x, person->y, person->width, person->height);
  cairo_set_line_width (cr, 2.5);
  cairo_set_source_rgb (cr, 1, 0.72, 0.2);
  cairo_stroke (cr);
  cairo_text_extents (cr, label, &extents);
  cairo_rectangle (cr, person->x - 1, person->y - 1, extents.x_advance + 10, 17);
  cairo_fill (cr);
  cairo_set_source_rgb (cr, 0.1, 0.1, 0.1);
  cairo_move_to (cr, person->x + 4, person->y + 12);
  cairo_show_text (cr, label);
  g_free (label);
}

void
camera_draw_frame (cairo_t * cr, cairo_surface_t * frame,
    const CameraFindings * findings)
{
  cairo_set_source_surface (cr, frame, 0, 0);
  cairo_paint (cr);
  if (findings->keypoints != NULL)
    draw_keypoints (cr, findings->keypoints);
  cairo_select_font_face (cr, "Sans", CAIRO_FONT_SLANT_NORMAL,
      CAIRO_FONT_WEIGHT_BOLD);
  cairo_set_font_size (cr, 12);
  for (guint i = 0; findings->people && i < findings->people->len; i++)
    draw_person (cr, &g_array_index (findings->people, CameraPerson, i));
}

/* ---- A plot ------------------------------------------------------------------------ */

typedef struct
{
  gint64 time;                  /* microseconds */
  gdouble value;
} Point;

/* Room beside the curves */
#define LEFT 124
#define RIGHT 14
#define TOP 10
#define BOTTOM 22
#define GAP 10

void
camera_series_add (CameraSeries * self, gdouble value)
{
  Point point = { g_get_monotonic_time (), value };
  gint64 oldest = point.time - (CAMERA_HISTORY + 1) * G_USEC_PER_SEC;
  guint n_old = 0;

  if (self->points == NULL)
    self->points = g_array_new (FALSE, FALSE, sizeof (Point));
  while (n_old < self->points->len
      && g_array_index (self->points, Point, n_old).time < oldest)
    n_old++;
  g_array_remove_range (self->points, 0, n_old);
  g_array_append_val (self->points, point);
}

/* The end of the scale: 1, 2 or 5 times a power of ten, above all values. */
static gdouble
find_most (CameraSeries * series)
{
  gdouble most = 1, step;

  for (guint i = 0; series->points != NULL && i < series->points->len; i++)
    most = fmax (most, g_array_index (series->points, Point, i).value);
  step = pow (10, floor (log10 (most)));
  return step * (most <= step ? 1 : most <= 2 * step ? 2
      : most <= 5 * step ? 5 : 10);
}

/* A stretch of points that have values, from i on; returns the one behind it. Only its
 * outline, which a fill closes. */
static guint
trace (cairo_t * cr, CameraSeries * series, guint i, gint64 now, gdouble width,
    gdouble height, gdouble most, gboolean closed)
{
  GArray *points = series->points;
  gdouble x = 0, first = NAN;

  for (; i < points->len; i++) {
    Point *point = &g_array_index (points, Point, i);

    if (isnan (point->value))
      break;
    x = fmax (width * (1 - (now - point->time) / 1e6 / CAMERA_HISTORY), 0);
    if (isnan (first) && closed)
      cairo_move_to (cr, x, height);
    if (isnan (first))
      first = x;
    cairo_line_to (cr, x, height * (1 - point->value / most));
  }
  if (closed && !isnan (first)) {
    cairo_line_to (cr, x, height);
    cairo_close_path (cr);
  }
  return i + 1;
}

static void
draw_curve (cairo_t * cr, CameraSeries * series, gint64 now, gdouble width,
    gdouble height, gdouble most)
{
  for (guint pass = 0; pass < 2; pass++) {
    guint i = 0;

    while (i < series->points->len)
      i = trace (cr, series, i, now, width, height, most, pass == 0);
    cairo_set_source_rgba (cr, series->red, series->green, series->blue,
        pass == 0 ? 0.22 : 1);
    if (pass == 0) {
      cairo_fill (cr);
    } else {
      cairo_set_line_width (cr, 1.6);
      cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
      cairo_stroke (cr);
    }
  }
}

static void
write_text (cairo_t * cr, gdouble x, gdouble y, gdouble size, gboolean at_right,
    const gchar * text)
{
  cairo_text_extents_t extents;

  cairo_set_font_size (cr, size);
  cairo_text_extents (cr, text, &extents);
  cairo_move_to (cr, at_right ? x - extents.x_advance : x, y);
  cairo_show_text (cr, text);
}

/* What it is, and what it is now */
static void
draw_label (cairo_t * cr, CameraSeries * series, gdouble height)
{
  guint n = series->points != NULL ? series->points->len : 0;
  gdouble value = n > 0
      ? g_array_index (series->points, Point, n - 1).value : NAN;
  gchar *text = isnan (value) ? g_strdup ("\342\200\223")
      : g_strdup_printf (series->format, value);

  cairo_set_source_rgb (cr, series->red, series->green, series->blue);
  write_text (cr, 14, height / 2 - 6, 11, FALSE, series->label);
  cairo_set_source_rgb (cr, 0.93, 0.93, 0.94);
  write_text (cr, 14, height / 2 + 15, 19, FALSE, text);
  g_free (text);
}

void
camera_draw_plot (cairo_t * cr, gdouble width, gdouble height,
    CameraSeries * series, guint n)
{
  gdouble inner = width - LEFT - RIGHT;
  gdouble row = (height - TOP - BOTTOM - GAP * (n - 1)) / n;
  gint64 now = g_get_monotonic_time ();

  cairo_select_font_face (cr, "Sans", CAIRO_FONT_SLANT_NORMAL,
      CAIRO_FONT_WEIGHT_NORMAL);
  cairo_save (cr);
  cairo_translate (cr, 0, TOP);
  for (guint i = 0; i < n; i++) {
    gdouble most = find_most (&series[i]);
    gchar *text = g_strdup_printf ("%g", most);

    draw_label (cr, &series[i], row);
    cairo_save (cr);
    cairo_translate (cr, LEFT, 0);
    cairo_rectangle (cr, 0, 0, inner, row);
    cairo_set_source_rgb (cr, 0.115, 0.118, 0.133);
    cairo_fill (cr);
    for (guint tick = 10; tick < CAMERA_HISTORY; tick += 10)
      cairo_rectangle (cr, floor (inner * tick / CAMERA_HISTORY), 0, 1, row);
    cairo_set_source_rgb (cr, 0.19, 0.19, 0.21);
    cairo_fill (cr);
    if (series[i].points != NULL)
      draw_curve (cr, &series[i], now, inner, row, most);
    cairo_set_source_rgb (cr, 0.55, 0.56, 0.6);
    write_text (cr, 4, 11, 9.5, FALSE, text);
    cairo_restore (cr);
    cairo_translate (cr, 0, row + GAP);
    g_free (text);
  }
  cairo_restore (cr);
  cairo_set_source_rgb (cr, 0.55, 0.56, 0.6);
  write_text (cr, LEFT, height - 7, 10, FALSE, G_STRINGIFY (CAMERA_HISTORY)
      " s ago");
  write_text (cr, width - RIGHT, height - 7, 10, TRUE, "now");
}
