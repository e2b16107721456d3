/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Finds the samples that stand for those beyond the edges of a frame. */
#ifndef WARP_TAPS_H
#define WARP_TAPS_H

#include "base/reflect.h"
#include "warp/warp-shared.h"

/* Returns the column (or row), of the n columns of the frame, that replaces column i, which may lie
 * beyond the edges. */
static int
find_inside (int i, int n, int edges)
{
  if (edges == WARP_WRAP) {
    i %= n;
    return i < 0 ? i + n : i;
  }
  return edges == WARP_MIRROR ? reflect (i, n) : clamp (i, 0, n - 1);
}

/* Returns what is beyond the upper and lower edges. */
static int
find_row_edges (int edges)
{
  return edges == WARP_WRAP ? WARP_REPEAT : edges;
}

/* Finds n adjacent columns (or rows), from column i on, of a frame with @size
 * columns: sets each element of the array @at to the byte at which a column
 * begins; columns are @step bytes apart. Sets the weights of columns that are
 * black, because they lie outside of the frame, to 0. */
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
