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

typedef enum
{
  MGPU_DENOISE_NONE,
  MGPU_DENOISE_FLOW
} MgpuDenoiseMotion;

/**
 * MgpuDenoiseParams:
 * @strength: factor by which the standard deviation of the noise is multiplied, 0 to 4; 0:
 *   frames pass unchanged
 * @noise: standard deviation of the noise in 8-bit steps, up to 32; 0: the noise is measured
 * @spatial: largest difference between neighbors that are averaged, 0 to 8 standard deviations
 *   of the noise that is left
 * @frames: maximum number of frames that are averaged, 1 to 16
 * @planes: components of YUV frames that are filtered; in RGB frames, all colors are filtered
 * @motion: whether averages of earlier frames are moved along the optical flow
 */
typedef struct
{
  gdouble strength;
  gdouble noise;
  gdouble spatial;
  guint frames;
  MgpuDenoisePlanes planes;
  MgpuDenoiseMotion motion;
} MgpuDenoiseParams;

/* Reduces the noise of video frames; averages the current frame with earlier frames, which the
 * object remembers. The images @in and @out have the same format, any of those that the elements of
 * this plugin support. The flow comes from the frame's GstMgpuFlowMeta, which the function look()
 * reads, if the meta refers to the last frame that was enqueued; otherwise the object measures the
 * flow. */
extern const MgpuAlgorithm mgpu_denoise;

G_END_DECLS
