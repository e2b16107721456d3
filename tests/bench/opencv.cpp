/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Measures an application that pulls GRAY8 frames from an appsink, calls OpenCV, and pushes the
 * result into an appsrc. */
#include "pipelines.h"

#include <opencv2/imgproc.hpp>

void
bench_opencv_bilateral (const guint8 * in, guint8 * out, gint width, gint height,
    gint stride)
{
  cv::Mat from (height, width, CV_8UC1, const_cast<guint8 *> (in), stride);
  cv::Mat to (height, width, CV_8UC1, out, stride);

  cv::bilateralFilter (from, to, 9, 30, 3);
}

void
bench_opencv_equalize (const guint8 * in, guint8 * out, gint width, gint height,
    gint stride)
{
  cv::Mat from (height, width, CV_8UC1, const_cast<guint8 *> (in), stride);
  cv::Mat to (height, width, CV_8UC1, out, stride);

  cv::equalizeHist (from, to);
}
