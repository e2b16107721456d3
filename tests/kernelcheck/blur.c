/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Checks bits beyond the range of samples, and compares the time of blurring with OpenCV's. */
#include "kernelcheck.h"

#include <gst/vision/blur/blur.h>

#include "../cases/cases.h"
#include "peers.h"

TEST_DECLARE (blur)
     static const KcFilter filter = {.cases = &cases_blur };

static const KcPeer peers[] = {
  {"OpenCV", kc_opencv_blur, -1, 1.0, NULL},
  {NULL, NULL, 0, 0}
};

static const KcFilterBench benches[] = {
  {"gaussian", "", GST_VIDEO_FORMAT_GRAY8, 1920, 1080, peers},
  {"gaussian", "", GST_VIDEO_FORMAT_I420, 1920, 1080, peers},
  {"gaussian", "", GST_VIDEO_FORMAT_I420, 200, 400, peers},
  {"gaussian", "", GST_VIDEO_FORMAT_NV12, 1920, 1080},
  {"gaussian", "", GST_VIDEO_FORMAT_BGRx, 1920, 1080},
  {"pixelate", "method=pixelate", GST_VIDEO_FORMAT_I420, 1920, 1080},
  {"pixelate", "method=pixelate", GST_VIDEO_FORMAT_NV12, 1920, 1080},
  {"pixelate", "method=pixelate", GST_VIDEO_FORMAT_BGRx, 1920, 1080},
  {"fill", "method=fill", GST_VIDEO_FORMAT_I420, 1920, 1080},
  {NULL}
};

const KcFunction kc_blur = { "blur",.filter = &filter,.benches = benches };
