/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
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
    MgpuBox box = { rects[i].x, rects[i].y, rects[i].width, rects[i].height,
      (gfloat) weights[i], 0, 0 };

    g_array_append_val (boxes, box);
  }
}

gdouble
kc_opencv_people (const KcPicture * in, gdouble threshold, GArray * hits,
    GArray * boxes)
{
  static cv::HOGDescriptor *hog = NULL;
  std::vector<cv::Rect> rects;
  std::vector<double> weights;

  if (hog == NULL) {
    hog = new cv::HOGDescriptor ();
    hog->setSVMDetector (cv::HOGDescriptor::getDefaultPeopleDetector ());
  }
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
kc_opencv_people_weights (gfloat * weights)
{
  std::vector<float> all = cv::HOGDescriptor::getDefaultPeopleDetector ();

  std::copy (all.begin (), all.end (), weights);
}
