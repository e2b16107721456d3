/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Calibrates cameras from pictures, videos and cameras that show a board, or from lists of points, for mgpuremap. */
#include "calibrate.h"

#include <errno.h>
#include <gio/gio.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Views whose error is above this many times the median are left out. */
#define MAX_RATIO 3

/* One view in this many is held out to test the others, unless --hold-out says otherwise. */
#define HOLD_OUT 5

/* Percentages of the picture in which the board has to be seen before a capture ends (COVERAGE,
 * FISHEYE_COVERAGE). The percentage for a fisheye lens is smaller, because its image circle may
 * fill only half of the picture. A calibration with less than the fraction POOR of this percentage
 * causes a warning. */
#define COVERAGE 80
#define FISHEYE_COVERAGE 50
#define POOR 0.6

/* Number of times that the corners of tags are corrected for the distortion of the estimated
 * lens */
#define N_UNBEND 2

/* Number of tilts of the board; a calibration with fewer tilts causes a warning */
#define MIN_TILTS 3

/* Limits above which a calibration causes a warning: the error of held-out views, relative to the
 * error of the other views and in pixels, and the relative standard deviation of focal lengths */
#define MAX_HELD_OUT 1.5
#define SMALL_ERROR 0.1
#define MAX_SIGMA 0.01

/* Least number of different positions of the board */
#define MIN_PLACES 3

/* Maximum RMS, relative to the width of pictures, and maximum relative standard deviation of focal
 * lengths, for points with an error of NOISE pixels */
#define MAX_RMS 0.005
#define NO_FOCAL 0.1
#define NOISE 0.1

static gchar *opt_output, *opt_model, *opt_format, *opt_input, *opt_sink;
static const gchar *opt_board = "9x6";
static gint opt_coefficients = -1, opt_hold_out = HOLD_OUT, opt_coverage = -1;
static gdouble opt_square = 1;
static gboolean opt_keep, opt_batch, opt_overwrite, opt_version;
static gchar **opt_files;

static const GOptionEntry options[] = {
  {"input", 'i', 0, G_OPTION_ARG_STRING, &opt_input,
        "Take views of the board from a video file, a URI, a device such as "
        "/dev/video0, or GStreamer elements",
      "INPUT"},
  {"sink", 0, 0, G_OPTION_ARG_STRING, &opt_sink,
        "Elements that show the frames of --input (default: autovideosink for "
        "devices and elements, else none)",
      "ELEMENTS"},
  {"coverage", 0, 0, G_OPTION_ARG_INT, &opt_coverage,
        "Part of the image that the views of --input have to cover with the "
        "board, in percent (default: 80; fisheye: 50)",
      "PERCENT"},
  {"batch", 0, 0, G_OPTION_ARG_NONE, &opt_batch,
      "Calibrate several cameras: each FILE is a folder with the pictures of "
        "one camera, and --output is a folder", NULL},
  {"output", 'o', 0, G_OPTION_ARG_FILENAME, &opt_output,
        "Write the calibration to FILE instead of to the standard output",
      "FILE"},
  {"overwrite", 0, 0, G_OPTION_ARG_NONE, &opt_overwrite,
      "Replace files that exist", NULL},
  {"model", 'm', 0, G_OPTION_ARG_STRING, &opt_model,
      "Model of the lens: perspective (default) or fisheye", "MODEL"},
  {"coefficients", 'n', 0, G_OPTION_ARG_INT, &opt_coefficients,
      "Number of coefficients of a perspective lens: 4, 5 (default) or 8", "N"},
  {"format", 'f', 0, G_OPTION_ARG_STRING, &opt_format,
      "Format of the calibration: opencv (default), ros or kalibr", "FORMAT"},
  {"board", 'b', 0, G_OPTION_ARG_STRING, &opt_board,
        "Inner corners of a chessboard (default: 9x6), tags such as "
        "tag36h11:6x6:0.03:0.009, or a YAML file of tags",
      "BOARD"},
  {"square", 's', 0, G_OPTION_ARG_DOUBLE, &opt_square,
      "Size of a square of the chessboard, in any unit (default: 1)", "SIZE"},
  {"hold-out", 0, 0, G_OPTION_ARG_INT, &opt_hold_out,
      "Hold out one view in N, and test the calibration of the other views "
        "with it (default: 5; 0: no test)", "N"},
  {"keep-all", 0, 0, G_OPTION_ARG_NONE, &opt_keep,
      "Also use views whose error is more than 3 times the median error", NULL},
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
  CalibrateBoard board;
  CalibrateCapture capture;
} Choice;

