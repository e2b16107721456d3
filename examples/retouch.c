/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Removes objects from a picture or a frame of a video: in a window, where the
 * user paints over them with the mouse, or without a window, where a mask or a
 * rectangle selects them.
 *
 *   retouch [PICTURE] [--output FILE]
 *   retouch --input PICTURE --output FILE --mask MASK --rectangle X,Y,WIDTH,HEIGHT
 *
 * Exit status: 0, or 2 after an error, which is printed. */
#include "retouch.h"

#include <gtk/gtk.h>
#include <stdlib.h>

#include "need-mgpu.h"

#define FAILED 2

typedef struct
{
  gchar *input, *output, *mask, *method;
  gchar **rectangles;
  gchar **rest;
  gdouble time;
  RetouchSettings settings;
} Options;

/* State of a removal without a window */
typedef struct
{
  GMainLoop *loop;
  const gchar *output;
  gboolean ok;
} Work;

static void
on_progress (gint percent, gpointer data)
{
  g_print ("%d %%\n", percent);
}

static void
on_warning (const gchar * text, gpointer data)
{
  g_printerr ("retouch: %s\n", text);
}

static void
on_done (GdkPixbuf * picture, const GError * error, gpointer data)
{
  Work *work = data;
  GError *cause = NULL;

  if (error != NULL)
    g_printerr ("retouch: %s\n", error->message);
  else if (!retouch_save (picture, work->output, &cause))
    g_printerr ("retouch: %s\n", cause->message);
  else
    work->ok = TRUE;
  g_clear_error (&cause);
  g_main_loop_quit (work->loop);
}

static gboolean
parse_rectangle (const gchar * text, RetouchBox * box)
{
  gint end = 0;

  return sscanf (text, "%d,%d,%d,%d%n", &box->x, &box->y, &box->width,
      &box->height, &end) == 4 && text[end] == '\0'
      && MIN (box->x, box->y) >= -1000000 && MAX (box->x, box->y) <= 1000000
      && MIN (box->width, box->height) > 0
      && MAX (box->width, box->height) <= 1000000;
}

/* Makes a canvas with the picture and the area to remove. */
static RetouchCanvas *
make_canvas (const Options * options, GError ** error)
{
  GdkPixbuf *picture = retouch_load (options->input, options->time, NULL,
      error), *mask;
  RetouchCanvas *canvas;
  gboolean ok = TRUE;

  if (picture == NULL)
    return NULL;
  canvas = retouch_canvas_new (picture);
  g_object_unref (picture);
  if (options->mask != NULL) {
    mask = retouch_load (options->mask, 0, NULL, error);
    ok = mask != NULL && retouch_canvas_add_mask (canvas, mask, error);
    g_clear_object (&mask);
  }
  for (guint i = 0; ok && options->rectangles && options->rectangles[i]; i++) {
    RetouchBox box;

    ok = parse_rectangle (options->rectangles[i], &box);
    if (ok)
      retouch_canvas_add_rectangle (canvas, box);
    else
      g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
          "\"%s\" is not a rectangle: X,Y,WIDTH,HEIGHT in pixels",
          options->rectangles[i]);
  }
  if (ok && retouch_canvas_is_empty (canvas)) {
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
        "there is nothing to remove: the mask is black, or the rectangles are "
        "outside of %s", options->input);
    ok = FALSE;
  }
  if (!ok)
    g_clear_pointer (&canvas, retouch_canvas_free);
  return canvas;
}

static gboolean
remove_at_once (const Options * options, GError ** error)
{
  static const RetouchCallbacks callbacks =
      { on_progress, NULL, on_warning, on_done };
  Work work = { NULL, options->output, FALSE };
  RetouchCanvas *canvas;
  RetouchRemoval *removal;

  if (options->input == NULL || options->output == NULL) {
    g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
        "a mask or a rectangle needs --input and --output, too");
    return FALSE;
  }
  canvas = make_canvas (options, error);
  if (canvas == NULL)
    return FALSE;
  work.loop = g_main_loop_new (NULL, FALSE);
  removal = retouch_remove (canvas, &options->settings, &callbacks, &work,
      error);
  if (removal != NULL)
    g_main_loop_run (work.loop);
  retouch_removal_free (removal);
  g_main_loop_unref (work.loop);
  retouch_canvas_free (canvas);
  return work.ok;
}

static void
on_activate (GtkApplication * application, gpointer data)
{
  const Options *options = data;

  retouch_window_show (application, &options->settings, options->input,
      options->time, options->output);
}

static gboolean
show_window (Options * options, GError ** error)
{
  GtkApplication *application;
  gint status;

  if (!gtk_init_check (NULL, NULL)) {
    g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
        "there is no display to show a window on: name a --mask or a "
        "--rectangle, see --help");
    return FALSE;
  }
  application = gtk_application_new (NULL, G_APPLICATION_NON_UNIQUE);
  g_signal_connect (application, "activate", G_CALLBACK (on_activate), options);
  status = g_application_run (G_APPLICATION (application), 0, NULL);
  g_object_unref (application);
  return status == 0;
}

