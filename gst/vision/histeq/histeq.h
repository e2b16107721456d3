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
 * @MGPU_HISTEQ_EACH: equalizes every channel of an RGB frame by itself; YUV frames as luma
 */
typedef enum
{
  MGPU_HISTEQ_LUMA,
  MGPU_HISTEQ_EACH
} MgpuHisteqChannels;

/**
 * MgpuHisteqMethod:
 * @MGPU_HISTEQ_GLOBAL: one table for the whole frame
 * @MGPU_HISTEQ_CLAHE: contrast limited adaptive histogram equalization: a table for each tile
 *   of the frame, between which samples are interpolated
 */
typedef enum
{
  MGPU_HISTEQ_GLOBAL,
  MGPU_HISTEQ_CLAHE
} MgpuHisteqMethod;

/**
 * MgpuClaheParams:
 * @tiles_x: tiles in a row, at least 1
 * @tiles_y: tiles in a column, at least 1
 * @clip_limit: how many times its share of a tile's samples a bin may count for; 0
 *   clips nothing
 */
typedef struct
{
  guint tiles_x, tiles_y;
  gdouble clip_limit;
} MgpuClaheParams;

/**
 * MgpuHisteqParams:
 * @method: how many tables a frame has
 * @channels: the samples of RGB frames that are equalized
 * @temporal_smoothing: weight of the tables of earlier frames, 0 to 1
 * @clahe: parameters of that method alone
 */
typedef struct
{
  MgpuHisteqMethod method;
  MgpuHisteqChannels channels;
  gdouble temporal_smoothing;
  MgpuClaheParams clahe;
} MgpuHisteqParams;

/* Equalizes the histograms of frames. in and out have one format and are not the same
 * memory. The parameters that an object is made with tell which kernels are built at
 * once; frames whose parameters need others wait for them. */
extern const MgpuAlgorithm mgpu_histeq;

G_END_DECLS
