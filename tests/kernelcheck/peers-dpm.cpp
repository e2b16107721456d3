/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Calls OpenCV's detector with part models, a peer of the function dpm. */
#include "peers.h"
#include <gst/vision/base/boxes.h>

#include <opencv2/core.hpp>
#include <opencv2/dpm.hpp>

gdouble
kc_opencv_dpm (const gchar * model, const KcPicture * in, GArray * boxes)
{
  static cv::Ptr<cv::dpm::DPMDetector> detector;
  const GstVideoInfo *info = &in->info;
  cv::Mat frame (GST_VIDEO_INFO_HEIGHT (info), GST_VIDEO_INFO_WIDTH (info),
      CV_8UC3, in->data + info->offset[0], info->stride[0]);
  std::vector<cv::dpm::DPMDetector::ObjectDetection> found;

  if (detector.empty ())
    detector = cv::dpm::DPMDetector::create (std::vector<std::string> (1,
            model));
  cv::setNumThreads (2);
  detector->detect (frame, found);
  for (size_t i = 0; boxes != NULL && i < found.size (); i++) {
    MgpuScoredBox box = { found[i].rect.x, found[i].rect.y, found[i].rect.width,
      found[i].rect.height, found[i].score, 0, 0 };

    g_array_append_val (boxes, box);
  }
  return -1;
}
