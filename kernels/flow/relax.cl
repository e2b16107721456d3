/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Half a sweep of the refinement of a field of flow, in vectors. The algorithm is described in
 * docs/algorithms/flow.md. */
#define HAS_LANES 1
#include "flow/flow.h"

#define INDEX_1 (0)
#define INDEX_4 (0, 1, 2, 3)
#define INDEX_8 (0, 1, 2, 3, 4, 5, 6, 7)
#define INDEX_16 (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
#define INDEX ((intn) MATH_JOIN (INDEX_, LANES))

/* All bits of a lane are set where a comparison is true, as select() wants. */
#if LANES == 1
#define MASK(c) (-(c))
#define CHOOSE(a, b, mask) ((mask) ? (b) : (a))
#else
#define MASK(c) (c)
#define CHOOSE(a, b, mask) select (a, b, mask)
#endif

#define LOAD(p) vloadn (0, p)

/* Work-item (x, y) relaxes the pixels with an even x + y + @colour among LANES pixels of row y,
 * from LANES * x on. These read pixels of the other colour alone. */
kernel void
flow_relax (global const float *step, PLANES, int width, int height,
    int colour, global float *field)
{
  int x = get_global_id (0) * LANES, y = get_global_id (1);
  global const float *p = step + plane_at (plane_stride, x, y);
  global float *pu = field + U * plane_size + plane_at (plane_stride, x, y);
  global float *pv = pu + (V - U) * plane_size;
  intn column = x + INDEX;
  intn is_on = MASK (((column + y + colour) & 1) == 0)
      & MASK (column < width);
  floatn u, v, a, s, t, right, left, down, up;

  if (x >= width || y >= height)
    return;
  u = LOAD (pu);
  v = LOAD (pv);
  a = LOAD (p + A12 * plane_size);
  right = LOAD (p + RIGHT * plane_size);
  left = LOAD (p + RIGHT * plane_size - 1);
  left = CHOOSE ((floatn) (0.0f), left, MASK (column > 0));
  down = LOAD (p + DOWN * plane_size);
  up = LOAD (p + DOWN * plane_size - plane_stride);
  up = y > 0 ? up : (floatn) (0.0f);
  s = fma (right, LOAD (pu + 1), LOAD (p + C1 * plane_size));
  s = fma (left, LOAD (pu - 1), s);
  s = fma (down, LOAD (pu + plane_stride), s);
  s = fma (up, LOAD (pu - plane_stride), s);
  s = fma (LOAD (p + R1 * plane_size), fma (-a, v, s), -0.9f * u);
  t = fma (right, LOAD (pv + 1), LOAD (p + C2 * plane_size));
  t = fma (left, LOAD (pv - 1), t);
  t = fma (down, LOAD (pv + plane_stride), t);
  t = fma (up, LOAD (pv - plane_stride), t);
  t = fma (LOAD (p + R2 * plane_size), fma (-a, s, t), -0.9f * v);
  vstoren (CHOOSE (u, s, is_on), 0, pu);
  vstoren (CHOOSE (v, t, is_on), 0, pv);
}
