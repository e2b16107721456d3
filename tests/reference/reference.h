/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Scalar implementations in C, which define the correct results of the kernels. They do not
 * include headers of the library, the elements or the kernels, and are compiled with
 * -ffp-contract=off. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Describes the samples of one component. Sample (x, y) is the little-endian word of 1 or 2
 * bytes at data + y * stride + x * pixel_stride bytes. Its value is word >> @shift, from 0 to
 * @max. The nominal range of values is @lo to @hi (black to white, or the range of chroma). */
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
