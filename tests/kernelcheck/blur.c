/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Checks bits beyond the range of samples, and times blurring beside OpenCV. */
#include "kernelcheck.h"

#include <gst/vision/blur/blur.h>

#include "../cases/cases.h"
#include "peers.h"

TEST_DECLARE (blur)

static const KcFilter filter = {.cases = &cases_blur };

static void
check (KcRun * run)
{
  kc_check_filter (run, &filter);
}

static void
bench (KcRun * run)
{
  static const MgpuBlurParams gaussian = { MGPU_BLUR_GAUSSIAN, 12, 0, 0 };
  static const MgpuBlurParams pixelate = { MGPU_BLUR_PIXELATE, 12, 0, 0 };
  static const MgpuBlurParams fill = { MGPU_BLUR_FILL, 12, 0, 0xff000000 };
  static const struct
  {
    const gchar *what;
    const MgpuBlurParams *params;
    GstVideoFormat format;
    gint width, height;
  } cases[] = {
    {"gaussian", &gaussian, GST_VIDEO_FORMAT_GRAY8, 1920, 1080},
    {"gaussian", &gaussian, GST_VIDEO_FORMAT_I420, 1920, 1080},
    {"gaussian", &gaussian, GST_VIDEO_FORMAT_I420, 200, 400},
    {"gaussian", &gaussian, GST_VIDEO_FORMAT_NV12, 1920, 1080},
    {"gaussian", &gaussian, GST_VIDEO_FORMAT_BGRx, 1920, 1080},
    {"pixelate", &pixelate, GST_VIDEO_FORMAT_I420, 1920, 1080},
    {"pixelate", &pixelate, GST_VIDEO_FORMAT_NV12, 1920, 1080},
    {"pixelate", &pixelate, GST_VIDEO_FORMAT_BGRx, 1920, 1080},
    {"fill", &fill, GST_VIDEO_FORMAT_I420, 1920, 1080}
  };
  static const KcPeer peers[] = {
    {"OpenCV", kc_opencv_blur, -1, 1.0, NULL},
    {NULL, NULL, 0, 0}
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const KcFilterBench bench = {
      .what = cases[i].what,
      .params = cases[i].params,
      .format = cases[i].format,
      .width = cases[i].width,
      .height = cases[i].height,
      .peers = cases[i].params == &gaussian
          && (cases[i].format == GST_VIDEO_FORMAT_GRAY8
          || cases[i].format == GST_VIDEO_FORMAT_I420) ? peers : NULL
    };

    kc_bench_filter (run, &filter, &bench);
  }
}

const KcFunction kc_blur = { "blur", check, bench };
