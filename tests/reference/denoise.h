/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <stdbool.h>

#include "flow.h"

#define REF_DENOISE_MAX_COMPONENTS 3

typedef struct
{
  double strength;
  double noise;                 /* noise in 8-bit gray levels, or 0 to use the measured noise */
  double spatial;
  int frames;
  bool is_rgb;
  bool only_luma;               /* whether components 1 and 2 of YUV frames are copied unchanged */
} RefDenoise;

/* Data kept from earlier frames. All members are zero before the first frame. */
typedef struct
{
  bool has_past;
  int low, high, least;         /* measured variances of the noise at both ends of the range, and
                                 * the smallest variance: V_0, V_1 and V_2 of
                                 * docs/algorithms/denoise.md */
  bool is_measured;             /* whether the noise has been measured yet */
  uint16_t *mean[REF_DENOISE_MAX_COMPONENTS];
  uint8_t *count[REF_DENOISE_MAX_COMPONENTS];
  uint8_t *before;              /* luma or green of the last frame, with 8 bits */
} RefDenoisePast;

/* Reduces the noise of a frame of @n components: see docs/algorithms/denoise.md. @flow: flow to the
 * last frame, along which means are moved; NULL: none. Returns: false if there is not enough
 * memory */
bool ref_denoise (const RefPlane * in, const RefPlane * out, int n, const RefDenoise * params,
    const RefFlow * flow, RefDenoisePast * past);

/* Discards the data of earlier frames, and frees memory. */
void ref_denoise_forget (RefDenoisePast * past);