/* Describes how good a calibration is. @held_out is the error of views that a second calibration
 * left out, and @others is the error of the views that it used; both are 0 if no view was left
 * out. */
typedef struct
{
  CalibrateResult result;
  CalibrateCover cover;
  guint n_points;
  gdouble held_out, others;
} Report;

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

  choice->lens = g_strcmp0 (opt_model, "fisheye") == 0 ? MGPU_LENS_FISHEYE
      : MGPU_LENS_BROWN;
  if (opt_model != NULL && choice->lens == MGPU_LENS_BROWN
      && !g_str_equal (opt_model, "perspective"))
    return fail (error, "--model has to be perspective or fisheye");
  choice->n = choice->lens == MGPU_LENS_FISHEYE ? 4 : 5;
  if (opt_coefficients != -1)
    choice->n = opt_coefficients;
  if (choice->n != 4 && (choice->lens == MGPU_LENS_FISHEYE || (choice->n != 5
              && choice->n != 8)))
    return fail (error, "--coefficients has to be 4, 5 or 8, and for a fisheye "
        "lens 4");
  choice->format = CALIBRATE_OPENCV;
  while (opt_format != NULL && formats[choice->format] != NULL
      && !g_str_equal (formats[choice->format], opt_format))
    choice->format++;
  if (formats[choice->format] == NULL)
    return fail (error, "--format has to be opencv, ros or kalibr");
  if (choice->format == CALIBRATE_KALIBR && choice->n > 4)
    return fail (error, "files of Kalibr have 4 coefficients: add "
        "--coefficients=4");
  if (!(opt_square > 0 && opt_square <= 1e6) || opt_hold_out < 0)
    return fail (error, "--square has to be above 0, and --hold-out at least "
        "0");
  if (opt_coverage != -1 && (opt_coverage < 1 || opt_coverage > 100))
    return fail (error, "--coverage has to be a percentage from 1 to 100");
  if (!calibrate_board_init (&choice->board, opt_board, opt_square, error))
    return FALSE;
  choice->capture.board = &choice->board;
  choice->capture.lens = choice->lens;
  choice->capture.n_coefficients = choice->n;
  choice->capture.percent = opt_coverage != -1 ? opt_coverage
      : choice->lens == MGPU_LENS_FISHEYE ? FISHEYE_COVERAGE : COVERAGE;
  return TRUE;
}

/* Tells whether a calibration may be written to @path. */
static gboolean
check_output (const gchar * path, GError ** error)
{
  if (!g_file_test (path, G_FILE_TEST_EXISTS) || (opt_overwrite
          && g_file_test (path, G_FILE_TEST_IS_REGULAR)))
    return TRUE;
  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
      opt_overwrite ? "%s is not a regular file: name another file" :
      "%s exists: add " "--overwrite to replace it, or name another file",
      path);
  return FALSE;
}

/* Returns: (transfer full): the file for the camera of the folder @folder */
static gchar *
get_batch_path (const gchar * folder)
{
  g_autofree gchar *base = g_path_get_basename (folder);
  g_autofree gchar *name = g_strconcat (base, ".yml", NULL);

  return g_build_filename (opt_output, name, NULL);
}

