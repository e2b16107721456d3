/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Computes the linear equations of pixels in a step of the variational refinement: see
 * docs/algorithms/flow.md. Each lane (element of a vector) belongs to a pixel. */
#ifndef EQUATIONS_H
#define EQUATIONS_H

#include "flow/flow.h"

/* Minimum absolute value of a motion, in pixels. Smaller motions become 0 before a
 * step, so that no subnormal numbers occur in its sweeps. */
#define LEAST 0x1p-20f

/* First derivatives (ix, iy) and second derivatives (xx, xy, yy) of the mean of both images;
 * difference z of both images, and its derivatives (xz, yz) */
typedef struct
{
  floatn ix, iy, xx, xy, yy, z, xz, yz;
} Derivatives;

/* Coefficients of the data term's equations for the change (du, dv) of a pixel's motion: a11 du +
 * a12 dv = b1, a12 du + a22 dv = b2 */
typedef struct
{
  floatn a11, a12, a22, b1, b2;
} Equations;

static inline __attribute__ ((always_inline)) Equations
get_equations (Derivatives d, int lighting_changes)
{
  floatn n0 = reciprocal (fma (d.iy, d.iy, d.ix * d.ix) + 0.01f);
  floatn n1 = reciprocal (fma (d.xy, d.xy, d.xx * d.xx) + 0.01f);
  floatn n2 = reciprocal (fma (d.xy, d.xy, d.yy * d.yy) + 0.01f);
  floatn weight = 2.5f * n0
      * reciprocal_root (fma (d.z * d.z, n0, (floatn) (0x1p-20f)));
  floatn w = lighting_changes ? (floatn) (0.0f) : weight;
  floatn g = 5.0f * reciprocal_root (fma (d.yz * d.yz, n2, d.xz * d.xz * n1)
      + 0x1p-20f);
  floatn xx1 = d.xx * n1, xy1 = d.xy * n1, xy2 = d.xy * n2, yy2 = d.yy * n2;
  Equations e;

  e.a11 = fma (g, fma (xy2, d.xy, xx1 * d.xx), fma (w * d.ix, d.ix,
          (floatn) (0.01f)));
  e.a12 = fma (g, fma (xy2, d.yy, xx1 * d.xy), w * d.ix * d.iy);
  e.a22 = fma (g, fma (yy2, d.yy, xy1 * d.xy), fma (w * d.iy, d.iy,
          (floatn) (0.01f)));
  e.b1 = -fma (g, fma (xy2, d.yz, xx1 * d.xz), w * d.ix * d.z);
  e.b2 = -fma (g, fma (yy2, d.yz, xy1 * d.xz), w * d.iy * d.z);
  return e;
}

/* Returns the smoothness weight of a pixel, from the derivatives of the motion (u, v). */
static floatn
weigh_slopes (floatn ux, floatn uy, floatn vx, floatn vy)
{
  return 14.0f * reciprocal_root (fma (vy, vy, fma (vx, vx, fma (uy, uy,
                  ux * ux))) + 0x1p-10f);
}

/* Returns the link, which is the weight of the smoothness term, between two neighboring pixels
 * with the smoothness weights @s and @other. The link is weaker if @difference, the difference
 * of the gray levels of both pixels, is large. */
static floatn
link_pixels (floatn s, floatn other, floatn difference)
{
  return 0.5f * (s + other) * reciprocal (fma (difference * (1.0f / 576),
          difference, (floatn) (1.0f)));
}

#endif
