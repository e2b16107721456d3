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

/* clahe: of REF_HISTEQ_CLAHE; low_clip, high_clip (0 to 0.5) and max_gain (at least 1): of
 * REF_HISTEQ_LEVELS. temporal_smoothing, strength: 0 to 1. */
typedef struct
{
  int method;
  RefClahe clahe;
  double low_clip, high_clip, max_gain;
  double temporal_smoothing, strength;
} RefHisteq;

/* Memory from one frame to the next; all zero before the first frame. */
typedef struct
{
  size_t n_values, n_codes;
  uint16_t *before;             /* the tables of the last frame, unsmoothed */
  uint32_t *smooth;             /* and smoothed, in 65536ths */
  uint16_t *codes;              /* values of the last frame, at some places */
} RefHisteqPast;

/* Equalizes the histograms of n components of one size, each by itself. in and
 * out may be the same. past: needed for temporal smoothing only, may be NULL.
 * Returns 0 when there is no memory left. */
int ref_histeq (const RefPlane * in, const RefPlane * out, int n, const RefHisteq * params, RefHisteqPast * past);

/* Equalizes the luma of a frame of red, green and blue with 8 bit, and keeps
 * its chroma. */
int ref_histeq_rgb (const RefPlane in[3], const RefPlane out[3], const RefHisteq * params, RefHisteqPast * past);

/* Makes the next frame the first. */
void ref_histeq_forget (RefHisteqPast * past);
