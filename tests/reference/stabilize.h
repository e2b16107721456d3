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

typedef enum
{
  REF_BILINEAR,
  REF_CUBIC,
  REF_LANCZOS
} RefInterpolation;

/* Describes a component of a frame to warp. A sample covers 1 << x_shift columns and 1 << y_shift
 * rows of pixels. It lies at the first of these columns or rows if chroma is cosited along this
 * axis, otherwise in the middle. @black is the value of a sample of a black frame. If @wraps is
 * set, the columns are a full circle: the first column follows the last one, and rows outside of
 * the frame are replaced by the nearest row. */
typedef struct
{
  RefPlane plane;
  int x_shift, y_shift;
  int x_cosited, y_cosited;
  int black;
  int wraps;
} RefWarpPlane;

/* Returns the sample at (@u, @v), in 1/256 sample. @lanczos: the weights of ref_lanczos(); only
 * used with REF_LANCZOS */
int ref_warp_sample (const RefWarpPlane * in, int u, int v, RefEdges edges, RefInterpolation interpolation,
    const int64_t (*lanczos)[6]);

/* Computes the plane @out from @in. The matrix maps a pixel of @out to its position in @in. */
void ref_warp (const RefWarpPlane * in, const RefPlane * out, const double matrix[9], RefEdges edges,
    RefInterpolation interpolation);

/* Computes the mean motion that smooths a path, from @n motions with 9 numbers each. Motion i leads
 * to the frame at the distance x[i]; the distance 0 belongs to the identity. */
void ref_smooth (const double (*motions)[9], const int *x, int n, double result[9]);
