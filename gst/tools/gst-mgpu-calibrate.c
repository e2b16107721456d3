/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Calibrates a camera from pictures of a chessboard, or from lists of points, for mgpuremap. */
#include "calibrate.h"

#include <gio/gio.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Views whose error is above this many times the median are left out. */
#define MAX_RATIO 3

/* One view in this many is held out to test the others, unless --hold-out says otherwise. */
#define HOLD_OUT 5

static gchar *opt_output, *opt_model, *opt_format, *opt_board;
static gint opt_coefficients = -1, opt_hold_out = HOLD_OUT;
static gdouble opt_square = 1;
static gboolean opt_keep, opt_version;
static gchar **opt_files;

static const GOptionEntry options[] = {
  {"output", 'o', 0, G_OPTION_ARG_FILENAME, &opt_output,
      "Write the calibration to FILE instead of the standard output", "FILE"},
  {"model", 'm', 0, G_OPTION_ARG_STRING, &opt_model,
      "Model of the lens: perspective (default) or fisheye", "MODEL"},
  {"coefficients", 'n', 0, G_OPTION_ARG_INT, &opt_coefficients,
      "Number of coefficients of a perspective lens: 4, 5 (default) or 8", "N"},
  {"format", 'f', 0, G_OPTION_ARG_STRING, &opt_format,
      "Format of the calibration: opencv (default), ros or kalibr", "FORMAT"},
  {"board", 'b', 0, G_OPTION_ARG_STRING, &opt_board,
        "Inner corners of the chessboard in pictures (default: 9x6)",
      "COLUMNSxROWS"},
  {"square", 's', 0, G_OPTION_ARG_DOUBLE, &opt_square,
      "Size of a square of the chessboard, in any unit (default: 1)", "SIZE"},
  {"hold-out", 0, 0, G_OPTION_ARG_INT, &opt_hold_out,
      "Test the calibration of the other views with one view in N (default: 5; "
        "0: no test)", "N"},
  {"keep-all", 0, 0, G_OPTION_ARG_NONE, &opt_keep,
      "Use also views whose error is more than 3 times the median", NULL},
  {"version", 0, 0, G_OPTION_ARG_NONE, &opt_version, "Print the version", NULL},
  {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &opt_files, NULL,
      "FILE..."},
  {NULL}
};

/* What the options say */
typedef struct
{
  MgpuLens lens;
  guint n;                      /* number of coefficients */
  CalibrateFormat format;
  gint columns, rows;
} Choice;

static gboolean
fail (GError ** error, const gchar * text)
{
  g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, text);
  return FALSE;
}

static gboolean
read_choice (Choice * choice, GError ** error)
{
  static const gchar *const formats[] = { "opencv", "ros", "kalibr", NULL };
  gchar end;

  choice->lens = g_strcmp0 (opt_model, "fisheye") == 0 ? MGPU_LENS_FISHEYE
      : MGPU_LENS_BROWN;
  if (opt_model != NULL && choice->lens == MGPU_LENS_BROWN
      && !g_str_equal (opt_model, "perspective"))
    return fail (error, "--model is perspective or fisheye");
  choice->n = choice->lens == MGPU_LENS_FISHEYE ? 4 : 5;
  if (opt_coefficients != -1)
    choice->n = opt_coefficients;
  if (choice->n != 4 && (choice->lens == MGPU_LENS_FISHEYE || (choice->n != 5
              && choice->n != 8)))
    return fail (error, "--coefficients is 4, 5 or 8, and 4 for a fisheye");
  choice->format = CALIBRATE_OPENCV;
  while (opt_format != NULL && formats[choice->format] != NULL
      && !g_str_equal (formats[choice->format], opt_format))
    choice->format++;
  if (formats[choice->format] == NULL)
    return fail (error, "--format is opencv, ros or kalibr");
  if (choice->format == CALIBRATE_KALIBR && choice->n > 4)
    return fail (error, "files of Kalibr have 4 coefficients: add "
        "--coefficients=4");
  if (sscanf (opt_board != NULL ? opt_board : "9x6", "%dx%d%c",
          &choice->columns, &choice->rows, &end) != 2 || choice->columns < 2
      || choice->rows < 2 || choice->columns > 100 || choice->rows > 100)
    return fail (error, "--board is the number of inner corners, as in 9x6");
  if (!(opt_square > 0 && opt_square <= 1e6) || opt_hold_out < 0)
    return fail (error, "--square is above 0, and --hold-out at least 0");
  return opt_files != NULL
      || fail (error, "name pictures of a board, or lists of points");
}

/* Tells whether a file is a list of points, not a picture. */
static gboolean
is_list (const gchar * path)
{
  gchar begin[4096] = "";
  FILE *file = fopen (path, "rb");
  gsize n = file != NULL ? fread (begin, 1, sizeof (begin) - 1, file) : 0;

  if (file != NULL)
    fclose (file);
  return file == NULL || memchr (begin, '\0', n) == NULL;
}

#ifdef HAVE_OPENCV
static gboolean
read_picture (CalibrateViews * views, const gchar * path, const Choice * choice,
    GError ** error)
{
  gint n = choice->columns * choice->rows, width = 0, height = 0;
  g_autofree gdouble *corners = g_new (gdouble, 2 * n);
  CalibrateView *view;
  gint found = calibrate_find_chessboard (path, choice->columns, choice->rows,
      corners, &width, &height);

  if (found >= 0 && views->width > 0 && (views->width != width
          || views->height != height))
    found = -2;
  if (found < 0) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, found == -2
        ? "%s: its size differs from that of the pictures before"
        : "%s: the picture cannot be read", path);
    return FALSE;
  }
  views->width = width;
  views->height = height;
  if (found == 0) {
    g_printerr ("%s: no board of %dx%d corners\n", path, choice->columns,
        choice->rows);
    return TRUE;
  }
  view = calibrate_view_new (path);
  for (gint i = 0; i < n; i++) {
    const CalibratePoint point = { {opt_square * (i % choice->columns),
        opt_square * (i / choice->columns)}, {corners[2 * i],
        corners[2 * i + 1]}
    };

    g_array_append_val (view->points, point);
  }
  g_ptr_array_add (views->views, view);
  return TRUE;
}
#else
static gboolean
read_picture (CalibrateViews * views, const gchar * path, const Choice * choice,
    GError ** error)
{
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, "%s: this program "
      "was built without OpenCV, so it reads lists of points alone", path);
  return FALSE;
}
#endif

