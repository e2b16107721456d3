/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "reference.h"

/* Describes the samples of a frame. Its components are Y; or Y, U and V; or R, G and B. A fourth
 * component is A, or the unused byte of a pixel. */
typedef struct
{
  RefPlane plane[4];
  int n_components;
  int rgb;
  int width, height;
  int x_sub, y_sub;             /* number of luma samples per chroma sample along each axis: 1 or
                                 * 2 */
  int x_cosited, y_cosited;     /* whether a chroma sample lies at the first of the luma samples
                                 * that it covers; otherwise it lies halfway between them */
  int full_range;
  double kr, kb;                /* weights of red and blue in luma: 0.299 and 0.114 in BT.601 */
} RefFrame;

enum
{
  REF_CONVERT_NEAREST,
  REF_CONVERT_BILINEAR,
  REF_CONVERT_AREA,
  REF_CONVERT_BICUBIC,
  REF_CONVERT_LANCZOS
};

typedef struct
{
  int x, y, width, height;
} RefRectangle;

typedef struct
{
  int method;
  RefRectangle source;          /* rectangle of the input that is shown */
  RefRectangle destination;     /* destination rectangle in the output; @x and @y are multiples of
                                 * the size of a chroma sample */
  /* Orientation, applied after the crop in this order: transpose makes columns rows, flip_x
   * exchanges left and right, flip_y exchanges top and bottom. */
  int transpose, flip_x, flip_y;
} RefConvert;

/* Converts a frame: see docs/algorithms/convert.md. */
void ref_convert (const RefFrame * in, const RefFrame * out, const RefConvert * params);
