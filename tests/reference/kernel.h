/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "reference.h"

/* A matrix of colors: component i of the result is (sum of factor[i][k] * component k + offset[i])
 * >> bits, limited to 0 to max. */
typedef struct
{
  int factor[3][3], offset[3];
  int bits, max;
} RefKernelMatrix;

/* A frame, as kernels see it */
typedef struct
{
  RefPlane planes[4];
  int n;                        /* number of components without alpha: 1 or 3 */
  int has_alpha;
  int is_rgb;
  int width, height;
  RefKernelMatrix to_rgb, from_rgb;
} RefKernelFrame;

/* A call of a kernel of an example. Kernels that need no @second or @previous ignore them. */
typedef struct
{
  const RefKernelFrame *in, *second, *previous, *out;
  uint64_t number;              /* of the frame, from 0 */
  double param[2];              /* parameters of the text, in their order */
  int32_t *results;             /* lists one after the other, zero at first; behind them lists of boxes: a
                                 * count, and x, y, width, height and score (a float) of each */
  int32_t *kept;                /* buffer that stays between frames, 4 numbers for each pixel */
} RefKernelCall;

/* Runs the kernel with this name. Returns: 0 if there is none */
int ref_kernel (const char *name, const RefKernelCall * call);
