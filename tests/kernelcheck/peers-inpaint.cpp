/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Calls OpenCV's inpainting, a peer of the function inpaint. */
#include "peers.h"

#include <opencv2/core.hpp>
#include <opencv2/core/ocl.hpp>
#include <opencv2/photo.hpp>
#include <opencv2/xphoto/inpainting.hpp>

/* Uses the neighborhood of OpenCV's own example. */
#define RADIUS 3

void
kc_opencv_inpaint (KcInpaintPeer peer, const guint8 * mask,
    const KcPicture * in, KcPicture * out)
{
  const GstVideoInfo *info = &in->info;
  int width = GST_VIDEO_INFO_WIDTH (info), height = GST_VIDEO_INFO_HEIGHT (info);
  cv::Mat from (height, width, CV_8UC3, in->data + info->offset[0],
      info->stride[0]);
  cv::Mat to (height, width, CV_8UC3, out->data + out->info.offset[0],
      out->info.stride[0]);
  cv::Mat hole = cv::Mat (height, width, CV_8UC1,
      const_cast<guint8 *> (mask)) >= 128, result;

  cv::setNumThreads (2);
  cv::ocl::setUseOpenCL (false);
  switch (peer) {
    case KC_INPAINT_TELEA:
      cv::inpaint (from, hole, result, RADIUS, cv::INPAINT_TELEA);
      break;
    case KC_INPAINT_NS:
      cv::inpaint (from, hole, result, RADIUS, cv::INPAINT_NS);
      break;
    case KC_INPAINT_SHIFTMAP:
      /* Inverts the mask, because in this function's masks known pixels are not 0. */
      cv::xphoto::inpaint (from, ~hole, result, cv::xphoto::INPAINT_SHIFTMAP);
      break;
    case KC_INPAINT_FSR_FAST:
      cv::xphoto::inpaint (from, ~hole, result, cv::xphoto::INPAINT_FSR_FAST);
      break;
  }
  result.copyTo (to);
}
