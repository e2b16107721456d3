/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/remap/lens.h>

G_BEGIN_DECLS

/* A point of a board: its position on the board, in any unit, and where a picture shows it, in pixels; whole
 * numbers are the centres of pixels */
typedef struct
{
  gdouble board[2], place[2];
} CalibratePoint;

/* A picture of the board. @pose: how the board lies before the camera: a rotation vector, and a shift; set by
 * calibrate_solve(). @rms: root of the mean squared distance of points, in pixels */
typedef struct
{
  gchar *name;
  GArray *points;               /* of CalibratePoint */
  gdouble pose[6];
  gdouble rms;
} CalibrateView;

/* All views, and the size of their pictures */
typedef struct
{
  GPtrArray *views;             /* of CalibrateView */
  gint width, height;
} CalibrateViews;

/* What calibrate_solve() finds. @sigma: standard deviation of the focal lengths, in pixels */
typedef struct
{
  MgpuCamera camera;
  gdouble rms;
  gdouble sigma[2];
  guint n_steps;
} CalibrateResult;

CalibrateView * calibrate_view_new (const gchar * name);
void calibrate_view_free (CalibrateView * view);
void calibrate_views_init (CalibrateViews * self);
void calibrate_views_clear (CalibrateViews * self);

/* Finds the camera with the lens @lens (MGPU_LENS_BROWN or MGPU_LENS_FISHEYE) and @n_coefficients
 * coefficients (4, 5 or 8, or 4) that took @views, and sets their poses. Returns: FALSE with @error
 * set if there are too few points, or no camera fits them */
gboolean calibrate_solve (CalibrateViews * views, MgpuLens lens, guint n_coefficients, CalibrateResult * result,
    GError ** error);

/* Finds the pose of @view before the camera @camera, and sets its @rms. Returns: FALSE if there is none */
gboolean calibrate_find_pose (CalibrateView * view, const MgpuCamera * camera, guint n_coefficients);

/* Checks that the lens model of @camera is valid up to the edges of the pictures; for a fisheye lens, up to
 * the farthest measured point. Returns: FALSE with @error set if it is not */
gboolean calibrate_check (const CalibrateViews * views, const MgpuCamera * camera, GError ** error);

/* Reads a list of points: lines "size WIDTH HEIGHT", "view NAME" and, for each point, "X Y x y". Adds its
 * views. Returns: FALSE with @error set if it cannot be read */
gboolean calibrate_read_points (CalibrateViews * views, const gchar * path, GError ** error);

typedef enum
{
  CALIBRATE_OPENCV,
  CALIBRATE_ROS,
  CALIBRATE_KALIBR
} CalibrateFormat;

/* Returns: (transfer full): the text of a calibration file */
gchar * calibrate_format (const MgpuCamera * camera, guint n_coefficients, CalibrateFormat format, gdouble rms);

#ifdef HAVE_OPENCV
/* Finds the inner corners of a chessboard of @columns x @rows in the picture @path, with a refinement below
 * a pixel. @corners: x and y of columns * rows corners, row by row. Returns: 1 if all were found, 0 if
 * not, -1 if the picture cannot be read */
gint calibrate_find_chessboard (const gchar * path, gint columns, gint rows, gdouble * corners, gint * width,
    gint * height);
#endif

G_END_DECLS
