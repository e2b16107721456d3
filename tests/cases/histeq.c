/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Cases of histogram equalization. */
#include "histeq.h"

static const TestVariant variants[] = {
  {"channels=luma"},
  {"channels=each"},
  {"method=clahe", 100000},
  {"method=clahe tiles-x=3 tiles-y=2 clip-limit=1.7", 100000},
  {"method=clahe tiles-x=2 tiles-y=5 clip-limit=0 channels=each", 100000},
  {"method=levels"},
  {"method=levels low-clip=0.2 high-clip=0.03 max-gain=1.5 channels=each"},
  {"strength=0.4"},
  {"method=clahe tiles-x=2 tiles-y=2 strength=0.7", 100000},
  {NULL}
};

void
cases_histeq_equalize (const MgpuHisteqParams * p, const GstVideoInfo * info,
    const RefPlane * in, const RefPlane * out, RefHisteqPast * past)
{
  gboolean is_rgb = GST_VIDEO_INFO_IS_RGB (info);
  RefHisteq ref = {
    .method = p->method == MGPU_HISTEQ_CLAHE ? REF_HISTEQ_CLAHE
        : p->method == MGPU_HISTEQ_LEVELS ? REF_HISTEQ_LEVELS
        : REF_HISTEQ_GLOBAL,
    .clahe = {p->clahe.tiles_x, p->clahe.tiles_y, p->clahe.clip_limit},
    .low_clip = p->levels.low_clip,
    .high_clip = p->levels.high_clip,
    .max_gain = p->levels.max_gain,
    .temporal_smoothing = p->temporal_smoothing,
    .strength = p->strength
  };

  if (p->strength == 0)
    return;
  if (is_rgb && p->channels == MGPU_HISTEQ_LUMA
      ? !ref_histeq_rgb (in, out, &ref, past)
      : !ref_histeq (in, out, is_rgb ? 3 : 1, &ref, past))
    g_error ("out of memory");
}

static void
reference (const TestParams * params, const GstVideoInfo * info,
    const RefPlane * in, const RefPlane * out)
{
  cases_histeq_equalize (params->values, info, in, out, NULL);
}

const TestCases cases_histeq = {
  .name = "histeq",
  .algorithm = &mgpu_histeq,
  .variants = variants,
  .reference = reference,
  .memory = "temporal-smoothing=0.9"
};