static gint
compare (gconstpointer a, gconstpointer b)
{
  gdouble x = (*(CalibrateView * const *) a)->rms;
  gdouble y = (*(CalibrateView * const *) b)->rms;

  return (x > y) - (x < y);
}

/* Removes views whose error is far above the median. Returns: their number */
static guint
drop_bad (CalibrateViews * views)
{
  g_autoptr (GPtrArray) sorted = g_ptr_array_new ();
  guint n = 0;
  gdouble most;

  for (guint i = 0; i < views->views->len; i++)
    g_ptr_array_add (sorted, g_ptr_array_index (views->views, i));
  g_ptr_array_sort (sorted, compare);
  most = MAX_RATIO * ((CalibrateView *) g_ptr_array_index (sorted,
          sorted->len / 2))->rms;
  for (guint i = views->views->len; i-- > 0;) {
    const CalibrateView *view = g_ptr_array_index (views->views, i);

    if (view->rms <= most)
      continue;
    g_printerr ("%s: left out, because its error is %.3f pixels\n", view->name,
        view->rms);
    g_ptr_array_remove_index (views->views, i);
    n++;
  }
  return n;
}

/* Prints the error of views that did not take part in the calibration. */
static void
test_held_out (const CalibrateViews * views, const Choice * choice)
{
  CalibrateViews others = { g_ptr_array_new (), views->width, views->height };
  CalibrateResult result = { 0 };
  gdouble sum = 0;
  guint n = 0;

  for (guint i = 0; i < views->views->len; i++)
    if ((gint) (i % opt_hold_out) != opt_hold_out - 1)
      g_ptr_array_add (others.views, g_ptr_array_index (views->views, i));
  if (others.views->len < views->views->len
      && calibrate_solve (&others, choice->lens, choice->n, &result, NULL)) {
    for (guint i = opt_hold_out - 1; i < views->views->len; i += opt_hold_out) {
      CalibrateView *view = g_ptr_array_index (views->views, i);

      if (!calibrate_find_pose (view, &result.camera, choice->n))
        continue;
      sum += view->rms * view->rms * view->points->len;
      n += view->points->len;
    }
    g_printerr ("held-out views: RMS %.5f pixels\n", sqrt (sum / MAX (n, 1)));
  }
  g_ptr_array_unref (others.views);
}

static gboolean
calibrate (CalibrateViews * views, const Choice * choice, GError ** error)
{
  CalibrateResult result = { 0 };
  const MgpuCamera *camera = &result.camera;
  g_autofree gchar *text = NULL;

  if (!calibrate_solve (views, choice->lens, choice->n, &result, error))
    return FALSE;
  if (!opt_keep && drop_bad (views) > 0
      && !calibrate_solve (views, choice->lens, choice->n, &result, error))
    return FALSE;
  for (guint i = 0; i < views->views->len; i++) {
    const CalibrateView *view = g_ptr_array_index (views->views, i);

    g_printerr ("%s: %u points, RMS %.5f pixels\n", view->name,
        view->points->len, view->rms);
  }
  g_printerr
      ("RMS %.5f pixels, focal lengths %.2f +- %.2f, %.2f +- %.2f, center "
      "%.2f, %.2f\n", result.rms, camera->focal[0], result.sigma[0],
      camera->focal[1], result.sigma[1], camera->centre[0], camera->centre[1]);
  if (!calibrate_check (views, camera, error))
    return FALSE;
  text = calibrate_format (camera, choice->n, choice->format, result.rms);
  if (opt_output == NULL)
    g_print ("%s", text);
  else if (!g_file_set_contents (opt_output, text, -1, error))
    return FALSE;
  if (opt_hold_out > 1)
    test_held_out (views, choice);
  return TRUE;
}

int
main (int argc, char **argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  GError *error = NULL;
  CalibrateViews views;
  Choice choice;
  gboolean ok;

  g_option_context_set_summary (context, "Calibrates a camera from pictures of "
      "a chessboard, or from lists of points, for mgpuremap.");
  g_option_context_add_main_entries (context, options, NULL);
  ok = g_option_context_parse (context, &argc, &argv, &error);
  if (ok && opt_version) {
    g_print ("gst-mgpu-calibrate " PACKAGE_VERSION "\n");
    return 0;
  }
  if (!ok || !read_choice (&choice, &error)) {
    g_printerr ("gst-mgpu-calibrate: %s\n", error->message);
    g_error_free (error);
    return 2;
  }
  calibrate_views_init (&views);
  for (guint i = 0; ok && opt_files[i] != NULL; i++)
    ok = is_list (opt_files[i])
        ? calibrate_read_points (&views, opt_files[i], &error)
        : read_picture (&views, opt_files[i], &choice, &error);
  ok = ok && calibrate (&views, &choice, &error);
  if (!ok)
    g_printerr ("gst-mgpu-calibrate: %s\n", error->message);
  g_clear_error (&error);
  calibrate_views_clear (&views);
  g_strfreev (opt_files);
  return ok ? 0 : 1;
}
