/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Calls OpenCV's dense optical flow, its tracks and its background subtractors, the peers of the
 * functions flow, tracks and moving. */
#include "peers.h"
#include <gst/vision/flow/flow.h>

#include <opencv2/core.hpp>
#include <opencv2/core/ocl.hpp>
#include <opencv2/video/background_segm.hpp>
#include <opencv2/video/tracking.hpp>

/* Limits OpenCV to two CPU threads, without OpenCL, as in peers-opencv.cpp. */
static void
use_threads ()
{
  cv::setNumThreads (2);
  cv::ocl::setUseOpenCL (false);
}

/* Returns the pixels of the only plane, GRAY8 or BGR, as a matrix, without a copy. */
static cv::Mat
view (const KcPicture * picture)
{
  const GstVideoInfo *info = &picture->info;

  return cv::Mat (GST_VIDEO_INFO_HEIGHT (info), GST_VIDEO_INFO_WIDTH (info),
      CV_8UC (GST_VIDEO_INFO_N_COMPONENTS (info)), picture->data + info->offset[0],
      info->stride[0]);
}

gdouble
kc_opencv_flow (gint preset, const KcPicture * from, const KcPicture * to)
{
  cv::Mat flow;

  use_threads ();
  cv::DISOpticalFlow::create (preset == MGPU_FLOW_ULTRAFAST
      ? cv::DISOpticalFlow::PRESET_ULTRAFAST : preset == MGPU_FLOW_FAST
      ? cv::DISOpticalFlow::PRESET_FAST : cv::DISOpticalFlow::PRESET_MEDIUM)->
      calc (view (from), view (to), flow);
  return -1;
}

gdouble
kc_opencv_tracks (const gfloat * points, guint n, const KcPicture * from, const KcPicture * to)
{
  cv::Mat before (n, 1, CV_32FC2, const_cast <gfloat *>(points));
  cv::Mat there, back, status, errors;

  use_threads ();
  cv::calcOpticalFlowPyrLK (view (from), view (to), before, there, status, errors);
  cv::calcOpticalFlowPyrLK (view (to), view (from), there, back, status, errors);
  return -1;
}

struct _KcSubtractor
{
  cv::Ptr <cv::BackgroundSubtractor> subtractor;
};

KcSubtractor *
kc_opencv_subtractor_new (KcSubtractorKind kind)
{
  KcSubtractor *self = new KcSubtractor ();

  if (kind == KC_SUBTRACTOR_KNN)
    self->subtractor = cv::createBackgroundSubtractorKNN ();
  else
    self->subtractor = cv::createBackgroundSubtractorMOG2 ();
  return self;
}

void
kc_opencv_subtractor_free (KcSubtractor * self)
{
  delete self;
}

gdouble
kc_opencv_subtract (KcSubtractor * self, const KcPicture * in, KcPicture * mask)
{
  cv::Mat out = view (mask);

  use_threads ();
  self->subtractor->apply (view (in), out);
  return -1;
}
