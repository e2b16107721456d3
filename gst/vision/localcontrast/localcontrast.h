/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/object.h>

G_BEGIN_DECLS

/**
 * MgpuLocalcontrastParams:
 * @detail: how much stronger small differences become, -1 to 4
 * @shadows: how much brighter dark areas become, -1 to 1
 * @highlights: how much brighter bright areas become, -1 to 1
 * @sigma: largest differences that count as small, in 8-bit steps, 4 to 127
 * @levels: number of grey values for each of which the frame is remapped, 4 to 64, or 0: as
 *   many as sigma needs
 */
typedef struct
{
  gdouble detail, shadows, highlights, sigma;
  guint levels;
} MgpuLocalcontrastParams;

/* Changes the local contrast of luma; in RGB frames, red, green and blue change by as
 * much as luma does. The input and output images have the same format and different
 * memories. */
extern const MgpuAlgorithm mgpu_localcontrast;

G_END_DECLS