/* Checks that the calibrations of different folders are written to different files. */
static gboolean
check_batch (GError ** error)
{
  g_autoptr (GHashTable) paths = g_hash_table_new_full (g_str_hash, g_str_equal,
      g_free, NULL);

  if (opt_input != NULL)
    return fail (error, "--batch needs folders, not --input");
  if (opt_output == NULL || !g_file_test (opt_output, G_FILE_TEST_IS_DIR))
    return fail (error, "--batch needs --output=FOLDER, a folder that exists");
  for (guint i = 0; opt_files[i] != NULL; i++) {
    gchar *path = get_batch_path (opt_files[i]);

    if (!g_hash_table_add (paths, path)) {
      g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
          "%s: two folders have this name, so both calibrations would be "
          "written to the same file", opt_files[i]);
      return FALSE;
    }
    if (!check_output (path, error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
check_files (GError ** error)
{
  if (opt_input != NULL && opt_files != NULL)
    return fail (error, "--input and pictures cannot be combined");
  if (opt_input == NULL && opt_files == NULL)
    return fail (error, "give pictures of a board, or lists of points, or add "
        "--input");
  if (opt_input == NULL && opt_sink != NULL)
    return fail (error, "--sink can only be used with --input");
#ifndef HAVE_OPENCV
  if (opt_input != NULL && strchr (opt_board, ':') == NULL
      && !g_file_test (opt_board, G_FILE_TEST_EXISTS))
    return fail (error, "this program was built without OpenCV, so it finds "
        "no chessboards: use a board of tags");
#endif
  if (opt_batch)
    return check_batch (error);
  return opt_output == NULL || check_output (opt_output, error);
}

/* Tells whether a file is a list of points, not a picture. */
static gboolean
is_list (const gchar * path)
{
  gchar begin[4096];
  FILE *file = fopen (path, "rb");
  gsize n = file != NULL ? fread (begin, 1, sizeof (begin), file) : 0;
  const gchar *end;

  if (file != NULL)
    fclose (file);
  /* Ignores an incomplete character at the end, because reading may have cut it off. */
  return g_utf8_validate (begin, n, &end) || (n == sizeof (begin)
      && begin + n - end < 6 && memchr (begin, '\0', n) == NULL);
}

#ifdef HAVE_OPENCV
static gboolean
read_chessboard (CalibrateViews * views, const gchar * path,
    const CalibrateBoard * board, GError ** error)
{
  g_autofree gdouble *corners =
      g_new (gdouble, 2 * board->columns * board->rows);
  gint width = 0, height = 0;
  CalibrateView *view;
  gint found = calibrate_find_chessboard (path, board->columns, board->rows,
      corners, &width, &height);

  if (found == 0) {
    g_printerr ("%s: found no board of %dx%d corners\n", path, board->columns,
        board->rows);
    return TRUE;
  }
  if (found > 0 && views->width > 0 && (views->width != width
          || views->height != height))
    found = -2;
  if (found < 0) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, found == -2
        ? "%s: its size differs from that of the previous pictures"
        : "%s: the picture cannot be read", path);
    return FALSE;
  }
  views->width = width;
  views->height = height;
  view = calibrate_view_new (path);
  calibrate_board_add_corners (board, corners, view->points);
  g_ptr_array_add (views->views, view);
  return TRUE;
}
#else
static gboolean
read_chessboard (CalibrateViews * views, const gchar * path,
    const CalibrateBoard * board, GError ** error)
{
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, "%s: this program "
      "was built without OpenCV, so it finds no chessboards: use a board of "
      "tags, or lists of points", path);
  return FALSE;
}
#endif

/* Adds the views of a file. Pictures without a board do not determine the size that other pictures
 * must have. */
static gboolean
read_file (CalibrateViews * views, const gchar * path, Choice * choice,
    GError ** error)
{
  gboolean ok;

  if (is_list (path))
    return calibrate_read_points (views, path, error);
  if (choice->board.tags == NULL)
    return read_chessboard (views, path, &choice->board, error);
  choice->capture.is_picture = TRUE;
  ok = calibrate_capture (&choice->capture, path, views, error);
  if (views->views->len == 0)
    views->width = views->height = 0;
  return ok;
}

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

