/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Those parts of the bilateral grid that know no pixels, so that all formats
 * share one program. What they compute: docs/algorithms/bilateral.md; what cells
 * and levels are: bilateral-grid.cl. */
#include "bilateral-pixels.cl"

/* Work-item (x, y): the weights for LANES levels from LANES * x of a guide of
 * the values from y << shift to (y + 1) << shift. */
__kernel void
bilateral_grid_weights (__global float *restrict weights, int n_levels,
    float step, float scale, int shift)
{
  int x = get_global_id (0) * LANES, y = get_global_id (1);
  float value = convert_float ((y << shift) + ((1 << shift) >> 1));
  float lanes[LANES];
  floatn d;

  for (int i = 0; i < LANES; i++)
    lanes[i] = convert_float (x + i);
  d = (value - vloadn (0, lanes) * step) * scale;
  vstoren (exp2_biased (max (fma (-d, d, (floatn) (EXP2_BIAS)),
              (floatn) (LOWEST))), 0, weights + y * n_levels + x);
}

/* Cell i of a line of n, of which from points to cell first: cells are stride
 * floats apart and mirrored at the first and last, which are not repeated. */
static floatn
blur (__global const float *from, size_t stride, int i, int n, int first,
    __global const float *taps, int radius)
{
  floatn sum = taps[0] * vloadn (0, from + (i - first) * stride);

  if (i >= radius && i + radius < n) {
    __global const float *before = from + (i - first) * stride;
    __global const float *after = before;

    for (int t = 1; t <= radius; t++) {
      before -= stride;
      after += stride;
      sum = fma ((floatn) (taps[t]), vloadn (0, before) + vloadn (0, after),
          sum);
    }
    return sum;
  }
  for (int t = 1; t <= radius; t++)
    sum = fma ((floatn) (taps[t]),
        vloadn (0, from + (reflect (i - t, n) - first) * stride)
        + vloadn (0, from + (reflect (i + t, n) - first) * stride), sum);
  return sum;
}

/* Work-item (x, y): LANES floats from LANES * x in row y of n cells. axis: the
 * Gaussian begins with its middle at word taps. */
__kernel void
bilateral_grid_blur_rows (__global const float *restrict in,
    __global float *restrict out, int cell, int n,
    __global const float *restrict axis, int taps, int radius)
{
  int x = get_global_id (0) * LANES, i = x / cell;
  size_t row = (size_t) get_global_id (1) * n * cell;

  if (i < n)
    vstoren (blur (in + row + x - i * cell, cell, i, n, 0, axis + taps, radius),
        0, out + row + x);
}

/* Work-item (x, y): LANES floats from LANES * x of row first_out + y of n, each
 * of size floats. in and out begin with row first. */
__kernel void
bilateral_grid_blur_columns (__global const float *restrict in,
    __global float *restrict out, int size, int n, int first, int first_out,
    __global const float *restrict axis, int taps, int radius)
{
  int x = get_global_id (0) * LANES, i = first_out + get_global_id (1);

  if (x < size)
    vstoren (blur (in + x, size, i, n, first, axis + taps, radius), 0,
        out + (size_t) (i - first) * size + x);
}
