/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "reference.h"

/* The meaning of a frame's samples. Components are Y, or Y, U and V, or R, G
 * and B and perhaps A, which may also be a byte of a pixel that means nothing. */
typedef struct
{
  RefPlane plane[4];
  int n_components;
  int rgb;
  int width, height;
  int x_sub, y_sub;             /* luma samples for one of chroma: 1 or 2 */
  int x_cosited, y_cosited;     /* it lies on the first of them, not between */
  int full_range;
  double kr, kb;                /* of luma: 0.299 and 0.114 in BT.601 */
} RefFrame;

enum
{
  REF_NEAREST,
  REF_BILINEAR,
  REF_AREA
};

typedef struct
{
  int x, y, width, height;
} RefRectangle;

typedef struct
{
  int method;
  RefRectangle source;          /* of the input */
  RefRectangle destination;     /* of the output; x and y at whole chroma samples */
  /* After the crop, in this order: columns become rows, then left and right
   * change places, then top and bottom. */
  int transpose, flip_x, flip_y;
} RefConvert;

/* The conversion of docs/algorithms/convert.md. */
void ref_convert (const RefFrame * in, const RefFrame * out, const RefConvert * params);
