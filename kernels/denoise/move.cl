/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Moves the averages of earlier frames along optical flow, and chooses where they are used. The
 * algorithm is described in docs/algorithms/denoise.md; denoise/denoise.h describes the layout of
 * planes. */
#include "base/reflect.h"
#include "denoise/denoise-shared.h"
#include "base/flow-at.h"
#include "base/mix.h"

/* Number of adjacent samples or cells of a row that a work-item processes. */
#ifndef LANES
#define LANES 1
#endif
#ifndef SPAN
#define SPAN 1
#endif
#define RUN (LANES * SPAN)

/* Moves the averages over time and their counts of frames along the flow. Work-item (x, y)
 * writes RUN samples of row y of the planes @mean and @count. Where the flow is unknown or leads
 * outside of the frame, it copies old_mean and old_count, the planes of the previous frame.
 * @flow: field with flow_columns x flow_rows samples of 2^flow_shift pixels.
 * shift_x, shift_y: a sample covers 2^shift_x x 2^shift_y pixels. */
kernel void
denoise_move (global const ushort * restrict old_mean,
    global const uchar * restrict old_count, global ushort * restrict mean,
    global uchar * restrict count, int plane_stride, int width, int height,
    global const short2 * restrict flow, int flow_columns, int flow_rows,
    int flow_shift, int shift_x, int shift_y)
{
  int x = get_global_id (0) * RUN, y = get_global_id (1);
  int end = min (x + RUN, width + 2 * MARGIN);
  int row = reflect (y - MARGIN, height);
  int corner = MARGIN * plane_stride + MARGIN;

  if (y >= height + 2 * MARGIN)
    return;
  for (; x < end; x++) {
    int at = y * plane_stride + x, column = reflect (x - MARGIN, width);
    int s = old_mean[at], c = old_count[at];
    int2 motion, place;

    if (find_flow (flow, flow_columns, flow_rows, flow_shift,
            column << shift_x, row << shift_y, &motion)) {
      int i, j;

      /* Converts units of 1/32 pixel to steps of 1 / WARP_STEPS sample. */
      place = (int2) (column, row) * WARP_STEPS
          + ((motion * 8) >> (int2) (shift_x, shift_y));
      i = (place.x + WARP_STEPS / 2) >> 8;
      j = (place.y + WARP_STEPS / 2) >> 8;
      if (i >= 0 && i < width && j >= 0 && j < height) {
        /* Reads beyond the edges without checks, because the margin contains all samples that are
         * needed there. */
        s = mix_cubic ((global const uchar *) (old_mean + corner),
            plane_stride * BYTES, place.x, place.y, 1, width, height,
            WARP_MIRROR, 0);
        c = old_count[corner + j * plane_stride + i];
      }
    }
    mean[at] = s;
    count[at] = c;
  }
}

/* Adds up differences in cells of CELL x CELL samples: in one sum, the differences from the
 * averages at the old positions; in another sum, the differences from the averages that were moved.
 * Work-item (x, y) writes both sums of RUN cells of row y to @sums, starting at cell x * RUN.
 * still, moved: planes of differences; @columns: number of cells in a row */
kernel void
denoise_weigh (global const ushort * restrict still,
    global const ushort * restrict moved, int plane_stride, int width,
    int height, global int2 * restrict sums, int columns)
{
  int cell = get_global_id (0) * RUN, y = get_global_id (1) * CELL;
  int end = min (cell + RUN, columns);

  if (y >= height)
    return;
  for (; cell < end; cell++) {
    int2 sum = 0;

    for (int j = y; j < min (y + CELL, height); j++)
      for (int i = cell * CELL; i < min (cell * CELL + CELL, width); i++) {
        int at = (j + MARGIN) * plane_stride + i + MARGIN;

        sum += (int2) (still[at], moved[at]);
      }
    sums[y / CELL * columns + cell] = sum;
  }
}

/* Chooses in each cell which averages are used. Work-item (x, y) writes the choices for RUN cells
 * of row y to @choices, starting at cell x * RUN: 1 for the averages that were moved. Compares the
 * sums of 3 x 3 cells; frames have @width x @height samples. */
kernel void
denoise_choose (global const int2 * restrict sums,
    global uchar * restrict choices, int width, int height, int columns,
    int rows)
{
  int x = get_global_id (0) * RUN, y = get_global_id (1);
  int end = min (x + RUN, columns);

  if (y >= rows)
    return;
  for (; x < end; x++) {
    int left = max (x - 1, 0), right = min (x + 1, columns - 1);
    int top = max (y - 1, 0), bottom = min (y + 1, rows - 1);
    int n = (min ((right + 1) * CELL, width) - left * CELL)
        * (min ((bottom + 1) * CELL, height) - top * CELL);
    int2 sum = 0;

    for (int j = top; j <= bottom; j++)
      for (int i = left; i <= right; i++)
        sum += sums[j * columns + i];
    choices[y * columns + x] = 256 / UNIT * sum.x > STILL * n
        && sum.x > sum.y;
  }
}

/* Restores averages and counts where the moved ones were not chosen: copies those of the previous
 * frame to the planes @mean and @count. Work-item (x, y) processes RUN samples of row y. shift_x,
 * shift_y: a sample covers 2^shift_x x 2^shift_y of the samples in which cells are measured. */
kernel void
denoise_take_back (global const ushort * restrict old_mean,
    global const uchar * restrict old_count, global ushort * restrict mean,
    global uchar * restrict count, int plane_stride, int width, int height,
    global const uchar * restrict choices, int columns, int shift_x,
    int shift_y)
{
  int x = get_global_id (0) * RUN, y = get_global_id (1);
  int end = min (x + RUN, width + 2 * MARGIN);
  int row = (reflect (y - MARGIN, height) << shift_y) / CELL;

  if (y >= height + 2 * MARGIN)
    return;
  for (; x < end; x++) {
    int at = y * plane_stride + x;
    int column = (reflect (x - MARGIN, width) << shift_x) / CELL;

    if (choices[row * columns + column] == 0) {
      mean[at] = old_mean[at];
      count[at] = old_count[at];
    }
  }
}
