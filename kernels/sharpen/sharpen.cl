/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Unsharp mask: the first and the last step of a Gaussian, which access the frame. The algorithm
 * is described in docs/algorithms/sharpen.md. */
#include "sharpen/frame.h"

/* Returns LANES samples of a row of half the width, computed from the samples of the frame
 * starting at column x. Each is eight times the weighted mean. */
static sumn
halve_frame_row (global const uchar * row, int x, int width)
{
#if LANES == 16 && BYTES == 1 && PIXEL_STRIDE == 1
  if (x >= 0 && x + 2 * LANES + 2 <= width) {
    ushortn left = LOAD_LOOSE (loose_ushort16, row + x);
    ushortn right = LOAD_LOOSE (loose_ushort16, row + x + 2);
    ushort low = 255;

    return WEIGH (left & low, left >> (ushortn) (8), right & low,
        right >> (ushortn) (8));
  }
#endif
  SPLIT (ushortn, load_values (row, x, width),
      load_values (row, x + LANES, width), a, b)
  SPLIT (ushortn, load_values (row, x + 2, width),
      load_values (row, x + 2 + LANES, width), c, d)

  return WEIGH (convert_sumn (a), convert_sumn (b), convert_sumn (c),
      convert_sumn (d));
}

/* Halves the width and height of the frame, like gaussian_halve for a plane. @margin is the
 * width of the margin on each side of the plane @level; level_height includes the margins. */
kernel void
sharpen_halve_frame (FRAME, global ushort * restrict level,
    int level_stride, int level_height, int margin)
{
  int x = get_global_id (0) * LANES, y = get_global_id (1) * ROWS;
  int end = min (y + ROWS, level_height);
  int from = 2 * (x - margin) - 1, row = 2 * (y - margin) - 1;
  sumn a, b, c, d;

  if (x >= level_stride || y >= level_height)
    return;
  c = halve_frame_row (FRAME_ROW (row), from, width);
  d = halve_frame_row (FRAME_ROW (row + 1), from, width);
  for (; y < end; y++) {
    row += 2;
    a = c;
    b = d;
    c = halve_frame_row (FRAME_ROW (row), from, width);
    d = halve_frame_row (FRAME_ROW (row + 1), from, width);
    STORE_PLANE (level + (size_t) y * level_stride + x,
        FRAME_LEVEL (WEIGH (a, b, c, d)));
  }
}

/* Returns the weighted sums, in 16 bits, of LANES columns around row y, starting at column x. If
 * @inside is set, the frame has at least @radius rows above and below row y. */
static ushortn
convolve_frame (FRAME, int x, int y, int radius, const uint * weights,
    bool inside)
{
  global const uchar *row = frame + offset + (size_t) y * stride;
  uintn sum;

  if (inside && FITS (x, width)) {
    sum = weights[0] * convert_uintn (load_fitting (row, x));
    for (int i = 1; i <= radius; i++)
      sum += weights[i]
          * convert_uintn (convert_sumn (load_fitting (row - i * stride, x))
          + convert_sumn (load_fitting (row + i * stride, x)));
  } else {
    sum = weights[0] * convert_uintn (load_values (row, x, width));
    for (int i = 1; i <= radius; i++)
      sum += weights[i]
          * (convert_uintn (load_values (FRAME_ROW (y - i), x, width))
          + convert_uintn (load_values (FRAME_ROW (y + i), x, width)));
  }
  return convert_ushortn (((sum << UP) + 32768u) >> 16);
}

/* Computes a block of the plane @out in work-item (x, y): LANES columns, starting at column x *
 * LANES, of ROWS rows, starting at row y * ROWS. The plane has the height of the frame, and
 * margins of @radius samples on the left and on the right. */
kernel void
sharpen_columns (FRAME, global ushort * restrict out, int out_stride,
    WEIGHTS)
{
  const uint weights[] = WEIGHT_LIST;
  int x = get_global_id (0) * LANES, y = get_global_id (1) * ROWS;
  int end = min (y + ROWS, height);
  bool inside = y >= radius && end + radius <= height;

  if (x >= out_stride)
    return;
  for (; y < end; y++)
    STORE_PLANE (out + (size_t) y * out_stride + x, convolve_frame (FRAME_ARGS,
            x - radius, y, radius, weights, inside));
}

/* Sharpens LANES pixels of row y in work-item (x, y). The address @in is @radius samples left of
 * the first sample. */
kernel void
sharpen_rows (global const ushort * restrict in, int in_stride, WEIGHTS,
    FRAME, SHARPEN)
{
  const uint weights[] = WEIGHT_LIST;
  int x = get_global_id (0) * LANES, y = get_global_id (1);

  if (x < width && y < height)
    sharpen (convolve (in + (size_t) y * in_stride + x, 1, radius, weights),
        x, y, FRAME_ARGS, SHARPEN_ARGS);
}

/* Sharpens 2 * LANES pixels of 2 * ROWS rows in work-item (x, y), starting at column 2 * x *
 * LANES and row 2 * y * ROWS. The address @in is two samples left of the first sample, and two
 * rows above it. */
kernel void
sharpen_double (global const ushort * restrict in, int in_stride, FRAME,
    SHARPEN)
{
  int x = get_global_id (0) * LANES, y = 2 * get_global_id (1) * ROWS;
  int end = min (y + 2 * ROWS, height);
  ushortn even0, odd0, even1, odd1, even2, odd2, blurred[4];

  if (2 * x >= width || y >= height)
    return;
  in += (size_t) (y / 2 + 1) * in_stride + x + 1;
  double_row (in, &even1, &odd1);
  double_row (in + in_stride, &even2, &odd2);
  for (; y < end; y += 2) {
    even0 = even1;
    odd0 = odd1;
    even1 = even2;
    odd1 = odd2;
    double_row (in + 2 * in_stride, &even2, &odd2);
    in += in_stride;

    merge (nearer (even1, even0), nearer (odd1, odd0), &blurred[0],
        &blurred[1]);
    merge (nearer (even1, even2), nearer (odd1, odd2), &blurred[2],
        &blurred[3]);
    /* Calls sharpen() at only one place, so that PoCL inlines it. A function call would spill
     * all registers. */
    for (int i = 0; i < 4; i++)
      if (y + i / 2 < end)
        sharpen (blurred[i], 2 * x + i % 2 * LANES, y + i / 2, FRAME_ARGS,
            SHARPEN_ARGS);
  }
}
