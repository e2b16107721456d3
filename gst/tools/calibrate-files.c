/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reads lists of points, and writes calibration files. */
#include "calibrate.h"

#include <gio/gio.h>
#include <math.h>
#include <string.h>

/* Largest width and height of a picture, and largest coordinate of a point */
#define MAX_SIDE 65536
#define MAX_PLACE 1e9

/* Reads @n numbers with white space between them. Returns: FALSE if @text is anything else */
static gboolean
read_numbers (const gchar * text, guint n, gdouble * numbers)
{
  gchar *end = (gchar *) text;

  for (guint i = 0; i < n; i++, text = end) {
    numbers[i] = g_ascii_strtod (text, &end);
    if (end == text || !(fabs (numbers[i]) <= MAX_PLACE))
      return FALSE;
  }
  return end[strspn (end, " \t\r")] == '\0';
}

/* Reads a line. Returns: a text that describes the error, or NULL */
static const gchar *
read_line (CalibrateViews * views, const gchar * line, gboolean * has_view)
{
  gdouble n[4];
  CalibratePoint point;

  line += strspn (line, " \t\r");
  if (*line == '\0' || *line == '#')
    return NULL;
  if (g_str_has_prefix (line, "size ")) {
    if (!read_numbers (line + 5, 2, n) || !(n[0] >= 2 && n[0] <= MAX_SIDE
            && n[1] >= 2 && n[1] <= MAX_SIDE))
      return "\"size\" needs the width and the height of pictures";
    if (views->width != 0 && (views->width != n[0] || views->height != n[1]))
      return "pictures have different sizes";
    views->width = n[0];
    views->height = n[1];
    return NULL;
  }
  if (g_str_has_prefix (line, "view ")) {
    g_autofree gchar *name = g_strstrip (g_utf8_make_valid (line + 5, -1));

    g_ptr_array_add (views->views, calibrate_view_new (name));
    *has_view = TRUE;
    return NULL;
  }
  if (!read_numbers (line, 4, n))
    return "a point needs four numbers: X and Y on the board, x and y in the "
        "picture";
  if (!*has_view)
    return "a line \"view NAME\" has to come before points";
  point = (CalibratePoint) { {
  n[0], n[1]}
  , {
  n[2], n[3]}
  };
  g_array_append_val (((CalibrateView *) g_ptr_array_index (views->views,
              views->views->len - 1))->points, point);
  return NULL;
}

gboolean
calibrate_read_points (CalibrateViews * views, const gchar * path,
    GError ** error)
{
  g_autofree gchar *text = NULL;
  g_auto (GStrv) lines = NULL;
  gboolean has_view = FALSE;

  if (!g_file_get_contents (path, &text, NULL, error))
    return FALSE;
  if (*text == '\0') {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "%s is empty",
        path);
    return FALSE;
  }
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++) {
    const gchar *wrong = read_line (views, lines[i], &has_view);

    if (wrong == NULL)
      continue;
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "%s, line %u: %s",
        path, i + 1, wrong);
    return FALSE;
  }
  if (views->width > 0)
    return TRUE;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "%s: a line \"size "
      "WIDTH HEIGHT\" is missing", path);
  return FALSE;
}

/* Appends @n numbers, separated by commas, with enough digits to be read as the same numbers. */
static void
add_numbers (GString * text, const gdouble * numbers, guint n)
{
  gchar number[G_ASCII_DTOSTR_BUF_SIZE];

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? ", " : "",
        g_ascii_dtostr (number, sizeof (number), numbers[i]));
}

static void
add_matrix (GString * text, const gchar * name, const gchar * tag, gint rows,
    gint columns, const gdouble * numbers)
{
  g_string_append_printf (text, "%s:%s\n   rows: %d\n   cols: %d\n%s   data: [",
      name, tag, rows, columns, *tag != '\0' ? "   dt: d\n" : "");
  add_numbers (text, numbers, rows * columns);
  g_string_append (text, "]\n");
}

static void
add_kalibr (GString * text, const MgpuCamera * camera)
{
  const gdouble intrinsics[4] = { camera->focal[0], camera->focal[1],
    camera->centre[0], camera->centre[1]
  };

  g_string_append_printf (text, "cam0:\n  camera_model: pinhole\n"
      "  distortion_model: %s\n  intrinsics: [",
      camera->lens == MGPU_LENS_FISHEYE ? "equidistant" : "radtan");
  add_numbers (text, intrinsics, 4);
  g_string_append (text, "]\n  distortion_coeffs: [");
  add_numbers (text, camera->k, 4);
  g_string_append_printf (text, "]\n  resolution: [%d, %d]\n", camera->width,
      camera->height);
}

gchar *
calibrate_format (const MgpuCamera * camera, guint n_coefficients,
    CalibrateFormat format, gdouble rms)
{
  const gdouble *f = camera->focal, *c = camera->centre;
  const gdouble k[9] = { f[0], 0, c[0], 0, f[1], c[1], 0, 0, 1 };
  const gdouble turn[9] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 };
  const gdouble p[12] = { f[0], 0, c[0], 0, 0, f[1], c[1], 0, 0, 0, 1, 0 };
  gboolean is_fisheye = camera->lens == MGPU_LENS_FISHEYE;
  GString *text = g_string_new (format == CALIBRATE_OPENCV ? "%YAML:1.0\n---\n"
      : "");
  const gchar *tag = format == CALIBRATE_OPENCV ? " !!opencv-matrix" : "";

  if (format == CALIBRATE_KALIBR) {
    add_kalibr (text, camera);
    return g_string_free (text, FALSE);
  }
  g_string_append_printf (text, "image_width: %d\nimage_height: %d\n",
      camera->width, camera->height);
  if (format == CALIBRATE_ROS)
    g_string_append_printf (text, "camera_name: camera\ndistortion_model: %s\n",
        is_fisheye ? "equidistant" : n_coefficients > 5
        ? "rational_polynomial" : "plumb_bob");
  add_matrix (text, "camera_matrix", tag, 3, 3, k);
  add_matrix (text, "distortion_coefficients", tag, 1, n_coefficients,
      camera->k);
  if (format == CALIBRATE_ROS) {
    add_matrix (text, "rectification_matrix", tag, 3, 3, turn);
    add_matrix (text, "projection_matrix", tag, 3, 4, p);
  } else {
    gchar number[G_ASCII_DTOSTR_BUF_SIZE];

    if (is_fisheye)
      g_string_append (text, "fisheye_model: 1\n");
    g_string_append_printf (text, "avg_reprojection_error: %s\n",
        g_ascii_formatd (number, sizeof (number), "%.6f", rms));
  }
  return g_string_free (text, FALSE);
}
