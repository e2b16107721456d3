/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/object.h>

G_BEGIN_DECLS

/**
 * MgpuHisteqChannels:
 * @MGPU_HISTEQ_LUMA: equalizes luma; chroma and hue do not change
 * @MGPU_HISTEQ_EACH: equalizes each channel of an RGB frame separately; of YUV frames, only luma
 */
typedef enum
{
  MGPU_HISTEQ_LUMA,
  MGPU_HISTEQ_EACH
} MgpuHisteqChannels;

/**
 * MgpuHisteqMethod:
 * @MGPU_HISTEQ_GLOBAL: replaces samples with one look-up table for the whole frame
 * @MGPU_HISTEQ_CLAHE: contrast-limited adaptive histogram equalization: looks samples up in the
 *   tables of the neighboring tiles, and interpolates between the results
 * @MGPU_HISTEQ_LEVELS: maps samples by a straight line from a dark value to a bright one
 */
typedef enum
{
  MGPU_HISTEQ_GLOBAL,
  MGPU_HISTEQ_CLAHE,
  MGPU_HISTEQ_LEVELS
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
 * MgpuLevelsParams:
 * @low_clip: fraction of the samples that may become black, 0 to 0.5
 * @high_clip: fraction of the samples that may become white, 0 to 0.5
 * @max_gain: largest factor by which differences between samples are increased, at least 1
 */
typedef struct
{
  gdouble low_clip, high_clip, max_gain;
} MgpuLevelsParams;

/**
 * MgpuHisteqParams:
 * @method: method; it determines how many look-up tables a frame has
 * @channels: samples of RGB frames that are equalized
 * @temporal_smoothing: weight of the look-up tables of earlier frames, 0 to 1
 * @clahe: parameters used only by the method @MGPU_HISTEQ_CLAHE
 * @levels: parameters used only by the method @MGPU_HISTEQ_LEVELS
 * @strength: fraction of the change that is applied, 0 (none) to 1 (all)
 */
typedef struct
{
  MgpuHisteqMethod method;
  MgpuHisteqChannels channels;
  gdouble temporal_smoothing;
  MgpuClaheParams clahe;
  MgpuLevelsParams levels;
  gdouble strength;
} MgpuHisteqParams;

/* Equalizes the histograms of frames. The images @in and @out have the same format and different
 * memories. mgpu_object_new() builds the kernels that its argument @params needs. If the
 * parameters of a later frame need other kernels, these are built before that frame is
 * processed. */
extern const MgpuAlgorithm mgpu_histeq;

G_END_DECLS
