/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <stdint.h>

/* Width and height of a patch. */
#define REF_PATCHMATCH_SIZE 7

/* A picture: three planes of width x height bytes; unknown, forbidden: not 0 where pixels are unknown, or must not be
 * copied. */
typedef struct
{
  const uint8_t *colour[3];
  const uint8_t *unknown, *forbidden;
  int width, height;
} RefPatchmatch;

typedef enum
{
  REF_PATCHMATCH_DONE,
  REF_PATCHMATCH_NO_SOURCE,
  REF_PATCHMATCH_NO_MEMORY
} RefPatchmatchResult;

/* Writes to origin, for each unknown pixel, the pixel from which it is copied, from coarse to fine: see
 * docs/algorithms/inpaint-patchmatch.md. */
RefPatchmatchResult ref_inpaint_patchmatch (const RefPatchmatch * picture, int32_t * origin);
