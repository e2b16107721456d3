/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* The exact bilateral filter for frames that are not filtered in tiles: copies each color
 * component to a padded plane of floats, then reads only these planes. It is one of the two
 * methods that bilateral/weights.h describes. */

/* GUIDED is 1 if range weights are computed from another frame, the guide image. The plane of the
 * guide image follows the planes of the color components and of alpha. If GUIDED is 1, only the
 * samples of the guide image are scaled, so that range weights can be computed from them; the
 * color components of the frame are copied to their planes without scaling. Only the method with
 * planes (see bilateral/weights.h) supports a guide image. */
#ifndef GUIDED
#define GUIDED 0
#endif

#include "bilateral/weights.h"

/* WHOLE_PIXELS is set if a work-item loads and stores all bytes of 16 pixels at once. */
#define WHOLE_PIXELS (LANES == 16)
#if WHOLE_PIXELS
#include "base/pixels.h"
#endif

/* Fills padded planes: one for each component and, if WEIGHTED is 1, one for alpha after them.
 * Work-item (x, y) writes LANES values of row y, starting at column LANES * x. A plane has a
 * margin of @radius pixels on the left and right, and of radius_y pixels above and below. Its
 * values are samples times @scale. The parameters plane_stride and plane_size are in floats. */
kernel void
bilateral_expand (global const uchar * restrict src, int src_base,
    int src_stride, global float *restrict planes, int plane_stride,
    int plane_size, int radius, int radius_y, float scale, int width,
    int height, PIXEL)
{
  int x = get_global_id (0) * LANES, y = get_global_id (1);
  int first = x - radius;
  bool inside = first >= 0 && first + LANES <= width;
  global const uchar *row = src + src_base
      + reflect (y - radius_y, height) * src_stride;
  global float *to = planes + (size_t) y * plane_stride + x;

  if (x >= plane_stride)
    return;

#if WHOLE_PIXELS
  if (inside) {
    uintn pixels = load_pixels (row + first * pixel_stride, pixel_stride);

    EACH_CHANNEL (uintn word = pixels >> (uint) (8 * POSITION (i));
        vstoren (scale * convert_floatn (LIMITED ((word & SAMPLE_MASK)
                    >> (uint) shift, uintn)), 0, to + (size_t) i * plane_size))
#if WEIGHTED
    pixels = pixels >> (uint) (8 * ALPHA_POSITION) & 255u;
    vstoren (ALPHA_UNIT * convert_floatn (pixels), 0,
        to + (size_t) CHANNELS * plane_size);
#endif
    return;
  }
#endif
  for (int i = 0; i < VALUES; i++) {
    float lanes[LANES];

    for (int j = 0; j < LANES; j++)
      lanes[j] = load_value (row + pixel_stride
          * (inside ? first + j : reflect (first + j, width)), i, scale,
          PIXEL_VALUES);
    vstoren (vloadn (0, lanes), 0, to + (size_t) i * plane_size);
  }
}

#if GUIDED
/* Fills the padded plane of the guide image; see bilateral_expand for the parameters. */
kernel void
bilateral_expand_guide (GUIDE, global float *restrict planes,
    int plane_stride, int plane_size, int radius, int radius_y, float scale,
    int width, int height)
{
  int x = get_global_id (0) * LANES, y = get_global_id (1);
  int from_y = reflect (y - radius_y, height);
  float lanes[LANES];

  if (x >= plane_stride)
    return;
  for (int j = 0; j < LANES; j++)
    lanes[j] = scale * convert_float (load_guide (reflect (x + j - radius,
                width), from_y, GUIDE_VALUES));
  vstoren (vloadn (0, lanes), 0, planes + (size_t) VALUES * plane_size
      + (size_t) y * plane_stride + x);
}
#endif

/* Filters pixels. Work-item (x, y) filters LANES pixels of row y, starting at column LANES * x.
 * Tap i is a neighbor of the filtered pixel: taps[2 * i] is its offset from the filtered pixel
 * in the plane, in floats. taps[2 * i + 1] has the bits of a float: log2 of the spatial weight
 * of this neighbor, plus EXP2_BIAS. */
kernel void
bilateral_filter (global const float *restrict planes, int plane_stride,
    int plane_size, int radius, int radius_y,
    global const int *restrict taps, int n_taps, float inverse, global const uchar * restrict src, int src_base,
    int src_stride, global uchar * restrict dst, int dst_base,
    int dst_stride, int width, int copied, PIXEL)
{
  int x = get_global_id (0) * LANES, y = get_global_id (1);
  global const float *at = planes + (size_t) (y + radius_y) * plane_stride
      + radius + x;
  global uchar *to = dst + dst_base + y * dst_stride;
  global const uchar *from = src + src_base + y * src_stride;
  floatn c[CHANNELS], sum[CHANNELS], weights = 0;
  uintn mean[CHANNELS];
  uint values[CHANNELS * LANES];
#if GUIDED
  floatn guide;
#endif

  if (x >= max (width, copied))
    return;

  EACH_CHANNEL (c[i] = LOAD_FLOATS (at + (size_t) i * plane_size); sum[i] = 0)
#if GUIDED
  guide = LOAD_FLOATS (at + (size_t) VALUES * plane_size);
#endif
  for (int tap = 0; tap < n_taps; tap++) {
    global const float *tap_at = at + taps[2 * tap];
    floatn v[CHANNELS], w;

    EACH_CHANNEL (v[i] = LOAD_FLOATS (tap_at + (size_t) i * plane_size))
#if GUIDED
    floatn distance = LOAD_FLOATS (tap_at + (size_t) VALUES * plane_size)
        - guide;
#else
    floatn distance = distance_of (v, c);
#endif
    w = weight_of (distance, as_float (taps[2 * tap + 1]));
#if WEIGHTED
    w *= LOAD_FLOATS (tap_at + (size_t) CHANNELS * plane_size);
#endif
    accumulate (v, c, w, &weights, sum);
  }
  EACH_CHANNEL (mean[i] = mean_of (c[i], sum[i], weights, inverse))

#if WHOLE_PIXELS
  if (x + LANES <= width && (pixel_stride == CHANNELS * BYTES || copied > 0)) {
    uintn pixels = 0;

    if (copied > 0)
      pixels = load_pixels (from + x * pixel_stride, pixel_stride);
    EACH_CHANNEL (pixels &= ~(SAMPLE_MASK << 8 * POSITION (i));
        pixels |= mean[i] << (uint) (8 * POSITION (i) + shift))
    store_pixels (to + x * pixel_stride, pixel_stride, pixels);
    return;
  }
#endif
  EACH_CHANNEL (vstoren (mean[i], i, values))
  for (int i = 0; i < LANES; i++)
    store_pixel (to, from, x + i, values + i, width, copied, PIXEL_VALUES);
}
