/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/object.h>

G_BEGIN_DECLS

typedef enum
{
  MGPU_DENOISE_LUMA,
  MGPU_DENOISE_ALL
} MgpuDenoisePlanes;

/**
 * MgpuDenoiseParams:
 * @strength: factor of the noise, 0 to 4; with 0 frames pass
 * @noise: standard deviation of the noise in 8-bit steps, up to 32; 0: it is measured
 * @spatial: largest difference of neighbours that are averaged, in standard deviations, 0 to 8
 * @frames: largest number of frames that are averaged, 1 to 16
 * @planes: components of YUV frames that are filtered; all of RGB frames are
 */
typedef struct
{
  gdouble strength;
  gdouble noise;
  gdouble spatial;
  guint frames;
  MgpuDenoisePlanes planes;
} MgpuDenoiseParams;

/* Reduces the noise of the frames of a video. An object remembers earlier frames; in and
 * out have the same format, and any that elements take. */
extern const MgpuAlgorithm mgpu_denoise;

G_END_DECLS
