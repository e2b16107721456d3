/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Scalar C: the definition of right. Includes nothing of the library, the
 * elements or the kernels, and is compiled with -ffp-contract=off. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Samples of one component: the 8 or 16 bit little-endian word at
 * data + y * stride + x * pixel_stride bytes; its value is word >> shift,
 * from 0 to max. Black and white, or the ends of chroma, are at lo and hi. */
typedef struct
{
  uint8_t *data;
  ptrdiff_t stride;
  int pixel_stride;
  int width, height;
  int bytes;
  int shift;
  int max;
  int lo, hi;
} RefPlane;
