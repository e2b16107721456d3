/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Finds the samples that replace those outside of a frame. */
#ifndef BASE_MIX_TAPS_H
#define BASE_MIX_TAPS_H

#include "base/reflect.h"
#include "base/warp-shared.h"

/* Returns the column (or row) of the frame that replaces column i, which may lie outside of the
 * frame. The frame has n columns. */
static int
find_inside (int i, int n, int edges)
{
  if (edges == WARP_WRAP) {
    i %= n;
    return i < 0 ? i + n : i;
  }
  return edges == WARP_MIRROR ? reflect (i, n) : clamp (i, 0, n - 1);
}

/* Returns the value for samples above and below the frame, where @edges is that for all sides. */
static int
find_row_edges (int edges)
{
  return edges == WARP_WRAP ? WARP_REPEAT : edges;
}

/* Finds n adjacent columns (or rows) of a frame with @size columns, starting at column i. Sets
 * each element of the array @at to the byte offset of a column; columns are @step bytes apart.
 * If a column is black because it lies outside of the frame, sets its weight to 0. */
static void
find_taps (int i, int n, int size, int step, int edges, int *at, int *weights)
{
  for (int k = 0; k < n; k++) {
    at[k] = find_inside (i + k, size, edges) * step;
    if (edges == WARP_BLACK && (i + k < 0 || i + k >= size))
      weights[k] = 0;
  }
}

#endif
