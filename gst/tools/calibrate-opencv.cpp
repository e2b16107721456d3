/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Finds chessboards in pictures, with OpenCV. */
#include <opencv2/calib3d.hpp>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>

extern "C"
{
#include "calibrate.h"
}

/* Half the width, in pixels, of the window around a corner in which the corner is refined, and the
 * conditions that end the refinement */
#define WINDOW 11
#define MAX_STEPS 40
#define LEAST_STEP 1e-6

/* The flags that OpenCV has by default */
#define FLAGS (cv::CALIB_CB_ADAPTIVE_THRESH | cv::CALIB_CB_NORMALIZE_IMAGE)

/* Finds the corners in @picture. Returns: 1 if the corners were found; 0 if not, for example
 * because OpenCV refuses small pictures */
static gint
find (const cv::Mat & picture, const cv::Size & size, int flags,
    gdouble * corners)
{
  std::vector < cv::Point2f > found;

  try {
    if (!cv::findChessboardCorners (picture, size, found, flags))
      return 0;
    cv::cornerSubPix (picture, found, cv::Size (WINDOW, WINDOW), cv::Size (-1,
            -1), cv::TermCriteria (cv::TermCriteria::COUNT
            | cv::TermCriteria::EPS, MAX_STEPS, LEAST_STEP));
  } catch (const cv::Exception & error) {
    return 0;
  }
  for (gsize i = 0; i < found.size (); i++) {
    corners[2 * i] = found[i].x;
    corners[2 * i + 1] = found[i].y;
  }
  return 1;
}

extern "C" gint
calibrate_find_chessboard (const gchar * path, gint columns, gint rows,
    gdouble * corners, gint * width, gint * height)
{
  cv::Mat picture;

  try {
    picture = cv::imread (path, cv::IMREAD_GRAYSCALE);
  } catch (const cv::Exception & error) {
    return -1;
  }
  if (picture.empty ())
    return -1;
  *width = picture.cols;
  *height = picture.rows;
  return find (picture, cv::Size (columns, rows), FLAGS, corners);
}

extern "C" gint
calibrate_find_chessboard_gray (gpointer pixels, gint width, gint height,
    gsize stride, gint columns, gint rows, gdouble * corners)
{
  return find (cv::Mat (height, width, CV_8UC1, pixels, stride),
      cv::Size (columns, rows), FLAGS | cv::CALIB_CB_FAST_CHECK, corners);
}