/* Measures the error of held-out views for a calibration with only the other views. */
static void
test_held_out (const CalibrateViews * views, const Choice * choice,
    Report * report)
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
    report->held_out = sqrt (sum / MAX (n, 1));
    report->others = result.rms;
  }
  g_ptr_array_unref (others.views);
}

/* Warns about properties of the views that make a calibration worse than its RMS suggests. @name:
 * name of the camera */
static void
warn (const Report * report, const Choice * choice, const gchar * name)
{
  guint percent = calibrate_cover_get_percent (&report->cover);
  const gdouble *focal = report->result.camera.focal;
  g_autofree gchar *advice = NULL;
  gint third;

  advice = calibrate_cover_advise (&report->cover, choice->capture.percent,
      &third);
  if (percent < POOR * choice->capture.percent)
    g_printerr ("%s: warning: views show the board in only %u %% of the image "
        "area, so the lens model is a guess elsewhere: %s\n", name, percent,
        advice);
  if (calibrate_cover_count_tilts (&report->cover) < MIN_TILTS)
    g_printerr
        ("%s: warning: the board was seen with only %u of 5 tilts, so focal "
        "lengths are less exact: tilt the board to the left, right, up and "
        "down\n", name, calibrate_cover_count_tilts (&report->cover));
  if (report->result.sigma[0] > MAX_SIGMA * focal[0]
      || report->result.sigma[1] > MAX_SIGMA * focal[1])
    g_printerr ("%s: warning: the focal lengths are uncertain by %.1f %%: add "
        "views, with the board tilted more\n", name,
        100 * MAX (report->result.sigma[0] / focal[0],
            report->result.sigma[1] / focal[1]));
  if (report->held_out > MAX_HELD_OUT * report->others
      && report->held_out > SMALL_ERROR)
    g_printerr ("%s: warning: held-out views have an error of %.3f pixels, but "
        "the other views only %.3f, so the model fits noise: add views, or use "
        "fewer coefficients\n", name, report->held_out, report->others);
}

/* Checks that the views determine the camera. */
static gboolean
check_result (const CalibrateViews * views, const CalibrateResult * result,
    GError ** error)
{
  const MgpuCamera *camera = &result->camera;
  gdouble noise = MAX (1, NOISE / MAX (result->rms, 1e-12));

  if (result->rms > MAX_RMS * views->width) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED,
        "no camera of this model "
        "fits: the RMS is %.1f pixels: check --board, and --model, which is "
        "fisheye for lenses that see more than about 110 degrees", result->rms);
    return FALSE;
  }
  if (!(noise * result->sigma[0] <= NO_FOCAL * camera->focal[0]
          && noise * result->sigma[1] <= NO_FOCAL * camera->focal[1])) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "the views do not "
        "determine the focal length: tilt the board by 20 to 45 degrees, to all sides");
    return FALSE;
  }
  return calibrate_check (views, camera, error);
}

/* Finds the camera, and corrects corners of tags for it. */
static gboolean
solve (CalibrateViews * views, const Choice * choice, CalibrateResult * result,
    GError ** error)
{
  if (!calibrate_solve (views, choice->lens, choice->n, result, error))
    return FALSE;
  for (guint i = 0; i < N_UNBEND && calibrate_unbend (views, &result->camera,
          choice->n); i++)
    if (!calibrate_solve (views, choice->lens, choice->n, result, error))
      return FALSE;
  return TRUE;
}

/* Checks that there are MIN_PLACES views with the board at different positions. Copies of one view fit many
 * cameras equally well. */
