/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/object.h>

G_BEGIN_DECLS

/**
 * MgpuLocalcontrastParams:
 * @detail: amount by which small differences are amplified, -1 to 4
 * @shadows: amount by which dark areas are brightened, -1 to 1
 * @highlights: amount by which bright areas are brightened, -1 to 1
 * @sigma: largest difference that counts as small, in 8-bit steps, 4 to 127
 * @levels: number of gray values, 4 to 64, for each of which the frame is remapped; 0: computed
 *   from @sigma
 */
typedef struct
{
  gdouble detail, shadows, highlights, sigma;
  guint levels;
} MgpuLocalcontrastParams;

/* Changes the local contrast of luma. In RGB frames, the change of luma is added to red, green
 * and blue. The input and output images have the same format and different memories. */
extern const MgpuAlgorithm mgpu_localcontrast;

G_END_DECLS
