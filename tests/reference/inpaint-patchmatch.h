/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <stdint.h>

/* Width and height of a patch, in pixels. */
#define REF_PATCHMATCH_SIZE 7

/* Describes an image: three planes of @width x @height bytes. @unknown is not 0 for pixels that are
 * unknown, @forbidden is not 0 for pixels that must not be copied. */
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

/* Computes the pixel from which each unknown pixel is copied, from coarse to fine, and writes it to
 * @origin: see docs/algorithms/inpaint-patchmatch.md. */
RefPatchmatchResult ref_inpaint_patchmatch (const RefPatchmatch * picture, int32_t * origin);
