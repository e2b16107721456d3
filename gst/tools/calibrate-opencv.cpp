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

/* Half the width of the window around a corner, in pixels, and when its refinement ends */
#define WINDOW 11
#define MAX_STEPS 40
#define LEAST_STEP 1e-6

extern "C" gint
calibrate_find_chessboard (const gchar * path, gint columns, gint rows,
    gdouble * corners, gint * width, gint * height)
{
  cv::Size size (columns, rows);
  std::vector < cv::Point2f > found;
  cv::Mat picture;

  try {
    picture = cv::imread (path, cv::IMREAD_GRAYSCALE);
    if (picture.empty ())
      return -1;
    *width = picture.cols;
    *height = picture.rows;
    if (!cv::findChessboardCorners (picture, size, found))
      return 0;
    cv::cornerSubPix (picture, found, cv::Size (WINDOW, WINDOW), cv::Size (-1,
            -1), cv::TermCriteria (cv::TermCriteria::COUNT
            | cv::TermCriteria::EPS, MAX_STEPS, LEAST_STEP));
  } catch (const cv::Exception & error) {
    return -1;
  }
  for (gsize i = 0; i < found.size (); i++) {
    corners[2 * i] = found[i].x;
    corners[2 * i + 1] = found[i].y;
  }
  return 1;
}
