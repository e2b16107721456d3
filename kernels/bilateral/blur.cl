/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Kernels of the bilateral grid that do not read pixels of frames; one program therefore serves
 * all pixel formats. The algorithm is described in docs/algorithms/bilateral.md;
 * bilateral/grid.cl explains cells and levels. */
#include "bilateral/pixels.h"

/* A work-item of bilateral_grid_blur_columns computes RUN vectors in each of ROWS grid rows. On
 * a CPU the vectors of all rows that a work-item reads fit into the level 1 cache. */
#ifndef ROWS
#define ROWS 1
#endif
#ifndef RUN
#define RUN 1
#endif

/* Computes range weights for the table @weights. Row y of the table is for guide values from y
 * << shift to ((y + 1) << shift) - 1. Work-item (x, y) writes the weights of LANES levels to
 * row y, starting at level LANES * x (see bilateral/grid.cl). */
kernel void
bilateral_grid_weights (global float *restrict weights, int n_levels,
    float step, float scale, int shift)
{
  int x = get_global_id (0) * LANES, y = get_global_id (1);
  float value = convert_float ((y << shift) + ((1 << shift) >> 1));
  float lanes[LANES];
  floatn d;

  for (int i = 0; i < LANES; i++)
    lanes[i] = convert_float (x + i);
  d = (value - vloadn (0, lanes) * step) * scale;
  STORE_FLOATS (exp2_biased (max (fma (-d, d, (floatn) (EXP2_BIAS)),
              (floatn) (LOWEST))), weights + y * n_levels + x);
}

/* Returns the blurred cell i of a row or column of n cells. @from is the address of cell number
 * @first; the distance between cells is @stride floats. The row or column is reflected at its
 * first and last cell, which are not repeated. */
static floatn
blur (global const float *from, size_t stride, int i, int n, int first,
    global const float *taps, int radius)
{
  floatn sum = taps[0] * LOAD_FLOATS (from + (i - first) * stride);

  if (i >= radius && i + radius < n) {
    global const float *before = from + (i - first) * stride;
    global const float *after = before;

    for (int t = 1; t <= radius; t++) {
      before -= stride;
      after += stride;
      sum = fma ((floatn) (taps[t]), LOAD_FLOATS (before) + LOAD_FLOATS (after),
          sum);
    }
    return sum;
  }
  for (int t = 1; t <= radius; t++)
    sum = fma ((floatn) (taps[t]),
        LOAD_FLOATS (from + (reflect (i - t, n) - first) * stride)
        + LOAD_FLOATS (from + (reflect (i + t, n) - first) * stride), sum);
  return sum;
}

/* Blurs the sums along rows. Work-item (x, y) computes LANES floats of row y of the output,
 * starting at float LANES * x. Each row of the output has n_out cells, starting at cell number
 * first_out. A row of the whole frame has n cells; the input holds n_columns of them, starting
 * at cell number @first. The weights of the Gaussian begin, with its center, at axis[taps]. */
kernel void
bilateral_grid_blur_rows (global const float *restrict in,
    global float *restrict out, int cell, int n, int first, int n_columns,
    int first_out, int n_out, global const float *restrict axis, int taps,
    int radius)
{
  int x = get_global_id (0) * LANES, column = x / cell;
  int i = first_out + column;
  size_t row = (size_t) get_global_id (1) * n_columns * cell + x
      - column * cell;

  if (column < n_out)
    STORE_FLOATS (blur (in + row, cell, i, n, first, axis + taps, radius),
        out + row + (size_t) (i - first) * cell);
}

/* Blurs the sums along columns. Work-item (x, y) computes RUN * LANES floats in each of ROWS
 * rows. The floats start at first_x + RUN * LANES * x and end before end_x; the rows start at
 * first_out + ROWS * y and end before end_out. The grid has n rows of @size floats; @in and
 * @out are the addresses of row number @first. Neighboring rows depend on mostly the same
 * input, which stays in the cache. */
kernel void
bilateral_grid_blur_columns (global const float *restrict in,
    global float *restrict out, int size, int first_x, int end_x, int n,
    int first, int first_out, int end_out, global const float *restrict axis, int taps, int radius)
{
  int begin = first_x + get_global_id (0) * RUN * LANES;
  int last = min (begin + RUN * LANES, end_x);
  int i = first_out + get_global_id (1) * ROWS;
  int end = min (i + ROWS, end_out);

  for (; i < end; i++)
    for (int x = begin; x < last; x += LANES)
      STORE_FLOATS (blur (in + x, size, i, n, first, axis + taps, radius),
          out + (size_t) (i - first) * size + x);
}