static gboolean
check_places (const CalibrateViews * views, GError ** error)
{
  g_autoptr (GPtrArray) places = g_ptr_array_new ();

  for (guint i = 0; i < views->views->len && places->len < MIN_PLACES; i++) {
    const CalibrateView *view = g_ptr_array_index (views->views, i);
    gboolean is_new = TRUE;

    for (guint k = 0; k < places->len; k++)
      is_new &= !calibrate_view_is_still (view, g_ptr_array_index (places, k),
          views->width);
    if (is_new)
      g_ptr_array_add (places, (gpointer) view);
  }
  if (places->len == MIN_PLACES || views->views->len < MIN_PLACES)
    return TRUE;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "%u views show the board "
      "at %u different positions: move and tilt it between views, at least %d "
      "times", views->views->len, places->len, MIN_PLACES - 1);
  return FALSE;
}

/* Finds the camera. @is_quiet: prints no line for each view */
static gboolean
calibrate (CalibrateViews * views, const Choice * choice, gboolean is_quiet,
    Report * report, GError ** error)
{
  CalibrateResult *result = &report->result;

  if (views->views->len == 0) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "found no view of the "
        "board: --board has to give the inner corners of a chessboard (one "
        "less than its squares in each direction), or the tags");
    return FALSE;
  }
  if (!check_places (views, error)
      || !solve (views, choice, result, error) || (!opt_keep
          && drop_bad (views) > 0 && !solve (views, choice, result, error)))
    return FALSE;
  for (guint i = 0; i < views->views->len; i++) {
    const CalibrateView *view = g_ptr_array_index (views->views, i);

    calibrate_cover_add (&report->cover, view, views->width, views->height);
    report->n_points += view->points->len;
    if (!is_quiet)
      g_printerr ("%s: %u points, RMS %.5f pixels\n", view->name,
          view->points->len, view->rms);
  }
  if (!check_result (views, result, error))
    return FALSE;
  if (opt_hold_out > 1)
    test_held_out (views, choice, report);
  return TRUE;
}

static void
print_report (const Report * report)
{
  const CalibrateResult *result = &report->result;
  const MgpuCamera *camera = &result->camera;
  g_autofree gchar *cover = calibrate_cover_format (&report->cover);

  g_printerr
      ("RMS %.5f pixels, focal lengths %.2f +- %.2f, %.2f +- %.2f, center "
      "%.2f, %.2f\n%s", result->rms, camera->focal[0], result->sigma[0],
      camera->focal[1], result->sigma[1], camera->centre[0], camera->centre[1],
      cover);
  if (report->held_out > 0)
    g_printerr ("held-out views: RMS %.5f pixels\n", report->held_out);
}

/* Writes the calibration to @path, or to the standard output if it is NULL or cannot be written. */
static gboolean
write_result (const Report * report, const Choice * choice, const gchar * path,
    GError ** error)
{
  g_autofree gchar *text = calibrate_format (&report->result.camera, choice->n,
      choice->format, report->result.rms);
  gboolean ok = path == NULL || (check_output (path, error)
      && g_file_set_contents (path, text, -1, error));

  if (path != NULL && ok)
    return TRUE;
  if (fputs (text, stdout) != EOF && fflush (stdout) != EOF)
    return ok;
  if (ok)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "the standard output "
        "cannot be written: %s", g_strerror (errno));
  return FALSE;
}

/* Calibrates one camera. */
static gboolean
run_one (Choice * choice, GError ** error)
{
  CalibrateViews views;
  Report report = { 0 };
  gboolean ok = TRUE;

  calibrate_views_init (&views);
  for (guint i = 0; ok && opt_files != NULL && opt_files[i] != NULL; i++)
    ok = read_file (&views, opt_files[i], choice, error);
  if (opt_input != NULL) {
    choice->capture.sink = opt_sink != NULL ? opt_sink
        : calibrate_is_live (opt_input) ? "autovideosink" : NULL;
    ok = calibrate_capture (&choice->capture, opt_input, &views, error);
  }
  ok = ok && calibrate (&views, choice, FALSE, &report, error);
  if (ok) {
    print_report (&report);
    warn (&report, choice, opt_input != NULL ? opt_input : "camera");
    ok = write_result (&report, choice, opt_output, error);
  }
  calibrate_views_clear (&views);
  return ok;
}

