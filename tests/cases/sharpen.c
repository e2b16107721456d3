/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Cases of sharpening. */
#include "cases.h"

#include "../reference/sharpen.h"

/* Cases without a pyramid level, with one, two and four, both ends of every parameter's range, and
 * sigmas beyond most of the frame sizes */
static const TestVariant variants[] = {
  {"amount=1 sigma=1.5"},
  {"amount=3 sigma=0", 65 * 65},
  {"amount=16 sigma=0.3 threshold=1.5"},
  {"amount=0.5 sigma=2.99 threshold=3"},
  {"amount=-1 sigma=3"},
  {"amount=2.2 sigma=8 threshold=10"},
  {"amount=-0.7 sigma=25", 65 * 65},
  {NULL}
};

static void
reference (const TestParams * params, const GstVideoInfo * info,
    const RefPlane * in, const RefPlane * out)
{
  gdouble amount = test_params_get (params, "amount");
  gdouble sigma = test_params_get (params, "sigma");
  gdouble threshold = test_params_get (params, "threshold");

  if (GST_VIDEO_INFO_IS_RGB (info)
      ? !ref_sharpen_rgb (in, GST_VIDEO_INFO_HAS_ALPHA (info) ? &in[3] : NULL,
          out, amount, sigma, threshold)
      : !ref_sharpen (in, out, amount, sigma, threshold))
    g_error ("out of memory");
}

const TestCases cases_sharpen = {
  .name = "sharpen",
  .algorithm = &mgpu_sharpen,
  .variants = variants,
  .n_sizes = 4,
  .reference = reference
};
