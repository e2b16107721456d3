/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Declares the parts of retouch: files, the canvas, the pipeline and the window. */
#pragma once

#include <gdk-pixbuf/gdk-pixbuf.h>
#include <gst/gst.h>

/* ---- Files: retouch-file.c ------------------------------------------------- */

/* Loads a picture, or the frame of a video at the time @seconds. *@duration (nullable) is set to
 * the duration of the video in seconds; 0 for a picture. */
GdkPixbuf * retouch_load (const gchar * path, gdouble seconds, gdouble * duration, GError ** error);

/* Returns: the picture of a sample with an RGB or RGBA frame; NULL for any other sample */
GdkPixbuf * retouch_picture_from_sample (GstSample * sample);

/* Saves a picture. The suffix of the path determines the type. If the new file cannot be written,
 * an old file with this name is kept. */
gboolean retouch_save (GdkPixbuf * picture, const gchar * path, GError ** error);

/* Checks that retouch_save() to @path would replace either no file, or a picture of the same
 * type that is none of the files in the NULL-terminated array @inputs. */
gboolean retouch_check_output (const gchar * path, const gchar * const *inputs, GError ** error);

/* ---- The canvas: retouch-canvas.c ------------------------------------------- */

/* A picture, and the mask of its pixels to be removed. Changes of the picture and of the
 * mask can be undone, step by step. */
typedef struct _RetouchCanvas RetouchCanvas;

typedef struct
{
  gint x, y, width, height;
} RetouchBox;

RetouchCanvas * retouch_canvas_new (GdkPixbuf * picture);
void retouch_canvas_free (RetouchCanvas * self);

GdkPixbuf * retouch_canvas_get_picture (RetouchCanvas * self);

/* Returns: the mask: 255 for pixels to be removed, otherwise 0. Rows are @stride bytes apart, a
 * multiple of 4. The pointer is valid, and the same, as long as the canvas exists */
guint8 * retouch_canvas_get_mask (RetouchCanvas * self, gint * stride);
gboolean retouch_canvas_is_empty (RetouchCanvas * self);

/* Begin and continue a stroke of a round brush, which is one step for undo. Both return the box
 * that changed. */
RetouchBox retouch_canvas_begin_stroke (RetouchCanvas * self, gdouble x, gdouble y, gdouble diameter, gboolean erase);
RetouchBox retouch_canvas_stroke_to (RetouchCanvas * self, gdouble x, gdouble y);
void retouch_canvas_end_stroke (RetouchCanvas * self);

/* Adds a rectangle to the mask, clipped to the picture. */
void retouch_canvas_add_rectangle (RetouchCanvas * self, RetouchBox box);

/* Adds the pixels of @mask that are brighter than 127 to the mask. Returns: FALSE if @mask has
 * another size */
gboolean retouch_canvas_add_mask (RetouchCanvas * self, GdkPixbuf * mask, GError ** error);

/* Replaces the picture by another one of the same size, and clears the mask. */
void retouch_canvas_set_picture (RetouchCanvas * self, GdkPixbuf * picture);

gboolean retouch_canvas_can_undo (RetouchCanvas * self);
void retouch_canvas_undo (RetouchCanvas * self);

/* ---- The pipeline: retouch-remove.c ------------------------------------------- */

/* Values of the property "method" of mgpuinpaint, terminated by NULL; the first one is the
 * default */
extern const gchar *const retouch_methods[];

/* Properties of mgpuinpaint */
typedef struct
{
  gint patch_size;
  gdouble search_factor;
  gint mask_dilate;
  const gchar *method;          /* one of retouch_methods */
  gchar *device;                /* device string; NULL: the best device */
} RetouchSettings;

/* Callbacks, called in the default main context. done() is called once, with a picture or with an
 * error that says what to do about it; no callback is called after it. */
typedef struct
{
  void (*progress) (gint percent, gpointer data);
  void (*partial) (GdkPixbuf * picture, gpointer data); /* called with the unfinished picture, at
                                                         * intervals; may be NULL */
  void (*warning) (const gchar * text, gpointer data);
  void (*done) (GdkPixbuf * picture, const GError * error, gpointer data);
} RetouchCallbacks;

typedef struct _RetouchRemoval RetouchRemoval;

/* Starts a removal. Returns: the removal; NULL if it cannot be started (done() is not called
 * then) */
RetouchRemoval * retouch_remove (RetouchCanvas * canvas, const RetouchSettings * settings,
    const RetouchCallbacks * callbacks, gpointer data, GError ** error);

/* Ends and frees a removal. Call it also after done(), or in it. */
void retouch_removal_free (RetouchRemoval * self);

/* ---- The window: retouch-view.c, retouch-ask.c, retouch-window.c ----------------------------- */

typedef struct _GtkApplication GtkApplication;
typedef struct _GtkWidget GtkWidget;

/* A widget that shows a canvas as large as possible, and on which the user paints with the mouse.
 * The left button paints or erases; the right button always erases. changed() is called after
 * each stroke. The widget owns the RetouchView. */
typedef struct _RetouchView RetouchView;

RetouchView * retouch_view_new (void (*changed) (gpointer data), gpointer data);
GtkWidget * retouch_view_get_widget (RetouchView * self);
void retouch_view_set_brush (RetouchView * self, gdouble diameter, gboolean erase);

/* Sets the canvas (NULL: none), or redraws the canvas after it has changed. */
void retouch_view_set_canvas (RetouchView * self, RetouchCanvas * canvas);

/* Shows @picture instead of the picture of the canvas, until the next call of
 * retouch_view_set_canvas(). */
void retouch_view_set_partial (RetouchView * self, GdkPixbuf * picture);

/* While @working is TRUE, the user cannot paint, and the marked area pulsates. */
void retouch_view_set_working (RetouchView * self, gboolean working);

/* Asks the user whether unsaved changes may be discarded. Returns: the answer */
gboolean retouch_ask_discard (GtkWidget * window);

/* Asks the user for a file. Returns: the path of the file, or NULL */
gchar * retouch_ask_file (GtkWidget * window, gboolean to_save);

/* Shows the main window. @input (nullable): file that is opened at the start. @output (nullable):
 * path to which it is saved without asking. */
void retouch_window_show (GtkApplication * application, const RetouchSettings * settings,
    const gchar * input, gdouble seconds, const gchar * output);
