/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Cases of noise reduction. */
#include "denoise.h"

/* Lists cases of a first frame; kernelcheck also checks streams. */
static const TestVariant variants[] = {
  {"strength=1", 100000},
  {"noise=32 strength=4 spatial=8", 100000},
  {"planes=luma noise=6", 100000},
  {"motion=flow", 100000},
  {NULL}
};

void
cases_denoise_reduce (const MgpuDenoiseParams * p, const GstVideoInfo * info,
    const RefPlane * in, const RefPlane * out, const RefFlow * flow,
    RefDenoisePast * past)
{
  const RefDenoise params = {
    .strength = p->strength,
    .noise = p->noise,
    .spatial = p->spatial,
    .frames = p->frames,
    .is_rgb = GST_VIDEO_INFO_IS_RGB (info),
    .only_luma = p->planes == MGPU_DENOISE_LUMA
  };

  if (!ref_denoise (in, out, MIN (GST_VIDEO_INFO_N_COMPONENTS (info), 3),
          &params, p->motion == MGPU_DENOISE_FLOW ? flow : NULL, past))
    g_error ("out of memory");
}

static void
reference (const TestParams * params, const GstVideoInfo * info,
    const RefPlane * in, const RefPlane * out)
{
  RefDenoisePast past = { 0 };

  cases_denoise_reduce (params->values, info, in, out, NULL, &past);
  ref_denoise_forget (&past);
}

const TestCases cases_denoise = {
  .name = "denoise",
  .algorithm = &mgpu_denoise,
  .variants = variants,
  .n_sizes = 3,
  .reference = reference,
  .memory = "noise=32 strength=4 spatial=8",
  .remembers = TRUE
};