static gboolean
parse_options (Options * options, int *argc, char ***argv, GError ** error)
{
  const GOptionEntry entries[] = {
    {"input", 'i', 0, G_OPTION_ARG_FILENAME, &options->input,
        "Picture or video", "FILE"},
    {"time", 't', 0, G_OPTION_ARG_DOUBLE, &options->time,
        "Time of the frame of a video", "SECONDS"},
    {"output", 'o', 0, G_OPTION_ARG_FILENAME, &options->output,
        "File for the result", "FILE"},
    {"mask", 'm', 0, G_OPTION_ARG_FILENAME, &options->mask,
          "Image of the same size: pixels brighter than 127 are removed",
        "FILE"},
    {"rectangle", 'r', 0, G_OPTION_ARG_STRING_ARRAY, &options->rectangles,
        "Area to remove; may be given several times", "X,Y,WIDTH,HEIGHT"},
    {"mask-dilate", 0, 0, G_OPTION_ARG_INT, &options->settings.mask_dilate,
        "Pixels by which the mask is dilated, 0 to 256 (0)", "N"},
    {"patch-size", 0, 0, G_OPTION_ARG_INT, &options->settings.patch_size,
        "Width of the patches, odd, 3 to 33 (9)", "N"},
    {"search-factor", 0, 0, G_OPTION_ARG_DOUBLE,
          &options->settings.search_factor,
        "Margin in which to search for patches; -1: everywhere (1)", "FACTOR"},
    {"method", 0, 0, G_OPTION_ARG_STRING, &options->method,
        "auto, patchmatch, exemplar, directional or harmonic (auto)", "METHOD"},
    {"device", 0, 0, G_OPTION_ARG_STRING, &options->settings.device,
        "OpenCL device, for example :cpu: or NVIDIA", "DEVICE"},
    {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options->rest,
        NULL, "[PICTURE]"},
    {NULL}
  };
  GOptionContext *context = g_option_context_new (NULL);
  gboolean ok;

  g_option_context_set_summary (context,
      "Removes objects from a picture or a frame of a video: with a mask or a "
      "rectangle\nat once, otherwise in a window.");
  g_option_context_add_main_entries (context, entries, NULL);
  g_option_context_add_group (context, gst_init_get_option_group ());
  ok = g_option_context_parse (context, argc, argv, error);
  g_option_context_free (context);
  if (ok && options->rest != NULL) {
    ok = options->input == NULL && options->rest[1] == NULL;
    if (ok)
      options->input = g_strdup (options->rest[0]);
    else
      g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
          "more than one picture; name the file to write with --output");
  }
  if (ok && (options->settings.patch_size < 3
          || options->settings.patch_size > 33)) {
    g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
        "--patch-size is 3 to 33");
    ok = FALSE;
  }
  if (ok && (options->settings.mask_dilate < 0
          || options->settings.mask_dilate > 256)) {
    g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
        "--mask-dilate is 0 to 256");
    ok = FALSE;
  }
  if (ok && !(options->settings.search_factor >= -1
          && options->settings.search_factor <= 1000)) {
    g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
        "--search-factor is -1 to 1000");
    ok = FALSE;
  }
  if (ok && options->method != NULL
      && !g_strv_contains (retouch_methods, options->method)) {
    g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
        "--method is auto, patchmatch, exemplar, directional or harmonic");
    ok = FALSE;
  }
  options->settings.method =
      options->method != NULL ? options->method : retouch_methods[0];
  return ok;
}

/* Checks that writing the output would not overwrite another file. */
static gboolean
check_options (const Options * options, GError ** error)
{
  const gchar *inputs[] = { options->input, options->mask, NULL };

  return options->output == NULL
      || retouch_check_output (options->output, inputs, error);
}

int
main (int argc, char *argv[])
{
  Options options = { NULL };
  GError *error = NULL;
  gboolean ok;

  options.settings.patch_size = 9;
  options.settings.search_factor = 1;
  ok = parse_options (&options, &argc, &argv, &error) && has_mgpu ()
      && check_options (&options, &error);
  if (ok && (options.mask != NULL || options.rectangles != NULL))
    ok = remove_at_once (&options, &error);
  else if (ok)
    ok = show_window (&options, &error);
  if (error != NULL)
    g_printerr ("retouch: %s\n", error->message);
  g_clear_error (&error);
  g_free (options.input);
  g_free (options.output);
  g_free (options.mask);
  g_free (options.method);
  g_free (options.settings.device);
  g_strfreev (options.rectangles);
  g_strfreev (options.rest);
  return ok ? EXIT_SUCCESS : FAILED;
}
