/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "reference.h"

/* A color matrix: component i of the result is (sum over k of factor[i][k] * component k +
 * offset[i]) >> bits, limited to 0 to max. */
typedef struct
{
  int factor[3][3], offset[3];
  int bits, max;
} RefKernelMatrix;

/* A frame in the form in which kernels access it */
typedef struct
{
  RefPlane planes[4];
  int n;                        /* number of components without alpha: 1 or 3 */
  int has_alpha;
  int is_rgb;
  int width, height;
  RefKernelMatrix to_rgb, from_rgb;
} RefKernelFrame;

/* A call of an example's kernel. Kernels that read no @second or @previous ignore them. */
typedef struct
{
  const RefKernelFrame *in, *second, *previous, *out;
  uint64_t number;              /* number of the frame, from 0 */
  double param[2];              /* parameters of the kernel text, in their order */
  int32_t *results;             /* lists of results, one after the other, initially zero; after them
                                 * lists of boxes: a count, and x, y, width, height and score (a
                                 * float) of each box */
  int32_t *kept;                /* buffer that is kept between frames, with 4 numbers for each
                                 * pixel */
} RefKernelCall;

/* Runs the kernel named @name. Returns: 0 if there is no such kernel */
int ref_kernel (const char *name, const RefKernelCall * call);