/* ---- Folders ---------------------------------------------------------------------- */

static gint
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const gchar * const *) a, *(const gchar * const *) b);
}

/* Adds the views of all files in @folder that can be read. */
static gboolean
read_folder (CalibrateViews * views, const gchar * folder, Choice * choice,
    GError ** error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GDir) list = g_dir_open (folder, 0, error);
  const gchar *name;

  while (list != NULL && (name = g_dir_read_name (list)) != NULL)
    if (*name != '.')
      g_ptr_array_add (names, g_build_filename (folder, name, NULL));
  g_ptr_array_sort (names, compare_names);
  for (guint i = 0; i < names->len; i++) {
    g_autoptr (GError) skipped = NULL;

    if (g_file_test (names->pdata[i], G_FILE_TEST_IS_REGULAR)
        && !read_file (views, names->pdata[i], choice, &skipped))
      g_printerr ("left out: %s\n", skipped->message);
  }
  return list != NULL;
}

static gboolean
run_folder (Choice * choice, const gchar * folder)
{
  g_autofree gchar *path = get_batch_path (folder);
  g_autoptr (GError) error = NULL;
  CalibrateViews views;
  Report report = { 0 };
  gboolean ok;

  calibrate_views_init (&views);
  ok = read_folder (&views, folder, choice, &error)
      && calibrate (&views, choice, TRUE, &report, &error)
      && write_result (&report, choice, path, &error);
  if (ok)
    warn (&report, choice, folder);
  if (ok)
    g_print ("%-20s %5u %7u %8.4f %8.4f %9.2f %9.2f %4u %%  %s\n", folder,
        report.cover.n_views, report.n_points, report.result.rms,
        report.held_out, report.result.camera.focal[0],
        report.result.camera.focal[1],
        calibrate_cover_get_percent (&report.cover), path);
  else
    g_print ("%-20s %5u  failed: %s\n", folder, views.views->len,
        error->message);
  calibrate_views_clear (&views);
  return ok;
}

/* Calibrates a camera for each folder, and prints a table. */
static gboolean
run_batch (Choice * choice, GError ** error)
{
  guint n_failed = 0, n;

  g_print ("%-20s %5s %7s %8s %8s %9s %9s %6s  %s\n", "folder", "views",
      "points", "RMS", "held-out", "fx", "fy", "seen", "file");
  for (n = 0; opt_files[n] != NULL; n++)
    n_failed += !run_folder (choice, opt_files[n]);
  if (n_failed > 0)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "%u of %u cameras were "
        "not calibrated", n_failed, n);
  return n_failed == 0;
}

int
main (int argc, char **argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autoptr (GError) error = NULL;
  Choice choice = { 0 };
  gboolean ok;

  g_option_context_set_summary (context, "Calibrates cameras from pictures, "
      "videos and cameras that show a board, or from lists of points, for "
      "mgpuremap.");
  g_option_context_add_main_entries (context, options, NULL);
  ok = g_option_context_parse (context, &argc, &argv, &error);
  if (ok && opt_version) {
    g_print ("gst-mgpu-calibrate " PACKAGE_VERSION "\n");
    return 0;
  }
  if (!ok || !read_choice (&choice, &error) || !check_files (&error)) {
    g_printerr ("gst-mgpu-calibrate: %s\n", error->message);
    calibrate_board_clear (&choice.board);
    return 2;
  }
  gst_init (NULL, NULL);
  ok = opt_batch ? run_batch (&choice, &error) : run_one (&choice, &error);
  if (!ok)
    g_printerr ("gst-mgpu-calibrate: %s\n", error->message);
  g_clear_pointer (&choice.capture.context, gst_context_unref);
  calibrate_board_clear (&choice.board);
  g_strfreev (opt_files);
  return ok ? 0 : 1;
}
