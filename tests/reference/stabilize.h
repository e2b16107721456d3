/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "reference.h"

typedef enum
{
  REF_EDGES_BLACK,
  REF_EDGES_REPEAT,
  REF_EDGES_MIRROR
} RefEdges;

/* A component of a frame to be warped: samples cover 1 << x_shift columns and 1 << y_shift
 * rows of pixels, and lie on the first column or row where it is cosited, else in the middle.
 * black: its value where the frame is black */
typedef struct
{
  RefPlane plane;
  int x_shift, y_shift;
  int x_cosited, y_cosited;
  int black;
} RefWarpPlane;

/* Makes out, of which plane counts alone, from in. matrix: moves a pixel of out to its place
 * in in */
void ref_warp (const RefWarpPlane * in, const RefPlane * out, const double matrix[9], RefEdges edges, int is_cubic);

/* The mean that smooths a path: moves to frames at distances x[i], of which x is 0 for the
 * identity. n motions with 9 numbers each. */
void ref_smooth (const double (*motions)[9], const int *x, int n, int smoothing, double result[9]);
