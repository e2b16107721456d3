/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* The parts of retouch: files, what is painted, the pipeline, the window. */
#pragma once

#include <gdk-pixbuf/gdk-pixbuf.h>
#include <gst/gst.h>

/* ---- Files: retouch-file.c ------------------------------------------------- */

/* A picture, or the frame of a video at so many seconds. duration: seconds of the
 * video, 0 for a picture; it may be NULL. */
GdkPixbuf * retouch_load (const gchar * path, gdouble seconds, gdouble * duration, GError ** error);

/* An RGB or RGBA frame; NULL when it is none. */
GdkPixbuf * retouch_picture_from_sample (GstSample * sample);

/* The type follows from the end of the name. A file that was there before stays
 * whole when the new one cannot be written. */
gboolean retouch_save (GdkPixbuf * picture, const gchar * path, GError ** error);

/* Whether retouch_save() to that path would replace nothing but a picture of the same type,
 * which is none of the inputs. A NULL ends the inputs. */
gboolean retouch_check_output (const gchar * path, const gchar * const *inputs, GError ** error);

/* ---- What is painted: retouch-canvas.c -------------------------------------- */

/* A picture and which of its pixels are to be removed. Both can be undone, step by
 * step. */
typedef struct _RetouchCanvas RetouchCanvas;

typedef struct
{
  gint x, y, width, height;
} RetouchBox;

RetouchCanvas * retouch_canvas_new (GdkPixbuf * picture);
void retouch_canvas_free (RetouchCanvas * self);

GdkPixbuf * retouch_canvas_get_picture (RetouchCanvas * self);

/* 255 where pixels are to be removed, otherwise 0; rows lie stride bytes apart, a
 * multiple of 4. It stays where it is as long as the canvas lives. */
guint8 * retouch_canvas_get_mask (RetouchCanvas * self, gint * stride);
gboolean retouch_canvas_is_empty (RetouchCanvas * self);

/* A stroke of a round brush is one step. Both give back what changed. */
RetouchBox retouch_canvas_begin_stroke (RetouchCanvas * self, gdouble x, gdouble y, gdouble diameter, gboolean erase);
RetouchBox retouch_canvas_stroke_to (RetouchCanvas * self, gdouble x, gdouble y);
void retouch_canvas_end_stroke (RetouchCanvas * self);

/* What is outside of the picture is left out. */
void retouch_canvas_add_rectangle (RetouchCanvas * self, RetouchBox box);

/* What is brighter than 127 in it. FALSE: it has another size. */
gboolean retouch_canvas_add_mask (RetouchCanvas * self, GdkPixbuf * mask, GError ** error);

/* Another picture of the same size, from which nothing is to be removed yet. */
void retouch_canvas_set_picture (RetouchCanvas * self, GdkPixbuf * picture);

gboolean retouch_canvas_can_undo (RetouchCanvas * self);
void retouch_canvas_undo (RetouchCanvas * self);

/* ---- The pipeline: retouch-remove.c ------------------------------------------- */

/* Values of the property "method" of mgpuinpaint; the first is the default. A NULL ends them. */
extern const gchar *const retouch_methods[];

/* Properties of mgpuinpaint */
typedef struct
{
  gint patch_size;
  gdouble search_factor;
  gint mask_dilate;
  const gchar *method;          /* one of retouch_methods */
  gchar *device;                /* NULL: the best one */
} RetouchSettings;

/* Called from the default main context. done is called once, with a picture, or an
 * error that says what can be done about it, and nothing after it. */
typedef struct
{
  void (*progress) (gint percent, gpointer data);
  void (*partial) (GdkPixbuf * picture, gpointer data); /* as far as it is; NULL: not wanted */
  void (*warning) (const gchar * text, gpointer data);
  void (*done) (GdkPixbuf * picture, const GError * error, gpointer data);
} RetouchCallbacks;

typedef struct _RetouchRemoval RetouchRemoval;

/* NULL, and done is not called, when it cannot be begun. */
RetouchRemoval * retouch_remove (RetouchCanvas * canvas, const RetouchSettings * settings,
    const RetouchCallbacks * callbacks, gpointer data, GError ** error);

/* Ends it; also to be called after done, and in it. */
void retouch_removal_free (RetouchRemoval * self);

/* ---- The window: retouch-view.c, retouch-ask.c, retouch-window.c ----------------------------- */

typedef struct _GtkApplication GtkApplication;
typedef struct _GtkWidget GtkWidget;

/* Shows a canvas as large as there is room, and paints on it with the mouse: with the
 * left button, or erases; with the right one, always erases. changed is called after
 * each stroke. The widget owns what is behind it. */
typedef struct _RetouchView RetouchView;

RetouchView * retouch_view_new (void (*changed) (gpointer data), gpointer data);
GtkWidget * retouch_view_get_widget (RetouchView * self);
void retouch_view_set_brush (RetouchView * self, gdouble diameter, gboolean erase);

/* The canvas, or something in it, is another one. NULL: there is none. */
void retouch_view_set_canvas (RetouchView * self, RetouchCanvas * canvas);

/* What to show in place of the canvas' picture, until that is set. */
void retouch_view_set_partial (RetouchView * self, GdkPixbuf * picture);

/* While it works nothing is painted, and what is to be removed pulsates. */
void retouch_view_set_working (RetouchView * self, gboolean working);

/* Whether what is not saved may be lost. */
gboolean retouch_ask_discard (GtkWidget * window);

/* The name of a file, or NULL. */
gchar * retouch_ask_file (GtkWidget * window, gboolean to_save);

/* input: what is open from the start; output: where it is saved without asking.
 * Both may be NULL. */
void retouch_window_show (GtkApplication * application, const RetouchSettings * settings,
    const gchar * input, gdouble seconds, const gchar * output);
