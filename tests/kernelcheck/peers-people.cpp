/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Calls OpenCV's people detector, a peer of the function people. */
#include "peers.h"
#include <gst/vision/base/boxes.h>

#include <opencv2/core.hpp>
#include <opencv2/core/ocl.hpp>
#include <opencv2/objdetect.hpp>

static cv::Mat
view (const KcPicture * picture)
{
  const GstVideoInfo *info = &picture->info;

  return cv::Mat (GST_VIDEO_INFO_HEIGHT (info), GST_VIDEO_INFO_WIDTH (info),
      GST_VIDEO_INFO_N_COMPONENTS (info) == 1 ? CV_8UC1 : CV_8UC3,
      picture->data + info->offset[0], info->stride[0]);
}

static void
append (GArray * boxes, const std::vector<cv::Rect> & rects,
    const std::vector<double> & weights)
{
  for (size_t i = 0; boxes != NULL && i < rects.size (); i++) {
    MgpuScoredBox box = { rects[i].x, rects[i].y, rects[i].width, rects[i].height,
      (gfloat) weights[i], 0, 0 };

    g_array_append_val (boxes, box);
  }
}

/* Returns: OpenCV's default people detector, or Daimler's, whose window has 48x96 pixels */
static cv::HOGDescriptor *
get_detector (gboolean is_daimler)
{
  static cv::HOGDescriptor *hogs[2];
  cv::HOGDescriptor ** hog = hogs + (is_daimler ? 1 : 0);

  if (*hog == NULL && is_daimler) {
    *hog = new cv::HOGDescriptor (cv::Size (48, 96), cv::Size (16, 16),
        cv::Size (8, 8), cv::Size (8, 8), 9);
    (*hog)->setSVMDetector (cv::HOGDescriptor::getDaimlerPeopleDetector ());
  } else if (*hog == NULL) {
    *hog = new cv::HOGDescriptor ();
    (*hog)->setSVMDetector (cv::HOGDescriptor::getDefaultPeopleDetector ());
  }
  return *hog;
}

gdouble
kc_opencv_people (const KcPicture * in, gboolean is_daimler, gdouble threshold,
    GArray * hits, GArray * boxes)
{
  cv::HOGDescriptor * hog = get_detector (is_daimler);
  std::vector<cv::Rect> rects;
  std::vector<double> weights;

  cv::setNumThreads (2);
  cv::ocl::setUseOpenCL (false);
  if (hits != NULL) {
    hog->detectMultiScale (view (in), rects, weights, threshold,
        cv::Size (), cv::Size (), 1.05, 0);
    append (hits, rects, weights);
  }
  hog->detectMultiScale (view (in), rects, weights, threshold);
  append (boxes, rects, weights);
  return -1;
}

void
kc_opencv_people_weights (gboolean is_daimler, gfloat * weights)
{
  const std::vector<float> &all = get_detector (is_daimler)->svmDetector;

  std::copy (all.begin (), all.end (), weights);
}
