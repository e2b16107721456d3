/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/object.h>

G_BEGIN_DECLS

/**
 * MgpuHisteqChannels:
 * @MGPU_HISTEQ_LUMA: equalizes luma; chroma and hue stay
 * @MGPU_HISTEQ_EACH: equalizes every channel of an RGB frame by itself; only luma of YUV frames
 */
typedef enum
{
  MGPU_HISTEQ_LUMA,
  MGPU_HISTEQ_EACH
} MgpuHisteqChannels;

/**
 * MgpuHisteqMethod:
 * @MGPU_HISTEQ_GLOBAL: looks samples up in one table for the whole frame
 * @MGPU_HISTEQ_CLAHE: does contrast limited adaptive histogram equalization: interpolates samples
 *   between the tables of neighbouring tiles of the frame
 */
typedef enum
{
  MGPU_HISTEQ_GLOBAL,
  MGPU_HISTEQ_CLAHE
} MgpuHisteqMethod;

/**
 * MgpuClaheParams:
 * @tiles_x: number of tiles in a row, at least 1
 * @tiles_y: number of tiles in a column, at least 1
 * @clip_limit: limit of the count of a bin, in multiples of the mean count of all bins of a
 *   tile; 0 clips nothing
 */
typedef struct
{
  guint tiles_x, tiles_y;
  gdouble clip_limit;
} MgpuClaheParams;

/**
 * MgpuHisteqParams:
 * @method: method, which decides how many tables a frame has
 * @channels: the samples of RGB frames that are equalized
 * @temporal_smoothing: weight of the tables of earlier frames, 0 to 1
 * @clahe: parameters of the method @MGPU_HISTEQ_CLAHE alone
 */
typedef struct
{
  MgpuHisteqMethod method;
  MgpuHisteqChannels channels;
  gdouble temporal_smoothing;
  MgpuClaheParams clahe;
} MgpuHisteqParams;

/* Equalizes the histograms of frames. The images in and out have the same format and
 * different memories. mgpu_object_new() builds the kernels that its params need; a frame
 * whose params need other kernels waits until they are built. */
extern const MgpuAlgorithm mgpu_histeq;

G_END_DECLS
