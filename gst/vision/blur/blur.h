/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/object.h>

G_BEGIN_DECLS

typedef enum
{
  MGPU_BLUR_GAUSSIAN,
  MGPU_BLUR_PIXELATE,
  MGPU_BLUR_FILL
} MgpuBlurMethod;

/**
 * MgpuBlurParams:
 * @method: method that makes frames unrecognizable
 * @sigma: standard deviation of the Gaussian in pixels, 0 to 256; 0: frames pass unchanged
 * @block_size: width and height of blocks in pixels, up to 1024; an odd number is increased by
 *   1; 0: 1/32 of the frame's height, but at least 8
 * @colour: color that fills frames, with opacity: 0xaarrggbb
 */
typedef struct
{
  MgpuBlurMethod method;
  gdouble sigma;
  guint block_size;
  guint32 colour;
} MgpuBlurParams;

/* Makes frames unrecognizable: blurs, pixelates or fills all color components except alpha.
 * The images @in and @out have the same format and different memories. */
extern const MgpuAlgorithm mgpu_blur;

G_END_DECLS
