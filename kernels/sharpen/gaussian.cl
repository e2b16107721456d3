/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Computes a large Gaussian: halves the width and height of the frame several times, applies a
 * small Gaussian, and doubles the width and height as often. The algorithm is described in
 * docs/algorithms/sharpen.md. */
#include "sharpen/gaussian.h"

/* Returns LANES samples of a row of half the width, computed from the samples at the address
 * @in. Each is eight times the weighted mean. */
static uintn
halve_row (global const ushort * in)
{
#if LANES == 16
  uintn left = LOAD_LOOSE (loose_uint16, in);
  uintn right = LOAD_LOOSE (loose_uint16, in + 2);

  return WEIGH (left & 0xffffu, left >> 16, right & 0xffffu, right >> 16);
#else
  SPLIT (ushortn, LOAD_PLANE (in), LOAD_PLANE (in + LANES), a, b)
  SPLIT (ushortn, LOAD_PLANE (in + 2), LOAD_PLANE (in + 2 + LANES), c, d)

  return WEIGH (convert_uintn (a), convert_uintn (b), convert_uintn (c),
      convert_uintn (d));
#endif
}

/* Computes a part of the halved level in work-item (x, y): LANES samples, starting at column x *
 * LANES, of ROWS rows, starting at row y * ROWS. The address @in is two samples left of the
 * first sample of the larger level, and two rows above it. */
kernel void
gaussian_halve (global const ushort * restrict in, int in_stride,
    global ushort * restrict out, int out_stride, int out_height)
{
  int x = get_global_id (0) * LANES, y = get_global_id (1) * ROWS;
  int end = min (y + ROWS, out_height);
  uintn a, b, c, d;

  if (x >= out_stride || y >= out_height)
    return;
  in += (size_t) (2 * y + 1) * in_stride + 2 * x + 1;
  c = halve_row (in);
  d = halve_row (in + in_stride);
  for (; y < end; y++) {
    in += 2 * in_stride;
    a = c;
    b = d;
    c = halve_row (in);
    d = halve_row (in + in_stride);
    STORE_WIDE (out + (size_t) y * out_stride + x,
        (WEIGH (a, b, c, d) + 32u) >> 6);
  }
}

/* Computes LANES samples of row y in work-item (x, y), starting at column x * LANES. @step is
 * the distance between samples in the direction of the convolution. The address @in is @radius
 * steps before the sample that corresponds to the first sample at @out. */
kernel void
gaussian_convolve (global const ushort * restrict in, int in_stride,
    int step, global ushort * restrict out, int out_stride, int out_height,
    WEIGHTS)
{
  const uint weights[] = WEIGHT_LIST;
  int x = get_global_id (0) * LANES, y = get_global_id (1);

  if (x < out_stride && y < out_height)
    STORE_PLANE (out + (size_t) y * out_stride + x,
        convolve (in + (size_t) y * in_stride + x, step, radius, weights));
}

/* Computes a part of the doubled level in work-item (x, y): 2 * LANES samples, starting at
 * column 2 * x * LANES, of 2 * ROWS rows, starting at row 2 * y * ROWS. The address @in is one
 * sample left of the sample that corresponds to the first sample at @out, and one row above it. */
kernel void
gaussian_double (global const ushort * restrict in, int in_stride,
    int in_height, global ushort * restrict out, int out_stride)
{
  int x = get_global_id (0) * LANES, y = get_global_id (1) * ROWS;
  int end = min (y + ROWS, in_height);
  ushortn even0, odd0, even1, odd1, even2, odd2, first, second;

  if (2 * x >= out_stride || y >= in_height)
    return;
  in += (size_t) y * in_stride + x;
  out += (size_t) 2 * y * out_stride + 2 * x;
  double_row (in, &even1, &odd1);
  double_row (in + in_stride, &even2, &odd2);
  for (; y < end; y++) {
    even0 = even1;
    odd0 = odd1;
    even1 = even2;
    odd1 = odd2;
    double_row (in + 2 * in_stride, &even2, &odd2);
    in += in_stride;

    merge (nearer (even1, even0), nearer (odd1, odd0), &first, &second);
    STORE_PLANE (out, first);
    STORE_PLANE (out + LANES, second);
    out += out_stride;
    merge (nearer (even1, even2), nearer (odd1, odd2), &first, &second);
    STORE_PLANE (out, first);
    STORE_PLANE (out + LANES, second);
    out += out_stride;
  }
}
