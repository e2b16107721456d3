/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reference implementation of integral images and box filters: see docs/algorithms/integral.md. */
#include "integral.h"

#include <stdlib.h>
#include <string.h>

#include "samples.h"

void
ref_integral (const RefPlane * in, int sum_bytes, void *sum,
    uint64_t * squares)
{
  size_t columns = (size_t) in->width + 1;
  uint32_t *sum32 = sum;
  uint64_t *sum64 = sum;

  memset (sum, 0, columns * sum_bytes);
  if (squares != NULL)
    memset (squares, 0, columns * sizeof (uint64_t));

  for (int y = 0; y < in->height; y++) {
    size_t above = y * columns, here = above + columns;
    uint64_t row = 0, row_squares = 0;

    for (int x = 0; x <= in->width; x++) {
      if (x > 0) {
        uint64_t value = ref_get (in, x - 1, y);

        row += value;
        row_squares += value * value;
      }
      if (sum_bytes == 4)
        sum32[here + x] = sum32[above + x] + (uint32_t) row;
      else
        sum64[here + x] = sum64[above + x] + row;
      if (squares != NULL)
        squares[here + x] = squares[above + x] + row_squares;
    }
  }
}

static int
clamp (int i, int n)
{
  return i < 0 ? 0 : i > n ? n : i;
}

int
ref_integral_box (const RefPlane * in, int radius_x, int radius_y,
    int rounds, const RefPlane * out)
{
  size_t columns = (size_t) in->width + 1;
  uint64_t *sum = malloc (columns * (in->height + 1) * sizeof (uint64_t));

  if (sum == NULL)
    return 0;
  ref_integral (in, sizeof (uint64_t), sum, NULL);

  for (int y = 0; y < in->height; y++) {
    size_t top = clamp (y - radius_y, in->height);
    size_t bottom = clamp (y + radius_y + 1, in->height);

    for (int x = 0; x < in->width; x++) {
      size_t left = clamp (x - radius_x, in->width);
      size_t right = clamp (x + radius_x + 1, in->width);
      uint64_t n = (bottom - top) * (right - left);
      uint64_t s = sum[bottom * columns + right] - sum[bottom * columns + left]
          - sum[top * columns + right] + sum[top * columns + left];
      uint32_t mean = (uint32_t) ((2 * s + (rounds ? n : 0)) / (2 * n)) << in->shift;
      uint8_t *at = out->data + y * out->stride
          + (ptrdiff_t) x * out->pixel_stride;

      at[0] = (uint8_t) mean;
      if (out->bytes == 2)
        at[1] = (uint8_t) (mean >> 8);
    }
  }
  free (sum);
  return 1;
}
