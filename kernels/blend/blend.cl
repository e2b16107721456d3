/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Blends a frame with the result of a filter. A mask gives the weight of the result for each
 * pixel. The algorithm is described in docs/algorithms/regions.md. */

/* Number of samples that a work-item loads and stores at once: 1 or 16. */
#ifndef LANES
#define LANES 16
#endif

/* Number of rows that a work-item blends. */
#ifndef ROWS
#define ROWS 1
#endif

#include "base/samples.h"

/* VECTORS is set if samples are processed in vectors. This requires that all bits of a sample's
 * word are used. */
#define VECTORS (LANES == 16 && (MAX == 255 || MAX == 65535))

/* Returns the weight of the filter's result for a pixel at which the mask has the gray value m.
 * The weight is in units of 2^-16. */
static int
share (int m, int is_inverted, int mix)
{
  int k = m + (m >> 7);

  return (is_inverted ? 256 - k : k) * mix;
}

/* Returns the weight of the filter's result for sample x of a row. A sample of subsampled
 * chroma covers several pixels; the weight is the greatest weight among the pixels that the
 * sample covers. @mask is the address of the first row of the mask that the row of samples
 * covers. */
static int
share_at (global const uchar * mask, int stride, int x, int x_shift,
    int y_shift, int is_inverted, int mix)
{
  int least = 255, greatest = 0;

  for (int j = 0; j <= y_shift; j++)
    for (int i = 0; i <= x_shift; i++) {
      int m = mask[j * stride + (x << x_shift) + i];

      least = min (least, m);
      greatest = max (greatest, m);
    }
  return share (is_inverted ? least : greatest, is_inverted, mix);
}

#if VECTORS
/* Returns, for each element, the greater of two gray values; if is_inverted is set, the
 * smaller. */
static uchar16
choose (uchar16 a, uchar16 b, int is_inverted)
{
  return is_inverted ? min (a, b) : max (a, b);
}

/* Returns 16 gray values of the mask, one for each of 16 samples. If a sample covers two
 * columns of the mask, takes the gray value that gives the greater weight. */
static uchar16
load_greys (global const uchar * mask, int x_shift, int is_inverted)
{
  ushort16 pairs;

  if (x_shift == 0)
    return LOAD_LOOSE (loose_uchar16, mask);
  pairs = LOAD_LOOSE (loose_ushort16, mask);
  return choose (convert_uchar16 (pairs & (ushort) 255),
      convert_uchar16 (pairs >> (ushort) 8), is_inverted);
}

/* Blends 16 samples of the filter's result, at @from, into the samples of the frame at @to. The
 * vector @a holds the weights of the result, in units of 2^-16. */
static void
blend_vector (global uchar * to, global const uchar * from, int position,
    uint16 a)
{
  uint16 v = convert_uint16 (load_samples (to - position, position));
  uint16 f = convert_uint16 (load_samples (from - position, position));

  store_samples (to, convert_sums ((v * (65536u - a) + f * a + 32768u) >> 16u));
}
#endif

static void
blend_sample (global uchar * to, global const uchar * from, int a)
{
  uint v = get (to, 0), f = get (from, 0);

  if (a > 0)
    put (to, 0, (v * (65536u - a) + f * a + 32768u) >> 16);
}

/* Blends samples of a frame with the result of a filter. Work-item (x, y) processes LANES
 * samples, starting at column x * LANES, in each of ROWS rows.
 * offset, result_offset and the like: byte offsets of planes in their buffers.
 * @position: byte of a pixel where the component begins.
 * x_shift, y_shift: a sample covers 1 << x_shift columns and 1 << y_shift rows of the mask.
 * mask_stride: 0 if there is no mask; the weight of the result is then mix / 256 everywhere. */
kernel void
blend (global uchar * frame, int offset, int stride,
    global const uchar * result, int result_offset, int result_stride,
    int position, int width, int height, global const uchar * mask,
    int mask_offset, int mask_stride, int x_shift, int y_shift,
    int is_inverted, int mix)
{
  int x = LANES * get_global_id (0), y = get_global_id (1) * ROWS;
  int end = min (y + ROWS, height);

  if (x >= width)
    return;
  for (; y < end; y++) {
    global uchar *to = frame + offset + (size_t) y * stride + x * PIXEL_STRIDE;
    global const uchar *from = result + result_offset
        + (size_t) y * result_stride + x * PIXEL_STRIDE;
    global const uchar *greys = mask + mask_offset
        + ((size_t) y << y_shift) * mask_stride;

#if VECTORS
    if (x + LANES <= width) {
      uint16 a = (uint) (256 * mix);

      if (mask_stride > 0) {
        uchar16 m = load_greys (greys + (x << x_shift), x_shift, is_inverted);
        uint16 k;

        if (y_shift > 0)
          m = choose (m, load_greys (greys + mask_stride + (x << x_shift),
                  x_shift, is_inverted), is_inverted);
        k = convert_uint16 (m);
        k += k >> 7u;
        a = (is_inverted ? 256u - k : k) * (uint) mix;
      }
      blend_vector (to, from, position, a);
      continue;
    }
#endif
    for (int i = 0; i < min (LANES, width - x); i++)
      blend_sample (to + i * PIXEL_STRIDE, from + i * PIXEL_STRIDE,
          mask_stride > 0 ? share_at (greys, mask_stride, x + i, x_shift,
              y_shift, is_inverted, mix) : 256 * mix);
  }
}
