/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Finds the positions in the frame from which the samples of a warped frame are interpolated,
 * and determines whether all samples needed there are inside the frame. Positions are in steps
 * of 1 / WARP_STEPS sample. */
#ifndef WARP_PLACE_H
#define WARP_PLACE_H

#define LANES 1
#include "base/math.h"
#include "base/warp-shared.h"

/* The matrix that moves a sample of the warped frame to its position in the frame, as a list of
 * function arguments. If is_flat is set, c0 and c1 are not used. */
#define MATRIX a0, a1, a2, b0, b1, b2, c0, c1, is_flat
#define MATRIX_PARAMETERS \
    float a0, float a1, float a2, float b0, float b1, float b2, float c0, \
    float c1, int is_flat

/* Converts a coordinate in samples to steps of 1 / WARP_STEPS sample. */
static int
find_step (float x)
{
  return clamp (convert_int_sat_rte (x * (float) WARP_STEPS),
      -WARP_FAR * WARP_STEPS, WARP_FAR * WARP_STEPS);
}

/* Sets (u, v) to the position in the frame, in steps, from which sample (x, y) of the result is
 * interpolated. */
static void
find_place (float x, float y, float a0, float a1, float a2, float b0, float b1,
    float b2, float c0, float c1, int is_flat, int * u, int * v)
{
  float s = fma (a0, x, fma (a1, y, a2)), t = fma (b0, x, fma (b1, y, b2));

  if (!is_flat) {
    float w = fma (c0, x, fma (c1, y, 1.0f));
    float r = reciprocal (w < WARP_NEAR ? WARP_NEAR : w);

    s *= r;
    t *= r;
  }
  *u = find_step (s);
  *v = find_step (t);
}

/* Converts a coordinate in samples to steps of 1 / WARP_STEPS sample. */
static int
are_ends_inside (int x, int last, int row, float a0, float a1, float a2,
    float b0, float b1, float b2, float c0, float c1, int is_flat, int before,
    int after, int width, int height)
{
  int u[2], v[2];

  find_place (x, row, MATRIX, &u[0], &v[0]);
  find_place (last, row, MATRIX, &u[1], &v[1]);
  return (min (u[0], u[1]) >> 8) >= before
      && (max (u[0], u[1]) >> 8) + after < width
      && (min (v[0], v[1]) >> 8) >= before
      && (max (v[0], v[1]) >> 8) + after < height;
}

/* Returns 1 if all samples that are needed to compute columns x to @last of a row of the result
 * are inside the frame. If the warp is flat (has no perspective), tests only both ends of the
 * row: the positions of all other samples lie between them. Otherwise returns 0, unless there is
 * only one column. */
static int
is_inside (int x, int last, int row, float a0, float a1, float a2, float b0,
    float b1, float b2, float c0, float c1, int is_flat, int before, int after,
    int width, int height)
{
  return (is_flat || x == last) && are_ends_inside (x, last, row, MATRIX,
      before, after, width, height);
}

/* Returns 1 if all samples that are needed to compute columns x to @last of rows @row to @end -
 * 1 of the result are inside the frame. Tests only the corners of this block. In a flat warp,
 * this is enough because coordinates are monotonic along each row and column, even after
 * rounding. A warp with perspective maps the block to a quadrilateral if the block is in front
 * of the camera. Rounding is then allowed for by one additional sample on each side. */
static int
are_inside (int x, int last, int row, int end, float a0, float a1, float a2,
    float b0, float b1, float b2, float c0, float c1, int is_flat, int before,
    int after, int width, int height)
{
  int spare = is_flat ? 0 : 1;
  float w = fma (c0, (float) x, fma (c1, (float) row, 1.0f));

  w = min (w, fma (c0, (float) last, fma (c1, (float) row, 1.0f)));
  w = min (w, fma (c0, (float) x, fma (c1, (float) (end - 1), 1.0f)));
  w = min (w, fma (c0, (float) last, fma (c1, (float) (end - 1), 1.0f)));
  return (is_flat || (w > 0.5f && fabs (a2) + fabs (b2) < 65536.0f))
      && are_ends_inside (x, last, row, MATRIX, before + spare, after + spare,
      width, height)
      && are_ends_inside (x, last, end - 1, MATRIX, before + spare,
      after + spare, width, height);
}

#endif
