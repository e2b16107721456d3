/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "clahe.h"

enum
{
  REF_HISTEQ_GLOBAL,
  REF_HISTEQ_CLAHE,
  REF_HISTEQ_LEVELS
};

/* Parameters of the equalization. @clahe is for REF_HISTEQ_CLAHE. low_clip, high_clip (0 to 0.5)
 * and max_gain (at least 1) are for REF_HISTEQ_LEVELS. temporal_smoothing and @strength are 0 to
 * 1. */
typedef struct
{
  int method;
  RefClahe clahe;
  double low_clip, high_clip, max_gain;
  double temporal_smoothing, strength;
} RefHisteq;

/* Data kept from one frame to the next. All members are zero before the first frame. */
typedef struct
{
  size_t n_values, n_codes;
  uint16_t *before;             /* lookup tables of the last frame before smoothing */
  uint32_t *smooth;             /* smoothed lookup tables of the last frame, in units of 1/65536 */
  uint32_t *means;              /* mean of the output values of each tile of CLAHE, in units of
                                 * 1/65536 */
  uint16_t *codes;              /* values of the compared pixels in the last frame */
} RefHisteqPast;

/* Equalizes the histograms of @n components of the same size, each separately. The planes @in and
 * @out may be the same. @past is only used for temporal smoothing, and may be NULL. Returns 0 if
 * there is not enough memory. */
int ref_histeq (const RefPlane * in, const RefPlane * out, int n, const RefHisteq * params, RefHisteqPast * past);

/* Equalizes the luma of a frame of red, green and blue with 8 bits, without changing its chroma. */
int ref_histeq_rgb (const RefPlane in[3], const RefPlane out[3], const RefHisteq * params, RefHisteqPast * past);

/* Discards the data of earlier frames: the next frame counts as the first. */
void ref_histeq_forget (RefHisteqPast * past);
