/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <stdbool.h>

#include "reference.h"

#define REF_DENOISE_MAX_COMPONENTS 3

typedef struct
{
  double strength;
  double noise;                 /* in 8-bit steps; 0: measured */
  double spatial;
  int frames;
  bool is_rgb;
  bool only_luma;               /* components 1 and 2 of YUV frames are copied */
} RefDenoise;

/* Holds what is remembered of earlier frames. Begins as zeros. */
typedef struct
{
  bool has_past;
  int noise;                    /* N_0 */
  bool is_measured;             /* whether a frame gave an estimate */
  uint16_t *mean[REF_DENOISE_MAX_COMPONENTS];
  uint8_t *count[REF_DENOISE_MAX_COMPONENTS];
  uint8_t *before;              /* luma or green of the last frame, 8 bits */
} RefDenoisePast;

/* Reduces the noise of a frame of n components. See docs/algorithms/denoise.md.
 * Returns: false when memory is short */
bool ref_denoise (const RefPlane * in, const RefPlane * out, int n, const RefDenoise * params, RefDenoisePast * past);

/* Forgets earlier frames, and frees memory. */
void ref_denoise_forget (RefDenoisePast * past);
