/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/mgpu.h>
#include <gst/models/board.h>
#include <gst/vision/remap/lens.h>

G_BEGIN_DECLS

/* A point of a board: its position on the board, in any unit, and its position in a picture, in
 * pixels; whole numbers are the centers of pixels. The same point has the same position on the
 * board in all views.
 * @shift: correction that calibrate_unbend() has subtracted from @place */
typedef struct
{
  gdouble board[2], place[2], shift[2];
} CalibratePoint;

/* A picture of the board. @pose: pose of the board relative to the camera: a rotation vector and a
 * translation; set by calibrate_solve(). @rms: root of the mean squared distance of points, in
 * pixels */
typedef struct
{
  gchar *name;
  GArray *points;               /* array of CalibratePoint */
  gboolean has_tags;            /* whether each group of 4 points has the corners of a tag */
  gdouble pose[6];
  gdouble rms;
} CalibrateView;

/* All views, and the size of their pictures */
typedef struct
{
  GPtrArray *views;             /* array of CalibrateView */
  gint width, height;
} CalibrateViews;

/* Result of calibrate_solve(). @sigma: standard deviation of the focal lengths, in pixels */
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

/* Finds the pose of the board in @view for the camera @camera, and sets the member @rms of @view.
 * Returns: FALSE if no pose is found */
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

/* Projects the point @board of the board of @view by @camera, and sets @place to its position. The
 * pose of @view has to be known. */
void calibrate_project (const CalibrateView * view, const MgpuCamera * camera, guint n_coefficients,
    const gdouble board[2], gdouble place[2]);

/* Corrects the corners of tags, because they were measured as intersections of straight lines, but
 * the lens of @camera bends the edges of tags. The poses of @views have to be known. Returns:
 * whether there are tags */
gboolean calibrate_unbend (CalibrateViews * views, const MgpuCamera * camera, guint n_coefficients);

/* Sets @normal to the normal of the board of @view that points away from the camera, and @middle to the middle of
 * its points, in the coordinates of the camera. The pose of @view has to be known */
void calibrate_get_normal (const CalibrateView * view, gdouble normal[3], gdouble middle[3]);

/* ---- Boards ----------------------------------------------------------------------- */

/* A chessboard of @columns x @rows inner corners with squares of the size @square, or flat @tags of @families, a
 * value for mgputags */
typedef struct
{
  gint columns, rows;
  gdouble square;
  gchar *families;
  MgpuBoard *tags;              /* NULL: a chessboard */
} CalibrateBoard;

/* Sets @self to the board that @text describes: COLUMNSxROWS, FAMILY:COLUMNSxROWS:SIZE:GAP or the
 * path of a file that mgpu_board_load() reads. @square: size of a square of a chessboard. Returns:
 * FALSE with @error set if @text describes no flat board; @self has to be cleared even in this
 * case */
gboolean calibrate_board_init (CalibrateBoard * self, const gchar * text, gdouble square, GError ** error);
void calibrate_board_clear (CalibrateBoard * self);

/* Adds the corners of the tags of @self that the GstMgpuTagMeta of @buffer has to @points, if there are at least 6.
 * Returns: the number of these tags */
guint calibrate_board_find_tags (const CalibrateBoard * self, GstBuffer * buffer, GArray * points);

/* Adds the @corners of a chessboard, x and y of columns * rows corners, row by row, to @points. */
void calibrate_board_add_corners (const CalibrateBoard * self, const gdouble * corners, GArray * points);

/* ---- Coverage --------------------------------------------------------------------- */

/* Numbers of columns and rows of fields into which the picture is divided, to measure where the
 * board was seen */
#define CALIBRATE_COLUMNS 8
#define CALIBRATE_ROWS 6

/* Coverage by views: the fields of the picture, the tilts and the sizes in which the board was
 * seen */
typedef struct
{
  gboolean cells[CALIBRATE_ROWS][CALIBRATE_COLUMNS];
  gboolean tilts[5], sizes[3];
  guint n_views;
} CalibrateCover;

/* Adds the fields, tilt and size of @view. The pose of @view has to be roughly known. */
void calibrate_cover_add (CalibrateCover * self, const CalibrateView * view, gint width, gint height);

/* Returns: whether @view adds a field, tilt or size to @self */
gboolean calibrate_cover_gains (const CalibrateCover * self, const CalibrateView * view, gint width, gint height);

/* Returns: the percentage of the fields that were seen, from 0 to 100 */
guint calibrate_cover_get_percent (const CalibrateCover * self);

/* Returns: the number of tilts that were seen, of 5 */
guint calibrate_cover_count_tilts (const CalibrateCover * self);

/* Returns: whether there are enough views with @percent of the fields, 4 of 5 tilts and 2 of 3 sizes */
gboolean calibrate_cover_is_enough (const CalibrateCover * self, guint percent);

/* Returns: (transfer full): what to do with the board next. @third: the ninth of the picture, from 0 to 8, row by
 * row, in which to show it; -1 if that does not matter */
gchar * calibrate_cover_advise (const CalibrateCover * self, guint percent, gint * third);

/* Returns: (transfer full): the coverage as lines of text */
gchar * calibrate_cover_format (const CalibrateCover * self);

/* Returns: whether the board is at the same position in @view and in @last, within a pixel, or a
 * thousandth of @width */
gboolean calibrate_view_is_still (const CalibrateView * view, const CalibrateView * last, gint width);

/* Returns: whether @view differs from each one of @views by 4 % of @width, or by 10 degrees of tilt */
gboolean calibrate_view_is_new (const CalibrateView * view, const GPtrArray * views, gint width);

/* ---- Frames ----------------------------------------------------------------------- */

/* How frames are read. @is_picture: whether each frame that shows the board is used; otherwise only
 * frames in which the board is still and at a new position are used, until @percent of the picture
 * are covered. @sink: elements that show the frames, or NULL. @context: (transfer full): the
 * device, for the next call; unref it at the end */
typedef struct
{
  const CalibrateBoard *board;
  MgpuLens lens;
  guint n_coefficients;         /* of @lens */
  gboolean is_picture;
  guint percent;
  const gchar *sink;
  GstContext *context;
} CalibrateCapture;

/* Returns: whether @input names a device, or elements, rather than a file or a URI */
gboolean calibrate_is_live (const gchar * input);

/* Adds views of frames of @input, a file, a URI, a device or elements, to @views. Returns: FALSE with @error set
 * if frames cannot be read, or differ in size */
gboolean calibrate_capture (CalibrateCapture * self, const gchar * input, CalibrateViews * views, GError ** error);

#ifdef HAVE_OPENCV
/* Finds the inner corners of a chessboard of @columns x @rows in the picture @path, with a refinement below
 * a pixel. @corners: x and y of columns * rows corners, row by row. Returns: 1 if all were found, 0 if
 * not, -1 if the picture cannot be read */
gint calibrate_find_chessboard (const gchar * path, gint columns, gint rows, gdouble * corners, gint * width,
    gint * height);

/* Finds the inner corners of a chessboard in gray pixels, and gives up early. Returns: 1 if all
 * were found, 0 if not */
gint calibrate_find_chessboard_gray (gpointer pixels, gint width, gint height, gsize stride, gint columns,
    gint rows, gdouble * corners);
#endif

G_END_DECLS
